"""What a chat is: frozen values, no storage and no Qt."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum


def new_id() -> str:
    """An id for a chat or a message: 128 random bits, as a uuid4 has, without its import."""
    return os.urandom(16).hex()


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class MessageStatus(StrEnum):
    """Where a message stands. User messages are always COMPLETE."""

    QUEUED = "queued"  # waits for the engine, or for a place in the batch
    RUNNING = "running"  # the prompt is being read
    STREAMING = "streaming"
    COMPLETE = "complete"
    STOPPED = "stopped"  # the user pressed Stop
    INTERRUPTED = "interrupted"  # the engine or the window went away; can be continued
    FAILED = "failed"

    @property
    def is_active(self) -> bool:
        """Whether an answer is still on its way."""
        return self in (MessageStatus.QUEUED, MessageStatus.RUNNING, MessageStatus.STREAMING)


class OverflowPolicy(StrEnum):
    """What happens when a chat is longer than the model reads."""

    ASK = "ask"
    DROP_OLDEST = "drop_oldest"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an answer cost. Times in seconds, rates in tokens/s."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    kv_blocks: int = 0
    ttft: float | None = None
    seconds: float = 0.0
    decode_tps: float | None = None
    finish_reason: str = ""  # engine.protocol.FinishReason's value
    stop_string: str = ""  # the stop string that ended it
    reasoning_seconds: float | None = None  # how long it thought
    dropped_messages: int = 0  # older ones that the model did not get to read
    run: dict[str, object] = field(default_factory=dict)  # the run card: see desktop.chats.run_card


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text that goes with a user's message: a file, or a huge paste."""

    id: str
    name: str  # as shown, and as the model is told
    content: str


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a chat's tree. `sequence` orders; no clock does.

    Attributes:
        siblings: ids of all messages below the same parent, itself included, oldest first;
            empty where it is the only one.
    """

    id: str
    chat_id: str
    parent_id: str | None
    role: Role
    content: str
    status: MessageStatus = MessageStatus.COMPLETE
    sequence: int = 0
    model: str = ""
    error: str = ""  # why it failed, in the user's words
    reasoning: str = ""
    statistics: Statistics | None = None
    created: float = 0.0  # seconds since the epoch; shown, never compared
    siblings: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatSummary:
    """A chat as the sidebar lists it."""

    id: str
    title: str
    sequence: int  # of its latest change: the sidebar's order
    updated: float  # seconds since the epoch; for date headings only
    folder: str = ""
    pinned: bool = False
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat with the path of messages from its root to the active leaf.

    Attributes:
        is_whole: False where only the end of the path was read.
    """

    id: str
    title: str
    system_prompt: str = ""
    model: str = ""
    # engine.protocol.Sampling's fields; "overflow" (an OverflowPolicy); "preset" (its id)
    parameters: dict[str, object] = field(default_factory=dict)
    draft: str = ""
    draft_attachments: tuple[Attachment, ...] = ()
    active_leaf: str | None = None
    messages: tuple[Message, ...] = ()
    is_whole: bool = True


DEFAULT_TITLE = "New chat"
DEFAULT_SYSTEM_PROMPT = (
    "You are a helpful, honest assistant running on the user's own computer. "
    "Answer clearly and briefly, in complete sentences."
)
TITLE_LENGTH = 60


def title_from(text: str) -> str:
    """A title made of the first line that says something, cut at a word."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    line = " ".join(line.lstrip("#>*-` ").split())
    if len(line) <= TITLE_LENGTH:
        return line or DEFAULT_TITLE
    cut = line[:TITLE_LENGTH].rsplit(" ", 1)[0]
    return f"{cut if len(cut) > TITLE_LENGTH // 2 else line[:TITLE_LENGTH]}…"
