"""The process of a download: what it is told and tells, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.download.messages import (
    Cancel,
    Done,
    Failed,
    Job,
    Progress,
    Started,
    read_event,
    to_line,
)
from engine.store.download.partials import partials
from tests.helpers.loopback_hub import ROOT, LoopbackHub, loopback_hub

REPO = "me/model"
FILES: dict[str, bytes | Path] = {
    "config.json": b'{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}',
    "tokenizer.json": b"{}",
    "model.safetensors": bytes(6 << 20),
}


@pytest.fixture(scope="module")
def hub() -> Iterator[LoopbackHub]:
    with loopback_hub() as hub:
        hub.add(REPO, FILES)
        yield hub


class Child:
    """A download's process."""

    def __init__(self, hub: LoopbackHub, place: Path, **environment: str) -> None:
        self.models = place / "models"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.store.download"],
            cwd=ROOT,
            env=hub.environment(place / "hf", **environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin
        assert self.process.stdout
        self.to, self.of = self.process.stdin, self.process.stdout

    def say(self, line: bytes) -> None:
        self.to.write(line)
        self.to.flush()

    def until(self, kind: type) -> object:
        for line in self.of:
            event = read_event(line)
            if isinstance(event, kind):
                return event
        raise AssertionError(f"it told no {kind.__name__}")

    def end(self) -> tuple[int, str]:
        """The exit code, and what it had to complain about."""
        assert self.process.stderr
        errors = self.process.stderr.read().decode()
        code = self.process.wait(10)
        for pipe in (self.to, self.of, self.process.stderr):
            pipe.close()
        return code, errors


def job(child: Child, limit: int = 0) -> bytes:
    return to_line(Job(repo=REPO, store=str(child.models), limit=limit))


def test_a_download_from_the_job_to_the_end(hub: LoopbackHub, tmp_path: Path) -> None:
    child = Child(hub, tmp_path, HF_TOKEN="")
    child.say(job(child))
    started, done = child.until(Started), child.until(Done)
    assert isinstance(started, Started)
    assert isinstance(done, Done)
    assert started.total == done.bytes_fetched
    assert started.target == done.folder
    assert child.end() == (0, "")


@pytest.mark.parametrize("way", ["cancel", "end of input", "SIGTERM", "nobody reads"])
def test_it_ends_and_keeps_what_it_has(hub: LoopbackHub, tmp_path: Path, way: str) -> None:
    child = Child(hub, tmp_path)
    child.say(job(child, limit=1 << 20))
    child.until(Started)
    child.until(Progress)
    if way == "cancel":
        child.say(b"not a command\n" + to_line(Cancel()))
    elif way == "end of input":
        child.to.close()
    elif way == "SIGTERM":
        child.process.send_signal(signal.SIGTERM)
    if way == "nobody reads":
        child.of.close()
    else:
        failed = child.until(Failed)
        assert isinstance(failed, Failed)
        assert failed.code == "cancelled"
        assert failed.retry
    code, errors = child.end()
    assert code == 130
    assert errors == ""
    assert len(partials(child.models)) == 1


@pytest.mark.parametrize("line", [b"", b'{"repo": 5}\n', b"\xff\xfe\n"])
def test_a_job_that_is_none(hub: LoopbackHub, tmp_path: Path, line: bytes) -> None:
    child = Child(hub, tmp_path)
    child.say(line)
    child.to.close()
    failed = child.until(Failed)
    assert isinstance(failed, Failed)
    assert failed.code == "unreadable_job"
    assert child.end() == (1, "")


def test_the_token_is_in_nothing_that_it_tells(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.accounts["hf_secret"] = "me"
    hub.add("me/private", FILES, private=True)
    child = Child(hub, tmp_path, HF_TOKEN="hf_secret")
    child.say(to_line(Job(repo="me/private", store=str(child.models))))
    told = child.of.read()
    assert b'"done"' in told
    assert b"hf_secret" not in told
    assert child.end() == (0, "")
