"""A name that is markup, or has access keys, is shown literally wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QMenu,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.app import Inglenook
from desktop.chats.chat import Attachment, MessageStatus, Statistics
from desktop.chats.presets import Preset
from desktop.engine_link.engine_state import Phase
from desktop.models.tip_text import LONGEST, tip_text
from desktop.views.engine.questions import ask
from desktop.views.sidebar.chat_list_menu import ChatMenu
from desktop.views.tabs.chat_tab import ChatTab
from desktop.views.tabs.notice_bar import NoticeBar
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.helpers.stores import SECONDS, opened

NAME: Final = '<img src="file:///etc/passwd"><b>bold</b> R&D'
SIGN: Final = "bold"  # what is looked for


def may_be_markup(text: str) -> bool:
    """Whether Qt may take it for rich text; what it does is stricter than this."""
    return "<" in text or "&lt;" in text


def is_literal(tip: str) -> bool:
    """Whether Qt shows a tooltip as it is meant."""
    if not may_be_markup(tip):
        return True
    document = QTextDocument()
    document.setHtml(tip)
    return "<b>bold" in document.toPlainText() and "<img" not in tip


def widgets() -> Iterator[QWidget]:
    for top in QApplication.topLevelWidgets():
        yield top
        yield from top.findChildren(QWidget)


def faults() -> list[str]:
    """Where a name is taken for markup or for an access key."""
    found: list[str] = []
    for widget in widgets():
        kind = type(widget).__name__
        if not is_literal(widget.toolTip()):
            found.append(f"the tooltip of a {kind}: {widget.toolTip()}")
        if isinstance(widget, QLabel) and SIGN in widget.text():
            plain = widget.textFormat() is Qt.TextFormat.PlainText
            if not plain and may_be_markup(widget.text()):
                found.append(f"a {kind}: {widget.text()}")
        if isinstance(widget, QAbstractButton) and has_access_key(widget.text()):
            found.append(f"a {kind}: {widget.text()}")
        if isinstance(widget, QMenu):
            found += [
                f"an action: {action.text()}"
                for action in widget.actions()
                if has_access_key(action.text())
                or (widget.toolTipsVisible() and not is_literal(action.toolTip()))
            ]
        if isinstance(widget, QTabBar):
            tips = [widget.tabToolTip(index) for index in range(widget.count())]
            found += [f"a tab's tooltip: {tip}" for tip in tips if not is_literal(tip)]
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            model = widget.model()
            for row in range(model.rowCount(QModelIndex())):
                tip = model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)
                if tip and not is_literal(tip):
                    found.append(f"the tooltip of a row of a {kind}: {tip}")
    return found


def has_access_key(text: str) -> bool:
    return SIGN in text and "&" in text.replace("&&", "")


@pytest.fixture
def app(open_window: OpenWindow, folders: paths.Folders, qtbot: QtBot, home: Path) -> Inglenook:
    """A window in which everything bears the name."""
    with opened(folders.store) as store:
        for _ in range(2):
            chat = store.create_chat(title=NAME, parameters={"preset": "p"}).result(SECONDS)
            store.set_folder(chat.id, NAME).result(SECONDS)
        store.save_preset(Preset("p", NAME, parameters={"temperature": 0.5})).result(SECONDS)
        _, answer = store.add_exchange(
            chat.id, None, NAME, model=NAME, attachments=(Attachment("a", NAME, "text"),)
        ).result(SECONDS)
        store.update_message(
            answer.id,
            content=NAME,
            status=MessageStatus.COMPLETE,
            error="",
            statistics=Statistics(1, 2, run={"model": NAME}),
        ).result(SECONDS)
        store.save_draft(chat.id, "draft", (Attachment("b", NAME, "text"),)).result(SECONDS)
        gone = store.create_chat(title=NAME).result(SECONDS)
        store.delete_chat(gone.id).result(SECONDS)
    model = home / NAME.replace("/", "⁄")
    model.mkdir(parents=True)
    app = open_window("tokens_per_second=20 load_seconds=0.02", model=str(model))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bool(app.window.chats), timeout=WAIT_MS)
    app.window.tabs.show(chat.id)
    qtbot.waitUntil(lambda: tab_of(app).session.chat_id == chat.id, timeout=WAIT_MS)
    return app


def tab_of(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def test_in_the_window(app: Inglenook, qtbot: QtBot) -> None:
    app.window.status.resize(200, 20)  # so that it cuts the model's name
    assert tab_of(app).session.title == NAME
    assert faults() == []
    app.window.actions_by_name["palette"].trigger()
    assert faults() == []


def test_in_the_search(app: Inglenook, qtbot: QtBot) -> None:
    chat_list = app.window.chat_list
    chat_list.search()
    chat_list.filter.setText(SIGN)
    panel = chat_list.search_panel()
    qtbot.waitUntil(lambda: panel.model.rowCount() > 2 and not panel.is_busy, timeout=WAIT_MS)
    bar = panel.bar
    bar.models = [NAME]
    bar._menu.aboutToShow.emit()
    assert faults() == []
    bar.set_filters(replace(bar.filters, folder=NAME, model=NAME, chat_id="c", chat_title=NAME))
    assert faults() == []


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_in_menus_and_offers(app: Inglenook, qtbot: QtBot) -> None:
    chat_list, session = app.window.chat_list, tab_of(app).session
    model = chat_list.model
    row = next(r for r in model.rows() if r.chat_id == session.chat_id)
    menu = ChatMenu(chat_list, chat_list._desk, row, [])
    menu.popup(QPoint(0, 0))
    assert faults() == []
    menu.close()
    session.delete_message(session.messages[-1].id)
    qtbot.waitUntil(lambda: bool(session.notice.text), timeout=WAIT_MS)
    app.window.actions_by_name["pin_chat"].trigger()
    qtbot.waitUntil(lambda: chat_list.undo_bar.isVisible(), timeout=WAIT_MS)
    assert faults() == []
    app.window.actions_by_name["delete_chat"].trigger()
    qtbot.waitUntil(lambda: SIGN in chat_list.undo_bar.accessibleName(), timeout=WAIT_MS)
    assert faults() == []


@pytest.mark.parametrize(
    "name",
    ["settings", "show_bin", "export_chat", "import_chats", "chat_settings", "message_details"],
)
def test_in_dialogs(app: Inglenook, qtbot: QtBot, name: str) -> None:
    before = set(QApplication.topLevelWidgets())
    app.window.actions_by_name[name].trigger()
    qtbot.waitUntil(lambda: set(QApplication.topLevelWidgets()) > before, timeout=WAIT_MS)
    stored(app.store.flush())
    assert faults() == []


def test_in_questions(app: Inglenook, qtbot: QtBot) -> None:
    session = tab_of(app).session
    session.send("/long 500")
    qtbot.waitUntil(lambda: session.state.is_active, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: app.hub.active_count == 1, timeout=WAIT_MS)
    app.window.actions_by_name["unload_model"].trigger()
    app.window._on_link(f"https://example.invalid/{NAME}")
    app.window._on_link(NAME)
    tab_of(app).show_chat_settings()
    settings = tab_of(app)._settings
    assert settings is not None
    settings.form.kind.setCurrentIndex(1)
    settings.form.field.setPlainText('{"type": "<b>bold</b>"}')
    assert SIGN in settings.form.fault.text()
    assert faults() == []
    session.stop()


def test_a_tooltip_says_what_is_there() -> None:
    document = QTextDocument()
    for text in (NAME, "<", "a < b & c", "&lt;b&gt;", "two\nlines <i>", "<br>" * 50):
        tip = tip_text(text)
        document.setHtml(tip)
        shown = document.toPlainText().replace("\u2028", "\n")
        assert (shown if may_be_markup(tip) else tip) == text
    assert len(tip_text("x" * 1_000_000)) == LONGEST


def test_a_models_name_on_a_button_is_no_access_key(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = ask(window, "A title", "A text", "", [(f"Load it in place of {NAME}", lambda: None)])
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.add_button(f"Load {NAME}", lambda: None)
    found = [*box.findChildren(QAbstractButton), *bar.findChildren(QAbstractButton)]
    named = [button for button in found if SIGN in button.text()]
    assert len(named) == 2
    for button in named:
        assert "R&&D" in button.text()
        assert button.shortcut().isEmpty()
    box.close()
