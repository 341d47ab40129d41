"""A hub of models on the loopback that the real huggingface_hub takes for the real one.

    with loopback_hub() as hub:
        commit = hub.add("me/model", files_of(folder), licence="apache-2.0")
        hub.fault("me/model/*.safetensors", "truncate", times=1)
        ...  # HF_ENDPOINT=hub.url in the environment of a process that imports huggingface_hub
        assert hub.bytes_sent("me/model/model.safetensors") == size

In threads of the test's process, or with `process=True` in a process of its own, for benches
and long runs. What can be wrong: `tests.helpers.hub_faults`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.helpers.hub_answers import Account, Shelf
from tests.helpers.hub_desk import Desk
from tests.helpers.hub_files import Hollow
from tests.helpers.hub_server import Record

ROOT = Path(__file__).resolve().parents[2]
Do = Callable[[str, dict[str, Any]], Any]
File = bytes | Path | Hollow


def files_of(folder: Path) -> dict[str, File]:
    """All files of a folder, by their paths in it. Hidden ones and manifests are not the hub's."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".") and path.name != "manifest.json"
    }


class Accounts:
    """The hub's users by their tokens."""

    def __init__(self, do: Do) -> None:
        self._do = do

    def __setitem__(self, token: str, account: Account | str) -> None:
        told = Account(account) if isinstance(account, str) else account
        self._do(
            "account",
            {
                "token": token,
                "name": told.name,
                "access": sorted(told.access),
                "pending": sorted(told.pending),
            },
        )

    def __delitem__(self, token: str) -> None:
        self._do("account", {"token": token, "name": ""})


