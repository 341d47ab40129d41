"""What every chat session works with: where it stores, paints from, and asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop.background import Background
    from desktop.chats.chat import OverflowPolicy
    from desktop.chats.store.chat_store import ChatStore
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.conversation import Conversation
    from desktop.models.session.stream_buffer import StreamBuffer
    from engine.protocol import Generate, Loaded


class Requests(Protocol):
    """Where a session sends its requests; the hub."""

    default_overflow: OverflowPolicy  # of chats that have none of their own

    @property
    def store(self) -> ChatStore:
        """Where chats are kept."""

    def loaded(self, model: str = "") -> Loaded | None:
        """The model in this folder ("": the window's own), if it answers now."""

    def complete(self, session: Conversation) -> None:
        """Read the beginning of a chat of which only the end is shown."""

    def submit(self, session: ChatSession, request: Generate, model: str = "") -> None:
        """Have `request` answered by a model, and route its tokens to `session`."""

    def redirect(self, session: ChatSession, old: str, new: str) -> None:
        """What the session wants of a model, and no engine has yet, is for another one now."""

    def cancel(self, request_id: str) -> None:
        """Stop a request."""

    def priority_of(self, chat_id: str) -> int:
        """The priority of the chat's requests; lower goes first."""

    def model_name(self, model: str = "") -> str:
        """The model in this folder ("": the window's own), as stored with the message."""

    def refusal(self) -> str:
        """Why nothing can be sent now (the store cannot be used); empty if it can."""


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What every session works with."""

    background: Background
    buffer: StreamBuffer
    requests: Requests

    @property
    def store(self) -> ChatStore:
        """Where chats are kept."""
        return self.requests.store
