"""The report of the KV pool, from the real vLLM: whose each block is, and that all come back."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine.environment import engine_environment
from engine.protocol import (
    ChatMessage,
    Generate,
    KvReport,
    KvRequest,
    Loaded,
    Sampling,
    Telemetry,
    Watch,
)
from tests.helpers.engine_peer import EnginePeer

pytestmark = [pytest.mark.real_engine, pytest.mark.timeout(400)]

ROOT = Path(__file__).resolve().parents[2]
Engine = tuple[EnginePeer, Loaded]
SHARED = "You keep the minutes of a club that collects old clocks. " * 40
LONG = Sampling(temperature=0.0, max_tokens=160)


def numbers(request: KvRequest) -> tuple[int, ...]:
    return struct.unpack(f"<{len(request.blocks) // 4}I", request.blocks)


def test_eight_chats_of_which_four_share_a_long_prompt(loaded_engine: Engine) -> None:
    peer, loaded = loaded_engine
    size = loaded.block_size
    peer.send(Watch(0.05))
    keys = [f"kv {number}" for number in range(8)]
    for number, key in enumerate(keys):
        system = ChatMessage("system", SHARED if number < 4 else f"You are number {number}.")
        question = ChatMessage("user", f"Tell me a long story about clock {number}.")
        peer.send(Generate(key, (system, question), sampling=LONG))
    finishes = {key: finish for key, (_, finish) in peer.collect(*keys).items()}
    reports = [message for message in peer.seen if isinstance(message, KvReport)]
    full = [
        one for one in reports if len(one.requests) == 8 and all(r.tokens for r in one.requests)
    ]
    assert full, "all eight were never seen together"
    for report in reports:
        assert report.total == loaded.kv_blocks
        assert report.block_size == size
        holders = Counter(block for request in report.requests for block in numbers(request))
        assert all(block < report.total for block in holders)
        assert report.used == len(holders)
        assert report.shared == sum(count > 1 for count in holders.values())
        cached = {n for n in range(report.total) if report.cached[n >> 3] >> (n & 7) & 1}
        assert not cached & set(holders)
        for request in report.requests:
            assert request.unused == len(numbers(request)) * size - request.tokens
            assert 0 <= request.unused <= size
            assert request.tokens <= request.context_tokens
    report = full[-1]
    by_key = {request.request_id: request for request in report.requests}
    sharing = [by_key[key] for key in keys[:4]]
    first = numbers(sharing[0])
    alike = min(
        next(n for n, pair in enumerate(zip(first, numbers(r), strict=False)) if pair[0] != pair[1])
        for r in sharing[1:]
    )
    prompt = finishes[keys[0]].prompt_tokens
    # All full blocks of what they have in common: the prompts differ in their last few tokens.
    assert (prompt - 3 * size) // size <= alike <= prompt // size
    assert report.shared >= alike
    assert sum(r.cached_tokens >= alike * size for r in sharing) >= 3
    # All is over: what was held is free, and what may be used again is marked.
    while (last := reports[-1]).used or last.requests:
        last = peer.wait(KvReport)
        reports.append(last)
    assert sum(bin(byte).count("1") for byte in last.cached) >= alike
    peer.send(Watch(0.0))
    reading = next(m for m in reversed(peer.seen) if isinstance(m, Telemetry))
    assert reading.ttft_p50 is not None
    assert reading.itl_p90 is not None
    assert 0 < reading.itl_p90 < 10
    assert reading.prefix_hit_rate is not None
    assert 0 < reading.prefix_hit_rate < 1


def test_each_step_it_says_what_vllm_says(starter: Path, real_cache: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.kv_probe", str(starter)],
        cwd=ROOT,
        env=engine_environment({**os.environ, "INGLENOOK_HOME": real_cache}),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stdout + done.stderr
    told = json.loads(lines[-1])
    assert told["faults"] == []
    assert told["token_faults"] == 0
    assert told["steps"] > 48
    assert told["most_requests"] == 8
    assert told["most_shared"] > 10
    # VLLM's own counter of the prefix cache, and what it tells us for each answer.
    assert told["hits"] == told["hits_told"] > 3 * 10 * told["block_size"]
    assert told["last"] == {"requests": 0, "used": 0, "shared": 0, "cached": told["last"]["cached"]}
    assert told["last"]["cached"] > 10
