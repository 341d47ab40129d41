"""How sizes are written in the planner's texts."""

from __future__ import annotations

GIB = 1024**3


def gib(size: float) -> str:
    """A size in GiB, with one decimal, or two below 1."""
    value = size / GIB
    return f"{value:.2f} GiB" if abs(value) < 0.995 else f"{value:,.1f} GiB"
