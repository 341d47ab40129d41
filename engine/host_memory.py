"""Memory as Linux tells of it, in bytes: what this process has, and the machine."""

from __future__ import annotations

import os
from pathlib import Path

_PROC = Path("/proc")


def resident_bytes(proc: Path = _PROC) -> int:
    """Of this process."""
    pages = int((proc / "self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def total_and_available(proc: Path = _PROC) -> tuple[int, int]:
    """The machine's memory, and what programs can still have of it."""
    values = {"MemTotal": 0, "MemAvailable": 0}
    for line in (proc / "meminfo").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in values:
            values[name] = int(rest.split()[0]) * 1024
    return values["MemTotal"], values["MemAvailable"]
