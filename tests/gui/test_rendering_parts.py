"""Formulas, wide tables, links and direction, as the widgets lay them out."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QTextLine
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import Message, Role
from desktop.chats.markdown.markdown_blocks import parse
from desktop.chats.markdown.markdown_parts import OBJECT, Code, Formula, Part, Table, display_text
from desktop.views.dialogs import LinkDialog
from desktop.views.transcript.code_block import CodeBlock
from desktop.views.transcript.formula_block import FormulaBlock
from desktop.views.transcript.link_facts import facts_of
from desktop.views.transcript.part_pool import kind_of
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.prose_block import ProseBlock
from desktop.views.transcript.sideways import SidewaysBar
from desktop.views.transcript.table_block import TableBlock
from desktop.views.transcript.table_builder import width_for
from desktop.views.transcript.transcript_view import TranscriptView

WIDTH = 500
WIDE_FORMULA = "$$" + "+".join(f"x_{{{n}}}" for n in range(80)) + "$$"
WIDE_TABLE = "\n".join(
    ["|" + "a rather long heading|" * 9, "|" + "---|" * 9, "|" + "a rather long cell|" * 9]
)


def part_of(text: str, index: int = 0) -> Part:
    return [part for block in parse(text) for part in block.parts][index]


def shown(qtbot: QtBot, part: Part, parent: QWidget | None = None) -> PartWidget:
    widget = kind_of(part)(parent)
    if parent is None:
        qtbot.addWidget(widget)
    widget.resize(WIDTH, widget.show_part(part, WIDTH, growing=False))
    widget.show()
    return widget


def ink(image: QImage, area: tuple[int, int, int, int] | None = None) -> tuple[int, int]:
    """The leftmost and rightmost column of an image that are not its ground; -1 for none."""
    left, top, right, bottom = area or (0, 0, image.width(), image.height())
    ground = image.pixelColor(0, 0)
    columns = [
        x
        for x in range(left, right)
        if any(image.pixelColor(x, y) != ground for y in range(top, bottom))
    ]
    return (columns[0], columns[-1]) if columns else (-1, -1)


def x_of(line: QTextLine, place: int) -> float:
    """Where a position of a line stands; Qt also returns the position that it took."""
    value: Any = line.cursorToX(place)
    return float(value[0] if isinstance(value, tuple) else value)


def test_a_displayed_formula_stands_in_the_middle_in_the_colour_of_the_text(
    qtbot: QtBot, qapp: QApplication
) -> None:
    for mode in ("light", "dark"):
        tokens = theme.apply(qapp, mode, 14)
        widget = shown(qtbot, part_of(r"$$\rule{2em}{1em}$$"))
        assert isinstance(widget, FormulaBlock)
        image = widget.grab().toImage()
        left, right = ink(image)
        assert abs(left - (WIDTH - 1 - right)) <= 2
        assert image.pixelColor((left + right) // 2, image.height() // 2) == QColor(tokens.text)
        assert widget.focus_stops() == []


def test_a_formula_grows_with_the_text(qtbot: QtBot, qapp: QApplication) -> None:
    widths = []
    for size in (10, 20):
        theme.apply(qapp, "light", size)
        left, right = ink(shown(qtbot, part_of("$$a+b+c$$")).grab().toImage())
        widths.append(right - left)
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.15)


def test_a_formula_wider_than_the_column_is_scrolled(qtbot: QtBot) -> None:
    widget = shown(qtbot, part_of(WIDE_FORMULA))
    (bar,) = widget.focus_stops()
    assert isinstance(bar, SidewaysBar)
    assert bar.accessibleName()
    before = widget.grab().toImage()
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Right)
    assert bar.value() > 0
    assert widget.grab().toImage() != before
    # Shown again for another formula, it begins at the left.
    widget.show_part(part_of("$$x$$"), WIDTH, growing=False)
    assert bar.value() == 0
    assert not bar.isVisible()


def test_a_formula_is_selected_as_a_whole(qtbot: QtBot) -> None:
    part = part_of("$$a+b$$")
    widget = shown(qtbot, part)
    assert widget.position_at(QPoint(0, 5)) == 0
    assert widget.position_at(QPoint(WIDTH, 5)) == widget.length == len("$$a+b$$")
    assert widget.word_at(3) == (0, widget.length)
    plain = widget.grab().toImage()
    widget.set_selection(0, widget.length)
    assert widget.grab().toImage() != plain
    assert widget.accessibleName() == "$$a+b$$"


@pytest.mark.parametrize(
    "formula", ["$x$", r"$\frac{a}{b}$", r"$\int_0^1$", r"$x_{y_{z_w}}$", r"$\displaystyle\sum_i$"]
)
def test_a_formula_in_a_line_takes_one_position_and_its_room(qtbot: QtBot, formula: str) -> None:
    part = part_of(f"before {formula} after")
    assert display_text(part) == f"before {OBJECT} after"
    widget = shown(qtbot, part)
    assert isinstance(widget, ProseBlock)
    line = widget.document.firstBlock().layout().lineAt(0)
    left, right = x_of(line, 7), x_of(line, 8)
    assert right - left > 3
    image = widget.grab().toImage()
    first, last = ink(image, (round(left), 0, round(right), image.height()))
    assert round(left) <= first <= last <= round(right)


def test_a_formula_stands_on_the_line_of_the_text(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light", 24)
    bottoms = []
    for text in ("HHH", r"$\mathrm{HHH}$", r"$\mathrm{HHH}\phantom{\frac{\frac{a}{b}}{c}}$"):
        widget = shown(qtbot, part_of(f"H {text}"))
        assert isinstance(widget, ProseBlock)
        image = widget.grab().toImage()
        ground = image.pixelColor(0, 0)
        columns = {"first": range(0, 18), "second": range(30, 60)}
        rows = {
            name: max(
                y
                for y in range(image.height())
                if any(image.pixelColor(x, y) != ground for x in span)
            )
            for name, span in columns.items()
        }
        bottoms.append(rows["second"] - rows["first"])
    assert all(abs(bottom) <= 1 for bottom in bottoms)


def test_selecting_over_formulas_copies_their_source(qtbot: QtBot) -> None:
    text = "1. Let $x^2$ be\n\n$$\ny\n$$\n\n| a |\n|---|\n| $z$ |"
    view = TranscriptView()
    qtbot.addWidget(view)
    view.resize(600, 600)
    view.show()
    view.append_message(Message("1", "c", None, Role.ASSISTANT, text))
    view._canvas.select_all()
    assert view.selected_text() == "1. Let $x^2$ be\n\n$$\ny\n$$\n\na\n$z$"
    view.grab()


# --- tables ---


def test_a_table_is_squeezed_first_and_scrolled_then(qtbot: QtBot) -> None:
    small = shown(qtbot, part_of("| a | b |\n|---|---|\n| 1 | " + "word " * 60 + "|"))
    assert small.focus_stops() == []
    wide = shown(qtbot, part_of(WIDE_TABLE))
    assert isinstance(wide, TableBlock)
    (bar,) = wide.focus_stops()
    assert isinstance(bar, SidewaysBar)
    place = wide.position_at(QPoint(10, 20))
    bar.setValue(bar.maximum())
    assert wide.position_at(QPoint(10, 20)) > place
    wide.rest()
    assert wide.shift == 0


def test_a_table_that_fits_is_not_scrolled(qtbot: QtBot) -> None:
    """Its width is estimated first; what counts is how wide it is."""
    text = """| drinkable at | after | how it feels |
