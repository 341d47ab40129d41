"""A terminal's conversation over a hub: what is told, when, and what is left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop import chat_handover
from desktop.chat_handover import ChatHandover
from desktop.chats.chat import MessageStatus, OverflowPolicy
from desktop.chats.store.store_errors import DiskFullError
from desktop.engine_link.engine_state import Phase
from desktop.handover import Handover
from desktop.models.session.session_hub import SessionHub
from desktop.single_instance import SingleInstance
from desktop.terminal.events import (
    ChatRequest,
    Done,
    Event,
    ExitCode,
    Failed,
    Notice,
    Progress,
    Text,
)
from desktop.terminal.exchange import Exchange
from engine.protocol import Failure, FinishReason, Remedy, RemedyAction, Scope
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import FakeClient


class Talk:
    """An exchange and what it told."""

    def __init__(self, hub: SessionHub, client: FakeClient, qtbot: QtBot, **request: Any) -> None:
        self.hub, self.client, self.qtbot = hub, client, qtbot
        self.exchange = Exchange(hub, ChatRequest(**request), hub)
        self.events: list[Event] = []
        self.exchange.happened.connect(self.events.append)

    def ask(self, question: str) -> str:
        """Ask, and wait for the engine to hear of it; the request's id."""
        before = len(self.client.requests)
        self.exchange.ask(question)
        self.qtbot.waitUntil(lambda: len(self.client.requests) > before, timeout=WAIT_MS)
        return self.client.requests[-1].request_id

    def end(self) -> Done | Failed:
        """Wait for the last event."""
        self.qtbot.waitUntil(lambda: not self.exchange.is_active, timeout=WAIT_MS)
        last = self.events[-1]
        assert isinstance(last, Done | Failed)
        assert sum(isinstance(event, Done | Failed) for event in self.events) == 1
        return last

    def failure(self) -> Failed:
        last = self.end()
        assert isinstance(last, Failed), last
        return last


