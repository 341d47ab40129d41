"""The time that other processes kept from ours: it tells of the machine, not of the program."""

from __future__ import annotations

from pathlib import Path

_SCHEDULE = Path("/proc/self/schedstat")


def withheld() -> float:
    """Seconds for which the main thread was ready in its life and another had the processor.

    0 where the kernel does not count them.
    """
    try:
        return int(_SCHEDULE.read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
