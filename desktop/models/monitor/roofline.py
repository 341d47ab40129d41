"""How fast the loaded model can be at most with the chats that are being answered. Pure.

Writing one token each for n chats takes one pass over the weights, whatever n is, and one over
each chat's KV cache; the memory gives no more than its bandwidth:

    tokens/s <= n x bandwidth / (weights read a step + n x KV of a chat)

For n = 1 that is `engine.planner.roofline.decode_bound`. Of a mixture of experts only what one
token goes through is counted: with more chats more experts are read, so that the limit is above
the true one, never below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.planner import choices
from engine.planner.cards import bandwidth_of
from engine.planner.kv_cache import KvLayout, lay_out
from engine.planner.machine import Gpu, Machine
from engine.planner.model_shape import ModelShape
from engine.planner.roofline import decode_bound
from engine.planner.weights import read_per_token, unpacked
from engine.protocol import KvReport, Loaded, Telemetry

CPU: Final = -1  # `DeviceMemory.device`


class Unknown(StrEnum):
    """Why there is no limit to compare with."""

    NO_MODEL = "no_model"
    NO_SHAPE = "no_shape"  # the model's files do not tell how it is built
    NO_CARD = "no_card"  # the card is not in the planner's table
    NO_CPU = "no_cpu"  # nobody has measured this computer's memory
    OFFLOAD = "offload"  # part of the weights lies in RAM, behind the PCIe link


@dataclass(frozen=True, slots=True)
class Roofline:
    """The limit for all chats together.

    Attributes:
        tps: tokens/s of all chats together; None where it is not known, and `unknown` says why.
        chats: answered at once, at least 1.
        context: tokens of each of them, on average; 0 where none is answered.
        bandwidth: of each device's memory, bytes/s; step_bytes: that each reads for one step.
        devices: how many share the work.
    """

    tps: float | None = None
    unknown: Unknown | None = None
    chats: int = 1
    context: int = 0
    bandwidth: float = 0.0
    step_bytes: int = 0
    devices: int = 1

    def share(self, generation_tps: float) -> float | None:
        """Of the limit, what is written now; None where the limit is not known."""
        return generation_tps / self.tps if self.tps else None


def roofline(
    shape: ModelShape | None,
    loaded: Loaded | None,
    machine: Machine,
    *,
    chats: int = 1,
    context: int = 0,
) -> Roofline:
    """The limit of a loaded model.

    Args:
        shape: of the model's files; None where they could not be read.
        chats: answered at once.
        context: tokens of each of them, on average.
    """
    chats = max(1, chats)
    if loaded is None:
        return Roofline(unknown=Unknown.NO_MODEL)
    if shape is None:
        return Roofline(unknown=Unknown.NO_SHAPE)
    if loaded.settings.cpu_offload_bytes:
        return Roofline(unknown=Unknown.OFFLOAD)
    on_cpu = is_on_cpu(loaded)
    bandwidth = machine.host.bandwidth if on_cpu else _slowest(loaded, machine)
    if not bandwidth:
        return Roofline(unknown=Unknown.NO_CPU if on_cpu else Unknown.NO_CARD)
    if (on_cpu and choices.is_unpacked_on_cpu(shape, machine.host)) or (
        not on_cpu and choices.is_converted_for_cuda(shape)
    ):
        shape = unpacked(shape)
    # Workers on the CPU share one memory: together they read what one would.
    tp = 1 if on_cpu else max(1, loaded.tensor_parallel_size)
    values = choices.value_bytes(_dtype(loaded))
    layout = _layout(shape, loaded, values, tp)
    one = decode_bound(shape, bandwidth, values, tp, layout, context)
    weights = read_per_token(shape, values, tp)
    each = round(bandwidth / one) - weights  # of KV
    step = weights + chats * max(0, each)
    return Roofline(chats * bandwidth / step, None, chats, context, bandwidth, step, tp)


def is_on_cpu(loaded: Loaded) -> bool:
    """Whether a model runs on the processor."""
    if loaded.memory:
        return all(one.device == CPU for one in loaded.memory)
    return loaded.device in ("", "CPU")


def batch_of(telemetry: Telemetry, report: KvReport | None, block_size: int) -> tuple[int, int]:
    """Chats that are answered now, and the tokens of each of them, on average.

    Args:
        report: the newest of the pool; without one the blocks in use tell, as good as they can.
    """
    if report is not None:
        running = [one.tokens for one in report.requests if not one.position and one.tokens]
        if running:
            return len(running), round(sum(running) / len(running))
    if not telemetry.running:
        return 0, 0
    return telemetry.running, telemetry.kv_used * block_size // telemetry.running


def _dtype(loaded: Loaded) -> str:
    return loaded.dtype.removeprefix("torch.")


def _layout(shape: ModelShape, loaded: Loaded, values: int, tp: int) -> KvLayout:
    dtype = _dtype(loaded)
    return lay_out(
        shape,
        value_bytes=choices.kv_value_bytes(shape, loaded.settings.kv_cache_dtype, dtype),
        state_value_bytes=values,
        tp=tp,
        block_size=loaded.block_size or choices.CUDA_BLOCK_SIZE,
        in_flight=0,
    )


def _slowest(loaded: Loaded, machine: Machine) -> float | None:
    """The bandwidth of the slowest card that the model is on: all wait for it."""
    by_index = {gpu.index: gpu for gpu in machine.gpus}
    on = [one.device for one in loaded.memory] or list(loaded.settings.devices)
    if not on:
        return bandwidth_of(loaded.device)
    found = [_bandwidth(by_index.get(index), loaded) for index in on]
    known = [one for one in found if one]
    return min(known) if known and len(known) == len(found) else None


def _bandwidth(gpu: Gpu | None, loaded: Loaded) -> float | None:
    if gpu is None:
        return bandwidth_of(loaded.device)
    # The table's figure is the maker's; NVML's is reckoned from the bus and the clock.
    return bandwidth_of(gpu.name) or gpu.bandwidth
