"""What a test may ask of the loopback hub, by name: in its process, or through a pipe.

`python -m tests.helpers.hub_desk [PEM]` is a hub in a process of its own: a line of JSON asks,
[name, arguments], a line answers; it ends with its standard input.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.helpers.hub_answers import Account, Shelf
from tests.helpers.hub_faults import Faults
from tests.helpers.hub_files import Content, Disk, Hollow, HubFile, Memory
from tests.helpers.hub_repositories import Repository
from tests.helpers.hub_server import HubServer

_SETTINGS = {"cdn", "resolve_cache", "page_size"}


class Desk:
    """A hub, and what is asked of it. Arguments and answers are what JSON can say."""

    def __init__(self, shelf: Shelf, tls: Path | None = None) -> None:
        self._shelf = shelf
        self._faults = Faults()
        self._server = HubServer(shelf, self._faults, tls)

    def do(self, name: str, arguments: dict[str, Any]) -> Any:
        """Carry out `name`."""
        return getattr(self, f"on_{name}")(**arguments)

    def close(self) -> None:
        """End the hub."""
        self._server.stop()

    def on_urls(self) -> list[str]:
        """Where the hub and its other host listen."""
        return [self._shelf.url, self._shelf.cdn_url]

    def on_add(
        self, repo: str, files: dict[str, dict[str, Any]], branch: str, facts: dict[str, Any]
    ) -> str:
        """Make or change a repository; returns the commit."""
        held = [HubFile(path, _content(told)) for path, told in files.items()]
        lists = {"tags", "languages"}
        facts = {name: tuple(v) if name in lists else v for name, v in facts.items()}
        with self._shelf.lock:
            repository = self._shelf.repositories.setdefault(repo, Repository(repo))
            for name, value in facts.items():
                setattr(repository, name, value)
            return repository.commit(held, branch)

    def on_remove(self, repo: str) -> None:
        """Delete a repository."""
        with self._shelf.lock:
            del self._shelf.repositories[repo]

    def on_rename(self, old: str, new: str) -> None:
        """Give it another name."""
        with self._shelf.lock:
            repository = self._shelf.repositories.pop(old)
            repository.name = new
            self._shelf.repositories[new] = repository
            self._shelf.renamed[old] = new

    def on_account(
        self, token: str, name: str, access: tuple[str, ...] = (), pending: tuple[str, ...] = ()
    ) -> None:
        """Make a user known, or forgotten (no name)."""
        with self._shelf.lock:
            self._shelf.accounts.pop(token, None)
            if name:
                known = Account(name, frozenset(access), frozenset(pending))
                self._shelf.accounts[token] = known

    def on_fault(self, glob: str, kind: str, how: dict[str, Any]) -> int:
        """Begin a fault; returns its number."""
        return self._faults.add(glob, kind, **how)

    def on_mend(self, number: int | None) -> None:
        """End it, or all."""
        self._faults.end(number)

    def on_met(self, number: int) -> int:
        """How many requests it has spoilt."""
        return self._faults.met(number)

    def on_records(self) -> list[dict[str, Any]]:
        """All requests."""
        return [asdict(record) for record in self._server.records()]

    def on_asked(self, glob: str, method: str) -> list[dict[str, Any]]:
        """Those for what the glob fits."""
        return [
            asdict(record)
            for record in self._server.records()
            if method in {"", record.method} and record.fits(glob)
        ]

    def on_bytes_sent(self, glob: str) -> int:
        """Bytes of bodies."""
        return self._server.bytes_sent(glob)

    def on_wait_for(self, glob: str, seconds: float) -> bool:
        """Wait for a request."""
        return self._server.wait_for(glob, seconds)

    def on_reset_counts(self) -> None:
        """Forget the requests."""
        self._server.reset_counts()

    def on_go_down(self) -> None:
        """Refuse connections."""
        self._server.stop()

    def on_come_up(self) -> None:
        """Take them again."""
        self._server.start()

    def on_drop(self) -> None:
        """Reset those that are open."""
        self._server.drop()

    def on_setting(self, name: str) -> Any:
        """How the hub is set."""
        return getattr(self._shelf, _known(name))

    def on_set(self, name: str, value: Any) -> None:
        """Set it otherwise."""
        setattr(self._shelf, _known(name), value)


def _known(name: str) -> str:
    if name not in _SETTINGS:
        raise ValueError(f"no setting is called {name!r}")
    return name


def _content(told: dict[str, Any]) -> Content:
    path = Path(told["path"])
    if told.get("memory"):
        return Memory(path.read_bytes())
    if "hollow" in told:
        return Hollow(path.read_bytes(), told["hollow"])
    return Disk(path, path.stat().st_size)


def main() -> None:
    """Serve until the input ends."""
    desk = Desk(Shelf(), Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    try:
        for line in sys.stdin:
            name, arguments = json.loads(line)
            try:
                told = {"value": desk.do(name, arguments)}
            except Exception as error:
                told = {"error": f"{type(error).__name__}: {error}"}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
    finally:
        desk.close()


if __name__ == "__main__":
    main()
