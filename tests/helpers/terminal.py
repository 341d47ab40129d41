"""`chat` as a real process, the window it may hand over to, and what they leave behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop import paths
from desktop.handover import Handover, NotRunningError

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # for anything that should take one or two; slow machines pass


def environment(home: Path) -> dict[str, str]:
    """No display, nothing of this process's Qt settings, a home of its own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return {**kept, "INGLENOOK_HOME": str(home), "PYTHONPATH": str(ROOT)}


def wait_for(condition: Callable[[], bool], what: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until `condition` holds; fail when `process` ends before, or after `SECONDS`."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = process.wait(timeout=0.02)
            raise AssertionError(f"it ended with {code} before {what}")
        assert time.monotonic() < deadline, f"no sign of {what}"


@dataclass
class Terminal:
    """Runs `chat` with the scripted engine."""

    home: Path
    model: Path

    def command(self, *arguments: str, script: str = "tokens_per_second=300") -> list[str]:
        """The command line of a `chat` with a scripted engine."""
        return [
            *(sys.executable, "-m", "desktop", "chat", "--engine", "scripted"),
            *("--script", f"load_seconds=0.02 {script}", "--model", str(self.model), *arguments),
        ]

    def run(
        self,
        *arguments: str,
        script: str = "tokens_per_second=300",
        stdin: bytes | None = None,
        extra: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run `chat` to its end. Without `stdin` it gets /dev/null."""
        process = subprocess.Popen(
            self.command(*arguments, script=script),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment(self.home), **(extra or {})},
        )
        with ended(process):
            out, err = process.communicate(stdin, timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    @contextlib.contextmanager
    def started(
        self, *arguments: str, script: str = "tokens_per_second=100"
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A `chat` that runs; killed at the end if need be."""
        process = subprocess.Popen(
            self.command(*arguments, script=script),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(self.home),
        )
        with ended(process):
            yield process

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What the store holds; nothing while it is not made."""
        path = self.home / "data" / "chats.db"
        if not path.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            try:
                return database.execute(query).fetchall()
            except sqlite3.OperationalError:  # its tables are being made
                return []

    def messages(self) -> list[tuple[object, ...]]:
        """Role, status and text of all messages, oldest first."""
        return self.rows("SELECT role, status, content FROM messages ORDER BY sequence")


@contextlib.contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """End `process` with the block, and close its pipes."""
    try:
        yield
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(SECONDS)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def read_some(process: subprocess.Popen[bytes], wanted: bytes) -> bytes:
    """What `process` writes to stdout, until it has written `wanted`."""
    assert process.stdout is not None
    return read_until(process.stdout.fileno(), wanted)


def read_until(descriptor: int, wanted: bytes) -> bytes:
    """What comes from `descriptor`, until `wanted` has come."""
    found = b""
    deadline = time.monotonic() + SECONDS
    while wanted not in found:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"no {wanted!r} in {found!r}"
        data = os.read(descriptor, 65536)
        assert data, f"it ended without {wanted!r}: {found!r}"
        found += data
    return found


def engines_of(pid: int) -> list[int]:
    """The engine processes that process `pid` has started, each followed by its own children."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if b"engine" in words and b"--parent" in words:
                parent = words[words.index(b"--parent") + 1]
                if parent == str(pid).encode():
                    found.append(int(folder.name))
    return sorted(found, key=lambda engine: _parent_of(engine) != pid)


def _parent_of(pid: int) -> int:
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line[:4] == "PPid")
    return 0


def wait_for_ends(pids: list[int]) -> None:
    """Wait until these processes, no children of ours, are gone."""
    assert pids
    for pid in pids:
        _wait_for_end(pid)


def _wait_for_end(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ready, _, _ = select.select([descriptor], [], [], SECONDS)
        assert ready, f"process {pid} lives on"
    finally:
        os.close(descriptor)


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether process `pid` has a handler of its own for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(mask, 16) >> (number - 1) & 1)


@contextlib.contextmanager
def running_window(home: Path, model: Path, script: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """The window as a process, on no screen; entered when it takes questions."""
    command = [
        *(sys.executable, "-m", "desktop", "--engine", "scripted", "--model", str(model)),
        *("--script", f"load_seconds=0.02 tokens_per_second=100 {script}"),
    ]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**environment(home), "QT_QPA_PLATFORM": "offscreen"},
    )
    data = paths.find({"INGLENOOK_HOME": str(home)}).data

    def answers() -> bool:
        try:
            Handover(data).close()
        except NotRunningError:
            return False
        return True

    with ended(process):
        wait_for(answers, "the window", process)
        yield process
