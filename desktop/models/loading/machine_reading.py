"""The hardware as a plan sees it: what the engine could use, and what others have taken."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.planner.machine import Machine


def read_machine(
    ours: frozenset[int] = frozenset(), prefix: Path | None = None, *, promised: int = 0
) -> Machine:
    """Read the hardware now; for a thread, since a driver may take a second to answer.

    Args:
        ours: processes whose memory will be free when the model is loaded.
        prefix: of the Python environment that the engine runs in. Where that holds vLLM's CPU
            build, no GPU can be used, whatever there is.
        promised: bytes of the host's memory that the system calls free and others will use.
    """
    from dataclasses import replace

    from desktop.hardware.host import HostReader
    from desktop.hardware.nvml import read_once
    from desktop.hardware.planner_view import to_machine
    from desktop.hardware.process_names import with_descendants
    from desktop.hardware.readings import Driver, DriverState, HardwareReading
    from engine.environment import is_cpu_build

    ours = with_descendants(ours)
    if is_cpu_build(Path(sys.prefix) if prefix is None else prefix):
        # The driver is not asked: one that hangs would keep us from a plan that needs no GPU.
        machine = to_machine(HardwareReading(DriverState(Driver.ABSENT), (), HostReader().read()))
    else:
        machine = to_machine(read_once(), ours)
    if promised:
        available = max(0, machine.host.ram_available - promised)
        machine = replace(machine, host=replace(machine.host, ram_available=available))
    host = machine.host
    available = min(host.ram_total, host.ram_available + sum(map(_own_memory, ours)))
    return replace(machine, host=replace(host, ram_available=available))


def _own_memory(pid: int) -> int:
    """The bytes of RAM that a process alone holds; 0 where it is gone or not to be read."""
    import psutil

    try:
        memory = psutil.Process(pid).memory_info()
    except (psutil.Error, OSError):
        return 0
    return max(0, int(memory.rss) - int(getattr(memory, "shared", 0)))
