"""Which messages of a chat that is too long can stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.overflow import Kept, kept, longest_fit, too_long
from engine.protocol import ChatMessage

Chat = tuple[ChatMessage, ...]


def chat(text: str, size: int = 10) -> Chat:
    """`text`: s, u and a for the roles; each message is `size` characters long."""
    roles = {"s": "system", "u": "user", "a": "assistant"}
    return tuple(ChatMessage(roles[letter], "x" * size) for letter in text)


def count(messages: Chat) -> int:
    return sum(len(message.content) for message in messages)


@pytest.mark.parametrize(
    ("turns", "room", "index"),
    [
        ("uauau", 30, 2),
        ("uauau", 29, 4),
        ("uauau", 10, 4),
        ("uauau", 9, None),
        ("suauau", 40, 3),
        ("suauau", 39, 5),
        ("suauau", 19, None),
        ("ssuauau", 35, 6),
        ("u", 5, None),
        ("su", 5, None),
        ("", 5, None),
        ("s", 5, None),
        ("auau", 25, 3),
        ("uuu", 25, 1),
    ],
)
def test_the_longest_end_that_fits(turns: str, room: int, index: int | None) -> None:
    messages = chat(turns)
    found = longest_fit(messages, room, count)
    if index is None:
        assert found is None
    else:
        assert found == Kept(index, count(kept(messages, index)))


@given(
    st.lists(st.sampled_from("ua"), max_size=40),
    st.lists(st.integers(0, 50), min_size=41, max_size=41),
    st.integers(0, 600),
    st.booleans(),
)
def test_it_is_what_trying_each_place_gives(
    letters: list[str], sizes: list[int], room: int, system: bool
) -> None:
    roles = {"u": "user", "a": "assistant"}
    messages = tuple(
        ChatMessage(roles[letter], "x" * size) for letter, size in zip(letters, sizes, strict=False)
    )
    if system:
        messages = (ChatMessage("system", "x" * sizes[-1]), *messages)
    first = 1 if system else 0
    places = [
        i
        for i, message in enumerate(messages)
        if i > first and message.role == "user" and count(kept(messages, i)) <= room
    ]
    found = longest_fit(messages, room, count)
    assert (found.index if found else None) == (places[0] if places else None)


def test_a_chat_of_10_000_messages_is_counted_in_small_parts_and_seldom() -> None:
    messages = chat("s" + "ua" * 5000 + "u")
    asked: list[int] = []

    def counting(messages: Chat) -> int:
        asked.append(len(messages))
        return count(messages)

    found = longest_fit(messages, 2010, counting)
    assert found is not None
    assert found.tokens <= 2010 < count(kept(messages, found.index - 2))
    assert len(asked) < 20
    assert max(asked) < 600


def test_the_failure_says_both_counts_and_what_helps() -> None:
    failure = too_long("r", 12_345, 8192, 1024, Kept(7, 7000))
    assert failure.code == "prompt_too_long"
    assert "12,345" in failure.cause
    assert "8,192" in failure.cause
    assert "1,024" in failure.cause
    assert "oldest" in failure.cause
    assert (failure.keep_from, failure.kept_tokens) == (7, 7000)
    assert (failure.prompt_tokens, failure.context) == (12_345, 8192)
    alone = too_long("r", 9000, 8192, 1, None)
    assert "oldest" not in alone.cause
    assert (alone.keep_from, alone.kept_tokens) == (None, None)
