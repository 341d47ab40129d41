"""The planner's arithmetic against vLLM's own: a contract that an upgrade must not break."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.environment import engine_environment
from engine.load_defaults import read_machine
from engine.planner.config_states import State
from engine.planner.kv_cache import lay_out
from engine.planner.plan import Wish, plan
from engine.planner.shape import Attention, ModelShape, shape_of_folder
from engine.protocol import Loaded
from tests.helpers.engine_peer import ROOT, EnginePeer

CASES = 300


def layers_at_random(source: random.Random) -> list[tuple[int, int, int, int | None, bool]]:
    """Of one model: all alike, of several sizes, or with windows in them."""
    count = source.randint(1, 48)
    heads, size = source.choice([1, 2, 8]), source.choice([64, 128])
    kind = source.choice(["full", "mla", "window", "mixed", "sizes", "wide"])
    if kind == "mla":
        return [(1, 576, 0, None, True)] * count
    window = source.choice([128, 512, 4096])
    every = source.randint(2, 6)
    layers: list[tuple[int, int, int, int | None, bool]] = []
    for number in range(count):
        is_full = (number + 1) % every == 0
        if kind == "window" or (kind in {"mixed", "wide"} and not is_full):
            layers.append((heads, size, size, window, False))
        elif kind == "wide":  # as Gemma 4: the full layers have larger heads
            layers.append((heads, 2 * size, 2 * size, None, False))
        elif kind == "sizes":
            layers.append((source.choice([1, 2, 4]), size, size, None, False))
        else:
            layers.append((heads, size, size, None, False))
    return layers


def case_at_random(source: random.Random) -> dict[str, Any]:
    layers = layers_at_random(source)
    value_bytes, block_size = source.choice([1, 2, 4]), source.choice([16, 32, 128])
    page = max(heads * (key + value) for heads, key, value, _, _ in layers)
    block = page * value_bytes * block_size * len(layers)
    states = source.randint(1, 40) if source.random() < 0.3 and layers[0][3] is None else 0
    state = source.randint(1, 400_000)
    shape = shape_of(layers, states, state)
    if states:  # the largest page decides: a block may hold more tokens than was wished
        block_size = lay_out(shape, value_bytes=value_bytes, block_size=block_size).block_size
        block = page * value_bytes * block_size * (len(layers) + states)
    return {
        "layers": layers,
        "states": states,
        "state": state,
        "value_bytes": value_bytes,
        "block_size": block_size,
        "in_flight": source.choice([512, 4096]),
        "available": block * source.randint(8, 3000) + source.randint(0, block),
        "most": source.randint(1, 131_072),
        "contexts": [source.randint(1, 131_072) for _ in range(3)],
    }


def shape_of(
    layers: list[tuple[int, int, int, int | None, bool]], states: int, state: int
) -> ModelShape:
    kinds = tuple(Attention(layers.count(layer), *layer) for layer in dict.fromkeys(layers))
    kept = State(matrix=state, matrix_bytes=1)
    return ModelShape(attention=kinds, state_layers=states, state=kept)


@pytest.mark.real_engine
def test_layouts_are_vllms() -> None:
    source = random.Random(4)
    cases = [case_at_random(source) for _ in range(CASES)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.vllm_layouts"],
        cwd=ROOT,
        env=engine_environment(dict(os.environ)),
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = json.loads(done.stdout.splitlines()[-1])
    for case, theirs in zip(cases, answers, strict=True):
        layout = lay_out(
            shape_of(case["layers"], case["states"], case["state"]),
            value_bytes=case["value_bytes"],
            block_size=case["block_size"],
            in_flight=case["in_flight"],
        )
        blocks = layout.blocks(case["available"])
        ours = {
            "block_bytes": layout.block_bytes,
            "blocks": blocks,
            "contexts": [
                [layout.blocks_of_chat(context), layout.capacity(blocks, context)]
                for context in case["contexts"]
            ],
            "largest": layout.largest_context(blocks, case["most"]),
        }
        assert ours == theirs, case


@pytest.mark.real_engine
def test_the_plan_is_what_the_engine_reports(
    loaded_engine: tuple[EnginePeer, Loaded], starter: Path
) -> None:
    _, loaded = loaded_engine
    shape = shape_of_folder(starter)
    machine = read_machine("cpu").hardware
    made = plan(shape, machine, Wish(kv_bytes=loaded.settings.kv_cache_bytes))
    assert made.kv_tokens == loaded.kv_tokens
    assert made.context == loaded.context
    assert made.block_size == loaded.block_size
    assert made.settings.dtype == loaded.dtype
    assert made.kv_blocks == loaded.kv_blocks + 1  # the one that vLLM never gives out
