"""The transcript: what it shows, what it keeps, how little it lays out again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QMainWindow,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import MessageStatus, Role, Statistics
from desktop.views.transcript.code_block import CodeBlock
from desktop.views.transcript.message_frame import MessageFrame
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.transcript_view import TranscriptView
from tests.gui.transcript_kit import (
    LEFT,
    LONG,
    NONE,
    canvas_of,
    first_line,
    focus,
    footer_of,
    frame_of,
    message,
)

ANSWER = "# Fire\n\nKeep the *embers* warm.\n\n```python\nx = 1\n```\n\n- one\n- two\n"


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[TranscriptView]:
    theme.apply(qapp, "light", 11)
    widget = TranscriptView()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    widget.show()
    yield widget
    QGuiApplication.clipboard().clear()


def press(view: TranscriptView, index: int, name: str) -> None:
    """Press a button of a message's footer."""
    (button,) = [b for b in footer_of(view, index).buttons if b.accessibleName() == name]
    button.click()


def code_blocks(view: TranscriptView) -> list[CodeBlock]:
    return [block for block in view.findChildren(CodeBlock) if block.isVisible()]


# --- content ---


def test_shows_what_was_said(view: TranscriptView) -> None:
    view.set_messages(
        [
            message(0, Role.SYSTEM, "be brief"),
            message(1, Role.USER, "How do I *bank* a <fire>?\n  indented"),
            message(2, content=ANSWER, model="/models/Small"),
        ]
    )
    assert view.plain_text() == (
        "How do I *bank* a <fire>?\n  indented\n\nFire\n\nKeep the embers warm.\n\nx = 1\n\n"
        "• one\n• two"
    )
    assert frame_of(view, 0).speaker == "You"
    assert frame_of(view, 1).speaker == "Small"


def test_a_message_id_is_shown_once(view: TranscriptView) -> None:
    view.append_message(message(1))
    with pytest.raises(ValueError, match="already"):
        view.append_message(message(1))
    with pytest.raises(KeyError):
        view.append_text("2", "x")
    with pytest.raises(KeyError):
        view.update_message(message(2))


def test_replaced_content_replaces(view: TranscriptView) -> None:
    view.append_message(message(1, content="one\n\ntwo\n\n```\nx\n```"))
    view.update_message(message(1, content="other"))
    assert view.plain_text() == "other"


def test_an_empty_transcript_is_harmless(view: TranscriptView) -> None:
    view.set_messages([])
    view.scroll_to_end()
    view.copy_selection()
    canvas_of(view).select_all()
    assert view.selected_text() == view.plain_text() == ""


# --- streaming ---


def stream(view: TranscriptView, message_id: str, text: str, step: int) -> None:
    for place in range(0, len(text), step):
        view.append_text(message_id, text[place : place + step])


def test_streaming_lays_out_only_the_tail(view: TranscriptView) -> None:
    view.append_message(message(1, content=LONG, status=MessageStatus.STREAMING))
    tail = "A sentence with **bold** and `code` in it, to be streamed.\n\n- item\n- item\n\n" * 80
    canvas_of(view).arrange()
    before = PartWidget.layouts
    deltas = 1000
    step = len(tail) // deltas + 1
    for place in range(0, len(tail), step):
        view.append_text("1", tail[place : place + step])
        canvas_of(view).arrange()  # also where a pause would have merged frames
    # Each delta lays the growing part out, and a new part now and then.
    assert PartWidget.layouts - before < 2 * deltas
    assert view.message_text("1") == LONG + tail
    assert len(frame_of(view, 0).widgets) < 60


def test_streamed_code_is_laid_out_by_rows(view: TranscriptView) -> None:
    view.append_message(message(1, content="```python\n", status=MessageStatus.STREAMING))
    stream(view, "1", "value = 'a' + str(1)  # comment\n" * 500, 400)
    canvas_of(view).arrange()
    (block,) = code_blocks(view)
    block.repaint()
    assert 0 < block.rows_laid_out < 60


def test_a_hidden_view_only_keeps_the_text(view: TranscriptView) -> None:
    view.append_message(message(1, status=MessageStatus.STREAMING))
    view.hide()
    before = PartWidget.layouts
    stream(view, "1", ANSWER, 3)
    assert PartWidget.layouts == before
    assert canvas_of(view).items[0].parts == []
    view.show()
    assert canvas_of(view).items[0].is_read
    assert PartWidget.layouts > before


