"""What is a formula, what is a price, and what a formula leaves alone."""

from __future__ import annotations

import pytest

from desktop.chats.markdown.markdown_blocks import BlockStream, parse
from desktop.chats.markdown.markdown_parts import (
    OBJECT,
    Code,
    Formula,
    Part,
    Prose,
    Run,
    Style,
    copied,
    display_text,
    plain_text,
)


def parts_of(text: str) -> list[Part]:
    return [part for block in parse(text) for part in block.parts]


def formulas(text: str) -> list[str]:
    """The sources of all formulas, in order."""
    found: list[str] = []
    for part in parts_of(text):
        if isinstance(part, Formula):
            found.append(part.source)
        elif isinstance(part, Prose):
            found += [run.text for p in part.paragraphs for run in p.runs if run.is_formula]
    return found


@pytest.mark.parametrize(
    "text",
    [
        "costs $5 and $10",
        "costs $5, $10 or US$3–$4",
        "$5-$10 and ($7)",
        "from $100k to 200k$ a year",
        "$HOME and $PATH",
        "$HOME/$USER",
        "echo $x; echo $y",
        "`$x$` and ``$$y$$``",
        "a `b $c` d$ e",
        r"\$x\$",
        "$ x$ and $x $",
        "this $word and that$ word",
        "$$ and $$",
        "US$x$",
        "```\n$$\nx\n$$\n```",
        "    $$x$$",
        r"\[x\](http://x.y)",
        "$$\nnever\n\nclosed\n$$ here",
    ],
)
def test_this_is_no_formula(text: str) -> None:
    assert formulas(text) == []
    assert "$" not in text or "$" in "".join(map(plain_text, parts_of(text)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("let $x$ be $y_1$.", ["$x$", "$y_1$"]),
        ("($n$), $f(x)$; $10\\%$", ["$n$", "$f(x)$", "$10\\%$"]),
        (r"a \(x\) b \[y\] c", [r"\(x\)", r"\[y\]"]),
        ("a $$x^2$$ b", ["$$x^2$$"]),
        ("$$x$$", ["$$x$$"]),
        ("$$\nx\n+ y\n- z\n$$", ["$$\nx\n+ y\n- z\n$$"]),
        ("text\n$$\nx\n$$\nmore", ["$$\nx\n$$"]),
        ("\\[\nx = 1\n\\].", ["\\[\nx = 1\n\\]."]),
        ("\\begin{align*}\na&=b\\\\\nc&=d\n\\end{align*}", None),
        ("> $$\n> x\n> $$", ["$$\nx\n$$"]),
        ("- $$\n  x\n  $$\n- b", ["$$\nx\n$$"]),
        ("# On $x$", ["$x$"]),
        ("**bold $x$**", ["$x$"]),
        ("costs $5 for $x$", ["$x$"]),
    ],
)
def test_this_is_a_formula(text: str, found: list[str] | None) -> None:
    assert formulas(text) == ([text] if found is None else found)


def test_a_formula_in_a_table_cell() -> None:
    (table,) = parts_of("| a |\n|---|\n| $x^2$ |")
    assert display_text(table) == f"\na\n{OBJECT}"
    assert plain_text(table) == "a\n$x^2$"


def test_what_cannot_be_set_is_code() -> None:
    assert parts_of("$$\n\\foo\n$$") == [Code("$$\n\\foo\n$$", "latex")]
    (prose,) = parts_of(r"a $\foo$")
    assert isinstance(prose, Prose)
    assert prose.paragraphs[0].runs[1] == Run(r"$\foo$", Style.CODE)


@pytest.mark.parametrize("opener", ["$$\n", "\\[\n", "\\begin{align}\n", "a \\(", "a \\[", "a $$"])
def test_an_unclosed_formula_shows_its_source_and_disturbs_nothing(opener: str) -> None:
    text = f"before\n\n{opener}x_1 *a* \\frac{{_b_}}{{c}} \\\\ y"
    prose, source = parts_of(text)
    assert plain_text(prose) == "before"
    assert plain_text(source) == text.partition("\n\n")[2]


