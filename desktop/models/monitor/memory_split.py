"""What a GPU's memory is taken by, and the computer's where the model runs on the CPU. Pure.

The parts of a card always make its whole: what the engine says of itself (weights, KV cache) is
set against what the driver says of each process, and what neither explains has a part of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.hardware.readings import GpuReading, HostReading
from desktop.models.monitor.frames import EngineFrame
from engine.protocol import DeviceMemory

CPU = -1  # `DeviceMemory.device`


class Part(StrEnum):
    """What memory is taken by."""

    WEIGHTS = "weights"
    KV_USED = "kv_used"
    KV_CACHED = "kv_cached"
    KV_FREE = "kv_free"
    OVERHEAD = "overhead"  # of our engines: CUDA's context, graphs, activations; a load under way
    OTHER = "other"  # programs of others
    UNNAMED = "unnamed"  # in use, and the driver does not say by whom
    RESERVED = "reserved"  # by driver and firmware
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the memory.

    Attributes:
        name: of the program, or of the model's folder; "" where there is none.
    """

    part: Part
    bytes: int
    name: str = ""


def split_gpu(gpu: GpuReading, engines: Sequence[EngineFrame]) -> tuple[Segment, ...]:
    """The parts of a GPU's memory, which make its total; none, where that is not known.

    Args:
        engines: all that run, on this GPU or elsewhere.
    """
    if gpu.memory_total is None or gpu.memory_used is None:
        return ()
    room = _Room(gpu.memory_total)
    room.take(Part.RESERVED, gpu.memory_reserved or 0)
    used = min(gpu.memory_used, room.left)
    processes = gpu.processes or ()
    pids = {pid: engine for engine in engines for pid in engine.pids}
    told = {process.pid: process.bytes for process in processes}
    explained = 0
    for engine in engines:
        memory = _memory_of(engine, gpu.index)
        sizes = [told[pid] for pid in engine.pids if pid in told]
        if memory is None and not sizes:
            continue
        known = [size for size in sizes if size is not None]
        if len(known) == len(sizes) and sizes:
            held = sum(known)
        else:  # the driver names no sizes (WSL): the engine's own word for it
            held = _claimed(memory) if memory is not None else 0
        explained += room.take_engine(engine, memory, min(held, used - explained))
    for process in processes:
        if process.pid not in pids and process.bytes:
            size = min(process.bytes, used - explained)
            explained += room.take(Part.OTHER, size, process.name or "")
    room.take(Part.UNNAMED, used - explained)
    return room.finish()


def split_host(host: HostReading, engines: Sequence[EngineFrame]) -> tuple[Segment, ...]:
    """The parts of the computer's memory, as `split_gpu`."""
    if host.ram_total is None or host.ram_available is None:
        return ()
    room = _Room(host.ram_total)
    used = max(0, host.ram_total - host.ram_available)
    explained = 0
    for engine in engines:
        if engine.telemetry is not None and engine.telemetry.resident_bytes:
            held = min(engine.telemetry.resident_bytes, used - explained)
            explained += room.take_engine(engine, _memory_of(engine, CPU), held)
    room.take(Part.OTHER, used - explained)
    return room.finish()


def names_of(parts: Collection[Segment], part: Part) -> tuple[str, ...]:
    """Who takes a part, the largest first."""
    found = sorted((one for one in parts if one.part is part), key=lambda one: -one.bytes)
    return tuple(one.name for one in found if one.name)


class _Room:
    """Gives parts out of a whole; never more than there is."""

    def __init__(self, total: int) -> None:
        self.left = total
        self._segments: list[Segment] = []

    def take(self, part: Part, size: int, name: str = "") -> int:
        size = max(0, min(size, self.left))
        if size:
            self.left -= size
            self._segments.append(Segment(part, size, name))
        return size

    def take_engine(self, engine: EngineFrame, memory: DeviceMemory | None, held: int) -> int:
        """What an engine holds, in parts. What it does not hold (asleep) it is not said to."""
        name, before = engine.model, self.left
        end = self.left - max(0, min(held, self.left))

        def part(which: Part, size: int) -> None:
            self.take(which, min(size, self.left - end), name)

        if memory is not None and engine.phase != "sleeping":
            used, cached = _pool_shares(engine)
            part(Part.WEIGHTS, memory.weights)
            part(Part.KV_USED, round(memory.kv * used))
            part(Part.KV_CACHED, round(memory.kv * cached))
            part(Part.KV_FREE, memory.kv - round(memory.kv * used) - round(memory.kv * cached))
        part(Part.OVERHEAD, self.left - end)
        return before - self.left

    def finish(self) -> tuple[Segment, ...]:
        self.take(Part.FREE, self.left)
        order = list(Part)
        return tuple(sorted(self._segments, key=lambda one: order.index(one.part)))


def _memory_of(engine: EngineFrame, device: int) -> DeviceMemory | None:
    if engine.loaded is None:
        return None
    return next((one for one in engine.loaded.memory if one.device == device), None)


def _claimed(memory: DeviceMemory) -> int:
    return memory.weights + memory.kv + memory.graphs + memory.overhead


def _pool_shares(engine: EngineFrame) -> tuple[float, float]:
    """Of the KV cache: what requests hold, and what could be used again."""
    reading = engine.telemetry
    if reading is None or not reading.kv_total:
        return 0.0, 0.0
    used = min(1.0, reading.kv_used / reading.kv_total)
    return used, min(1.0 - used, reading.kv_cached / reading.kv_total)
