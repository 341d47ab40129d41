"""The sidebar in the window: a hit is jumped to, and the actions reach it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop import session as session_file
from desktop.app import Inglenook
from desktop.chats.chat_tree import ChatTree
from desktop.chats.search import SearchQuery
from desktop.views.sidebar.bin_dialog import BinDialog
from desktop.views.sidebar.transfer_dialogs import ExportDialog, ImportDialog
from desktop.views.transcript.prose_block import ProseBlock
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.helpers.transfers import tree


def with_chat(open_window: OpenWindow, qtbot: QtBot, chat: ChatTree) -> tuple[Inglenook, str]:
    app = open_window("tokens_per_second=400 load_seconds=0.05")
    chat_id = stored(app.hub.store.import_tree(chat)).id
    app.hub.refresh()
    chat_list = app.window.chat_list
    qtbot.waitUntil(lambda: chat_list.model.row_of(chat_id) is not None, timeout=WAIT_MS)
    return app, chat_id


def test_a_hit_opens_its_chat_at_the_message(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, chat_id = with_chat(open_window, qtbot, tree("A chat", "An unmistakable answer"))
    window = app.window
    with qtbot.waitActive(window):
        window.activateWindow()
    window.actions_by_name["search"].trigger()
    field = window.chat_list.filter
    assert field.hasFocus()
    QTest.keyClicks(field, "old answ")  # on the branch that is not shown
    model = window.chat_list.search_panel().model
    qtbot.waitUntil(lambda: model.is_complete and model.first_hit() is not None, timeout=WAIT_MS)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)
    tab = window.area.tab_of(chat_id)
    assert tab is not None
    assert window.area.current_tab() is tab
    qtbot.waitUntil(lambda: tab.session.messages[-1].content == "An old answer", timeout=WAIT_MS)


def test_all_words_are_marked_whatever_the_snippet_shows(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    answer = "The lighthouse stands alone. " + "Waves come and go. " * 40 + "The keeper sleeps."
    app, chat_id = with_chat(open_window, qtbot, tree("A chat", answer))
    hits = stored(app.store.search(SearchQuery("keeper lighthouse"))).hits
    hit = next(hit for hit in hits if hit.message_id)
    assert "keeper" not in hit.snippet  # too far away
    app.window.tabs.show_hit(hit)
    qtbot.waitUntil(lambda: app.window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)
    tab = app.window.area.tab_of(chat_id)
    assert tab is not None
    qtbot.waitUntil(lambda: tab.session.is_whole, timeout=WAIT_MS)

    def marked() -> set[str]:
        tab.grab()
        return {
            block.document.toPlainText()[start:end]
            for block in tab.transcript.findChildren(ProseBlock)
            for start, end in block.marks
        }

    qtbot.waitUntil(lambda: marked() == {"lighthouse", "keeper"}, timeout=WAIT_MS)


def test_esc_goes_back_to_the_composer(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, _ = with_chat(open_window, qtbot, tree("A chat"))
    window = app.window
    with qtbot.waitActive(window):
        window.activateWindow()
    tab = window.area.current_tab()
    assert tab is not None
    tab.focus_composer()
    composer = QApplication.focusWidget()
    window.actions_by_name["search"].trigger()
    QTest.keyClicks(window.chat_list.filter, "chat")
    QTest.keyClick(window.chat_list.filter, Qt.Key.Key_Escape)
    assert window.chat_list.filter.text() == ""
    assert QApplication.focusWidget() is composer


def test_the_actions_reach_the_sidebar(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, chat_id = with_chat(open_window, qtbot, tree("A chat"))
    window, actions = app.window, app.window.actions_by_name
    window.tabs.show(chat_id)
    qtbot.waitUntil(lambda: window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)
    actions["pin_chat"].trigger()
    qtbot.waitUntil(lambda: window.chat_list.model.row_of(chat_id) == 1, timeout=WAIT_MS)
    actions["archive_chat"].trigger()
    qtbot.waitUntil(lambda: window.chat_list.model.row_of(chat_id) is None, timeout=WAIT_MS)
    summary = window.chat_list.model.summary
    qtbot.waitUntil(lambda: summary(chat_id) is not None, timeout=WAIT_MS)
    for name, kind in (
        ("show_bin", BinDialog),
        ("export_chat", ExportDialog),
        ("export_all", ExportDialog),
        ("import_chats", ImportDialog),
    ):
        actions[name].trigger()
        qtbot.waitUntil(lambda kind=kind: bool(window.findChildren(kind)), timeout=WAIT_MS)  # type: ignore[misc]
        for dialog in window.findChildren(kind):
            dialog.close()
        qtbot.waitUntil(lambda kind=kind: not window.findChildren(kind), timeout=WAIT_MS)  # type: ignore[misc]


def test_closed_folders_stay_closed(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app, chat_id = with_chat(open_window, qtbot, replace(tree("A chat"), folder="Work"))
    model = app.window.chat_list.model
    with qtbot.waitSignal(app.window.session_changed, timeout=WAIT_MS):
        model.set_open(1, False)
    app.window.close()
    saved, _ = session_file.load(folders.session)
    assert saved.closed_folders == ("Work",)
    model.close_folders(())
    assert model.row_of(chat_id) is not None
    model.close_folders(saved.closed_folders)
    assert model.row_of(chat_id) is None
