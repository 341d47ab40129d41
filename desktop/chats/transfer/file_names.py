"""File names made of titles: fit for any file system, never outside their folder."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LONGEST: Final = 100  # bytes: leaves room for a number, an ending and a temporary name
_FORBIDDEN: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def file_stem(title: str, fallback: str = "Chat") -> str:
    """A name for a file, without its ending."""
    # Signs that turn the reading direction would make another name of it on the screen.
    seen = "".join(sign for sign in title if unicodedata.category(sign) not in ("Cf", "Cs", "Co"))
    name = " ".join(_FORBIDDEN.sub(" ", seen).split()).strip(" .")
    while len(name.encode()) > _LONGEST:
        name = name[:-1].rstrip(" .")
    if not name or _RESERVED.fullmatch(name):
        name = f"{fallback} {name}".strip()
    return name


class UniqueNames:
    """Gives each title a name that no other has, on file systems that fold case too."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name(self, title: str, ending: str) -> str:
        """A file name for `title`. `ending`: with its dot."""
        stem = file_stem(title)
        name, number = f"{stem}{ending}", 1
        while name.casefold() in self._taken:
            number += 1
            name = f"{stem} ({number}){ending}"
        self._taken.add(name.casefold())
        return name
