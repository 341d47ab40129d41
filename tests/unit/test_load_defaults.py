from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.load_defaults import (
    CPU_KV_MAX,
    CPU_KV_MIN,
    CPU_RESERVE,
    GIB,
    Machine,
    choose_settings,
    read_machine,
)
from engine.nvml_gpus import read_gpus
from engine.planner.machine import Gpu, parse_gpus
from engine.planner.plan import Wish, plan
from engine.planner.shape import shape_of_folder
from engine.protocol import LoadSettings
from engine.store.model_folder import ModelFacts, read_model_folder
from tests.helpers.tiny_models import make_tiny_model

SMOL = ModelFacts(Path("/m"), 269_060_552, 2, 8192, 30, 3, 64, "")
AVX2 = Machine("cpu", 16 * GIB, frozenset({"avx2"}))
AMX = replace(AVX2, cpu_flags=frozenset({"avx2", "avx512_bf16", "amx_bf16", "amx_tile"}))
TOKEN = 46_080  # bytes of KV in float32


def kv_bytes(facts: ModelFacts, machine: Machine, **asked: Any) -> int:
    return choose_settings(facts, machine, LoadSettings(**asked)).kv_cache_bytes or 0


def test_kv_of_a_token_counts_kv_heads() -> None:
    assert SMOL.kv_bytes_per_token(2) == 23_040  # measured with vLLM: 1 GiB held 46,592 tokens
    assert 1024**3 // SMOL.kv_bytes_per_token(2) // 32 * 32 == 46_592


@pytest.mark.parametrize(("machine", "dtype"), [(AVX2, "float32"), (AMX, "bfloat16")])
def test_the_cpu_decides_the_precision(machine: Machine, dtype: str) -> None:
    assert choose_settings(SMOL, machine, LoadSettings()).dtype == dtype


def test_a_quantised_model_keeps_its_own_precision() -> None:
    # 4 bits: engine/awq_cpu has figures; FP8 is unpacked where there is no AMX.
    cases = (("fp8", AVX2, "float32"), ("fp8", AMX, "auto"), ("awq", AVX2, "float32"))
    for name, machine, dtype in cases:
        quantised = replace(SMOL, quantization=name)
        assert choose_settings(quantised, machine, LoadSettings()).dtype == dtype


def test_cpu_defaults_are_eager_with_blocks_of_32() -> None:
    made = choose_settings(SMOL, AVX2, LoadSettings())
    assert made.enforce_eager is True
    assert made.block_size == 32
    assert made.max_model_len == -1
    assert made.gpu_memory_utilization is None


def test_what_is_asked_wins() -> None:
    asked = LoadSettings(
        dtype="float16",
        block_size=64,
        kv_cache_bytes=123,
        max_model_len=512,
        enforce_eager=False,
        max_num_seqs=7,
        max_num_batched_tokens=99,
        chat_template="/t.jinja",
        tokenizer="/tok",
        load_timeout=5.0,
        disable_p2p=True,
        foreground_first=False,
    )
    cuda = Machine("cuda", 16 * GIB)
    for machine in (AVX2, cuda, replace(cuda, gpus=parse_gpus("24"))):
        made = choose_settings(SMOL, machine, asked)
        for name in LoadSettings.__struct_fields__:
            if name not in {"gpu_memory_utilization", "devices"}:
                assert getattr(made, name) == getattr(asked, name), name


def test_cuda_without_a_driver_to_ask_lets_vllm_size_the_kv_pool() -> None:
    made = choose_settings(SMOL, Machine("cuda", 16 * GIB), LoadSettings())
    assert made.kv_cache_bytes is None
    assert made.block_size == 16
    assert made.gpu_memory_utilization == 0.9
    assert made.enforce_eager is False
    assert made.max_num_seqs == 64


def test_cuda_leaves_others_what_they_have() -> None:
    gpu = replace(parse_gpus("3090")[0], used_by_others=6 * GIB)
    made = choose_settings(SMOL, Machine("cuda", 16 * GIB, gpus=(gpu,)), LoadSettings())
    share = made.gpu_memory_utilization or 0
    assert 0.6 < share < 0.75
    assert share * gpu.usable + 6 * GIB + 0.5 * GIB < gpu.usable  # room for CUDA's context too
    assert made.max_model_len == -1  # vLLM measures, and takes the largest
    assert made.kv_cache_bytes is None


def test_the_emptier_of_two_gpus_is_taken() -> None:
    busy, idle = parse_gpus("2x24")
    machine = Machine("cuda", 16 * GIB, gpus=(replace(busy, used_by_others=4 * GIB), idle))
    made = choose_settings(SMOL, machine, LoadSettings())
    assert (made.devices, made.tensor_parallel_size) == ((1,), 1)
    asked = LoadSettings(devices=(0,))
    assert choose_settings(SMOL, machine, asked).devices == (0,)


