"""kill -9 in the middle of writing, 200 times: nothing that was confirmed is lost."""

from __future__ import annotations

import os
import random
import selectors
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from tests.helpers.stores import opened

KILLS = 200
KILLS_PER_STORE = 20
LONGEST = 0.06  # s that a child lives; it covers making and opening the store
PATIENCE = 30.0  # s for a child to confirm something on a busy machine


class Confirmed:
    """What the children were told is on disk."""

    def __init__(self) -> None:
        self.messages: set[str] = set()
        self.lengths: dict[str, int] = {}

    def take(self, line: str) -> None:
        match line.split():
            case ["exchange", user, answer]:
                self.messages |= {user, answer}
            case ["content", answer, length]:
                self.lengths[answer] = max(self.lengths.get(answer, 0), int(length))
            case _:
                pytest.fail(f"a child said: {line}")

    def check(self, path: Path) -> None:
        if not path.exists():
            assert not self.messages
            return
        db = sqlite3.connect(path)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        found = dict(db.execute("SELECT id, length(content) FROM messages"))
        db.close()
        assert self.messages <= found.keys(), "a confirmed message is lost"
        for message, length in self.lengths.items():
            assert found[message] >= length, "confirmed text is lost"


def run_once(
    process: subprocess.Popen[bytes], path: Path, life: float, seen: Confirmed, *, writing: bool
) -> None:
    """Start a child, kill it after `life` s; take note of all that it was told.

    `writing`: its life begins with the first thing that is confirmed.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{path}\n".encode())
    process.stdin.flush()
    first = process.stdout.readline().split()
    assert first[0] == b"child", first
    pid, pending = int(first[1]), b""
    if writing:
        pending = read_until(process.stdout, time.monotonic() + PATIENCE, first_only=True)
    pending += read_until(process.stdout, time.monotonic() + life)
    os.kill(pid, signal.SIGKILL)
    while not pending.endswith(b"dead\n"):
        more = os.read(process.stdout.fileno(), 65_536)
        assert more, "the parent of the children died"
        pending += more
    for line in pending.decode().splitlines()[:-1]:
        seen.take(line)


def read_until(stream: IO[bytes], end: float, *, first_only: bool = False) -> bytes:
    """What arrives until the monotonic time `end`, or at first."""
    data = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            if selector.select(left):
                data += os.read(stream.fileno(), 65_536)
                if first_only:
                    break
    return data


def test_kill_in_mid_write_200_times(tmp_path: Path) -> None:
    chance = random.Random(2)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.store_victim"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        cwd=Path(__file__).parents[2],
    )
    confirmed = 0
    try:
        for start in range(0, KILLS, KILLS_PER_STORE):
            folder = tmp_path / str(start)
            path, seen = folder / "chats.db", Confirmed()
            for number in range(KILLS_PER_STORE):
                life, writing = chance.uniform(0, LONGEST), number % 2 == 1
                run_once(process, path, life, seen, writing=writing)
                # Looking folds the log in; else the next child finds it as it was left.
                if chance.random() < 0.5:
                    seen.check(path)
            with opened(path) as store:  # and we open it too, with nothing set aside
                store.recover_interrupted().result(10)
                store.create_chat().result(10)
            seen.check(path)
            assert not list(folder.glob("*.damaged-*"))
            assert not list(folder.glob("*.new*"))
            confirmed += len(seen.messages)
            shutil.rmtree(folder)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
    assert confirmed > KILLS, "the children hardly got to write"
