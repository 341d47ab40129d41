"""What deleting a model would take away, path by path: and nothing else is ever taken.

Of the store: the model's folder, or its file. Of the Hugging Face cache, by the rules of its own
library: the whole repository where it has no other revision; else the revision's refs, its
snapshot and those blobs that no other revision uses.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from engine.failure_words import words
from engine.store.folders import SNAPSHOTS
from engine.store.library import hf_cache
from engine.store.library.facts import parts_of
from engine.store.library.records import InstalledModel, LibraryError, Source
from engine.store.library.walk import KINDS

_NOT_OURS = words(
    "{name} lies in a folder of yours, from which Inglenook deletes nothing. Delete it there, or "
    "take the folder off the list."
)
_STARTER = words("The starter model is a part of Inglenook: it would be made again.")
_NOT_INSIDE = words("{path} is no model of the store.")
_GONE = words("{name} is not there any more.")
_DEPTH: Final = 1  # below the store: its own folders are no models


def paths_to_remove(model: InstalledModel, models: Path) -> list[Path]:
    """The paths, in the order in which they go: nothing is ever named by what is gone.

    Raises:
        LibraryError: the model is not there, or not ours to delete.
    """
    if model.source is Source.FOLDER:
        raise LibraryError("not_ours", _NOT_OURS.format(name=model.name))
    if model.source is Source.STARTER:
        raise LibraryError("starter", _STARTER)
    unit = Path(model.unit or model.path)
    if not os.path.lexists(unit):
        raise LibraryError("missing", _GONE.format(name=model.name))
    if model.source is Source.HF_CACHE:
        return _of_cache(unit)
    _check_inside(unit, models)
    if unit.is_dir() or unit.suffix.lower() != ".gguf":
        return [unit]
    parts = [unit.with_name(part) for part in parts_of(unit.name)] or [unit]
    return [part for part in parts if os.path.lexists(part)]


def _check_inside(unit: Path, models: Path) -> None:
    """Below the store, however the way to it is written, and not one of the store's own folders."""
    try:
        place = Path(os.path.realpath(unit.parent)) / unit.name
        parts = place.relative_to(os.path.realpath(models)).parts
    except (OSError, ValueError) as error:
        raise LibraryError("not_ours", _NOT_INSIDE.format(path=unit)) from error
    own = len(parts) == _DEPTH and (parts[0] in KINDS or parts[0].startswith("."))
    if not parts or ".." in parts or own:
        raise LibraryError("not_ours", _NOT_INSIDE.format(path=unit))


def _of_cache(unit: Path) -> list[Path]:
    snapshot = unit if unit.parent.name == SNAPSHOTS else unit.parent
    repository = snapshot.parent.parent
    is_one = hf_cache.is_snapshot(snapshot) and not any(
        path.is_symlink() for path in (repository, snapshot.parent, snapshot)
    )
    if not is_one:
        raise LibraryError("not_ours", _NOT_INSIDE.format(path=unit))
    if unit != snapshot:
        return _files_of_cache(unit, snapshot)
    if hf_cache.is_alone(snapshot):
        return [repository]
    commit = snapshot.name
    refs = [
        repository / "refs" / name
        for name, target in hf_cache.refs_of(repository).items()
        if target == commit
    ]
    return [*sorted(refs), snapshot, *hf_cache.own_blobs(snapshot)]


def _files_of_cache(unit: Path, snapshot: Path) -> list[Path]:
    """One file (with its parts) of a snapshot that has several models."""
    links = [unit.with_name(part) for part in parts_of(unit.name)] or [unit]
    links = [link for link in links if os.path.lexists(link)]
    mine = hf_cache.blobs_of(snapshot)
    names = {str(link.relative_to(snapshot)) for link in links}
    blobs = {mine[name] for name in names if name in mine}
    blobs -= {blob for name, blob in mine.items() if name not in names}
    for other in snapshot.parent.iterdir():
        if other.name != snapshot.name:
            blobs -= set(hf_cache.blobs_of(other).values())
    return [*links, *sorted(blob for blob in blobs if os.path.lexists(blob))]
