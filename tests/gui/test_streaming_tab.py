"""An answer that streams is shown whole and once, whenever one comes to look at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from desktop.views.tabs.candidates_view import CandidatesView
from desktop.views.tabs.chat_tab import ChatTab
from tests.gui.conftest import WAIT_MS, new_session
from tests.gui.fake_client import FakeClient


@pytest.fixture
def session(hub: SessionHub, qtbot: QtBot) -> ChatSession:
    return new_session(hub, qtbot)


@pytest.fixture
def request_id(session: ChatSession, client: FakeClient, qtbot: QtBot) -> Iterator[str]:
    """An answer on its way, in the middle of whose frame the test begins."""
    assert session.send("why?")
    qtbot.waitUntil(lambda: bool(client.requests), timeout=WAIT_MS)
    yield client.requests[-1].request_id
    client.finish(client.requests[-1].request_id)


def shown(tab: ChatTab, hub: SessionHub, qtbot: QtBot) -> str:
    """What the tab says when the frame has ended."""
    qtbot.waitUntil(lambda: hub.buffer.is_idle, timeout=WAIT_MS)
    return tab.transcript.message_text(tab.session.messages[-1].id)


def test_a_tab_opened_in_the_middle_of_a_frame(
    session: ChatSession, request_id: str, hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    heard: list[str] = []
    session.text_appended.connect(lambda _id, text: heard.append(text))
    client.write(request_id, "one", running=True)
    client.write(request_id, " two")
    tab = ChatTab(session, hub)
    qtbot.addWidget(tab)
    client.write(request_id, " three")
    assert shown(tab, hub, qtbot) == "one two three"
    assert "".join(heard) == "one two three"  # and who listened before misses nothing


def test_another_path_in_the_middle_of_a_frame(
    session: ChatSession, request_id: str, hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    tab = ChatTab(session, hub)
    qtbot.addWidget(tab)
    client.write(request_id, "<think>well", running=True)
    client.write(request_id, " then</think>one")
    client.write(request_id, " two")
    session.show_path(list(session.path))
    client.write(request_id, " three")
    assert shown(tab, hub, qtbot) == "one two three"
    assert session.messages[-1].reasoning == "well then"


def test_candidates_in_the_middle_of_a_frame(
    session: ChatSession, request_id: str, hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    tab = ChatTab(session, hub)
    qtbot.addWidget(tab)
    client.finish(request_id)
    asked = len(client.requests)
    session.answer_ways(session.messages[-1].id, 3)
    qtbot.waitUntil(lambda: len(client.requests) == asked + 3, timeout=WAIT_MS)
    first = client.requests[asked].request_id
    client.write(first, "one", running=True)
    client.write(first, " two")
    session.set_candidates(session.candidates[:2])
    view = tab.findChild(CandidatesView)
    assert isinstance(view, CandidatesView)
    qtbot.waitUntil(lambda: hub.buffer.is_idle, timeout=WAIT_MS)
    assert view.views[0].message_text(session.candidates[0].id) == "one two"
    for request in client.requests[asked:]:
        client.finish(request.request_id)
