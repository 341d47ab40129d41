"""Puts a moved store in the place of the old one, in one step where the kernel can.

After a kill in the middle `finish_switch` says, by what lies where, which of the two it is, and
leaves no moment's remains.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path
from typing import Final

from engine.store import made_folder
from engine.store.library.disk_words import no_links
from engine.store.library.move_journal import MoveState
from engine.store.library.store_place import STORE_MARK

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2  # linux/fs.h


def old_of(models: Path) -> Path:
    """Where the old store lies while it is removed, if it was at home."""
    return models.with_name(f".{models.name}.old")


def home_of(models: Path) -> Path:
    """Where a store is gathered that comes back home."""
    return models.with_name(f".{models.name}.home")


def _link_of(models: Path) -> Path:
    return models.with_name(f".{models.name}.link")


def check_links(models: Path) -> None:
    """A link can be made in the place of the store.

    Raises:
        LibraryError: its disk cannot hold links.
    """
    link = _link_of(models)
    try:
        link.unlink(missing_ok=True)
        link.symlink_to(models.name)
        link.unlink()
    except OSError as error:
        raise no_links(models.parent, models.name) from error


def switch(models: Path, state: MoveState) -> None:
    """Make `models` the target. Its phase is SWITCHING, on the disk.

    Raises:
        OSError: it could not be done; `finish_switch` says how far it came.
    """
    target = Path(state.target)
    if state.renames:
        with contextlib.suppress(FileNotFoundError):
            target.rmdir()  # an empty one
        Path(state.source).rename(target)
    if state.home:
        _come_home(models, target)
    else:
        _link(models, target)
    made_folder.sync(models.parent)


def finish_switch(models: Path, state: MoveState) -> bool:
    """After a kill: whether `models` is the target now. Remains are put right.

    Raises:
        OSError: that cannot be done now.
    """
    target, link, old = Path(state.target), _link_of(models), old_of(models)
    if link.is_dir() and not link.is_symlink():
        link.rename(old)  # it was exchanged
    renamed = state.renames and not os.path.lexists(state.source) and target.is_dir()
    if state.home:
        if not os.path.lexists(models) or (renamed and models.is_symlink()):
            _come_home(models, target)
        if old.is_symlink():
            old.unlink()
        if not models.is_symlink() and target.is_symlink():
            target.unlink()
        return not models.is_symlink()
    if not os.path.lexists(models) or (renamed and not _leads_to(models, state.target)):
        if (target / STORE_MARK).is_file():
            _link(models, target)
        elif old.is_dir() and not old.is_symlink():
            old.rename(models)  # the new disk is away
    link.unlink(missing_ok=True)
    made_folder.sync(models.parent)
    return _leads_to(models, state.target)


def _come_home(models: Path, target: Path) -> None:
    """The folder `target` becomes `models`, which is a link or, after a kill, nothing."""
    if os.path.lexists(models):
        _exchange(target, models)
        if target.is_symlink():
            target.unlink()
    else:
        target.rename(models)


def _link(models: Path, target: Path) -> None:
    """`models` becomes a link to `target`; a folder in its place goes aside."""
    link = _link_of(models)
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    if models.is_symlink() or not os.path.lexists(models):
        link.replace(models)
    else:
        _exchange(link, models)
        link.rename(old_of(models))


def _exchange(one: Path, other: Path) -> None:
    """Each takes the other's name, at once; where the disk cannot do that, in three steps."""
    libc = ctypes.CDLL(None, use_errno=True)
    with contextlib.suppress(AttributeError):
        done = libc.renameat2(
            _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
        )
        if done == 0:
            return
    aside = old_of(other)
    other.rename(aside)
    one.rename(other)
    if aside.is_symlink():
        aside.unlink()
    else:
        aside.rename(one)


def _leads_to(models: Path, target: str) -> bool:
    try:
        return models.is_symlink() and os.path.normpath(models.parent / models.readlink()) == target
    except OSError:
        return False
