"""A chat longer than the model reads: asked about, cut where one can see it, or refused."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Attachment, MessageStatus, OverflowPolicy
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.overflow import Overflow, OverflowChoice
from desktop.models.session.session_hub import SessionHub
from desktop.models.session.stop_words import stop_text
from engine.protocol import FinishReason
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import LOADED, FakeClient
from tests.helpers.stores import opened

TOO_LONG = {"code": "prompt_too_long", "prompt_tokens": 10240, "context": 8192}
WOULD_FIT = {**TOO_LONG, "keep_from": 3, "kept_tokens": 900}
FITS_WITHOUT_ROOM = {"code": "prompt_too_long", "prompt_tokens": 8000, "context": 8192}


class Talk:
    """A session with two exchanges, and a third one that is too long."""

    def __init__(self, hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
        self.hub, self.client, self.qtbot = hub, client, qtbot
        self.session = new_session(hub, qtbot)
        self.asked: list[Overflow] = []
        self.drafts: list[str] = []
        self.settled: list[bool] = []
        self.session.overflowed.connect(self.asked.append)
        self.session.overflow_settled.connect(lambda: self.settled.append(True))
        self.session.draft_replaced.connect(self.drafts.append)
        for text in ("one", "two"):
            request = self.send(text)
            client.write(request, f"answer to {text}", running=True)
            client.finish(request)

    def send(self, text: str, *files: Attachment) -> str:
        count = len(self.client.requests)
        assert self.session.send(text, files)
        return self.next_request(count)

    def next_request(self, count: int) -> str:
        self.qtbot.waitUntil(lambda: len(self.client.requests) > count, timeout=WAIT_MS)
        return self.client.requests[-1].request_id

    def settle(self) -> None:
        session = self.session
        self.qtbot.waitUntil(
            lambda: session._branching.is_idle and not session.needs_saving, timeout=WAIT_MS
        )


@pytest.fixture
def talk(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> Talk:
    return Talk(hub, client, qtbot)


def test_room_is_kept_for_the_answer(talk: Talk) -> None:
    assert talk.client.requests[-1].reserve == 512
    talk.session.set_parameters({"max_tokens": 40})
    talk.client.finish(talk.send("three"))
    assert talk.client.requests[-1].reserve == 40
    talk.settle()


def test_the_user_is_asked_which_messages_may_go(talk: Talk) -> None:
    request = talk.send("three")
    talk.client.fail(request, "too long", **WOULD_FIT)
    [overflow] = talk.asked
    assert overflow == talk.session.overflow
    assert [m.content for m in overflow.dropped] == ["one", "answer to one"]
    assert (overflow.prompt_tokens, overflow.context) == (10240, 8192)
    assert (overflow.kept_tokens, overflow.reserve, overflow.can_drop) == (900, 512, True)
    assert talk.session.messages[-1].status is MessageStatus.QUEUED
    assert talk.session.waiting is None
    assert not talk.session.send("four")  # the question comes first
    talk.session.resolve_overflow(OverflowChoice.DROP)
    assert talk.settled == [True]
    assert not talk.session.overflow
    sent = talk.client.requests[-1]
    assert [m.content for m in sent.messages[1:]] == ["two", "answer to two", "three"]
    assert sent.messages[0].role == "system"
    talk.client.write(sent.request_id, "short", running=True)
    talk.client.finish(sent.request_id)
    talk.settle()
    answer = stored(talk.hub.store.load_chat(talk.session.chat_id)).messages[-1]
    assert answer.statistics is not None
    assert answer.statistics.dropped_messages == 2  # which its footer says
    assert len(talk.session.messages) == 6  # they are gone from the prompt alone


def test_what_is_remembered_is_not_asked_again(talk: Talk) -> None:
    talk.client.fail(talk.send("three"), "too long", **WOULD_FIT)
    talk.session.resolve_overflow(OverflowChoice.DROP, remember=True)
    talk.client.finish(talk.client.requests[-1].request_id)
    assert talk.session.chat.parameters == {"overflow": "drop_oldest"}
    count = len(talk.client.requests)
    talk.client.fail(talk.send("four"), "too long", **WOULD_FIT)
    assert len(talk.client.requests) == count + 2
    assert len(talk.asked) == 1
    # And a prompt that has grown beyond what was counted is cut further.
    talk.client.fail(talk.client.requests[-1].request_id, "too long", **WOULD_FIT)
    assert len(talk.client.requests) == count + 3
    assert len(talk.asked) == 1
    talk.client.finish(talk.client.requests[-1].request_id)
    talk.settle()
    assert stored(talk.hub.store.load_chat(talk.session.chat_id)).parameters == {
        "overflow": "drop_oldest"
    }


def test_stop_gives_the_text_and_its_files_back(talk: Talk) -> None:
    files = (Attachment("f", "notes.txt", "text"),)
    given: list[tuple[Attachment, ...]] = []
    talk.session.attachments_replaced.connect(given.append)
    talk.client.fail(talk.send("three", *files), "too long", **WOULD_FIT)
    talk.session.resolve_overflow(OverflowChoice.STOP, remember=True)
    assert talk.drafts == ["three"]
    assert given == [files]
    assert "10,240" in talk.session.notice.text
    talk.settle()
    chat = stored(talk.hub.store.load_chat(talk.session.chat_id))
    assert [m.content for m in chat.messages] == ["one", "answer to one", "two", "answer to two"]
    assert (chat.draft, chat.draft_attachments) == ("three", files)
    assert chat.parameters == {"overflow": "stop"}
    # Nothing of it is left behind as a branch.
    assert len(stored(talk.hub.store.load_tree(talk.session.chat_id))) == 4
    talk.client.fail(talk.send("three"), "too long", **WOULD_FIT)
    assert talk.drafts == ["three", "three"]
    talk.settle()


def test_a_prompt_that_fits_may_be_sent_with_little_room(talk: Talk) -> None:
    talk.client.fail(talk.send("three"), "too long", **FITS_WITHOUT_ROOM)
    [overflow] = talk.asked
    assert (overflow.can_drop, overflow.can_send_anyway) == (False, True)
    talk.session.resolve_overflow(OverflowChoice.SEND_ANYWAY)
    sent = talk.client.requests[-1]
    assert sent.reserve == 1
    assert len(sent.messages) == 6
    talk.client.finish(sent.request_id, FinishReason.CONTEXT)
    assert "context" in stop_text(talk.session.messages[-1])
    talk.settle()


def test_a_limit_of_the_users_own_is_no_overflow(talk: Talk) -> None:
    """Ollama 3839, Jan 7783."""
    request = talk.send("three")
    talk.client.write(request, "cut", running=True)
    talk.client.finish(request, FinishReason.LENGTH)
    assert not talk.asked
    assert "context" not in stop_text(talk.session.messages[-1])
    talk.settle()


def test_a_first_prompt_beyond_the_context_is_refused(talk: Talk) -> None:
    """GPT4All 2542: both counts, the draft kept, and nothing hangs."""
    session = new_session(talk.hub, talk.qtbot)
    drafts: list[str] = []
    session.draft_replaced.connect(drafts.append)
    assert session.send("a whole book")
    request = talk.next_request(len(talk.client.requests))
    talk.client.fail(request, "too long", **TOO_LONG)
    assert drafts == ["a whole book"]
    assert "10,240" in session.notice.text
    assert "8,192" in session.notice.text
    assert not session.state.is_active


@pytest.mark.parametrize("way", ["stop", "delete", "close"])
def test_a_question_that_stays_open_holds_nothing_up(talk: Talk, way: str) -> None:
    talk.client.fail(talk.send("three"), "too long", **WOULD_FIT)
    chat_id = talk.session.chat_id
    if way == "stop":
        talk.session.stop()
        assert talk.drafts == ["three"]
        talk.settle()
    elif way == "delete":
        talk.session.delete_message(talk.session.messages[-1].id)
        talk.settle()
        assert [m.content for m in talk.session.messages][-1] == "three"
    else:
        talk.hub.close()
        with opened(talk.hub.store.path) as store:
            answer = stored(store.load_chat(chat_id)).messages[-1]
            assert answer.status is MessageStatus.INTERRUPTED
        return
    assert talk.session.overflow is None
    assert talk.settled
    assert not talk.session.state.is_active


def test_ways_ask_once_and_go_together(talk: Talk) -> None:
    answer = talk.session.messages[-1]
    count = len(talk.client.requests)
    talk.session.answer_ways(answer.id, 3)
    talk.qtbot.waitUntil(lambda: len(talk.client.requests) == count + 3, timeout=WAIT_MS)
    for request in talk.client.requests[count:]:
        talk.client.fail(request.request_id, "too long", **WOULD_FIT)
    assert len(talk.asked) == 1
    talk.session.resolve_overflow(OverflowChoice.DROP)
    again = talk.client.requests[count + 3 :]
    assert len(again) == 3
    assert {len(request.messages) for request in again} == {2}
    for request in again:
        talk.client.finish(request.request_id)
    talk.settle()


def test_an_answer_made_anew_says_why_it_was_not(talk: Talk) -> None:
    answer = talk.session.messages[-1]
    count = len(talk.client.requests)
    talk.session.retry(answer.id)
    talk.client.fail(talk.next_request(count), "too long", **WOULD_FIT)
    talk.session.resolve_overflow(OverflowChoice.STOP)
    failed = talk.session.messages[-1]
    assert failed.status is MessageStatus.FAILED
    assert "10,240" in failed.error
    assert talk.drafts == []
    talk.settle()


def test_the_default_is_the_hubs(talk: Talk) -> None:
    talk.hub.default_overflow = OverflowPolicy.DROP_OLDEST
    count = len(talk.client.requests)
    talk.client.fail(talk.send("three"), "too long", **WOULD_FIT)
    assert talk.asked == []
    assert len(talk.client.requests) == count + 2
    talk.client.finish(talk.client.requests[-1].request_id)
    talk.settle()


def test_an_edit_that_is_too_long_shows_the_branch_before(talk: Talk) -> None:
    before = [m.id for m in talk.session.messages]
    count = len(talk.client.requests)
    assert talk.session.edit(before[0], "a whole book")
    talk.client.fail(talk.next_request(count), "too long", **TOO_LONG)
    assert talk.drafts == ["a whole book"]
    talk.settle()
    assert [m.id for m in talk.session.messages] == before
    chat = stored(talk.hub.store.load_chat(talk.session.chat_id))
    assert [m.id for m in chat.messages] == before
    assert chat.messages[0].siblings == ()


def test_room_while_the_model_is_not_known(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    client.set_view(loaded=None)
    session: ChatSession = new_session(hub, qtbot)
    session.send("one")
    qtbot.waitUntil(lambda: bool(client.requests), timeout=WAIT_MS)
    assert client.requests[0].reserve == 256
    client.set_view(loaded=LOADED)
    client.finish(client.requests[0].request_id)
