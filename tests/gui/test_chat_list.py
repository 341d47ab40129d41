"""The sidebar's list: groups, keys, menus, undo, drags; and the search field above it."""

from __future__ import annotations

import time
from concurrent.futures import Future
from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.background import Background
from desktop.chats.chat import ChatSummary, Role
from desktop.chats.search import SearchHit, SearchPage, SearchQuery
from desktop.models.lists import chat_list_model
from desktop.models.lists.chat_list_model import ChatListModel, ChatRole
from desktop.models.lists.chat_list_rows import RowKind
from desktop.models.session.session_state import SessionState
from desktop.views.sidebar.chat_list import ChatList
from desktop.views.sidebar.chat_list_menu import ChatMenu
from tests.gui.conftest import WAIT_MS


def summary(number: int, title: str, days: float = 0, **more: object) -> ChatSummary:
    updated = time.time() - days * 86400
    return ChatSummary(f"id{number}", title, 1000 - number, updated, **more)  # type: ignore[arg-type]


CHATS = [
    summary(1, "Ember and ash"),
    summary(2, "Paged attention"),
    summary(3, "A letter to Ada", 1),
    summary(4, "Old plans", 400),
]
FOLDERS = [
    summary(10, "Kept", folder="Work", pinned=True),
    summary(11, "Report", folder="Work"),
    summary(12, "Beans", 3, folder="Garden"),
    *CHATS,
]


def texts(model: ChatListModel) -> list[str]:
    return [model.index(row).data() for row in range(model.rowCount())]


# --- the model ---------------------------------------------------------------------


def test_chats_stand_below_date_headings(qtmodeltester: ModelTester) -> None:
    model = ChatListModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.set_chats(CHATS)
    assert texts(model) == [
        *("Today", "Ember and ash", "Paged attention"),
        *("Yesterday", "A letter to Ada", "Older", "Old plans"),
    ]
    model.set_chats([summary(9, "Kept at hand", 90, pinned=True), *CHATS])
    assert texts(model)[:3] == ["Pinned", "Kept at hand", "Today"]


def test_folders_and_the_archive_open_and_close(qtmodeltester: ModelTester) -> None:
    model = ChatListModel()
    model.set_chats(FOLDERS)
    model.set_archived([summary(20, "Gone by", 50, archived=True)])
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    assert texts(model)[:8] == [
        *("Pinned", "Kept", "Folders", "Garden", "Beans", "Work", "Report", "Today"),
    ]
    assert texts(model)[-1] == "Archived"
    spoken = model.index(5).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Work" in spoken
    assert "open" in spoken
    model.set_open(5, False)
    assert "Report" not in texts(model)
    assert model.row_of("id11") is None
    assert model.reveal("id11") is not None
    model.set_open(model.rowCount() - 1, True)
    assert texts(model)[-1] == "Gone by"
    model.set_archived([])
    assert "Archived" not in texts(model)


def test_imported_chats_stand_where_their_date_belongs() -> None:
    model = ChatListModel()
    model.set_chats([summary(1, "imported", 500), summary(2, "imported too", 400), *CHATS[:1]])
    assert texts(model) == ["Today", "Ember and ash", "Older", "imported too", "imported"]


def test_a_clock_that_was_set_back_repeats_no_heading() -> None:
    model = ChatListModel()
    model.set_chats([summary(1, "a", 1), summary(2, "b"), summary(3, "c", 1)])
    assert texts(model).count("Yesterday") == 1
    model.set_chats([summary(1, "ahead", -400), summary(2, "b")])
    assert texts(model) == ["Today", "ahead", "b"]


@pytest.mark.parametrize("updated", [0.0, -1.0, 1e300, float("nan"), float("inf")])
def test_a_time_that_no_calendar_has(updated: float) -> None:
    model = ChatListModel()
    model.set_chats([ChatSummary("x", "title", 1, updated)])
    assert model.rowCount() == 2


