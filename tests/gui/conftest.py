"""Fixtures of the window's tests: a home of their own, a store, a hub, whole windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import paths, theme
from desktop import session as session_file
from desktop import settings as settings_file
from desktop.app import Inglenook, Options
from desktop.background import Background
from desktop.chats.store.chat_store import ChatStore
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from tests.gui.fake_client import FakeClient

T = TypeVar("T")
WAIT_MS = 10_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns about any window with a least size."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))


@pytest.fixture
def folders(home: Path) -> paths.Folders:
    """The folders below this test's own folders."""
    found = paths.find()
    assert not found.prepare()
    return found


@pytest.fixture(autouse=True)
def _theme(qapp: QApplication) -> None:
    theme.apply(qapp, "light", 11)


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def hub(folders: paths.Folders, client: FakeClient, qtbot: QtBot) -> Iterator[SessionHub]:
    """A hub over a real store and a client that does what the test says."""
    background = Background()
    result = SessionHub(ChatStore(folders.store), client.as_client, background)
    with qtbot.waitSignal(result.store_opened, timeout=WAIT_MS):
        result.open_store()
    yield result
    result.close()
    for item in (result, background):
        item.deleteLater()


def stored(future: Future[T]) -> T:
    """What the store says, once it has said it."""
    return future.result(timeout=10)


def new_session(hub: SessionHub, qtbot: QtBot) -> ChatSession:
    """A new chat, shown by a tab (that is only pretended)."""
    sessions: list[ChatSession] = []
    hub.create_chat(sessions.append)
    qtbot.waitUntil(lambda: bool(sessions), timeout=WAIT_MS)
    hub.show(sessions[0].chat_id)
    return sessions[0]


def _is_open(app: Inglenook) -> bool:
    """Its tabs are there, or cannot be."""
    tabs = app.window.area.tabs()
    return app.hub.has_failed or bool(tabs and all(tab.session.chat_id for tab in tabs))


OpenWindow = Callable[..., Inglenook]


@pytest.fixture
def open_window(folders: paths.Folders, qapp: QApplication, qtbot: QtBot) -> Iterator[OpenWindow]:
    """Opens windows as the program does, over a scripted engine; closes them at the end."""
    opened: list[Inglenook] = []

    def open_one(
        script: str = "tokens_per_second=400 load_seconds=0.05",
        *,
        model: str = "",
        wait: bool = True,
    ) -> Inglenook:
        settings, _ = settings_file.load(folders.settings)
        session, _ = session_file.load(folders.session)
        result = Inglenook(
            qapp,
            folders,
            Options(model or str(folders.data), "scripted", script),
            settings,
            session,
        )
        opened.append(result)
        result.window.show()
        if wait:
            qtbot.waitUntil(lambda: _is_open(result), timeout=WAIT_MS)
        return result

    yield open_one
    for one in opened:
        one.window.close()
        one.close()
        one.window.deleteLater()
        one.deleteLater()
