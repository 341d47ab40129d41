"""How to load a model on this machine when the user has not said: pure arithmetic.

CPU: bfloat16 only where the processor multiplies it natively (measured with SmolLM2-135M,
16 streams: 338 against 196 tokens/s with AVX512-BF16 and AMX, 17 against 105 without), else
float32; eager, since compiling costs minutes and gains nothing; KV space from free memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.protocol import LoadSettings
from engine.store.model_folder import ModelFacts

GIB = 1024**3
CPU_BLOCK_SIZE = 32  # the least vLLM's CPU attention takes
CUDA_BLOCK_SIZE = 16
CPU_RESERVE = int(1.5 * GIB)  # the engine's own code and activations, and the desktop
CPU_KV_MIN = 128 * 1024**2
CPU_KV_MAX = 4 * GIB
CPU_KV_CHATS = 4  # full contexts to make room for, memory permitting
CPU_MAX_SEQS = 64
CPU_BATCHED_TOKENS = 512  # a longer step would hold up every stream, and Stop
CUDA_UTILISATION = 0.9


@dataclass(frozen=True, slots=True)
class Machine:
    """What counts for the defaults. Sizes in bytes."""

    device: str  # "cpu" or "cuda"
    memory_available: int
    cpu_flags: frozenset[str] = frozenset()

    @property
    def has_native_bfloat16(self) -> bool:
        """Whether the processor has instructions for bfloat16."""
        return bool(self.cpu_flags & {"avx512_bf16", "amx_bf16", "bf16"})


def read_machine(device: str, proc: Path = Path("/proc")) -> Machine:
    """Read free memory and the processor's flags."""
    available = 0
    for line in (proc / "meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            available = int(line.split()[1]) * 1024
    flags: frozenset[str] = frozenset()
    for line in (proc / "cpuinfo").read_text().splitlines():
        if line.startswith(("flags", "Features")):
            flags = frozenset(line.split(":", 1)[1].split())
            break
    return Machine(device, min(available, _cgroup_room() or available), flags)


def _cgroup_room(root: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What a container's limit leaves, in bytes; None without a limit."""
    try:
        limit = (root / "memory.max").read_text().strip()
        used = int((root / "memory.current").read_text())
        return None if limit == "max" else max(0, int(limit) - used)
    except (OSError, ValueError):
        return None


def choose_settings(facts: ModelFacts, machine: Machine, asked: LoadSettings) -> LoadSettings:
    """Fill in what `asked` leaves open."""
    if machine.device == "cpu":
        return _for_cpu(facts, machine, asked)
    return LoadSettings(
        dtype=asked.dtype or "auto",
        max_model_len=asked.max_model_len or -1,
        kv_cache_bytes=asked.kv_cache_bytes,
        block_size=asked.block_size or CUDA_BLOCK_SIZE,
        max_num_seqs=asked.max_num_seqs,
        max_num_batched_tokens=asked.max_num_batched_tokens,
        gpu_memory_utilization=asked.gpu_memory_utilization or CUDA_UTILISATION,
        tensor_parallel_size=asked.tensor_parallel_size,
        enforce_eager=bool(asked.enforce_eager),
        kv_cache_dtype=asked.kv_cache_dtype,
    )


def _for_cpu(facts: ModelFacts, machine: Machine, asked: LoadSettings) -> LoadSettings:
    if asked.dtype:
        dtype = asked.dtype
    elif facts.quantization:
        dtype = "auto"
    else:
        dtype = "bfloat16" if machine.has_native_bfloat16 else "float32"
    value_bytes = 4 if dtype == "float32" else 2
    return LoadSettings(
        dtype=dtype,
        max_model_len=asked.max_model_len or -1,
        kv_cache_bytes=asked.kv_cache_bytes or cpu_kv_bytes(facts, machine, value_bytes),
        block_size=asked.block_size or CPU_BLOCK_SIZE,
        max_num_seqs=asked.max_num_seqs or CPU_MAX_SEQS,
        max_num_batched_tokens=asked.max_num_batched_tokens or CPU_BATCHED_TOKENS,
        tensor_parallel_size=asked.tensor_parallel_size,
        enforce_eager=True if asked.enforce_eager is None else asked.enforce_eager,
        kv_cache_dtype=asked.kv_cache_dtype,
    )


def cpu_kv_bytes(facts: ModelFacts, machine: Machine, value_bytes: int) -> int:
    """KV space in RAM: room for a few full chats, at most half of what weights leave."""
    weights = facts.weights_bytes * value_bytes // facts.parameter_bytes
    if facts.quantization:
        weights = facts.weights_bytes
    free = machine.memory_available - weights - CPU_RESERVE
    wanted = CPU_KV_CHATS * facts.context * facts.kv_bytes_per_token(value_bytes)
    return max(CPU_KV_MIN, min(wanted, CPU_KV_MAX, free // 2))
