"""Where the words of a search stand in a text."""

from __future__ import annotations

from collections.abc import Sequence


def words_of(text: str) -> tuple[str, ...]:
    """The words as they are compared: case folded."""
    return tuple(text.casefold().split())


def marks_in(text: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """(start, end) of every word in `text`, in order and without overlap.

    Folding case can change a text's length ("ß"): such a text is folded sign by sign.
    """
    folded = text.casefold()
    if len(folded) != len(text):
        folded = "".join(
            small if len(small := sign.casefold()) == 1 else sign.lower()[:1] or sign
            for sign in text
        )
    found: list[tuple[int, int]] = []
    for word in words:
        start = folded.find(word) if word else -1
        while start >= 0:
            found.append((start, start + len(word)))
            start = folded.find(word, start + len(word))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
