"""What a chat is doing, as its tab and the lists show it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import MessageStatus


class SessionState(StrEnum):
    """What the tab of a chat shows."""

    IDLE = "idle"
    QUEUED = "queued"
    READING = "reading"
    STREAMING = "streaming"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def is_active(self) -> bool:
        """Whether an answer is on its way."""
        return self in (SessionState.QUEUED, SessionState.READING, SessionState.STREAMING)


def state_text(state: SessionState, *, unseen: bool = False) -> str:
    """A state in a word, for tabs and lists; empty for a chat at rest.

    `unseen`: its latest answer ended while nobody looked.
    """
    translate = QCoreApplication.translate
    if unseen and state is SessionState.IDLE:
        return translate("SessionState", "new")
    return {
        SessionState.QUEUED: translate("SessionState", "waiting"),
        SessionState.READING: translate("SessionState", "reading"),
        SessionState.STREAMING: translate("SessionState", "writing"),
        SessionState.INTERRUPTED: translate("SessionState", "interrupted"),
        SessionState.FAILED: translate("SessionState", "failed"),
    }.get(state, "")


STATE_OF = {
    MessageStatus.QUEUED: SessionState.QUEUED,
    MessageStatus.RUNNING: SessionState.READING,
    MessageStatus.STREAMING: SessionState.STREAMING,
    MessageStatus.INTERRUPTED: SessionState.INTERRUPTED,
    MessageStatus.FAILED: SessionState.FAILED,
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where a queued answer stands.

    Attributes:
        ready: the model is, only a place is missing.
        model: folder of the model it waits for; "": the window's own.
        is_missing: no engine has that model, or loads it.
    """

    position: int
    total: int
    ready: bool
    model: str = ""
    is_missing: bool = False
