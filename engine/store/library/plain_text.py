"""Names that anybody may have written: whether they are text, and made fit to be shown."""

from __future__ import annotations

from typing import Final

from engine.store.hub.plain_text import one_line

MOST: Final = 200  # characters


def plain(text: object) -> str:
    """`text` without control characters and tricks; "" for what is no text."""
    return one_line(text, MOST)


def is_text(name: str) -> bool:
    """Whether a file's name is text: one that is no UTF-8 holds halves of characters in Python."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
