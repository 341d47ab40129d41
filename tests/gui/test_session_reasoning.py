"""What a model thinks: shown apart, timed, stored, never sent again; and the run's facts."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from desktop.chats.chat import MessageStatus
from desktop.models.session import answer as answer_module
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import AnswerEnded, SessionHub
from engine.protocol import FinishReason, Sampling, StreamUpdate, TokenBatch
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import LOADED, FakeClient


def sent(session: ChatSession, client: FakeClient, qtbot: QtBot, text: str) -> str:
    count = len(client.requests)
    assert session.send(text)
    qtbot.waitUntil(lambda: len(client.requests) > count, timeout=WAIT_MS)
    return client.requests[-1].request_id


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    result = Clock()
    monkeypatch.setattr(answer_module, "time", result)
    return result


def test_thoughts_are_shown_apart_and_timed(
    hub: SessionHub, client: FakeClient, qtbot: QtBot, clock: Clock
) -> None:
    session = new_session(hub, qtbot)
    heard: list[tuple[str, str]] = []
    session.reasoning_appended.connect(lambda _, text: heard.append(("thought", text)))
    session.text_appended.connect(lambda _, text: heard.append(("text", text)))
    request = sent(session, client, qtbot, "why?")
    client.write(request, "<thi", running=True)
    assert heard == []
    client.write(request, "nk>\nhm,")
    clock.now += 12.5
    client.write(request, " so")
    client.write(request, "</think>\n\nBe")
    live = session.messages[-1]
    assert live.statistics is not None
    assert live.statistics.reasoning_seconds == 12.5  # told when it ends, not at the very end
    clock.now += 100
    client.write(request, "cause.")
    client.finish(request)
    assert "".join(text for kind, text in heard if kind == "thought") == "hm, so"
    assert "".join(text for kind, text in heard if kind == "text") == "Because."
    answer = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert (answer.reasoning, answer.content) == ("hm, so", "Because.")
    assert answer.statistics is not None
    assert answer.statistics.reasoning_seconds == 12.5
    sent(session, client, qtbot, "and?")
    assert [m.content for m in client.requests[-1].messages[1:]] == ["why?", "Because.", "and?"]


def test_a_template_that_opens_the_tag(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "why?")
    client.open_reasoning(request)
    client.write(request, "hm</think>", running=True)
    client.finish(request)
    answer = session.messages[-1]
    assert (answer.reasoning, answer.content) == ("hm", "")
    assert answer.status is MessageStatus.COMPLETE


def test_tags_of_a_user_are_text(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "<think> and <channel> are tags")
    client.write(request, "So is </think>.", running=True)
    client.finish(request)
    assert session.messages[0].content == "<think> and <channel> are tags"
    assert session.messages[1].content == "So is </think>."
    assert session.messages[1].reasoning == ""


def test_thoughts_are_stored_while_they_come_and_go_on_after_a_crash(
    hub: SessionHub, client: FakeClient, qtbot: QtBot, clock: Clock
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "why?")
    client.write(request, "[THINK]let me", running=True)
    clock.now += 2
    hub.save_progress()
    kept = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert (kept.reasoning, kept.content) == ("let me", "")
    client.interrupted.emit((request,))
    session.continue_answer(session.messages[-1].id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    again = client.requests[-1]
    assert again.continue_final
    assert again.messages[-1].content == "[THINK]\nlet me"
    client.write(again.request_id, " see", running=True)
    clock.now += 3
    client.write(again.request_id, "[/THINK]Because.")
    client.finish(again.request_id)
    answer = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert (answer.reasoning, answer.content) == ("let me see", "Because.")
    assert answer.statistics is not None
    assert answer.statistics.reasoning_seconds == 5.0


def test_a_kill_in_mid_answer_leaves_the_count_right(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    """What a kill -9 leaves is what `save_progress` stored last: text and count together."""
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "count")
    client.token_batch.emit(TokenBatch((StreamUpdate(request, text="one two ", tokens=2),)))
    client.interrupted.emit((request,))
    session.continue_answer(session.messages[-1].id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    again = client.requests[-1].request_id
    client.token_batch.emit(TokenBatch((StreamUpdate(again, text="three four five", tokens=3),)))
    hub.save_progress()
    kept = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert kept.content == "one two three four five"
    assert kept.statistics is not None
    assert kept.statistics.completion_tokens == 5
    client.finish(again)
    final = session.messages[-1].statistics
    assert final is not None
    assert final.completion_tokens == 9  # 2, and the 7 that the engine tells of the second part


def test_the_facts_of_a_run(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    loaded = msgspec.structs.replace(
        LOADED,
        engine_version="vllm 0.32.0",
        quantization="awq",
        template_hash="0123456789abcdef",
        default_sampling=Sampling(temperature=0.6, top_k=20),
    )
    client.set_view(loaded=loaded)
    session = new_session(hub, qtbot)
    session.set_parameters({"temperature": 1, "seed": 7})
    request = sent(session, client, qtbot, "one")
    client.write(request, "x", running=True)
    client.finish(request, stop_string="END")
    costs = stored(hub.store.load_chat(session.chat_id)).messages[-1].statistics
    assert costs is not None
    assert costs.stop_string == "END"
    assert costs.run == {
        "model": "small",
        "engine_version": "vllm 0.32.0",
        "quantization": "awq",
        "dtype": "float32",
        "device": "CPU",
        "template_hash": "0123456789abcdef",
        "context": 8192,
        "sampling": {"temperature": 1.0, "top_k": 20},
        "seed": 7,
    }


def test_the_chat_in_front_goes_first_and_is_seen(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    front, back = new_session(hub, qtbot), new_session(hub, qtbot)
    hub.foreground = front.chat_id
    ended: list[AnswerEnded] = []
    hub.answer_ended.connect(ended.append)
    one, two = sent(front, client, qtbot, "one"), sent(back, client, qtbot, "two")
    assert [request.priority for request in client.requests] == [0, 1]
    client.finish(one)
    client.finish(two, FinishReason.LENGTH)
    assert [(e.chat_id, e.title, e.seen) for e in ended] == [
        (front.chat_id, "one", True),
        (back.chat_id, "two", False),
    ]
    assert ended[0].seconds == 0.5
    assert ended[0].message_id == front.messages[-1].id
    assert ended[0].status is MessageStatus.COMPLETE


def test_what_the_meter_counts_is_what_would_be_sent(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "one")
    client.write(request, "answer", running=True)
    client.finish(request)
    session.set_system_prompt("Be brief.")
    counted = session.prompt_messages("two")
    sent(session, client, qtbot, "two")
    assert client.requests[-1].messages == counted
    assert counted[0].content == "Be brief."
    assert stored(hub.store.load_chat(session.chat_id)).system_prompt == "Be brief."
