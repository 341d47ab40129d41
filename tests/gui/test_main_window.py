"""The window over the scripted engine: what the user sees and does."""

from __future__ import annotations

import sys
from concurrent.futures import Future

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop import settings as settings_file
from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.models.session.session_state import SessionState
from desktop.views.tabs.chat_tab import ChatTab
from engine.store.folders import starter_folder
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.helpers.stores import opened

FAST = "tokens_per_second=2000 load_seconds=0.05"


def current(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def ready(app: Inglenook, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)


def write(tab: ChatTab, text: str) -> None:
    """As a user does: type it and press Enter."""
    tab.composer.set_text(text)
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Return)


def add_tab(app: Inglenook, qtbot: QtBot) -> ChatTab:
    count = app.window.area.count()
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == count + 1, timeout=WAIT_MS)
    return current(app)


def status(tab: ChatTab) -> MessageStatus:
    return tab.session.messages[-1].status


def reopen(app: Inglenook, open_window: OpenWindow, **how: object) -> Inglenook:
    app.window.close()
    app.close()
    return open_window(**how)


def test_a_first_start_lets_one_write_at_once(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    tab = current(app)
    assert app.window.focusWidget() is tab.composer.editor
    assert tab.welcome.isVisible()
    assert "waits for the model" in tab.welcome.text()
    assert app.window.banner.isVisible()
    write(tab, "first question")
    qtbot.waitUntil(lambda: tab.waiting.isVisible(), timeout=WAIT_MS)
    assert "Waiting for the model" in tab.waiting.text()
    assert tab.composer.is_active
    assert tab.composer.text() == ""


def test_a_queued_message_is_answered_when_the_model_is_there(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("tokens_per_second=2000 load_seconds=0.6")
    write(current(app), "/long 20")
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    assert not app.window.banner.isVisible()
    assert "Ready" in app.window.status.state_text()


def test_four_tabs_stream_at_once_each_with_its_own_words(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("tokens_per_second=60 load_seconds=0.05")
    ready(app, qtbot)
    tabs = [current(app)]
    write(tabs[0], "/long 100000")
    for _ in range(3):
        tabs.append(add_tab(app, qtbot))
        write(tabs[-1], "/long 100000")
    qtbot.waitUntil(
        lambda: all(tab.session.state is SessionState.STREAMING for tab in tabs), timeout=WAIT_MS
    )
    qtbot.waitUntil(lambda: "tokens/s" in app.window.status.figures()[0], timeout=WAIT_MS)
    for tab in tabs:  # however slow the machine: none has ended before the last one began
        tab.session.stop()
    qtbot.waitUntil(
        lambda: all(status(tab) is MessageStatus.STOPPED for tab in tabs), timeout=WAIT_MS
    )
    chats = {tab.session.chat_id for tab in tabs}
    assert len(chats) == 4
    for tab in tabs:
        kept = stored(app.store.load_chat(tab.session.chat_id)).messages
        assert [m.content for m in kept] == [m.content for m in tab.session.messages]


def test_the_window_bears_the_title_of_its_chat(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    title = app.window.windowTitle
    qtbot.waitUntil(lambda: title() == "New chat – Inglenook", timeout=WAIT_MS)
    write(current(app), "first question")
    qtbot.waitUntil(lambda: title() == "first question – Inglenook", timeout=WAIT_MS)
    app.hub.rename_chat(current(app).session.chat_id, "Another")
    qtbot.waitUntil(lambda: title() == "Another – Inglenook", timeout=WAIT_MS)


def test_escape_stops_the_answer(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=50 load_seconds=0.05")
    ready(app, qtbot)
    tab = current(app)
    write(tab, "/long 4000")
    qtbot.waitUntil(lambda: tab.session.state is SessionState.STREAMING, timeout=WAIT_MS)
    assert tab.composer.button.text() == "Stop"
    assert app.window.actions_by_name["stop"].isEnabled()
    app.window.actions_by_name["stop"].trigger()
    qtbot.waitUntil(lambda: status(tab) is MessageStatus.STOPPED, timeout=WAIT_MS)
    assert tab.composer.button.text() == "Send"
    assert tab.session.messages[-1].content


def test_an_engine_crash_keeps_the_words_and_continue_goes_on(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    tab = current(app)
    write(tab, "/crash 30")
    qtbot.waitUntil(lambda: tab.session.state is SessionState.INTERRUPTED, timeout=WAIT_MS)
    before = tab.session.messages[-1]
    assert before.content
    assert tab.session.state is SessionState.INTERRUPTED
    ready(app, qtbot)
    assert tab.session.messages[-1] == before


def test_a_restart_brings_back_tabs_drafts_and_place(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/long 20")
    first = current(app)
    qtbot.waitUntil(lambda: status(first) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    second = add_tab(app, qtbot)
    second.composer.set_text("half a thought")
    write_third = add_tab(app, qtbot)
    write(write_third, "/long 10")
    qtbot.waitUntil(lambda: status(write_third) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    app.window.area.setCurrentWidget(second)
    app.window.area.tabBar().moveTab(0, 2)
    app.window.resize(780, 610)  # the offscreen screen has 800
    app.window.body.setSizes([300, 480])
    order = [tab.session.chat_id for tab in app.window.area.tabs()]
    sizes, size = app.window.body.sizes(), app.window.size()
    answer = first.session.messages[-1].content
    first_id = first.session.chat_id

    app = reopen(app, open_window, script=FAST, wait=False)
    qtbot.waitUntil(lambda: app.window.area.count() == 3, timeout=WAIT_MS)
    assert [tab.session.chat_id for tab in app.window.area.tabs()] == order
    assert current(app).composer.text() == "half a thought"
    assert app.window.size() == size
    assert app.window.body.sizes() == sizes
    again = app.window.area.tab_of(first_id)
    assert again is not None
    assert again.session.messages[-1].content == answer


def test_quitting_in_mid_stream_keeps_the_words(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=100 load_seconds=0.05")
    ready(app, qtbot)
    tab = current(app)
    write(tab, "/long 4000")
    qtbot.waitUntil(lambda: len(tab.session.messages[-1].content) > 40, timeout=WAIT_MS)
    app = reopen(app, open_window, script=FAST)
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)
    assert status(current(app)) is MessageStatus.INTERRUPTED
    assert len(current(app).session.messages[-1].content) > 40
    ready(app, qtbot)
    current(app).session.continue_answer(current(app).session.messages[-1].id)
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.STREAMING, timeout=WAIT_MS)


def test_a_prompt_beyond_the_context_comes_back_to_the_composer(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("tokens_per_second=2000 load_seconds=0.05 context=64")
    ready(app, qtbot)
    tab = current(app)
    text = "word " * 200
    write(tab, text)
    qtbot.waitUntil(lambda: tab.notice_bar.isVisible(), timeout=WAIT_MS)
    assert tab.composer.text() == text
    assert "64" in tab.notice_bar.text()
    assert "tokens" in tab.notice_bar.text()
    assert tab.session.messages == ()
    write(tab, "/long 5")
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)


def test_an_empty_message_gets_a_hint_that_goes_with_the_next_key(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    tab = current(app)
    write(tab, "  ")
    assert tab.notice_bar.isVisible()
    assert tab.session.messages == ()
    QTest.keyClicks(tab.composer.editor, "x")
    assert not tab.notice_bar.isVisible()


def test_delete_and_undo_while_it_is_answered(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=50 load_seconds=0.05")
    ready(app, qtbot)
    tab = current(app)
    chat_id = tab.session.chat_id
    write(tab, "/long 4000")
    qtbot.waitUntil(lambda: tab.session.state is SessionState.STREAMING, timeout=WAIT_MS)
    app.window.actions_by_name["delete_chat"].trigger()
    bar = app.window.chat_list.undo_bar
    qtbot.waitUntil(bar.isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: app.window.chat_list.model.rowCount() == 0, timeout=WAIT_MS)
    assert app.window.area.count() == 0
    undo = next(b for b in bar.findChildren(QAbstractButton) if b.text() == "Undo")
    undo.click()
    qtbot.waitUntil(lambda: app.window.area.count() == 1, timeout=WAIT_MS)
    assert current(app).session.chat_id == chat_id
    assert status(current(app)) is MessageStatus.STOPPED


def test_undo_is_offered_without_the_sidebar_too(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/echo hello")
    qtbot.waitUntil(lambda: not current(app).session.state.is_active, timeout=WAIT_MS)
    chat_id = current(app).session.chat_id
    app.window.actions_by_name["toggle_sidebar"].trigger()
    app.window.actions_by_name["delete_chat"].trigger()
    bar = app.window.store_bar
    qtbot.waitUntil(bar.isVisible, timeout=WAIT_MS)
    assert "was deleted" in bar.text()
    undo = next(b for b in bar.findChildren(QAbstractButton) if b.text() == "Undo")
    undo.click()
    assert bar.isHidden()
    qtbot.waitUntil(lambda: app.window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)


def test_what_is_done_to_a_chat_can_be_undone_without_the_sidebar(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/echo hello")
    qtbot.waitUntil(lambda: not current(app).session.state.is_active, timeout=WAIT_MS)
    app.window.actions_by_name["toggle_sidebar"].trigger()
    app.window.actions_by_name["pin_chat"].trigger()
    bar = app.window.store_bar
    qtbot.waitUntil(bar.isVisible, timeout=WAIT_MS)
    assert "pinned" in bar.text()
    chat_id = current(app).session.chat_id
    summary = app.window.chat_list.model.summary
    qtbot.waitUntil(lambda: getattr(summary(chat_id), "pinned", False), timeout=WAIT_MS)
    next(b for b in bar.findChildren(QAbstractButton) if b.text() == "Undo").click()
    assert bar.isHidden()
    qtbot.waitUntil(lambda: not getattr(summary(chat_id), "pinned", True), timeout=WAIT_MS)


def test_an_offer_that_is_over_is_not_made_elsewhere(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    app.window.actions_by_name["toggle_sidebar"].trigger()
    bar, undo_bar = app.window.store_bar, app.window.chat_list.undo_bar
    undone: list[str] = []
    undo_bar.offer("Done", "It was done", lambda: undone.append("it"))
    assert bar.isVisible()
    undo_bar.timer.timeout.emit()
    assert bar.isHidden()
    undo_bar.undo()
    assert undone == []


def test_a_closed_tab_leaves_the_cursor_in_the_next_one(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    for text in ("/echo one", "/echo two", "/echo three"):
        write(current(app), text)
        qtbot.waitUntil(lambda: not current(app).session.state.is_active, timeout=WAIT_MS)
        if text != "/echo three":
            front = current(app)
            app.window.actions_by_name["new_chat"].trigger()
            qtbot.waitUntil(lambda front=front: current(app) is not front, timeout=WAIT_MS)  # type: ignore[misc]
    for name in ("close_tab", "delete_chat"):
        current(app).focus_composer()
        app.window.actions_by_name[name].trigger()
        qtbot.waitUntil(
            lambda: app.window.focusWidget() is current(app).composer.editor, timeout=WAIT_MS
        )


def test_a_narrow_window_puts_the_sidebar_away(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window("load_seconds=5").window
    toggle = window.actions_by_name["toggle_sidebar"]
    assert window.chat_list.isVisible()
    window.resize(640, 600)
    qtbot.waitUntil(window.chat_list.isHidden, timeout=WAIT_MS)
    assert not toggle.isChecked()
    window.actions_by_name["theme_dark"].trigger()
    assert window.chat_list.isHidden()
    toggle.trigger()
    assert window.chat_list.isVisible()
    toggle.trigger()
    window.resize(1000, 600)
    qtbot.waitUntil(window.chat_list.isVisible, timeout=WAIT_MS)
    assert toggle.isChecked()
    assert window.settings.sidebar_visible


def test_closing_a_tab_lets_its_answer_go_on(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=100 load_seconds=0.05")
    ready(app, qtbot)
    tab = current(app)
    chat_id = tab.session.chat_id
    write(tab, "/long 60")
    qtbot.waitUntil(lambda: tab.session.state is SessionState.STREAMING, timeout=WAIT_MS)
    app.window.actions_by_name["close_tab"].trigger()
    assert app.window.area.count() == 0
    app.window.chat_list.chosen.emit(chat_id)
    assert current(app).session.chat_id == chat_id
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.COMPLETE, timeout=WAIT_MS)


def test_a_load_that_fails_says_why_and_offers_help(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app = open_window(FAST, model=str(folders.data / "gone"))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.FAILED, timeout=WAIT_MS)
    banner = app.window.banner
    assert banner.isVisible()
    assert "gone" in banner.text() or "folder" in banner.text()
    assert any("log" in button.text().lower() for button in banner.buttons())
    write(current(app), "/long 5")
    (folders.data / "gone").mkdir()
    app.window.desk.load(str(folders.data / "gone"))
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    assert app.window.settings.model == str(folders.data / "gone")
    assert settings_file.load(folders.settings)[0].model == str(folders.data / "gone")


def test_a_wrong_folder_does_not_cost_the_model_that_is_loaded(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app = open_window(FAST)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    loaded, chosen = app.client.view.model, app.window.settings.model
    app.window.desk.checks_folders = True  # as with the real engine
    with qtbot.waitSignal(app.window.desk.refused, timeout=WAIT_MS) as told:
        app.window.desk.load(str(folders.data))
    assert "config.json" in told.args[0]
    assert "stays loaded" in told.args[0]
    assert app.client.view.phase is Phase.READY
    assert (app.client.view.model, app.window.settings.model) == (loaded, chosen)


def test_a_wrong_folder_offers_the_way_back_to_the_starter(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app = open_window(FAST, model=str(folders.data / "gone"))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.FAILED, timeout=WAIT_MS)
    buttons = app.window.banner.buttons()
    next(b for b in buttons if b.text() == "Load the starter model").click()
    qtbot.waitUntil(lambda: app.client.view.model == str(starter_folder()), timeout=WAIT_MS)
    assert app.window.settings.model == str(starter_folder())


def test_a_deleted_starter_model_can_be_built_again(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    starter = starter_folder()
    app = open_window(FAST, model=str(starter))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.FAILED, timeout=WAIT_MS)
    button = app.window.banner.buttons()[0]
    assert "starter" in button.text().lower()
    script = f"import pathlib; pathlib.Path({str(starter)!r}).mkdir(parents=True)"
    app.window.desk.rebuild._process.command = (sys.executable, "-c", script)
    write(current(app), "/long 5")
    button.click()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.COMPLETE, timeout=WAIT_MS)


def test_a_load_can_be_cancelled(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("hang_load=1")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.LOADING, timeout=WAIT_MS)
    next(b for b in app.window.banner.buttons() if b.text() == "Cancel").click()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.IDLE, timeout=WAIT_MS)
    assert "No model" in app.window.banner.text()


def test_a_second_window_on_the_same_chats_keeps_what_is_written(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    with opened(folders.store):
        app = open_window(FAST)
        bar = app.window.store_bar
        qtbot.waitUntil(bar.isVisible, timeout=WAIT_MS)
        assert "already running" in bar.text()
        tab = current(app)
        write(tab, "precious words")
        assert tab.composer.text() == "precious words"
        assert tab.notice_bar.isVisible()
    again = next(b for b in bar.findChildren(QAbstractButton) if b.text() == "Try again")
    again.click()
    qtbot.waitUntil(lambda: bool(current(app).session.chat_id), timeout=WAIT_MS)
    assert current(app).composer.text() == "precious words"
    assert not bar.isVisible()
    write(current(app), "/long 5")
    qtbot.waitUntil(lambda: len(current(app).session.messages) == 2, timeout=WAIT_MS)


def test_chats_of_a_future_version_are_left_alone(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    import sqlite3

    with opened(folders.store):
        pass
    with sqlite3.connect(folders.store) as db:
        db.execute("PRAGMA user_version = 9999")
    db.close()
    before = folders.store.read_bytes()
    app = open_window(FAST)
    qtbot.waitUntil(app.window.store_bar.isVisible, timeout=WAIT_MS)
    assert "newer" in app.window.store_bar.text()
    write(current(app), "kept")
    assert current(app).composer.text() == "kept"
    app.window.close()
    app.close()
    assert folders.store.read_bytes() == before


def test_a_large_paste_stays_responsive_and_is_all_there(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    tab = current(app)
    text = "All work and no play makes a dull evening. " * 4_600
    QGuiApplication.clipboard().setText(text)
    tab.composer.editor.paste()
    assert tab.composer.text() == text
    qtbot.waitUntil(lambda: "too many" in tab.composer.below.meter_words(), timeout=WAIT_MS)
    assert tab.composer.editor.height() < tab.height() // 2
    QTest.keyClicks(tab.composer.editor, "abc")
    assert tab.composer.text().endswith("abc")
    QGuiApplication.clipboard().clear()


def test_every_focusable_widget_has_a_name(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    write(current(app), "/long 40")
    qtbot.waitUntil(lambda: status(current(app)) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in app.window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not widget.accessibleName()
        and not (isinstance(widget, QAbstractButton) and widget.text())
        and widget.focusProxy() is None
    ]
    assert nameless == []


def test_the_keyboard_reaches_everything(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    window = app.window
    with qtbot.waitActive(window):
        window.activateWindow()
    first = current(app)
    write(first, "/long 5")
    qtbot.waitUntil(lambda: status(first) is MessageStatus.COMPLETE, timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.area.count() == 2, timeout=WAIT_MS)
    QTest.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert current(app) is first
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not window.chat_list.isVisible()
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.chat_list.isVisible()
    window.chat_list.filter.setFocus()
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is first.composer.editor
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.area.count() == 1


def test_the_next_tab_can_be_written_in_at_once(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("load_seconds=5")
    qtbot.waitUntil(lambda: bool(current(app).session.chat_id), timeout=WAIT_MS)
    write(current(app), "first question")
    add_tab(app, qtbot)
    for name in ("next_tab", "next_tab", "previous_tab"):
        app.window.actions_by_name[name].trigger()
        assert app.window.focusWidget() is current(app).composer.editor


def test_no_key_means_two_things(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    keys = [
        sequence.toString()
        for action in app.window.actions_by_name
        for sequence in action.shortcuts()
    ]
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_theme_changes_and_is_remembered(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders, mode: str
) -> None:
    app = open_window(FAST)
    app.window.actions_by_name[f"theme_{mode}"].trigger()
    assert app.window.settings.theme == mode
    assert settings_file.load(folders.settings)[0].theme == mode


def test_the_chats_are_backed_up_once_a_day(
    open_window: OpenWindow, folders: paths.Folders, qtbot: QtBot
) -> None:
    app = open_window("load_seconds=5")
    assert app._backup_timer.isActive()  # not at once: a start is busy enough

    def daily() -> int:
        return len(list(folders.data.rglob("*daily*.db")))

    assert daily() == 0
    app.back_up()
    qtbot.waitUntil(lambda: daily() == 1, timeout=WAIT_MS)
    app.back_up()
    stored(app.store.flush())
    assert daily() == 1
    assert app.window.store_bar.isHidden()


def test_a_backup_that_fails_is_told(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window("load_seconds=5")
    refused: Future[None] = Future()
    refused.set_exception(OSError("The disk is full."))
    monkeypatch.setattr(app.store, "back_up_daily", lambda: refused)
    app.back_up()
    qtbot.waitUntil(app.window.store_bar.isVisible, timeout=WAIT_MS)
    assert "The disk is full." in app.window.store_bar.text()
    app.close()
    app.back_up()  # nothing is left to copy with
