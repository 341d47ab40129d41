"""Deleting with a way back: models go into a bin in the store until that is emptied.

Into the bin means renamed, so that it takes no time and no disk; whoever has a file of the model
open keeps it. What lies on another disk (of the Hugging Face cache) cannot be renamed: it is
deleted for good, if the user wants that. A note is written before anything moves, so that a kill
at any moment can be made good (`repair`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.failure_words import words
from engine.store import made_folder
from engine.store.library.bin_notes import (
    BIN,
    FRESH_NOTE,
    Note,
    folder_of,
    folders_of,
    read_note,
    write_note,
)
from engine.store.library.disk_words import disk_error
from engine.store.library.erasing import erase, remove, shared_in, sweep
from engine.store.library.in_use import users_of
from engine.store.library.listing import weigh
from engine.store.library.meter import IsCancelled, Meter, never, silent
from engine.store.library.records import BinEntry, InstalledModel, LibraryError, Source, Tell
from engine.store.library.removal import paths_to_remove
from engine.store.library.store_lock import using
from engine.store.library.store_place import check_store
from engine.store.library.wire import Done

_EMPTYING: Final = ".emptying-"
_MOVING: Final = "moving"  # into the bin or out of it
_KEPT: Final = "kept"

_IN_USE = words("{name} is being read by {program}. Wait until that is done, and try again.")
_NO_UNDO = words(
    "{name} lies on another disk than the model store, so it cannot go into the bin: it would be "
    "deleted at once."
)
_TAKEN = words("{path} is there again, so the deleted one cannot be put back in its place.")
_NO_ENTRY = words("There is no such model in the bin.")
_DELETED = words("{name} was deleted.")
_BINNED = words("{name} is in the bin.")


def can_undo(model: InstalledModel, models: Path) -> bool:
    """Whether a deleted `model` could come back: it lies on the store's disk."""
    try:
        place = Path(model.unit or model.path).parent
        return place.stat().st_dev == models.stat().st_dev
    except OSError:
        return model.source is not Source.HF_CACHE


def delete(model: InstalledModel, models: Path, *, for_good: bool = False) -> Done:
    """Put `model` into the bin; `entry` of what is returned names it there.

    Args:
        for_good: delete it at once where it cannot go into the bin; `entry` is "" then.

    Raises:
        LibraryError: it is not there, in use, or not ours to delete; "no_undo": it could only
            be deleted at once, and `for_good` was not said.
    """
    check_store(models)
    paths = paths_to_remove(model, models)
    if users := users_of(paths):
        raise LibraryError("in_use", _IN_USE.format(name=model.name, program=users[0].name))
    try:
        models.mkdir(mode=0o700, parents=True, exist_ok=True)
        with using(models):
            if can_undo(model, models):
                with contextlib.suppress(_OtherDiskError):
                    return _into_bin(model, models, paths)
            if not for_good:
                raise LibraryError("no_undo", _NO_UNDO.format(name=model.name))
            freed = erase(paths)
    except OSError as error:
        raise disk_error(error, Path(model.path).parent) from error
    return Done(path=model.path, text=_DELETED.format(name=model.name), freed=freed)


def entries(models: Path) -> tuple[BinEntry, ...]:
    """What is in the bin, the last one first."""
    found = []
    for folder in folders_of(models):
        note = read_note(folder)
        if note is not None:
            found.append(
                BinEntry(
                    entry=folder.name,
                    model=note.model,
                    deleted=note.deleted,
                    frees=note.model.frees,
                )
            )
    return tuple(sorted(found, key=lambda entry: (-entry.deleted, entry.entry)))


def restore(models: Path, entry: str) -> Path:
    """Put a model back where it was; where it is loaded from.

    Raises:
        LibraryError: it is not in the bin, or its place is taken.
    """
    check_store(models)
    try:
        with using(models), _alone(models):
            folder = folder_of(models, entry)
            note = read_note(folder) if folder is not None else None
            if folder is None or note is None:
                raise LibraryError("missing", _NO_ENTRY)
            for place, name in note.moves:
                if os.path.lexists(place) and os.path.lexists(folder / name):
                    raise LibraryError("taken", _TAKEN.format(path=place))
            note.state = _MOVING
            write_note(folder, note)
            _put_back(folder, note)
    except FileNotFoundError as error:
        raise LibraryError("missing", _NO_ENTRY) from error
    except OSError as error:
        raise disk_error(error, models) from error
    return Path(note.model.path)


