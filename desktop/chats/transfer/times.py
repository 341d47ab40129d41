"""Times of chats: seconds since the epoch that a calendar has a day for."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Final

_YEAR_9999: Final = 253_370_764_800.0  # 1 January, UTC


def sane(value: object) -> float:
    """`value` as a time; 0.0 (unknown) where it is none that can be shown."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        seconds = float(value)
    except OverflowError:
        return 0.0
    return seconds if math.isfinite(seconds) and 0.0 <= seconds < _YEAR_9999 else 0.0


def day_and_minute(seconds: float) -> str:
    """For people and for sorting: "2026-11-29 14:03", local time; empty if unknown."""
    seconds = sane(seconds)
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M") if seconds else ""
