"""What is asked of the planner, and what it answers: the types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.planner.kv_cache import KvLayout
from engine.protocol import LoadSettings

HOST = -1  # the device number of the host's memory


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants; None leaves it to the planner.

    Attributes:
        context: tokens of one chat.
        tp: GPUs that share the model.
        devices: indexes of the GPUs to use.
        utilisation: of each GPU's memory that the engine may use, above 0 to 1.
        kv_dtype: "auto" (as the model has it) or "fp8".
        sequences: answers at once.
        eager: without CUDA graphs.
        chats: of `context` each that should fit at once.
        kv_bytes: exactly so much KV cache on each device.
        dtype: "float32", "float16" or "bfloat16" to compute in.
        batched_tokens, block_size: as in `LoadSettings`.
        offload_bytes: of the weights on each GPU, to be kept in the host's memory instead.
    """

    context: int | None = None
    tp: int | None = None
    devices: tuple[int, ...] | None = None
    utilisation: float | None = None
    kv_dtype: str = "auto"
    sequences: int | None = None
    eager: bool | None = None
    chats: int = 1
    kv_bytes: int | None = None
    dtype: str | None = None
    batched_tokens: int | None = None
    block_size: int | None = None
    offload_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why it does not fit, or what to know.

    Attributes:
        code: for programs: "no_room", "kv_too_small", "memory_in_use", "context_above_model",
            "heads_indivisible", "groups_indivisible", "no_such_gpu", "too_few_gpus",
            "gpu_too_old", "kv_fp8_unsupported"; to know only: "float16_instead",
            "short_context", "unequal_gpus", "unpacked", "fp8_unpacked", "state_layers",
            "weights_estimated".
        text: for people, in English.
        values: the names and numbers in the text.
        is_fatal: with it the model cannot be loaded so.
    """

    code: str
    text: str
    values: Mapping[str, int | float | str] = field(default_factory=dict)
    is_fatal: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """One change that alone makes the model fit, or fit more; planned again to be sure.

    Attributes:
        code: "utilisation", "close_program", "devices", "tp", "kv_fp8", "bfloat16", "eager",
            "sequences", "context", "chats", "smaller_build", "offload".
        label: for a button, in English.
        settings: of `LoadSettings`, by name; empty where it is not done by a setting.
        values: the names and numbers in the label.
        makes_fit: without it the model does not fit.
        context, chats, kv_tokens: what the plan with it has.
        wish: to plan with it; None where it is not done by a wish.
    """

    code: str
    label: str
    settings: Mapping[str, object] = field(default_factory=dict)
    values: Mapping[str, int | float | str] = field(default_factory=dict)
    makes_fit: bool = True
    context: int = 0
    chats: int = 0
    kv_tokens: int = 0
    wish: Wish | None = None


@dataclass(frozen=True, slots=True)
class DeviceBudget:
    """Where one device's memory goes, in bytes.

    Attributes:
        device: `HOST` for the host's memory.
        others: of other programs, and what CUDA keeps for itself.
        free: what nobody is planned to use; negative by what is missing.
    """

    device: int
    name: str
    total: int
    others: int
    weights: int
    overhead: int
    kv: int
    free: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer.

    Attributes:
        fits: it can be loaded, and `Wish.chats` of `context` tokens have room at once.
        device: "cpu" or "cuda".
        devices: indexes of the GPUs; none on the CPU.
        context: as wished, else the largest that fits.
        kv_tokens: capacity of the KV cache, as vLLM reports it.
        chats: how many of `context` fit at once.
        kv_bytes_per_token: on one device, of one token that all layers keep.
        kv_bytes: of the whole KV cache on one device.
        decode_tps_bound: no stream can be faster (tokens/s); None where bandwidth is unknown.
        full_tps_bound: the same for a chat that fills its context.
        max_context: the largest that would fit so, for `Wish.chats` at once.
        overhead_measured: `budget`'s overhead was measured by an earlier load.
        layout: of the KV cache on one device.
        settings: to load it so.
    """

    fits: bool
    device: str
    devices: tuple[int, ...] = ()
    tp: int = 1
    context: int = 0
    kv_tokens: int = 0
    chats: int = 0
    kv_bytes_per_token: int = 0
    budget: tuple[DeviceBudget, ...] = ()
    decode_tps_bound: float | None = None
    problems: tuple[Problem, ...] = ()
    changes: tuple[Change, ...] = ()
    settings: LoadSettings = field(default_factory=LoadSettings)
    max_context: int = 0
    kv_blocks: int = 0
    block_size: int = 16
    kv_bytes: int = 0
    full_tps_bound: float | None = None
    overhead_measured: bool = False
    layout: KvLayout | None = None

    def chats_of(self, context: int) -> int:
        """How many chats of so many tokens fit at once."""
        return self.layout.chats(self.kv_blocks, context) if self.layout else 0

    def kv_bytes_of(self, context: int) -> int:
        """What one chat of so many tokens takes of the KV cache on one device."""
        return self.layout.blocks_of_chat(context) * self.layout.block_bytes if self.layout else 0
