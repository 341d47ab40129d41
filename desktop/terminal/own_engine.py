"""A chat with an engine of this process's own: no window is open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QCoreApplication

from desktop.background import Background
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.store_errors import StoreLockedError
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.restart_policy import RestartPolicy
from desktop.models.session.session_hub import SessionHub
from desktop.paths import Folders
from desktop.terminal.arguments import Options
from desktop.terminal.events import Event
from desktop.terminal.exchange import Exchange
from desktop.terminal.interrupts import Interrupts
from desktop.terminal.unsaved_store import UnsavedStore
from engine.store.library import usage

RESTART_DELAYS = (0.5, 1.0)  # s; who waits at a terminal wants to know soon


class OwnEngine:
    """Answers questions; the engine loads from the start on, and ends with `close`.

    Args:
        model: folder to load.
        show: takes each event, on this thread.
    """

    def __init__(
        self, folders: Folders, options: Options, model: str, show: Callable[[Event], None]
    ) -> None:
        self.is_locked = False  # another process has the chats
        self._app = QCoreApplication.instance() or QCoreApplication(sys.argv[:1])
        self._background = Background()
        store = (
            ChatStore(folders.store) if options.request.save else cast(ChatStore, UnsavedStore())
        )
        self._client = EngineClient(
            EngineCommand(options.engine, options.script, folders.logs),
            policy=RestartPolicy(delays=RESTART_DELAYS),
        )
        self._model = model
        self._state = folders.state
        self._keeps = options.request.save
        self._hub = SessionHub(store, self._client, self._background)
        self._hub.store_opened.connect(self._on_store_opened)
        self._hub.store_failed.connect(self._on_store_failed)
        self._exchange = Exchange(self._hub, options.request)
        self._exchange.happened.connect(show)
        self._exchange.idle.connect(self._app.quit)

    def open(self) -> int:
        """Open the chats, and start the engine if that went well. As `ask`, the signal or 0."""
        with Interrupts(self._app.quit) as interrupts:
            self._hub.open_store()
            self._app.exec()
        return interrupts.number

    def ask(self, question: str) -> int:
        """Ask, and return when the answer has ended: the signal that stopped it, or 0."""
        with Interrupts(self._exchange.cancel) as interrupts:
            self._exchange.ask(question)
            if self._exchange.is_active:
                self._app.exec()
        return interrupts.number

    def cancel(self) -> None:
        """Stop the answer on its way."""
        self._exchange.cancel()

    def close(self) -> None:
        """End the engine and close the chats."""
        self._hub.close()
        self._client.shutdown()

    def _on_store_opened(self) -> None:
        self._client.start()
        self._client.load(self._model)
        if self._keeps:  # the list of models tells when each was used
            usage.note_used(self._state, self._model)
        self._app.quit()

    def _on_store_failed(self, error: Exception) -> None:
        self.is_locked = isinstance(error, StoreLockedError)
        if not getattr(error, "usable", False):
            self._app.quit()
