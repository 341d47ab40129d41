"""What the planner and the engine choose where the user has not: types, blocks, steps.

CPU: bfloat16 only where the processor multiplies it natively (measured with SmolLM2-135M,
16 streams: 338 against 196 tokens/s with AVX512-BF16 and AMX, 17 against 105 without), else
float32; eager, since compiling costs minutes and gains nothing; KV space from free memory.
"""

from __future__ import annotations

from typing import Final

from engine.planner.gguf_reader import gguf_architecture
from engine.planner.machine import GIB, Gpu, Host
from engine.planner.model_shape import ModelShape
from engine.planner.overhead import CUDA_CONTEXT
from engine.store.gguf_way import Way, choose_way

CPU_BLOCK_SIZE: Final = 32  # the least vLLM's CPU attention takes
CPU_MLA_BLOCK_SIZE: Final = 16  # the only one its MLA takes, but on AMX
CUDA_BLOCK_SIZE: Final = 16
CPU_KV_MIN: Final = 128 * 1024**2
CPU_KV_MAX: Final = 4 * GIB
CPU_KV_CHATS: Final = 4  # full contexts to make room for, memory permitting
CPU_SEQUENCES: Final = 64
CPU_BATCHED_TOKENS: Final = 512  # a longer step would hold up every stream, and Stop
CUDA_SEQUENCES: Final = 64  # as many as tabs can ask at once; vLLM's 256 cost graphs and memory
CUDA_BATCHED_TOKENS: Final = 2048  # vLLM's own default: a step of it takes a tenth of a second
# Steps overlap on CUDA, and both hold their tokens.
CUDA_STEPS: Final = 2
# A desktop's other programs need some of a card too; vLLM's own default is 0.92.
CUDA_UTILISATION: Final = 0.9
CUDA_UTILISATION_MOST: Final = 0.97
CUDA_UTILISATION_LEAST: Final = 0.02
# What others use may grow by this between the plan and the load.
CUDA_SLACK: Final = GIB // 4

VALUE_BYTES: Final = {"float32": 4, "float16": 2, "bfloat16": 2}
BF16_CAPABILITY: Final = (8, 0)
FP8_KV_CAPABILITY: Final = (8, 9)
QUANTISED_CAPABILITY: Final = (7, 5)


def cpu_dtype(shape: ModelShape, host: Host) -> str:
    """What to compute in on the CPU; "auto" is what the model's config says.

    4-bit weights too: measured with SmolLM2 in AWQ, as without (engine/awq_cpu has the figures).
    """
    if shape.is_quantised and shape.format not in {"gguf", "awq", "gptq", "w4a16"}:
        return "auto"
    return "bfloat16" if host.has_native_bfloat16 else "float32"


def cuda_dtype(shape: ModelShape, gpus: tuple[Gpu, ...]) -> str:
    """What to compute in on CUDA: bfloat16 needs Ampere."""
    oldest = min((gpu.capability for gpu in gpus if gpu.capability > (0, 0)), default=(8, 0))
    if oldest < BF16_CAPABILITY and shape.dtype != "float16":
        return "float16"
    return "auto"


def value_bytes(dtype: str) -> int:
    """Of one weight or cached value in `dtype`; vLLM's "auto" makes 16 bits of float32."""
    return VALUE_BYTES.get(dtype, 2)


def kv_value_bytes(shape: ModelShape, kv_dtype: str, dtype: str) -> int:
    """Of one cached value: 1 in fp8, wished for or by the checkpoint's own scales."""
    resolved = shape.kv_dtype if kv_dtype == "auto" else kv_dtype
    return 1 if resolved.startswith("fp8") else value_bytes(dtype)


def cpu_block_size(shape: ModelShape, host: Host, wished: int | None) -> int:
    """Tokens of a block on the CPU; vLLM overrides a wish for MLA without AMX."""
    if shape.mla and "amx_tile" not in host.flags:
        return CPU_MLA_BLOCK_SIZE
    return wished or CPU_BLOCK_SIZE


def has_fp8_kv(host: Host) -> bool:
    """Whether vLLM's CPU attention takes an fp8 KV cache here."""
    return bool(host.flags & {"avx512f", "amx_tile"})


def has_fp8(shape: ModelShape, host: Host) -> bool:
    """Whether vLLM multiplies these FP8 weights here; engine/vllm_fp8_cpu unpacks the others.

    It takes AMX, and more than one scale a tensor.
    """
    return "amx_tile" in host.flags and shape.scales != "tensor"


def is_unpacked_on_cpu(shape: ModelShape, host: Host) -> bool:
    """Whether the engine loads the weights in more bits than the files have them in."""
    if shape.format == "fp8":
        return bool(shape.scales) and not has_fp8(shape, host)
    return shape.format == "gguf"


def is_converted_for_cuda(shape: ModelShape) -> bool:
    """Whether a GGUF file becomes 16-bit safetensors first: vLLM's plugin does not know its kind.

    The plugin itself comes with the CUDA build.
    """
    if shape.format != "gguf":
        return False
    architecture = gguf_architecture(shape.model_type)
    return choose_way(architecture, device="cuda", plugin=True).way is Way.CONVERT


def free_for_engine(gpu: Gpu) -> int:
    """Bytes of a card's that vLLM would find free when it begins."""
    return gpu.usable - gpu.used_by_others - CUDA_CONTEXT


def free_utilisation(gpu: Gpu) -> float:
    """The largest share of a card that vLLM accepts: it refuses more than it finds free."""
    return _hundredths(free_for_engine(gpu) / gpu.usable) if gpu.usable else 0.0


def choose_utilisation(gpus: tuple[Gpu, ...], most: float = CUDA_UTILISATION) -> float:
    """The share of each card to use: what others have is left to them, and a little more."""
    shares = [most]
    for gpu in gpus:
        if gpu.usable:
            slack = CUDA_SLACK if gpu.used_by_others else 0
            shares.append(_hundredths((free_for_engine(gpu) - slack) / gpu.usable))
    return max(CUDA_UTILISATION_LEAST, min(shares))


def _hundredths(share: float) -> float:
    return max(0, int(share * 100)) / 100
