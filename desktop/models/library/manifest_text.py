"""What was noted of a model when it came, to read and to copy: origin, files, hashes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.models.library.hub_words import shown
from desktop.models.number_text import whole
from engine.store import made_folder

_MOST_FILES: Final = 2_000
_LONGEST: Final = 300  # characters of a value or a name


def manifest_text(folder: Path) -> str:
    """The manifest of a model's folder as lines; of one in the Hugging Face cache its links.

    Raises:
        OSError, ValueError, KeyError, TypeError, AttributeError: it cannot be read.
    """
    try:
        manifest = made_folder.manifest_of(folder)
    except FileNotFoundError:
        return "\n".join(_lines(sorted(_linked(folder))))
    origin = manifest.get("origin")
    lines = [
        f"{shown(str(name), 40)}: {shown(str(value), _LONGEST)}"
        for name, value in (origin.items() if isinstance(origin, dict) else ())
        if value not in ("", None) and not isinstance(value, (dict, list))
    ]
    files = [
        (name, int(entry["size"]), str(entry["sha256"]))
        for name, entry in manifest["files"].items()
    ]
    return "\n".join([*lines, "", *_lines(sorted(files))]).lstrip("\n")


def _linked(folder: Path) -> Iterator[tuple[str, int, str]]:
    """The files of a snapshot: each links to a blob that is named by its hash."""
    for path in folder.rglob("*"):
        if path.is_file():
            digest = path.readlink().name if path.is_symlink() else ""
            yield path.relative_to(folder).as_posix(), path.stat().st_size, digest


def _lines(files: list[tuple[str, int, str]]) -> list[str]:
    told = files[:_MOST_FILES]
    sizes = [whole(min(max(0, size), 2**62)) for _name, size, _digest in told]
    width = max(map(len, sizes), default=0)
    lines = [
        f"{shown(digest, 80) or '–':<64}  {size:>{width}}  {shown(name, _LONGEST)}"
        for (name, _size, digest), size in zip(told, sizes, strict=True)
    ]
    if len(files) > len(told):
        more = QCoreApplication.translate("Installed", "and {count} more files")
        lines.append(more.format(count=whole(len(files) - len(told))))
    return lines
