"""Names that anybody may have written, made fit to be shown on one line."""

from __future__ import annotations

from typing import Final

from engine.store.hub.plain_text import one_line

MOST: Final = 200  # characters


def plain(text: object) -> str:
    """`text` without control characters and tricks; "" for what is no text."""
    return one_line(text, MOST)
