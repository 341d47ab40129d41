"""What the bin holds: a folder for each model, with a note of where its parts were."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from engine.store import made_folder
from engine.store.library import hf_cache
from engine.store.library.records import InstalledModel

BIN: Final = ".bin"  # in the store
NOTE: Final = "note.json"
FRESH_NOTE: Final = f".{NOTE}"
_MOST_NOTE: Final = 4 << 20


class Note(msgspec.Struct):
    """What a folder of the bin holds: `moves` are (where it was, its name here)."""

    model: InstalledModel
    deleted: float
    moves: list[tuple[str, str]]
    state: str


_notes = msgspec.json.Decoder(Note)


def folders_of(models: Path) -> list[Path]:
    """The folders in the bin; not those that are being emptied."""
    try:
        with os.scandir(models / BIN) as found:
            return [
                Path(entry.path)
                for entry in found
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


def folder_of(models: Path, entry: str) -> Path | None:
    """The folder called `entry`; None where the bin has no such one."""
    return next((folder for folder in folders_of(models) if folder.name == entry), None)


def read_note(folder: Path) -> Note | None:
    """The note in a folder of the bin; None where it makes no sense, or names a place of others."""
    path = folder / NOTE
    try:
        if path.is_symlink() or path.stat().st_size > _MOST_NOTE:
            return None
        note = _notes.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    # A note from anywhere else must not make us move what it names.
    if any("/" in name or name in ("", ".", "..", NOTE) for _place, name in note.moves):
        return None
    store = str(folder.parent.parent)
    return note if all(_is_lawful(place, store) for place, _name in note.moves) else None


def _is_lawful(place: str, store: str) -> bool:
    """Whether a model may have lain at `place`: in the store, or in a cache's repository."""
    if not place.startswith("/") or ".." in Path(place).parts:
        return False
    inside = place.startswith(f"{store}/") or os.path.realpath(place).startswith(
        f"{os.path.realpath(store)}/"
    )
    return inside or any(hf_cache.repo_of(part) for part in Path(place).parts)


def write_note(folder: Path, note: Note) -> None:
    """Write the note, so that it is on the disk when this returns."""
    fresh = folder / FRESH_NOTE
    fresh.write_bytes(msgspec.json.encode(note))
    made_folder.sync(fresh)
    fresh.replace(folder / NOTE)
    made_folder.sync(folder)
