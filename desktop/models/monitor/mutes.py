"""Alerts that the user does not want to hear of for a while. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from desktop.models.monitor.alerts import Alert, Kind

Place = tuple[Kind, int | None, int | None]

UNTIL_END: Final = math.inf  # of the program


class Mutes:
    """See the module. Times are seconds of a clock that only goes forward."""

    def __init__(self) -> None:
        self._until: dict[Place, float] = {}

    def mute(self, place: Place, until: float) -> None:
        """Nothing of this cause before `until`."""
        self._until[place] = until

    def unmute(self) -> None:
        """Hear all again."""
        self._until.clear()

    def heard(self, alerts: Iterable[Alert], now: float) -> tuple[Alert, ...]:
        """Those that are not muted, in their order."""
        self._until = {place: until for place, until in self._until.items() if until > now}
        return tuple(alert for alert in alerts if alert.cause.place not in self._until)

    def count(self, now: float) -> int:
        """How many causes are muted."""
        return sum(until > now for until in self._until.values())

    def next_end(self, now: float) -> float | None:
        """When the next of them is heard again; None: none is by itself."""
        ends = [end for end in self._until.values() if now < end < UNTIL_END]
        return min(ends, default=None)
