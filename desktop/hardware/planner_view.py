"""The hardware as the planner wants it: what a new engine would find."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from desktop.hardware.readings import GpuReading, HardwareReading
from engine.planner.machine import Gpu, Host, Machine


def to_machine(reading: HardwareReading, ours: AbstractSet[int] = frozenset()) -> Machine:
    """The machine with what other programs use now.

    Args:
        reading: of this moment.
        ours: the processes whose memory will be free when the model is loaded: the engine that
            makes room, with its workers (`process_names.with_descendants`).

    GPUs are left out that an engine could not use: lost ones, those that this user may not
    read, and all of them when the driver is too old. Of a GPU that is split (MIG) its largest
    part counts, as CUDA takes one part; a GPU that shares the host's memory has that.
    """
    host = Host(
        ram_total=reading.host.ram_total or 0,
        ram_available=reading.host.ram_available or 0,
        cores=reading.host.cores or 1,
        flags=reading.host.flags,
    )
    gpus: tuple[Gpu, ...] = ()
    if reading.driver.kind == "ok":
        gpus = tuple(
            _gpu(gpu, host, ours)
            for gpu in reading.gpus
            if not gpu.lost and (gpu.name is not None or gpu.uuid is not None)
        )
    return Machine(gpus, host)


def _gpu(gpu: GpuReading, host: Host, ours: AbstractSet[int]) -> Gpu:
    programs = gpu.processes or ()
    own = sum(program.bytes or 0 for program in programs if program.pid in ours)
    others = tuple(
        (program.name or "", program.bytes)
        for program in programs
        if program.pid not in ours and program.bytes
    )
    total, reserved, used = gpu.memory_total, gpu.memory_reserved or 0, gpu.memory_used or 0
    if gpu.mig_parts:
        part = max(gpu.mig_parts, key=lambda part: part.memory_total)
        total, reserved, used = part.memory_total, 0, part.memory_used
    elif gpu.unified:
        total, used = host.ram_total, host.ram_total - host.ram_available
    return Gpu(
        index=gpu.index,
        name=gpu.name or "GPU",
        total=total,
        reserved=reserved,
        used_by_others=max(0, used - own),
        capability=gpu.capability or (0, 0),
        bandwidth=gpu.memory_bandwidth,
        others=others,
    )