@pytest.mark.parametrize(
    ("days", "heading"),
    [(0, "Today"), (1, "Yesterday"), (3, "This week"), (20, "This month"), (99, "Older")],
)
def test_headings(days: int, heading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    today = date(2026, 3, 31)
    now = time.mktime(today.timetuple()) + 60  # just after midnight
    clock = SimpleNamespace(time=lambda: now)
    monkeypatch.setattr(chat_list_model, "time", clock)
    noon = time.mktime((today - timedelta(days)).timetuple()) + 43200
    model = ChatListModel()
    model.set_chats([ChatSummary("x", "title", 1, noon)])
    assert texts(model) == [heading, "title"]


def test_a_chat_that_is_answered_says_so(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.set_chats(CHATS)
    with qtbot.waitSignal(model.dataChanged):
        model.set_state("id2", SessionState.STREAMING)
    index = model.index(2)
    assert index.data(ChatRole.STATE_TEXT) == "writing"
    with qtbot.assertNotEmitted(model.modelReset):
        model.set_chats([*CHATS[:1], summary(2, "Renamed"), *CHATS[2:]])
    assert model.index(2).data() == "Renamed"


def test_blank_chats_can_be_left_out() -> None:
    model = ChatListModel()
    model.set_chats(CHATS)
    model.hide(["id1", "id2"])
    assert texts(model)[0] == "Yesterday"
    model.hide([])
    assert texts(model)[0] == "Today"


def test_chats_are_dropped_on_folders(qtbot: QtBot) -> None:
    model = ChatListModel()
    model.set_chats(FOLDERS)
    model.set_archived([summary(20, "Gone by", 50, archived=True)])
    data = model.mimeData([model.index(model.row_of("id1") or 0), model.index(0)])
    places = {text: row for row, text in enumerate(texts(model))}

    def drop(on: str) -> None:
        move = Qt.DropAction.MoveAction
        assert not model.dropMimeData(data, move, -1, -1, model.index(places[on]))

    for on, folder in (("Garden", "Garden"), ("Report", "Work"), ("Ember and ash", "")):
        with qtbot.waitSignal(model.dropped) as dropped:
            drop(on)
        assert dropped.args == [("id1",), folder]
    with qtbot.waitSignal(model.archive_dropped) as archived:
        drop("Archived")
    assert archived.args == [("id1",)]
    assert not model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, QModelIndex())


def test_a_drag_ends_on_the_folder_under_the_pointer(view: ChatList, qtbot: QtBot) -> None:
    model, viewport = view.model, view.view.viewport()
    folder = next(i for i, row in enumerate(model.rows()) if row.text == "Garden")
    place = QPointF(view.view.visualRect(model.index(folder)).center())
    data = model.mimeData([model.index(model.row_of("id1") or 0)])
    how = (Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(viewport, QDragEnterEvent(place.toPoint(), *how, none))
    QApplication.sendEvent(viewport, QDragMoveEvent(place.toPoint(), *how, none))
    with qtbot.waitSignal(model.dropped) as dropped:
        QApplication.sendEvent(viewport, QDropEvent(place, *how, none))
    assert dropped.args == [("id1",), "Garden"]
    assert model.row_of("id1") is not None  # until the store has moved it


# --- the list ----------------------------------------------------------------------


@pytest.fixture
def view(qtbot: QtBot) -> ChatList:
    chat_list = ChatList()
    qtbot.addWidget(chat_list)
    chat_list.resize(264, 600)
    chat_list.set_chats(FOLDERS)
    chat_list.show()
    with qtbot.waitActive(chat_list):
        chat_list.activateWindow()
    return chat_list


def choose(view: ChatList, *ids: str) -> None:
    chooser = view.view.selectionModel()
    chooser.clearSelection()
    for id_ in ids:
        row = view.model.row_of(id_)
        assert row is not None
        flags = QItemSelectionModel.SelectionFlag
        chooser.setCurrentIndex(view.model.index(row), flags.Select)


def test_a_list_of_many_chats_is_not_laid_out_for_a_state(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = ChatList()
    qtbot.addWidget(view)
    view.set_chats([summary(i, f"Chat {i}") for i in range(1000)])
    view.show()
    assert view.view.uniformItemSizes()
    asked: list[object] = []

    def count_rows(parent: object = None) -> int:
        asked.append(parent)
        return 1001

    monkeypatch.setattr(view.model, "rowCount", count_rows)
    for i in range(100):
        view.model.set_state(f"id{i}", SessionState.STREAMING)
    for_states = len(asked)
    view.view.executeDelayedItemsLayout()
    assert len(asked) - for_states < 10  # nothing was put off: each row would ask


def test_choices_and_place_outlive_a_change_of_the_list(view: ChatList) -> None:
    view.view.setFocus()
    choose(view, "id1", "id3")
    view.set_chats([summary(99, "New one"), *FOLDERS])
    assert view.view.selected_ids() == ["id1", "id3"]
    row = view.view.current_row()
    assert row is not None
    assert row.chat_id == "id3"


def test_the_keyboard_stays_where_a_row_vanishes(view: ChatList) -> None:
    view.view.setFocus()
    choose(view, "id2")
    view.set_chats([chat for chat in FOLDERS if chat.id != "id2"])
    assert view.view.hasFocus()
    row = view.view.current_row()
    assert row is not None
    assert row.chat_id == "id3"
    view.set_chats([])
    assert view.filter.hasFocus()


def test_keys_in_the_list(view: ChatList, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view.view.setFocus()
    choose(view, "id1", "id2")
    deleted: list[str] = []
    view.delete_requested.connect(deleted.append)
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    assert deleted == ["id1", "id2"]
    renamed: list[tuple[str, str]] = []
    monkeypatch.setattr(view, "rename", lambda id_, title: renamed.append((id_, title)))
    choose(view, "id3")
    QTest.keyClick(view.view, Qt.Key.Key_F2)
    assert renamed == [("id3", "A letter to Ada")]
    choose(view, "id11")
    QTest.keyClick(view.view, Qt.Key.Key_Left)
    row = view.view.current_row()
    assert row is not None
    assert row.text == "Work"
    QTest.keyClick(view.view, Qt.Key.Key_Left)
    assert view.model.row_of("id11") is None
    QTest.keyClick(view.view, Qt.Key.Key_Right)
    assert view.model.row_of("id11") is not None
    QTest.keyClick(view.view, Qt.Key.Key_Return)
    assert view.model.row_of("id11") is None
    view.view.go_to(1)
    QTest.keyClick(view.view, Qt.Key.Key_Up)
    assert view.filter.hasFocus()
    QTest.keyClick(view.filter, Qt.Key.Key_Down)
    assert view.view.hasFocus()


def test_a_click_opens_and_ctrl_click_only_chooses(view: ChatList, qtbot: QtBot) -> None:
    chosen: list[str] = []
    view.chosen.connect(chosen.append)

    def click(id_: str, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        index = view.model.index(view.model.row_of(id_) or 0)
        place = view.view.visualRect(index).center()
        QTest.mouseClick(view.view.viewport(), Qt.MouseButton.LeftButton, keys, place)

    click("id1")
    assert chosen == ["id1"]
    click("id2", Qt.KeyboardModifier.ControlModifier)
    assert chosen == ["id1"]
    assert view.view.selected_ids() == ["id1", "id2"]


def test_chats_deleted_together_come_back_together(view: ChatList, qtbot: QtBot) -> None:
    back: list[str] = []
    view.undo_requested.connect(back.append)
    view.delete(["id1", "id2"])
    view.show_deleted("id1", "Ember and ash")
    assert view.undo_bar.text() == "Chat deleted"
    view.show_deleted("id2", "Paged attention")
    assert "2" in view.undo_bar.text()
    undo = next(b for b in view.undo_bar.findChildren(QAbstractButton) if b.text() == "Undo")
    undo.click()
    assert back == ["id1", "id2"]
    assert view.undo_bar.isHidden()
    view.show_deleted("id3", "A letter to Ada")
    assert "Ada" in view.undo_bar.accessibleName()
    view.undo()
    assert back[2:] == ["id3"]


def test_the_offer_to_undo_ends_by_itself(view: ChatList, qtbot: QtBot) -> None:
    view.undo_bar.timer.setInterval(10)
    view.show_deleted("id3", "A letter to Ada")
    qtbot.waitUntil(view.undo_bar.isHidden, timeout=WAIT_MS)
    with qtbot.assertNotEmitted(view.undo_requested):
        view.undo()


def test_the_menu_is_that_of_all_chosen_chats(view: ChatList) -> None:
    row = view.model.row_at(view.model.row_of("id1") or 0)
    assert row is not None
    alone = [action.text() for action in ChatMenu(view, None, row, ["id3"]).actions()]
    assert alone[:2] == ["Open", "Rename…"]
    both = [action.text() for action in ChatMenu(view, None, row, ["id1", "id3"]).actions()]
    assert not any("Rename" in text for text in both)
    assert any("2" in text for text in both)


# --- search ------------------------------------------------------------------------


class Store:
    """Answers searches when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[SearchQuery, Future[SearchPage]]] = []

    def search(self, query: SearchQuery) -> Future[SearchPage]:
        future: Future[SearchPage] = Future()
        self.asked.append((query, future))
        return future

    def answer(self, number: int, *texts: str) -> None:
        future = self.asked[number][1]
        if future.set_running_or_notify_cancel():
            hits = tuple(
                SearchHit("id4", "Old plans", f"m{text}", Role.USER, 5.0, text, ((0, 1),))
                for text in texts
            )
            future.set_result(SearchPage(hits, True, len(hits)))


@pytest.fixture
def store(view: ChatList) -> Store:
    result = Store()
    background = Background(view)
    view.search_panel().serve(result.search, background)
    return result


def results(view: ChatList) -> list[str]:
    model = view.search_panel().model
    return [model.index(row).data() for row in range(model.rowCount())]


def test_titles_come_at_once_and_enter_opens_the_first(view: ChatList, qtbot: QtBot) -> None:
    view.filter.setText("PAGED att")
    assert results(view) == ["Chats", "Paged attention"]
    with qtbot.waitSignal(view.chosen) as chosen:
        QTest.keyClick(view.filter, Qt.Key.Key_Return)
    assert chosen.args == ["id2"]
    view.filter.setText("zzz")
    assert "No title" in view.search_panel().empty.text()
    assert view.view.isHidden()


def test_messages_follow_and_late_results_are_never_shown(
    view: ChatList, store: Store, qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    qtmodeltester.check(view.search_panel().model)  # type: ignore[no-untyped-call]
    QTest.keyClicks(view.filter, "as")
    assert store.asked == []  # not before a short rest
    qtbot.waitUntil(lambda: len(store.asked) == 1, timeout=WAIT_MS)
    assert store.asked[0][0].text == "as"
    QTest.keyClicks(view.filter, "h")
    qtbot.waitUntil(lambda: len(store.asked) == 2, timeout=WAIT_MS)
    store.answer(0, "late")
    store.answer(1, "ashes")
    qtbot.waitUntil(lambda: "ashes" in results(view), timeout=WAIT_MS)
    chats, title, messages, hit = results(view)
    assert (chats, title, hit) == ("Chats", "Ember and ash", "ashes")
    assert messages.startswith("1 message")  # as the language in force counts
    QTest.keyClick(view.filter, Qt.Key.Key_Down)
    panel = view.search_panel()
    assert panel.results.hasFocus()
    QTest.keyClick(panel.results, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.hit_chosen) as chosen:
        QTest.keyClick(panel.results, Qt.Key.Key_Return)
    assert chosen.args is not None
    assert chosen.args[0].message_id == "mashes"
    QTest.keyClick(panel.results, Qt.Key.Key_X)
    assert view.filter.hasFocus()
    assert view.filter.text() == "ashx"


def test_enter_waits_for_what_is_still_searched(view: ChatList, store: Store, qtbot: QtBot) -> None:
    QTest.keyClicks(view.filter, "qqq")
    QTest.keyClick(view.filter, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(store.asked) == 1, timeout=WAIT_MS)
    assert "Searching" in view.search_panel().empty.text()
    with qtbot.waitSignal(view.hit_chosen) as chosen:
        store.answer(0, "qqqq")
    assert chosen.args is not None
    assert chosen.args[0].message_id == "mqqqq"


def test_esc_ends_the_search_and_goes_back(view: ChatList, store: Store, qtbot: QtBot) -> None:
    elsewhere = QLineEdit()
    outer = view.parentWidget() or view
    elsewhere.setParent(outer)
    elsewhere.show()
    elsewhere.setFocus()
    view._search._before = elsewhere
    view.filter.setFocus()
    view.filter.setText("ember")
    view.filter.left.emit()
    QTest.keyClick(view.search_panel().results, Qt.Key.Key_Escape)
    assert view.filter.text() == ""
    assert view.view.isVisible()
    assert elsewhere.hasFocus()


def test_a_search_that_fails_says_why(view: ChatList, store: Store, qtbot: QtBot) -> None:
    view.filter.setText("qqq")
    qtbot.waitUntil(lambda: len(store.asked) == 1, timeout=WAIT_MS)
    store.asked[0][1].set_running_or_notify_cancel()
    store.asked[0][1].set_exception(ValueError("the disk is gone"))
    empty = view.search_panel().empty
    qtbot.waitUntil(lambda: "the disk is gone" in empty.text(), timeout=WAIT_MS)


def test_nothing_found_is_said_in_words(view: ChatList, store: Store, qtbot: QtBot) -> None:
    view.filter.setText("qqq")
    qtbot.waitUntil(lambda: len(store.asked) == 1, timeout=WAIT_MS)
    store.answer(0)
    empty = view.search_panel().empty
    qtbot.waitUntil(lambda: "No chat and no message" in empty.text(), timeout=WAIT_MS)


def test_kinds_of_rows_have_one_height(view: ChatList) -> None:
    heights = {view.view.sizeHintForRow(row) for row in range(view.model.rowCount())}
    assert len(heights) == 1
    assert {row.kind for row in view.model.rows()} == {
        RowKind.HEADING,
        RowKind.FOLDER,
        RowKind.CHAT,
    }


def test_a_chat_that_comes_to_the_front_is_the_only_one_chosen(qtbot: QtBot) -> None:
    chat_list = ChatList()
    qtbot.addWidget(chat_list)
    chat_list.set_chats(CHATS)
    chat_list.set_current("id1")
    chat_list.show()
    with qtbot.waitActive(chat_list):
        chat_list.activateWindow()
    QTest.keyPress(chat_list, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    chat_list.set_current("id2")  # as after Ctrl+W, while Ctrl is still held
    QTest.keyRelease(chat_list, Qt.Key.Key_Control)
    assert chat_list.view.selected_ids() == ["id2"]
