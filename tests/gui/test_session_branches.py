"""Branches of one chat: other wordings, siblings, ways side by side, deleting and its undo."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Attachment, Message, MessageStatus
from desktop.chats.store.store_errors import DiskFullError
from desktop.models.notice import NoticeLevel
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from desktop.models.session.session_state import SessionState
from engine.protocol import FinishReason
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import FakeClient
from tests.helpers.stores import held_up


class Talk:
    """A session, and what the engine and the store make of it."""

    def __init__(self, hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
        self.hub, self.client, self.qtbot = hub, client, qtbot
        self.session = new_session(hub, qtbot)

    def requested(self, count: int) -> list[str]:
        """Wait until the engine has heard of `count` requests in all; the new ones."""
        self.qtbot.waitUntil(lambda: len(self.client.requests) >= count, timeout=WAIT_MS)
        assert len(self.client.requests) == count
        return [request.request_id for request in self.client.requests]

    def ask(self, text: str, answer: str) -> Message:
        """A whole exchange; its answer."""
        count = len(self.client.requests)
        assert self.session.send(text)
        request = self.requested(count + 1)[-1]
        self.client.write(request, answer, running=True)
        self.client.finish(request)
        return self.session.messages[-1]

    def settle(self) -> None:
        session = self.session
        self.qtbot.waitUntil(
            lambda: session._branching.is_idle and not session.needs_saving, timeout=WAIT_MS
        )

    def texts(self) -> list[str]:
        """What is shown, which is what is stored."""
        self.settle()
        shown = [message.content for message in self.session.messages]
        chat = stored(self.hub.store.load_chat(self.session.chat_id))
        assert [message.content for message in chat.messages] == shown
        return shown

    def tree(self) -> dict[str, Message]:
        self.settle()
        tree = stored(self.hub.store.load_tree(self.session.chat_id))
        return {message.id: message for message in tree}


@pytest.fixture
def talk(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> Talk:
    return Talk(hub, client, qtbot)


# --- other wordings -------------------------------------------------------------------------


def test_another_wording_is_a_branch_with_an_answer_of_its_own(talk: Talk) -> None:
    talk.ask("one", "first")
    talk.ask("two", "second")
    session = talk.session
    session.draft_source = lambda: "half a thought"
    session.save_draft()
    question = session.messages[2]
    assert session.edit(question.id, "TWO")
    request = talk.requested(3)[-1]
    assert [m.content for m in talk.client.requests[-1].messages[1:]] == ["one", "first", "TWO"]
    talk.client.write(request, "other")
    talk.client.finish(request)
    assert talk.texts() == ["one", "first", "TWO", "other"]
    assert session.messages[2].siblings == (question.id, session.messages[2].id)
    assert len(talk.tree()) == 6
    # The draft was no part of it, though the store clears its own with what is sent.
    assert stored(talk.hub.store.load_chat(session.chat_id)).draft == "half a thought"
    session.draft_source = None


def test_a_wording_keeps_the_files_unless_told_otherwise(talk: Talk) -> None:
    files = (Attachment("f", "notes.txt", "text"),)
    assert talk.session.send("one", files)
    talk.client.finish(talk.requested(1)[-1])
    question = talk.session.messages[0]
    talk.session.edit(question.id, "two")
    talk.client.finish(talk.requested(2)[-1])
    assert list(talk.session.messages[0].attachments) == list(files)
    talk.session.edit(talk.session.messages[0].id, "three", ())
    talk.client.finish(talk.requested(3)[-1])
    assert list(talk.session.messages[0].attachments) == []
    talk.settle()


def test_an_answer_in_other_words_asks_nothing(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.ask("two", "second")
    assert talk.session.edit(answer.id, "<think>FIRST")
    assert talk.texts() == ["one", "<think>FIRST"]
    shown = talk.session.messages[-1]
    assert (shown.status, shown.siblings) == (MessageStatus.COMPLETE, (answer.id, shown.id))
    assert len(talk.client.requests) == 2
    talk.session.step_sibling(shown.id, -1)
    assert talk.texts() == ["one", "first", "two", "second"]


def test_a_wording_cannot_be_empty_nor_come_in_mid_answer(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    assert not talk.session.edit(talk.session.messages[0].id, " ")
    assert not talk.session.edit("gone", "x")
    talk.session.retry(answer.id)
    assert not talk.session.edit(talk.session.messages[0].id, "two")
    assert "on its way" in talk.session.notice.text
    talk.client.finish(talk.requested(2)[-1])
    talk.settle()


# --- siblings -------------------------------------------------------------------------------


def test_stepping_back_leads_to_where_one_was(talk: Talk) -> None:
    session = talk.session
    first = talk.ask("one", "first")
    session.retry(first.id)
    talk.client.write(talk.requested(2)[-1], "second")
    talk.client.finish(talk.client.requests[-1].request_id)
    session.step_sibling(session.messages[-1].id, -1)
    assert talk.texts() == ["one", "first"]
    session.edit(session.messages[0].id, "ONE")
    talk.client.finish(talk.requested(3)[-1])
    talk.settle()
    session.step_sibling(session.messages[0].id, -1)
    assert talk.texts() == ["one", "first"]  # and not the newer answer
    session.step_sibling(session.messages[0].id, 1)
    assert talk.texts()[0] == "ONE"
    # What is gone is not gone back to.
    session.step_sibling(session.messages[0].id, -1)
    talk.settle()
    session.delete_message(first.id)
    talk.settle()
    session.step_sibling(session.messages[0].id, 1)
    talk.settle()
    session.step_sibling(session.messages[0].id, -1)
    assert talk.texts() == ["one", "second"]


def test_stepping_between_siblings(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.retry(answer.id)
    request = talk.requested(2)[-1]
    talk.client.write(request, "second")
    talk.client.finish(request)
    shown = talk.session.messages[-1]
    assert shown.siblings == (answer.id, shown.id)
    talk.session.step_sibling(shown.id, 1)  # there is none
    talk.session.step_sibling(shown.id, -1)
    assert talk.texts() == ["one", "first"]
    talk.session.step_sibling(answer.id, 1)
    talk.session.step_sibling(answer.id, -1)  # pressed before the first had its effect
    assert talk.texts() == ["one", "first"]


def test_an_answer_goes_on_while_another_branch_is_shown(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.retry(answer.id)
    request = talk.requested(2)[-1]
    new = talk.session.messages[-1]
    texts: list[tuple[str, str]] = []
    talk.session.text_appended.connect(lambda i, text: texts.append((i, text)))
    talk.client.write(request, "sec", running=True)
    talk.session.step_sibling(new.id, -1)
    talk.qtbot.waitUntil(lambda: talk.session.messages[-1].id == answer.id, timeout=WAIT_MS)
    assert talk.session.state is SessionState.STREAMING
    texts.clear()
    talk.client.write(request, "ond")
    talk.session.step_sibling(answer.id, 1)
    talk.client.finish(request)
    assert texts == []  # nothing was said of what is not shown
    assert talk.texts() == ["one", "second"]
    assert not talk.session.state.is_active


def test_what_ends_while_the_store_is_slow_is_shown_as_it_ended(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.retry(answer.id)
    request = talk.requested(2)[-1]
    new = talk.session.messages[-1]
    talk.client.write(request, "sec", running=True)
    talk.session.step_sibling(new.id, -1)
    talk.qtbot.waitUntil(lambda: talk.session._branching.is_idle, timeout=WAIT_MS)
    with held_up(talk.hub.store):
        talk.session.step_sibling(answer.id, 1)  # reads the store as it is now ...
        talk.client.write(request, "ond")
        talk.client.finish(request)  # ... and is outdated before it is heard
    assert talk.texts() == ["one", "second"]
    assert talk.session.messages[-1].status is MessageStatus.COMPLETE


# --- ways -----------------------------------------------------------------------------------


def test_ways_are_asked_together_and_stream_each_into_its_own(talk: Talk) -> None:
    talk.session.set_parameters({"seed": 7})
    answer = talk.ask("one", "first")
    changes: list[int] = []
    talk.session.candidates_changed.connect(lambda messages: changes.append(len(messages)))
    talk.session.answer_ways(answer.id, 3)
    assert changes == [3]
    requests = talk.requested(4)[1:]
    sent = talk.client.requests[1:]
    assert [request.sampling.seed for request in sent] == [7, 8, 9]
    assert len({request.messages for request in sent}) == 1
    for index, request in enumerate(requests):
        talk.client.write(request, f"way {index}", running=True)
    for request in requests:
        talk.client.finish(request)
    candidates = talk.session.candidates
    assert [m.content for m in candidates] == ["way 0", "way 1", "way 2"]
    assert talk.texts() == ["one", "way 0"]
    assert candidates[0].siblings == (answer.id, *(m.id for m in candidates))
    assert candidates[1].statistics is not None
    assert candidates[1].statistics.run["seed"] == 8
    talk.session.pick_candidate(candidates[2].id)
    assert changes == [3, 0]
    assert talk.session.candidates == ()
    assert talk.texts() == ["one", "way 2"]
    assert len(talk.tree()) == 5


def test_no_seed_stays_no_seed(talk: Talk) -> None:
    talk.ask("one", "first")
    talk.session.answer_ways(talk.session.messages[0].id, 2)
    for request in talk.requested(3)[1:]:
        talk.client.finish(request)
    assert [request.sampling.seed for request in talk.client.requests] == [None] * 3
    talk.settle()


def test_picking_stops_the_others_and_keeps_them(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.answer_ways(answer.id, 3)
    requests = talk.requested(4)[1:]
    for request in requests:
        talk.client.write(request, "half", running=True)
    picked = talk.session.candidates[1]
    talk.session.pick_candidate(picked.id)
    assert talk.client.cancelled == [requests[0], requests[2]]
    talk.client.write(requests[1], " more")
    talk.client.finish(requests[0], FinishReason.CANCELLED)
    talk.client.finish(requests[2], FinishReason.CANCELLED)
    talk.client.finish(requests[1])
    assert talk.texts() == ["one", "half more"]
    kept = [m for m in talk.tree().values() if m.content == "half"]
    assert [m.status for m in kept] == [MessageStatus.STOPPED] * 2


def test_writing_on_picks_the_first(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.answer_ways(answer.id, 2)
    for request in talk.requested(3)[1:]:
        talk.client.write(request, "way")
        talk.client.finish(request)
    first = talk.session.candidates[0]
    assert talk.session.send("two")
    assert talk.session.candidates == ()
    talk.client.finish(talk.requested(4)[-1])
    assert talk.session.messages[1].id == first.id
    assert talk.texts() == ["one", "way", "two", ""]


def test_stop_stops_all_ways(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.answer_ways(answer.id, 2)
    requests = talk.requested(3)[1:]
    talk.session.stop()
    assert talk.client.cancelled == requests
    for request in requests:
        talk.client.finish(request, FinishReason.CANCELLED)
    assert {m.status for m in talk.session.candidates} == {MessageStatus.STOPPED}
    talk.settle()


def test_an_engine_that_dies_marks_each_way(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.answer_ways(answer.id, 3)
    requests = talk.requested(4)[1:]
    talk.client.write(requests[0], "a", running=True)
    talk.client.finish(requests[0])
    talk.client.write(requests[1], "b", running=True)
    talk.client.interrupted.emit(tuple(requests[1:]))
    done, half, none = talk.session.candidates
    assert done.status is MessageStatus.COMPLETE
    assert (half.status, half.content) == (MessageStatus.INTERRUPTED, "b")
    assert (none.status, none.content) == (MessageStatus.INTERRUPTED, "")
    assert not talk.session.answers
    tree = talk.tree()
    assert [tree[m.id].status for m in (done, half, none)] == [m.status for m in (done, half, none)]


# --- deleting -------------------------------------------------------------------------------


def test_deleting_can_be_undone(talk: Talk) -> None:
    talk.ask("one", "first")
    talk.ask("two", "second")
    gone = talk.session.messages[1]
    deleted: list[Message] = []
    talk.session.message_deleted.connect(deleted.append)
    talk.session.delete_message(gone.id)
    assert talk.texts() == ["one", "two", "second"]
    assert deleted == [gone]
    talk.session.delete_message(talk.session.messages[0].id)
    assert talk.texts() == ["two", "second"]
    assert talk.session.can_undo_delete
    talk.session.undo_delete_message()
    talk.session.undo_delete_message()
    talk.session.undo_delete_message()  # no more
    assert talk.texts() == ["one", "first", "two", "second"]
    assert talk.session.messages[1] == gone


def test_deleting_what_streams_ends_it_for_good(talk: Talk) -> None:
    """OWUI 9014: the request is aborted, and the row never comes back."""
    assert talk.session.send("one")
    request = talk.requested(1)[-1]
    talk.client.write(request, "half an", running=True)
    answer = talk.session.messages[-1]
    talk.session.delete_message(answer.id)
    assert talk.client.cancelled == [request]  # which frees its KV blocks
    assert talk.texts() == ["one"]
    talk.client.write(request, " answer")
    talk.client.finish(request, FinishReason.CANCELLED)
    talk.hub.save_progress()
    assert talk.texts() == ["one"]
    assert answer.id not in talk.tree()
    assert talk.session.state is SessionState.IDLE
    talk.session.undo_delete_message()
    assert talk.texts() == ["one", "half an"]
    assert talk.session.messages[-1].status is MessageStatus.STOPPED


def test_deleting_before_the_engine_has_heard_of_it(talk: Talk) -> None:
    assert talk.session.send("one")
    talk.session.delete_message(talk.session.messages[-1].id)
    assert talk.texts() == ["one"]
    assert talk.client.requests == []


def test_deleting_a_candidate(talk: Talk) -> None:
    answer = talk.ask("one", "first")
    talk.session.answer_ways(answer.id, 3)
    requests = talk.requested(4)[1:]
    talk.session.delete_message(talk.session.candidates[1].id)
    talk.settle()
    assert len(list(talk.session.candidates)) == 2
    assert talk.client.cancelled == [requests[1]]
    for request in (requests[0], requests[2]):
        talk.client.finish(request)
    talk.session.delete_message(talk.session.candidates[0].id)
    talk.settle()
    assert list(talk.session.candidates) == []  # one alone stands beside nothing
    assert len(talk.tree()) == 3


# --- a copy ---------------------------------------------------------------------------------


def test_a_fork_is_a_chat_of_its_own(talk: Talk) -> None:
    talk.ask("one", "first")
    assert talk.session.send("two")
    request = talk.requested(2)[-1]
    talk.client.write(request, "half", running=True)
    forked: list[ChatSession] = []
    talk.hub.fork_chat(talk.session.chat_id, talk.session.messages[-1].id, forked.append)
    talk.qtbot.waitUntil(lambda: bool(forked), timeout=WAIT_MS)
    copy = forked[0]
    assert [m.content for m in copy.messages] == ["one", "first", "two", "half"]
    assert copy.messages[-1].status is MessageStatus.INTERRUPTED
    assert copy.title == "Branch of one"
    assert copy.chat_id != talk.session.chat_id
    talk.client.write(request, " more")
    talk.client.finish(request)
    assert copy.messages[-1].content == "half"
    assert talk.texts()[-1] == "half more"


# --- a store that fails -----------------------------------------------------------------------


def full(*_arguments: object, **_values: object) -> Future[None]:
    future: Future[None] = Future()
    future.set_exception(DiskFullError("The disk is full.", "Free some space."))
    return future


@pytest.mark.parametrize("name", ["add_message", "add_answers", "add_exchange"])
def test_a_branch_that_cannot_be_stored_is_not_shown(
    talk: Talk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = talk.ask("one", "first")
    talk.settle()
    before = talk.session.messages
    drafts: list[str] = []
    talk.session.draft_replaced.connect(drafts.append)
    with monkeypatch.context() as patch:
        patch.setattr(talk.hub.store, name, full)
        match name:
            case "add_message":
                talk.session.retry(answer.id)
            case "add_answers":
                talk.session.answer_ways(answer.id, 3)
            case _:
                talk.session.edit(before[0].id, "other")
        talk.qtbot.waitUntil(lambda: not talk.session.answers, timeout=WAIT_MS)
    assert talk.session.messages == before
    assert talk.session.candidates == ()
    assert talk.session.notice.level is NoticeLevel.ERROR
    assert "The disk is full" in talk.session.notice.text
    assert drafts == (["other"] if name == "add_exchange" else [])
    assert len(talk.client.requests) == 1
    assert talk.texts() == ["one", "first"]


@pytest.mark.parametrize("name", ["show_branch", "remove_message", "put_back", "set_active_leaf"])
def test_a_step_that_cannot_be_stored_changes_nothing(
    talk: Talk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = talk.ask("one", "first")
    talk.session.retry(answer.id)
    talk.client.finish(talk.requested(2)[-1])
    if name == "put_back":
        talk.session.delete_message(talk.session.messages[-1].id)
    talk.settle()
    before = talk.session.messages
    with monkeypatch.context() as patch:
        patch.setattr(talk.hub.store, name, full)
        match name:
            case "show_branch":
                talk.session.step_sibling(before[-1].id, -1)
            case "remove_message":
                talk.session.delete_message(before[-1].id)
            case "put_back":
                talk.session.undo_delete_message()
            case _:
                talk.session.answer_ways(before[-1].id, 2)
                for request in talk.requested(4)[2:]:
                    talk.client.finish(request)
                before = (*before[:-1], talk.session.candidates[1])
                talk.session.pick_candidate(talk.session.candidates[1].id)
        talk.settle()
    assert [m.id for m in talk.session.messages] == [m.id for m in before]
    assert "The disk is full" in talk.session.notice.text
    if name == "put_back":  # it can be tried again
        talk.session.undo_delete_message()
        talk.settle()
        assert len(talk.session.messages) == 2
