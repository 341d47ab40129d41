"""The chat of a terminal's conversation: a new one, the last one, or one by its id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, Chat, ChatSummary
from desktop.terminal.events import ChatRequest, ExitCode, Failed

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub

T = TypeVar("T")


class ChatFinder:
    """Opens the chat in which a conversation goes on. One search at a time.

    Args:
        found: gets the session; it may be another one for each search.
        missing: gets the reason if there is none.

    Attributes:
        chat_id: of the chat; "" until one is found.
        is_new: whether the chat was made by this and holds nothing yet.
    """

    def __init__(
        self,
        hub: SessionHub,
        request: ChatRequest,
        found: Callable[[ChatSession], None],
        missing: Callable[[Failed], None],
    ) -> None:
        self._hub = hub
        self._request = request
        self._found = found
        self._missing = missing
        self._has_options = False  # the chat has those of the command line
        self.chat_id = ""
        self.is_new = False

    def find(self) -> None:
        """Search; `found` or `missing` follows, from the event loop or at once."""
        if self.chat_id:
            self._open(self.chat_id)
        elif self._request.chat or self._request.last:
            self._watch(self._hub.store.list_chats(include_archived=True), self._on_listed)
        else:
            system = self._request.system
            created = self._hub.store.create_chat(
                system_prompt=DEFAULT_SYSTEM_PROMPT if system is None else system,
                parameters=dict(self._request.parameters),
            )
            self._watch(created, self._on_created)

    def forget(self) -> None:
        """The chat is gone; the next search begins anew."""
        self.chat_id = ""
        self.is_new = self._has_options = False

    def _on_created(self, chat: Chat) -> None:
        self.is_new = self._has_options = True
        self._open(chat.id)

    def _on_listed(self, chats: list[ChatSummary]) -> None:
        if self._request.last:
            self._open_last(iter([chat.id for chat in chats if not chat.archived]))
            return
        wanted = self._request.chat
        fitting = [chat.id for chat in chats if chat.id.startswith(wanted)]
        if len(fitting) == 1:
            self._open(fitting[0])
        elif fitting:
            self._fail(
                "chat_ambiguous",
                f"{len(fitting)} chats have an id that begins with {wanted}. Give more of it.",
            )
        else:
            self._fail("chat_missing", f"There is no chat with the id {wanted}.")

    def _open_last(self, remaining: Iterator[str]) -> None:
        """Open the first chat in which something was said: a blank tab is no chat to go on with."""
        chat_id = next(remaining, None)
        if chat_id is None:
            self._fail("chat_missing", "There is no chat yet to go on with. Omit --last.")
            return

        def loaded(chat: Chat) -> None:
            if chat.messages:
                self._open(chat.id)
            else:
                self._open_last(remaining)

        self._watch(
            self._hub.store.load_chat(chat_id), loaded, lambda _: self._open_last(remaining)
        )

    def _open(self, chat_id: str) -> None:
        self.chat_id = chat_id
        self._hub.open_chat(chat_id, self._on_open, self._on_not_open)

    def _on_open(self, session: ChatSession) -> None:
        if not session.state.is_active:
            self._apply_options(session)
        self._found(session)

    def _on_not_open(self, error: Exception) -> None:
        if isinstance(error, KeyError):
            self._fail("chat_missing", "The chat is gone: it was deleted.")
        else:
            self._on_store_failed(error)

    def _apply_options(self, session: ChatSession) -> None:
        """Give a chat that goes on the options of the command line, once."""
        if self._has_options:
            return
        self._has_options = True
        request = self._request
        if request.system is not None:
            session.chat = replace(session.chat, system_prompt=request.system)
        if request.parameters:
            parameters = {**session.chat.parameters, **request.parameters}
            session.chat = replace(session.chat, parameters=parameters)
        if request.system is not None or request.parameters:
            self._hub.store.set_chat(
                session.chat_id,
                system_prompt=session.chat.system_prompt,
                parameters=session.chat.parameters,
            )

    def _watch(
        self,
        future: Future[T],
        done: Callable[[T], None],
        failed: Callable[[Exception], Any] | None = None,
    ) -> None:
        self._hub.background.watch(future, done, failed or self._on_store_failed)

    def _on_store_failed(self, error: Exception) -> None:
        self._missing(Failed(int(ExitCode.STORE), "store", str(error)))

    def _fail(self, code: str, text: str) -> None:
        self._missing(Failed(int(ExitCode.USAGE), code, text))
