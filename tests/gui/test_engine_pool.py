"""Several scripted engines at once, each a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.background import Background
from desktop.chats.chat import MessageStatus
from desktop.chats.store.chat_store import ChatStore
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_state import Phase
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.request_router import RequestRouter
from desktop.models.session.session_hub import SessionHub
from engine.protocol import Failure, Generate, Scope, StreamUpdate
from tests.gui.conftest import new_session
from tests.gui.fake_client import FakeClient
from tests.helpers import processes
from tests.helpers.engine_clients import WAIT_MS, Make, ask, clients_in, wait_for

SCRIPT = "tokens_per_second=100 load_seconds=0.05"


class Engines:
    """A hub over a real store and a pool of real processes; two models in two folders."""

    def __init__(self, make: Make, folder: Path, qtbot: QtBot, more: str = "") -> None:
        self.qtbot = qtbot
        self.small, self.large = folder / "Small", folder / "Large"
        for model in (self.small, self.large):
            model.mkdir()
        script = f"{SCRIPT} {more}"
        primary, self.heard = make(script)
        self.pool = EnginePool(primary, lambda _number: make(script)[0])
        primary.start()
        primary.load(str(self.small))
        self.background = Background()
        self.hub = SessionHub(ChatStore(folder / "chats.db"), self.pool, self.background)
        with qtbot.waitSignal(self.hub.store_opened, timeout=WAIT_MS):
            self.hub.open_store()
        wait_for(primary, Phase.READY, qtbot)

    def close(self) -> None:
        self.hub.close()
        self.pool.shutdown()
        for item in (self.hub, self.background, self.pool):
            item.deleteLater()

    def beside(self) -> EngineClient:
        client = self.pool.open(str(self.large))
        wait_for(client, Phase.READY, self.qtbot)
        return client

    def chat(self, model: Path | None = None) -> ChatSession:
        session = new_session(self.hub, self.qtbot)
        if model is not None:
            session.set_model(str(model))
        return session

    def wait(self, ready: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(ready, timeout=WAIT_MS)

    def streams(self, session: ChatSession, characters: int = 5) -> None:
        self.wait(lambda: bool(session.path) and len(session.messages[-1].content) > characters)

    def ended(self, session: ChatSession) -> None:
        self.wait(lambda: not session.answers and not session.needs_saving)


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    yield from clients_in(tmp_path / "logs")


@pytest.fixture
def engines(make: Make, tmp_path: Path, qtbot: QtBot) -> Iterator[Engines]:
    found = Engines(make, tmp_path, qtbot)
    yield found
    found.close()


def phase_of(client: EngineClient) -> Phase:
    return client.view.phase


def status_of(session: ChatSession) -> MessageStatus:
    return session.messages[-1].status


def test_two_models_answer_at_once_each_its_own_chat(engines: Engines) -> None:
    second = engines.beside()
    assert second.pid not in (0, engines.pool.primary.pid)
    one, two = engines.chat(), engines.chat(engines.large)
    assert one.send("/long 150")
    assert two.send("/long 150")
    engines.streams(one)
    engines.streams(two)
    assert one.state.is_active
    assert two.state.is_active
    assert [engines.hub.answered_by(c) for c in engines.pool.clients()] == [1, 1]
    for session, name in ((one, "Small"), (two, "Large")):
        engines.ended(session)
        answer = session.messages[-1]
        assert answer.status is MessageStatus.COMPLETE
        assert answer.model == name
        assert answer.statistics is not None
        assert answer.statistics.run["model"] == name


def test_the_death_of_one_engine_leaves_the_other_alone(engines: Engines) -> None:
    second = engines.beside()
    one, two = engines.chat(), engines.chat(engines.large)
    assert one.send("/long 300")
    assert two.send("/long 300")
    engines.streams(one)
    engines.streams(two)
    first_pid = engines.pool.primary.pid
    os.kill(second.pid, signal.SIGKILL)
    engines.ended(two)
    assert two.messages[-1].status is MessageStatus.INTERRUPTED
    assert one.state.is_active
    wait_for(second, Phase.READY, engines.qtbot)
    assert second.view.restarts == 1
    assert (engines.pool.primary.pid, engines.pool.primary.view.restarts) == (first_pid, 0)
    two.continue_answer(two.messages[-1].id)
    for session in (one, two):
        engines.ended(session)
        assert session.messages[-1].status is MessageStatus.COMPLETE


def test_a_question_waits_for_its_model_and_no_other_answers_it(engines: Engines) -> None:
    session = engines.chat(engines.large)
    assert session.send("/echo hello")
    engines.wait(lambda: session.waiting is not None)
    assert session.waiting is not None
    assert session.waiting.is_missing
    assert session.waiting.model == str(engines.large)
    assert not session.waiting.ready
    other = engines.chat()
    assert other.send("/echo other")  # the window's model is free, and answers others
    engines.ended(other)
    assert session.state.is_active
    assert engines.hub.kept_for(str(engines.large)) == 1
    engines.beside()
    engines.ended(session)
    assert session.messages[-1].content == "hello"
    assert session.messages[-1].model == "Large"


def test_a_question_that_waits_can_be_given_to_the_windows_model_or_stopped(
    engines: Engines,
) -> None:
    session, other = engines.chat(engines.large), engines.chat(engines.large)
    assert session.send("/echo hello")
    assert other.send("/echo never")
    engines.wait(lambda: other.waiting is not None and session.waiting is not None)
    assert engines.hub.kept_for(str(engines.large)) == 2
    session.set_model("")
    engines.ended(session)
    assert session.messages[-1].content == "hello"
    assert session.messages[-1].model == "Small"  # whose words they are, not who was asked
    other.stop()
    engines.ended(other)
    assert other.messages[-1].status is MessageStatus.STOPPED
    assert engines.hub.kept_for(str(engines.large)) == 0


def test_a_chat_keeps_its_model_over_a_restart(engines: Engines) -> None:
    session = engines.chat(engines.large)
    engines.ended(session)
    kept = engines.hub.store.load_chat(session.chat_id).result(timeout=10)
    assert kept.model == str(engines.large)


def test_another_model_answers_again_beside_the_first(engines: Engines) -> None:
    session = engines.chat()
    assert session.send("/echo hello")
    engines.ended(session)
    first = session.messages[-1]
    engines.beside()
    session.answer_again_with(first.id, str(engines.large))
    engines.wait(lambda: len(session.candidates) == 2)
    engines.ended(session)
    new, old = session.candidates
    assert (new.model, old.model) == ("Large", "Small")
    assert old.id == first.id
    assert new.parent_id == first.parent_id
    assert new.statistics is not None
    assert new.statistics.run["model"] == "Large"
    session.pick_candidate(first.id)
    engines.wait(lambda: session.messages[-1].id == first.id)
    assert session.candidates == ()
    assert len(session.messages[-1].siblings) == 2
    assert session.chat.model == ""


def test_closing_one_gives_all_of_it_back_and_its_chats_wait(engines: Engines) -> None:
    second = engines.beside()
    pid = second.pid
    session = engines.chat(engines.large)
    assert session.send("/long 300")
    engines.streams(session)
    engines.pool.close(second)
    engines.ended(session)
    assert session.messages[-1].status is MessageStatus.INTERRUPTED
    assert engines.pool.clients() == [engines.pool.primary]
    engines.wait(lambda: not processes.members(pid))
    session.continue_answer(session.messages[-1].id)
    engines.wait(lambda: session.waiting is not None and session.waiting.is_missing)
    session.stop()
    engines.ended(session)


def test_what_an_engine_held_when_it_was_closed_is_not_lost_in_silence(engines: Engines) -> None:
    second = engines.beside()
    session = engines.chat(engines.large)
    second.sleep(lend=True)
    second.generate(ask("held"))
    interrupted: list[str] = []
    engines.pool.interrupted.connect(interrupted.extend)
    engines.pool.close(second)
    assert interrupted == ["held"]
    assert session.send("/echo later")
    engines.beside()
    engines.ended(session)
    assert session.messages[-1].content == "later"


def test_another_model_in_the_window_does_not_answer_a_chat_of_the_old_one(
    engines: Engines,
) -> None:
    session, follower = engines.chat(engines.small), engines.chat()
    engines.pool.primary.load(str(engines.large))
    assert session.send("/echo one")
    assert follower.send("/echo two")
    engines.ended(follower)
    assert follower.messages[-1].model == "Large"
    assert session.state.is_active
    engines.pool.open(str(engines.small))
    engines.ended(session)
    assert session.messages[-1].model == "Small"


def test_requests_that_cannot_be_sent_fail_when_they_are_redirected(qapp: QApplication) -> None:
    client = FakeClient()
    pool = EnginePool(client.as_client)
    router = RequestRouter(pool, pool)
    failures: list[Failure] = []

    class Asker:
        def apply(self, update: StreamUpdate) -> None: ...

        def interrupt(self, request_id: str) -> None: ...

        def fail(self, failure: Failure) -> None:
            failures.append(failure)

    def refuse(request: Generate) -> None:  # as of a chat that is too large for a message
        failure = Failure(Scope.REQUEST, "too large", request_id=request.request_id)
        client.request_failed.emit(failure)

    client.generate = refuse  # type: ignore[method-assign]
    asker = Asker()
    for key in ("1", "2"):
        router.submit(asker, Generate(key, ()), "/models/absent")
    assert not failures
    router.redirect(asker, "/models/absent", "")
    assert [failure.request_id for failure in failures] == ["1", "2"]
    pool.deleteLater()
    client.deleteLater()