def test_text_that_is_slow_to_show_is_shown_less_often_but_always(
    view: TranscriptView, qtbot: QtBot
) -> None:
    view.append_message(message(1, status=MessageStatus.STREAMING))
    stream(view, "1", "- item with words in it\n" * 3000, 2000)
    qtbot.waitUntil(lambda: canvas_of(view).items[0].is_read, timeout=10_000)
    assert view.plain_text().count("item") == 3000


def test_a_signs_halves_may_come_apart(view: TranscriptView) -> None:
    view.append_message(message(1, status=MessageStatus.STREAMING))
    for sign in "日本語 👨‍👩‍👧 e\u0301 שלום \ud83d\ude00 `x\u2029y` \ufdd0\x00\x1b":
        view.append_text("1", sign)
        view.repaint()
    assert "日本語" in view.plain_text()


# --- the reader's place ---


def test_opens_at_the_end_and_follows_it(view: TranscriptView) -> None:
    view.set_messages([message(1, content=LONG), message(2, status=MessageStatus.STREAMING)])
    bar = canvas_of(view).verticalScrollBar()
    assert view.at_end
    assert bar.value() == bar.maximum() > 0
    stream(view, "2", LONG, 50)
    canvas_of(view).arrange()
    assert view.at_end
    assert bar.value() == bar.maximum()


@pytest.mark.parametrize("width", [400, 1000])
def test_the_column_stays_where_it_is_when_the_scroll_bar_comes(
    qtbot: QtBot, view: TranscriptView, width: int
) -> None:
    view.resize(width, 600)
    view.set_messages([message(1, content="Short.")])
    canvas = canvas_of(view)
    short = canvas.frames[0].geometry()
    assert not canvas.verticalScrollBar().isVisible()
    view.set_messages([message(1, content=LONG)])
    qtbot.waitUntil(canvas.verticalScrollBar().isVisible)
    long = canvas.frames[0].geometry()
    assert (long.left(), long.right()) == (short.left(), short.right())
    assert long.right() < canvas.viewport().width()


