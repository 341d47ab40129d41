"""Moves the model store to another disk: copied, verified, switched, and only then removed.

The store's own place stays what it is for everybody: it becomes a link to where the models are,
so that no path that was remembered anywhere goes wrong. A move that was stopped or killed goes on
where it was; until the switch the old store is the store, after it the new one is, and there is
no moment at which neither is whole.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import Final

import msgspec

from engine.failure_words import words
from engine.store import made_folder
from engine.store.library import bin as model_bin
from engine.store.library import store_lock
from engine.store.library.disk_words import check_room, disk_error
from engine.store.library.meter import IsCancelled, Meter, never, silent
from engine.store.library.move_copy import NOT_EMPTY, OWN, copy_all, drop, make_folder
from engine.store.library.move_journal import (
    COPYING,
    FOLDER,
    LIST,
    SWITCHED,
    SWITCHING,
    Item,
    MoveState,
    drop_state,
    items_of,
    read_list,
    read_state,
    write_state,
)
from engine.store.library.records import LibraryError, Tell
from engine.store.library.store_place import STORE_MARK, check_store
from engine.store.library.switching import check_links, finish_switch, home_of, old_of, switch
from engine.store.library.wire import Done

FOLDER_ON_A_DISK: Final = "inglenook-models"

_NO_STORE = words("There are no models yet, so there is nothing to move.")
_SAME = words("The models lie in {folder} already.")
_INSIDE = words("{folder} lies inside of the model store, which cannot be moved into itself.")
_AROUND = words("The model store lies inside of {folder}. Choose another folder.")
_NO_FOLDER = words("{folder} is no folder.")
_CHANGING = words("Something keeps writing into the model store. Stop it, and move the store then.")
_MOVED = words("The models lie in {folder} now.")
_LEFT = words(
    "The models lie in {folder} now. In {old} there are files that came meanwhile, or cannot be "
    "deleted; they were left."
)


def move_store(
    models: Path,
    to: Path | None,
    tell: Tell = silent,
    is_cancelled: IsCancelled = never,
) -> Done:
    """Move the store, or go on with a move that was broken off.

    Args:
        models: the store's own place, which stays its name.
        to: an empty folder, one that is not there yet, or a disk, on which a folder is made;
            None: home again, into `models` itself.

    Raises:
        LibraryError: it was not moved; says why. What was copied is kept for the next try, and
            `abandon_move` takes it away.
    """
    try:
        with store_lock.one_mover(models):
            return _move_store(models, to, tell, is_cancelled)
    except FileNotFoundError as error:
        if not models.parent.is_dir():
            raise LibraryError("no_store", _NO_STORE) from error
        raise disk_error(error, models) from error


def _move_store(models: Path, to: Path | None, tell: Tell, is_cancelled: IsCancelled) -> Done:
    _put_right(models)
    check_store(models)
    if not models.is_dir():
        raise LibraryError("no_store", _NO_STORE)
    source = Path(os.path.realpath(models))
    home = to is None or os.path.normpath(to) == str(models)
    target = home_of(models) if to is None or home else _target(to)
    begun = read_state(models)
    if begun is not None and begun.target != str(target):
        _abandon(models)
        begun = None
    _check_places(models, source, target, home=home, goes_on=begun is not None)
    try:
        with store_lock.moving(models):
            state = begun or _begin(models, source, target, home=home)
            state = _move(models, state, tell, is_cancelled)
            left = _remove_old(models, state, tell)
    except OSError as error:
        raise disk_error(error, target) from error
    place = Path(os.path.realpath(models))
    text = _LEFT.format(folder=place, old=left) if left else _MOVED.format(folder=place)
    return Done(path=str(place), text=text)


def unfinished_move(models: Path) -> MoveState | None:
    """A move that was broken off while it copied; `move_store` goes on with it."""
    state = read_state(models)
    return state if state is not None and state.phase == COPYING else None


def abandon_move(models: Path) -> None:
    """Take away what an unfinished move has copied: exactly that, and no other file.

    Raises:
        LibraryError: it cannot be deleted, or is being moved now.
    """
    if unfinished_move(models) is not None:
        with store_lock.one_mover(models):
            _abandon(models)


def _abandon(models: Path) -> None:
    state = unfinished_move(models)
    if state is None:
        return
    target = Path(state.target)
    try:
        _remove_copies(target, read_list(target), made=state.made)
        drop_state(models)
    except OSError as error:
        raise disk_error(error, target) from error


def repair(models: Path) -> None:
    """Bring to an end what a killed process had begun: a switch, a removal, deletions of the bin.

    A move that was still copying stays as it is: whether it goes on is the user's to say. Call it
    once when the program starts, on a thread; everything in here calls it by itself.
    """
    if read_state(models) is not None:
        # Who moves it now puts it right by himself.
        with contextlib.suppress(OSError, LibraryError), store_lock.one_mover(models):
            _put_right(models)
    with contextlib.suppress(OSError):
        if models.is_dir():
            model_bin.repair(models)


def _put_right(models: Path) -> None:
    state = read_state(models)
    if state is None or state.phase == COPYING:
        return
    with contextlib.suppress(OSError, LibraryError):
        if state.phase == SWITCHING:
            state = _after_switch(models, state)
        if state.phase == SWITCHED:
            _remove_old(models, state, silent)


# --- where to -----------------------------------------------------------------------------------


def _target(to: Path) -> Path:
    """The folder for the models: on a disk's own top, a folder in it."""
    path = Path(os.path.realpath(to))
    # With nothing but a mount point's name, an absent disk would look like an empty store.
    return path / FOLDER_ON_A_DISK if path.is_mount() else path


