"""Where models may lie: the store, the Hugging Face cache, and folders of anything at all.

A folder that the user adds may be a whole disk: the walk is bounded in depth, in folders and in
time, and goes through no loop of links.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.store.folders import CONVERTED, HUB, SNAPSHOTS
from engine.store.gguf_folders import DESCRIBED
from engine.store.library import hf_cache
from engine.store.library.listing import Names, names_in
from engine.store.library.plain_text import is_text
from engine.store.library.records import Source

IMPORTED: Final = "imported"
QUANTISED: Final = "quantized"
STARTER: Final = "starter"
# What the store's own folders hold: each of their folders is one model, whole or not.
KINDS: Final = {
    STARTER: Source.STARTER,
    HUB: Source.STORE,
    IMPORTED: Source.STORE,
    CONVERTED: Source.CONVERTED,
    QUANTISED: Source.QUANTISED,
}
MOST_DEPTH: Final = 6  # LM Studio: publisher/model/file; ours and most others' less
MOST_FOLDERS: Final = 20_000
MOST_MODELS: Final = 5_000
SECONDS: Final = 5.0
INDEX: Final = "model.safetensors.index.json"
ABSENT: Final = -2  # in the place of a time
TICK_NS: Final = 20_000_000
_UNSAFE: Final = (".bin", ".pt", ".pth", ".ckpt")
_PIPELINE: Final = "model_index.json"  # of diffusers: makes pictures of parts that look like models
_NOT_ENTERED: Final = frozenset({"node_modules", "__pycache__", "lost+found"})
_NO_FILES: Final = frozenset({"/proc", "/sys", "/dev", "/run"})
_LATER_PART: Final = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """Something that is a model, or was one, or will be.

    Attributes:
        path: the folder, or the .gguf file.
        names: of the folder's files.
        unit: what deleting it would take.
    """

    path: str
    source: Source
    names: frozenset[str]
    unit: str
    snapshot: hf_cache.Snapshot | None = None

    @property
    def is_gguf(self) -> bool:
        """Whether it is a file."""
        return self.path.lower().endswith(".gguf")


@dataclass
class Walk:
    """One pass over all places.

    Attributes:
        times: of every folder that was looked into, by which a change is noticed.
        cut: where the walk was ended by a bound.
        nameless: folders in which a model has a name that is no text.
    """

    seconds: float = SECONDS
    times: dict[str, int] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    nameless: list[str] = field(default_factory=list)
    _seen: set[tuple[int, int]] = field(default_factory=set)
    _found: int = 0
    _end: float = 0.0

    def all(self, models: Path, cache: Path | None, folders: Sequence[Path]) -> Iterator[Found]:
        """Everything, each once: the store first, then the cache, then the user's folders."""
        self._end = time.monotonic() + self.seconds
        yield from self._store(models)
        if cache is not None:
            yield from self._cache(cache)
        for folder in folders:
            if not is_text(str(folder)):
                continue
            # Each has its own time: a slow one shall not hide the next.
            self._end = time.monotonic() + self.seconds
            yield from self._tree(str(folder), Source.FOLDER, MOST_DEPTH, top=str(folder))

    # --- the store ------------------------------------------------------------------------------

    def _store(self, models: Path) -> Iterator[Found]:
        names = self._enter(str(models))
        for kind in names.folders if names else ():
            place = f"{models}/{kind}"
            if kind == DESCRIBED:
                continue
            if kind not in KINDS:  # put there by hand
                yield from self._tree(place, Source.STORE, 3, top=place)
                continue
            inner = self._enter(place)
            for name in inner.folders if inner else ():
                yield from self._made(f"{place}/{name}", KINDS[kind])

    def _made(self, folder: str, source: Source) -> Iterator[Found]:
        if os.path.islink(folder):  # noqa: PTH114 - a hundred times a scan
            return
        names = self._enter(folder)
        if names is None:
            return
        files = [] if _has_safetensors(names.files) else ggufs_in(names.files)
        if not files:
            yield Found(folder, source, names.files, folder)
        for file in files:
            path = f"{folder}/{file}"
            yield Found(path, source, names.files, folder if len(files) == 1 else path)

    # --- the Hugging Face cache -----------------------------------------------------------------

    def _cache(self, cache: Path) -> Iterator[Found]:
        if self._enter(str(cache)) is None:
            return
        try:
            found = hf_cache.repositories(cache)
        except OSError:
            return
        for repository in found:
            yield from self._repository(repository, Source.HF_CACHE)

    def _repository(self, repository: Path, source: Source) -> Iterator[Found]:
        for part in ("", "blobs", SNAPSHOTS):
            folder = f"{repository}/{part}".rstrip("/")
            self._note(folder, time_of(folder))
        for snapshot in hf_cache.snapshots(repository):
            folder = str(snapshot.path)
            names = self._enter(folder)
            if names is None:
                continue
            files = [] if _has_safetensors(names.files) else ggufs_in(names.files)
            for file in files:
                path = f"{folder}/{file}"
                unit = folder if len(files) == 1 else path
                yield Found(path, source, names.files, unit, snapshot)
            # A config alone was fetched to look at the model, not to load it.
            begun = snapshot.unfinished and "config.json" in names.files
            if not files and (_has_weights(names.files) or begun):
                yield Found(folder, source, names.files, folder, snapshot)

    # --- folders of anything --------------------------------------------------------------------

    def _tree(self, folder: str, source: Source, depth: int, top: str) -> Iterator[Found]:
        if folder in _NO_FILES:
            return
        if len(self.times) > MOST_FOLDERS or time.monotonic() > self._end:
            if top not in self.cut:
                self.cut.append(top)
            return
        names = self._enter(folder)
        if names is None or _PIPELINE in names.files:
            return
        base = os.path.basename(folder)  # noqa: PTH119 - thousands of times a scan
        if SNAPSHOTS in names.folders and hf_cache.repo_of(base):
            yield from self._repository(Path(folder), source)
            return
        if "config.json" in names.files and _has_weights(names.files):
            yield Found(folder, source, names.files, folder)
            if _has_safetensors(names.files):
                return
        for file in ggufs_in(names.files):
            yield Found(f"{folder}/{file}", source, names.files, f"{folder}/{file}")
        if depth <= 0:
            return
        for name in names.folders:
            if name not in _NOT_ENTERED:
                yield from self._tree(f"{folder}/{name}", source, depth - 1, top)

    def _enter(self, folder: str) -> Names | None:
        """The names in a folder that was not looked into before; None for another."""
        try:
            status = os.stat(folder)  # noqa: PTH116 - thousands of times a scan
            key = (status.st_dev, status.st_ino)
            if key in self._seen:
                return None
            self._seen.add(key)
            self._note(folder, status.st_mtime_ns)
            names = names_in(folder)
            if names.nameless:
                self.nameless.append(folder)
            return names
        except (OSError, ValueError):
            self.times.setdefault(folder, ABSENT)
            return None

    def _note(self, folder: str, time_ns: int) -> None:
        # What comes in the same tick of the clock would not be seen: such a time counts as old.
        is_fresh = time.time_ns() - time_ns < TICK_NS
        self.times[folder] = time_ns - 1 if is_fresh else time_ns


def time_of(folder: str) -> int:
    """When something came to a folder or left it, as a walk notes it."""
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - thousands of times a second
    except (OSError, ValueError):
        return ABSENT


def ggufs_in(names: frozenset[str]) -> list[str]:
    """The GGUF files that are models: neither image encoders nor later parts of one."""
    return sorted(
        name
        for name in names
        if name.lower().endswith(".gguf")
        and not name.startswith(".")
        and "mmproj" not in name.lower()
        and not _LATER_PART.search(name)
    )


def _has_safetensors(names: frozenset[str]) -> bool:
    return INDEX in names or any(name.endswith(".safetensors") for name in names)


def _has_weights(names: frozenset[str]) -> bool:
    return _has_safetensors(names) or any(name.endswith(_UNSAFE) for name in names)
