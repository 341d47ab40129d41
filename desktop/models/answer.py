"""One answer on its way: its text so far, and the prompt that asked for it. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from desktop.chats.chat import Message, MessageStatus, Role, Statistics
from engine.protocol import ChatMessage, Finish, FinishReason, Sampling


@dataclass(slots=True)
class Answer:
    """An answer that is not finished.

    Attributes:
        message: as last shown; its content lags behind `text`.
        request_id: empty until the request went to the engine.
        exchange_text: the user's text it answers when both were made by one send,
            so that the whole exchange can be taken back; None for retry and continue.
        parent_id: the message before the exchange (where the chat goes back to).
        unsaved: text arrived that the store does not have.
        stop_requested: the user pressed Stop before the request left.
        tokens: that came for this request.
    """

    message: Message
    exchange_text: str | None = None
    parent_id: str | None = None
    request_id: str = ""
    continue_final: bool = False
    unsaved: bool = False
    stop_requested: bool = False
    tokens: int = 0
    _parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of the answer so far."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self.message.content + (self._parts[0] if self._parts else "")

    def append(self, text: str) -> None:
        """Take more text."""
        self._parts.append(text)
        self.unsaved = True

    def so_far(self) -> Statistics | None:
        """What can be said of an answer that ends without the engine's word for it."""
        if not self.tokens:
            return self.message.statistics
        before = self.message.statistics or Statistics()
        return replace(
            before, completion_tokens=before.completion_tokens + self.tokens, decode_tps=None
        )

    def settled(self, **changes: object) -> Message:
        """The message with all text so far and `changes`; becomes the current one."""
        content = self.text
        self._parts.clear()
        self.message = replace(self.message, content=content, **changes)  # type: ignore[arg-type]
        return self.message


def prompt_of(system_prompt: str, messages: Iterable[Message]) -> tuple[ChatMessage, ...]:
    """The conversation as the chat template gets it.

    Empty answers (failed, stopped at once) say nothing and are left out; turns of one
    speaker that meet because of that are joined, since many templates insist on
    alternating speakers.
    """
    turns: list[ChatMessage] = []
    if system_prompt.strip():
        turns.append(ChatMessage(Role.SYSTEM.value, system_prompt))
    for message in messages:
        if not message.content:
            continue
        if turns and turns[-1].role == message.role.value:
            joined = f"{turns[-1].content}\n\n{message.content}"
            turns[-1] = ChatMessage(message.role.value, joined)
        else:
            turns.append(ChatMessage(message.role.value, message.content))
    return tuple(turns)


def sampling_of(parameters: Mapping[str, object]) -> Sampling:
    """The chat's own sampling parameters; ones that cannot be read are left out."""
    known = {name: parameters[name] for name in Sampling.__struct_fields__ if name in parameters}
    try:
        return msgspec.convert(known, Sampling)
    except msgspec.ValidationError:
        return Sampling()


STATUS_OF = {
    FinishReason.STOP: MessageStatus.COMPLETE,
    FinishReason.LENGTH: MessageStatus.COMPLETE,
    FinishReason.CONTEXT: MessageStatus.COMPLETE,
    FinishReason.CANCELLED: MessageStatus.STOPPED,
    FinishReason.FAILED: MessageStatus.FAILED,
}


def statistics_of(finish: Finish, before: Statistics | None = None) -> Statistics:
    """What the answer cost; `before`: of the part that is being continued."""
    earlier = before or Statistics()
    return Statistics(
        prompt_tokens=finish.prompt_tokens,
        completion_tokens=earlier.completion_tokens + finish.completion_tokens,
        cached_tokens=finish.cached_tokens,
        kv_blocks=finish.kv_blocks,
        ttft=earlier.ttft if before is not None else finish.ttft,
        seconds=earlier.seconds + finish.seconds,
        decode_tps=finish.decode_tps,
        finish_reason=finish.reason.value,
    )
