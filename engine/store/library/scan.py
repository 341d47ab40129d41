"""What is installed: one list over the store, the Hugging Face cache and the user's folders.

Only heads of files are read, and only those of files that changed since the last scan; a scan of
hundreds of models that are known takes some milliseconds. It belongs on a thread.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from engine.failure_words import words
from engine.store.library import facts
from engine.store.library.gguf_heads import GgufHead, read_heads
from engine.store.library.listing import Entry, look_at, mark_of
from engine.store.library.records import InstalledModel, PlaceProblem
from engine.store.library.store_place import away_text
from engine.store.library.walk import Found, Walk, time_of

VERSION: Final = 1
CACHE_FILE: Final = "models.scan"  # in the cache folder; of the window and the terminal
GGUF_SECONDS: Final = 20.0  # 100 ms for each file that is new
MOST_CACHE_BYTES: Final = 64 << 20

_NO_FOLDER = words("The folder {folder} is not there. Connect its disk, or take it off the list.")
_CLOSED = words("The folder {folder} cannot be read ({reason}).")
_NO_DIRECTORY = words("{folder} is no folder.")
_CUT = words(
    "The folder {folder} is too large to be searched to its end. Add the folders in it that hold "
    "models instead."
)
_NAMELESS = words(
    "A model in {folder} has a name that is no UTF-8, and is left out. Rename it to have it listed."
)


class _Kept(msgspec.Struct, frozen=True):
    mark: str
    model: InstalledModel


class _File(msgspec.Struct, frozen=True):
    version: int
    kept: dict[str, _Kept]
    heads: dict[str, tuple[str, GgufHead]]


@dataclass
class ScanCache:
    """What the last scan found. It may be kept in a file; one that makes no sense counts as none.

    Attributes:
        waiting: GGUF files that could not be looked into in the time that a scan has.
        cut: folders that are too large to be searched to the end.
        nameless: folders in which a model has a name that is no text, and is left out.
    """

    waiting: int = 0
    cut: tuple[str, ...] = ()
    nameless: tuple[str, ...] = ()
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _heads: dict[str, tuple[str, GgufHead]] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> ScanCache:
        """From a file that `save` wrote; an empty one where that cannot be read."""
        with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
            if path.stat().st_size <= MOST_CACHE_BYTES:
                read = msgspec.msgpack.decode(path.read_bytes(), type=_File)
                if read.version == VERSION:
                    return cls(_kept=read.kept, _heads=read.heads)
        return cls()

    def save(self, path: Path) -> None:
        """Write it to a file; where that cannot be done, the next scan is a slow one."""
        try:
            content = msgspec.msgpack.encode(_File(VERSION, self._kept, self._heads))
        except UnicodeEncodeError:  # a place of ours whose own name is no text
            return
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            try:
                descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                fresh.replace(path)
            finally:
                fresh.unlink(missing_ok=True)


def scan(
    models: Path,
    hf_cache_folder: Path | None,
    folders: Sequence[Path] = (),
    *,
    known: ScanCache | None = None,
    used: Mapping[str, float] | None = None,
    gguf_seconds: float = GGUF_SECONDS,
) -> tuple[InstalledModel, ...]:
    """All models, in the order of their names. Never raises for what lies on the disk.

    Args:
        models: the store.
        hf_cache_folder: None: it is not looked into.
        folders: that the user added.
        known: of the last scan; it is brought up to date.
        used: when each was used last, by its path (see `usage`).
        gguf_seconds: to look into GGUF files that are new; the rest waits for the next scan.
    """
    cache = known if known is not None else ScanCache()
    walk = Walk()
    kept: dict[str, _Kept] = {}
    fresh: list[tuple[Found, dict[str, Entry], str]] = []
    for found in walk.all(models, hf_cache_folder, folders):
        entries = _entries(found)
        mark = _mark(found, entries)
        before = cache._kept.get(found.path)
        if before is not None and before.mark == mark and before.model.unit == found.unit:
            kept[found.path] = before
        else:
            fresh.append((found, entries, mark))
    heads = _gguf_heads(cache, fresh, gguf_seconds)
    waiting = 0
    for found, entries, mark in fresh:
        head = heads.get(found.path)
        model = facts.read_model(found, entries, head)
        late = found.is_gguf and head is None and not model.missing
        waiting += late
        kept[found.path] = _Kept("" if late else mark, model)
    cache._kept, cache.waiting, cache.cut = kept, waiting, tuple(walk.cut)
    cache.nameless = tuple(walk.nameless)
    cache._heads = {path: head for path, head in cache._heads.items() if path in kept}
    cache._times = walk.times
    models_found = [
        msgspec.structs.replace(entry.model, last_used=when)
        if (when := (used or {}).get(entry.model.path)) is not None
        else entry.model
        for entry in kept.values()
    ]
    return tuple(sorted(models_found, key=lambda model: (model.name.lower(), model.path)))


def changed_since(known: ScanCache) -> bool:
    """Whether something came or went in the folders of the last scan. A millisecond or two.

    What a file holds is not looked at: a model that is changed in place is noticed by the next
    scan. So is a place that was not there then.
    """
    if known.waiting:
        return True
    return any(time_of(folder) != time for folder, time in known._times.items())


def place_problems(
    models: Path,
    hf_cache_folder: Path | None,
    folders: Sequence[Path] = (),
    known: ScanCache | None = None,
) -> tuple[PlaceProblem, ...]:
    """Places that are not there or cannot be read: said instead of "no models".

    Args:
        known: of a scan; what that has left out is said, too.
    """
    problems = []
    if text := away_text(models) or _closed(models):
        problems.append(PlaceProblem(str(models), text))
    if hf_cache_folder is not None and (text := _closed(hf_cache_folder)):
        problems.append(PlaceProblem(str(hf_cache_folder), text))
    for folder in folders:
        if text := _closed(folder, absent=_NO_FOLDER):
            problems.append(PlaceProblem(_shown(folder), text))
    if known is not None:
        problems += [PlaceProblem(one, _CUT.format(folder=one)) for one in known.cut]
        problems += [PlaceProblem(one, _NAMELESS.format(folder=one)) for one in known.nameless]
    return tuple(problems)


def _closed(folder: Path, absent: str = "") -> str:
    """Why `folder` cannot be read; `absent` where there is none, else ""."""
    try:
        os.stat(folder)  # noqa: PTH116 - Path.is_dir says of a disk that fails that there is none
        with os.scandir(folder) as entries:
            next(entries, None)
    except (FileNotFoundError, ValueError):
        return absent.format(folder=_shown(folder))
    except NotADirectoryError:
        return _NO_DIRECTORY.format(folder=_shown(folder))
    except OSError as error:
        return _CLOSED.format(folder=_shown(folder), reason=error.strerror or error)
    return ""


def _shown(folder: Path) -> str:
    """A path that any process can be told; another encoding's signs are marks in it."""
    return os.fsencode(folder).decode(errors="replace")


