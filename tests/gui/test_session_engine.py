"""Sessions over a real scripted engine: what crosses the wire is what the session expects."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.background import Background
from desktop.chats.chat import MessageStatus
from desktop.chats.run_card import run_card
from desktop.chats.store.chat_store import ChatStore
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import Phase
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.overflow import OverflowChoice
from desktop.models.session.session_hub import SessionHub
from tests.gui.conftest import new_session, stored
from tests.helpers.engine_clients import WAIT_MS, Make, clients_in, start, wait_for


class Desk:
    """A hub over a real store and a real engine."""

    def __init__(self, client: EngineClient, folder: Path, qtbot: QtBot) -> None:
        self.client, self.qtbot = client, qtbot
        self.background = Background()
        self.hub = SessionHub(ChatStore(folder / "chats.db"), client, self.background)
        with qtbot.waitSignal(self.hub.store_opened, timeout=WAIT_MS):
            self.hub.open_store()

    def close(self) -> None:
        self.hub.close()
        for item in (self.hub, self.background):
            item.deleteLater()

    def chat(self, **parameters: object) -> ChatSession:
        session = new_session(self.hub, self.qtbot)
        session.set_parameters(dict(parameters))
        return session

    def ended(self, session: ChatSession) -> None:
        self.qtbot.waitUntil(
            lambda: not session.answers and not session.needs_saving, timeout=WAIT_MS
        )


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    yield from clients_in(tmp_path / "logs")


@pytest.fixture
def desk(
    request: pytest.FixtureRequest, make: Make, qtbot: QtBot, tmp_path: Path
) -> Iterator[Desk]:
    made = make(f"load_seconds=0.05 {request.param}")
    start(made, tmp_path, qtbot)
    result = Desk(made[0], tmp_path, qtbot)
    yield result
    result.close()


@pytest.mark.parametrize("desk", ["tokens_per_second=40"], indirect=True)
def test_an_engine_killed_amid_several_answers(desk: Desk, qtbot: QtBot) -> None:
    session = desk.chat()
    assert session.send("/echo done")
    desk.ended(session)
    session.answer_ways(session.messages[0].id, 3)
    session.set_parameters({})
    qtbot.waitUntil(lambda: bool(session.candidates), timeout=WAIT_MS)
    desk.ended(session)
    session.pick_candidate(session.candidates[1].id)
    assert session.send("/long 4000")
    qtbot.waitUntil(lambda: len(session.messages[-1].content) > 20, timeout=WAIT_MS)
    session.stop()
    desk.ended(session)
    session.answer_ways(session.messages[-1].id, 3)
    qtbot.waitUntil(
        lambda: len(session.candidates) == 3 and all(c.content for c in session.candidates),
        timeout=WAIT_MS,
    )
    os.kill(desk.client.pid, signal.SIGKILL)
    desk.ended(session)
    assert {c.status for c in session.candidates} == {MessageStatus.INTERRUPTED}
    tree = {m.id: m for m in stored(desk.hub.store.load_tree(session.chat_id))}
    for candidate in session.candidates:
        kept = tree[candidate.id]
        assert kept.content == candidate.content
        assert kept.statistics is not None
        assert kept.statistics.completion_tokens > 0
    wait_for(desk.client, Phase.READY, qtbot)
    first = session.messages[-1]
    session.continue_answer(first.id)
    qtbot.waitUntil(lambda: len(session.messages[-1].content) > len(first.content), timeout=WAIT_MS)
    session.stop()
    desk.ended(session)
    assert session.messages[-1].content.startswith(first.content)


@pytest.mark.parametrize("desk", ["tokens_per_second=2000 context=120"], indirect=True)
def test_a_chat_that_outgrows_its_context(desk: Desk, qtbot: QtBot) -> None:
    session = desk.chat(max_tokens=20)
    for index in range(2):
        with qtbot.waitSignal(session.finished, timeout=WAIT_MS):
            assert session.send(f"/echo answer {index} " + "word " * 10)
    with qtbot.waitSignal(session.overflowed, timeout=WAIT_MS) as asked:
        assert session.send("/echo last " + "word " * 20)
    [overflow] = asked.args
    assert overflow.can_drop
    assert overflow.dropped[0].id == session.messages[0].id
    assert overflow.kept_tokens + overflow.reserve <= overflow.context < overflow.prompt_tokens + 20
    session.resolve_overflow(OverflowChoice.DROP)
    desk.ended(session)
    answer = session.messages[-1]
    assert answer.status is MessageStatus.COMPLETE
    assert answer.statistics is not None
    assert answer.statistics.dropped_messages == len(overflow.dropped)
    assert answer.statistics.prompt_tokens == overflow.kept_tokens
    assert f"- Messages left out: {len(overflow.dropped)}" in run_card(answer, session.chat)


@pytest.mark.parametrize("desk", ["tokens_per_second=2000"], indirect=True)
@pytest.mark.parametrize("command", ["/think 12", "/thinkopen 12"])
def test_reasoning_over_the_wire(desk: Desk, qtbot: QtBot, command: str) -> None:
    desk.hub.titles = "model"
    session = desk.chat()
    with qtbot.waitSignal(session.renamed, timeout=WAIT_MS):
        assert session.send(f"{command} Tell me how paged attention works")
    desk.ended(session)
    answer = session.messages[-1]
    assert answer.reasoning.startswith("The user asks")
    assert "think>" not in answer.content + answer.reasoning
    assert answer.statistics is not None
    assert answer.statistics.reasoning_seconds is not None
    # The model's title comes after the answer, and thinks nothing.
    qtbot.waitUntil(lambda: not session.title.startswith("/"), timeout=WAIT_MS)
    assert "paged attention" in session.title
    assert len(session.messages) == 2
