"""Copies a store, verified file by file, so that a kill at any moment costs one file at most."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from engine.failure_words import words
from engine.store import made_folder
from engine.store.library import copying
from engine.store.library.disk_words import check_room, no_links
from engine.store.library.meter import IsCancelled, Meter
from engine.store.library.move_journal import (
    FILE,
    FOLDER,
    LINK,
    LIST,
    Item,
    appending,
    items_of,
    read_list,
)
from engine.store.library.records import LibraryError, Tell
from engine.store.library.store_place import STORE_MARK
from engine.store.private_folder import make_private

OWN: Final = frozenset({LIST, STORE_MARK})  # of a move's files, at the top of a store
_ROUNDS: Final = 3  # for what is changed while it is copied

NOT_EMPTY: Final = words(
    "There is something in {folder} already. Choose an empty folder, or a new one in it."
)
_CHANGING = words("Something keeps writing into the model store. Stop it, and move the store then.")
_BAD_COPY = words(
    "The copy of {file} in {folder} is not like the original: a disk, or the memory, makes errors. "
    "The models stay where they are."
)


def make_folder(folder: Path) -> None:
    """Make `folder`, closed to others where its disk can do that: FAT and its like cannot."""
    with contextlib.suppress(PermissionError):
        make_private(folder)
    folder.mkdir(exist_ok=True)


def copy_all(source: Path, target: Path, tell: Tell, is_cancelled: IsCancelled) -> None:
    """Until everything in `source` is in `target`, byte for byte, and nothing else is."""
    make_folder(target)
    for _ in range(_ROUNDS):
        items = items_of(source, OWN)
        done = read_list(target)
        _drop_strays(target, done, {item.path for item in items})
        _check_rest(target, items, done)
        files = [item for item in items if item.kind == FILE]
        size = sum(item.size for item in files)
        meter = Meter(2 * size, len(files), tell, is_cancelled)
        with appending(target) as noted:
            for item in items:
                before = done.get(item.path)
                if before is None:
                    _check_free(target, item)
                if before != item and item.kind != FOLDER:
                    noted.begin(item.path)
                _bring(source, target, item, before, meter)
                if before != item:
                    noted.add(item)
        meter.enter("finishing")
        for item in reversed(items):
            if item.kind == FOLDER:
                made_folder.sync(target / item.path)
        made_folder.sync(target)
        if items_of(source, OWN) == items:
            return
    raise LibraryError("changing", _CHANGING)


def _check_rest(target: Path, items: list[Item], done: dict[str, Item]) -> None:
    check_room(target, sum(item.size for item in items if done.get(item.path) != item))


def _bring(source: Path, target: Path, item: Item, done: Item | None, meter: Meter) -> None:
    there, wanted = source / item.path, target / item.path
    if item.kind == FOLDER:
        if wanted.is_symlink() or (wanted.exists() and not wanted.is_dir()):
            wanted.unlink()
        wanted.mkdir(mode=0o700, exist_ok=True)
    elif item.kind == LINK:
        wanted.unlink(missing_ok=True)
        _bring_link(source, there, wanted)
    else:
        if done == item and not wanted.is_symlink() and _size(wanted) == item.size:
            meter.skip(2 * item.size)
        else:
            wanted.unlink(missing_ok=True)
            meter.enter("copying", item.path)
            digest = copying.copy_file(there, wanted, meter)
            meter.enter("verifying", item.path)
            if copying.hash_file(wanted, meter, from_disk=True) != digest:
                wanted.unlink(missing_ok=True)
                text = _BAD_COPY.format(file=item.path, folder=target)
                raise LibraryError("bad_copy", text)
        meter.file_done()


def _bring_link(source: Path, there: Path, wanted: Path) -> None:
    """A link leads where it led: within the store as it is, out of it by its whole path."""
    leads = str(there.readlink())
    place = os.path.normpath(there.parent / leads)
    if place != str(source) and not place.startswith(f"{source}/"):
        leads = place
    elif os.path.isabs(leads):  # noqa: PTH117 - a text, not a path yet
        leads = os.path.relpath(place, there.parent)
    try:
        wanted.symlink_to(leads)
    except PermissionError as error:
        raise no_links(wanted.parent, wanted.name) from error


def _check_free(target: Path, item: Item) -> None:
    """What this move did not put there is somebody's."""
    path = target / item.path
    if os.path.lexists(path) and not (item.kind == FOLDER and path.is_dir()):
        raise LibraryError("not_empty", NOT_EMPTY.format(folder=target))


def _drop_strays(target: Path, done: dict[str, Item], wanted: set[str]) -> None:
    """What an earlier try copied and the store has lost since."""
    for path, item in reversed(done.items()):
        if path not in wanted:
            drop(target / path, item)


def drop(path: Path, item: Item) -> None:
    """Remove something that a move put there; a folder only when it is empty."""
    with contextlib.suppress(FileNotFoundError):
        if item.kind != FOLDER:
            path.unlink()
        elif not any(path.iterdir()):
            path.rmdir()


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return -1