def test_a_reader_elsewhere_is_left_in_peace(view: TranscriptView) -> None:
    view.set_messages([message(1, content=LONG), message(2, status=MessageStatus.STREAMING)])
    canvas = canvas_of(view)
    bar = canvas.verticalScrollBar()
    bar.setValue(bar.value() - 400)
    assert not view.at_end
    place = first_line(canvas)
    stream(view, "2", LONG, 50)
    canvas.arrange()
    assert not view.at_end
    assert first_line(canvas) == place
    jump = view.findChild(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert isinstance(jump, QToolButton)
    assert jump.accessibleName() == "Go to the end"
    shown = [jump.isVisible()]
    jump.click()
    shown.append(jump.isVisible())
    assert shown == [True, False]
    assert bar.value() == bar.maximum()


def test_scrolling_up_into_estimates_does_not_jump(view: TranscriptView) -> None:
    mixed = ANSWER * 4 + "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 12
    view.set_messages([message(n, content=f"{mixed}{n}") for n in range(60)])
    canvas = canvas_of(view)
    bar = canvas.verticalScrollBar()
    for _ in range(80):
        before = {
            (index, part): frame.y() + widget.y()
            for index, frame in canvas.frames.items()
            for part, widget in frame.widgets.items()
        }
        bar.setValue(bar.value() - 90)
        moved = {
            frame.y() + widget.y() - before[index, part]
            for index, frame in canvas.frames.items()
            for part, widget in frame.widgets.items()
            if (index, part) in before
        }
        assert moved == {90}


def test_width_changes_keep_the_place(view: TranscriptView) -> None:
    view.set_messages([message(n, content=LONG) for n in range(5)])
    canvas = canvas_of(view)
    canvas.verticalScrollBar().setValue(3000)
    item, part, _ = first_line(canvas)
    view.resize(420, 600)
    assert first_line(canvas)[:2] == (item, part)
    assert canvas.frame_of(item) is not None


# --- only what is near has widgets ---


def test_ten_thousand_messages_cost_what_is_in_view(view: TranscriptView) -> None:
    view.set_messages([message(n, content=ANSWER) for n in range(10_000)])
    canvas = canvas_of(view)
    assert len(canvas.frames) < 15
    assert sum(item.is_read for item in canvas.items) < 30
    canvas.verticalScrollBar().setValue(canvas.verticalScrollBar().maximum() // 2)
    assert len(canvas.frames) < 15
    assert len(view.findChildren(PartWidget)) < 250
    assert min(canvas.frames) > 3000


def test_a_message_of_a_megabyte_has_widgets_for_what_is_in_view(
    view: TranscriptView, qtbot: QtBot
) -> None:
    text = LONG * 300
    view.set_messages([message(1, content=text)])
    canvas = canvas_of(view)
    qtbot.waitUntil(lambda: canvas.items[0].is_read, timeout=30_000)
    assert view.at_end
    assert len(frame_of(view, 0).widgets) < 80
    canvas.verticalScrollBar().setValue(0)
    assert 0 in frame_of(view, 0).widgets
    assert len(frame_of(view, 0).widgets) < 80


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "word " * 40_000,
        "```py\n" + "x" * 200_000,
        "```py\n" + "x = 1\n" * 30_000,
        "|a|b|\n|-|-|\n" + "|x|y|\n" * 3_000,
        "|a" * 300 + "\n" + "|-" * 300 + "\n" + "|x" * 300,
        "مرحبا بالعالم " * 10_000,
        "👨‍👩‍👧‍👦" * 5_000,
        "e" + "\u0301" * 20_000,
        "`" * 10_000,
        "> " * 3_000,
        "- item\n" * 8_000,
        "| | |\n|-|",
        "```",
        "\u2028\u2029\u202e\u2066",
    ],
    ids=lambda text: repr(text[:8]),
)
@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
def test_odd_texts_are_shown(view: TranscriptView, qtbot: QtBot, text: str, role: Role) -> None:
    view.set_messages([message(1, role, text)])
    qtbot.waitUntil(lambda: canvas_of(view).items[0].is_read, timeout=30_000)
    view.repaint()
    canvas_of(view).verticalScrollBar().setValue(0)
    view.repaint()
    assert view.message_text("1") == text


# --- states ---


@pytest.mark.parametrize(
    ("status", "says", "buttons"),
    [
        (MessageStatus.QUEUED, "", []),
        (MessageStatus.RUNNING, "Reading the prompt", []),
        (MessageStatus.STREAMING, "Writing", []),
        (MessageStatus.STOPPED, "Stopped", ["Continue", "Copy this answer"]),
        (
            MessageStatus.INTERRUPTED,
            "Interrupted before it was complete",
            ["Continue", "Copy this answer"],
        ),
        (MessageStatus.FAILED, "No room left.", ["Try again", "Copy this answer"]),
        (MessageStatus.COMPLETE, "", ["Copy this answer"]),
    ],
)
def test_each_state_says_what_it_is(
    view: TranscriptView, status: MessageStatus, says: str, buttons: list[str]
) -> None:
    error = "No room left." if status == MessageStatus.FAILED else ""
    view.set_messages([message(1, content="Text", status=status, error=error)])
    footer = footer_of(view, 0)
    assert footer.text == says
    assert all(b.isVisible() for b in footer.buttons)
    assert [b.accessibleName() for b in footer.buttons] == buttons


def test_buttons_ask_for_their_message(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(7, content="Text", status=MessageStatus.INTERRUPTED)])
    with qtbot.waitSignal(view.continue_requested, check_params_cb=lambda i: i == "7"):
        press(view, 0, "Continue")
    view.update_message(message(7, content="Text **b**", status=MessageStatus.FAILED))
    with qtbot.waitSignal(view.retry_requested, check_params_cb=lambda i: i == "7"):
        press(view, 0, "Try again")
    press(view, 0, "Copy this answer")
    assert QGuiApplication.clipboard().text() == "Text **b**"


def test_figures_leave_out_what_is_unknown(view: TranscriptView) -> None:
    full = Statistics(completion_tokens=214, ttft=0.184, decode_tps=61.27)
    view.set_messages([message(1, content="x", statistics=full)])
    footer = footer_of(view, 0)
    assert footer.text == "214 tokens · 61.3 tokens/s · first token 0.18 s"
    view.update_message(message(1, content="x", statistics=Statistics(completion_tokens=1)))
    assert footer.text == "1 token"
    cut = Statistics(completion_tokens=2, finish_reason="length")
    view.update_message(message(1, content="x", statistics=cut))
    assert footer.text == "Ended at the length limit · 2 tokens"


