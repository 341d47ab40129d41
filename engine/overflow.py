"""What must go from a chat that is too long: pure, with the counting given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.failure_words import words
from engine.protocol import ChatMessage, Failure, Remedy, RemedyAction, Scope


@dataclass(frozen=True, slots=True)
class Kept:
    """Messages from `index` on can stay (and a leading system message): `tokens` together."""

    index: int
    tokens: int


def leading_system(messages: Sequence[ChatMessage]) -> int:
    """How many system messages the chat begins with."""
    count = 0
    while count < len(messages) and messages[count].role == "system":
        count += 1
    return count


def kept(messages: Sequence[ChatMessage], index: int) -> tuple[ChatMessage, ...]:
    """What stays of `messages` when they are kept from `index` on."""
    return (*messages[: leading_system(messages)], *messages[index:])


def longest_fit(
    messages: Sequence[ChatMessage],
    room: int,
    count: Callable[[tuple[ChatMessage, ...]], int],
) -> Kept | None:
    """The longest end of the chat that makes at most `room` tokens by `count`.

    It begins with a user's turn and holds the last one; None where not even that fits, or
    where nothing can go. `count` is asked about chats of at most about twice the result's
    length, a logarithmic number of times: the chat may have 10,000 messages.
    """
    system = leading_system(messages)
    # A turn that opens the chat is not a place to cut: all of it is too long already.
    turns = [i for i, item in enumerate(messages) if item.role == "user" and i > system]
    if not turns:
        return None
    best: Kept | None = None
    # Twice as many turns each time, until they do not fit; then halve what lies between.
    fits, fails, size = 0, len(turns) + 1, 1
    while fails - fits > 1:
        index = turns[len(turns) - size]
        tokens = count(kept(messages, index))
        if tokens <= room:
            fits, best = size, Kept(index, tokens)
        else:
            fails = size
        size = min(2 * size, len(turns)) if fails > len(turns) else (fits + fails) // 2
    return best


# By whether much is kept for the answer, and whether leaving messages out would help.
_CAUSES: Final = {
    (False, False): words(
        "This chat makes {tokens} tokens; the model reads {context}, its answer included. "
        "Shorten the message, or start a new chat."
    ),
    (False, True): words(
        "This chat makes {tokens} tokens; the model reads {context}, its answer included. "
        "Leave out the oldest messages, shorten the message, or start a new chat."
    ),
    (True, False): words(
        "This chat makes {tokens} tokens; the model reads {context}, of which {reserve} are kept "
        "for the answer. Shorten the message, or start a new chat."
    ),
    (True, True): words(
        "This chat makes {tokens} tokens; the model reads {context}, of which {reserve} are kept "
        "for the answer. Leave out the oldest messages, shorten the message, or start a new chat."
    ),
}
_SHORTEN: Final = words("Shorten the message")


def too_long(
    request_id: str, tokens: int, context: int, reserve: int, keep: Kept | None
) -> Failure:
    """The failure that says so, with both counts and what leaving messages out would give."""
    cause = _CAUSES[reserve > 1, keep is not None]
    return Failure(
        Scope.REQUEST,
        cause.format(tokens=f"{tokens:,}", context=f"{context:,}", reserve=f"{reserve:,}"),
        code="prompt_too_long",
        request_id=request_id,
        remedies=(Remedy(_SHORTEN, RemedyAction.SHORTEN_PROMPT),),
        prompt_tokens=tokens,
        context=context,
        keep_from=keep.index if keep else None,
        kept_tokens=keep.tokens if keep else None,
    )
