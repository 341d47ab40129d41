"""Stores for tests, and disks that are small or read-only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from desktop.chats.store.chat_store import ChatStore

SECONDS = 10.0  # for a Future; long enough for a slow disk


@contextmanager
def opened(path: Path, **options: Any) -> Iterator[ChatStore]:
    """A store that is open, and closed in the end."""
    store = ChatStore(path, **options)
    try:
        store.open().result(SECONDS)
        yield store
    finally:
        store.close()


@contextmanager
def held_up(store: ChatStore) -> Iterator[None]:
    """Hold the store's thread up, as a slow disk does."""
    gate, arrived = Event(), Event()

    def wait(_db: Any) -> None:
        arrived.set()
        gate.wait(SECONDS)

    store._queue.read(wait)
    assert arrived.wait(SECONDS)
    try:
        yield
    finally:
        gate.set()


def on_thread(store: ChatStore, run: Callable[[Any], Any]) -> Any:
    """What `run(db)` returns on the store's thread."""
    return store._queue.read(run).result(SECONDS)


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Each file's bytes and time of change (ns), except the lock file's."""
    return {
        file.name: (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.endswith(".lock")
    }


class Disk:
    """A tmpfs of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def resize(self, size: str) -> None:
        """As after somebody freed space: "16m"."""
        _mount("-o", f"remount,size={size}", str(self.folder))

    def make_read_only(self) -> None:
        """As a disk does that has failed."""
        _mount("-o", "remount,ro", str(self.folder))

    def make_writable(self) -> None:
        """As after a repair."""
        _mount("-o", "remount,rw", str(self.folder))


@contextmanager
def disk(folder: Path, size: str = "4m") -> Iterator[Disk | None]:
    """A small disk mounted on `folder`; None where only root may mount."""
    folder.mkdir()
    if os.geteuid() != 0 or not _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        yield None
        return
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=30)


def _mount(*arguments: str) -> bool:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, check=False, timeout=30)
    except OSError:
        return False
    return done.returncode == 0
