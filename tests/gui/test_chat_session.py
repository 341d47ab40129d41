"""One chat's rules: commit before send, nothing lost, tokens to the chat they belong to."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.chats.chat import MessageStatus, Role
from desktop.engine_link.engine_state import Phase
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.prompt import prompt_of
from desktop.models.session.session_hub import SessionHub
from desktop.models.session.session_state import SessionState, Waiting
from engine.protocol import FinishReason, StreamUpdate, TokenBatch
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import FakeClient
from tests.helpers.stores import opened


def sent(session: ChatSession, client: FakeClient, qtbot: QtBot, text: str) -> str:
    """Send and wait until the engine heard of it; the request's id."""
    count = len(client.requests)
    assert session.send(text)
    qtbot.waitUntil(lambda: len(client.requests) > count, timeout=WAIT_MS)
    return client.requests[-1].request_id


def test_an_exchange_is_streamed_and_stored(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "What is a block?\nTell me.")
    assert session.title == "What is a block?"
    assert session.state is SessionState.QUEUED
    states: list[SessionState] = []
    session.state_changed.connect(states.append)
    client.write(request, "", running=True)
    client.write(request, "A fixed ")
    client.write(request, "piece.")
    client.finish(request)
    assert states == [SessionState.READING, SessionState.STREAMING, SessionState.IDLE]
    answer = session.messages[-1]
    assert (answer.content, answer.status) == ("A fixed piece.", MessageStatus.COMPLETE)
    chat = stored(hub.store.load_chat(session.chat_id))
    assert [m.content for m in chat.messages] == ["What is a block?\nTell me.", "A fixed piece."]
    assert chat.messages[1].status is MessageStatus.COMPLETE
    assert chat.messages[1].statistics is not None
    assert chat.messages[1].statistics.completion_tokens == 7
    assert chat.messages[1].model == "small"