@pytest.fixture
def talk(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> Callable[..., Talk]:
    return lambda **request: Talk(hub, client, qtbot, **request)


def test_an_answer_is_told_when_it_is_stored(talk: Callable[..., Talk], hub: SessionHub) -> None:
    one = talk(parameters={"seed": 7}, system="Be brief.")
    request = one.ask("one")
    sent = one.client.requests[-1]
    assert (sent.sampling.seed, sent.messages[0].content) == (7, "Be brief.")
    one.client.write(request, "Pa", running=True)
    one.client.write(request, "ris")
    one.client.finish(request)
    done = one.end()
    assert isinstance(done, Done)
    assert (done.answer, done.tokens, done.kv_blocks) == ("Paris", 7, 2)
    assert "".join(e.text for e in one.events if isinstance(e, Text)) == "Paris"
    chat = stored(hub.store.load_chat(done.chat_id))
    assert [m.status for m in chat.messages] == [MessageStatus.COMPLETE] * 2
    one.events.clear()
    one.client.finish(one.ask("two"))
    one.end()
    assert len(stored(hub.store.load_chat(done.chat_id)).messages) == 4


def test_a_chat_is_answered_by_its_own_model_or_not_at_all(
    talk: Callable[..., Talk], hub: SessionHub
) -> None:
    one = talk()
    one.client.finish(one.ask("one"))
    done = one.end()
    assert isinstance(done, Done)
    stored(hub.store.set_chat(done.chat_id, model="/models/large"))
    one.events.clear()
    one.exchange.ask("two")
    failed = one.failure()
    assert failed.code == "other_model"
    assert "--model /models/large" in failed.message
    assert len(stored(hub.store.load_chat(done.chat_id)).messages) == 2
    one.events.clear()
    one.client.set_view(model="/models/large")
    one.client.finish(one.ask("two"))
    assert isinstance(one.end(), Done)


def test_stopped_before_the_chat_is_made(talk: Callable[..., Talk], hub: SessionHub) -> None:
    one = talk()
    one.exchange.ask("one")
    one.exchange.cancel()
    failed = one.failure()
    assert (failed.exit_code, failed.code) == (ExitCode.CANCELLED, "cancelled")
    assert one.client.requests == []
    one.qtbot.waitUntil(lambda: stored(hub.store.list_chats()) == [], timeout=WAIT_MS)


def test_stopped_while_the_question_is_being_stored(talk: Callable[..., Talk]) -> None:
    one = talk()
    one.hub.chat_state.connect(lambda _state: one.exchange.cancel())
    one.exchange.ask("one")
    done = one.end()
    assert isinstance(done, Done)
    assert done.finish_reason == "cancelled"
    assert one.client.requests == []


def test_a_chat_that_is_being_answered_is_left_alone(
    talk: Callable[..., Talk], hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    session.send("first")
    qtbot.waitUntil(lambda: bool(client.requests), timeout=WAIT_MS)
    one = talk(chat=session.chat_id)
    one.exchange.ask("second")
    assert one.failure().code == "busy"
    assert client.cancelled == []
    assert session.state.is_active
    client.finish(client.requests[0].request_id)


def test_a_prompt_too_long_leaves_a_chat_as_it_was(
    talk: Callable[..., Talk], hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    session.send("first")
    qtbot.waitUntil(lambda: bool(client.requests), timeout=WAIT_MS)
    client.finish(client.requests[0].request_id)
    stored(hub.store.save_draft(session.chat_id, "a draft"))
    hub.hide(session.chat_id)
    qtbot.waitUntil(lambda: not hub.sessions(), timeout=WAIT_MS)
    one = talk(last=True)
    request = one.ask("far too much")
    client.fail(request, "No.", code="prompt_too_long", prompt_tokens=9000, context=8192)
    failed = one.failure()
    assert (failed.exit_code, failed.prompt_tokens, failed.context) == (3, 9000, 8192)
    assert "9,000 tokens" in failed.message
    chat = stored(hub.store.load_chat(session.chat_id))
    assert (len(chat.messages), chat.draft) == (2, "a draft")


def test_nobody_is_asked_about_a_prompt_too_long(talk: Callable[..., Talk]) -> None:
    one = talk()
    one.client.finish(one.ask("one"))
    one.end()
    one.events.clear()
    request = one.ask("far too much")
    counts = {"prompt_tokens": 9000, "context": 8192, "keep_from": 1, "kept_tokens": 20}
    one.client.fail(request, "No.", code="prompt_too_long", **counts)
    assert one.failure().exit_code == ExitCode.TOO_LONG


def test_what_the_model_did_not_read_is_told(talk: Callable[..., Talk], hub: SessionHub) -> None:
    hub.default_overflow = OverflowPolicy.DROP_OLDEST
    one = talk()
    request = one.ask("one")
    one.client.write(request, "x", running=True)
    one.client.finish(request)
    one.end()
    one.events.clear()
    request = one.ask("two")
    counts = {"prompt_tokens": 9000, "context": 8192, "keep_from": 3, "kept_tokens": 20}
    one.client.fail(request, "No.", code="prompt_too_long", **counts)
    one.client.write(one.client.requests[-1].request_id, "x", running=True)
    one.client.finish(one.client.requests[-1].request_id)
    assert isinstance(one.end(), Done)
    assert [e.text for e in one.events if isinstance(e, Notice)] == [
        "The chat is longer than the model reads: the oldest 2 messages stayed out."
    ]


def test_thoughts_are_no_part_of_the_answer(talk: Callable[..., Talk], hub: SessionHub) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "<think>hm", running=True)
    one.client.write(request, ", so</think>\n\nParis")
    one.client.finish(request)
    done = one.end()
    assert isinstance(done, Done)
    assert (done.answer, done.reasoning) == ("Paris", "hm, so")
    assert "".join(e.text for e in one.events if isinstance(e, Text)) == "Paris"
    assert "Thinking" in [e.text for e in one.events if isinstance(e, Progress)]


def test_thoughts_that_were_cut_off_are_told_apart(talk: Callable[..., Talk]) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "<think>hm", running=True)
    one.client.interrupted.emit((request,))
    failed = one.failure()
    assert (failed.answer, failed.reasoning) == ("", "hm")


def test_a_last_write_that_fails(
    talk: Callable[..., Talk], hub: SessionHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "Paris", running=True)

    def full(*_arguments: object, **_values: object) -> Future[None]:
        future: Future[None] = Future()
        future.set_exception(DiskFullError("The disk is full.", "Free some space."))
        return future

    with monkeypatch.context() as patch:
        patch.setattr(hub.store, "update_message", full)
        hub.save_progress()
        one.qtbot.waitUntil(
            lambda: any(isinstance(event, Notice) for event in one.events), timeout=WAIT_MS
        )
        one.exchange._grace.setInterval(0)
        one.client.finish(request)
        failed = one.failure()
    assert (failed.exit_code, failed.answer) == (ExitCode.STORE, "Paris")
    assert failed.message == "The answer could not be saved. The disk is full. Free some space."
    hub.save_progress()  # the disk has room again
    one.qtbot.waitUntil(lambda: not hub.sessions(), timeout=WAIT_MS)


def test_a_question_that_cannot_be_stored(
    talk: Callable[..., Talk], hub: SessionHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_values: object) -> Future[None]:
        future: Future[None] = Future()
        future.set_exception(DiskFullError("The disk is full.", "Free some space."))
        return future

    monkeypatch.setattr(hub.store, "add_exchange", full)
    one = talk()
    one.exchange.ask("one")
    failed = one.failure()
    assert failed.exit_code == ExitCode.STORE
    assert "The disk is full" in failed.message
    assert one.client.requests == []


def test_an_engine_that_fails_ends_the_wait(talk: Callable[..., Talk], client: FakeClient) -> None:
    client.set_view(phase=Phase.LOADING)
    one = talk()
    request = one.ask("one")
    remedies = (
        Remedy("Rebuild", RemedyAction.REBUILD_STARTER),
        Remedy("Choose", RemedyAction.CHOOSE_MODEL),
        Remedy("Log", RemedyAction.SHOW_LOG),
    )
    failure = Failure(Scope.LOAD, "The model is damaged", code="damaged", remedies=remedies)
    client.set_view(phase=Phase.FAILED, failure=failure)
    assert client.cancelled == [request]
    client.finish(request, FinishReason.CANCELLED)
    failed = one.failure()
    assert (failed.exit_code, failed.code) == (ExitCode.FAILED, "damaged")
    assert failed.message.startswith("The model is damaged. Make the starter model again with: ")
    assert "--model FOLDER" in failed.message
    assert failed.message.endswith("engine.log")


def test_no_model_is_loaded(talk: Callable[..., Talk], client: FakeClient) -> None:
    client.set_view(phase=Phase.IDLE)
    one = talk()
    one.exchange.ask("one")
    assert one.failure().code == "no_model"


def test_an_engine_that_does_not_react_to_stop(talk: Callable[..., Talk]) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "Par", running=True)
    one.exchange._grace.setInterval(0)
    one.exchange.cancel()
    done = one.end()
    assert isinstance(done, Done)
    assert (done.answer, done.finish_reason) == ("Par", "cancelled")
    assert one.client.cancelled == [request]


