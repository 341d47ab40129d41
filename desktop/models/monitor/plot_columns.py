"""A series as a plot draws it: the least and the most of each column of time. Pure.

Five minutes at four readings a second are 1,200 points, and a plot is 100 to 400 pixels wide:
what falls on one column is drawn once, and a column that is over is never reckoned again.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence


class Columns:
    """See the module.

    Columns lie at multiples of `width` seconds, not at the plot's edge, so that they keep their
    values while the plot moves on.

    Attributes:
        items: (time of its middle, least, most, last) of each column with a reading; a column
            of readings that were not there is (time, NaN, NaN, NaN).
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.items: deque[tuple[float, float, float, float]] = deque()
        self._seen = -math.inf
        self._first = math.nan

    def take(self, times: Sequence[float], values: Sequence[float]) -> bool:
        """Enter what is new of a whole series; whether anything was.

        A series that begins later drops its old columns; one that ends earlier than what was
        seen (another recording, a step back) is read from its beginning.
        """
        if not times:
            changed = bool(self.items)
            self.clear()
            return changed
        if times[-1] < self._seen or times[0] < self._first:
            self.clear()
        elif times[-1] == self._seen:
            return False
        start = bisect_right(times, self._seen)
        width, items = self.width, self.items
        for index in range(start, len(times)):
            value = values[index]
            middle = (math.floor(times[index] / width) + 0.5) * width
            last = items[-1] if items else None
            if last is None or last[0] != middle:
                items.append((middle, value, value, value))
            elif math.isnan(last[3]):
                items[-1] = (middle, value, value, value)
            elif not math.isnan(value):
                items[-1] = (middle, min(last[1], value), max(last[2], value), value)
            else:
                # The line ends in this column; what follows begins anew.
                items.append((middle, value, value, value))
        self._first, self._seen = times[0], times[-1]
        while items and items[0][0] + width / 2 < times[0]:
            items.popleft()
        return True

    def clear(self) -> None:
        """Forget all."""
        self.items.clear()
        self._seen, self._first = -math.inf, math.nan

    def extremes(self) -> tuple[float, float] | None:
        """The least and the most of all; None: there is no reading."""
        found = [item for item in self.items if item[1] == item[1]]
        if not found:
            return None
        return min(item[1] for item in found), max(item[2] for item in found)


def nearest(times: Sequence[float], values: Sequence[float], at: float, within: float) -> int:
    """The index of the reading that is nearest to a time; -1: none is within so many seconds."""
    right = bisect_right(times, at)
    best, distance = -1, within
    for index in (right - 1, right):
        if 0 <= index < len(times) and abs(times[index] - at) <= distance:
            best, distance = index, abs(times[index] - at)
    return best if best >= 0 and not math.isnan(values[best]) else -1


def nice_top(most: float) -> float:
    """The end of an axis that has room for `most`: 1, 2, 2.5 or 5 times a power of ten."""
    if not most > 0 or math.isinf(most):
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(
        (step * power for step in (1.0, 2.0, 2.5, 5.0) if step * power >= most * 0.999999),
        10.0 * power,
    )
