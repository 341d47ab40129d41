"""Where searched words stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.markdown.markdown_blocks import parse
from desktop.views.transcript.hits import Hit, find_words, first_hit
from desktop.views.transcript.units import utf16_length, utf16_slice


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("Embers glow; embers die", ["embers"], ["Embers", "embers"]),
        ("a fire, firewood, campfire", ["fire"], ["fire", "fire"]),
        ("only campfire here", ["fire"], ["fire"]),
        ("Café and cafe", ["CAFE"], ["Café", "cafe"]),
        ("Cafe\u0301!", ["café"], ["Cafe\u0301"]),
        ("Straße", ["strasse"], ["Straße"]),
        ("焚き火の夜", ["火"], ["火"]),
        ("😀 fire 😀 fire", ["fire"], ["fire", "fire"]),
        ("overlap", ["over", "overlap"], ["overlap"]),
        ("nothing", ["", " ", "absent"], []),
    ],
)
def test_words_are_found(text: str, words: list[str], found: list[str]) -> None:
    spans = find_words(text, words)
    pieces = [utf16_slice(text, *span) for span in spans]
    assert [piece.rstrip("\u0301") for piece in pieces] == [f.rstrip("\u0301") for f in found]


@given(st.text(), st.lists(st.text(max_size=4), max_size=3))
def test_spans_are_in_order_apart_and_within(text: str, words: list[str]) -> None:
    last = -1
    for start, end in find_words(text, words):
        assert last < start < end <= utf16_length(text)
        last = end


def test_the_part_with_most_words_comes_first() -> None:
    (parts,) = [
        [part for block in parse(text) for part in block.parts]
        for text in ["ash\n\n```\nash and ember\n```\n\nember"]
    ]
    assert first_hit(parts, ["ember", "ash"]) == Hit(1, (0, 3))
    assert first_hit(parts, ["ember"]) == Hit(1, (8, 13))
    assert first_hit(parts, ["absent"]) is None