def test_the_message_is_committed_before_the_engine_hears_of_it(
    hub: SessionHub, client: FakeClient, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(hub, qtbot)
    seen: list[int] = []
    generate = client.generate

    def check(request: object) -> None:
        seen.append(len(stored(hub.store.load_chat(session.chat_id)).messages))
        generate(request)  # type: ignore[arg-type]

    monkeypatch.setattr(client, "generate", check)
    sent(session, client, qtbot, "Hello")
    assert seen == [2]


@pytest.mark.parametrize("text", ["", "   ", "\n\t \n"])
def test_an_empty_message_is_a_hint(hub: SessionHub, qtbot: QtBot, text: str) -> None:
    session = new_session(hub, qtbot)
    with qtbot.waitSignal(session.noticed):
        assert not session.send(text)
    assert session.messages == ()


def test_tokens_land_in_their_own_chat_also_when_its_tab_is_closed(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    first, second = new_session(hub, qtbot), new_session(hub, qtbot)
    one = sent(first, client, qtbot, "one")
    two = sent(second, client, qtbot, "two")
    first_id = first.chat_id
    hub.hide(first_id)
    for _ in range(3):
        client.write(one, "a")
        client.write(two, "b")
    again: list[ChatSession] = []
    hub.open_chat(first_id, again.append)
    assert again == [first]
    assert first.messages[-1].content == "aaa"
    client.finish(one)
    client.finish(two)
    assert second.messages[-1].content == "bbb"
    assert stored(hub.store.load_chat(first_id)).messages[-1].content == "aaa"


def test_a_closed_chat_is_let_go_when_its_answer_is_saved(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    chat_id = session.chat_id
    request = sent(session, client, qtbot, "hello")
    hub.hide(chat_id)
    assert hub.session(chat_id) is session
    client.write(request, "done")
    client.finish(request)
    qtbot.waitUntil(lambda: hub.session(chat_id) is None, timeout=WAIT_MS)
    assert stored(hub.store.load_chat(chat_id)).messages[-1].content == "done"


def test_streamed_text_is_stored_while_it_streams(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "hello")
    client.write(request, "half an ans")

    def saved() -> bool:
        message = stored(hub.store.load_chat(session.chat_id)).messages[-1]
        return message.content == "half an ans" and message.status is MessageStatus.STREAMING

    qtbot.waitUntil(saved, timeout=3000)


def test_stop_keeps_what_there_is(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "hello")
    client.write(request, "some")
    session.stop()
    assert client.cancelled == [request]
    client.finish(request, FinishReason.CANCELLED)
    assert session.messages[-1].status is MessageStatus.STOPPED
    assert session.messages[-1].content == "some"


def test_stop_before_the_commit_never_asks(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    assert session.send("hello")
    session.stop()
    qtbot.waitUntil(lambda: session.messages[-1].status is MessageStatus.STOPPED, timeout=WAIT_MS)
    assert client.requests == []


def test_an_interrupted_answer_is_continued_in_place(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "count")
    client.write(request, "one two ")
    client.interrupted.emit((request,))
    assert session.state is SessionState.INTERRUPTED
    answer = session.messages[-1]
    assert answer.content == "one two "
    session.continue_answer(answer.id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    request = client.requests[-1].request_id
    assert client.requests[-1].continue_final
    assert client.requests[-1].messages[-1].content == "one two "
    client.write(request, "three")
    client.finish(request)
    assert [m.id for m in session.messages][-1] == answer.id
    loaded = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert (loaded.content, loaded.status) == ("one two three", MessageStatus.COMPLETE)


def test_an_interruption_tells_the_tokens_of_all_its_parts(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "count")
    client.token_batch.emit(TokenBatch((StreamUpdate(request, text="one two ", tokens=2),)))
    client.interrupted.emit((request,))
    first = session.messages[-1]
    assert first.statistics is not None
    assert first.statistics.completion_tokens == 2
    session.continue_answer(first.id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    request = client.requests[-1].request_id
    client.token_batch.emit(TokenBatch((StreamUpdate(request, text="three", tokens=1),)))
    client.interrupted.emit((request,))
    kept = stored(hub.store.load_chat(session.chat_id)).messages[-1]
    assert kept.statistics is not None
    assert kept.statistics.completion_tokens == 3


def test_an_answer_interrupted_before_its_first_word_is_asked_again(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "count")
    client.interrupted.emit((request,))
    session.continue_answer(session.messages[-1].id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    assert not client.requests[-1].continue_final
    assert client.requests[-1].messages[-1].role == "user"


def test_retry_makes_a_sibling(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "hello")
    client.write(request, "first")
    client.finish(request)
    old = session.messages[-1]
    session.retry(old.id)
    qtbot.waitUntil(lambda: len(client.requests) == 2, timeout=WAIT_MS)
    request = client.requests[-1].request_id
    client.write(request, "second")
    client.finish(request)
    new = session.messages[-1]
    assert new.id != old.id
    assert new.parent_id == old.parent_id
    chat = stored(hub.store.load_chat(session.chat_id))
    assert [m.content for m in chat.messages] == ["hello", "second"]
    tree = stored(hub.store.load_tree(session.chat_id))
    assert {m.content for m in tree} == {"hello", "first", "second"}


def test_a_prompt_beyond_the_context_gives_the_text_back(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "a very long text")
    drafts: list[str] = []
    session.draft_replaced.connect(drafts.append)
    client.fail(request, "too long", code="prompt_too_long", prompt_tokens=10240, context=8192)
    assert drafts == ["a very long text"]
    assert session.messages == ()
    assert "10,240" in session.notice.text
    assert "8,192" in session.notice.text
    assert session.state is SessionState.IDLE
    qtbot.waitUntil(
        lambda: stored(hub.store.load_chat(session.chat_id)).draft == "a very long text",
        timeout=WAIT_MS,
    )
    chat = stored(hub.store.load_chat(session.chat_id))
    assert chat.messages == ()
    assert session.send("shorter")


def test_text_written_meanwhile_is_kept_when_a_message_comes_back(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "old text")
    session.draft_source = lambda: "new text"
    drafts: list[str] = []
    session.draft_replaced.connect(drafts.append)
    client.fail(request, "x", code="prompt_too_long", prompt_tokens=9, context=8)
    assert drafts == ["old text\n\nnew text"]
    session.draft_source = None


def test_a_failed_request_says_why(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "hello")
    client.write(request, "part")
    client.fail(request, "The engine ran out of memory.")
    answer = session.messages[-1]
    assert answer.status is MessageStatus.FAILED
    assert answer.error == "The engine ran out of memory."
    assert answer.content == "part"
    assert session.state is SessionState.FAILED


def test_deleting_a_chat_that_is_answered_aborts_and_never_revives_it(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    chat_id = session.chat_id
    request = sent(session, client, qtbot, "hello")
    client.write(request, "par")
    with qtbot.waitSignal(hub.chat_deleted, timeout=WAIT_MS):
        hub.delete_chat(chat_id)
    assert client.cancelled == [request]
    client.write(request, "tial")
    client.finish(request, FinishReason.CANCELLED)
    assert stored(hub.store.list_chats()) == []
    with qtbot.waitSignal(hub.chats_listed, timeout=WAIT_MS):
        hub.restore_chat(chat_id)
    answer = stored(hub.store.load_chat(chat_id)).messages[-1]
    assert (answer.content, answer.status) == ("par", MessageStatus.STOPPED)


def test_messages_wait_in_line_until_the_model_is_ready(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    client.set_view(phase=Phase.LOADING)
    first, second = new_session(hub, qtbot), new_session(hub, qtbot)
    sent(first, client, qtbot, "one")
    sent(second, client, qtbot, "two")
    assert [first.waiting, second.waiting] == [Waiting(1, 2, False), Waiting(2, 2, False)]
    client.write(client.request_of(first.chat_id), "", running=True)
    assert [first.waiting, second.waiting] == [None, Waiting(1, 1, False)]


def test_closing_marks_what_was_on_its_way(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    chat_id = session.chat_id
    request = sent(session, client, qtbot, "hello")
    client.write(request, "part of it")
    hub.close()
    with opened(hub.store.path) as store:
        answer = stored(store.load_chat(chat_id)).messages[-1]
    assert (answer.content, answer.status) == ("part of it", MessageStatus.INTERRUPTED)


def test_a_store_that_fails_gives_the_text_back(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    hub.store.close()
    drafts: list[str] = []
    session.draft_replaced.connect(drafts.append)
    assert session.send("precious")
    qtbot.waitUntil(lambda: drafts == ["precious"], timeout=WAIT_MS)
    assert client.requests == []
    assert "not sent" in session.notice.text
    assert session.messages == ()


def test_the_prompt_alternates_and_skips_empty_answers(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    session = new_session(hub, qtbot)
    request = sent(session, client, qtbot, "first")
    client.fail(request, "broken")
    sent(session, client, qtbot, "second")
    roles = [message.role for message in client.requests[-1].messages]
    assert roles == [Role.SYSTEM, Role.USER]
    assert client.requests[-1].messages[-1].content == "first\n\nsecond"
    assert prompt_of("", ()) == ()


def test_a_blank_chat_leaves_nothing_behind(hub: SessionHub, qtbot: QtBot) -> None:
    session = new_session(hub, qtbot)
    hub.hide(session.chat_id)
    qtbot.waitUntil(lambda: stored(hub.store.list_chats()) == [], timeout=WAIT_MS)
