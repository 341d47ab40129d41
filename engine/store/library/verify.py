"""Reads a model's files and compares them with the hashes that were noted when they came."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.store import made_folder
from engine.store.library import hf_cache
from engine.store.library.copying import git_digest, hash_file
from engine.store.library.disk_words import disk_error
from engine.store.library.facts import parts_of
from engine.store.library.meter import IsCancelled, Meter, never, silent
from engine.store.library.plain_text import is_text
from engine.store.library.records import InstalledModel, LibraryError, Source, Tell
from engine.store.library.safetensors_heads import read_head
from engine.store.library.wire import Done

SHA256: Final = "sha256"
GIT: Final = "git"
_MOST_FILES: Final = 10_000

_RIGHT = words("All files of {name} are unchanged.")
_UNKNOWN = words(
    "There are no hashes of {name}'s files to compare with, so only their form was checked: they "
    "are whole."
)
_WRONG = words("{name} is damaged: {count} of its files are not as they should be: {files}.")
_NO_MANIFEST = words(
    "The list of {name}'s files ({file}) cannot be read. Fetch the model again, or make it again "
    "if it was made here."
)
_GONE = words("{name} is not there any more.")


@dataclass(frozen=True, slots=True)
class _Expected:
    name: str
    path: Path
    kind: str = ""  # "": nobody knows its hash
    digest: str = ""
    size: int = -1


def verify(model: InstalledModel, tell: Tell = silent, is_cancelled: IsCancelled = never) -> Done:
    """Read every file of `model`; what was found.

    Raises:
        LibraryError: it cannot be read, or was stopped.
    """
    expected = _expected(model)
    sizes = {each.name: _size(each.path) for each in expected}
    missing = [each.name for each in expected if sizes[each.name] < 0]
    there = [each for each in expected if sizes[each.name] >= 0]
    meter = Meter(sum(sizes[each.name] for each in there), len(there), tell, is_cancelled)
    damaged: list[str] = []
    unchecked: list[str] = []
    checked = 0
    for each in there:
        meter.enter("verifying", each.name)
        is_right = _is_right(each, sizes[each.name], meter)
        if not is_right:
            damaged.append(each.name)
        elif each.kind:
            checked += 1
        else:
            unchecked.append(each.name)
        meter.file_done()
    if (damaged or missing) and not os.path.lexists(model.folder):  # its disk was taken away
        raise LibraryError("missing", _GONE.format(name=model.name))
    meter.finish()
    return Done(
        path=model.path,
        text=_text(model, damaged, missing, checked),
        damaged=tuple(damaged),
        missing=tuple(missing),
        unchecked=tuple(unchecked),
        checked=checked,
    )


def _text(model: InstalledModel, damaged: list[str], missing: list[str], checked: int) -> str:
    wrong = [*damaged, *missing]
    if wrong:
        files = ", ".join(wrong[:3]) + (" …" if len(wrong) > 3 else "")
        return _WRONG.format(name=model.name, count=len(wrong), files=files)
    return (_RIGHT if checked else _UNKNOWN).format(name=model.name)


def _expected(model: InstalledModel) -> list[_Expected]:
    folder = model.folder
    if not os.path.lexists(folder):
        raise LibraryError("missing", _GONE.format(name=model.name))
    if hf_cache.is_snapshot(folder):
        return _of_snapshot(model, folder)
    if model.source is not Source.FOLDER and (folder / made_folder.MANIFEST).exists():
        try:
            files: Mapping[str, Mapping[str, Any]] = made_folder.manifest_of(folder)["files"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            text = _NO_MANIFEST.format(name=model.name, file=made_folder.MANIFEST)
            raise LibraryError("no_manifest", text) from error
        return [
            _Expected(name, folder / name, SHA256, str(noted["sha256"]), int(noted["size"]))
            for name, noted in sorted(files.items())
            if _is_inside(name)
        ]
    return [_Expected(name, folder / name) for name in _names(model)]


def _of_snapshot(model: InstalledModel, folder: Path) -> list[_Expected]:
    blobs = hf_cache.blobs_of(folder)
    found = []
    own = set(_names(model)) if model.path != str(folder) else None
    for place, _folders, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            relative = str(path.relative_to(folder))
            if not is_text(relative) or (own is not None and relative not in own):
                continue
            blob = blobs.get(relative)
            kind = "" if blob is None else SHA256 if len(blob.name) == 64 else GIT
            found.append(_Expected(relative, path, kind, blob.name if blob is not None else ""))
        if len(found) > _MOST_FILES:
            break
    return sorted(found, key=lambda each: each.name)


def _names(model: InstalledModel) -> list[str]:
    """The files of a model that has no list of them."""
    path = Path(model.path)
    if path != model.folder:
        return parts_of(path.name) or [path.name]
    try:
        there = [
            entry.name for entry in os.scandir(path) if is_text(entry.name) and entry.is_file()
        ]
    except OSError as error:
        raise disk_error(error, path) from error
    return sorted({*there, *model.missing})[:_MOST_FILES]


def _is_inside(name: str) -> bool:
    parts = Path(name).parts
    return bool(parts) and not Path(name).is_absolute() and ".." not in parts


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else -1
    except (OSError, ValueError):
        return -1


def _is_right(expected: _Expected, size: int, meter: Meter) -> bool:
    if 0 <= expected.size != size:
        meter.add(size)
        return False
    try:
        if not expected.kind:
            meter.add(size)
            return _has_form(expected.path)
        begun = git_digest(size) if expected.kind == GIT else None
        found = hash_file(expected.path, meter, begun)
    except OSError:
        return False  # a bad sector is damage, too
    return found == expected.digest


def _has_form(path: Path) -> bool:
    """Whether a file of which nobody knows the hash is whole, as far as its form tells."""
    if path.suffix != ".safetensors":
        return True
    try:
        read_head(path)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False
    return True
