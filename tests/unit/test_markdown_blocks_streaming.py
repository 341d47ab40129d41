"""However a text is cut into pieces, after each piece the blocks equal a full parse."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop.chats.markdown import markdown_blocks
from desktop.chats.markdown.markdown_blocks import BlockStream, parse

# Line fragments around the edges where a later line changes an earlier one.
FRAGMENTS = [
    "a", "b c", "*", "**", "_", "`", "``", "```", "```py", "````", "~~~", "#", "# ", "## h",
    "-", "- ", "- x", "* ", "+ y", "1.", "1. ", "2. z", "10) w", ">", "> ", "> q", "---", "===",
    "- - -", "***", "|", "| a | b |", "|---|---|", "|-", ":-:", "[foo]", "[foo]: /u", "[foo]:",
    "[bar]: <u> 'ti", "tle'", "\"t\"", "[foo][bar]", "![x](y)", "<b>", "<!-- ", "-->", "http://x",
    "    code", "   ", "  ", "\t", "\\", "&amp;", "\n", "\n", "\n", "\n\n", "\r\n", "\r", "\0",
    "é", "日本", "😀", "מה", "[ ] ", "[x] ", "~~", "x" * 30,
    "$", "$$", "$$\n", "\n$$\n", "\\[", "\\]", "\\(", "\\)", "x^2", "\\frac{a}{b}", "\\\\", "&=",
    "\\begin{align}", "\\end{align}", "\\foo", "$5", "[^1]", "[^n]", "[^1]: ", "[^n]: y", "    z",
]  # fmt: skip

documents = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)


def feed(text: str, cuts: list[int]) -> None:
    """Stream `text` in pieces, and compare with a full parse after each."""
    stream = BlockStream()
    place = 0
    for cut in [*cuts, len(text)]:
        before = list(stream.blocks)
        first = stream.append(text[place:cut])
        place = max(place, cut)
        assert stream.blocks == parse(text[:place])
        assert all(new is old for new, old in zip(stream.blocks[:first], before[:first]))  # noqa: B905


@settings(max_examples=400, deadline=None)
@given(documents, st.data())
@example("para\n#foo\n\n", None)
@example('a\n\n[foo]: /u\n"title\nmore\nagain\nend"\n\n[foo]\n', None)
@example("a\n| b |\n|--x\n\nc\n", None)
@example("- a\n  ```\n  x\n\n  y\n  ```\nb\n", None)
@example("a\r\n\r\nb\r", None)
@example("[Foo]\n\nx\n\ny\n\n> [foo]: /u\n\nz\n\nw\n", None)
@example("```py\nx\n \t\n  y\n", None)
@example("a\n```|\n|-|\nx\n", None)
@example("$$\na\n+ b\n+ c\n+ d\n$$\n\nx", None)
@example("- x\n\n\\[\n- a\n- b\n- c\n\\]\nend", None)
@example("[^n] and [^1]\n\na\n\nb\n\n[^n]: c\n\n    d\n\n[^1]: e\n", None)
def test_equal_to_a_full_parse_after_every_piece(text: str, data: st.DataObject | None) -> None:
    if data is None:
        cuts = list(range(len(text)))
    else:
        cuts = sorted(data.draw(st.sets(st.integers(0, max(len(text), 1)), max_size=25)))
    feed(text, cuts)


@settings(max_examples=100, deadline=None)
@given(documents, st.integers(1, 9), st.integers(60, 120))
def test_too_long_a_block_is_cut_at_the_same_place_however_it_comes(
    text: str, step: int, limit: int
) -> None:
    lines = text + "\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown_blocks, "MAX_BLOCK", limit)
        feed(lines * 3, list(range(0, 3 * len(lines), step)))
