"""Which programs have a model's files open at this moment, as /proc tells."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class User:
    """A program that reads a file."""

    pid: int
    name: str


def users_of(paths: Iterable[Path], proc: Path = Path("/proc")) -> tuple[User, ...]:
    """The programs, but not this process, that have a file in or at one of `paths` open or mapped.

    Those of other users are not seen. A model that was loaded is in memory: its engine needs the
    files no more, and is not named.
    """
    real = [os.path.realpath(path) for path in paths]
    inside = tuple(f"{path}/" for path in real)
    exact = frozenset(real)

    def is_ours(path: str) -> bool:
        return path in exact or path.startswith(inside)

    marks = [os.fsencode(path) for path in real]
    found = []
    for folder in proc.glob("[0-9]*"):
        pid = int(folder.name)
        if pid != os.getpid() and (_has_open(folder, is_ours) or _has_mapped(folder, marks)):
            found.append(User(pid, _name_of(folder)))
    return tuple(sorted(found, key=lambda user: user.pid))


def _has_open(folder: Path, is_ours: Callable[[str], bool]) -> bool:
    with contextlib.suppress(OSError):
        for descriptor in os.scandir(folder / "fd"):
            with contextlib.suppress(OSError):
                if is_ours(os.readlink(descriptor.path)):  # noqa: PTH115 - thousands at a time
                    return True
    return False


def _has_mapped(folder: Path, marks: Iterable[bytes]) -> bool:
    try:
        maps = (folder / "maps").read_bytes()
    except OSError:
        return False
    return any(mark + b"/" in maps or mark + b"\n" in maps for mark in marks)


def _name_of(folder: Path) -> str:
    try:
        return (folder / "comm").read_text(errors="replace").strip()
    except OSError:
        return folder.name
