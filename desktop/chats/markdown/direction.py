"""Which way a paragraph runs, and code kept apart from its surroundings."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from desktop.chats.markdown.markdown_parts import Run, Runs, Style

# Everything whose direction is R or AL lies in these ranges, and little else does.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_STEERING = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_ASIDE: Final = Style.CODE | Style.MATHS | Style.UNSEEN  # says nothing about the language
_ISOLATE: Final = Run("\u2066", Style.UNSEEN)  # what follows runs from left to right
_END: Final = Run("\u2069", Style.UNSEEN)


def is_right_to_left(runs: Runs) -> bool:
    """Whether the first letter, code and formulas apart, runs from right to left."""
    for run in runs:
        if run.style & _ASIDE:
            continue
        if run.text.isascii():
            if any(map(str.isalpha, run.text)):
                return False
            continue
        for sign in run.text:
            direction = unicodedata.bidirectional(sign)
            if direction == "L":
                return False
            if direction in ("R", "AL"):
                return True
    return False


def isolate(runs: Runs) -> Runs:
    """Keep inline code in order, whatever runs around it.

    Only where there is something from right to left at all: elsewhere nothing is added.
    """
    if all(run.text.isascii() or not _RIGHT_TO_LEFT.search(run.text) for run in runs):
        return runs
    result: list[Run] = []
    for run in runs:
        result += (_ISOLATE, run, _END) if run.style & Style.CODE else (run,)
    return tuple(result)


def without_steering(text: str) -> str:
    """`text` without the signs that would show it in another order than it has."""
    return text if text.isascii() else _STEERING.sub("", text)