def test_an_older_gpu_computes_in_float16() -> None:
    gpu = Gpu(0, "Tesla T4", 15 * GIB, capability=(7, 5))
    made = choose_settings(SMOL, Machine("cuda", 16 * GIB, gpus=(gpu,)), LoadSettings())
    assert made.dtype == "float16"


def test_kv_space_is_some_full_chats_and_never_more_than_half_of_what_is_free() -> None:
    # Four chats, and the one block that vLLM keeps for itself.
    assert kv_bytes(SMOL, AVX2) == (4 * 8192 + 32) * TOKEN
    tight = replace(AVX2, memory_available=CPU_RESERVE + 2 * SMOL.weights_bytes + 600 * 1024**2)
    assert kv_bytes(SMOL, tight) == 300 * 1024**2
    assert kv_bytes(SMOL, replace(AVX2, memory_available=GIB)) == CPU_KV_MIN
    large = replace(SMOL, layers=80, kv_heads=64, context=131_072)
    assert kv_bytes(large, replace(AVX2, memory_available=512 * GIB), dtype="float16") == CPU_KV_MAX


def test_the_engine_and_the_planner_agree(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "m", layers=3, context=4096)
    facts, shape = read_model_folder(folder), shape_of_folder(folder)
    for machine in (AVX2, AMX, Machine("cuda", 16 * GIB, gpus=parse_gpus("2x8"))):
        for asked, wish in (
            (LoadSettings(), Wish()),
            (LoadSettings(kv_cache_bytes=1 << 27), Wish(kv_bytes=1 << 27)),
            (LoadSettings(max_model_len=512), Wish(context=512)),
        ):
            chosen = choose_settings(facts, machine, asked)
            planned = plan(shape, machine.hardware, wish).settings
            assert chosen.kv_cache_bytes == planned.kv_cache_bytes
            assert chosen.gpu_memory_utilization == planned.gpu_memory_utilization
            assert chosen.max_num_batched_tokens == planned.max_num_batched_tokens
            assert chosen.devices == planned.devices


def test_this_machine_can_be_read() -> None:
    machine = read_machine("cpu")
    assert 0 < machine.memory_available <= machine.memory_total < 1 << 50
    assert machine.cpu_flags


class FakeNvml:
    """pynvml, with two cards; the second one tells only what the oldest call tells."""

    nvmlMemory_v2 = 2  # noqa: N815 - pynvml's name

    def __init__(self, init: Exception | None = None) -> None:
        self.init, self.is_open = init, False

    def nvmlInit(self) -> None:  # noqa: N802
        if self.init:
            raise self.init
        self.is_open = True

    def nvmlShutdown(self) -> None:  # noqa: N802
        self.is_open = False

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return 2

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetName(self, handle: int) -> bytes | str:  # noqa: N802
        return b"NVIDIA GeForce RTX 3090" if handle else "NVIDIA GeForce RTX 4090"

    def nvmlDeviceGetMemoryInfo(self, handle: int, version: int = 1) -> Any:  # noqa: N802
        if handle and version == 2:
            raise RuntimeError("not supported")
        return SimpleNamespace(total=24 * GIB, reserved=GIB // 2, used=2 * GIB)

    def nvmlDeviceGetCudaComputeCapability(self, handle: int) -> tuple[int, int]:  # noqa: N802
        if handle:
            raise RuntimeError("not supported")
        return 8, 9


def test_gpus_are_read_and_a_missing_answer_is_no_error() -> None:
    nvml = FakeNvml()
    first, second = read_gpus({}, nvml)
    assert first == Gpu(0, "NVIDIA GeForce RTX 4090", 24 * GIB, GIB // 2, 2 * GIB, (8, 9), 1008e9)
    assert (second.reserved, second.used_by_others, second.capability) == (0, 2 * GIB, (0, 0))
    assert not nvml.is_open
    assert [gpu.index for gpu in read_gpus({"CUDA_VISIBLE_DEVICES": "1"}, FakeNvml())] == [1]
    assert len(read_gpus({"CUDA_VISIBLE_DEVICES": "GPU-12ab"}, FakeNvml())) == 2
    assert read_gpus({}, FakeNvml(init=RuntimeError("no driver"))) == ()


@pytest.mark.parametrize(
    ("told", "seen"),
    [("", []), ("-1", []), ("0,1", [0, 1]), ("1,0", [1, 0]), ("1,-1,0", [1]), ("0,7,1", [0])],
)
def test_what_cuda_is_told_to_see_is_read_as_cuda_does(told: str, seen: list[int]) -> None:
    gpus = read_gpus({"CUDA_VISIBLE_DEVICES": told}, FakeNvml())
    assert [gpu.index for gpu in gpus] == seen


def test_a_lost_gpu_does_not_hide_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = FakeNvml()
    there = nvml.nvmlDeviceGetHandleByIndex

    def lost(index: int) -> Any:
        if index == 0:
            raise RuntimeError("GPU is lost")
        return there(index)

    monkeypatch.setattr(nvml, "nvmlDeviceGetHandleByIndex", lost)
    assert [gpu.index for gpu in read_gpus({}, nvml)] == [1]
