"""Chats on their way from the store to a session, each read once however many ask for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.chats.chat import Chat
    from desktop.models.chat_session import ChatSession
    from desktop.models.session_hub import SessionHub

Ready = Callable[["ChatSession"], None]


class ChatOpening:
    """Opens chats for a hub.

    Args:
        adopt: makes the session of a chat.
    """

    def __init__(self, hub: SessionHub, adopt: Callable[[Chat], ChatSession]) -> None:
        self._hub = hub
        self._adopt = adopt
        self._waiting: dict[str, list[Ready]] = {}

    def open(
        self,
        chat_id: str,
        ready: Ready,
        missing: Callable[[Exception], None] | None,
    ) -> None:
        """See `SessionHub.open_chat`."""
        session = self._hub.session(chat_id)
        if session is not None:
            ready(session)
            return
        waiting = self._waiting.setdefault(chat_id, [])
        waiting.append(ready)
        if len(waiting) > 1:
            return

        def done(chat: Chat) -> None:
            callbacks = self._waiting.pop(chat_id, [])
            if not callbacks:  # deleted since it was read
                failed(KeyError(chat_id))
                return
            session = self._hub.session(chat_id) or self._adopt(chat)
            for callback in callbacks:
                callback(session)

        def failed(error: Exception) -> None:
            self._waiting.pop(chat_id, None)
            if missing is not None:
                missing(error)
            elif not isinstance(error, KeyError):
                self._hub.failed.emit(error)

        self._hub.background.watch(self._hub.store.load_chat(chat_id), done, failed)

    def create(self, ready: Ready, refused: Callable[[], None] | None) -> None:
        """See `SessionHub.create_chat`."""

        def failed(error: Exception) -> None:
            self._hub.failed.emit(error)
            if refused is not None:
                refused()

        created = self._hub.store.create_chat(system_prompt=self._hub.default_system_prompt)
        self._hub.background.watch(created, self._added(ready), failed)

    def fork(self, chat_id: str, message_id: str, title: str, ready: Ready) -> None:
        """See `SessionHub.fork_chat`."""
        forked = self._hub.store.fork_chat(chat_id, message_id, title)
        self._hub.background.watch(forked, self._added(ready))

    def forget(self, chat_id: str) -> None:
        """The chat is deleted: nobody gets it."""
        self._waiting.get(chat_id, []).clear()

    def _added(self, ready: Ready) -> Callable[[Chat], None]:
        def done(chat: Chat) -> None:
            ready(self._adopt(chat))
            self._hub.refresh()

        return done
