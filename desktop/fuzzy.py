"""Finds texts by a few letters of theirs: the command palette's search, without Qt."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

_AT_START: Final = 60  # of the text
_AT_WORD: Final = 40  # of one of its words
_WITHIN: Final = 20
_SCATTERED: Final = 0
_PER_LETTER: Final = 2
_MAX_GAP: Final = 12  # letters between two that were typed; beyond, it is no likeness


@dataclass(frozen=True, slots=True)
class Match:
    """How well a text fits.

    Attributes:
        score: the higher the better; only good for comparing.
        places: indexes of the letters that were typed, ascending.
    """

    score: int
    places: tuple[int, ...]


def folded(text: str) -> str:
    """`text` without case and accents, letter for letter."""
    return "".join(_fold(letter) for letter in text)


def find(query: str, text: str) -> Match | None:
    """How `text` fits `query`, each of whose words it must hold; None if it does not.

    Words may come in any order. Each stands at the start of a word of the text, or within
    one, or has its letters scattered over it in order ("nwch" finds "New chat").
    """
    return find_folded(folded(query).split(), folded(text))


def find_folded(words: list[str], text: str) -> Match | None:
    """The same, for texts that are folded already."""
    score, places = 0, set[int]()
    for word in words:
        found = _find_word(word, text)
        if found is None:
            return None
        score += found.score
        places.update(found.places)
    return Match(score - len(text) // 8, tuple(sorted(places)))


def _find_word(word: str, text: str) -> Match | None:
    letters = _PER_LETTER * len(word)
    if text.startswith(word):
        return Match(_AT_START + letters, tuple(range(len(word))))
    start = text.find(word)
    within = start
    while start >= 0:
        if not text[start - 1].isalnum():
            return Match(_AT_WORD + letters, tuple(range(start, start + len(word))))
        start = text.find(word, start + 1)
    if within >= 0:
        return Match(_WITHIN + letters, tuple(range(within, within + len(word))))
    return _find_scattered(word, text)


def _find_scattered(word: str, text: str) -> Match | None:
    best: Match | None = None
    start = text.find(word[0])
    while start >= 0:
        places = _letters_from(start, word, text)
        if places is not None:
            match = Match(_SCATTERED + _scattered_score(places, text), places)
            if best is None or match.score > best.score:
                best = match
        start = text.find(word[0], start + 1)
    return best


def _letters_from(start: int, word: str, text: str) -> tuple[int, ...] | None:
    places = [start]
    for letter in word[1:]:
        last = places[-1]
        found = text.find(letter, last + 1, last + 1 + _MAX_GAP)
        if found < 0:
            return None
        # A letter at the start of the next word says more than one in the middle.
        initial = _initial(letter, text, last + 1)
        places.append(initial if initial >= 0 else found)
    return tuple(places)


def _initial(letter: str, text: str, start: int) -> int:
    found = text.find(letter, start, start + _MAX_GAP)
    while found >= 0:
        if not text[found - 1].isalnum():
            return found
        found = text.find(letter, found + 1, start + _MAX_GAP)
    return -1


def _scattered_score(places: tuple[int, ...], text: str) -> int:
    initials = sum(place == 0 or not text[place - 1].isalnum() for place in places)
    gaps = places[-1] - places[0] + 1 - len(places)
    return 3 * initials - gaps


def _fold(letter: str) -> str:
    for part in unicodedata.normalize("NFKD", letter):
        if not unicodedata.combining(part):
            return part.lower()[:1]
    return letter
