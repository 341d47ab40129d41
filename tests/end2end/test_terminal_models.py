"""`models` as a user has it: real processes, the real client, a hub on the loopback."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.hub_answers import Account
from tests.helpers.loopback_hub import LoopbackHub, files_of, loopback_hub
from tests.helpers.terminal import ended, wait_for
from tests.helpers.tiny_models import make_tiny_model

ROOT = Path(__file__).resolve().parents[2]
REPO = "acme/Tiny-1M"
SECONDS = 60.0  # for what should take two; slow machines pass
CANARIES: Mapping[str, bytes] = {
    "pytorch_model.bin": b"canary",
    "modeling_tiny.py": b"raise SystemExit('canary')",
    "original/consolidated.00.pth": b"canary",
    "training_args.bin": b"canary",
    "model.onnx": b"canary",
}


@dataclass
class Terminal:
    """Runs `models` with a home of its own, against one hub."""

    home: Path
    hub: LoopbackHub
    more: dict[str, str]

    @property
    def environ(self) -> dict[str, str]:
        own = {
            "INGLENOOK_HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "100",
            "NO_PROXY": "*",
        }
        return self.hub.environment(self.home / "hf", **own, **self.more)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "desktop", *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command("models", *arguments),
            env=self.environ,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def told(self, *arguments: str, code: int = 0) -> Any:
        ran = self.run(*arguments, "--json")
        assert ran.returncode == code, (ran.returncode, ran.stdout, ran.stderr)
        assert ran.stderr == ""
        return json.loads(ran.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackHub]:
    folder = make_tiny_model(tmp_path_factory.mktemp("hub") / "tiny")
    with loopback_hub() as running:
        running.add(
            REPO,
            {**files_of(folder), **CANARIES, "README.md": b"---\nlicense: mit\n---\n# Tiny\n"},
            licence="mit",
            downloads=12_345,
        )
        running.add("acme/Locked-1M", files_of(folder), licence="other", gated="auto", downloads=7)
        running.accounts["hf_nobody"] = Account("nobody", frozenset())
        yield running


@pytest.fixture
def terminal(hub: LoopbackHub, tmp_path: Path) -> Iterator[Terminal]:
    home = tmp_path / "home"
    home.mkdir()
    hub.reset_counts()
    yield Terminal(home, hub, {})
    hub.mend()


def test_from_a_search_to_the_bin(terminal: Terminal, hub: LoopbackHub) -> None:
    found = terminal.told("search", "tiny", "--gpus", "8")
    (hit,) = [one for one in found["models"] if one["repo"] == REPO]
    assert hit["verdict"]["fits"] == "yes"
    assert hit["verdict"]["context"] == 2048

    page = terminal.run("show", REPO, "--gpus", "none", "--card")
    assert page.returncode == 0, page.stderr
    for text in ("12 k downloads", "model.safetensors", "pytorch_model.bin", "# Tiny", "✓"):
        assert text in page.stdout

    pulled = terminal.run("pull", REPO)
    assert pulled.returncode == 0, pulled.stderr
    folder = terminal.home / "data/models/hub/acme--Tiny-1M"
    assert str(folder) in pulled.stdout
    assert f"chat --model {REPO}" in pulled.stdout
    assert "\x1b" not in pulled.stdout + pulled.stderr
    for canary in CANARIES:
        assert not hub.asked(f"{REPO}/{canary}"), canary
        assert not (folder / Path(canary).name).exists()

    again = terminal.told("pull", REPO)
    assert again["installed"] is True
    assert (
        hub.bytes_sent(f"{REPO}/model.safetensors")
        < 2 * folder.joinpath("model.safetensors").stat().st_size
    )
    (listed,) = terminal.told("list")["models"]
    assert (listed["path"], listed["licence"], listed["problem"]) == (str(folder), "mit", "")
    assert terminal.told("verify", REPO)["ok"] is True
    assert terminal.told("rm", REPO, "--yes")["removed"][0]["entry"]
    assert not folder.exists()
    assert terminal.told("rm", "--undo")["restored"] == [{"name": REPO, "path": str(folder)}]
    assert folder.is_dir()


def test_what_another_program_has_fetched_is_not_fetched_again(
    terminal: Terminal, hub: LoopbackHub
) -> None:
    code = f"import huggingface_hub as hub; hub.snapshot_download({REPO!r})"
    environ = {**terminal.environ, "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    subprocess.run([sys.executable, "-c", code], env=environ, check=True, timeout=SECONDS)
    hub.reset_counts()
    done = terminal.told("pull", REPO)
    assert (done["installed"], done["bytes_fetched"]) == (True, 0)
    assert Path(done["folder"]).is_relative_to(terminal.home / "hf")
    assert not (terminal.home / "data/models/hub").exists()


def start(terminal: Terminal, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        terminal.command("models", *arguments),
        env=terminal.environ,
        cwd=terminal.home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_ctrl_c_keeps_what_was_fetched(
    terminal: Terminal, hub: LoopbackHub, tmp_path: Path
) -> None:
    size = (
        (make_tiny_model(tmp_path / "m", hidden=128)).joinpath("model.safetensors").stat().st_size
    )
    hub.add("acme/Slow", files_of(tmp_path / "m"), licence="mit")
    process = start(terminal, "pull", "acme/Slow", "--limit", "2M", "--json")
    with ended(process):
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "progress" and event.get("done", 0) > size // 4:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, err
    assert err == b""
    last = json.loads(out.splitlines()[-1])
    assert last["code"] == "cancelled"
    assert "are kept" in last["error"]
    assert "pull acme/Slow" in last["error"]

    (partial,) = terminal.told("list")["unfinished"]
    assert partial["repo"] == "acme/Slow"
    assert size // 4 <= partial["have"] < partial["total"]
    hub.reset_counts()
    done = terminal.told("pull", "acme/Slow")
    assert done["event"] == "done"
    # What had come is not fetched again, but for blocks that were on their way.
    assert hub.bytes_sent("acme/Slow/model.safetensors") <= size - partial["have"] + (4 << 20)
    assert terminal.told("verify", "acme/Slow")["ok"] is True
    assert terminal.told("list")["unfinished"] == []


@pytest.mark.parametrize("arguments", [("models", "search", "x"), ("plan", REPO)])
def test_ctrl_c_is_heard_while_the_hub_is_silent(
    terminal: Terminal, hub: LoopbackHub, arguments: Sequence[str]
) -> None:
    hub.fault("*", "hang")
    process = subprocess.Popen(
        terminal.command(*arguments),
        env=terminal.environ,
        cwd=terminal.home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with ended(process):
        wait_for(lambda: bool(hub.requests), "a question to the hub", process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10.0)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_an_unfinished_download_can_be_deleted(terminal: Terminal, hub: LoopbackHub) -> None:
    hub.fault(f"{REPO}/model.safetensors", "wrong_sha")
    failed = terminal.told("pull", REPO, code=1)
    assert failed["code"] == "hash_mismatch"
    listed = terminal.told("list")
    assert [one["repo"] for one in listed["unfinished"]] == [REPO]
    assert listed["models"] == []
    assert terminal.told("rm", REPO, "--yes")["removed"][0]["entry"] == ""
    listed = terminal.told("list")
    assert (listed["unfinished"], listed["models"]) == ([], [])


def test_a_licence_to_accept_and_a_token_missing(terminal: Terminal, hub: LoopbackHub) -> None:
    refused = terminal.told("pull", "acme/Locked-1M", code=4)
    assert refused["code"] == "sign_in"
    terminal.more["HF_TOKEN"] = "hf_nobody"
    refused = terminal.told("pull", "acme/Locked-1M", code=4)
    assert refused["code"] == "gated"
    assert refused["url"].endswith("acme/Locked-1M")
    hub.accounts["hf_me"] = Account("me", frozenset({"acme/Locked-1M"}))
    terminal.more.clear()
    place = terminal.home / "hf" / "token"  # where huggingface_hub keeps it
    place.parent.mkdir(exist_ok=True)
    place.write_text("hf_me")
    ran = terminal.run("pull", "acme/Locked-1M")
    assert ran.returncode == 0, ran.stderr
    assert "hf_me" not in ran.stdout + ran.stderr


def test_a_connection_that_breaks_once_is_no_answer(terminal: Terminal, hub: LoopbackHub) -> None:
    broken = hub.fault("*", "reset", times=1)
    page = terminal.told("show", REPO)
    assert hub.met(broken) == 1
    assert page["listing"]["repo"] == REPO
    assert page["verdict"]["fits"] == "yes"


def test_what_is_not_there_and_no_network(terminal: Terminal, hub: LoopbackHub) -> None:
    # As the real hub: who is not signed in does not learn whether there is such a model.
    assert terminal.told("show", "acme/Nothing", code=4)["code"] == "sign_in"
    terminal.more["HF_HUB_OFFLINE"] = "1"
    offline = terminal.told("search", "tiny", code=4)
    assert offline["code"] == "offline"
    assert hub.asked("*Nothing*")
    assert terminal.told("list")["models"] == []


def test_a_terminal_shows_one_line_and_nothing_hostile(
    terminal: Terminal, hub: LoopbackHub, tmp_path: Path
) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    folder = make_tiny_model(tmp_path / "evil")
    card = f"---\nlicense: mit\n---\n# Card {evil}\n".encode()
    hub.add("acme/Evil", {**files_of(folder), "README.md": card}, licence=f"mit{evil}")
    out = on_a_terminal(terminal, ("show", "acme/Evil", "--card"))
    assert "\x1b]0;" not in out
    assert "\x1b[2J" not in out
    assert "\u202e" not in out
    out = on_a_terminal(terminal, ("pull", "acme/Evil"), answer="y\n")
    assert "Fetch it" in out
    assert "\r\x1b[K" in out
    assert "is installed and verified" in out
    assert "\x1b]0;" not in out


def on_a_terminal(terminal: Terminal, arguments: Sequence[str], answer: str = "") -> str:
    """What a real terminal gets to see; `answer` is typed when a question comes."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        terminal.command("models", *arguments),
        env=terminal.environ,
        cwd=terminal.home,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    ends = time.monotonic() + SECONDS
    with ended(process), contextlib.closing(os.fdopen(ours, "r+b", buffering=0)) as screen:
        while select.select([screen], [], [], max(0.0, ends - time.monotonic()))[0]:
            try:
                data = screen.read(1 << 16)
            except OSError:  # the other end is closed
                break
            seen += data
            if answer and b"/n] " in seen.lower():
                screen.write(answer.encode())
                answer = ""
        assert process.wait(SECONDS) == 0, seen.decode()
    return seen.decode()
