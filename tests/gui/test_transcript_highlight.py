"""Colours of code: exact in the end, cheap on the way, off where they would cost too much."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future

import pytest

from desktop.views.transcript import highlight
from desktop.views.transcript.highlight import MAX_LINE, MAX_SOURCE, Highlighter, Lines

PYTHON = '''
def bank(ash: int = 2) -> str:
    """Keep it
    warm."""
    return f"{ash}"  # why

class Fire:
    heat = 451.0
'''


def work(highlighter: Highlighter) -> None:
    """Colour all of it, once its lexer is there."""
    while not highlighter.work(1):
        highlight._loading(highlighter.language).result(timeout=30)


def lines_of(language: str, source: str) -> Lines:
    highlighter = Highlighter(language)
    highlighter.show(source, growing=False)
    work(highlighter)
    return highlighter.lines


def test_spans_name_what_they_colour() -> None:
    lines = lines_of("python", "x = 'a'  # b\n\nimport os\n")
    assert lines == [[(4, 3, "string"), (9, 3, "comment")], [], [(0, 6, "keyword")], []]


def test_what_grew_ends_as_what_came_at_once() -> None:
    source = PYTHON * 30
    highlighter = Highlighter("python")
    for end in range(0, len(source), 17):
        highlighter.show(source[:end], growing=True)
        work(highlighter)
        assert len(highlighter.lines) == source[:end].count("\n") + 1 or end == 0
    growing = highlighter.lexed_characters
    highlighter.show(source, growing=False)
    work(highlighter)
    assert highlighter.lines == lines_of("python", source)
    # Whole passes would have come to 200 times the source.
    assert growing < 15 * len(source)


def test_a_replaced_source_is_read_from_its_start() -> None:
    highlighter = Highlighter("python")
    highlighter.show(PYTHON, growing=True)
    work(highlighter)
    highlighter.show("import os", growing=True)
    work(highlighter)
    assert highlighter.lines == [[(0, 6, "keyword")]]


def test_a_lexer_is_never_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    future: Future[None] = Future()
    monkeypatch.setattr(highlight, "_loading", lambda _language: future)
    highlighter = Highlighter("slow")
    highlighter.show("x = 1", growing=False)
    assert not highlighter.work(1)
    assert highlighter.is_waiting
    future.set_result(None)
    assert highlighter.work(0)
    assert not highlighter.is_waiting


def test_work_comes_in_slices() -> None:
    lines_of("python", "x")  # its lexer is there
    highlighter = Highlighter("python")
    highlighter.show(PYTHON * 200, growing=False)
    slices = 1
    while not highlighter.work(0):
        slices += 1
    assert slices > 10
    assert highlighter.lines == lines_of("python", PYTHON * 200)


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "x = 1\n" * (MAX_SOURCE // 6 + 1)),
        ("python", "x = '" + "a" * MAX_LINE + "'"),
        ("klingon", "nuqneH"),
        ("", "x = 1"),
        ("../../etc", "x"),
        ("{.python}\x00", "x"),
    ],
    ids=["large", "long line", "unknown", "none", "path", "odd"],
)
def test_no_colours_where_they_would_cost_or_mislead(language: str, source: str) -> None:
    highlighter = Highlighter(language)
    highlighter.show(source, growing=False)
    work(highlighter)
    assert not any(highlighter.lines)


def test_a_view_loads_no_lexer_no_parser_and_no_svg() -> None:
    code = (
        "import sys, desktop.views.transcript.transcript_view, desktop.views.icons;"
        "late = {'pygments', 'markdown_it', 'PySide6.QtSvg', 'PySide6.QtNetwork'};"
        "assert not late & set(sys.modules), late & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
