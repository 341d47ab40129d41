"""Titles by the model: after the first answer, behind everything, out of everybody's way."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from desktop.models.session.titler import is_title
from engine.protocol import Generate
from tests.gui.conftest import WAIT_MS, new_session, stored
from tests.gui.fake_client import FakeClient

QUESTION = "How do I bake a sourdough bread that keeps for a week?"


class Talk:
    """A chat with one answer, for which a title is being made."""

    def __init__(self, hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
        self.hub, self.client, self.qtbot = hub, client, qtbot
        hub.titles = "model"
        self.session = new_session(hub, qtbot)
        self.asked = self.answered(self.session, QUESTION)

    def answered(self, session: ChatSession, text: str) -> Generate:
        count = len(self.client.requests)
        assert session.send(text)
        self.qtbot.waitUntil(lambda: len(self.client.requests) > count, timeout=WAIT_MS)
        request = self.client.requests[-1]
        self.client.write(request.request_id, "Mix flour and water.", running=True)
        self.client.finish(request.request_id)
        return request

    @property
    def title_request(self) -> Generate:
        request = self.client.requests[-1]
        assert request.priority == 5
        return request

    def say(self, text: str) -> None:
        request = self.title_request.request_id
        self.client.write(request, text, running=True)
        self.client.finish(request)


@pytest.fixture
def talk(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> Talk:
    return Talk(hub, client, qtbot)


def test_a_title_of_the_models(talk: Talk) -> None:
    assert talk.session.title == QUESTION
    request = talk.title_request
    assert request.messages[:2] == talk.asked.messages  # the engine has read these
    assert request.messages[2].content == "Mix flour and water."
    assert (request.sampling.max_tokens, request.thinking) == (24, False)
    assert not talk.session.state.is_active
    talk.say('"Baking Sourdough Bread"')
    assert talk.session.title == "Baking Sourdough Bread"
    assert len(talk.session.messages) == 2  # no answer of the chat's
    talk.answered(talk.session, "And then?")
    assert talk.client.requests[-1].priority != 5  # one is enough
    chats = stored(talk.hub.store.list_chats())
    assert [chat.title for chat in chats] == ["Baking Sourdough Bread"]


def test_only_if_asked_for(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    talk = Talk(hub, client, qtbot)
    hub.titles = "first_words"
    count = len(client.requests)
    talk.answered(new_session(hub, qtbot), "Another bread?")
    assert len(client.requests) == count + 1


@pytest.mark.parametrize("opened", ["<think>", "tag", "template"])
def test_no_thought_is_given_to_a_title(talk: Talk, opened: str) -> None:
    request = talk.title_request.request_id
    if opened == "template":
        talk.client.open_reasoning(request)
    else:
        talk.client.write(request, "\n<thi" if opened == "tag" else "<think>", running=True)
        if opened == "tag":
            talk.client.write(request, "nk>The user")
    assert talk.client.cancelled == [request]
    talk.client.write(request, "Sourdough bread")
    talk.client.finish(request)
    assert talk.session.title == QUESTION


def test_whoever_sends_anything_goes_first(talk: Talk) -> None:
    request = talk.title_request.request_id
    other = new_session(talk.hub, talk.qtbot)
    other.send("quick")
    talk.qtbot.waitUntil(lambda: talk.client.cancelled == [request], timeout=WAIT_MS)
    talk.client.finish(request)
    assert talk.session.title == QUESTION


def test_a_title_waits_for_the_answers_of_others(talk: Talk) -> None:
    talk.say("Sourdough")
    busy, first = new_session(talk.hub, talk.qtbot), new_session(talk.hub, talk.qtbot)
    busy.rename("Mine")  # it needs no title of its own
    busy.send("long")
    count = len(talk.client.requests)
    talk.qtbot.waitUntil(lambda: len(talk.client.requests) > count, timeout=WAIT_MS)
    long = talk.client.requests[-1].request_id
    talk.answered(first, "Rye bread?")
    assert talk.client.requests[-1].priority != 5
    talk.client.write(long, "done", running=True)
    talk.client.finish(long)
    assert talk.title_request.chat_id == first.chat_id


def test_a_title_of_the_users_stays(talk: Talk) -> None:
    talk.session.rename("My bread")
    talk.say("Sourdough bread")
    assert talk.session.title == "My bread"


def test_a_chat_that_is_closed_gets_its_title_too(talk: Talk) -> None:
    chat_id = talk.session.chat_id
    talk.hub.hide(chat_id)
    talk.qtbot.waitUntil(lambda: talk.hub.session(chat_id) is None, timeout=WAIT_MS)
    with talk.qtbot.waitSignal(talk.hub.chats_listed, timeout=WAIT_MS):
        talk.hub.refresh()
    talk.say("Sourdough bread")
    talk.qtbot.waitUntil(
        lambda: stored(talk.hub.store.list_chats())[0].title == "Sourdough bread",
        timeout=WAIT_MS,
    )


def test_a_closed_chat_that_was_renamed_keeps_its_name(talk: Talk) -> None:
    chat_id = talk.session.chat_id
    talk.hub.hide(chat_id)
    talk.qtbot.waitUntil(lambda: talk.hub.session(chat_id) is None, timeout=WAIT_MS)
    request = talk.title_request.request_id
    talk.hub.rename_chat(chat_id, "My bread")
    assert talk.client.cancelled == [request]
    talk.client.write(request, "Sourdough bread")
    talk.client.finish(request)
    assert stored(talk.hub.store.list_chats())[0].title == "My bread"


@pytest.mark.parametrize("end", ["fail", "die", "delete"])
def test_whatever_ends_it_the_first_words_stay(talk: Talk, end: str) -> None:
    request = talk.title_request.request_id
    if end == "fail":
        talk.client.fail(request, "too long", code="prompt_too_long")
    elif end == "die":
        talk.client.interrupted.emit((request,))
    else:
        with talk.qtbot.waitSignal(talk.hub.chat_deleted, timeout=WAIT_MS):
            talk.hub.delete_chat(talk.session.chat_id)
        assert talk.client.cancelled == [request]
        return
    assert talk.session.title == QUESTION
    assert talk.session.messages[-1].content == "Mix flour and water."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the capital of France?", True),
        ("Hello there", False),
        ("Bread:\nflour and water?", False),
        ("How do I bake a sourdough bread that keeps for a week?", False),
    ],
)
def test_a_short_question_is_its_own_title(question: str, answer: bool) -> None:
    assert is_title(question) is answer


def test_no_title_is_asked_for_where_the_question_is_one(talk: Talk) -> None:
    talk.say("Sourdough bread")
    other = new_session(talk.hub, talk.qtbot)
    talk.answered(other, "What is the capital of France?")
    assert talk.client.requests[-1].priority != 5
    assert other.title == "What is the capital of France?"
