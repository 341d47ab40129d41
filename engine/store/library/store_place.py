"""Where the store is, once it was moved to another disk: and whether that is there now.

A store that was moved is a link in the user's data folder, and has a mark in it. Without the mark
the link leads to an empty place where its disk would be mounted, or to nothing.

The standard library only, for the set-up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.failure_words import words

STORE_MARK: Final = ".inglenook-store.json"

_AWAY = words(
    "The disk with your models is not there: they were moved to {folder}. Connect it; until then "
    "no model of the store can be loaded."
)


def store_away(models: Path) -> Path | None:
    """Where a store that was moved should be and is not; None: it is there, or was never moved."""
    try:
        if not models.is_symlink():
            return None
        target = models.parent / models.readlink()
        return None if (target / STORE_MARK).is_file() else target
    except OSError:
        return models


def away_text(models: Path) -> str:
    """What to tell the user of a store that is not there; "" for one that is."""
    away = store_away(models)
    return _AWAY.format(folder=away) if away is not None else ""


def check_store(models: Path) -> None:
    """The store is there, or was never made.

    Raises:
        LibraryError: it is on a disk that is not connected.
    """
    if text := away_text(models):
        from engine.store.library.records import LibraryError

        raise LibraryError("disk_gone", text)