def _check_places(models: Path, source: Path, target: Path, *, home: bool, goes_on: bool) -> None:
    if target == source or (home and not models.is_symlink()):
        raise LibraryError("same", _SAME.format(folder=source))
    if target.is_relative_to(source):
        raise LibraryError("inside", _INSIDE.format(folder=target))
    if source.is_relative_to(target):
        raise LibraryError("around", _AROUND.format(folder=target))
    try:
        if target.exists() and not target.is_dir():
            raise LibraryError("no_folder", _NO_FOLDER.format(folder=target))
        inner = {path.name for path in target.iterdir()} if target.is_dir() else set()
        if inner - {LIST} and not goes_on:  # a list alone is what a kill left at the beginning
            raise LibraryError("not_empty", NOT_EMPTY.format(folder=target))
    except OSError as error:
        raise disk_error(error, target) from error


def _move(models: Path, state: MoveState, tell: Tell, is_cancelled: IsCancelled) -> MoveState:
    if state.renames:
        try:
            return _switch(models, state)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        # Two mounts of one disk: nothing can be renamed from one into the other.
        state = msgspec.structs.replace(state, renames=False)
        write_state(models, state)
    copy_all(Path(state.source), Path(state.target), tell, is_cancelled)
    return _switch(models, state)


def _begin(models: Path, source: Path, target: Path, *, home: bool) -> MoveState:
    if not home:
        check_links(models)
    made = not target.exists()
    make_folder(target)
    _check_writable(target)
    renames = source.stat().st_dev == target.stat().st_dev and not source.is_mount()
    if not renames:
        check_room(target, sum(item.size for item in items_of(source)))
    state = MoveState(source=str(source), target=str(target), home=home, renames=renames, made=made)
    write_state(models, state)
    return state


def _check_writable(target: Path) -> None:
    trial = target / LIST
    trial.touch(mode=0o600)
    trial.unlink()


# --- the switch, and what follows ---------------------------------------------------------------


def _switch(models: Path, state: MoveState) -> MoveState:
    place = Path(state.source if state.renames else state.target)
    if not state.home:
        made_folder.write_json(place / STORE_MARK, {"store": str(models)})
        made_folder.sync(place / STORE_MARK)
        made_folder.sync(place)
    state = _noted(models, state, SWITCHING)
    try:
        switch(models, state)
    except OSError:
        if (state := _after_switch(models, state)).phase != SWITCHED:
            raise
        return state
    return _noted(models, state, SWITCHED)


def _after_switch(models: Path, state: MoveState) -> MoveState:
    return _noted(models, state, SWITCHED if finish_switch(models, state) else COPYING)


def _noted(models: Path, state: MoveState, phase: str) -> MoveState:
    fresh = msgspec.structs.replace(state, phase=phase)
    write_state(models, fresh)
    return fresh


def _remove_old(models: Path, state: MoveState, tell: Tell) -> str:
    """Remove from the old place what is in the new one; where something was left, that place."""
    new = models if state.home else Path(state.target)
    left = ""
    if not state.renames:
        old = old_of(models)
        if not os.path.lexists(old):
            old = Path(state.source)
        if old.is_dir() and not old.is_symlink() and os.path.realpath(old) != os.path.realpath(new):
            left = _remove_copied(old, read_list(new), tell)
        (new / LIST).unlink(missing_ok=True)
    if state.home:
        (new / STORE_MARK).unlink(missing_ok=True)
    drop_state(models)
    return left


def _remove_copied(old: Path, copied: dict[str, Item], tell: Tell) -> str:
    meter = Meter(sum(item.size for item in copied.values()), len(copied), tell)
    with contextlib.suppress(OSError):
        for item in reversed(items_of(old)):
            path = old / item.path
            with contextlib.suppress(OSError):
                if item.kind == FOLDER:
                    path.rmdir()
                elif item.path in OWN or copied.get(item.path) == item:
                    meter.enter("removing", item.path)
                    path.unlink()
                    meter.add(item.size)
        old.rmdir()
    return str(old) if old.exists() and _has_files(old) else ""


def _has_files(folder: Path) -> bool:
    try:
        return any(item.kind != FOLDER for item in items_of(folder))
    except OSError:
        return True


def _remove_copies(target: Path, copied: dict[str, Item], *, made: bool) -> None:
    for path, item in reversed(copied.items()):
        drop(target / path, item)
    with contextlib.suppress(FileNotFoundError):
        (target / LIST).unlink()
    if made and target.is_dir() and not any(target.iterdir()):
        target.rmdir()
