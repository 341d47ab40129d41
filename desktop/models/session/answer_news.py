"""What others want to know of answers that have ended, and the titles made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.chats.chat import Message, MessageStatus, Statistics

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.request_router import RequestRouter
    from desktop.models.session.titler import SuggestedTitle, Titler

BY_FIRST_WORDS = "first_words"
BY_MODEL = "model"


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    """An answer is not on its way any more.

    Attributes:
        title: of its chat.
        seconds: from asking to its last token.
        seen: whether its chat was the one in front.
    """

    chat_id: str
    message_id: str
    title: str
    seconds: float
    status: MessageStatus
    seen: bool


class AnswerNews(QObject):
    """See the module.

    Attributes:
        titles: who makes them: `BY_FIRST_WORDS` or `BY_MODEL`.

    Signals:
        ended: an `AnswerEnded`.
        titled: a `SuggestedTitle`.
    """

    ended = Signal(object)
    titled = Signal(object)

    def __init__(self, router: RequestRouter, parent: QObject) -> None:
        super().__init__(parent)
        self._router = router
        self._titler: Titler | None = None
        self.titles = BY_FIRST_WORDS

    def watch(self, session: ChatSession, is_seen: Callable[[], bool]) -> None:
        """Tell of the answers of `session`."""

        def on_ended(message: Message) -> None:
            seconds = (message.statistics or Statistics()).seconds
            self.ended.emit(
                AnswerEnded(
                    session.chat_id,
                    message.id,
                    session.title,
                    seconds,
                    message.status,
                    is_seen(),
                )
            )
            # One that waits for others to be done may go now, whoever has ended.
            if self._titler is not None or (self.titles == BY_MODEL and session.title_is_automatic):
                self._ask_for_title(session)

        session.answer_ended.connect(on_ended)

    def give_way(self) -> None:
        """Somebody sends something: no title is in its way."""
        if self._titler is not None:
            self._titler.give_way()

    def forget(self, chat_id: str) -> None:
        """The chat is gone, or has a title that the user gave it."""
        if self._titler is not None:
            self._titler.forget(chat_id)

    def _ask_for_title(self, session: ChatSession) -> None:
        if self._titler is None:
            from desktop.models.session.titler import Titler  # late: most starts make no title

            self._titler = Titler(self._router, self)
            self._titler.titled.connect(self._on_titled)
        self._titler.consider(session, wanted=self.titles == BY_MODEL)

    def _on_titled(self, suggestion: SuggestedTitle) -> None:
        self.titled.emit(suggestion)
