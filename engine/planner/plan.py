"""Does a model fit, with which context and how many chats, and what would make it fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.planner.learned import Learned
from engine.planner.machine import Machine
from engine.planner.shape import ModelShape
from engine.protocol import LoadSettings


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user wants; None leaves it to the planner.

    Attributes:
        context: tokens of one chat.
        tp: GPUs that share the model.
        devices: indexes of the GPUs to use.
        utilisation: of each GPU's memory that the engine may use, 0 to 1.
        kv_dtype: "auto" or "fp8".
        sequences: answers at once.
        eager: without CUDA graphs.
        chats: of `context` each that should fit at once.
        kv_bytes: exactly so much KV cache on each device.
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


@dataclass(frozen=True, slots=True)
class Problem:
    """Why it does not fit, or what to know. `text` is for people, `code` for programs."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One change that alone makes the model fit, or fit more.

    Attributes:
        code: "context", "kv_fp8", "utilisation", "tp2", "sequences", "eager", "smaller_build",
            "close_program".
        label: for a button.
        settings: of `LoadSettings`, by name; empty where it is not done by a setting.
        context, kv_tokens: what the plan with it has.
    """

    code: str
    label: str
    settings: dict[str, Any] = field(default_factory=dict)
    context: int = 0
    kv_tokens: int = 0


@dataclass(frozen=True, slots=True)
class DeviceBudget:
    """Where one device's memory goes, in bytes.

    `device` is -1 for the host's memory; `free` is what nobody is planned to use, and negative
    by what is missing.
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
        fits: one chat of `context` tokens (or `Wish.chats` of them) has room.
        device: "cpu" or "cuda".
        context: as wished, else the largest that fits.
        kv_tokens: capacity of the KV cache, as vLLM reports it.
        chats: how many of `context` fit at once.
        kv_bytes_per_token: on one device, of one more token of a long chat.
        decode_tps_bound: no stream can be faster (tokens/s); None where bandwidth is unknown.
        max_context: the largest that would fit.
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


def plan(
    shape: ModelShape, machine: Machine, wish: Wish | None = None, learned: Learned | None = None
) -> Plan:
    """Plan a load; see the module."""
    from engine.planner.planning import make_plan

    return make_plan(shape, machine, wish or Wish(), learned or Learned())
