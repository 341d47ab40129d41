"""The planner's arithmetic against worked examples: bytes and tokens, exactly."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.planner.kv_cache import lay_out
from engine.planner.machine import GIB, Gpu, Host, Machine
from engine.planner.plan import Wish, plan
from engine.planner.roofline import decode_bound
from engine.planner.shape import ModelShape, read_shape
from engine.planner.weights import as_awq, device_weights

VECTORS = json.loads((Path(__file__).parent / "data" / "planner_vectors.json").read_text())
MODELS: dict[str, dict[str, Any]] = VECTORS["models"]
AWQ = {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}}


def shape_of(name: str, **more: Any) -> ModelShape:
    return read_shape({**MODELS[name]["config"], **more})


@pytest.mark.parametrize("name", MODELS)
def test_parameters_and_bytes(name: str) -> None:
    shape, told = shape_of(name), MODELS[name]
    assert shape.parameters == told["parameters"]
    assert shape.weights_bytes == 2 * told["parameters"]
    for awq in (shape_of(name, **AWQ), as_awq(shape)):
        assert awq.weights_bytes == told["awq_g128_bytes"]
        assert device_weights(awq, 2) == told["awq_g128_bytes"]
    assert lay_out(shape, value_bytes=2).token_bytes == told["kv_bytes_per_token_bf16"]
    assert lay_out(shape, value_bytes=1).token_bytes == told["kv_bytes_per_token_bf16"] // 2


@pytest.mark.parametrize("case", VECTORS["capacity"], ids=lambda case: str(tuple(case.values())))
def test_capacity(case: dict[str, Any]) -> None:
    # A context that all of them can have: the capacity of plain models does not depend on it.
    shape = replace(shape_of(case["model"], **AWQ), context=4096)
    gpus = tuple(Gpu(index, "card", int(case["total_gib"] * GIB)) for index in range(case["tp"]))
    wish = Wish(
        tp=case["tp"],
        utilisation=case["utilisation"],
        kv_dtype="fp8" if case["kv"] == "fp8" else "auto",
    )
    made = plan(shape, Machine(gpus, Host(64 * GIB, 32 * GIB)), wish)
    assert made.fits, made.problems
    assert made.kv_tokens == case["tokens"]
    assert made.kv_blocks * made.block_size == case["tokens"]


def test_the_bound_of_an_8b_in_awq() -> None:
    shape = shape_of("Llama-3.1-8B", **AWQ)
    assert decode_bound(shape, 936.2e9) == pytest.approx(200, abs=0.5)
    assert decode_bound(shape, 1008e9) == pytest.approx(216, abs=0.5)


def test_bits_a_weight() -> None:
    """4 + 16/g + 4/g bits: 4.15625 at group 128."""
    shape = shape_of("Llama-3.1-8B", **AWQ)
    assert 8 * shape.linear_bytes / shape.linear_params == 4.15625
