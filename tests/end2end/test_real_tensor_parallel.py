"""The real vLLM over two workers on the CPU: the same answers, the same care."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import psutil
import pytest

from engine.leftovers import SHARED, segments_of
from engine.load_folder import PREFIX
from engine.protocol import (
    Cancel,
    Failure,
    FinishReason,
    Loaded,
    LoadProgress,
    LoadSettings,
    LoadStage,
    Measure,
    Measured,
    Sampling,
    Scope,
    Sleep,
    Telemetry,
    TokenBatch,
)
from tests.helpers import processes
from tests.helpers.engine_peer import EnginePeer
from tests.helpers.failure_lab import Lab, Trial, chat
from tests.helpers.tiny_models import make_tiny_model

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(600)]

SETTINGS = {"kv_cache_bytes": 1 << 25, "max_model_len": 1024, "dtype": "float32"}
GREEDY = Sampling(temperature=0.0, max_tokens=32, ignore_eos=True)
SCHEMA = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'
QUESTIONS = ("Tell me of Paris.", "What is a block table?", "Count to ten.")
Engine = tuple[EnginePeer, Loaded]


@pytest.fixture(scope="module")
def tiny(starter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four heads, two KV heads: each worker gets two and one. Untied, it speaks varied noise."""
    folder = tmp_path_factory.mktemp("tiny") / "llama"
    return make_tiny_model(folder, starter=starter, heads=4, kv_heads=2, tied=False)


def answers(peer: EnginePeer) -> list[str]:
    """One after the other: what is computed together may be rounded otherwise."""
    texts = []
    for question in QUESTIONS:
        key = peer.ask(question, sampling=GREEDY)
        texts.append(peer.collect(key)[key][0])
    return texts


@pytest.fixture(scope="module")
def alone(tiny: Path, lab: Lab) -> tuple[list[str], Loaded]:
    """What one worker says, and what its load came to."""
    asked = tuple(
        msgspec.structs.replace(chat(question), sampling=GREEDY) for question in QUESTIONS
    )
    settings = LoadSettings(**SETTINGS)  # type: ignore[arg-type]
    outcome = lab.run(Trial(str(tiny), settings, ask=asked))
    assert outcome.loaded is not None, outcome
    return [answer.text for answer in outcome.answers], outcome.loaded


@pytest.fixture(scope="module")
def two(alone: tuple[list[str], Loaded], tiny: Path, real_cache: str) -> Iterator[Engine]:
    """Two workers, one engine at a time. After all tests they die, and nothing may stay."""
    assert alone
    peer = EnginePeer("vllm", environment={"INGLENOOK_HOME": real_cache})
    settings = LoadSettings(**SETTINGS, tensor_parallel_size=2)  # type: ignore[arg-type]
    yield peer, peer.load(tiny, settings)
    try:
        kill(peer)
    finally:
        peer.close()


def kill(peer: EnginePeer) -> None:
    """A worker's death is told at once; a killed engine leaves no worker, memory or file."""
    pid = peer.process.pid
    workers = [p for p in psutil.Process(pid).children() if "Worker" in " ".join(p.cmdline())]
    assert len(workers) == 2
    shared = segments_of([pid, *(worker.pid for worker in workers)])
    assert sum((SHARED / name).exists() for name in shared) >= 4
    workers[1].kill()
    failure = peer.wait(Failure)
    assert (failure.scope, failure.code) == (Scope.ENGINE, "worker_died")
    peer.process.kill()
    assert peer.process.wait(10) == -signal.SIGKILL
    assert processes.wait_until_none(partial(processes.members, pid)) == []
    assert [name for name in shared if (SHARED / name).exists()] == []
    assert not list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{pid}-*"))


def test_two_workers_say_what_one_says(two: Engine, alone: tuple[list[str], Loaded]) -> None:
    peer, _ = two
    texts = answers(peer)
    assert texts == alone[0]
    assert len(set(texts)) == len(QUESTIONS)
    assert all(len(set(text)) > 8 for text in texts)


def test_the_load_tells_what_was_shared_out(two: Engine, alone: tuple[list[str], Loaded]) -> None:
    peer, loaded = two
    one = alone[1]
    assert (loaded.tensor_parallel_size, one.tensor_parallel_size) == (2, 1)
    assert loaded.settings.tensor_parallel_size == 2
    # The KV heads are shared out, so as many bytes a worker hold twice as many tokens.
    assert loaded.kv_tokens == pytest.approx(2 * one.kv_tokens, rel=0.01)
    assert loaded.kv_blocks == loaded.kv_tokens // loaded.block_size - 1
    (memory,), (memory_alone,) = loaded.memory, one.memory
    assert memory.device == memory_alone.device == -1
    assert memory.kv == 2 * memory_alone.kv == loaded.kv_cache_bytes
    # The norms and the table of positions are in both, all else is divided.
    assert memory_alone.weights <= memory.weights < memory_alone.weights * 1.03
    assert memory.overhead > memory_alone.overhead > 0
    fractions = [
        m.fraction
        for m in peer.seen
        if isinstance(m, LoadProgress) and m.stage is LoadStage.READING_WEIGHTS and m.fraction
    ]
    assert fractions == sorted(fractions)


def test_stop_and_the_block_map_work_across_workers(two: Engine) -> None:
    peer, loaded = two
    long = Sampling(temperature=0.0, max_tokens=900, ignore_eos=True)
    key = peer.ask("Count to a thousand.", sampling=long)
    peer.wait(TokenBatch, lambda m: any(u.request_id == key and u.text for u in m.updates))
    held = peer.wait(Telemetry, lambda m: m.running == 1)
    assert 0 < held.kv_used <= held.kv_total == loaded.kv_blocks
    peer.send(Cancel(key))
    _, finish = peer.collect(key)[key]
    assert finish.reason is FinishReason.CANCELLED
    assert peer.wait(Telemetry, lambda m: m.running == 0).kv_used == 0


def test_structured_output_holds_across_workers(two: Engine) -> None:
    peer, _ = two
    key = peer.ask("A number.", sampling=Sampling(json_schema=SCHEMA, max_tokens=60, seed=1))
    text, _finish = peer.collect(key)[key]
    assert text.lstrip().startswith("{")


def test_its_speed_can_be_measured(two: Engine) -> None:
    peer, _ = two
    peer.send(Measure("m", (1, 2), prompt_tokens=64, output_tokens=8))
    measured = peer.wait(Measured)
    assert [rate.streams for rate in measured.rates] == [1, 2]
    assert all(rate.prompt_tps > 0 and rate.decode_tps > 0 for rate in measured.rates)
    key = peer.ask("Go on.", sampling=Sampling(max_tokens=400, ignore_eos=True))
    peer.wait(TokenBatch, lambda m: any(u.request_id == key and u.text for u in m.updates))
    peer.send(Measure("beside"))
    assert peer.wait(Failure).code == "busy"
    peer.send(Cancel(key))
    peer.collect(key)
    peer.send(Measure("stopped", (1,), prompt_tokens=64, output_tokens=900))
    peer.send(Cancel("stopped"))
    assert peer.wait(Measured) == Measured("stopped", (), cancelled=True)


def test_on_a_cpu_it_cannot_sleep(two: Engine) -> None:
    peer, loaded = two
    assert not loaded.can_sleep
    peer.send(Sleep())
    failure = peer.wait(Failure)
    assert (failure.scope, failure.code) == (Scope.SLEEP, "cannot_sleep")
    assert answers(peer)  # and answers on
