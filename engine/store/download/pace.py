"""How fast it goes, and how fast it may."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Final

from engine.store.download.control import Control

_BURST: Final = 0.25  # s of the limit that may come at once
_LEAST: Final = 1024  # bytes
_TAU: Final = 3.0  # s over which the speed is smoothed


class Pace:
    """Shares a limit of bytes/s out to connections: a bucket that fills at that rate."""

    def __init__(self, control: Control, clock: Callable[[], float] = time.monotonic) -> None:
        self._control = control
        self._changed = threading.Condition(control.lock)
        self._clock = clock
        self._level = 0.0
        self._at = clock()

    def take(self, wanted: int) -> int:
        """How many of `wanted` bytes may be read now; waits until it is some.

        0 when it was paused or cancelled meanwhile.
        """
        control = self._control
        with control.lock:
            while not (control.is_cancelled or control.is_paused):
                limit = control.limit
                if not limit:
                    return wanted
                self._fill(limit)
                share = min(wanted, max(_LEAST, int(limit * _BURST / 4)))
                if self._level >= share:
                    self._level -= share
                    return share
                self._changed.wait((share - self._level) / limit)
            return 0

    def give_back(self, count: int) -> None:
        """What was taken and did not come."""
        if count and self._control.limit:
            with self._control.lock:
                self._level += count

    def wake(self) -> None:
        """Look again, with the lock held: the control has changed."""
        self._changed.notify_all()

    def _fill(self, limit: int) -> None:
        now = self._clock()
        most = max(limit * _BURST, _LEAST)
        self._level = min(most, self._level + (now - self._at) * limit)
        self._at = now


class SpeedMeter:
    """Bytes/s, smoothed: what came long ago counts less, by half every two seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.rest()

    def rest(self) -> None:
        """Forget: nothing is wanted for now."""
        self._at = self._clock()
        self._weight = 0.0
        self.speed = 0.0

    def count(self, size: int) -> float:
        """`size` bytes came since the last call; the speed."""
        now = self._clock()
        passed = now - self._at
        if passed <= 0:
            return self.speed
        self._at = now
        share = 1.0 - math.exp(-passed / _TAU)
        # Until enough time has passed the few values there are count in full.
        self._weight += (1.0 - self._weight) * share
        self.speed += (size / passed - self.speed) * share / self._weight
        return self.speed

    def seconds_left(self, size: int) -> float | None:
        """Until `size` further bytes are there; None while nothing comes."""
        if size <= 0:
            return 0.0
        return size / self.speed if self.speed >= 1.0 else None