def test_an_engine_that_dies(talk: Callable[..., Talk], hub: SessionHub) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "Par", running=True)
    one.client.interrupted.emit((request,))
    failed = one.failure()
    assert (failed.code, failed.answer) == ("interrupted", "Par")
    message = stored(hub.store.load_chat(failed.chat_id)).messages[-1]
    assert message.status is MessageStatus.INTERRUPTED


def test_a_chat_deleted_in_mid_answer(talk: Callable[..., Talk], hub: SessionHub) -> None:
    one = talk()
    request = one.ask("one")
    one.client.write(request, "Par", running=True)
    hub.delete_chat(one.client.requests[-1].chat_id)
    one.end()
    assert one.client.cancelled == [request]


def test_blank_chats_are_not_the_last(
    talk: Callable[..., Talk], hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    first = talk()
    client.finish(first.ask("one"))
    done = first.end()
    assert isinstance(done, Done)
    new_session(hub, qtbot)
    last = talk(last=True)
    client.finish(last.ask("two"))
    again = last.end()
    assert isinstance(again, Done)
    assert again.chat_id == done.chat_id


def test_ids_that_fit_several_chats(talk: Callable[..., Talk], hub: SessionHub) -> None:
    for _ in range(2):
        stored(hub.store.create_chat())
    one = talk()
    one.exchange._question = "x"  # as if asked with an id that all ids begin with
    one.exchange._finder._on_listed(stored(hub.store.list_chats()))
    assert one.failure().code == "chat_ambiguous"


# --- over the socket ----------------------------------------------------------------------


@pytest.fixture
def server(hub: SessionHub, tmp_path: Path, qtbot: QtBot) -> Any:
    instance = SingleInstance(tmp_path)
    assert instance.listen()
    service = ChatHandover(instance, hub, hub)
    yield service
    instance.close()
    instance.deleteLater()


Caller = Callable[[Callable[[Handover], Any]], Any]


@pytest.fixture
def call(server: ChatHandover, qtbot: QtBot, tmp_path: Path) -> Caller:
    """Run a blocking client on a thread while the event loop serves it."""

    def run(client: Callable[[Handover], Any]) -> Any:
        results: list[Any] = []

        def target() -> None:
            try:
                with Handover(tmp_path) as connection:
                    results.append(client(connection))
            except Exception as error:
                results.append(error)

        thread = threading.Thread(target=target)
        thread.start()
        qtbot.waitUntil(lambda: bool(results), timeout=WAIT_MS)
        thread.join()
        return results[0]

    return run


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"question": "  "},
        {"question": 3},
        {"question": "x", "request": []},
        {"question": "x", "request": {"model": 3}},
    ],
)
def test_requests_that_make_no_sense(call: Caller, payload: dict[str, object]) -> None:
    def client(connection: Handover) -> list[dict[str, object]]:
        connection.send("chat", **payload)
        return list(connection.replies(10))

    [reply] = call(client)
    assert reply["ok"] is False
    assert reply["error"]


