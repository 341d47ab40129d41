"""What a chat on the terminal asks, and what comes back: values only, no Qt.

The same events come from an engine of our own and, as JSON lines, from the running
window. Times in seconds, lengths in tokens, rates in tokens/s.
"""

from __future__ import annotations

import os
from enum import IntEnum

import msgspec


class ExitCode(IntEnum):
    """What the exit codes of `chat` mean."""

    ANSWERED = 0
    FAILED = 1  # the engine, the model, or the window that has them
    USAGE = 2
    TOO_LONG = 3
    STORE = 4
    CANCELLED = 130  # Ctrl-C
    PIPE_CLOSED = 141  # what read the answer went away


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to chat. The questions themselves follow one by one (see `Ask`).

    Attributes:
        model: folder of the model; "": the one from the settings, or the one loaded.
        system: the system prompt; None: the default one, or the chat's own.
        parameters: sampling parameters by their names in `engine.protocol.Sampling`.
        chat: id of the chat to go on with, or the beginning of it; "": a new one.
        last: go on with the chat that changed last.
        save: whether the chat is kept.
    """

    model: str = ""
    system: str | None = None
    parameters: dict[str, float | int] = {}
    chat: str = ""
    last: bool = False
    save: bool = True


class Started(msgspec.Struct, frozen=True, tag_field="event", tag="started"):
    """The question is stored (unless nothing is kept) and on its way."""

    chat_id: str
    model: str


class Progress(msgspec.Struct, frozen=True, tag_field="event", tag="progress"):
    """What is being waited for, in a few words."""

    text: str


class Text(msgspec.Struct, frozen=True, tag_field="event", tag="text"):
    """A piece of the answer."""

    text: str


class Notice(msgspec.Struct, frozen=True, tag_field="event", tag="notice"):
    """Something the user should know; the answer goes on."""

    text: str


class Done(msgspec.Struct, frozen=True, tag_field="event", tag="done"):
    """The answer has ended and is stored.

    Attributes:
        finish_reason: engine.protocol.FinishReason's value.
        reasoning: what the model thought before it answered; no part of the answer.
    """

    answer: str
    tokens: int
    prompt_tokens: int
    cached_tokens: int
    tokens_per_second: float | None
    ttft: float | None
    seconds: float
    kv_blocks: int
    finish_reason: str
    model: str
    chat_id: str
    reasoning: str = ""


class Failed(msgspec.Struct, frozen=True, tag_field="event", tag="failed"):
    """There is no answer, or only the beginning of one.

    Attributes:
        exit_code: an `ExitCode`.
        code: for scripts.
        message: what happened and what to do next, in the user's words.
        prompt_tokens, context: with code "prompt_too_long".
        answer, reasoning: what there is of it.
    """

    exit_code: int
    code: str
    message: str
    prompt_tokens: int | None = None
    context: int | None = None
    answer: str = ""
    chat_id: str = ""
    reasoning: str = ""


class Alive(msgspec.Struct, frozen=True, tag_field="event", tag="alive"):
    """The window still works on it; comes every few seconds."""


Event = Started | Progress | Text | Notice | Done | Failed | Alive


def to_dict(event: Event) -> dict[str, object]:
    """The event as JSON knows it."""
    result: dict[str, object] = msgspec.to_builtins(event)
    return result


def from_dict(value: dict[str, object]) -> Event:
    """The event in a JSON object.

    Raises:
        ValueError: it is none.
    """
    try:
        event: Event = msgspec.convert(value, Event)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    return event


def request_from(value: dict[str, object]) -> ChatRequest:
    """The request in a JSON object.

    Raises:
        ValueError: it is none.
    """
    try:
        request = msgspec.convert(value, ChatRequest)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    request.chat.encode()  # JSON can hold what is no Unicode: a UnicodeError is a ValueError
    if b"\0" in os.fsencode(request.model):
        raise ValueError("the model is no path")
    return request