| :--- | ---: | :--- |
| 70 °C | 10.6 min | still burns the tongue |
"""
    (table,) = parse(text)[0].parts
    assert isinstance(table, Table)
    assert width_for(table, 399, theme.current()) > 399  # by the estimate it does not fit
    block = TableBlock(None)
    qtbot.addWidget(block)
    block.show_part(table, 399, growing=False)
    assert block.document.idealWidth() < 399
    assert block._bar is None
    assert block.focus_stops() == []


def test_the_pieces_of_a_long_table_scroll_together(qtbot: QtBot) -> None:
    rows = "\n".join(["|" + "a rather long cell|" * 9] * 120)
    text = "\n".join(WIDE_TABLE.split("\n")[:2]) + "\n" + rows
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    first, second = (shown(qtbot, part_of(text, n), parent) for n in (0, 1))
    assert isinstance(first, TableBlock)
    assert isinstance(second, TableBlock)
    (bar,) = first.focus_stops()
    assert isinstance(bar, SidewaysBar)
    bar.setValue(100)
    assert second.shift == 100
    third = shown(qtbot, part_of(text, 2), parent)
    assert isinstance(third, TableBlock)
    third.show_part(part_of(text, 2), WIDTH, growing=False)
    assert third.shift == 100


def test_a_long_line_of_code_is_scrolled_by_keyboard_too(qtbot: QtBot) -> None:
    widget = shown(qtbot, Code("x" * 200_000, "text"))
    assert isinstance(widget, CodeBlock)
    _, bar = widget.focus_stops()
    assert isinstance(bar, SidewaysBar)
    widget.grab()
    assert widget.rows_laid_out < 300
    bar.setValue(bar.maximum())
    widget.grab()


# --- links ---


def test_the_links_of_a_part_can_be_walked(qtbot: QtBot) -> None:
    text = "a [**one** two](https://one.example) b https://two.example/ and [none](file:///x)"
    widget = shown(qtbot, part_of(text))
    assert widget.links() == ["https://one.example", "https://two.example/"]
    before = widget.grab().toImage()
    for number in (0, 1):
        rect = widget.link_rect(number)
        assert widget.rect().contains(rect.center())
        assert widget.link_at(rect.center()) == widget.links()[number]
        widget.focus_link(number)
        assert widget.grab().toImage() != before
    widget.focus_link(None)
    assert widget.grab().toImage() == before


def test_links_in_tables_and_over_lines_have_their_place(qtbot: QtBot) -> None:
    table = shown(qtbot, part_of("| a |\n|---|\n| [x](https://one.example) |"))
    assert table.links() == ["https://one.example"]
    assert table.link_at(table.link_rect(0).center()) == "https://one.example"
    long = shown(qtbot, part_of("[" + "word " * 60 + "](https://one.example)"))
    assert long.links() == ["https://one.example"]
    assert long.link_rect(0).height() > 40
    assert kind_of(Formula("$$x$$"))(None).links() == []


# --- direction ---


def first_line_x(widget: PartWidget, block: int) -> float:
    """Where the cursor stands before the first sign of a paragraph."""
    assert isinstance(widget, ProseBlock)
    found = widget.document.findBlockByNumber(block)
    return (
        x_of(found.layout().lineAt(0), 0)
        + widget.document.documentLayout().blockBoundingRect(found).left()
    )


def test_each_paragraph_runs_its_own_way(qtbot: QtBot) -> None:
    widget = shown(qtbot, part_of("- english עברית\n- עברית english\n- `code` עברית\n- 12 عربي"))
    assert first_line_x(widget, 0) < 50
    assert all(first_line_x(widget, n) > WIDTH - 50 for n in (1, 2, 3))


def test_markers_and_rules_stand_on_the_side_where_the_text_begins(qtbot: QtBot) -> None:
    image = shown(qtbot, part_of("> ציטוט")).grab().toImage()
    assert ink(image)[1] > WIDTH - 4
    image = shown(qtbot, part_of("- פריט")).grab().toImage()
    assert ink(image)[1] > WIDTH - 16
    image = shown(qtbot, part_of("> quote")).grab().toImage()
    assert QColor(image.pixelColor(0, image.height() // 2)) == QColor(theme.current().pressed)


def test_cells_run_their_own_way(qtbot: QtBot) -> None:
    widget = shown(qtbot, part_of("| a rather long heading |\n|---|\n| אב |\n| x |"))
    assert isinstance(widget, TableBlock)
    block = widget.document.begin()
    sides = []
    while block.isValid():
        sides.append(bool(block.blockFormat().alignment() & Qt.AlignmentFlag.AlignRight))
        block = block.next()
    assert sides[1:4] == [False, True, False]


# --- where a link leads ---


@pytest.mark.parametrize(
    ("address", "host", "written", "user", "is_near"),
    [
        ("https://example.com/x", "example.com", "", "", False),
        ("http://paypal.com@evil.example/", "evil.example", "", "paypal.com", False),
        ("https://paypal.com%2F@evil.example/", "evil.example", "", "paypal.com%2F", False),
        ("https://аpple.com/", "xn--pple-43d.com", "аpple.com", "", False),
        ("https://xn--pple-43d.com/", "xn--pple-43d.com", "аpple.com", "", False),
        ("http://2130706433/", "127.0.0.1", "", "", True),
        ("http://localhost:8080/", "localhost", "", "", True),
        ("http://[::1]/", "::1", "", "", True),
        ("http://192.168.1.1/", "192.168.1.1", "", "", True),
        ("http://router.local/", "router.local", "", "", True),
    ],
)
def test_an_address_is_taken_apart(
    qtbot: QtBot, address: str, host: str, written: str, user: str, is_near: bool
) -> None:
    facts = facts_of(address)
    assert facts.opens
    assert (facts.host, facts.written, facts.user, facts.is_near) == (host, written, user, is_near)
    dialog = LinkDialog(address, open_url=lambda _url: None)
    qtbot.addWidget(dialog)
    assert host in dialog.text()
    assert not user or user in dialog.text()
    assert not written or written in dialog.text()
    assert dialog.informativeText() == facts.shown
    assert facts.shown.isascii()


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "//127.0.0.1/x",
        "http://",
        "https://example.com\\@evil.example",
        "https://exa mple.com",
        "data:text/html,<b>x</b>",
        "<img src='file:///etc/passwd'>",
        "",
    ],
)
def test_other_addresses_are_not_opened_and_shown_as_text(qtbot: QtBot, address: str) -> None:
    assert not facts_of(address).opens
    dialog = LinkDialog(address, open_url=lambda _url: pytest.fail("opened"))
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.informativeText() == address
    for label in dialog.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_signs_that_turn_text_around_are_shown_by_their_codes() -> None:
    assert facts_of("https://example.com/\u202egpj.exe").shown == (
        "https://example.com/%E2%80%AEgpj.exe"
    )


def test_copying_code_gives_the_source(qtbot: QtBot) -> None:
    source = "a\tb  \n\n  ```\n\u202e"
    widget = shown(qtbot, Code(source, "md"))
    assert isinstance(widget, CodeBlock)
    widget.copy()
    assert QGuiApplication.clipboard().text() == source
