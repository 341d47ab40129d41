"""How long an answer thinks, or thought, and how that ended; no Qt."""

from __future__ import annotations

from enum import Enum, auto
from time import monotonic

from desktop.chats.chat import Message, MessageStatus


class Thought(Enum):
    """Where the reasoning of an answer stands."""

    GOES_ON = auto()
    ENDED = auto()
    BROKE_OFF = auto()  # the answer ended within it


class Thinking:
    """The clock of one answer's reasoning.

    The stored figure counts where there is one; before that, what this window saw.
    """

    __slots__ = ("_answered", "_begun", "_message", "_seconds")

    def __init__(self, message: Message) -> None:
        self._message = message
        self._answered = bool(message.content.strip())
        self._begun: float | None = None  # on the monotonic clock
        self._seconds: float | None = None  # as seen here
        if message.reasoning and message.status.is_active:
            self.begin(answered=self._answered)

    @property
    def state(self) -> Thought:
        """Where it stands."""
        if self._answered:
            return Thought.ENDED
        if self._message.status.is_active:
            return Thought.GOES_ON
        if self._message.status == MessageStatus.COMPLETE and not _ran_out(self._message):
            return Thought.ENDED
        return Thought.BROKE_OFF

    @property
    def seconds(self) -> float | None:
        """How long it has thought so far, or did; None where nobody knows."""
        statistics = self._message.statistics
        stored = statistics.reasoning_seconds if statistics is not None else None
        if stored is not None and not self._message.status.is_active:
            return stored
        if self._seconds is not None:
            return self._seconds
        if self._begun is not None:
            return monotonic() - self._begun
        return stored

    def begin(self, *, answered: bool) -> None:
        """A piece of reasoning came."""
        if self._begun is None and not answered:
            self._begun = monotonic()

    def end(self) -> bool:
        """A piece of the answer itself came. Returns whether it is the first."""
        if self._answered:
            return False
        self._answered = True
        self._stop()
        return True

    def update(self, message: Message) -> None:
        """The answer has a new state."""
        self._message = message
        self._answered = bool(message.content.strip())
        if message.reasoning and message.status.is_active:
            self.begin(answered=self._answered)
        if self._answered or not message.status.is_active:
            self._stop()

    def _stop(self) -> None:
        if self._begun is not None and self._seconds is None:
            self._seconds = monotonic() - self._begun


def _ran_out(message: Message) -> bool:
    return message.statistics is not None and message.statistics.finish_reason in (
        "length",
        "context",
    )
