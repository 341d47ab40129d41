"""A source cut into the rows that a code block shows."""

from __future__ import annotations

import bisect
import unicodedata
from itertools import accumulate
from typing import Final

from desktop.views.transcript.units import utf16_length, utf16_slice

FOLD: Final = 1_000  # characters; longer lines go on in the next row, so that layouts stay cheap
TAB: Final = 4  # columns


class CodeRows:
    """Rows by index. Positions are in UTF-16 units of the source, as Qt counts."""

    def __init__(self) -> None:
        self._source = ""
        self._spans: list[tuple[int, int]] = []  # start and end in characters
        self._lines: list[int] = []  # the source's line of each row
        self._starts: list[int] = []
        self._wide_signs = False  # signs outside the basic plane: two units each
        self.columns = 0  # of the widest row, about

    def __len__(self) -> int:
        return len(self._spans)

    def show(self, source: str) -> None:
        """Cut `source` into rows; one that only grew, from its last line on."""
        if not source.startswith(self._source) or not self._spans:
            self._spans, self._lines, self.columns, self._wide_signs = [], [], 0, False
            begin = line = 0
        else:
            line = self._lines[-1]
            first = bisect.bisect_left(self._lines, line)
            begin = self._spans[first][0]
            del self._spans[first:], self._lines[first:]
        self._source = source
        fresh = source[begin:]
        self._wide_signs |= not fresh.isascii() and max(fresh, default="") > "\uffff"
        lines = fresh.split("\n")
        widest = max(map(len, lines))
        if widest <= FOLD:
            starts = list(accumulate((len(text) + 1 for text in lines[:-1]), initial=begin))
            self._spans += zip(starts, map(int.__add__, starts, map(len, lines)), strict=True)
            self._lines += range(line, line + len(lines))
        else:
            self._fold(lines, begin, line)
        if fresh.isascii() and "\t" not in fresh:
            self.columns = max(self.columns, min(widest, FOLD))
        else:
            self.columns = max(self.columns, *(_columns(text[:FOLD]) for text in lines))
        self._starts = [start for start, _ in self._spans]

    def _fold(self, lines: list[str], begin: int, line: int) -> None:
        for number, text in enumerate(lines, line):
            for start in range(0, max(len(text), 1), FOLD):
                self._spans.append((begin + start, begin + min(start + FOLD, len(text))))
                self._lines.append(number)
            begin += len(text) + 1

    def text(self, row: int) -> str:
        """What stands in a row."""
        start, end = self._spans[row]
        return self._source[start:end]

    def line(self, row: int) -> tuple[int, int]:
        """The source's line that a row belongs to, and the row's first column in it."""
        number = self._lines[row]
        first = bisect.bisect_left(self._lines, number)
        return number, self._spans[row][0] - self._spans[first][0]

    def range(self, row: int) -> tuple[int, int]:
        """Where a row begins and ends, as positions."""
        start, end = self._spans[row]
        if not self._wide_signs:
            return start, end
        begin = utf16_length(self._source[:start])
        return begin, begin + utf16_length(self._source[start:end])

    def at(self, position: int) -> int:
        """The row of a position."""
        place = position
        if self._wide_signs:
            place = len(utf16_slice(self._source, 0, position))
        return max(0, bisect.bisect_right(self._starts, place) - 1)


def _columns(text: str) -> int:
    """How many columns a row takes, wide signs counted twice."""
    text = text.expandtabs(TAB)
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
