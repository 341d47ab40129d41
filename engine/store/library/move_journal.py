"""What a move of the store keeps on the disk, so that it can go on, or back, after a kill.

Beside the store lies the state of the move; in the target a list, a line for each thing that is
there as it should be.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from engine.store import made_folder

STATE: Final = ".models-move.json"
LIST: Final = ".inglenook-move.jsonl"
COPYING: Final = "copying"
SWITCHING: Final = "switching"
SWITCHED: Final = "switched"
FOLDER: Final = "folder"
FILE: Final = "file"
LINK: Final = "link"
BEGUN: Final = "begun"  # a file that may be there in part


class MoveState(msgspec.Struct, frozen=True, kw_only=True):
    """A move that is not finished.

    Attributes:
        source, target: real folders, absolute.
        home: the target is where the store belongs.
        renames: both are on one disk, so that nothing is copied.
        phase: COPYING, SWITCHING (moments), SWITCHED (the old files are being removed).
        made: this move made the target's folder.
    """

    source: str
    target: str
    home: bool = False
    renames: bool = False
    phase: str = COPYING
    made: bool = True


class Item(msgspec.Struct, frozen=True):
    """Something in the store: its path below it, what it is, and how to know that it is the same.

    Attributes:
        size: in bytes. time: of its last change, ns.
    """

    path: str
    kind: str
    size: int = 0
    time: int = 0


_items = msgspec.json.Decoder(Item)
_states = msgspec.json.Decoder(MoveState)


def read_state(models: Path) -> MoveState | None:
    """The move that was begun; None: there is none."""
    try:
        return _states.decode((models.parent / STATE).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None


def write_state(models: Path, state: MoveState) -> None:
    """Note it, so that it is on the disk when this returns."""
    path = models.parent / STATE
    fresh = path.with_name(f"{STATE}.new")
    fresh.write_bytes(msgspec.json.encode(state))
    made_folder.sync(fresh)
    fresh.replace(path)
    made_folder.sync(path.parent)


def drop_state(models: Path) -> None:
    """There is no move any more."""
    (models.parent / STATE).unlink(missing_ok=True)
    made_folder.sync(models.parent)


def read_list(target: Path) -> dict[str, Item]:
    """What was copied, by its path; the last line may have been cut by a kill."""
    found: dict[str, Item] = {}
    with contextlib.suppress(OSError), (target / LIST).open("rb") as file:
        for line in file:
            with contextlib.suppress(msgspec.MsgspecError):
                item = _items.decode(line)
                found[item.path] = item
    return found


@contextlib.contextmanager
def appending(target: Path) -> Iterator[Appender]:
    """The list, to add to."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(target / LIST, flags, 0o600)
    try:
        # A line that was cut is ended first.
        if os.fstat(descriptor).st_size:
            os.write(descriptor, b"\n")
        else:
            made_folder.sync(target)
        yield Appender(descriptor)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Appender:
    """Adds lines, each in one write."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def begin(self, path: str) -> None:
        """Something may be at `path` from now on. On the disk when this returns: what the list
        does not have after a power cut would be taken for somebody else's.
        """
        self.add(Item(path, BEGUN))
        os.fsync(self._descriptor)

    def add(self, item: Item) -> None:
        """`item` is there, as it should be."""
        os.write(self._descriptor, msgspec.json.encode(item) + b"\n")


def items_of(store: Path, skip: frozenset[str] = frozenset()) -> list[Item]:
    """Everything below `store`, folders before what is in them; no link is followed.

    Pipes, sockets and devices are no part of a model and are left out.

    Args:
        skip: names at the top.

    Raises:
        OSError: something cannot be read.
    """
    found: list[Item] = []
    waiting = [""]
    while waiting:
        place = waiting.pop()
        with os.scandir(store / place) as entries:
            inner = sorted(entries, key=lambda entry: entry.name)
        for entry in inner:
            path = f"{place}/{entry.name}" if place else entry.name
            if not place and entry.name in skip:
                continue
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                found.append(Item(path, FOLDER))
                waiting.append(path)
            elif stat.S_ISLNK(status.st_mode):
                found.append(Item(path, LINK, 0, status.st_mtime_ns))
            elif stat.S_ISREG(status.st_mode):
                found.append(Item(path, FILE, status.st_size, status.st_mtime_ns))
    return found
