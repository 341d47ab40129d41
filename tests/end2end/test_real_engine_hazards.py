"""What has killed, or could kill, the real engine: each ordinary request once, with a seed.

A prompt of more than a step's tokens is read in several steps, and so are several that arrive
together. One engine serves the whole file: what ends it fails all that follows. Its steps and its
KV pool are small, so that short prompts take several steps and few requests preempt each other;
it computes in float32, where rounding does not show in the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.load_defaults import CPU_BLOCK_SIZE
from engine.protocol import (
    Cancel,
    ChatMessage,
    CountTokens,
    Failure,
    FinishReason,
    Generate,
    Loaded,
    LoadSettings,
    Sampling,
    Telemetry,
    TokenBatch,
    TokenCount,
)
from engine.store.model_folder import read_model_folder
from tests.helpers.engine_peer import EnginePeer

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

Engine = tuple[EnginePeer, Loaded]
STEP_TOKENS = 64
POOL_TOKENS = 1024
SEEDED = Sampling(temperature=1.5, top_p=1.0, seed=7, max_tokens=12, ignore_eos=True)


@pytest.fixture(scope="module")
def scarce_engine(starter: Path, real_cache: str) -> Iterator[Engine]:
    """The starter with small steps and one context's KV blocks; shared, so leave it idle."""
    token_bytes = read_model_folder(starter).kv_bytes_per_token(4)
    pool = (POOL_TOKENS + CPU_BLOCK_SIZE) * token_bytes  # vLLM keeps one block for itself
    settings = LoadSettings(
        dtype="float32",
        max_model_len=POOL_TOKENS,
        kv_cache_bytes=pool,
        max_num_batched_tokens=STEP_TOKENS,
        max_num_seqs=32,
    )
    peer = EnginePeer("vllm", environment={"INGLENOOK_HOME": real_cache})
    yield peer, peer.load(starter, settings)
    assert peer.close() == 0


def test_a_seeded_request_may_be_prefilled_in_several_steps(scarce_engine: Engine) -> None:
    peer, _ = scarce_engine
    key = peer.ask("A long prompt, to be read in steps. " * 30, sampling=SEEDED)
    _, finish = peer.collect(key)[key]
    assert finish.prompt_tokens > 3 * STEP_TOKENS
    assert finish.completion_tokens == 12


def test_the_same_seed_gives_the_same_text_in_however_many_steps_the_prompt_is_read(
    scarce_engine: Engine,
) -> None:
    peer, _ = scarce_engine
    prompt = "Say some digits, any that come to mind. " * 30
    texts = []
    for steps in ("several", "one", "one"):
        key = peer.ask(prompt, sampling=SEEDED)
        text, finish = peer.collect(key)[key]
        unread = finish.prompt_tokens - finish.cached_tokens
        assert (unread > 2 * STEP_TOKENS) if steps == "several" else unread <= CPU_BLOCK_SIZE
        texts.append(text)
    assert texts[0] == texts[1] == texts[2]
    key = peer.ask(prompt, sampling=replace(SEEDED, seed=8))
    assert peer.collect(key)[key][0] != texts[0]


SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 8}, "age": {"enum": [1, 2, 3]}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
)
KINDS = {
    "plain": SEEDED,
    "greedy": replace(SEEDED, temperature=0.0),
    "no seed": replace(SEEDED, seed=None),
    "no seed, greedy": replace(SEEDED, seed=None, temperature=0.0),
    "nearly greedy": replace(SEEDED, temperature=1e-9),
    "top-k and top-p": replace(SEEDED, top_k=20, top_p=0.9),
    "top-k of everything": replace(SEEDED, top_k=2**40),
    "min-p": replace(SEEDED, min_p=0.05),
    "min-p of one": replace(SEEDED, min_p=1.0),
    "tiny top-p": replace(SEEDED, top_p=1e-12),
    "penalties": replace(
        SEEDED, presence_penalty=1.0, frequency_penalty=-1.0, repetition_penalty=1.3
    ),
    "great penalty": replace(SEEDED, repetition_penalty=1e300),
    "small penalty": replace(SEEDED, repetition_penalty=1e-300),
    "stop strings": replace(SEEDED, stop=("a", "e", "never met " * 90)),
    "one token": replace(SEEDED, max_tokens=1),
    "schema": replace(SEEDED, json_schema=SCHEMA, max_tokens=40),
    "schema, penalties, min-p": replace(
        SEEDED, json_schema=SCHEMA, min_p=0.1, repetition_penalty=1.3, max_tokens=40
    ),
    "pattern": replace(SEEDED, regex="[a-z]{3}-[0-9]{3}"),
    "pattern, greedy": replace(SEEDED, regex="(yes|no)[.!]", temperature=0.0),
    "pattern, stop": replace(SEEDED, regex="[0-9]{3}x[0-9]{3}", stop=("x",)),
    "seed 0": replace(SEEDED, seed=0),
    "greatest seed": replace(SEEDED, seed=2**63 - 1),
}


def test_no_kind_of_request_in_several_steps_ends_the_engine(scarce_engine: Engine) -> None:
    peer, _ = scarce_engine
    for _again in range(2):  # read, then found in the cache
        keys = [
            peer.ask(f"A prompt ({kind}) to be read in steps. " * 10, sampling=sampling)
            for kind, sampling in KINDS.items()
        ]
        peer.collect(*keys)


