"""The settings dialog: what is chosen applies at once and is kept."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from desktop import paths, theme
from desktop import settings as settings_file
from desktop.app import Inglenook
from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, OverflowPolicy
from desktop.views.settings.settings_dialog import SettingsDialog
from tests.gui.conftest import WAIT_MS, OpenWindow, stored


def opened(open_window: OpenWindow, qtbot: QtBot) -> tuple[Inglenook, SettingsDialog]:
    app = open_window("load_seconds=5")
    app.window.actions_by_name["settings"].trigger()
    dialog = app.window.findChild(SettingsDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)
    return app, dialog


def choose(box: QComboBox, value: str) -> None:
    """As a user does."""
    index = box.findData(value)
    assert index >= 0
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_the_look_changes_at_once(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, dialog = opened(open_window, qtbot)
    for name in ("dark", "contrast", "light"):
        choose(dialog.appearance.theme, name)
        assert theme.current().name == name
        assert app.window.actions_by_name[f"theme_{name}"].isChecked()
    dialog.appearance.text_size.setValue(16)
    assert theme.current().body == 16
    app.window.actions_by_name["font_larger"].trigger()
    assert dialog.appearance.text_size.value() == 17


def test_all_choices_are_kept_and_reach_the_chats(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app, dialog = opened(open_window, qtbot)
    page = dialog.chatting
    choose(page.send, "ctrl+enter")
    choose(page.titles, "first_words")
    choose(page.overflow, "drop_oldest")
    choose(dialog.appearance.language, "de")
    page.notify.setChecked(False)
    page.prompt.setPlainText("Answer in rhymes.")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    kept, warning = settings_file.load(folders.settings)
    assert warning == ""
    assert (kept.send_with, kept.titles, kept.overflow) == (
        "ctrl+enter",
        "first_words",
        "drop_oldest",
    )
    assert (kept.language, kept.notify, kept.system_prompt) == ("de", False, "Answer in rhymes.")
    assert app.hub.titles == "first_words"
    assert app.hub.default_overflow is OverflowPolicy.DROP_OLDEST
    tab = app.window.area.current_tab()
    assert tab is not None
    tab.composer.set_text("a draft, so that the next chat is a new one")
    app.window.actions_by_name["new_chat"].trigger()
    qtbot.waitUntil(lambda: app.window.area.count() == 2, timeout=WAIT_MS)
    fresh = app.window.area.current_tab()
    assert fresh is not None
    assert stored(app.store.load_chat(fresh.session.chat_id)).system_prompt == "Answer in rhymes."


def test_the_original_prompt_comes_back(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, dialog = opened(open_window, qtbot)
    dialog.chatting.prompt.clear()
    qtbot.waitUntil(lambda: app.window.settings.system_prompt == "", timeout=WAIT_MS)
    dialog.chatting._restore_prompt()
    assert app.window.settings.system_prompt == DEFAULT_SYSTEM_PROMPT


def test_the_storage_page_tells_and_backs_up(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app, dialog = opened(open_window, qtbot)
    page = dialog.storage
    assert page.place.text() == str(folders.store)
    qtbot.waitUntil(lambda: "B" in page.taken.text(), timeout=WAIT_MS)
    before = set(folders.data.rglob("*daily*"))
    page._back_up.click()
    qtbot.waitUntil(page._back_up.isEnabled, timeout=WAIT_MS)
    assert len(set(folders.data.rglob("*daily*")) - before) == 1
    qtbot.waitUntil(lambda: "…" not in page.backup.text(), timeout=WAIT_MS)
    assert any(digit in page.backup.text() for digit in "0123456789")
    assert app.hub.is_usable


def test_a_backup_that_fails_says_why(
    open_window: OpenWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, dialog = opened(open_window, qtbot)
    from concurrent.futures import Future

    failed: Future[object] = Future()
    failed.set_exception(OSError("The disk is full."))
    monkeypatch.setattr(app.store, "back_up_now", lambda: failed)
    dialog.storage._back_up.click()
    qtbot.waitUntil(lambda: "full" in dialog.storage.backup.text(), timeout=WAIT_MS)
    assert dialog.storage._back_up.isEnabled()


def test_the_engine_page_follows(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, dialog = opened(open_window, qtbot)
    page = dialog.engine
    assert page.state.text()
    app.window.change(model="/models/other")
    assert page.model.text() == "/models/other"
    page._starter.click()
    assert app.window.settings.model == ""
    assert not page._starter.isEnabled()


def test_it_closes_while_facts_are_on_their_way(open_window: OpenWindow, qtbot: QtBot) -> None:
    app, dialog = opened(open_window, qtbot)
    with qtbot.waitSignal(dialog.destroyed, timeout=WAIT_MS):
        dialog.storage._measure()
        dialog.reject()
    app.window.change(font_size=14)  # nobody is left to be told


def test_the_pages_are_reached_by_keyboard(open_window: OpenWindow, qtbot: QtBot) -> None:
    _app, dialog = opened(open_window, qtbot)
    assert dialog.focusWidget() is dialog.list
    for row in range(1, dialog.list.count()):
        QTest.keyClick(dialog.list, Qt.Key.Key_Down)
        assert dialog.pages.currentIndex() == row


def test_the_file_holds_what_the_readme_says(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders
) -> None:
    app, _dialog = opened(open_window, qtbot)
    app.window.change(font_size=12)
    content = json.loads(folders.settings.read_text())
    assert set(content) >= {"theme", "titles", "notify", "language", "overflow", "system_prompt"}
