"""What the engine is asked: a chat's messages as its template gets them. No Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from desktop.chats.chat import Attachment, Message, Role
from engine.protocol import ChatMessage, Sampling

# Room that an answer must have. A prompt that fills the context to the brim would be
# answered with half a sentence, which nobody could tell from an answer that is complete;
# more than a quarter of a small context would leave too little to ask with.
ROOM_FOR_ANSWER: Final = 512  # tokens
ROOM_UNKNOWN_CONTEXT: Final = 256  # while the model is not loaded yet


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation for the engine, and which messages each turn was made of."""

    turns: tuple[ChatMessage, ...]
    sources: tuple[tuple[Message, ...], ...]

    def before(self, index: int) -> tuple[Message, ...]:
        """The messages that are not sent if the first turn kept is the one at `index`."""
        return tuple(message for source in self.sources[:index] for message in source)


def build_prompt(
    system_prompt: str, messages: Iterable[Message], unfinished: str | None = None
) -> Prompt:
    """The conversation as the chat template gets it.

    Empty answers (failed, stopped at once) say nothing and are left out; turns of one
    speaker that meet because of that are joined, since many templates insist on
    alternating speakers. What a model thought is never sent again.

    Args:
        unfinished: what the last message is sent as: the answer that goes on.
    """
    turns: list[ChatMessage] = []
    sources: list[tuple[Message, ...]] = []
    if system_prompt.strip():
        turns.append(ChatMessage(Role.SYSTEM.value, system_prompt))
        sources.append(())
    given = list(messages)
    for message in given:
        text = content_of(message)
        if unfinished is not None and message is given[-1]:
            text = unfinished
        if not text:
            continue
        role = message.role.value
        if turns and turns[-1].role == role:
            turns[-1] = ChatMessage(role, f"{turns[-1].content}\n\n{text}")
            sources[-1] = (*sources[-1], message)
        else:
            turns.append(ChatMessage(role, text))
            sources.append((message,))
    return Prompt(tuple(turns), tuple(sources))


def prompt_of(system_prompt: str, messages: Iterable[Message]) -> tuple[ChatMessage, ...]:
    """The turns of `build_prompt`."""
    return build_prompt(system_prompt, messages).turns


def content_of(message: Message) -> str:
    """A message with its attachments, each in a block that its text cannot leave."""
    if not message.attachments:
        return message.content
    blocks = [attachment_block(attachment) for attachment in message.attachments]
    return "\n\n".join([*blocks, message.content] if message.content.strip() else blocks)


def attachment_block(attachment: Attachment) -> str:
    """A file as the model reads it: its name, and its text in a fence longer than any inside."""
    name = " ".join(attachment.name.split()).replace('"', "'")
    longest = max((len(run) for run in re.findall(r"`+", attachment.content)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if attachment.content.endswith("\n") else "\n"
    return f'Attached file "{name}":\n{fence}\n{attachment.content}{end}{fence}'


def reserve_for(max_tokens: int | None, context: int | None) -> int:
    """Tokens that a prompt must leave for its answer; `context` None: not known yet."""
    limit = ROOM_FOR_ANSWER if context is not None else ROOM_UNKNOWN_CONTEXT
    wanted = limit if max_tokens is None else min(max_tokens, limit)
    return max(1, wanted if context is None else min(wanted, context // 4))


def sampling_of(parameters: Mapping[str, object]) -> Sampling:
    """The chat's own sampling parameters; what makes no sense is left out, one by one."""
    values = {}
    for name in Sampling.__struct_fields__:
        if name not in parameters:
            continue
        try:
            value = getattr(msgspec.convert({name: parameters[name]}, Sampling), name)
        except (msgspec.ValidationError, OverflowError):
            continue
        if value is not None and _makes_sense(name, value):
            values[name] = value
    if "json_schema" in values:
        values.pop("regex", None)  # the engine takes one of the two
    return Sampling(**values)


def _within(low: float, high: float) -> Callable[[float], bool]:
    return lambda value: math.isfinite(value) and low <= value <= high


_SEED_LIMIT: Final = 2**63
_RANGES: Final[dict[str, Callable[[float], bool]]] = {
    "temperature": _within(0, 100),
    "top_p": lambda value: 0 < value <= 1,
    "top_k": _within(-1, 2**31),
    "min_p": _within(0, 1),
    "presence_penalty": _within(-2, 2),
    "frequency_penalty": _within(-2, 2),
    "repetition_penalty": lambda value: math.isfinite(value) and value > 0,
    "max_tokens": _within(1, 2**31),
    "seed": lambda value: -_SEED_LIMIT <= value < _SEED_LIMIT,
}


def _makes_sense(name: str, value: object) -> bool:
    if name == "stop":
        return isinstance(value, tuple) and all(value)
    if name in ("json_schema", "regex"):
        return isinstance(value, str) and bool(value.strip())
    if isinstance(value, int | float) and name in _RANGES:
        return _RANGES[name](value)
    return True
