"""Where searched words stand in a text; no Qt."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.chats.markdown.markdown_parts import Part, display_text
from desktop.views.transcript.units import utf16_length

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of a message in which words stand, and where the first one does."""

    part: int
    span: Span


def _folded(text: str) -> tuple[str, list[int] | None]:
    """`text` without case and accents, and where each of its signs came from.

    None for the places: they are the same.
    """
    if text.isascii():
        return text.lower(), None
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        for piece in unicodedata.normalize("NFKD", sign).casefold():
            if not unicodedata.combining(piece):
                signs.append(piece)
                places.append(place)
    places.append(len(text))
    return "".join(signs), places


def find_words(text: str, words: Sequence[str]) -> list[Span]:
    """Where any of `words` stands in `text`: positions in UTF-16 units, in order, apart.

    Case and accents do not count. A word is found where one begins; where none does (many
    scripts put no space between words), anywhere.
    """
    spans = [span for word in words for span in _places_of(text, word)]
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    if text.isascii():
        return merged
    return [(utf16_length(text[:start]), utf16_length(text[:end])) for start, end in merged]


def _places_of(text: str, word: str) -> list[Span]:
    """Where one word stands, counted in signs of `text`."""
    wanted = _folded(word)[0]
    if not wanted.strip():
        return []
    folded, places = _folded(text)
    found: list[Span] = []
    at_starts: list[Span] = []
    place = folded.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        span = (place, end) if places is None else (places[place], places[end - 1] + 1)
        found.append(span)
        if place == 0 or not folded[place - 1].isalnum():
            at_starts.append(span)
        place = folded.find(wanted, end)
    return at_starts or found


def first_hit(parts: Sequence[Part], words: Sequence[str]) -> Hit | None:
    """The first part that holds most of `words`; None where no part holds any."""
    best: Hit | None = None
    most = 0
    for index, part in enumerate(parts):
        text = display_text(part)
        count = sum(bool(_places_of(text, word)) for word in words)
        if count > most:
            most = count
            best = Hit(index, find_words(text, words)[0])
            if count == len(words):
                break
    return best
