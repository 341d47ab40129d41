"""Names that people, files and models give to chats, folders and presets."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 300  # characters
# Signs that turn the order of all that follows, which is ours: a window's title goes on
# after the chat's. Marks (U+200E, U+200F) turn nothing but their neighbours and stay.
_STEERING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_CONTROLS: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def unsteered(text: str) -> str:
    """`text` without signs that would turn the order of what follows."""
    return _STEERING.sub("", text)


def name_from(text: str) -> str:
    """`text` as a name: one line, of a length that can be shown, that steers no other text."""
    line = " ".join(_CONTROLS.sub(" ", unsteered(text[: 10 * LONGEST])).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
