"""A series as a plot draws it: the least and the most of each column of time. Pure.

Five minutes at four readings a second are 1,200 points, and a plot is 100 to 400 pixels wide:
what falls on one column is drawn once, and a column that is over is never reckoned again.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MOVED: Final = 2  # columns that leave between two readings
_STEPS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


@dataclass(slots=True)
class Column:
    """The readings of one column.

    Attributes:
        slot: its number: it has the times from slot x width on.
        least, most, last: NaN where readings were due and none was there.
        breaks: whether the line ends in it.
    """

    slot: int
    least: float
    most: float
    last: float
    breaks: bool = False


class Columns:
    """See the module.

    Columns lie at multiples of `width` seconds, not at the plot's edge, so that they keep their
    values while the plot moves on.

    Attributes:
        items: the columns that have readings, or should have.
        epoch: another number means that columns which were over are not the same any more.
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.items: deque[Column] = deque()
        self.epoch = 0
        self._seen = -math.inf
        self._first = math.nan
        self._bounds: tuple[float, float] | None = None

    def slot(self, time: float) -> int:
        """The number of the column in which a time falls."""
        return math.floor(time / self.width)

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
        for index in range(bisect_right(times, self._seen), len(times)):
            self._enter(self.slot(times[index]), values[index])
        self._first, self._seen = times[0], times[-1]
        oldest = self.slot(times[0])
        dropped = 0
        while self.items and self.items[0].slot < oldest:
            self._drop_oldest()
            dropped += 1
        if dropped > _MOVED:
            self.epoch += 1  # not the time that went on, but another history
        return True

    def clear(self) -> None:
        """Forget all."""
        if self.items:
            self.epoch += 1
        self.items.clear()
        self._bounds = None
        self._seen, self._first = -math.inf, math.nan

    def extremes(self) -> tuple[float, float] | None:
        """The least and the most of all; None: there is no reading."""
        if self._bounds is None:
            found = [item for item in self.items if item.most == item.most]
            if found:
                self._bounds = (
                    min(item.least for item in found),
                    max(item.most for item in found),
                )
        return self._bounds

    def _drop_oldest(self) -> None:
        gone = self.items.popleft()
        if self._bounds is not None and (
            gone.least <= self._bounds[0] or gone.most >= self._bounds[1]
        ):
            self._bounds = None  # to be found anew among those that are left

    def _enter(self, slot: int, value: float) -> None:
        if self._bounds is not None and value == value:
            least, most = self._bounds
            if not least <= value <= most:
                self._bounds = min(least, value), max(most, value)
        last = self.items[-1] if self.items else None
        if last is None or last.slot != slot:
            self.items.append(Column(slot, value, value, value, breaks=value != value))
        elif value != value:
            last.breaks = True
        elif last.last != last.last:
            last.least = last.most = last.last = value
            last.breaks = False
        else:
            last.least, last.most = min(last.least, value), max(last.most, value)
            last.last = value


def nearest(times: Sequence[float], values: Sequence[float], at: float, within: float) -> int:
    """The index of the reading that is nearest to a time; -1: none is within so many seconds."""
    right = bisect_right(times, at)
    best, distance = -1, within
    for index in (right - 1, right):
        if 0 <= index < len(times) and abs(times[index] - at) <= distance:
            best, distance = index, abs(times[index] - at)
    return best if best >= 0 and not math.isnan(values[best]) else -1


def nice_top(most: float) -> float:
    """The end of an axis that has room for `most`: a round number."""
    if not most > 0 or math.isinf(most):
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    ends = (step * power for step in _STEPS)
    return next((end for end in ends if end >= most * 0.999999), 10.0 * power)


def nice_bytes(most: float) -> float:
    """The same of bytes, round where they are told in KiB, MiB, GiB."""
    unit = 1024.0 ** max(0, math.floor(math.log(most, 1024))) if most >= 1 else 1.0
    return nice_top(most / unit) * unit
