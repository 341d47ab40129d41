"""The reader's place: kept, given back, and where a search leads."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.chats.chat import Message, MessageStatus, Role
from desktop.chats.markdown.markdown_parts import display_text
from desktop.views.transcript.finding import y_of
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.transcript_view import TranscriptView
from desktop.views.transcript.units import utf16_slice
from tests.gui.transcript_kit import (
    LONG,
    canvas_of,
    first_line,
    frame_of,
    message,
    open_view,
    thought_of,
)


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    return open_view(qtbot)


def long_chat(count: int = 6) -> list[Message]:
    return [message(n, content=f"{n}\n\n{LONG}") for n in range(count)]


def scroll(view: TranscriptView, value: int) -> None:
    canvas_of(view).verticalScrollBar().setValue(value)


# --- keeping it ---


def test_a_place_outlives_the_view(view: TranscriptView, qtbot: QtBot) -> None:
    chat = long_chat()
    chat[3] = message(3, content=LONG, reasoning=LONG)
    view.set_messages(chat)
    canvas_of(view).scroll_to_message(3)
    thought_of(view, 3).button.click()
    scroll(view, canvas_of(view).verticalScrollBar().value() + 900)
    kept, line = view.place(), first_line(canvas_of(view))
    other = open_view(qtbot)
    other.set_messages(chat)
    other.restore_place(kept)
    assert first_line(canvas_of(other)) == line
    assert canvas_of(other).items[3].unfolded
    assert not other.at_end


def test_a_place_at_the_end_is_the_end(view: TranscriptView) -> None:
    view.set_messages(long_chat())
    kept = view.place()
    scroll(view, 100)
    view.append_message(message("new", content=LONG))
    view.restore_place(kept)
    assert view.at_end


def test_a_place_that_is_gone_changes_nothing(view: TranscriptView) -> None:
    view.set_messages(long_chat())
    scroll(view, 2000)
    kept, line = view.place(), first_line(canvas_of(view))
    view.restore_place(None)
    assert first_line(canvas_of(view)) == line
    view.set_messages([])
    view.restore_place(kept)
    assert view.place().message_id == ""


@pytest.mark.parametrize("size", [9, 18])
def test_a_hidden_view_keeps_the_place_through_a_change_of_font(
    view: TranscriptView, qapp: QApplication, size: int
) -> None:
    view.set_messages(long_chat())
    scroll(view, 5000)
    item, part, _ = first_line(canvas_of(view))
    view.hide()
    layouts = PartWidget.layouts
    theme.apply(qapp, "dark", size)
    assert PartWidget.layouts == layouts
    view.append_message(message("new", status=MessageStatus.STREAMING))
    view.append_text("new", LONG)
    assert PartWidget.layouts == layouts
    view.show()
    assert first_line(canvas_of(view))[:2] == (item, part)


def test_messages_set_anew_leave_the_reader_where_they_are(view: TranscriptView) -> None:
    chat = long_chat()
    view.set_messages(chat)
    scroll(view, 5000)
    line = first_line(canvas_of(view))
    view.set_messages([*chat[:-1], message("other", content=LONG)])
    assert first_line(canvas_of(view)) == line


def test_another_chat_opens_at_its_end(view: TranscriptView) -> None:
    view.set_messages(long_chat())
    scroll(view, 0)
    other = [
        Message(str(n), "another", None, Role.ASSISTANT, LONG, MessageStatus.COMPLETE)
        for n in range(4)
    ]
    view.set_messages(other)
    assert view.at_end


def test_views_that_were_left_have_no_widgets(qtbot: QtBot) -> None:
    views = [open_view(qtbot) for _ in range(6)]
    for one in views:
        one.set_messages(long_chat())
        scroll(one, 3000)
        if one is views[0]:
            place = first_line(canvas_of(one))
        one.hide()
    assert [bool(canvas_of(one).frames) for one in views] == [False] * 3 + [True] * 3
    qtbot.waitUntil(lambda: not any(one.findChildren(PartWidget) for one in views[:3]))
    views[0].show()
    # Not by pixels from the top: what lies above may have been measured anew.
    assert first_line(canvas_of(views[0])) == place
    assert len(views[0].findChildren(PartWidget)) > 0


# --- only what is near is looked at ---


def test_ten_thousand_messages_are_not_looked_at(view: TranscriptView) -> None:
    view.set_messages([message(n, content="word " * 90) for n in range(10_000)])
    canvas = canvas_of(view)
    layouts = PartWidget.layouts
    assert len(list(canvas.items.made())) < 30
    view.resize(700, 600)
    theme.apply(_application(), "light", 12)
    assert len(list(canvas.items.made())) < 40
    assert PartWidget.layouts - layouts < 60
    scroll(view, canvas.verticalScrollBar().maximum() // 2)
    assert len(list(canvas.items.made())) < 60


def _application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


# --- revealing ---


def marked(view: TranscriptView) -> list[str]:
    """What is marked, from top to bottom."""
    found: list[str] = []
    for _, frame in sorted(canvas_of(view).frames.items()):
        for _, widget in sorted(frame.widgets.items()):
            part = widget.part
            if part is not None:
                text = display_text(part)
                found += [utf16_slice(text, start, end) for start, end in widget.marks]
    return found


@pytest.mark.parametrize(
    "needle",
    [
        "the ember",
        "> the ember",
        "- the ember",
        "```\nx = 1\nthe ember\n```",
        "| a |\n|-|\n| the ember |",
    ],
    ids=["prose", "quote", "list", "code", "table"],
)
def test_a_hit_is_brought_to_the_middle(view: TranscriptView, needle: str) -> None:
    chat = [message(n, content=LONG) for n in range(400)]
    chat[123] = message(123, content=f"{LONG}\n\n{needle}\n\n{LONG}")
    view.set_messages(chat)
    assert view.reveal("123", ("Ember",))
    assert marked(view) == ["ember"]
    frame = frame_of(view, 123)
    (widget,) = [w for w in frame.widgets.values() if w.marks]
    y = frame.y() + widget.y() + y_of(widget, widget.marks[0][0])
    assert abs(y - view.height() // 2) < 40
    assert not view.at_end


def test_a_hit_in_ten_thousand_messages(view: TranscriptView) -> None:
    view.set_messages([message(n, content=f"Number {n} of *many* words.") for n in range(10_000)])
    assert view.reveal("77", ("77",))
    assert frame_of(view, 77).isVisible()
    assert len(list(canvas_of(view).items.made())) < 80
    assert marked(view) == ["77"]


def test_a_hit_in_what_it_thought_unfolds_it(view: TranscriptView) -> None:
    chat = [message(n, content=LONG, reasoning="Hm, embers.") for n in range(5)]
    view.set_messages(chat)
    view.reveal("2", ("embers",))
    assert [item.unfolded for item in canvas_of(view).items] == [False, False, True, False, False]
    assert marked(view) == ["embers"]


def test_a_message_without_the_words_is_shown_at_its_beginning(view: TranscriptView) -> None:
    view.set_messages(long_chat())
    assert view.reveal("2", ("absent",))
    assert 0 <= frame_of(view, 2).y() < 40
    assert not canvas_of(view).items[2].unfolded
    assert not view.reveal("nowhere", ())


def test_marks_follow_the_scrolling_and_go_with_escape(view: TranscriptView) -> None:
    view.set_messages([message(n, content=f"{LONG}\n\nash {n}") for n in range(20)])
    view.reveal("10", ("ash",))
    assert marked(view) == ["ash"]
    canvas = canvas_of(view)
    canvas.scroll_to_message(15)
    scroll(view, canvas.verticalScrollBar().value() - 200)
    assert "ash" in marked(view)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert marked(view) == []


def test_the_found_message_stands_out_for_a_moment(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages(long_chat())
    view.reveal("3", ("goes",))
    point = QPoint(frame_of(view, 3).width() // 2, 0)
    canvas_of(view).scroll_to_message(3)
    ring = frame_of(view, 3).grab().toImage().pixelColor(point).name()
    assert ring == theme.current().accent
    qtbot.waitUntil(
        lambda: frame_of(view, 3).grab().toImage().pixelColor(point).name() != ring, timeout=5000
    )
