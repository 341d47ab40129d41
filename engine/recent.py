"""Figures of the last minute: percentiles of times, and shares. Pure; times are given.

A thousand tokens a second for a minute are too many to keep one by one, so times are counted in
classes, each 2 % wide, and old seconds are taken off as they pass.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from typing import Final

SECONDS: Final = 60
_WIDTH: Final = math.log(1.02)
_SHORTEST: Final = 1e-5  # s


class RecentTimes:
    """Times that were taken in the last `seconds`, in classes."""

    def __init__(self, seconds: int = SECONDS) -> None:
        self._seconds = seconds
        self._all: Counter[int] = Counter()
        self._parts: deque[tuple[int, Counter[int]]] = deque()  # by the second they came in

    def add(self, value: float, now: float, count: int = 1) -> None:
        """Take in `count` times of `value` seconds each."""
        second = int(now)
        if not self._parts or self._parts[-1][0] != second:
            self._forget(now)
            self._parts.append((second, Counter()))
        which = round(math.log(max(value, _SHORTEST)) / _WIDTH)
        self._parts[-1][1][which] += count
        self._all[which] += count

    def percentiles(self, now: float, *shares: float) -> tuple[float | None, ...]:
        """For each share (0.5: the median) the time that so many did not exceed; None: no times.

        Right to 1 %.
        """
        self._forget(now)
        total = self._all.total()
        if not total:
            return (None,) * len(shares)
        ordered = sorted(self._all.items())
        found = []
        for share in shares:
            wanted, seen, at = math.ceil(share * total), 0, 0
            while (seen := seen + ordered[at][1]) < wanted:
                at += 1
            found.append(math.exp(ordered[at][0] * _WIDTH))
        return tuple(found)

    def _forget(self, now: float) -> None:
        while self._parts and self._parts[0][0] <= now - self._seconds:
            self._all -= self._parts.popleft()[1]


class RecentShare:
    """How much of something was of a kind in the last `seconds`."""

    def __init__(self, seconds: int = SECONDS) -> None:
        self._seconds = seconds
        self._parts: deque[tuple[float, int, int]] = deque()
        self._of_kind = self._total = 0

    def add(self, of_kind: int, total: int, now: float) -> None:
        """Take in `total`, of which so many were of the kind."""
        self._parts.append((now, of_kind, total))
        self._of_kind += of_kind
        self._total += total

    def share(self, now: float) -> float | None:
        """The share, from 0 to 1; None: there was nothing."""
        while self._parts and self._parts[0][0] <= now - self._seconds:
            _, of_kind, total = self._parts.popleft()
            self._of_kind -= of_kind
            self._total -= total
        return self._of_kind / self._total if self._total else None
