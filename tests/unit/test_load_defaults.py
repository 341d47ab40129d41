from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.load_defaults import (
    CPU_KV_MAX,
    CPU_KV_MIN,
    CPU_RESERVE,
    GIB,
    Machine,
    choose_settings,
    cpu_kv_bytes,
    read_machine,
)
from engine.protocol import LoadSettings
from engine.store.model_folder import ModelFacts

SMOL = ModelFacts(Path("/m"), 269_060_552, 2, 8192, 30, 3, 64, "")
AVX2 = Machine("cpu", 16 * GIB, frozenset({"avx2"}))
AMX = replace(AVX2, cpu_flags=frozenset({"avx2", "avx512_bf16", "amx_bf16"}))


def test_kv_of_a_token_counts_kv_heads() -> None:
    assert SMOL.kv_bytes_per_token(2) == 23_040  # measured with vLLM: 1 GiB held 46,592 tokens
    assert 1024**3 // SMOL.kv_bytes_per_token(2) // 32 * 32 == 46_592


@pytest.mark.parametrize(("machine", "dtype"), [(AVX2, "float32"), (AMX, "bfloat16")])
def test_the_cpu_decides_the_precision(machine: Machine, dtype: str) -> None:
    assert choose_settings(SMOL, machine, LoadSettings()).dtype == dtype


def test_a_quantised_model_keeps_its_own_precision() -> None:
    awq = replace(SMOL, quantization="awq")
    assert choose_settings(awq, AVX2, LoadSettings()).dtype == "auto"


def test_cpu_defaults_are_eager_with_blocks_of_32() -> None:
    made = choose_settings(SMOL, AVX2, LoadSettings())
    assert made.enforce_eager is True
    assert made.block_size == 32
    assert made.max_model_len == -1


def test_what_is_asked_wins() -> None:
    asked = LoadSettings(
        dtype="float16", block_size=64, kv_cache_bytes=123, max_model_len=512, enforce_eager=False
    )
    for machine in (AVX2, Machine("cuda", 16 * GIB)):
        made = choose_settings(SMOL, machine, asked)
        assert (made.dtype, made.block_size, made.kv_cache_bytes) == ("float16", 64, 123)
        assert made.max_model_len == 512
        assert made.enforce_eager is False


def test_cuda_lets_vllm_size_the_kv_pool() -> None:
    made = choose_settings(SMOL, Machine("cuda", 16 * GIB), LoadSettings())
    assert made.kv_cache_bytes is None
    assert made.block_size == 16
    assert made.gpu_memory_utilization == 0.9
    assert made.enforce_eager is False


def test_kv_space_is_some_full_chats_and_never_more_than_half_of_what_is_free() -> None:
    assert cpu_kv_bytes(SMOL, AVX2, 4) == 4 * 8192 * 46_080
    tight = replace(AVX2, memory_available=CPU_RESERVE + 2 * SMOL.weights_bytes + 600 * 1024**2)
    assert cpu_kv_bytes(SMOL, tight, 4) == 300 * 1024**2
    assert cpu_kv_bytes(SMOL, replace(AVX2, memory_available=GIB), 4) == CPU_KV_MIN
    large = replace(SMOL, layers=80, kv_heads=64, context=131_072)
    assert cpu_kv_bytes(large, replace(AVX2, memory_available=512 * GIB), 2) == CPU_KV_MAX


def test_this_machine_can_be_read() -> None:
    machine = read_machine("cpu")
    assert 0 < machine.memory_available < 1 << 50
    assert machine.cpu_flags
