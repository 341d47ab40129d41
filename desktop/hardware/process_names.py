"""Who a process is: its name, and which ones it has started."""

from __future__ import annotations

from collections.abc import Iterable


def process_name(pid: int) -> str | None:
    """The name of a process' program; None when it is gone or cannot be seen."""
    import psutil

    try:
        return str(psutil.Process(pid).name()) or None
    except (psutil.Error, ValueError, OSError):
        return None


def with_descendants(pids: Iterable[int]) -> frozenset[int]:
    """`pids` and all that they have started: the workers of an engine count as the engine."""
    import psutil

    family = set(pids)
    for pid in tuple(family):
        try:
            family.update(child.pid for child in psutil.Process(pid).children(recursive=True))
        except (psutil.Error, OSError):
            continue
    return frozenset(family)
