"""What a few letters find, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import fuzzy


@pytest.mark.parametrize(
    ("query", "text", "letters"),
    [
        ("new", "New chat", "New"),
        ("chat new", "New chat", "Newchat"),
        ("nc", "New chat", "Nc"),
        ("nwch", "New chat", "Nwch"),
        ("uber", "Über Öfen", "Über"),
        ("straße", "Straße", "Straße"),
        ("", "anything", ""),
        ("  ", "anything", ""),
        ("日本", "こんにちは日本", "日本"),
    ],
)
def test_found(query: str, text: str, letters: str) -> None:
    match = fuzzy.find(query, text)
    assert match is not None
    assert "".join(text[place] for place in match.places) == letters


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("xyz", "New chat"),
        ("new xyz", "New chat"),
        ("nn", "New chat"),
        ("ab", "a" + "-" * 30 + "b"),
    ],
)
def test_not_found(query: str, text: str) -> None:
    assert fuzzy.find(query, text) is None


@pytest.mark.parametrize(
    ("query", "ordered"),
    [
        ("set", ["Settings…", "Chat settings…", "Reset all", "Show every tab"]),
        ("ch", ["Chat", "New chat", "Archive"]),
        ("theme", ["Theme", "Theme of the whole window", "High theme"]),
    ],
)
def test_the_likeliest_comes_first(query: str, ordered: list[str]) -> None:
    matches = [fuzzy.find(query, text) for text in ordered]
    scores = [match.score for match in matches if match is not None]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@given(st.text(max_size=8), st.text(max_size=30))
def test_every_place_is_one_of_the_text(query: str, text: str) -> None:
    match = fuzzy.find(query, text)
    assert len(fuzzy.folded(text)) == len(text)
    if match is not None:
        assert list(match.places) == sorted(set(match.places))
        assert all(0 <= place < len(text) for place in match.places)