class LoopbackHub:
    """A hub that runs. It holds nothing at first.

    Attributes:
        url, cdn_url: where it listens.
        accounts: token -> `Account`, or the user's name alone.
        ca_bundle: the certificate to trust where it speaks TLS.
    """

    def __init__(self, do: Do, folder: Path, ca_bundle: Path | None = None) -> None:
        self._do = do
        self._folder = folder
        self._kept = 0
        self.ca_bundle = ca_bundle
        self.url, self.cdn_url = do("urls", {})
        self.accounts = Accounts(do)

    def add(
        self,
        repo: str,
        files: Mapping[str, File] | Path,
        *,
        branch: str = "main",
        gated: str = "",
        private: bool = False,
        tags: Iterable[str] = (),
        licence: str = "",
        base_model: str = "",
        languages: Iterable[str] = (),
        downloads: int = 0,
        likes: int = 0,
        trending: int = 0,
        updated: str = "2026-01-02T03:04:05.000Z",
        pipeline: str = "text-generation",
        library: str = "transformers",
        config: Mapping[str, Any] | None = None,
    ) -> str:
        """Make `files` what a branch of `repo` holds; returns the new commit.

        Args:
            files: path in the repository -> bytes or a file that stays as it is; or a folder.
            gated: "", "auto" or "manual".
            config: of a config.json, where `files` have none.
        """
        held = dict(files_of(files) if isinstance(files, Path) else files)
        if config is not None:
            held.setdefault("config.json", json.dumps(config, indent=2).encode())
        told = {name: self._told(content) for name, content in held.items()}
        facts: dict[str, Any] = {
            "gated": gated,
            "private": private,
            "tags": list(tags),
            "licence": licence,
            "base_model": base_model,
            "languages": list(languages),
            "downloads": downloads,
            "likes": likes,
            "trending": trending,
            "updated": updated,
            "pipeline": pipeline,
            "library": library,
        }
        return str(self._do("add", {"repo": repo, "files": told, "branch": branch, "facts": facts}))

    def remove(self, repo: str) -> None:
        """Delete a repository."""
        self._do("remove", {"repo": repo})

    def rename(self, old: str, new: str) -> None:
        """Give a repository another name; the old one leads to it."""
        self._do("rename", {"old": old, "new": new})

    def fault(
        self,
        glob: str,
        kind: str,
        times: int | None = None,
        *,
        skip: int = 0,
        method: str = "",
        **details: Any,
    ) -> int:
        """From now on something is wrong; see `tests.helpers.hub_faults`. Returns its number."""
        how = {"times": times, "skip": skip, "method": method, **details}
        return int(self._do("fault", {"glob": glob, "kind": kind, "how": how}))

    def mend(self, fault: int | None = None) -> None:
        """End a fault, or all of them."""
        self._do("mend", {"number": fault})

    def met(self, fault: int) -> int:
        """How many requests a fault has spoilt; 0 once it is ended."""
        return int(self._do("met", {"number": fault}))

    @property
    def requests(self) -> list[Record]:
        """All requests since the counts were reset."""
        return [Record(**record) for record in self._do("records", {})]

    def asked(self, glob: str = "*", method: str = "") -> list[Record]:
        """The requests for the paths or files that a glob fits."""
        found: list[dict[str, Any]] = self._do("asked", {"glob": glob, "method": method})
        return [Record(**record) for record in found]

    def wait_for(self, glob: str, seconds: float = 30.0) -> None:
        """Wait until something that the glob fits was asked for.

        Raises:
            AssertionError: it was not.
        """
        assert self._do("wait_for", {"glob": glob, "seconds": seconds}), f"nobody asked for {glob}"

    def bytes_sent(self, glob: str = "*") -> int:
        """Bytes of bodies sent since the counts were reset."""
        return int(self._do("bytes_sent", {"glob": glob}))

    def reset_counts(self) -> None:
        """Count from here."""
        self._do("reset_counts", {})

    def go_down(self) -> None:
        """Nobody listens any more; what is under way is reset. As if the network were gone."""
        self._do("go_down", {})

    def come_up(self) -> None:
        """Listen again, at the same address."""
        self._do("come_up", {})

    def drop(self) -> None:
        """Reset all connections; new ones are taken."""
        self._do("drop", {})

    @property
    def cdn(self) -> bool:
        """Whether large files are had from another host, which refuses tokens."""
        return bool(self._do("setting", {"name": "cdn"}))

    @cdn.setter
    def cdn(self, on: bool) -> None:
        self._do("set", {"name": "cdn", "value": on})

    @property
    def resolve_cache(self) -> bool:
        """Whether small files are had by way of a relative redirect, as on the real hub."""
        return bool(self._do("setting", {"name": "resolve_cache"}))

    @resolve_cache.setter
    def resolve_cache(self, on: bool) -> None:
        self._do("set", {"name": "resolve_cache", "value": on})

    @property
    def page_size(self) -> int:
        """The most entries in one page of a list."""
        return int(self._do("setting", {"name": "page_size"}))

    @page_size.setter
    def page_size(self, count: int) -> None:
        self._do("set", {"name": "page_size", "value": count})

    def environment(self, home: Path, **more: str) -> dict[str, str]:
        """Variables for a process that shall ask this hub, and keep its things under `home`."""
        found = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HF_", "HUGGING", "TRANSFORMERS_"))
        }
        found |= {"HF_ENDPOINT": self.url, "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1"}
        if self.ca_bundle:
            found |= {"SSL_CERT_FILE": str(self.ca_bundle)}
        return found | more

    def _told(self, content: File) -> dict[str, Any]:
        if isinstance(content, Path):
            return {"path": str(content.resolve())}
        if isinstance(content, Hollow):
            return {"path": str(self._keep(content.head)), "hollow": content.size}
        return {"path": str(self._keep(content)), "memory": True}

    def _keep(self, data: bytes) -> Path:
        self._kept += 1
        path = self._folder / str(self._kept)
        path.write_bytes(data)
        return path


@contextmanager
def loopback_hub(*, process: bool = False, tls: Path | None = None) -> Iterator[LoopbackHub]:
    """A hub that runs.

    Args:
        process: in a process of its own.
        tls: a PEM file of a key and its certificate for 127.0.0.1 and 127.0.0.2.
    """
    folder = Path(tempfile.mkdtemp(prefix="loopback-hub-"))
    try:
        if process:
            with _own_process(tls) as do:
                yield LoopbackHub(do, folder, tls)
            return
        desk = Desk(Shelf(), tls)
        try:
            yield LoopbackHub(desk.do, folder, tls)
        finally:
            desk.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _own_process(tls: Path | None) -> Iterator[Do]:
    command = [sys.executable, "-m", "tests.helpers.hub_desk", *([str(tls)] if tls else [])]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin
        assert child.stdout
        to, of = child.stdin, child.stdout

        def do(name: str, arguments: dict[str, Any]) -> Any:
            to.write(json.dumps([name, arguments]) + "\n")
            to.flush()
            line = of.readline()
            if not line:
                raise RuntimeError("the loopback hub has ended")
            told = json.loads(line)
            if "error" in told:
                raise ValueError(told["error"])
            return told["value"]

        try:
            yield do
        finally:
            to.close()  # it ends by itself
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
