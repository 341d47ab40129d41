"""The end of a text that is still coming, and how much of it can be shown yet.

A sign made of several code points (a flag, a family, a keycap) is held back until it is
whole; so is the beginning of markup that the next characters may turn into something else:
`-` below a paragraph makes a heading of it until it proves to be a list.
"""

from __future__ import annotations

import re
from typing import Final

CONTEXT: Final = 500  # characters before the end that decide what can be shown
_LONGEST: Final = 64  # characters held back as part of one sign
_LONGEST_LINE: Final = 400  # of markup held back

_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    "\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5"
    "\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
)
_LETTERS: Final = "\U0001f1e6-\U0001f1ff"  # two of them are a flag
_CHANGES: Final = "\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_SIGN = re.compile(
    rf"(?:[{_EMOJI}][{_CHANGES}]*(?:\u200d(?:[{_EMOJI}][{_CHANGES}]*)?)*"
    rf"|[0-9#*][\ufe0e\ufe0f]"
    rf"|[^\s{_EMOJI}]?[\u200d\ufe0e\ufe0f]+"
    rf"|[\ud800-\udbff\ufffd]+)\Z"
)
_FLAGS = re.compile(rf"[{_LETTERS}]+\Z")
_MARKUP = re.compile(r"(?:\A|(?<=\n))[ \t>]*(?:[-=*_`~#+]+[ \t]*|\|[^\n]*)\Z")
_ROWS = re.compile(r"(?:\A|\n[ \t]*\n)( {0,3}\|[^\n]*(?:\n[|:\- \t]*)?)\Z")
_HALVES = re.compile("[\ud800-\udfff]")


def ready(text: str) -> int:
    """How many characters of `text` can be shown before the next ones are known."""
    end = _whole_signs(text)
    line = max(0, end - _LONGEST_LINE)
    for pattern in (_ROWS, _MARKUP):
        match = pattern.search(text, line, end)
        if match is not None and (match.start() > line or line == 0):
            return match.start(match.lastindex or 0)
    return end


def _whole_signs(text: str) -> int:
    if not text or text.isascii():
        return len(text)
    start = max(0, len(text) - _LONGEST)
    flags = _FLAGS.search(text, start)
    if flags is not None:
        return len(text) - (len(flags.group()) % 2)
    sign = _SIGN.search(text, start)
    # One longer than any sign is no sign: it is shown as it comes.
    return sign.start() if sign is not None and (sign.start() > start or start == 0) else len(text)


def mended(text: str) -> str:
    """`text` with the halves of a sign joined, and lone halves replaced."""
    if text.isascii() or not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
