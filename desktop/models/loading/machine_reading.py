"""The hardware as a plan sees it: what the engine could use, and what others have taken."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.planner.machine import Machine


def read_machine(ours: frozenset[int] = frozenset(), prefix: Path | None = None) -> Machine:
    """Read the hardware now; for a thread, since a driver may take a second to answer.

    Args:
        ours: processes whose memory will be free when the model is loaded.
        prefix: of the Python environment that the engine runs in. Where that holds vLLM's CPU
            build, no GPU can be used, whatever there is.
    """
    from dataclasses import replace

    from desktop.hardware.nvml import read_once
    from desktop.hardware.planner_view import to_machine
    from engine.environment import is_cpu_build

    machine = to_machine(read_once(), ours)
    if machine.gpus and is_cpu_build(Path(sys.prefix) if prefix is None else prefix):
        return replace(machine, gpus=())
    return machine
