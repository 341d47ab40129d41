"""Names that anybody may have written, made fit to be shown on one line."""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 200  # characters
_STEERING: Final = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]")
_CONTROLS: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def plain(text: object, most: int = MOST) -> str:
    """`text` without control characters and without those that turn the direction of others."""
    if not isinstance(text, str):
        return ""
    cleaned = _CONTROLS.sub(" ", _STEERING.sub("", text[: 4 * most])).strip()
    return cleaned if len(cleaned) <= most else cleaned[: most - 1] + "…"