def empty(
    models: Path,
    names: Sequence[str] = (),
    tell: Tell = silent,
    is_cancelled: IsCancelled = never,
) -> int:
    """Delete for good what is in the bin; the bytes that are free now.

    Args:
        names: of the entries; none: all.

    Raises:
        LibraryError: one of them cannot be deleted, or it was stopped; what is left is in the bin.
    """
    check_store(models)
    if names:
        found = [folder for name in names if (folder := folder_of(models, name)) is not None]
    else:
        found = folders_of(models)
    weights = {folder: weigh(str(folder)).frees for folder in found}
    meter = Meter(sum(weights.values()), len(found), tell, is_cancelled)
    freed = 0
    try:
        with using(models):
            for folder in found:
                note = read_note(folder)
                meter.enter("removing", note.model.name if note is not None else folder.name)
                if _destroy(models, folder, note):
                    freed += weights[folder]
                meter.add(weights[folder])
                meter.file_done()
    except FileNotFoundError as error:
        if not models.exists():
            raise disk_error(error, models) from error
    except OSError as error:
        raise disk_error(error, models / BIN) from error
    return freed


def repair(models: Path) -> None:
    """Make good what a killed process had begun: what was half moved goes back to its place, what
    was being emptied goes.
    """
    if not (models / BIN).is_dir():
        return
    with contextlib.suppress(OSError), _alone(models):
        for folder in folders_of(models):
            note = read_note(folder)
            if note is not None and note.state == _MOVING:
                with contextlib.suppress(OSError):
                    _put_back(folder, note)
            elif note is None and {path.name for path in folder.iterdir()} <= {FRESH_NOTE}:
                remove(folder)  # killed before anything was moved
    with contextlib.suppress(OSError):
        for remains in (models / BIN).glob(f"{_EMPTYING}*"):
            remove(remains)


# --- into the bin -------------------------------------------------------------------------------


class _OtherDiskError(Exception):
    """A rename leads to another disk."""


@contextlib.contextmanager
def _alone(models: Path) -> Iterator[None]:
    """Hold the bin, so that what is being moved is told from what a kill left half moved."""
    with made_folder.alone(models / BIN, lambda: None):
        yield


def _into_bin(model: InstalledModel, models: Path, paths: Sequence[Path]) -> Done:
    place = models / BIN
    place.mkdir(mode=0o700, exist_ok=True)
    with _alone(models):
        return _move_in(model, place, paths)


def _move_in(model: InstalledModel, place: Path, paths: Sequence[Path]) -> Done:
    label = re.sub(r"[^\w.+-]+", "-", model.name)[:60].encode("utf-8", "ignore").decode()
    folder = place / f"{time.time_ns():x}-{label}"
    folder.mkdir(mode=0o700)
    moves = [(str(path), f"{number}-{path.name}"[:250]) for number, path in enumerate(paths)]
    note = Note(model, time.time(), moves, _MOVING)
    write_note(folder, note)
    try:
        for path, name in moves:
            Path(path).rename(folder / name)
    except OSError as error:
        _put_back(folder, note)
        if error.errno == errno.EXDEV:
            raise _OtherDiskError from error
        raise
    note.state = _KEPT
    write_note(folder, note)
    made_folder.sync(place)
    return Done(
        path=model.path,
        text=_BINNED.format(name=model.name),
        entry=folder.name,
    )


def _put_back(folder: Path, note: Note) -> None:
    """Blobs before what names them. What has its place taken stays in the bin."""
    left = False
    for path, name in reversed(note.moves):
        if not os.path.lexists(folder / name):
            continue  # it was not moved yet, or is back already
        if os.path.lexists(path):
            left = True
            continue
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).rename(path)
    if left:
        note.state = _KEPT
        write_note(folder, note)
    else:
        remove(folder)


# --- for good -----------------------------------------------------------------------------------


def _destroy(models: Path, folder: Path, note: Note | None) -> bool:
    """Whether it was there: another process may have emptied the bin at the same time."""
    gone = folder.with_name(f"{_EMPTYING}{folder.name}")
    with _alone(models):
        if not folder.is_dir():
            return False
        shared = shared_in(folder, note)
        folder.rename(gone)
    remove(gone)
    sweep(shared)
    return True
