"""Other people's words, made fit to be shown: no control characters, no tricks with direction."""

from __future__ import annotations

import unicodedata
from typing import Final

# Overrides and isolates of direction, which make a text read otherwise than it is; and what is
# not seen at all.
_TRICKS: Final = frozenset(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff"
)
_UNSEEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn"}
_KEPT: Final = frozenset("\u200c\u200d\u00ad")  # joiners, which scripts and emoji need


def one_line(text: object, limit: int) -> str:
    """`text` on one line, of at most `limit` characters; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    kept = "".join(_shown(letter) for letter in text[: 4 * limit])
    line = " ".join(kept.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def many_lines(text: str) -> str:
    """`text` with its lines and tabs."""
    return "".join(
        letter if letter in "\n\t" or _is_shown(letter) else "" for letter in _lines_alike(text)
    )


def _lines_alike(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _shown(letter: str) -> str:
    if letter in "\t\n\r\v\f\u2028\u2029":
        return " "
    return letter if _is_shown(letter) else ""


def _is_shown(letter: str) -> bool:
    if letter.isascii():
        return letter.isprintable()
    if letter in _TRICKS:
        return False
    return letter in _KEPT or unicodedata.category(letter) not in _UNSEEN
