"""What lies in a folder: read once, with bounds, and folded into a mark that tells of changes."""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from dataclasses import dataclass
from typing import Final

from engine.store.library.plain_text import is_text

MOST_ENTRIES: Final = 20_000  # of one folder
MOST_NESTED: Final = 5_000  # of all below a model's folder


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, links followed. `links`: names that it has on its disk."""

    size: int
    mtime: int  # ns
    links: int


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a folder, without looking at any file.

    Attributes:
        folders: real ones and links to some, hidden ones left out.
        cut: there are more than `MOST_ENTRIES`.
        nameless: something that may be a model has a name that is no text, as of another encoding,
            from another system's disk. All such names are left out: no other process, and no file
            of ours, could be told of them.
    """

    files: frozenset[str]
    folders: tuple[str, ...]
    cut: bool = False
    nameless: bool = False


def names_in(folder: str) -> Names:
    """What `folder` holds.

    Raises:
        OSError: it cannot be read.
    """
    files: list[str] = []
    folders: list[str] = []
    nameless = False
    with os.scandir(folder) as entries:
        for count, entry in enumerate(entries):
            if count >= MOST_ENTRIES:
                return Names(frozenset(files), tuple(sorted(folders)), True, nameless)
            if not is_text(entry.name):
                nameless = nameless or _may_be_a_model(entry)
                continue
            try:
                is_folder = entry.is_dir()
            except OSError:
                continue
            if not is_folder:
                files.append(entry.name)
            elif not entry.name.startswith("."):
                folders.append(entry.name)
    return Names(frozenset(files), tuple(sorted(folders)), nameless=nameless)


def _may_be_a_model(entry: os.DirEntry[str]) -> bool:
    if entry.name.lower().endswith(".gguf"):
        return True
    return os.path.exists(f"{entry.path}/config.json")  # noqa: PTH110 - Path's raises


def look_at(folder: str, names: frozenset[str]) -> dict[str, Entry]:
    """The files among `names`; broken links, pipes and the like are left out."""
    found: dict[str, Entry] = {}
    for name in sorted(names):
        try:
            status = os.stat(f"{folder}/{name}")  # noqa: PTH116 - thousands of times a scan
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(status.st_mode):
            found[name] = Entry(status.st_size, status.st_mtime_ns, status.st_nlink)
    return found


def mark_of(entries: dict[str, Entry], more: bytes = b"") -> str:
    """The same for the same files with the same sizes and times. `more`: what else counts."""
    digest = hashlib.blake2b(more, digest_size=16)
    for name, entry in entries.items():
        digest.update(os.fsencode(name))
        digest.update(struct.pack("<qqi", entry.size, entry.mtime, min(entry.links, 1 << 30)))
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Weight:
    """What a folder takes: `size` in all, `frees` what goes with its last name. Bytes."""

    size: int = 0
    frees: int = 0


def weigh(folder: str, most: int = MOST_NESTED) -> Weight:
    """All files below `folder`, no link followed; of `most` entries, the rest is not counted."""
    size = frees = seen = 0
    names: dict[tuple[int, int], tuple[int, int, int]] = {}
    waiting = [folder]
    while waiting and seen < most:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                seen += 1
                try:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        continue
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                if not stat.S_ISREG(status.st_mode):
                    continue
                key = (status.st_dev, status.st_ino)
                before = names.get(key, (0, 0, 0))[2]
                names[key] = (status.st_size, status.st_nlink, before + 1)
    for length, links, ours in names.values():
        size += length
        frees += length if ours >= links else 0
    return Weight(size, frees)
