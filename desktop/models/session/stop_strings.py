"""Stop strings as lines that can be typed, and back. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MAX_STRINGS: Final = 32
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def as_lines(texts: Sequence[str]) -> str:
    """One text a line, with line breaks and tabs written as escapes."""
    escaped = (
        text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
        for text in texts
    )
    return "\n".join(escaped)


def from_lines(lines: str) -> list[str]:
    """The texts in `lines`: each once, none empty. Blanks in them count."""
    texts = (
        re.sub(r"\\([ntr\\])", lambda m: _ESCAPES[m.group(1)], line) for line in lines.split("\n")
    )
    return list(dict.fromkeys(text for text in texts if text))[:MAX_STRINGS]
