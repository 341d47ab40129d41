"""A chat that is longer than the model reads: the question, and what may be done. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop.chats.chat import Message, OverflowPolicy
from desktop.models.session.prompt import Prompt
from engine.protocol import Failure


class OverflowChoice(StrEnum):
    """What the user decides."""

    DROP = "drop"  # leave the oldest messages out of this answer's prompt
    SEND_ANYWAY = "send_anyway"  # all of it, with little room left for the answer
    STOP = "stop"  # do not answer; the text goes back to the composer


@dataclass(frozen=True, slots=True)
class Overflow:
    """What does not fit. Lengths in tokens.

    Attributes:
        reserve: the room that was to be left for the answer.
        dropped: the messages that would go, oldest first.
        kept_tokens: the prompt without them.
        can_drop: whether leaving them out makes it fit.
    """

    prompt_tokens: int
    context: int
    reserve: int
    dropped: tuple[Message, ...]
    kept_tokens: int
    can_drop: bool

    @property
    def can_send_anyway(self) -> bool:
        """Whether the prompt fits, and only the room for the answer is missing."""
        return self.prompt_tokens < self.context and self.reserve > 1


def overflow_of(failure: Failure, prompt: Prompt, reserve: int) -> Overflow | None:
    """What a refused prompt leaves to decide; None if nothing can be done about it."""
    if failure.prompt_tokens is None or failure.context is None:
        return None
    index = failure.keep_from or 0
    dropped = prompt.before(index) if index < len(prompt.turns) else ()
    result = Overflow(
        failure.prompt_tokens,
        failure.context,
        reserve,
        dropped,
        failure.kept_tokens or 0,
        can_drop=bool(dropped),
    )
    return result if result.can_drop or result.can_send_anyway else None


def without(prompt: Prompt, overflow: Overflow) -> Prompt:
    """`prompt` without the messages that `overflow` drops; the system's turn stays."""
    gone = {message.id for message in overflow.dropped}
    kept = [
        (turn, source)
        for turn, source in zip(prompt.turns, prompt.sources, strict=True)
        if not source or source[0].id not in gone
    ]
    return Prompt(tuple(turn for turn, _ in kept), tuple(source for _, source in kept))


def policy_of(parameters: Mapping[str, object], default: OverflowPolicy) -> OverflowPolicy:
    """The chat's policy, or the default where it has none that makes sense."""
    try:
        return OverflowPolicy(str(parameters.get("overflow", default)))
    except ValueError:
        return default
