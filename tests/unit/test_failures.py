from __future__ import annotations

import pytest

from engine.failures import RULES, explain
from engine.protocol import RemedyAction, Scope

# Fragments as vLLM 0.32 prints them, and the cause each must be recognised as.
CASES = [
    ("ValueError: No available memory for the cache blocks. Try increasing", "no_kv_memory"),
    ("ValueError: To serve at least one request with the model's max seq len", "context_too_long"),
    (
        "Free memory on device (3.1/23.5 GiB) is less than desired GPU memory utilization",
        "vram_in_use",
    ),
    ("AssertionError: Error in memory profiling. Initial free memory", "vram_changed"),
    ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", "vram_full"),
    ("RuntimeError: CUDA out of memory occurred when warming up sampler with", "vram_warmup"),
    ("is less than desired CPU memory utilization (0.9, 20 GiB)", "ram_full"),
    ("GiB) on kv cache allocation is less than requested memory for kv (9 GiB)", "ram_full"),
    ("ValueError: Bfloat16 is only supported on GPUs with compute capability", "no_bfloat16"),
    ("The quantization method awq is not supported for the current GPU. Minimum", "gpu_too_old"),
    ("torch.float32 is not supported for quantization method awq", "quant_dtype"),
    ("The input size is not aligned with the quantized weight shape", "tp_split"),
    ("Failed to find a kernel that can implement the WNA16 linear layer", "no_kernel"),
    ("'_OpNamespace' '_C' object has no attribute 'cpu_gemm_wna16'", "awq_needs_avx512"),
    ("RuntimeError: Cannot find any model weights with `/x`", "weights_missing"),
    ("safetensors_rust.SafetensorError: Error while deserializing header", "weights_broken"),
    ("Model architectures ['X'] are not supported for now.", "architecture"),
    ("Please pass the argument `trust_remote_code=True`", "remote_code"),
    ("jinja2.exceptions.TemplateSyntaxError: unexpected 'x'", "template"),
    ("User-specified max_model_len (99999) is greater than", "context_above_model"),
    ("World size (2) is larger than the number of available GPUs (1)", "gpu_count"),
    ("OSError: [Errno 28] No space left on device", "no_space"),
    ("RuntimeError: NCCL error: unhandled system error", "gpu_link"),
]


@pytest.mark.parametrize(("text", "code"), CASES)
def test_vllms_own_words_are_recognised_behind_their_wrappers(text: str, code: str) -> None:
    error = f"Traceback\n  x\n{text}\n\nRuntimeError: Engine core initialization failed. See root"
    failure = explain(Scope.LOAD, error, load_id=4)
    assert failure.code == code
    assert failure.load_id == 4
    assert failure.remedies
    assert text in failure.detail


def test_every_rule_speaks_plainly() -> None:
    for rule in RULES:
        assert rule.cause.endswith(".")
        assert "Error" not in rule.cause
        for remedy in rule.remedies:
            assert len(remedy.label) <= 32  # fits on a button
            if remedy.action is RemedyAction.RELOAD_WITH:
                assert remedy.settings


@pytest.mark.parametrize("error", ["", "\n\n", "Traceback\nKeyError: 'rope'"])
def test_an_unknown_error_still_says_what_failed(error: str) -> None:
    failure = explain(Scope.LOAD, error)
    assert failure.cause.startswith("The model could not be loaded")
    assert failure.remedies


def test_a_huge_error_is_cut() -> None:
    assert len(explain(Scope.ENGINE, "x" * 10**6).detail) <= 20_000