# --- code ---


def test_copy_gives_the_exact_source(view: TranscriptView, qtbot: QtBot) -> None:
    source = "  if x:\n\tprint('<b>&amp;')  \n\n```inner```"
    view.set_messages([message(1, content=f"````py\n{source}\n````\n")])
    (block,) = code_blocks(view)
    (button,) = block.focus_stops()
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == source
    assert button.accessibleName() == "Copied"


def test_code_is_coloured_in_the_background(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="```python\nimport os  # why\nx = 'a'\n```")])
    (block,) = code_blocks(view)
    qtbot.waitUntil(lambda: block.is_highlighted, timeout=10_000)
    assert block.spans(0) == [(0, 6, "keyword"), (11, 5, "comment")]
    assert block.spans(1) == [(4, 3, "string")]


def test_an_unknown_language_is_shown_plainly(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="```klingon\nnuqneH\n```")])
    (block,) = code_blocks(view)
    qtbot.waitUntil(lambda: block.is_highlighted, timeout=10_000)
    assert block.spans(0) == []


# --- selection ---


def drag(qtbot: QtBot, view: TranscriptView, start: QPoint, end: QPoint) -> None:
    port = canvas_of(view).viewport()
    QTest.mousePress(port, LEFT, NONE, start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, LEFT, NONE, end)


def corner(view: TranscriptView, item: int, part: int, *, end: bool = False) -> QPoint:
    """A point at the beginning or the end of a part, in the viewport."""
    frame = frame_of(view, item)
    widget = frame.widgets[part]
    inside = QPoint(widget.width() - 1, widget.height() - 3) if end else QPoint(0, 3)
    return frame.pos() + widget.pos() + inside


def test_a_drag_selects_across_messages(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages(
        [message(1, Role.USER, "a question"), message(2, content="first\n\nsecond 😀 *part*")]
    )
    drag(qtbot, view, corner(view, 0, 0), corner(view, 1, 1, end=True))
    assert view.selected_text() == "a question\n\nfirst\n\nsecond 😀 part"
    QTest.keyClick(frame_of(view, 0), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == view.selected_text()
    QTest.keyClick(frame_of(view, 0), Qt.Key.Key_Escape)
    assert view.selected_text() == ""


def test_a_drag_upwards_selects_the_same(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="first\n\n```\ncode\n```\n\nsecond")])
    drag(qtbot, view, corner(view, 0, 2, end=True), corner(view, 0, 0))
    assert view.selected_text() == "first\n\ncode\n\nsecond"


def test_the_mouse_reaches_the_page_through_its_parts(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="first\n\nsecond part")])
    first, second = (frame_of(view, 0).widgets[part] for part in (0, 1))
    QTest.mousePress(first, LEFT, NONE, QPoint(0, 5))
    QTest.mouseMove(first, QPoint(30, 5))
    QTest.mouseMove(second, QPoint(500, 5))
    QTest.mouseRelease(second, LEFT, NONE, QPoint(500, 5))
    assert view.selected_text() == "first\n\nsecond part"


def test_copying_goes_before_the_windows_own_shortcut(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light", 11)
    window = QMainWindow()
    qtbot.addWidget(window)
    view = TranscriptView()
    window.setCentralWidget(view)
    action = QAction("Copy", window)
    action.setShortcut(QKeySequence.StandardKey.Copy)
    window.addAction(action)
    view.set_messages([message(1, content="the answer")])
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    frame = frame_of(view, 0)
    frame.setFocus()
    with qtbot.assertNotEmitted(action.triggered):
        QTest.keyClick(frame, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "the answer"


def test_a_double_click_selects_a_word(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="hello world")])
    port = canvas_of(view).viewport()
    QTest.mouseDClick(port, LEFT, NONE, corner(view, 0, 0) + QPoint(10, 6))
    assert view.selected_text() == "hello"


