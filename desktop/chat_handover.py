"""Questions from terminals, answered by the running window: `{"op": "chat", ...}`.

So the model is not loaded twice, and one process alone writes the chats. The request
carries "request" (an `events.ChatRequest`) and "question". The answers are events, one
JSON object a line. Further lines, once an answer has ended: `{"op": "ask", "question"}`;
while it is on its way: `{"op": "cancel"}`. Hanging up cancels.
"""

from __future__ import annotations

from typing import Final, cast

from PySide6.QtCore import QObject, QTimer

from desktop.background import Background
from desktop.chats.store.chat_store import ChatStore
from desktop.models.session.session_hub import SessionHub
from desktop.single_instance import Conversation, SingleInstance
from desktop.terminal.events import Alive, Event, request_from, to_dict
from desktop.terminal.exchange import Exchange
from desktop.terminal.unsaved_store import UnsavedStore

ALIVE_MS: Final = 5000


class ChatHandover(QObject):
    """Serves the "chat" requests that come to `instance` over the window's hub."""

    def __init__(
        self, instance: SingleInstance, hub: SessionHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._store_failure = ""
        hub.store_failed.connect(self._on_store_failed)
        hub.store_opened.connect(self._on_store_opened)
        instance.register("chat", self._begin)

    def _begin(self, payload: dict[str, object], conversation: Conversation) -> None:
        try:
            given = payload.get("request", {})
            if not isinstance(given, dict):
                raise ValueError("the request is no object")
            request = request_from(given)
            question = _question(payload)
        except ValueError as error:
            conversation.reply({"ok": False, "error": str(error)})
            conversation.finish()
            return
        hub = self._hub if request.save else _unsaved_hub(self._hub, self)
        exchange = Exchange(hub, request, self, store_failure=self._store_failure)
        if hub is not self._hub:
            hub.setParent(exchange)
            hub.open_store()
        _Caller(exchange, conversation).ask(question)

    def _on_store_failed(self, error: Exception) -> None:
        self._store_failure = "" if getattr(error, "usable", False) else str(error)

    def _on_store_opened(self) -> None:
        self._store_failure = ""


class _Caller(QObject):
    """One terminal: its conversation and its exchange, until it hangs up."""

    def __init__(self, exchange: Exchange, conversation: Conversation) -> None:
        super().__init__(exchange)
        self._exchange = exchange
        self._conversation = conversation
        self._is_gone = False
        self._alive = QTimer(self, interval=ALIVE_MS)
        self._alive.timeout.connect(self._say_alive)
        exchange.happened.connect(self._on_event)
        exchange.idle.connect(self._on_idle)
        conversation.line_received.connect(self._on_line)
        conversation.closed.connect(self._on_closed)

    def ask(self, question: str) -> None:
        """Pass a question on."""
        self._alive.start()
        self._exchange.ask(question)

    def _on_line(self, payload: dict[str, object]) -> None:
        match payload.get("op"):
            case "cancel":
                self._exchange.cancel()
            case "ask" if not self._exchange.is_active:
                try:
                    self.ask(_question(payload))
                except ValueError:
                    self._conversation.abort()
            case _:
                self._conversation.abort()

    def _on_event(self, event: Event) -> None:
        if not self._is_gone:
            self._conversation.reply(to_dict(event))

    def _say_alive(self) -> None:
        self._on_event(Alive())

    def _on_idle(self) -> None:
        self._alive.stop()
        if self._is_gone:
            self._exchange.deleteLater()

    def _on_closed(self) -> None:
        self._is_gone = True
        self._alive.stop()
        if self._exchange.is_active:
            self._exchange.cancel()  # `idle` follows
        else:
            self._exchange.deleteLater()


def _question(payload: dict[str, object]) -> str:
    question = payload.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ValueError("there is no question")
    return question


def _unsaved_hub(hub: SessionHub, parent: QObject) -> SessionHub:
    """A hub over the same engine whose chats are kept nowhere."""
    result = SessionHub(cast(ChatStore, UnsavedStore()), hub.pool, Background(parent), parent)
    result.background.setParent(result)
    return result
