"""A day with a chat: the real window, the real store, the real vLLM, started once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop import paths, theme
from desktop.app import Inglenook, Options
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.session import Session
from desktop.settings import Settings
from desktop.views.composing.overflow_dialog import OverflowDialog
from desktop.views.sidebar.transfer_dialogs import ExportDialog
from desktop.views.tabs.candidates_view import CandidatesView
from desktop.views.tabs.chat_tab import ChatTab
from engine.protocol import Telemetry

pytestmark = [
    pytest.mark.real_engine,
    pytest.mark.timeout(400),
    pytest.mark.usefixtures("warm_cache"),
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]

LOAD_MS = 180_000
WAIT_MS = 60_000
FRANCE = "What is the capital of France? Answer in one sentence."
ITALY = "What is the capital of Italy? Answer in one sentence."


@pytest.fixture
def app(home: Path, starter: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Inglenook]:
    """The program as it starts, with the starter model loaded."""
    folders = paths.find()
    assert not folders.prepare()
    theme.apply(qapp, "light", 11)
    settings = Settings(titles="first_words")
    result = Inglenook(qapp, folders, Options(str(starter)), settings, Session())
    result.window.resize(1280, 832)
    result.window.show()
    qtbot.waitUntil(lambda: result.client.view.phase is Phase.READY, timeout=LOAD_MS)
    qtbot.waitUntil(lambda: result.window.area.count() == 1, timeout=WAIT_MS)
    yield result
    result.window.close()
    result.close()
    result.window.deleteLater()
    result.deleteLater()


def front(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def at_rest(tab: ChatTab, qtbot: QtBot) -> None:
    """Every answer has ended as it should, and is stored."""
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.needs_saving, timeout=WAIT_MS)
    shown = (*tab.session.messages, *tab.session.candidates)
    assert {message.status for message in shown} == {MessageStatus.COMPLETE}


def write(tab: ChatTab, text: str) -> None:
    """As a user does: put it there and press Enter."""
    tab.composer.set_text(text)
    QTest.keyClick(tab.composer.editor, Qt.Key.Key_Return)


def press(parent: QWidget, text: str) -> None:
    """The visible button that says so."""
    buttons = parent.findChildren(QAbstractButton)
    next(one for one in buttons if one.text() == text and one.isVisible()).click()


def texts(tab: ChatTab) -> list[str]:
    return [message.content for message in tab.session.messages]


def test_a_day_with_a_chat(app: Inglenook, qtbot: QtBot, tmp_path: Path) -> None:
    window, do = app.window, app.window.actions_by_name
    readings: list[Telemetry] = []
    app.client.telemetry.connect(readings.append)
    tab = front(app)
    session = tab.session

    # Ask.
    session.set_parameters({"temperature": 0.0, "max_tokens": 32})
    write(tab, FRANCE)
    qtbot.waitUntil(lambda: len(session.messages) == 2, timeout=WAIT_MS)
    at_rest(tab, qtbot)
    answer = session.messages[1]
    assert "Paris" in answer.content
    assert answer.statistics is not None
    assert answer.statistics.prompt_tokens is not None
    qtbot.waitUntil(lambda: "of 8,192 tokens" in tab.composer.below.meter_words(), timeout=WAIT_MS)

    # Four ways, side by side, from one reading of the prompt; the second is taken.
    session.set_parameters({"temperature": 1.2, "max_tokens": 32})
    do["answer_ways"].trigger()
    qtbot.waitUntil(lambda: len(session.candidates) == 4, timeout=WAIT_MS)
    at_rest(tab, qtbot)
    ways = session.candidates
    assert len({message.id for message in ways}) == 4
    (beside,) = tab.findChildren(CandidatesView)
    assert beside.isVisible()
    QTest.keyClick(beside, Qt.Key.Key_2)
    QTest.keyClick(beside, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not session.candidates, timeout=WAIT_MS)
    taken = session.messages[1]
    assert taken.id == ways[1].id
    assert len(taken.siblings) == 5
    assert tab.transcript.isVisible()

    # Another wording of the question is a branch; the first is a step away.
    session.set_parameters({"temperature": 0.0, "max_tokens": 32})
    do["edit_last"].trigger()
    assert tab.composer.text() == FRANCE
    write(tab, ITALY)
    qtbot.waitUntil(lambda: texts(tab)[:1] == [ITALY] and len(texts(tab)) == 2, timeout=WAIT_MS)
    at_rest(tab, qtbot)
    italian = texts(tab)
    assert italian[1]
    tab.transcript.scroll_to_end()
    session.step_sibling(session.messages[0].id, -1)
    qtbot.waitUntil(lambda: texts(tab)[0] == FRANCE, timeout=WAIT_MS)
    assert session.messages[1].id == taken.id  # the one that was chosen, not the newest
    session.step_sibling(taken.id, 2)
    qtbot.waitUntil(lambda: texts(tab) == [FRANCE, ways[3].content], timeout=WAIT_MS)

    # Search finds what is on the other branch, and goes there.
    do["search"].trigger()
    QTest.keyClicks(window.chat_list.filter, "capital italy")
    found = window.chat_list.search_panel().model
    qtbot.waitUntil(lambda: found.is_complete and found.first_hit() is not None, timeout=WAIT_MS)
    QTest.keyClick(window.chat_list.filter, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(tab) == italian, timeout=WAIT_MS)
    QTest.keyClick(window.chat_list.filter, Qt.Key.Key_Escape)

    # A fork is a chat of its own, and goes on alone.
    do["fork_chat"].trigger()
    qtbot.waitUntil(lambda: window.area.count() == 2, timeout=WAIT_MS)
    fork = front(app)
    assert fork is not tab
    assert fork.session.chat_id != session.chat_id
    assert texts(fork) == italian
    fork.session.set_parameters({"temperature": 0.0, "max_tokens": 400, "stop": ["."]})
    write(fork, "And of Spain? " + "I ask for many countries. " * 60)
    qtbot.waitUntil(lambda: len(texts(fork)) == 4, timeout=WAIT_MS)
    at_rest(fork, qtbot)
    assert texts(tab) == italian

    # What is too long is asked about before anything is left out; Esc gives it back.
    long = "a " * 7_600  # fits alone, and not with what was said before
    write(fork, long)
    qtbot.waitUntil(lambda: bool(fork.findChildren(OverflowDialog)), timeout=WAIT_MS)
    (question,) = fork.findChildren(OverflowDialog)
    assert question.messages.item(0).text().startswith("You: What is the capital of Italy?")
    QTest.keyClick(question, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: fork.composer.text() == long, timeout=WAIT_MS)
    fork.composer.set_text("")
    at_rest(fork, qtbot)
    assert len(texts(fork)) == 4

    # Out of the program, with every branch and what it took to make it.
    window.area.setCurrentWidget(tab)
    do["export_chat"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(ExportDialog)), timeout=WAIT_MS)
    (export,) = window.findChildren(ExportDialog)
    press(export, "JSON")
    target = tmp_path / "chat.json"
    export.export_to(target)
    qtbot.waitUntil(target.exists, timeout=WAIT_MS)
    kept = json.loads(target.read_text("utf-8"))
    assert all(text in json.dumps(kept, ensure_ascii=False) for text in (FRANCE, ITALY))
    export.close()

    # Deleted, and taken back: a message, and the chat.
    do["delete_last"].trigger()
    qtbot.waitUntil(lambda: texts(tab) == italian[:1], timeout=WAIT_MS)
    press(tab, "Undo")
    qtbot.waitUntil(lambda: texts(tab) == italian, timeout=WAIT_MS)
    do["delete_chat"].trigger()
    qtbot.waitUntil(lambda: window.area.count() == 1, timeout=WAIT_MS)
    qtbot.waitUntil(window.chat_list.undo_bar.isVisible, timeout=WAIT_MS)
    press(window.chat_list.undo_bar, "Undo")
    qtbot.waitUntil(lambda: window.area.tab_of(session.chat_id) is not None, timeout=WAIT_MS)
    again = window.area.tab_of(session.chat_id)
    assert again is not None
    qtbot.waitUntil(lambda: texts(again) == italian, timeout=WAIT_MS)

    # And the engine holds nothing more.
    qtbot.waitUntil(lambda: (readings[-1].running, readings[-1].kv_used) == (0, 0), timeout=WAIT_MS)
