"""How sizes are written in the planner's texts."""

from __future__ import annotations

GIB = 1024**3


def gib(size: float) -> str:
    """A size in GiB with one decimal; in MiB below 1 GiB."""
    if abs(size) < 0.995 * GIB:
        return f"{size / 1024**2:,.0f} MiB"
    return f"{size / GIB:,.1f} GiB"