def test_what_comes_after_an_unclosed_formula_is_as_ever() -> None:
    *_, last = parts_of("$$\nx_1 \\frac\n\n**bold**")
    assert last == Prose(parts_of("**bold**")[0].paragraphs)  # type: ignore[union-attr]


def test_formulas_are_copied_as_their_source() -> None:
    (prose,) = parts_of("1. a 😀 $x^2$ b")
    shown = display_text(prose)
    assert shown == f"1.\ta 😀 {OBJECT} b"
    # Positions count the emoji as two.
    assert copied(prose, 5, 10) == "😀 $x^2$ "
    assert copied(prose, 8, 9) == "$x^2$"
    assert copied(prose, 9, 11) == " b"
    assert plain_text(prose) == "1. a 😀 $x^2$ b"
    (formula,) = parts_of("$$x$$")
    assert copied(formula, 1, 2) == "$$x$$"
    assert copied(formula, 1, 1) == ""


def test_closing_a_formula_changes_no_block_but_its_own() -> None:
    stream = BlockStream("one\n\ntwo\n\nthree\n\n$$\nx")
    before = list(stream.blocks)
    assert stream.append("\n$$\n") == 3
    assert all(new is old for new, old in zip(stream.blocks[:3], before[:3], strict=True))
    assert isinstance(stream.blocks[3].parts[0], Formula)


@pytest.mark.parametrize(
    "text",
    [
        "\\[\n" * 6_000,
        "$$\n" * 6_001,
        "$$\nx\n" * 5_001,
        "\\begin{align}\n" * 2_000,
        "$x" * 20_000,
        "\\(" * 20_000,
        "[^1]: " * 20_000,
        "[^1]: a\n\n" * 2_000,
        "[^1]" * 20_000 + "\n\n[^1]: a",
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_hostile_text_is_read_in_linear_work(text: str) -> None:
    stream = BlockStream()
    for place in range(0, len(text), 1_000):
        stream.append(text[place : place + 1_000])
    assert stream.parsed_characters < 45 * len(text)


def test_footnotes_are_shown_where_they_are_defined() -> None:
    reference, note, end = parts_of(
        "see[^1] and [^2] `[^1]`\n\n[^1]: the *note*\n\n    more\n\nend"
    )
    assert isinstance(reference, Prose)
    assert reference.paragraphs[0].runs == (
        Run("see"),
        Run("[1]", Style.NOTE),
        Run(" and [^2] "),
        Run("[^1]", Style.CODE),
    )
    assert isinstance(note, Prose)
    assert [(p.marker, p.nest) for p in note.paragraphs] == [("[1]", "l"), ("", "l")]
    assert plain_text(end) == "end"


def test_a_note_that_is_defined_later_reaches_its_references() -> None:
    stream = BlockStream("see[^n]\n\none\n\ntwo\n\nthree\n\n")
    assert plain_text(stream.blocks[0].parts[0]) == "see[^n]"
    assert stream.append("[^n]: here\n") == 0
    assert plain_text(stream.blocks[0].parts[0]) == "see[n]"


def test_what_is_wide_stays_in_order_in_text_from_right_to_left() -> None:
    (prose,) = parts_of("שלום `a.b()` עולם")
    assert isinstance(prose, Prose)
    assert [run.text for run in prose.paragraphs[0].runs] == [
        "שלום ", "\u2066", "a.b()", "\u2069", " עולם",
    ]  # fmt: skip
    assert plain_text(prose) == "שלום a.b() עולם"


def test_the_text_of_a_link_cannot_turn_around() -> None:
    (prose,) = parts_of("[moc.live\u202e.example](http://evil.example)")
    assert isinstance(prose, Prose)
    assert prose.paragraphs[0].runs == (Run("moc.live.example", link="http://evil.example"),)
