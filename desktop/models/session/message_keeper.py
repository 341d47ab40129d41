"""Stores the messages of one chat, and remembers what the store would not take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Signal

from desktop.models.session.session_services import SessionServices

if TYPE_CHECKING:
    from concurrent.futures import Future

    from desktop.chats.chat import Message

T = TypeVar("T")


class MessageKeeper(QObject):
    """Writes of one session; a failed one is kept and can be tried again.

    Signals:
        kept: a message was stored.
        recovered: the last of those that could not be stored has been.
        failed: the exception of a write; the message is kept here.
    """

    kept = Signal()
    recovered = Signal()
    failed = Signal(object)

    def __init__(self, services: SessionServices, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._unsaved: dict[str, Message] = {}
        self._on_the_way: dict[str, tuple[Message, int]] = {}  # and how many writes of it
        self._forgotten: set[str] = set()
        self._stopped = False

    @property
    def needs_saving(self) -> bool:
        """Whether the store lacks something, or has not confirmed it."""
        return bool(self._on_the_way) or bool(self._unsaved)

    def latest(self, message_id: str) -> Message | None:
        """The message as it was handed in last, if the store may not have that yet."""
        written = self._on_the_way.get(message_id)
        return written[0] if written is not None else self._unsaved.get(message_id)

    def store(self, message: Message) -> None:
        """Write what a message now is."""
        _, writes = self._on_the_way.get(message.id, (message, 0))
        self._on_the_way[message.id] = (message, writes + 1)

        def done(_result: object) -> None:
            self._arrived(message.id)
            if self._unsaved.pop(message.id, None) is not None and not self._unsaved:
                self.recovered.emit()
            self.kept.emit()

        def failed(error: Exception) -> None:
            self._arrived(message.id)
            if not self._stopped and message.id not in self._forgotten:
                self._unsaved[message.id] = message
                self.failed.emit(error)

        self.watch(
            self._services.store.update_message(
                message.id,
                content=message.content,
                status=message.status,
                error=message.error,
                statistics=message.statistics,
                reasoning=message.reasoning,
            ),
            done,
            failed,
        )

    def try_again(self) -> None:
        """Write once more what could not be written."""
        for message in list(self._unsaved.values()):
            if message.id not in self._on_the_way:
                self.store(message)

    def forget(self, message_id: str) -> None:
        """The message is deleted: nothing of it needs to be kept."""
        self._forgotten.add(message_id)
        self._unsaved.pop(message_id, None)

    def remember(self, message_id: str) -> None:
        """The message is back."""
        self._forgotten.discard(message_id)

    def stop(self) -> None:
        """The chat is deleted: nothing of it needs to be kept."""
        self._stopped = True
        self._unsaved.clear()

    def watch(
        self,
        future: Future[T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Watch a write, unless the session is gone when it ends."""

        def if_alive(call: Callable[[Any], None] | None) -> Callable[[Any], None]:
            return lambda outcome: call(outcome) if call and shiboken6.isValid(self) else None

        self._services.background.watch(future, if_alive(done), failed and if_alive(failed))

    def _arrived(self, message_id: str) -> None:
        message, writes = self._on_the_way.pop(message_id)
        if writes > 1:
            self._on_the_way[message_id] = (message, writes - 1)
