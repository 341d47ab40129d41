"""The line shown of a message that was found, and where the words stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from desktop.chats.store.search_terms import Word, fold

LENGTH: Final = 160  # characters of a snippet, about
_BEFORE: Final = 50  # of them before the first word found
_LOOKED_AT: Final = 100  # words found that are weighed against each other
_FOLDED_AT_ONCE: Final = 20_000
_FOLDED_AT_MOST: Final = 400_000
_SNAP: Final = 15  # characters to either side in which a cut looks for a space
_SPACE: Final = re.compile(r"\s+")

Marks = tuple[tuple[int, int], ...]


class Snippets:
    """Cuts snippets for the words of one query.

    Args:
        words: of the query.
        anywhere: mark the words within other words too.
    """

    def __init__(self, words: Sequence[Word], *, anywhere: bool = False) -> None:
        self._words = len(words)
        # One group for each word, so that a match tells which it is.
        groups = "|".join(f"({word.pattern(anywhere=anywhere)})" for word in words)
        self._pattern = re.compile(groups or "(?!)")

    def cut(self, text: str) -> tuple[str, Marks]:
        """One line of `text` around the words, and the places of the words in it."""
        at = self._best_place(text)
        start, end = at - _BEFORE, at - _BEFORE + LENGTH
        start = 0 if start <= _SNAP else _snapped(text, start)
        end = len(text) if end >= len(text) - _SNAP else _snapped(text, end)
        line = _SPACE.sub(" ", text[start:end]).strip()
        line = f"{'…' if start > 0 else ''}{line}{'…' if end < len(text) else ''}"
        return line, self.marks(line)

    def marks(self, line: str) -> Marks:
        """Where the words stand in a short text."""
        return tuple(
            match.span()
            for match in self._pattern.finditer(fold(line))
            if match.end() > match.start()
        )

    def _best_place(self, text: str) -> int:
        """Where the most words of the query come soon, the closest together; the first such."""
        last: dict[int, int] = {}  # where each word of the query came last
        best, best_place = (0, 0), 0
        for count, (place, word) in enumerate(self._places(text), 1):
            last[word] = place
            near = [at for at in last.values() if at >= place - (LENGTH - _BEFORE)]
            start = min(near)
            rank = (len(near), start - place)
            if rank > best:
                best, best_place = rank, start
            if self._words == 1 or count >= _LOOKED_AT:
                break
        return best_place

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """Places of words found, each with the word's number."""
        for start in range(0, min(len(text), _FOLDED_AT_MOST), _FOLDED_AT_ONCE):
            # A word may lie across the cut; one character more on each side tells its ends.
            begin = max(0, start - 1)
            piece = fold(text[begin : start + _FOLDED_AT_ONCE + LENGTH])
            for match in self._pattern.finditer(piece):
                place = begin + match.start()
                if start <= place < start + _FOLDED_AT_ONCE:
                    yield place, match.lastindex or 0


def _snapped(text: str, at: int) -> int:
    """A place near `at` that does not cut a word, if there is a space near."""
    for distance in range(_SNAP):
        for place in (at + distance, at - distance):
            if 0 < place < len(text) and text[place].isspace():
                return place
    return at