def _entries(found: Found) -> dict[str, Entry]:
    if not found.is_gguf:
        return look_at(found.path, found.names)
    folder, _, name = found.path.rpartition("/")
    beside = {"manifest.json", "README.md", "LICENSE"} & found.names
    return look_at(folder, frozenset({name, *beside, *facts.parts_of(name)}))


def _mark(found: Found, entries: dict[str, Entry]) -> str:
    """Of everything that a model's record depends on."""
    broken = found.names - entries.keys() if not found.is_gguf else ()
    more = [*sorted(broken), found.source, found.unit]
    if (snapshot := found.snapshot) is not None:
        more += [str(snapshot.unfinished), *snapshot.refs]
        for folder in (snapshot.repository / "blobs", snapshot.repository / "snapshots"):
            with contextlib.suppress(OSError):
                more.append(str(folder.stat().st_mtime_ns))
    return mark_of(entries, os.fsencode("\0".join(more)))


def _gguf_heads(
    cache: ScanCache, fresh: Sequence[tuple[Found, dict[str, Entry], str]], seconds: float
) -> dict[str, GgufHead]:
    """The heads of the fresh files; one that is as it was is not read again."""
    heads: dict[str, GgufHead] = {}
    asked: dict[str, str] = {}
    for found, entries, _mark_of_model in fresh:
        name = Path(found.path).name
        if not found.is_gguf or name not in entries:
            continue
        entry = entries[name]
        mark = f"{entry.size} {entry.mtime}"
        before = cache._heads.get(found.path)
        if before is not None and before[0] == mark:
            heads[found.path] = before[1]
        else:
            asked[found.path] = mark
    for path, head in read_heads(list(asked), seconds).items():
        cache._heads[path] = (asked[path], head)
        heads[path] = head
    return heads
