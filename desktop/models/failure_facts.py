"""What the hardware panel knows of a failed load: who holds the GPUs' memory.

`refined` is what the window shows a failure through: the log's end for what a worker process
died of, the last reading of the GPUs for who is in the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.failures import Holder, Known, refined

if TYPE_CHECKING:
    from desktop.hardware.readings import HardwareReading
    from engine.protocol import Failure, LoadSettings


def known_from(
    reading: HardwareReading | None,
    ours: frozenset[int] = frozenset(),
    settings: LoadSettings | None = None,
) -> Known:
    """The reading as `engine.failures` takes it.

    Args:
        ours: process ids of this program's other engines.
        settings: those that the load was asked with.
    """
    if reading is None:
        return Known(settings=settings)
    holders: dict[int, Holder] = {}
    for gpu in reading.gpus:
        for process in gpu.processes or ():
            if not process.bytes:
                continue
            before = holders.get(process.pid)
            holders[process.pid] = Holder(
                name=process.name or str(process.pid),
                pid=process.pid,
                size=process.bytes + (before.size if before else 0),
                gpu=before.gpu if before else gpu.index,
                ours=process.pid in ours,
            )
    found = tuple(sorted(holders.values(), key=lambda holder: -holder.size))
    return Known(settings=settings, holders=found, gpus=len(reading.gpus))


def told(
    failure: Failure,
    log: str,
    reading: HardwareReading | None = None,
    ours: frozenset[int] = frozenset(),
) -> Failure:
    """`failure` by all that the window knows, in English; `failure_text` translates it."""
    return refined(failure, log=log, known=known_from(reading, ours))
