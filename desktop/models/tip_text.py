"""What others wrote, in a tooltip: shown as it is.

Qt takes a tooltip that looks like markup for markup, and would show, and read from the disk,
what that names. A tooltip cannot be told otherwise, so such a text is escaped.
"""

from __future__ import annotations

from html import escape
from typing import Final

LONGEST: Final = 1_000  # characters; Qt would lay out a megabyte


def tip_text(text: str) -> str:
    """`text` for a tooltip, literally, cut where it is very long."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 1]}…"
    if "<" in text or "&" in text:
        return f'<p style="white-space: pre-wrap">{escape(text)}</p>'
    return text
