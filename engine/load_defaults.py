"""How to load a model on this machine where the user has not said: the planner's arithmetic.

The window plans with the same functions (`engine.planner`), so that what it shows is what the
engine does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.planner import choices
from engine.planner.machine import GIB, Gpu, Host
from engine.planner.machine import Machine as Hardware
from engine.planner.overhead import CPU_OVERHEAD
from engine.planner.plan import Plan, Wish, plan
from engine.planner.shape import Attention, ModelShape, ShapeError, shape_of_folder
from engine.protocol import LoadSettings

if TYPE_CHECKING:
    from engine.store.model_folder import ModelFacts

CPU_BLOCK_SIZE = choices.CPU_BLOCK_SIZE
CUDA_BLOCK_SIZE = choices.CUDA_BLOCK_SIZE
CUDA_UTILISATION = choices.CUDA_UTILISATION
CPU_KV_MIN = choices.CPU_KV_MIN
CPU_KV_MAX = choices.CPU_KV_MAX
CPU_RESERVE = CPU_OVERHEAD
__all__ = [
    "CPU_BLOCK_SIZE",
    "CPU_KV_MAX",
    "CPU_KV_MIN",
    "CPU_RESERVE",
    "CUDA_BLOCK_SIZE",
    "CUDA_UTILISATION",
    "GIB",
    "Machine",
    "choose_settings",
    "read_machine",
]


@dataclass(frozen=True, slots=True)
class Machine:
    """What counts for the defaults. Sizes in bytes.

    Attributes:
        device: "cpu" or "cuda", as vLLM was built.
        gpus: none where the driver's library cannot be asked.
    """

    device: str
    memory_available: int
    cpu_flags: frozenset[str] = frozenset()
    memory_total: int = 0
    gpus: tuple[Gpu, ...] = ()

    @property
    def has_native_bfloat16(self) -> bool:
        """Whether the processor has instructions for bfloat16."""
        return self._host.has_native_bfloat16

    @property
    def _host(self) -> Host:
        total = max(self.memory_total, self.memory_available)
        return Host(total, self.memory_available, flags=self.cpu_flags)

    @property
    def hardware(self) -> Hardware:
        """As the planner wants it."""
        return Hardware(self.gpus if self.device == "cuda" else (), self._host)


def read_machine(device: str, proc: Path = Path("/proc")) -> Machine:
    """Read free memory, the processor's flags, and for "cuda" what the GPUs have left."""
    available = total = 0
    for line in (proc / "meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            available = int(line.split()[1]) * 1024
        elif line.startswith("MemTotal:"):
            total = int(line.split()[1]) * 1024
    flags: frozenset[str] = frozenset()
    for line in (proc / "cpuinfo").read_text().splitlines():
        if line.startswith(("flags", "Features")):
            flags = frozenset(line.split(":", 1)[1].split())
            break
    room = _cgroup_room()
    available = available if room is None else min(available, room)
    gpus: tuple[Gpu, ...] = ()
    if device == "cuda":
        from engine.nvml_gpus import read_gpus

        gpus = read_gpus()
    return Machine(device, available, flags, total, gpus)


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
    shape = _shape(facts)
    wish = _wish(asked)
    if machine.device == "cuda" and not machine.gpus:
        return _blind(asked)
    made = plan(shape, machine.hardware, wish, explain=False)
    return _merged(made, asked)


def _wish(asked: LoadSettings) -> Wish:
    context = asked.max_model_len if asked.max_model_len and asked.max_model_len > 0 else None
    is_open = asked.tensor_parallel_size == 1 and not asked.devices
    return Wish(
        context=context,
        # One GPU is also what nobody has chosen: two are taken where one does not do.
        tp=None if is_open else asked.tensor_parallel_size,
        devices=asked.devices or None,
        utilisation=asked.gpu_memory_utilization,
        kv_dtype=asked.kv_cache_dtype,
        sequences=asked.max_num_seqs,
        eager=asked.enforce_eager,
        kv_bytes=asked.kv_cache_bytes,
        dtype=None if asked.dtype == "auto" else asked.dtype,
        batched_tokens=asked.max_num_batched_tokens,
        block_size=asked.block_size,
        offload_bytes=asked.cpu_offload_bytes,
    )


def _merged(made: Plan, asked: LoadSettings) -> LoadSettings:
    """The plan's settings; what the planner has no opinion on is as it was asked for."""
    from msgspec.structs import replace as changed

    chosen = made.settings
    return changed(
        chosen,
        dtype=asked.dtype or chosen.dtype or "auto",
        # The largest that fits is found by vLLM itself, which measures what is left.
        max_model_len=asked.max_model_len or -1,
        block_size=asked.block_size or chosen.block_size,
        disable_p2p=asked.disable_p2p,
        chat_template=asked.chat_template,
        tokenizer=asked.tokenizer,
        load_timeout=asked.load_timeout,
        foreground_first=asked.foreground_first,
    )


def _blind(asked: LoadSettings) -> LoadSettings:
    """For CUDA where nobody says what the GPUs have: what suits most."""
    from msgspec.structs import replace as changed

    return changed(
        asked,
        dtype=asked.dtype or "auto",
        max_model_len=asked.max_model_len or -1,
        block_size=asked.block_size or choices.CUDA_BLOCK_SIZE,
        max_num_seqs=asked.max_num_seqs or choices.CUDA_SEQUENCES,
        max_num_batched_tokens=asked.max_num_batched_tokens or choices.CUDA_BATCHED_TOKENS,
        gpu_memory_utilization=asked.gpu_memory_utilization or choices.CUDA_UTILISATION,
        enforce_eager=bool(asked.enforce_eager),
    )


def _shape(facts: ModelFacts) -> ModelShape:
    try:
        return shape_of_folder(facts.model)
    except ShapeError:
        return _shape_of_facts(facts)


def _shape_of_facts(facts: ModelFacts) -> ModelShape:
    """As much as the facts tell, all of the weights taken for matrices."""
    params = facts.weights_bytes // facts.parameter_bytes
    kinds = Attention(facts.layers, facts.kv_heads, facts.head_dim, facts.head_dim)
    shape = ModelShape(
        layers=facts.layers,
        heads=facts.kv_heads,
        kv_heads=facts.kv_heads,
        head_dim=facts.head_dim,
        v_head_dim=facts.head_dim,
        attention=(kinds,),
        format="fp32" if facts.parameter_bytes == 4 else "bf16",
        linear_params=params,
        active_params=params,
        linear_bytes=facts.weights_bytes,
        weights_bytes=facts.weights_bytes,
        context=facts.context,
    )
    if not facts.quantization:
        return shape
    # Of FP8, the scales of most models are of blocks.
    scales = "block" if facts.quantization == "fp8" else ""
    return replace(shape, format=facts.quantization, scales=scales)
