"""Cards of anybody's: HTML goes, what it says stays, code is left alone, and nothing takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.library.card_text import readable


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        ("# Title\n\nText", "# Title\n\nText"),
        ('<div align="center">\n\n# Title\n\n</div>', "# Title"),
        ("a<br>b", "a\n\nb"),
        ('<a href="https://example.org/x">the paper</a>', "[the paper](https://example.org/x)"),
        ("<a href='javascript:alert(1)'>press</a>", "press"),
        ('<a href="file:///etc/passwd">press</a>', "press"),
        ('<a href="https://a.org/ x)(">press</a>', "press"),
        ('<img src="x.png" alt="logo">', ""),
        ("![badge](https://example.org/b.svg)", ""),
        ("[![badge](https://example.org/b.svg)](https://example.org)", ""),
        (
            "![How the loss falls while it trains](loss.png)",
            "(How the loss falls while it trains)",
        ),
        ("<!-- a comment -->Text", "Text"),
        ("<script>alert(1)</script>Text", "Text"),
        ("<style>p { color: red }</style>Text", "Text"),
        ("<h2>News</h2>", "## News"),
        ("<b>loud</b>", "**loud**"),
        ("x < y and y > z", "x < y and y > z"),
        ("`<div>` is a tag", "`<div>` is a tag"),
        ("\ue0007\ue000", "7"),
    ],
)
def test_html_goes(card: str, wanted: str) -> None:
    assert readable(card) == wanted


def test_code_is_left_alone() -> None:
    card = 'Before\n```html\n<div><img src="x"></div>\n```\nAfter'
    assert readable(card) == card
    tilde = "~~~\n<b>\n```\n<i>\n~~~"
    assert readable(tilde) == tilde


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("- one\n  goes on\n- two", "- one goes on\n- two"),
        ("- one\n  - below\n1. two", "- one\n  - below\n1. two"),
        ("# Title\ntext", "# Title\ntext"),
        ("Title\n=====\ntext", "Title\n=====\ntext"),
        ("hard  \nbreak\\\nhere", "hard  \nbreak\\\nhere"),
        ("| a | b |\n| - | - |\n| 1 | 2 |", "| a | b |\n| - | - |\n| 1 | 2 |"),
        ("a | b\n--- | ---\n1 | 2\n3 | 4", "a | b\n--- | ---\n1 | 2\n3 | 4"),
        ("> said\n> on", "> said\n> on"),
        ("text\n- item", "text\n- item"),
    ],
)
def test_lines_of_a_paragraph_are_one(card: str, wanted: str) -> None:
    assert readable(card) == wanted


def test_what_is_within_a_fence_that_never_ends_is_code() -> None:
    assert readable("```\n<b>x</b>") == "```\n<b>x</b>"


@pytest.mark.parametrize(
    "piece", ['<a href="', "<a ", "<img ", "![", "<!--", "<h1>", "<div ", "[![", "<script>", "<<<"]
)
def test_a_card_made_to_keep_us_busy_does_not(piece: str) -> None:
    began = time.process_time()
    readable(piece * (256 * 1024 // len(piece)))
    # Nobody's machine is so slow; what backtracks takes minutes.
    assert time.process_time() - began < 20


@pytest.mark.parametrize("run", [" ", "\t", "\u00a0", "|", "-", ":", "| ", "|-", "[ ", "<br "])
@pytest.mark.parametrize("end", ["x", "|x", "<b>x"])
def test_a_line_of_200_000_letters_does_not_either(run: str, end: str) -> None:
    began = time.process_time()
    readable(f"a\n{run * (200_000 // len(run))}{end}")
    assert time.process_time() - began < 20


@given(st.text(alphabet='<>ab"=/!-[]() \n`~#', max_size=300))
def test_anything_is_read(card: str) -> None:
    text = readable(card)
    assert len(text) <= 4 * len(card) + 100
