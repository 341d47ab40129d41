"""No sign is shown in pieces, and no line as what it is not, however the text comes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.chats.markdown.markdown_blocks import BlockStream, parse
from desktop.chats.markdown.markdown_parts import Prose, plain_text
from desktop.chats.markdown.stream_tail import mended, ready

SIGNS = [
    "👩‍👩‍👧‍👦", "🇩🇪", "🇯🇵", "👍🏽", "1️⃣", "#️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "🏳️‍🌈", "❤️", "☝🏿", "👨🏽‍⚕️", "🧑🏻‍🤝‍🧑🏿", "😀", "漢", "字",
    "é", "e\u0301", "क्‍ष", "한", "🈂️", "✔︎", "©️",
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_a_sign_is_never_shown_in_pieces(sign: str) -> None:
    text = f"a {sign} b {sign}{sign}\n\n{sign}"
    whole = {text[:place] for place in _borders(text)}
    stream = BlockStream(holds=True)
    for letter in text:
        stream.append(letter)
        shown = text[: len(stream.source)]
        # A letter or digit is whole without the accent or the box that may follow it.
        alone = shown and (
            unicodedata.category(shown[-1])[0] in "LNP" or unicodedata.combining(shown[-1])
        )
        assert shown in whole or alone, ascii(shown)
    stream.finish()
    assert stream.source == text
    assert stream.blocks == parse(text)


def _borders(text: str) -> list[int]:
    """Where a sign of ours may end."""
    borders = [0]
    place = 0
    while place < len(text):
        sign = next(
            (s for s in sorted(SIGNS, key=len, reverse=True) if text.startswith(s, place)),
            text[place],
        )
        place += len(sign)
        borders.append(place)
    return borders


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_bytes_that_come_one_by_one_are_shown_as_whole_signs(sign: str) -> None:
    """As a detokeniser cuts them: text that ends in U+FFFD is followed by the real sign."""
    data = f"x{sign}y".encode()
    for cut in range(1, len(data)):
        text = data[:cut].decode("utf-8", "ignore")
        end = ready(text)
        assert text[:end] in ("x", f"x{sign}", f"x{sign}y") or not unicodedata.category(
            text[end - 1]
        ).startswith(("So", "Sk", "Cf"))


def test_halves_of_a_sign_are_joined_and_lone_ones_replaced() -> None:
    stream = BlockStream(holds=True)
    for piece in ("a", "\ud83d", "\ude00", "b", "\ud83d", " c"):
        stream.append(piece)
        assert "\ud83d" not in stream.source
    stream.finish()
    assert stream.source == "a😀b\ufffd c"
    assert mended("plain") == "plain"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("text\n-", "text\n"),
        ("text\n--", "text\n"),
        ("text\n=", "text\n"),
        ("text\n- a", "text\n- a"),
        ("text\n---\n", "text\n---\n"),
        ("a\n\n``", "a\n\n"),
        ("a\n\n```py", "a\n\n```py"),
        ("a\n\n| x | y |\n|--", "a\n\n"),
        ("a\n\n| x | y |\n|--|--|\n| 1 ", "a\n\n| x | y |\n|--|--|\n"),
        ("> > -", ""),
        ("x" * 300 + "\n" + "-" * 600, "x" * 300 + "\n" + "-" * 600),
        ("plain text", "plain text"),
        ("", ""),
    ],
)
def test_the_beginning_of_markup_waits_for_the_rest(text: str, shown: str) -> None:
    assert text[: ready(text)] == shown


def test_a_heading_does_not_flash_where_a_list_comes() -> None:
    stream = BlockStream(holds=True)
    for letter in "Fruit:\n- apples\n- pears\n":
        stream.append(letter)
        for block in stream.blocks:
            part = block.parts[0]
            assert isinstance(part, Prose)
            assert not any(p.heading for p in part.paragraphs)


def test_what_is_held_is_short() -> None:
    for text in (
        "\u200d" * 5_000,
        "👩\u200d" * 5_000,
        "🇩" * 5_001,
        "-" * 5_000,
        "|" * 5_000,
        "\ud83d" * 5_000,
    ):
        assert len(text) - ready(text) <= 500
        stream = BlockStream(holds=True)
        for place in range(0, len(text), 7):
            stream.append(text[place : place + 7])
            assert place + 7 - len(stream.source) <= 510
        stream.finish()
        assert stream.is_whole


pieces = st.lists(
    st.sampled_from([*SIGNS, "a", " ", "\n", "\n\n", "-", "|", "| a |\n", "```\n", "$x$", "*"]),
    max_size=30,
)


@settings(max_examples=200, deadline=None)
@given(pieces.map("".join), st.data())
def test_holding_changes_nothing_in_the_end(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, max(len(text), 1)), max_size=25)))
    stream = BlockStream(holds=True)
    place = 0
    for cut in [*cuts, len(text)]:
        stream.append(text[place:cut])
        place = max(place, cut)
        assert text.startswith(stream.source)
        assert stream.blocks == parse(stream.source)
    stream.finish()
    assert stream.blocks == parse(text)
    shown = "\n".join(plain_text(part) for block in stream.blocks for part in block.parts)
    assert "\ud83d" not in shown
