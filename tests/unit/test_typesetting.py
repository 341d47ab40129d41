"""Formulas are set in full or not at all, and no formula costs more than a moment."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop.chats.markdown.typesetting import (
    MAX_OUTLINE,
    MAX_SOURCE,
    Shape,
    Words,
    body_of,
    typeset,
)


@pytest.mark.parametrize(
    ("source", "body", "display"),
    [
        ("$x$", "x", False),
        (r"\(x\)", "x", False),
        ("$$x$$", "x", True),
        ("$$\n x\n$$.", "x.", True),
        (r"\[x\],", "x,", True),
        (r"\begin{align}x\end{align}", r"\begin{align}x\end{align}", True),
    ],
)
def test_delimiters_are_no_part_of_a_formula(source: str, body: str, display: bool) -> None:
    assert body_of(source) == (body, display)


@pytest.mark.parametrize(
    "body",
    [
        r"\frac{-b\pm\sqrt{b^2-4ac}}{2a}",
        r"\int_0^\infty e^{-x^2}\,dx=\frac{\sqrt{\pi}}{2}",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"\begin{cases}1&x>0\\0&\text{otherwise}\end{cases}",
        r"\begin{aligned}a&=b\\c&=d\end{aligned}",
        r"\mathbb{R}^n\to\mathcal{L}",
        r"\underbrace{a+b}_{n}\hat{x}\vec{v}",
        r"\left(\sum_{i=1}^n x_i\right)^2",
        r"\operatorname{argmax}_\theta \lVert x\rVert_2",
        r"\ce{H2O}",
    ],
)
def test_what_models_write_is_set(body: str) -> None:
    drawing = typeset(f"$${body}$$")
    assert drawing is not None
    assert drawing.width > 0
    assert drawing.ascent + drawing.depth > 0
    assert all(isinstance(shape, Shape) and shape.d for shape in drawing.shapes)


def test_words_that_the_typeface_lacks_get_their_room() -> None:
    drawing = typeset(r"$$\text{速度 v 和} = \frac{距离_x}{时间}$$")
    assert drawing is not None
    words = [shape for shape in drawing.shapes if isinstance(shape, Words)]
    assert sorted(word.text for word in words) == sorted(["速度", "和", "距离", "时间"])
    assert all(word.width == pytest.approx(len(word.text) * word.size, rel=0.01) for word in words)
    assert all(0 <= word.x < word.x + word.width <= drawing.width + 1 for word in words)
    assert typeset(r"$\text{\foo 日本}$") is None


def test_a_formula_in_a_line_is_lower_than_a_displayed_one() -> None:
    inline, displayed = typeset(r"$\frac{a}{b}$"), typeset(r"$$\frac{a}{b}$$")
    assert inline is not None
    assert displayed is not None
    assert inline.ascent + inline.depth < displayed.ascent + displayed.depth


@pytest.mark.parametrize(
    "body",
    [
        r"\foo{x}",
        r"\frac{",
        "{" * 1_000,
        r"\frac{1}{" * 100 + "x" + "}" * 100,
        r"\def\a{\a\a}\a",
        r"\newcommand{\a}{xxxxxxxxxx}\a\a",
        r"\let\x\y",
        r"\csname x\endcsname",
        "x+" * MAX_SOURCE,
        r"\includegraphics{/etc/passwd}",
        r"\href{http://127.0.0.1/}{x}",
        r"\input{/etc/passwd}",
        "",
        "\0",
        "\ud800",
    ],
    ids=lambda body: ascii(body[:12]),
)
def test_what_cannot_be_set_in_full_is_left_as_source(body: str) -> None:
    assert typeset(f"$${body}$$") is None


def test_the_work_for_one_formula_is_bounded() -> None:
    for body in (
        "x+" * (MAX_SOURCE // 2),
        r"\frac ab" * (MAX_SOURCE // 9),
        "x^{" * 60 + "x" + "}" * 60,
    ):
        drawing = typeset(f"$${body}$$")
        if drawing is not None:
            outlines = sum(
                len(s.d) for s in {s.d: s for s in drawing.shapes if isinstance(s, Shape)}.values()
            )
            assert outlines < MAX_OUTLINE


def test_a_colour_is_a_colour_and_nothing_else() -> None:
    drawing = typeset(r"$\color{red}x$")
    assert drawing is not None
    assert {shape.colour for shape in drawing.shapes} == {"red"}
    assert typeset(r"$\color{url(http://127.0.0.1/)}x$") is None


def test_the_typesetter_is_loaded_with_the_first_formula() -> None:
    code = (
        "import sys, desktop.chats.markdown.markdown_blocks as m; m.parse('costs $5, no $x');"
        "assert 'mathra' not in sys.modules; m.parse('$x$'); assert 'mathra' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
