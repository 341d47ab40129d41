"""Takes a model that lies elsewhere into the store: what loads it is copied, the rest is left."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.store import made_folder
from engine.store.folders import name_of
from engine.store.library import copying
from engine.store.library.disk_words import check_room, disk_error
from engine.store.library.facts import parts_of
from engine.store.library.look import look_at_path
from engine.store.library.meter import IsCancelled, Meter, never, silent
from engine.store.library.plain_text import is_text
from engine.store.library.records import InstalledModel, LibraryError, Tell
from engine.store.library.store_lock import in_turn, using
from engine.store.library.store_place import check_store
from engine.store.library.walk import IMPORTED
from engine.store.private_folder import make_private

COPY: Final = "copy"
LINK: Final = "link"
NAME_LENGTH: Final = 120
_TAKEN_ENDS: Final = (".safetensors", ".json", ".jinja", ".model", ".tiktoken", ".txt", ".md")
_TAKEN_NAMES: Final = re.compile(r"(licen[cs]e|notice|readme|copying)\b.*", re.IGNORECASE)
_MOST_FILES: Final = 2_000
_MOST_TEXT: Final = 64 << 20  # of a file that is not weights

_OURS = words("{name} lies in the model store already.")
_TOO_MANY = words(
    "{folder} has {count} files of models; {most} are taken at most. Keep each model in a folder "
    "of its own."
)
_NO_FILES = words("There is nothing in {folder} that a model could be loaded from.")
_CHANGED = words("{file} was changed while it was copied. Try again when nobody writes to it.")
_BAD_COPY = words(
    "The copy of {file} is not like the original: a disk, or the memory, makes errors."
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    path: Path
    size: int
    mtime: int


def import_model(
    source: Path,
    models: Path,
    *,
    name: str = "",
    way: str = COPY,
    tell: Tell = silent,
    is_cancelled: IsCancelled = never,
) -> Path:
    """Take the model at `source` into the store `models`; what can be loaded there.

    It is whole or not there: a kill at any moment leaves at most a hidden folder, which the next
    import clears away. The source is only read.

    Args:
        source: a folder in Hugging Face's layout, a snapshot of its cache, or a .gguf file.
        name: what to call it.
        way: COPY, or LINK for hard links where both are on one disk.

    Raises:
        LibraryError: it is no whole model, there is no room, or it was stopped.
    """
    check_store(models)
    source = Path(os.path.abspath(source))  # noqa: PTH100 - without following links
    _check_place(source, models)
    model = look_at_path(source)
    if model.problem:
        raise LibraryError("incomplete", model.problem)
    wanted = _wanted(model)
    place = models / IMPORTED
    try:
        make_private(place)
        waiting = Meter(0, 0, tell, is_cancelled)
        with using(models), in_turn(place, lambda: waiting.enter("waiting")):
            _clear(place)
            return _import(model, wanted, place, name, way, tell, is_cancelled)
    except OSError as error:
        raise disk_error(error, place) from error


def _import(
    model: InstalledModel,
    wanted: list[_Wanted],
    place: Path,
    name: str,
    way: str,
    tell: Tell,
    is_cancelled: IsCancelled,
) -> Path:
    total = sum(each.size for each in wanted)
    target = _free_name(place, name or model.repo or name_of(Path(model.path)))
    with made_folder.making(target) as partial:
        bring = _way(wanted, partial, way)
        check_room(place, total if bring is _copy else 0)
        meter = Meter(2 * total if bring is _copy else total, len(wanted), tell, is_cancelled)
        copied: dict[str, str] = {}
        for each in wanted:
            meter.enter("copying", each.name)
            if digest := bring(each, partial / each.name, meter):
                copied[each.name] = digest
            _check_unchanged(each)
            meter.file_done()
        meter.enter("verifying")
        made_folder.seal(partial, _origin(model), meter.add)
        _check_copies(partial, copied)
        meter.enter("finishing")
        same = _same_as(partial, place)
        if same is None:
            made_folder.put_in_place(target)
    meter.finish()
    folder = same or target
    return folder / Path(model.path).name if model.path.lower().endswith(".gguf") else folder


def _check_place(source: Path, models: Path) -> None:
    try:
        inside = source.resolve().is_relative_to(models.resolve())
    except (OSError, RuntimeError):
        return  # it is said by the look at it
    if inside:
        raise LibraryError("ours", _OURS.format(name=source.name))


def _wanted(model: InstalledModel) -> list[_Wanted]:
    """The files to take: links are followed, as the user named what they lead to."""
    path = Path(model.path)
    if path.suffix.lower() == ".gguf":
        names = parts_of(path.name) or [path.name]
    else:
        names = [entry.name for entry in os.scandir(path) if entry.is_file() and _is_taken(entry)]
    if len(names) > _MOST_FILES:
        raise LibraryError(
            "no_model", _TOO_MANY.format(folder=path, count=f"{len(names):,}", most=_MOST_FILES)
        )
    found = []
    for name in sorted(names):
        file = model.folder / name
        status = file.stat()
        found.append(_Wanted(name, file, status.st_size, status.st_mtime_ns))
    if not found:
        raise LibraryError("no_model", _NO_FILES.format(folder=path))
    return found


def _is_taken(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    if name.startswith(".") or name == made_folder.MANIFEST or not is_text(name):
        return False
    if not (name.lower().endswith(_TAKEN_ENDS) or _TAKEN_NAMES.fullmatch(name)):
        return False
    return name.endswith(".safetensors") or entry.stat().st_size <= _MOST_TEXT


Bring = Callable[[_Wanted, Path, Meter], str]


def _way(wanted: list[_Wanted], partial: Path, way: str) -> Bring:
    """How the files are brought: without taking disk, where that is asked for or can be."""
    trial = partial / ".trial"
    try:
        if way == LINK:
            _link(wanted[0], trial, Meter(0))
            return _link
        return _clone if copying.clone_file(wanted[0].path, trial) else _copy
    except OSError:
        return _copy  # another disk; where that refuses, the copy says why
    finally:
        trial.unlink(missing_ok=True)


def _copy(wanted: _Wanted, target: Path, meter: Meter) -> str:
    return copying.copy_file(wanted.path, target, meter)


def _clone(wanted: _Wanted, target: Path, meter: Meter) -> str:
    if copying.clone_file(wanted.path, target):
        return ""
    return _copy(wanted, target, meter)


def _link(wanted: _Wanted, target: Path, meter: Meter) -> str:
    try:
        os.link(os.path.realpath(wanted.path), target)
    except OSError:
        if target.name == ".trial":
            raise
        return _copy(wanted, target, meter)  # one of the files may lie on another disk
    return ""


def _check_unchanged(wanted: _Wanted) -> None:
    status = wanted.path.stat()
    if (status.st_size, status.st_mtime_ns) != (wanted.size, wanted.mtime):
        raise LibraryError("changed", _CHANGED.format(file=wanted.name))


def _check_copies(partial: Path, copied: Mapping[str, str]) -> None:
    files = made_folder.manifest_of(partial)["files"]
    for name, digest in copied.items():
        if files[name]["sha256"] != digest:
            raise LibraryError("bad_copy", _BAD_COPY.format(file=name))


def _origin(model: InstalledModel) -> dict[str, Any]:
    told = {
        "repo": model.repo,
        "revision": model.commit,
        "variant": model.variant,
        "licence": model.licence,
        "base_model": model.base_model,
    }
    return {
        "kind": "import",
        "path": model.path.encode("utf-8", "replace").decode(),
        "imported_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **{key: value for key, value in told.items() if value},
    }


def _same_as(partial: Path, place: Path) -> Path | None:
    """A model of the store with the very same files, of which another copy is of no use."""
    files = made_folder.manifest_of(partial)["files"]
    for folder in sorted(place.iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            if made_folder.manifest_of(folder)["files"] == files and not made_folder.damage(folder):
                return folder
    return None


def _free_name(place: Path, wanted: str) -> Path:
    name = re.sub(r"[^\w.+-]+", "-", wanted.replace("/", "--")).strip("-.")[:NAME_LENGTH]
    name = name.encode("utf-8", "ignore").decode() or "model"
    for number in range(1, 1000):
        folder = place / (name if number == 1 else f"{name}-{number}")
        if not os.path.lexists(folder):
            return folder
    return place / f"{name}-{time.time_ns()}"


def _clear(place: Path) -> None:
    """What imports left that were killed. `place` is held: none is at work."""
    for pattern in (".*.partial", ".*.old"):
        for remains in place.glob(pattern):
            if not remains.is_symlink():
                shutil.rmtree(remains, ignore_errors=True)
