"""Every text with which the engine tells of a failure, kept where the window finds it.

The engine speaks English: it knows no Qt. A text may have named {places}. What reaches the
window is filled in; `desktop.models.failure_text` finds the text that it was made from, and
translates that. So each text goes through `words` when its module is imported.
"""

from __future__ import annotations

from typing import Final

GIB: Final = 1024**3

_all: dict[str, None] = {}


def words(text: str) -> str:
    """Note `text` as one that a failure or a remedy may be made from, and give it back."""
    _all[text] = None
    return text


def all_words() -> tuple[str, ...]:
    """All that were noted so far, in order, each once."""
    return tuple(_all)


def in_gib(size: float) -> str:
    """Bytes as GiB: two digits behind the point below ten, else one."""
    value = size / GIB
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
