"""Two real engines at once on the CPU: a model each, memory shared, one answering for the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import paths, theme
from desktop.app import Inglenook, Options
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import Phase
from desktop.models.loading.machine_reading import read_machine
from desktop.models.session.chat_session import ChatSession
from desktop.session import Session
from desktop.settings import Settings
from engine.protocol import Loaded
from tests.helpers import processes
from tests.helpers.tiny_models import make_tiny_model

pytestmark = [
    pytest.mark.real_engine,
    pytest.mark.timeout(400),
    pytest.mark.usefixtures("warm_cache"),
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]

LOAD_MS = 180_000
WAIT_MS = 60_000
WORDS = {"max_tokens": 48, "temperature": 0.0}


@pytest.fixture
def app(home: Path, tmp_path: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Inglenook]:
    """The program as it starts, with a tiny model; a more precise one lies beside it."""
    model = make_tiny_model(tmp_path / "Tiny")
    make_tiny_model(tmp_path / "Tiny-Precise", dtype="float32", layers=3, seed=1)
    folders = paths.find()
    assert not folders.prepare()
    theme.apply(qapp, "light", 11)
    settings = Settings(titles="first_words", precise_model=str(tmp_path / "Tiny-Precise"))
    result = Inglenook(qapp, folders, Options(str(model)), settings, Session())
    result.window.show()
    wait_ready(result.client, qtbot)
    qtbot.waitUntil(lambda: result.window.area.count() == 1, timeout=WAIT_MS)
    pids = {client.pid for client in result.pool.clients()}
    yield result
    pids |= {client.pid for client in result.pool.clients()}
    result.window.close()
    result.close()
    for pid in pids - {0}:
        assert processes.members(pid) == []
    result.window.deleteLater()
    result.deleteLater()


def wait_ready(client: EngineClient, qtbot: QtBot) -> Loaded:
    qtbot.waitUntil(lambda: client.view.phase in (Phase.READY, Phase.FAILED), timeout=LOAD_MS)
    assert client.view.failure is None, client.log_tail()
    assert client.view.loaded is not None
    return client.view.loaded


def at_rest(session: ChatSession, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not session.answers and not session.needs_saving, timeout=WAIT_MS)


def test_two_models_share_the_machine_and_answer_side_by_side(
    app: Inglenook, qtbot: QtBot, tmp_path: Path
) -> None:
    tab = app.window.area.current_tab()
    assert tab is not None
    session = tab.session
    session.set_parameters(dict(WORDS))
    assert session.send("Tell me about tea.")
    at_rest(session, qtbot)
    first = session.messages[-1]
    assert (first.status, first.model) == (MessageStatus.COMPLETE, "Tiny")

    room = read_machine().host.ram_available
    precise = str(tmp_path / "Tiny-Precise")
    app.window.desk.beside.answer_with(session, first.id, precise)
    qtbot.waitUntil(lambda: len(app.pool.clients()) == 2, timeout=WAIT_MS)
    second = app.pool.others()[0]
    loaded = wait_ready(second, qtbot)
    assert second.wanted is not None
    # Planned with what the first had left, and not all of that.
    planned = second.wanted[1].kv_cache_bytes
    assert planned is not None
    assert 0 <= planned - loaded.kv_cache_bytes < loaded.kv_cache_bytes / loaded.kv_blocks
    one = wait_ready(app.client, qtbot)
    assert 0 < loaded.kv_cache_bytes < room - one.kv_cache_bytes
    qtbot.waitUntil(lambda: len(session.candidates) == 2, timeout=WAIT_MS)
    at_rest(session, qtbot)
    new, old = session.candidates
    assert (new.model, old.model) == ("Tiny-Precise", "Tiny")
    assert new.status is MessageStatus.COMPLETE
    assert new.content
    assert new.content != old.content
    runs = [m.statistics.run for m in (new, old) if m.statistics is not None]
    assert [run["model"] for run in runs] == ["Tiny-Precise", "Tiny"]
    session.pick_candidate(first.id)

    # Both at once, each its own chat.
    others: list[ChatSession] = []
    app.hub.create_chat(others.append)
    qtbot.waitUntil(lambda: bool(others), timeout=WAIT_MS)
    app.hub.show(others[0].chat_id)
    others[0].set_model(precise)
    for chat in (session, others[0]):
        chat.set_parameters({**WORDS, "max_tokens": 200})
        assert chat.send("And about coffee?")
    qtbot.waitUntil(
        lambda: all(c.messages and c.messages[-1].content for c in (session, others[0])),
        timeout=WAIT_MS,
    )
    assert [app.hub.answered_by(client) for client in app.pool.clients()] == [1, 1]
    for chat, name in ((session, "Tiny"), (others[0], "Tiny-Precise")):
        at_rest(chat, qtbot)
        assert (chat.messages[-1].status, chat.messages[-1].model) == (
            MessageStatus.COMPLETE,
            name,
        )

    # Closing the second gives all of it back and leaves the first as it is.
    pid = second.pid
    app.window.desk.beside.close(second)
    qtbot.waitUntil(lambda: not processes.members(pid), timeout=WAIT_MS)
    assert app.client.view.phase is Phase.READY
    app.hub.hide(others[0].chat_id)
