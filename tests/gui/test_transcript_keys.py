"""The page by keyboard, by its menu, and as a screen reader sees it."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QContextMenuEvent,
    QGuiApplication,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Attachment, Message, MessageStatus, Role, Statistics
from desktop.views.transcript import accessible
from desktop.views.transcript.transcript_view import TranscriptView
from tests.gui.transcript_kit import (
    LONG,
    NONE,
    TAB,
    canvas_of,
    entry,
    focus,
    frame_of,
    message,
    open_view,
    thought_of,
    toolbar_for,
)

LINKS = "See [one](https://example.org/1) and [two](https://example.org/2).\n\n```\ncode\n```"
FILES = (Attachment("a", "notes.txt", "text"),)


@pytest.fixture
def view(qtbot: QtBot) -> TranscriptView:
    return open_view(qtbot)


def full_chat() -> list[Message]:
    """Every kind of thing that can stand on the page."""
    spent = Statistics(completion_tokens=3, reasoning_seconds=2)
    return [
        message(1, Role.USER, "Hi", siblings=("1", "5"), attachments=FILES),
        message(2, content=LINKS, reasoning="Hm.", statistics=spent, siblings=("2", "6")),
        message(3, Role.USER, "More"),
        message(4, content="So far", reasoning="Hm.", status=MessageStatus.STREAMING),
    ]


def walk_by_tab(view: TranscriptView, index: int) -> list[str]:
    """What Tab comes to from a message on, until it leaves; a link by its address."""
    canvas_of(view).focus_message(index, TAB)
    frame = frame_of(view, index)
    visited: list[str] = []
    while frame.focusNextPrevChild(True):
        visited.append(frame.link or focus().accessibleName())
    return visited


def test_tab_comes_to_everything_in_a_message(view: TranscriptView) -> None:
    view.set_messages(full_chat()[:3])
    thought_of(view, 1).button.click()
    assert walk_by_tab(view, 1) == [
        "Thought for 2 s",
        "Copy what it thought",
        "https://example.org/1",
        "https://example.org/2",
        "Copy code",
        "The next version",
        "Copy this answer",
        "Edit…",
    ]
    assert walk_by_tab(view, 0) == [
        "Show the attachment notes.txt, 4 bytes",
        "The next version",
        "Copy",
    ]


def test_tab_walks_back_the_same_way(view: TranscriptView) -> None:
    view.set_messages(full_chat()[:3])
    canvas_of(view).focus_message(1, TAB)
    frame = frame_of(view, 1)
    forth: list[str] = []
    for _ in range(4):
        frame.focusNextPrevChild(True)
        forth.append(frame.link or focus().accessibleName())
    back = [forth[-1]]
    for _ in range(3):
        frame.focusNextPrevChild(False)
        back.append(frame.link or focus().accessibleName())
    assert back == forth[::-1]
    frame.focusNextPrevChild(False)
    assert focus() is frame
    assert not frame.link


def test_enter_follows_a_link_that_has_the_focus(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content=LINKS)])
    canvas_of(view).focus_message(0, TAB)
    plain = frame_of(view, 0).grab().toImage()
    for _ in range(2):
        QTest.keyClick(focus(), Qt.Key.Key_Tab)
    assert frame_of(view, 0).grab().toImage() != plain
    with qtbot.waitSignal(
        view.link_activated, check_params_cb=lambda url: url == "https://example.org/2"
    ):
        QTest.keyClick(focus(), Qt.Key.Key_Return)


def test_what_tab_comes_to_is_in_view(view: TranscriptView) -> None:
    pieces = [f"[link {n}](https://example.org/{n})\n\n{LONG}" for n in range(4)]
    view.set_messages([message(1, content="\n\n".join(pieces))])
    canvas = canvas_of(view)
    canvas.verticalScrollBar().setValue(0)
    canvas.focus_message(0, TAB)
    frame = frame_of(view, 0)
    frame.focusNextPrevChild(True)
    assert frame.link == "https://example.org/0"
    frame.focusNextPrevChild(True)
    area = focus().rect().translated(focus().mapTo(canvas.viewport(), QPoint()))
    if not frame.link:
        assert canvas.viewport().rect().intersects(area)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_thought_unfolds_by_key(view: TranscriptView, key: Qt.Key) -> None:
    view.set_messages(full_chat()[:2])
    canvas_of(view).focus_message(1, TAB)
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    QTest.keyClick(focus(), key)
    assert canvas_of(view).items[1].unfolded
    assert focus() is thought_of(view, 1).button


def test_the_arrows_go_through_the_toolbar(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, Role.USER, "Hi")])
    canvas_of(view).focus_message(0, TAB)
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    visited = [focus().accessibleName()]
    for _ in range(2):
        QTest.keyClick(focus(), Qt.Key.Key_Right)
        visited.append(focus().accessibleName())
    QTest.keyClick(focus(), Qt.Key.Key_Left)
    visited.append(focus().accessibleName())
    assert visited == ["Copy", "Edit…", "Answer this message", "Edit…"]
    with qtbot.waitSignal(view.edit_requested):
        QTest.keyClick(focus(), Qt.Key.Key_Return)
    assert canvas_of(view).current == 0
    QTest.keyClick(focus(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert focus() is frame_of(view, 0)


def test_the_focus_stays_where_a_sibling_comes(view: TranscriptView) -> None:
    view.set_messages(full_chat()[:2])
    canvas_of(view).focus_message(1, TAB)
    view.set_messages([full_chat()[0], message(6, content="other", siblings=("2", "6"))])
    assert focus() is frame_of(view, 1)


# --- the menu ---


def test_the_menu_of_a_message(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(1, content="**Bank** it.", reasoning="Hm.")])
    menu = canvas_of(view).make_menu(frame_of(view, 0).geometry().center())
    assert not entry(menu, "Copy").isEnabled()
    entry(menu, "Copy message as Markdown").trigger()
    assert QGuiApplication.clipboard().text() == "**Bank** it."
    entry(menu, "Copy what it thought").trigger()
    assert QGuiApplication.clipboard().text() == "Hm."
    with qtbot.waitSignal(view.quote_requested, check_params_cb=lambda t: t == "**Bank** it."):
        entry(menu, "Quote in your reply").trigger()
    with qtbot.waitSignal(view.ways_requested, check_params_cb=lambda i, n: (i, n) == ("1", 4)):
        entry(menu, "4 answers").trigger()
    entry(menu, "Select all").trigger()
    menu = canvas_of(view).make_menu(frame_of(view, 0).geometry().center())
    with qtbot.waitSignal(view.quote_requested, check_params_cb=lambda t: t == "Bank it."):
        entry(menu, "Quote in your reply").trigger()


def test_the_menu_of_a_long_chat_reads_none_of_it(view: TranscriptView) -> None:
    view.set_messages([message(n, content=f"message {n}") for n in range(1000)])
    canvas = canvas_of(view)
    canvas.select_all()
    looked_at = len(list(canvas.items.made()))
    assert entry(canvas.make_menu(canvas.rect().center()), "Copy").isEnabled()
    assert len(list(canvas.items.made())) == looked_at < 100


def test_the_menu_key_is_for_what_has_the_focus(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _point: opened.append(menu))
    view.set_messages([message(1, content=LINKS), message(2, content="other")])
    canvas_of(view).focus_message(0, TAB)
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    canvas = canvas_of(view)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), canvas.mapToGlobal(QPoint(1, 1)), NONE
    )
    QApplication.sendEvent(canvas, event)
    (menu,) = opened
    entry(menu, "Copy link address").trigger()
    assert QGuiApplication.clipboard().text() == "https://example.org/1"
    entry(menu, "Copy message as Markdown").trigger()
    assert QGuiApplication.clipboard().text() == LINKS


def test_ctrl_and_the_wheel_zoom(view: TranscriptView, qtbot: QtBot) -> None:
    view.set_messages([message(n, content=LONG) for n in range(3)])
    zoomed: list[int] = []
    view.zoom_requested.connect(zoomed.append)
    canvas = canvas_of(view)
    before = canvas.verticalScrollBar().value()

    def turn(delta: int, modifiers: Qt.KeyboardModifier) -> None:
        place = QPointF(400, 300)
        event = QWheelEvent(
            place, canvas.viewport().mapToGlobal(place), QPoint(), QPoint(0, delta),
            Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas.viewport(), event)

    for delta in (120, 60, 60, -240):
        turn(delta, Qt.KeyboardModifier.ControlModifier)
    assert zoomed == [1, 1, -1, -1]
    assert canvas.verticalScrollBar().value() == before
    turn(120, NONE)
    assert canvas.verticalScrollBar().value() < before


# --- screen readers ---


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def name(item: QAccessibleInterface) -> str:
    return item.text(QAccessible.Text.Name)


def all_below(item: QAccessibleInterface) -> list[QAccessibleInterface]:
    children = [item.child(n) for n in range(item.childCount())]
    return [c for child in children if child is not None for c in (child, *all_below(child))]


def test_the_transcript_is_a_list_of_messages(view: TranscriptView) -> None:
    view.set_messages(full_chat())
    page = interface(canvas_of(view).viewport())
    assert page.role() == QAccessible.Role.List
    assert name(page) == "Transcript"
    items = [page.child(n) for n in range(page.childCount())]
    assert [item.role() for item in items if item is not None] == [QAccessible.Role.ListItem] * 4
    assert [name(item).split(":")[0] for item in items if item is not None] == [
        "You",
        "Assistant",
        "You",
        "Assistant",
    ]
    assert [bool(item.state().busy) for item in items if item is not None] == [
        False,
        False,
        False,
        True,
    ]
    assert page.indexOfChild(interface(frame_of(view, 2))) == 2
    assert items[1] is not None
    assert items[1].text(QAccessible.Text.Description) == "3 tokens"


def test_a_thought_says_whether_it_is_unfolded(view: TranscriptView) -> None:
    view.set_messages(full_chat()[:2])
    button = thought_of(view, 1).button
    item = interface(button)
    assert item.role() == QAccessible.Role.Button
    assert name(item) == "Thought for 2 s"
    assert (bool(item.state().expanded), bool(item.state().collapsed)) == (False, True)
    button.click()
    assert (bool(item.state().expanded), bool(item.state().collapsed)) == (True, False)


def test_whatever_can_have_the_focus_has_a_name(view: TranscriptView) -> None:
    view.set_messages(full_chat())
    thought_of(view, 1).button.click()
    toolbar_for(view, 1)
    for item in all_below(interface(view)):
        if item.state().focusable and not item.state().invisible:
            assert name(item), item.object()


def test_interfaces_go_with_their_widgets(qtbot: QtBot) -> None:
    for _ in range(3):
        view = TranscriptView()
        qtbot.addWidget(view)
        view.show()
        view.set_messages(full_chat())
        assert all_below(interface(view))
        view.close()
        view.deleteLater()
        del view
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (MessageStatus.COMPLETE, "The answer is complete: Bank it."),
        (MessageStatus.STOPPED, "The answer was stopped: Bank it."),
        (MessageStatus.INTERRUPTED, "The answer was interrupted: Bank it."),
        (MessageStatus.FAILED, "The answer failed: No room."),
    ],
)
def test_the_end_of_an_answer_is_announced_once(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch, status: MessageStatus, said: str
) -> None:
    announced: list[str] = []
    monkeypatch.setattr(accessible, "announce", lambda _widget, text: announced.append(text))
    view.set_messages([message(1, status=MessageStatus.STREAMING)])
    view.append_text("1", "Bank it.")
    view.update_message(message(1, content="Bank it.", status=MessageStatus.STREAMING))
    assert announced == []
    ended = message(1, content="Bank it.", status=status, error="No room.")
    view.update_message(ended)
    view.update_message(ended)
    assert announced == [said]
    view.update_message(message(1, status=MessageStatus.STREAMING))
    view.hide()
    view.update_message(ended)
    assert announced == [said]


def test_announcements_reach_qt(view: TranscriptView) -> None:
    accessible.announce(canvas_of(view), "The answer is complete")


@pytest.mark.parametrize("visited", ["footer", "stepper", "toolbar"])
def test_a_button_that_goes_while_the_page_is_elsewhere(view: TranscriptView, visited: str) -> None:
    """It takes the focus with it, and the page may follow that in the midst of its work."""
    stopped = message(0, content="cut off", status=MessageStatus.STOPPED, siblings=("0", "x"))
    view.set_messages([stopped, *(message(n, content=LONG) for n in range(1, 40))])
    canvas = canvas_of(view)
    canvas.focus_message(0, TAB)
    frame = frame_of(view, 0)
    if visited == "toolbar":
        toolbar_for(view, 0).buttons[0].setFocus(TAB)
    else:
        while frame.focusNextPrevChild(True):
            if visited in type(focus().parent()).__name__.lower():
                break
    for place in (0, canvas.verticalScrollBar().maximum()):
        canvas.verticalScrollBar().setValue(place)
        view.append_message(message(100 + place, status=MessageStatus.STREAMING))
        view.update_message(message(100 + place, content="done"))
    assert canvas.frames
