"""Everything a model may write, in a real transcript: shown, stable, bounded, and silent."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Message, MessageStatus, Role
from desktop.chats.markdown.markdown_blocks import BlockStream, parse
from desktop.chats.markdown.markdown_parts import Part, Table, display_text
from desktop.chats.markdown.utf16 import utf16_length
from desktop.views.transcript.document_builder import InertDocument
from desktop.views.transcript.part_pool import kind_of
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.prose_block import ProseBlock
from desktop.views.transcript.transcript_view import TranscriptView
from tests.gui.test_transcript_hostile import Canary, fragments

CORPUS: Final = sorted((Path(__file__).parent.parent / "corpus").glob("*.md"))
_SECRET: Final = Path("/etc/passwd")

GIANTS: Final[dict[str, Callable[[], str]]] = {
    "a line of 200 kB": lambda: "x" * 200_000,
    "words of 200 kB": lambda: "word " * 40_000,
    "a line of 200 kB in a fence": lambda: "```py\n" + "x = [1, 2] " * 18_000 + "\n```\n",
    "a fence of 1 MB": lambda: "```py\n" + "def f(x): return x + 1\n" * 45_000 + "```\n",
    "a fence of 1 MB, open": lambda: "```\n" + "line\n" * 200_000,
    "quotes 10,000 deep": lambda: "> " * 10_000 + "x",
    "lists 10,000 deep": lambda: "- " * 10_000 + "x",
    "lists by indent": lambda: "".join(" " * (2 * n) + "- x\n" for n in range(300)),
    "emphasis 10,000 deep": lambda: "*a **b " * 5_000,
    "brackets 10,000 deep": lambda: "[" * 10_000 + "]" * 10_000,
    "a table of 3,000 rows": lambda: "|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * 3_000,
    "a table of 1,000 columns": lambda: "|a" * 1_000 + "|\n" + "|-" * 1_000 + "|\n" + "|x" * 1_000,
    "a formula of 100 kB": lambda: "$$\n" + "x+" * 50_000 + "\n$$\n",
    "formulas 1,000 deep": lambda: "$$" + r"\frac{1}{" * 1_000 + "x" + "}" * 1_000 + "$$",
    "1,000 formulas": lambda: r"a $\frac{a}{b}$ and " * 1_000,
    "a bomb of macros": lambda: (
        r"$$\def\a{xxxxxxxxxx}\def\b{\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b}\c\c\c$$"
    ),
    "dollars": lambda: "$" * 100_000,
    "dollars and words": lambda: "$a " * 30_000,
    "openers": lambda: r"\[ \( $$ \begin{align} " * 3_000,
    "2,000 notes": lambda: (
        "".join(f"[^{n}] " for n in range(2_000))
        + "\n\n"
        + "".join(f"[^{n}]: x\n" for n in range(2_000))
    ),
    "joiners": lambda: "👩\u200d" * 20_000,
    "letters of flags": lambda: "🇩" * 20_001,
    "marks upon marks": lambda: "a" + "\u0301" * 50_000,
    "directions": lambda: "\u202e\u2066" * 20_000 + "x",
}


def giant(name: str) -> str:
    return GIANTS[name]()


def open_view(qtbot: QtBot) -> TranscriptView:
    view = TranscriptView()
    qtbot.addWidget(view)
    view.resize(700, 900)
    view.show()
    return view


def answer(number: str, text: str, status: MessageStatus = MessageStatus.COMPLETE) -> Message:
    return Message(number, "c", None, Role.ASSISTANT, text, status)


def pieces(text: str, seed: int, longest: int) -> list[str]:
    """`text` in pieces of random lengths."""
    chance = random.Random(seed)
    result: list[str] = []
    place = 0
    while place < len(text):
        end = place + chance.randint(1, longest)
        result.append(text[place:end])
        place = end
    return result


def parts_of(text: str) -> list[Part]:
    return [part for block in parse(text) for part in block.parts]


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a document asked for."""
    asked: list[str] = []

    def load(document: InertDocument, kind: int, name: QUrl | str) -> None:
        del document, kind
        asked.append(str(name))

    monkeypatch.setattr(InertDocument, "loadResource", load)
    return asked


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_is_shown_and_nothing_is_fetched(
    qtbot: QtBot, requests: list[str], path: Path
) -> None:
    canary = Canary()
    text = path.read_text(encoding="utf-8").replace("PORT", str(canary.port))
    try:
        view = open_view(qtbot)
        with qtbot.assertNotEmitted(view.link_activated):
            view.append_message(answer("1", "", MessageStatus.STREAMING))
            for piece in pieces(text, seed=3, longest=40):
                view.append_text("1", piece)
            view.update_message(answer("1", text))
            view.append_message(answer("2", text))
            view.append_message(Message("3", "c", None, Role.USER, text))
            view.grab()
            view.resize(320, 900)
            view.grab()
        shown = view.plain_text()
        links = {
            fragment.charFormat().anchorHref()
            for block in view.findChildren(ProseBlock)
            for fragment in fragments(block.document)
            if fragment.charFormat().isAnchor()
        }
    finally:
        calls = canary.end()
    assert calls == 0
    assert requests == []
    assert all(link.lower().startswith(("http://", "https://")) for link in links)
    assert _SECRET.read_text().splitlines()[0] not in shown
    # What was streamed is in the end what is loaded as a whole.
    streamed, loaded, _ = view._canvas.items
    assert streamed.parts == loaded.parts


def test_the_canary_sings(qtbot: QtBot) -> None:
    canary = Canary()
    with socket.create_connection(("127.0.0.1", canary.port)) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
    assert canary.end() == 1


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_streams_to_what_it_is_as_a_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for seed, longest in ((1, 1), (2, 7), (3, 60), (4, 400)):
        stream = BlockStream()
        place = 0
        for piece in pieces(text, seed, longest):
            stream.append(piece)
            place += len(piece)
            if longest > 1 or place % 11 == 0:
                assert stream.blocks == parse(text[:place])
        assert stream.blocks == parse(text)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_positions_are_those_of_the_text(qtbot: QtBot, path: Path) -> None:
    """Qt lays out as many signs as `display_text` has: selections hit what they show."""
    for part in parts_of(path.read_text(encoding="utf-8")):
        widget = kind_of(part)(None)
        qtbot.addWidget(widget)
        widget.show_part(part, 600, growing=False)
        assert widget.length == utf16_length(display_text(part))
        if isinstance(widget, ProseBlock):
            end = 2 if isinstance(part, Table) else 1  # a paragraph must follow a table
            assert widget.document.characterCount() - end == widget.length


@pytest.mark.parametrize("name", GIANTS)
def test_giants_are_shown_with_bounded_work(qtbot: QtBot, requests: list[str], name: str) -> None:
    text = giant(name)
    view = open_view(qtbot)
    before = PartWidget.layouts
    view.append_message(answer("1", text))
    view.grab()
    # Only what is near the view is laid out, however long the text.
    assert PartWidget.layouts - before < 400
    assert view.message_text("1") == text
    assert requests == []


@pytest.mark.parametrize("name", GIANTS)
def test_giants_are_read_in_linear_work(name: str) -> None:
    text = giant(name)[:60_000]
    stream = BlockStream(holds=True)
    for place in range(0, len(text), 2_000):
        stream.append(text[place : place + 2_000])
    stream.finish()
    # A block is read again while it grows, up to its greatest length, and no further.
    assert stream.parsed_characters <= 20 * len(text) + 100_000
    assert stream.blocks == parse(text)
