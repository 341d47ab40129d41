"""Whoever writes into the store for long says so, so that the store is not moved meanwhile."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from engine.failure_words import words
from engine.store.library.records import LibraryError

_TURN: Final = 0.1  # s

_MOVING = words("The models are being moved to another disk. Wait until that is done.")
_BUSY = words(
    "Something is being fetched, imported or made in the model store. Let it finish, or stop it, "
    "and try again."
)


@contextlib.contextmanager
def using(models: Path) -> Iterator[None]:
    """Hold the store where it is. Many may at once; the kernel lets go when a process dies.

    Raises:
        LibraryError: it is being moved.
        OSError: it is not there.
    """
    with _held(models, fcntl.LOCK_SH, _MOVING):
        yield


@contextlib.contextmanager
def moving(models: Path) -> Iterator[None]:
    """Hold the store against all that write into it.

    Raises:
        LibraryError: somebody does.
        OSError: it is not there.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_held(models, fcntl.LOCK_EX, _BUSY))
        # Conversions and quantisations hold their own folders.
        for folder in _inner(models):
            stack.enter_context(_held(folder, fcntl.LOCK_EX, _BUSY))
        yield


@contextlib.contextmanager
def one_mover(models: Path) -> Iterator[None]:
    """Be the only one that moves the store, or puts a move right. It holds the folder around it.

    Raises:
        LibraryError: another process does.
        OSError: there is no such folder.
    """
    with _held(models.parent, fcntl.LOCK_EX, _MOVING):
        yield


@contextlib.contextmanager
def in_turn(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Hold `folder` as `made_folder.alone` does, but so that the waiting can be ended.

    Args:
        wait: called a few times a second while another process is at it; what it raises ends
            the waiting.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                wait()
                time.sleep(_TURN)
        yield
    finally:
        os.close(descriptor)


def _inner(models: Path) -> list[Path]:
    kinds = [path for path in sorted(models.iterdir()) if path.is_dir() and not path.is_symlink()]
    hidden = [
        path
        for kind in kinds
        for path in sorted(kind.glob(".*"))
        if path.is_dir() and not path.is_symlink()
    ]
    return [*kinds, *hidden]


@contextlib.contextmanager
def _held(folder: Path, how: int, text: str) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise LibraryError("busy", text) from error
            # A file system without locks: nobody can say that it is in use.
        yield
    finally:
        os.close(descriptor)
