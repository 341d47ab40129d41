"""Chats on their way from the store to a session, each read once however many ask for it.

A long chat is shown from its end: that is read in a few milliseconds however long it is. The
beginning follows when that has been painted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QTimer

from desktop.models.notice import NoticeLevel

if TYPE_CHECKING:
    from desktop.chats.chat import Chat
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.conversation import Conversation
    from desktop.models.session.session_hub import SessionHub

Ready = Callable[["ChatSession"], None]
Missing = Callable[[Exception], None]

END: Final = 64  # messages: more than a window shows
# Reading the beginning keeps Python's lock busy: the end is painted before.
REST_DELAY_MS: Final = 100


@dataclass(frozen=True, slots=True)
class _Wish:
    """Somebody wants a chat. `missing`: None: the hub tells of the failure."""

    ready: Ready
    missing: Missing | None
    whole: bool


class ChatOpening:
    """Opens chats for a hub.

    Args:
        adopt: makes the session of a chat.
    """

    def __init__(self, hub: SessionHub, adopt: Callable[[Chat], ChatSession]) -> None:
        self._hub = hub
        self._adopt = adopt
        self._wishes: dict[str, list[_Wish]] = {}
        self._completing: dict[str, list[_Wish]] = {}  # those who wait for all of a chat

    def open(self, chat_id: str, ready: Ready, missing: Missing | None, *, whole: bool) -> None:
        """See `SessionHub.open_chat`."""
        wish = _Wish(ready, missing, whole)
        session = self._hub.session(chat_id)
        if session is not None:
            self._grant(session, wish)
            return
        wishes = self._wishes.setdefault(chat_id, [])
        wishes.append(wish)
        if len(wishes) > 1:
            return

        def done(chat: Chat) -> None:
            wishes = self._wishes.pop(chat_id, [])
            if not wishes:  # deleted since it was read
                self._deny([wish], KeyError(chat_id))
                return
            session = self._hub.session(chat_id) or self._adopt(chat)
            for one in wishes:
                self._grant(session, one)
            if not session.is_whole:
                timer = QTimer(session)
                timer.setSingleShot(True)
                timer.timeout.connect(lambda: self.read_rest(session))
                timer.start(REST_DELAY_MS)

        def failed(error: Exception) -> None:
            self._deny(self._wishes.pop(chat_id, []), error)

        self._hub.background.watch(self._hub.store.load_chat_end(chat_id, END), done, failed)

    def read_rest(self, session: Conversation) -> None:
        """Read the beginning of a chat of which only the end is shown."""
        chat_id = session.chat_id
        if chat_id in self._completing or session.is_whole:
            return
        self._completing[chat_id] = []

        def done(chat: Chat) -> None:
            wishes = self._completing.pop(chat_id, [])
            living = self._hub.session(chat_id)
            if living is None or living is not session:  # deleted meanwhile
                self._deny(wishes, KeyError(chat_id))
                return
            living.complete(chat)
            for wish in wishes:
                wish.ready(living)
            self._hub.drop_if_idle(living)

        def failed(error: Exception) -> None:
            wishes = self._completing.pop(chat_id, [])
            living = self._hub.session(chat_id)
            if living is session:
                living.notify(
                    NoticeLevel.ERROR,
                    QCoreApplication.translate(
                        "ChatSession", "The beginning of this chat could not be read: {reason}"
                    ).format(reason=error),
                )
                self._hub.drop_if_idle(living)
            self._deny(wishes, error)

        self._hub.background.watch(self._hub.store.load_chat(chat_id), done, failed)

    def is_reading(self, chat_id: str) -> bool:
        """Whether the beginning of the chat is on its way."""
        return chat_id in self._completing

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
        self._wishes.get(chat_id, []).clear()

    def _grant(self, session: ChatSession, wish: _Wish) -> None:
        if session.is_whole or not wish.whole:
            wish.ready(session)
            return
        self.read_rest(session)
        self._completing[session.chat_id].append(wish)

    def _deny(self, wishes: Iterable[_Wish], error: Exception) -> None:
        for wish in wishes:
            if wish.missing is not None:
                wish.missing(error)
            elif not isinstance(error, KeyError):
                self._hub.failed.emit(error)

    def _added(self, ready: Ready) -> Callable[[Chat], None]:
        def done(chat: Chat) -> None:
            ready(self._adopt(chat))
            self._hub.refresh()

        return done
