"""What each worker says of its device after a load, and what that makes together. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.protocol import DeviceMemory

CPU = -1


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """One worker's device. Bytes; what is not known is 0.

    `free_before` is the device's when vLLM began to count (after the CUDA context and the
    link's buffers), `free` its now, `consumed` and `headroom` what vLLM's profiling run found:
    what stays taken (weights included), and what activations take besides at their peak.
    """

    device: int  # the GPU's number by PCI bus, or CPU
    name: str
    total: int
    free_before: int = 0
    free: int = 0
    weights: int = 0
    kv: int = 0
    graphs: int = 0
    consumed: int = 0
    headroom: int = 0
    resident: int = 0  # of the process, before the KV cache was made (CPU)
    kernel: str = ""

    def to_builtins(self) -> dict[str, Any]:
        """For the way through vLLM's queue."""
        return asdict(self)


def device_memory(report: WorkerReport, used_before: int) -> DeviceMemory:
    """One GPU's memory. `used_before`: of the device, before this engine touched it."""
    if report.consumed:
        uncounted = max(0, report.total - report.free_before - used_before)
        counted = max(0, report.consumed + report.headroom - report.weights)
        overhead = uncounted + counted
    else:
        # Profiling was left out (the KV cache's size was given): what the driver sees taken.
        taken = report.total - report.free - used_before
        overhead = max(0, taken - report.weights - report.kv - report.graphs)
        uncounted = min(overhead, max(0, report.total - report.free_before - used_before))
    return DeviceMemory(
        device=report.device,
        name=report.name,
        total=report.total,
        weights=report.weights,
        kv=report.kv,
        graphs=report.graphs,
        overhead=overhead,
        others=used_before,
        uncounted=uncounted,
    )


def host_memory(reports: Sequence[WorkerReport], used_before: int, engine: int) -> DeviceMemory:
    """The host's memory for a model on the CPU, however many workers share it.

    `used_before`: by others, when the load began. `engine`: resident bytes of the engine's own
    process, where the workers are processes of their own; else 0.
    """
    weights = sum(report.weights for report in reports)
    resident = sum(report.resident for report in reports) + engine
    return DeviceMemory(
        device=CPU,
        name=reports[0].name,
        total=reports[0].total,
        weights=weights,
        kv=sum(report.kv for report in reports),
        overhead=max(0, resident - weights),
        others=used_before,
    )


def memory_of(
    reports: Sequence[WorkerReport], used_before: Mapping[int, int], engine: int = 0
) -> tuple[DeviceMemory, ...]:
    """What the load took, a device each. `used_before` by device; see above."""
    if not reports:
        return ()
    if reports[0].device == CPU:
        return (host_memory(reports, used_before.get(CPU, 0), engine),)
    return tuple(device_memory(each, used_before.get(each.device, 0)) for each in reports)


def kernel_of(reports: Sequence[WorkerReport]) -> str:
    """The kernel, in plain words; "" where it is not known."""
    return next((report.kernel for report in reports if report.kernel), "")