def test_ways_of_a_long_prompt_with_seeds_and_a_schema(scarce_engine: Engine) -> None:
    peer, _ = scarce_engine
    prompt = "Somebody is described here, at length and in steps. " * 25
    for schema in (None, SCHEMA):
        sampling = replace(SEEDED, json_schema=schema, max_tokens=40)
        keys = [peer.ask(prompt, sampling=replace(sampling, seed=n)) for n in range(4)]
        answers = peer.collect(*keys)
        assert answers[keys[0]][1].prompt_tokens > 4 * STEP_TOKENS
        assert len({answers[key][0] for key in keys}) > 1
        for key in keys:
            text, finish = answers[key]
            if schema and finish.reason is FinishReason.STOP:
                assert set(json.loads(text)) == {"name", "age"}


def test_a_prompt_wholly_in_the_cache(scarce_engine: Engine) -> None:
    peer, loaded = scarce_engine
    size = loaded.block_size
    prompt = "Whole blocks. " * 40
    while True:
        peer.send(CountTokens("blocks", (ChatMessage("user", prompt),)))
        tokens = peer.wait(TokenCount).tokens
        if tokens % size == 0:
            break
        prompt += " a"
    texts = []
    for _ in range(3):
        key = peer.ask(prompt, sampling=SEEDED)
        text, finish = peer.collect(key)[key]
        texts.append(text)
        assert finish.prompt_tokens == tokens
    assert finish.cached_tokens in (tokens - size, tokens - 1)
    assert texts[0] == texts[1] == texts[2]


def test_stop_in_the_middle_of_reading_a_prompt(scarce_engine: Engine) -> None:
    peer, _ = scarce_engine
    prompt = "Stopped before it was read. " * 120
    for sampling in (SEEDED, replace(SEEDED, json_schema=SCHEMA)):
        keys = [peer.ask(prompt, sampling=replace(sampling, seed=n)) for n in range(3)]
        first = keys[0]
        running = False
        while not running:
            batch = peer.wait(TokenBatch)
            running = any(u.request_id == first and u.running for u in batch.updates)
        for key in keys:
            peer.send(Cancel(key))
        answers = peer.collect(*keys)
        assert {finish.reason for _, finish in answers.values()} == {FinishReason.CANCELLED}
        assert not any(text for text, _ in answers.values())
        prompt += "And again."
    key = peer.ask("Hello", sampling=SEEDED)
    assert peer.collect(key)[key][1].completion_tokens == 12


def test_preempted_requests_go_on_as_if_nothing_had_been(scarce_engine: Engine) -> None:
    peer, _ = scarce_engine
    more = replace(SEEDED, max_tokens=100)

    def ask(key: str, words: int, sampling: Sampling, priority: int) -> str:
        messages = (ChatMessage("user", f"{key.split()[0]}: " + "word " * words),)
        peer.send(Generate(key, messages, sampling, priority=priority))
        return key

    kinds = {"seed": more, "pattern": replace(more, regex="[0-9]{90}")}
    alone = {
        kind: peer.collect(ask(f"{kind} alone", 90, asked, 1)) for kind, asked in kinds.items()
    }
    others = [ask(f"other{n}", 90, replace(more, seed=n), 0) for n in range(3)]
    doomed = ask("doomed", 30, more, 2)
    victims = {kind: ask(f"{kind} preempted", 90, asked, 1) for kind, asked in kinds.items()}
    began: set[str] = set()
    while len(began) < 6:
        batch = peer.wait(TokenBatch)
        began |= {u.request_id for u in batch.updates if u.tokens}
        assert not any(u.finish for u in batch.updates)
    peer.wait(Telemetry, lambda m: m.waiting >= 2)
    peer.send(Cancel(doomed))
    answers = peer.collect(doomed, *others, *victims.values())
    assert answers[doomed][1].reason is FinishReason.CANCELLED
    for kind, key in victims.items():
        ((text, _),) = alone[kind].values()
        batches = [m.updates for m in peer.seen if isinstance(m, TokenBatch)]
        assert text == "".join(u.text for b in batches for u in b if u.request_id == key)


def test_an_answer_too_long_to_go_on_with_is_told_what_would_fit(scarce_engine: Engine) -> None:
    peer, loaded = scarce_engine
    turns = [("user", "assistant")[n % 2] for n in range(61)]
    chat = tuple(ChatMessage(role, f"{n}: some words " * 8) for n, role in enumerate(turns))
    chat = (*chat, ChatMessage("assistant", "Well, to begin with"))
    peer.send(Generate("long", chat, SEEDED, continue_final=True, reserve=64))
    failure = peer.wait(Failure)
    assert (failure.request_id, failure.code) == ("long", "prompt_too_long")
    assert failure.keep_from is not None
    assert failure.kept_tokens is not None
    assert STEP_TOKENS < failure.kept_tokens <= loaded.context - 64
    assert chat[failure.keep_from].role == "user"
    rest = chat[failure.keep_from :]
    peer.send(Generate("rest", rest, SEEDED, continue_final=True, reserve=64))
    assert peer.collect("rest")["rest"][1].prompt_tokens == failure.kept_tokens
