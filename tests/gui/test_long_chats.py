"""A long chat is shown from its end first: what one does with it before it is whole."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Message, Role
from desktop.chats.chat_tree import ChatTree
from desktop.chats.search import SearchHit
from desktop.models.session import chat_opening
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from tests.bench.ui_texts import conversation
from tests.gui.conftest import WAIT_MS, OpenWindow, stored
from tests.gui.fake_client import FakeClient
from tests.helpers.stores import held_up

COUNT = 300


@pytest.fixture
def long_id(hub: SessionHub) -> str:
    """A chat of `COUNT` messages."""
    return _import(hub)


def _import(hub: SessionHub) -> str:
    messages = tuple(conversation(COUNT, "long"))
    tree = ChatTree(title="Long", messages=messages, active_leaf=messages[-1].id)
    return stored(hub.store.import_tree(tree)).id


@pytest.fixture
def end(hub: SessionHub, long_id: str, qtbot: QtBot) -> ChatSession:
    """The session of the long chat, of which only the end has been read."""
    sessions: list[ChatSession] = []
    hub.open_chat(long_id, sessions.append, whole=False)
    qtbot.waitUntil(lambda: bool(sessions), timeout=WAIT_MS)
    hub.show(long_id)
    return sessions[0]


def texts(messages: tuple[Message, ...]) -> list[str]:
    return [message.content for message in messages]


def test_the_end_comes_first_and_the_rest_follows(
    hub: SessionHub, end: ChatSession, qtbot: QtBot
) -> None:
    assert not end.is_whole
    assert len(end.messages) == chat_opening.END
    whole = stored(hub.store.load_chat(end.chat_id)).messages
    assert end.messages == whole[-chat_opening.END :]
    with qtbot.waitSignal(end.completed, timeout=WAIT_MS):
        hub.complete(end)
    assert end.messages == whole


def test_who_needs_all_of_it_waits_for_it(hub: SessionHub, long_id: str, qtbot: QtBot) -> None:
    shown: list[int] = []
    needed: list[int] = []
    hub.show(long_id)
    hub.open_chat(long_id, lambda session: shown.append(len(session.messages)), whole=False)
    hub.open_chat(long_id, lambda session: needed.append(len(session.messages)))
    qtbot.waitUntil(lambda: bool(needed), timeout=WAIT_MS)
    assert shown == [chat_opening.END]
    assert needed == [COUNT]


def test_nothing_is_asked_with_half_a_chat(
    hub: SessionHub, client: FakeClient, end: ChatSession, qtbot: QtBot
) -> None:
    assert not end.send("What was the beginning?")
    assert end.notice.text
    qtbot.waitUntil(lambda: end.is_whole, timeout=WAIT_MS)
    assert end.send("What was the beginning?")
    qtbot.waitUntil(lambda: bool(client.requests), timeout=WAIT_MS)
    asked = client.requests[0].messages
    assert len([turn for turn in asked if turn.role != "system"]) == COUNT + 1
    assert asked[-1].content == "What was the beginning?"


def test_a_message_deleted_early_stays_deleted(
    hub: SessionHub, end: ChatSession, qtbot: QtBot
) -> None:
    gone = end.messages[10]
    end.delete_message(gone.id)
    qtbot.waitUntil(
        lambda: end.is_whole and end._branching.is_idle and not end.needs_saving, timeout=WAIT_MS
    )
    assert len(end.messages) == COUNT - 1
    assert gone.id not in [message.id for message in end.messages]
    assert texts(end.messages) == texts(stored(hub.store.load_chat(end.chat_id)).messages)


def test_another_branch_shown_early_is_whole(
    hub: SessionHub, end: ChatSession, qtbot: QtBot
) -> None:
    with held_up(hub.store):
        end.show_branch(end.messages[-1].id)
        hub.complete(end)
    qtbot.waitUntil(lambda: end.is_whole, timeout=WAIT_MS)
    # What is read after that changes nothing.
    qtbot.waitUntil(lambda: not hub._opening.is_reading(end.chat_id), timeout=WAIT_MS)
    assert len(end.messages) == COUNT


def test_a_tab_closed_early_leaves_no_session(hub: SessionHub, long_id: str, qtbot: QtBot) -> None:
    sessions: list[ChatSession] = []
    hub.show(long_id)
    hub.open_chat(long_id, sessions.append, whole=False)
    qtbot.waitUntil(lambda: bool(sessions), timeout=WAIT_MS)
    hub.complete(sessions[0])
    with held_up(hub.store):
        hub.hide(long_id)
    qtbot.waitUntil(lambda: hub.session(long_id) is None, timeout=WAIT_MS)


def test_deleted_while_it_is_read(hub: SessionHub, long_id: str, qtbot: QtBot) -> None:
    missing: list[Exception] = []
    sessions: list[ChatSession] = []
    hub.show(long_id)
    hub.open_chat(long_id, sessions.append, whole=False)
    qtbot.waitUntil(lambda: bool(sessions), timeout=WAIT_MS)
    with held_up(hub.store):
        hub.open_chat(long_id, sessions.append, missing.append)
        hub.delete_chat(long_id)
    qtbot.waitUntil(lambda: bool(missing), timeout=WAIT_MS)
    assert isinstance(missing[0], KeyError)
    assert len(sessions) == 1


def test_a_beginning_that_cannot_be_read_is_told_and_asked_for_again(
    hub: SessionHub,
    end: ChatSession,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_chat_id: str) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(
            hub.store, "load_chat", lambda chat_id: hub.store._read(lambda _db: broken(chat_id))
        )
        hub.complete(end)
        qtbot.waitUntil(lambda: "the disk is gone" in end.notice.text, timeout=WAIT_MS)
    assert not end.send("Hello")  # it is read again
    qtbot.waitUntil(lambda: end.is_whole, timeout=WAIT_MS)
    assert end.send("Hello")


def test_a_hit_in_the_beginning_is_found_and_the_branch_stays(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window()
    chat_id = _import(app.hub)
    whole = stored(app.hub.store.load_chat(chat_id))
    hit = SearchHit(chat_id, "Long", whole.messages[3].id, Role.ASSISTANT, 0.0, "", (), "", "")
    app.window.tabs.show_hit(hit)
    qtbot.waitUntil(lambda: app.window.area.tab_of(chat_id) is not None, timeout=WAIT_MS)
    tab = app.window.area.tab_of(chat_id)
    assert tab is not None
    qtbot.waitUntil(lambda: tab.session.is_whole, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.transcript.at_end, timeout=WAIT_MS)
    place = tab.transcript.place()
    assert place.message_id in {message.id for message in whole.messages[:6]}
    assert stored(app.hub.store.load_chat(chat_id)).active_leaf == whole.active_leaf