def test_everything_can_be_selected_and_copied(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(n, content=f"answer {n}\n\n```\ncode {n}\n```") for n in range(300)])
    frame = frame_of(view, 299)
    frame.setFocus()
    QTest.keyClick(frame, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    text = view.selected_text()
    assert text.startswith("answer 0\n\ncode 0\n\nanswer 1\n\n")
    assert text.endswith("code 299")


def test_table_cells_are_selected_as_shown(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="| a | b |\n|---|---|\n| one | two |\n")])
    canvas_of(view).select_all()
    assert view.selected_text() == "a\tb\none\ttwo"


def test_a_click_on_a_link_only_asks(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="[here](https://example.org/x) and not here")])
    port = canvas_of(view).viewport()
    point = corner(view, 0, 0) + QPoint(8, 6)
    with qtbot.waitSignal(
        view.link_activated, check_params_cb=lambda url: url == "https://example.org/x"
    ):
        QTest.mouseClick(port, LEFT, NONE, point)
    with qtbot.assertNotEmitted(view.link_activated):
        QTest.mouseClick(port, LEFT, NONE, point + QPoint(80, 0))
        drag(qtbot, view, point, point + QPoint(60, 0))
    labels = [action.text() for action in canvas_of(view).make_menu(point).actions()]
    assert "Copy link address" in labels


# --- keyboard and screen readers ---


def test_tab_visits_a_message_and_its_buttons_then_leaves(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light", 11)
    window = QWidget()
    qtbot.addWidget(window)
    box = QVBoxLayout(window)
    before, view, after = QLineEdit(), TranscriptView(), QLineEdit()
    for widget in (before, view, after):
        box.addWidget(widget)
    window.resize(800, 700)
    view.set_messages([message(1, Role.USER, "Hi"), message(2, content=ANSWER, model="M")])
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    before.setFocus()
    visited: list[str] = []
    for _ in range(6):
        QTest.keyClick(focus(), Qt.Key.Key_Tab)
        focused = focus()
        visited.append(focused.accessibleName().split(":")[0])
        if focused is after:
            break
    assert visited == ["M", "Copy code", "Copy this answer", "Edit…", ""]
    QTest.keyClick(after, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    frame = focus()
    assert isinstance(frame, MessageFrame)
    QTest.keyClick(frame, Qt.Key.Key_Up)
    assert focus().accessibleName() == "You: Hi"
    QTest.keyClick(focus(), Qt.Key.Key_Down)
    assert focus() is frame
    QTest.keyClick(frame, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == ANSWER
    QTest.keyClick(frame, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert focus() is before


def test_keys_scroll_through_a_long_message_then_move_on(
    view: TranscriptView, qtbot: QtBot
) -> None:
    view.set_messages([message(1, content=LONG), message(2, Role.USER, "next")])
    canvas = canvas_of(view)
    with qtbot.waitActive(view):
        view.activateWindow()
    canvas.focus_message(0, Qt.FocusReason.TabFocusReason)
    assert canvas.verticalScrollBar().value() < 30
    for _ in range(200):
        QTest.keyClick(focus(), Qt.Key.Key_Down)
        if canvas.current == 1:
            break
    assert canvas.current == 1
    QTest.keyClick(frame_of(view, 1), Qt.Key.Key_Home)
    assert canvas.verticalScrollBar().value() == 0
    QTest.keyClick(canvas, Qt.Key.Key_End)
    assert view.at_end


def test_whatever_takes_the_focus_has_a_name(view: TranscriptView) -> None:
    view.set_messages(
        [
            message(1, Role.USER, "Hi"),
            message(2, content=ANSWER, status=MessageStatus.STREAMING),
            message(3, content=ANSWER, status=MessageStatus.FAILED),
        ]
    )
    for widget in view.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            assert widget.accessibleName(), widget


def test_a_theme_change_repaints_in_the_new_colours(
    view: TranscriptView, qapp: QApplication
) -> None:
    view.set_messages([message(1, Role.USER, "Hi"), message(2, content=ANSWER)])
    light = view.grab().toImage().pixelColor(5, 5)
    theme.apply(qapp, "dark", 13)
    dark = view.grab().toImage().pixelColor(5, 5)
    assert light.name() == theme.LIGHT.page
    assert dark.name() == theme.DARK.page
    theme.apply(qapp, "light", 11)
