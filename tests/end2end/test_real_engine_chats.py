"""Chats far over the window, and answers that end early: the real vLLM says which is which.

What the window makes of it (the question, the words) is tested with the scripted engine; here
it is the same code over what the real tokenizer and template count.
"""

from __future__ import annotations

import pytest

from desktop.chats.chat import Message, MessageStatus, Role, Statistics
from desktop.models.session.overflow import Overflow, overflow_of, without
from desktop.models.session.prompt import Prompt, build_prompt, reserve_for
from desktop.models.session.stop_words import stop_text
from engine.protocol import (
    CountTokens,
    Failure,
    FinishReason,
    Generate,
    Loaded,
    Sampling,
    StreamUpdate,
    TokenBatch,
    TokenCount,
)
from tests.helpers.engine_peer import EnginePeer

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

Engine = tuple[EnginePeer, Loaded]
SECRET = "The password of the lighthouse is heliotrope."
QUESTION = "What is the password of the lighthouse?"


def chat_of(turns: int) -> list[Message]:
    """A chat whose first message tells the fact, and whose last one asks for it."""
    texts = [SECRET, "I shall remember it."]
    texts += [f"{n}: the sea was calm and nothing happened. " * 20 for n in range(turns)]
    texts.append(QUESTION)
    return [
        Message(f"m{n}", "c", None, (Role.USER, Role.ASSISTANT)[n % 2], text)
        for n, text in enumerate(texts)
    ]


def send(peer: EnginePeer, key: str, prompt: Prompt, sampling: Sampling, reserve: int) -> None:
    peer.send(Generate(key, prompt.turns, sampling, reserve=reserve))


def refusal(peer: EnginePeer, key: str) -> Failure:
    """Why it was refused; not one token was sent."""
    failure = peer.wait(Failure)
    assert failure.request_id == key
    assert not any(
        update.text
        for batch in peer.seen
        if isinstance(batch, TokenBatch)
        for update in batch.updates
        if update.request_id == key
    )
    return failure


def updates(peer: EnginePeer, key: str) -> list[StreamUpdate]:
    """All that was told of a request."""
    batches = [batch for batch in peer.seen if isinstance(batch, TokenBatch)]
    return [u for batch in batches for u in batch.updates if u.request_id == key]


@pytest.mark.parametrize("far", [30, 240])
def test_a_fact_that_does_not_fit_is_never_left_out_silently(
    loaded_engine: Engine, far: int
) -> None:
    peer, loaded = loaded_engine
    messages = chat_of(far * 2)
    prompt = build_prompt("", messages)
    reserve = reserve_for(None, loaded.context)
    send(peer, f"far {far}", prompt, Sampling(), reserve)
    failure = refusal(peer, f"far {far}")
    assert failure.code == "prompt_too_long"
    overflow = overflow_of(failure, prompt, reserve)
    assert isinstance(overflow, Overflow)
    assert overflow.prompt_tokens > overflow.context == loaded.context
    assert f"{overflow.prompt_tokens:,}" in failure.cause
    # The message with the fact is among those that would go, by name, and the question is not.
    assert overflow.dropped[0] is messages[0]
    assert messages[-1] not in overflow.dropped
    assert overflow.dropped == tuple(messages[: len(overflow.dropped)])
    if far > 30:
        return  # what comes then takes as long to read whatever was left out
    # What is sent then is what was said, to the token.
    shorter = without(prompt, overflow)
    send(peer, f"shorter {far}", shorter, Sampling(max_tokens=4), reserve)
    finish = peer.collect(f"shorter {far}")[f"shorter {far}"][1]
    assert finish.prompt_tokens == overflow.kept_tokens <= loaded.context - reserve
    assert SECRET not in "".join(turn.content for turn in shorter.turns)


def test_a_fact_that_fits_is_read_to_the_last_token(loaded_engine: Engine) -> None:
    """The same chat, as long as the window allows: all of it is counted, and all of it is read."""
    peer, loaded = loaded_engine
    reserve = reserve_for(None, loaded.context)
    turns = 2
    while True:
        prompt = build_prompt("", chat_of(turns + 2))
        peer.send(CountTokens(f"count {turns}", prompt.turns))
        if peer.wait(TokenCount).tokens > loaded.context - reserve:
            break
        turns += 2
    prompt = build_prompt("", chat_of(turns))
    peer.send(CountTokens("fits", prompt.turns))
    count = peer.wait(TokenCount).tokens
    send(peer, "fits", prompt, Sampling(temperature=0.0, max_tokens=4), reserve)
    finish = peer.collect("fits")["fits"][1]
    assert finish.prompt_tokens == count > loaded.context // 2


def test_a_first_message_beyond_the_window_leaves_nothing_to_decide(
    loaded_engine: Engine,
) -> None:
    peer, loaded = loaded_engine
    only = [Message("m", "c", None, Role.USER, SECRET + " And on and on." * 4_000 + QUESTION)]
    prompt = build_prompt("", only)
    send(peer, "only", prompt, Sampling(), reserve_for(None, loaded.context))
    failure = refusal(peer, "only")
    assert failure.code == "prompt_too_long"
    assert failure.prompt_tokens is not None
    assert failure.prompt_tokens > loaded.context
    assert overflow_of(failure, prompt, reserve_for(None, loaded.context)) is None


@pytest.mark.parametrize(
    ("question", "sampling", "reason", "words"),
    [
        (
            "Tell a story.",
            Sampling(max_tokens=7, ignore_eos=True),
            FinishReason.LENGTH,
            "It reached the longest answer that this chat allows.",
        ),
        (
            "a " * 8_100,
            Sampling(max_tokens=4_000, ignore_eos=True),
            FinishReason.CONTEXT,
            "The context is full: the model can read no more.",
        ),
        (
            "What is the capital of France? Answer in one sentence.",
            Sampling(temperature=0.0, max_tokens=200),
            FinishReason.STOP,
            "The model ended its answer.",
        ),
    ],
    ids=["its own limit", "the context", "its end"],
)
def test_an_answer_cut_by_its_own_limit_is_no_overflow(
    loaded_engine: Engine, question: str, sampling: Sampling, reason: FinishReason, words: str
) -> None:
    peer, _ = loaded_engine
    key = peer.ask(question, sampling=sampling)
    text, finish = peer.collect(key)[key]
    assert finish.reason is reason
    assert not any(isinstance(m, Failure) and m.request_id == key for m in peer.seen)
    ended = Message(
        "m",
        "c",
        None,
        Role.ASSISTANT,
        text,
        MessageStatus.COMPLETE,
        statistics=Statistics(finish_reason=finish.reason, stop_string=finish.stop_string),
    )
    assert stop_text(ended) == words
    assert ("context" in stop_text(ended)) == (reason is FinishReason.CONTEXT)


def test_with_a_limit_of_its_own_an_answer_needs_no_more_room(loaded_engine: Engine) -> None:
    """A chat that wants ten tokens is not refused for the sake of five hundred."""
    peer, loaded = loaded_engine
    short = Sampling(max_tokens=10, ignore_eos=True)
    reserve = reserve_for(short.max_tokens, loaded.context)
    assert reserve == 10
    prompt = build_prompt("", [Message("m", "c", None, Role.USER, "a " * 8_100)])
    send(peer, "brim", prompt, short, reserve)
    finish = peer.collect("brim")["brim"][1]
    assert finish.prompt_tokens > loaded.context - 200
    assert (finish.completion_tokens, finish.reason) == (10, FinishReason.LENGTH)