def test_a_second_question_before_the_answer_hangs_up(call: Caller, client: FakeClient) -> None:
    def caller(connection: Handover) -> list[dict[str, object]]:
        connection.send("chat", question="one")
        replies = connection.replies(10)
        first = next(replies)
        connection.send("ask", question="two")
        return [first, *replies]

    events = call(caller)
    assert events[0]["event"] == "started"
    assert all(event["event"] != "done" for event in events)


def test_hanging_up_stops_the_answer(call: Caller, client: FakeClient, qtbot: QtBot) -> None:
    def caller(connection: Handover) -> None:
        connection.send("chat", question="one")
        next(connection.replies(10))

    call(caller)
    qtbot.waitUntil(lambda: bool(client.cancelled), timeout=WAIT_MS)
    client.finish(client.cancelled[0], FinishReason.CANCELLED)


def test_the_window_says_that_it_lives(
    call: Caller, client: FakeClient, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_handover, "ALIVE_MS", 10)

    def caller(connection: Handover) -> bool:
        connection.send("chat", question="one", request={"save": False})
        return any(reply["event"] == "alive" for reply in connection.replies(10))

    assert call(caller) is True
    qtbot.waitUntil(lambda: bool(client.cancelled), timeout=WAIT_MS)
    client.finish(client.cancelled[0], FinishReason.CANCELLED)


def test_a_store_that_is_not_usable(call: Caller, hub: SessionHub) -> None:
    hub._chats.fail(DiskFullError("The disk is full.", "Free some space."))

    def caller(connection: Handover) -> dict[str, object]:
        connection.send("chat", question="one")
        return next(connection.replies(10))

    failed = call(caller)
    assert (failed["event"], failed["exit_code"]) == ("failed", ExitCode.STORE)
    assert failed["message"] == "The disk is full. Free some space."
