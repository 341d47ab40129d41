"""Words of a query, and snippets: pure functions of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.store.search_snippets import LENGTH, Snippets
from desktop.chats.store.search_terms import MAX_WORDS, fold, spaced, words_of


def expressions(text: str) -> list[str]:
    return [word.expression for word in words_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \t\n ", []),
        ("\0", []),
        ("hearth", ['"hearth"*']),
        ("hearth ", ['"hearth"']),
        ("Warm Hearth", ['"warm"', '"hearth"*']),
        ("t", ['"t"']),
        ("foo-bar", ['"foo bar"*']),
        ("foo-", ['"foo"']),
        ("a:b", ['"a"']),
        ("a:be", ['"a be"*']),
        ("C++", ['"c"']),
        ("O'Neil", ['"o neil"*']),
        ("AND OR NOT", ['"and"', '"or"', '"not"*']),
        ('"', []),
        ('say "warm hearth" now', ['"say"', '"warm hearth"', '"now"*']),
        ('"warm hearth"', ['"warm hearth"']),
        ('"warm hea', ['"warm"', '"hea"*']),
        ("Éclair", ['"eclair"*']),
        ("e\u0301clair", ['"eclair"*']),
        ("東京", ['"東 京"']),
        ("iPhone手机", ['"iphone 手 机"']),
        ("서울", ['"서 울"']),
        ("-> 😀", ["", ""]),
        ("hi hi hi", ['"hi"', '"hi"*']),
        ("hearth*", ['"hearth"']),
        ("near(a b)", ['"near a"', '"b"']),
        ("a\ud83d", ['"a"']),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert expressions(text) == expected


def test_a_query_of_a_megabyte_is_cut() -> None:
    assert len(words_of("word " * 200_000)) == 1
    assert len(words_of(" ".join(map(str, range(100_000))))) == MAX_WORDS
    assert len(words_of("x" * 1_000_000)[0].literal) < 1_000


@given(st.text())
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.text())
def test_any_query_has_patterns_that_compile(text: str) -> None:
    words = words_of(text)
    Snippets(words).cut(text)
    Snippets(words, anywhere=True).cut(text)


@given(st.text(max_size=400), st.text(min_size=1, max_size=6))
def test_marks_lie_within_the_snippet(text: str, query: str) -> None:
    snippet, marks = Snippets(words_of(query)).cut(text)
    end = 0
    for start, stop in marks:
        assert end <= start < stop <= len(snippet)
        end = stop


def marked(text: str, query: str, *, anywhere: bool = False) -> list[str]:
    snippet, marks = Snippets(words_of(query), anywhere=anywhere).cut(text)
    return [snippet[start:end] for start, end in marks]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("the hearth is Warm", "warm hearth ", ["hearth", "Warm"]),
        ("hearths and hearth", "hearth ", ["hearth"]),
        ("hearths and hearth", "hear", ["hear", "hear"]),
        ("chat_store and foo-bar", "store", ["store"]),
        ("foo bar, foo-bar", "foo-bar", ["foo bar", "foo-bar"]),
        ("in C++ or C", "C++", ["C", "C"]),
        ("Éclair e\u0301clair", "eclair", ["Éclair", "e\u0301clair"]),
        ("我在東京都", "東京", ["東京"]),
        ("a -> b", "->", ["->"]),
        ("nothing", "hearth", []),
    ],
)
def test_marks(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


def test_parts_of_words_are_marked_where_parts_were_found() -> None:
    assert marked("der Hauptbahnhof", "bahnhof") == []
    assert marked("der Hauptbahnhof", "bahnhof", anywhere=True) == ["bahnhof"]


def test_a_snippet_is_one_line_around_the_words() -> None:
    text = "start " * 2_000 + "\n\n the\thearth   is warm \n\n" + "end " * 2_000
    snippet, marks = Snippets(words_of("hearth")).cut(text)
    assert "\n" not in snippet
    assert "the hearth is warm" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < LENGTH + 40
    ((start, end),) = marks
    assert snippet[start:end] == "hearth"


def test_a_snippet_shows_the_place_with_the_most_words() -> None:
    text = "hearth " + "x " * 500 + "warm hearth " + "y " * 500
    assert "warm hearth" in Snippets(words_of("hearth warm ")).cut(text)[0]


def test_a_snippet_shows_the_words_where_they_are_closest() -> None:
    text = "hearth " + "x " * 40 + "warm " + "y " * 30 + "a warm hearth " + "z " * 500
    snippet, _ = Snippets(words_of("warm hearth ")).cut(text)
    assert snippet.index("a warm hearth") < 70


def test_a_word_across_the_pieces_in_which_a_long_text_is_read() -> None:
    for place in range(19_990, 20_010):
        text = "x" * (place - 1) + " hearth " + "y" * 100_000
        assert marked(text, "hearth ") == ["hearth"]


def test_scripts_without_spaces_come_apart() -> None:
    assert spaced("plain text") == "plain text"
    assert spaced("日本go").split() == ["日", "本", "go"]
