"""The engine process with the real vLLM and the starter model."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from engine.protocol import (
    EXIT_CANCELLED,
    Cancel,
    CancelLoad,
    ChatMessage,
    CountTokens,
    EngineState,
    Failure,
    FinishReason,
    Generate,
    Hello,
    Load,
    LoadCancelled,
    Loaded,
    LoadProgress,
    LoadStage,
    Sampling,
    Status,
    Telemetry,
    TokenBatch,
    TokenCount,
)
from tests.helpers.engine_peer import EnginePeer

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

Engine = tuple[EnginePeer, Loaded]
GREEDY = Sampling(temperature=0.0, max_tokens=24)


def blocks(tokens: int, size: int) -> int:
    return -(-tokens // size)


def test_the_load_tells_its_stages_and_what_it_made(loaded_engine: Engine, starter: Path) -> None:
    peer, loaded = loaded_engine
    hello = next(m for m in peer.seen if isinstance(m, Hello))
    assert hello.backend == "vllm"
    stages = [m.stage for m in peer.seen if isinstance(m, LoadProgress)]
    assert list(dict.fromkeys(stages)) == list(LoadStage)
    assert [item.stage for item in loaded.stages] == list(LoadStage)
    assert sum(item.seconds for item in loaded.stages) == pytest.approx(loaded.seconds, abs=0.2)
    fractions = [
        m.fraction
        for m in peer.seen
        if isinstance(m, LoadProgress) and m.stage is LoadStage.READING_WEIGHTS and m.fraction
    ]
    assert fractions == sorted(fractions)
    assert fractions[-1] > 0.95
    assert loaded.model == str(starter)
    assert loaded.context == 8192
    assert loaded.block_size == 32
    assert loaded.kv_blocks * loaded.block_size >= loaded.context
    assert loaded.default_sampling.temperature == pytest.approx(0.2)


def test_paris(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    key = peer.ask("What is the capital of France? Answer in one sentence.", sampling=GREEDY)
    text, finish = peer.collect(key)[key]
    assert "Paris" in text
    assert finish.reason is FinishReason.STOP
    slots = finish.prompt_tokens + finish.completion_tokens - 1
    assert finish.kv_blocks == blocks(slots, loaded.block_size)
    assert finish.ttft is not None
    assert 0 < finish.ttft <= finish.seconds


def test_streams_run_together_and_do_not_mix(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    words = ["apple", "river", "stone", "candle", "forest", "engine", "violin", "harbour"]
    keys = {
        peer.ask(
            f"Say the word {word} again and again.",
            f"{word} {word} {word} {word} {word} {word}",
            sampling=GREEDY,
            continue_final=True,
        ): word
        for word in words
    }
    answers = peer.collect(*keys)
    for key, word in keys.items():
        assert word in answers[key][0]
        assert not any(other in answers[key][0] for other in words if other != word)
    batch = max(len(m.updates) for m in peer.seen if isinstance(m, TokenBatch))
    assert batch >= 6  # one frame carried them together


def test_counting_agrees_with_generating(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    messages = (ChatMessage("system", "Be brief."), ChatMessage("user", "Hello — 你好 🙂"))
    peer.send(CountTokens("count", messages))
    count = peer.wait(TokenCount, lambda m: m.request_id == "count")
    assert count.context == loaded.context
    peer.send(Generate("counted", messages, GREEDY))
    assert peer.collect("counted")["counted"][1].prompt_tokens == count.tokens


def test_stop_frees_the_blocks_within_a_step_or_two(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    long = Sampling(temperature=0.0, max_tokens=2000, ignore_eos=True)
    key = peer.ask("Count to a thousand.", sampling=long)
    peer.wait(TokenBatch, lambda m: any(u.request_id == key and u.text for u in m.updates))
    held = peer.wait(Telemetry, lambda m: m.running == 1)
    assert 0 < held.kv_used <= held.kv_total == loaded.kv_blocks
    peer.send(Cancel(key))
    _text, finish = peer.collect(key)[key]
    assert finish.reason is FinishReason.CANCELLED
    assert finish.completion_tokens < 2000
    free = peer.wait(Telemetry, lambda m: m.running == 0)
    assert free.kv_used == 0
    peer.send(Cancel(key))  # once more: nothing happens


def test_a_prompt_beyond_the_context_is_refused_with_both_counts(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    slow = peer.ask("Tell a story.", sampling=Sampling(max_tokens=60, ignore_eos=True))
    key = peer.ask("word " * 200_000)  # a paste of 1 MB
    failure = peer.wait(Failure)
    assert failure.request_id == key
    assert failure.code == "prompt_too_long"
    assert failure.prompt_tokens is not None
    assert failure.prompt_tokens > 200_000
    assert failure.context == loaded.context
    assert f"{failure.prompt_tokens:,}" in failure.cause
    assert peer.collect(slow)[slow][1].completion_tokens == 60  # the other stream went on


def test_max_tokens_and_the_context_are_told_apart(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    short = peer.ask("Tell a story.", sampling=Sampling(max_tokens=5, ignore_eos=True))
    full = peer.ask("a " * 8130, sampling=Sampling(ignore_eos=True, max_tokens=4000))
    answers = peer.collect(short, full)
    assert answers[short][1].reason is FinishReason.LENGTH
    assert answers[short][1].completion_tokens == 5
    assert answers[full][1].reason is FinishReason.CONTEXT


def test_an_answer_can_be_continued(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    key = peer.ask(
        "What is the capital of France?",
        "The capital of France",
        sampling=GREEDY,
        continue_final=True,
    )
    text, _finish = peer.collect(key)[key]
    assert text.startswith(" is")
    assert "Paris" in text


def test_stop_strings_and_seeds_do_what_they_say(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    stop = peer.ask("Count: 1, 2, 3,", sampling=Sampling(temperature=0.0, stop=("4",)))
    wild = Sampling(temperature=1.5, seed=7, max_tokens=16, ignore_eos=True)
    first = peer.ask("Invent a word.", sampling=wild)
    answers = peer.collect(stop, first)
    assert "4" not in answers[stop][0]
    second = peer.ask("Invent a word.", sampling=wild)
    assert peer.collect(second)[second][0][:8] == answers[first][0][:8]


@pytest.mark.parametrize(
    "sampling", [Sampling(temperature=-1.0), Sampling(top_p=7.0), Sampling(max_tokens=0)]
)
def test_a_bad_parameter_fails_its_own_request_only(
    loaded_engine: Engine, sampling: Sampling
) -> None:
    peer, _ = loaded_engine
    key = peer.ask("Hello", sampling=sampling)
    while not isinstance(message := peer.next(), Failure):
        done = isinstance(message, TokenBatch) and any(u.finish for u in message.updates)
        if done:  # vLLM's meaning of 0 tokens is ours to choose: at least one
            assert sampling.max_tokens == 0
            break
    else:
        assert message.request_id == key
        assert message.cause
    again = peer.ask("Hello", sampling=GREEDY)
    assert peer.collect(again)[again][1].completion_tokens > 0


def test_a_repeated_prefix_comes_from_the_cache(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    prompt = "A shared beginning. " * 40
    first = peer.ask(prompt + "One?", sampling=GREEDY)
    peer.collect(first)
    second = peer.ask(prompt + "Two?", sampling=GREEDY)
    finish = peer.collect(second)[second][1]
    assert finish.cached_tokens >= 4 * loaded.block_size
    assert finish.cached_tokens % loaded.block_size == 0


def test_the_engine_carries_no_secret_and_leads_its_own_group(loaded_engine: Engine) -> None:
    peer, _ = loaded_engine
    process = psutil.Process(peer.process.pid)
    environment = Path(f"/proc/{process.pid}/environ").read_bytes()
    assert b"hf_canary" not in environment
    assert b"HF_HUB_OFFLINE=1" in environment
    assert "hf_canary" not in " ".join(process.cmdline())
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    assert int(fields[2]) == int(fields[3]) == process.pid  # group and session


def test_a_load_can_be_cancelled_and_nothing_stays(starter: Path, real_cache: str) -> None:
    peer = EnginePeer("vllm", environment={"INGLENOOK_HOME": real_cache})
    peer.send(Load(9, str(starter)))
    peer.wait(LoadProgress, timeout=120)
    peer.send(CancelLoad(9))
    peer.wait(LoadCancelled, lambda m: m.load_id == 9, timeout=60)
    peer.wait_gone(30)
    assert peer.process.wait(30) == EXIT_CANCELLED


def test_a_folder_that_is_no_model_fails_in_words_and_the_engine_stays(
    tmp_path: Path, real_cache: str
) -> None:
    peer = EnginePeer("vllm", environment={"INGLENOOK_HOME": real_cache})
    peer.send(Load(1, str(tmp_path / "missing")))
    failure = peer.wait(Failure, timeout=120)
    assert failure.code == "model_missing"
    assert peer.wait(Status).state is EngineState.IDLE
    assert peer.close() == 0
