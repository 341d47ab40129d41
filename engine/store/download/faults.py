"""What a fault means for a download: whether it is tried again, and when."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from engine.store.download.answers import ChangedError, WrongRangeError
from engine.store.download.patience import Patience
from engine.store.download.task import FileTask
from engine.store.download.ways import ProxyGoneError
from engine.store.hub.errors import HubError

_WAITED_OUT: Final = frozenset({"unreachable", "timeout", "hub_broken", "stalled"})


class Rests:
    """Who rests until when: a file that had a fault, or all of them as the hub asks for.

    With the download's lock held.

    Attributes:
        last: the last fault.
        hub_until: when the hub may be asked again (monotonic).
    """

    def __init__(self, patience: Patience, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._hub_faults = 0
        self._has_answered = False
        self.hub_until = 0.0
        self.last: HubError | None = None

    def answered(self) -> None:
        """The hub has given what was asked for."""
        self._hub_faults = 0
        self._has_answered = True

    def forget(self, tasks: Iterable[FileTask]) -> None:
        """Try at once: the user wants it."""
        self.hub_until = 0.0
        for task in tasks:
            task.not_before = 0.0

    def seconds(self, tasks: Iterable[FileTask]) -> float:
        """Until the next of these files may be asked for; 0: now."""
        now = self._clock()
        soonest = min((task.not_before for task in tasks), default=now)
        return max(0.0, max(soonest, self.hub_until) - now)

    def after(self, task: FileTask, error: HubError) -> bool:
        """Rest as `error` demands; False: the download ends with it."""
        now = self._clock()
        patience = self._patience
        self.last = error
        asked = error.retry_after or 0.0
        if isinstance(error, ChangedError) or asked > patience.hub_wait:
            return False
        if error.code == "too_many_requests":
            if now >= self.hub_until:
                self._hub_faults += 1
                self.hub_until = now + (asked or patience.wait_after(self._hub_faults))
            return True
        if error.code == "bad_answer":
            return now < task.not_before or self._after_nonsense(task, error, now)
        # A proxy that was never there is a wrong setting; one that was may come back.
        is_proxy_gone = isinstance(error, ProxyGoneError) and self._has_answered
        if error.code in _WAITED_OUT or is_proxy_gone:
            # Another connection may have met the same.
            return now < task.not_before or self._after_silence(task, asked, now)
        return False

    def _after_nonsense(self, task: FileTask, error: HubError, now: float) -> bool:
        task.nonsense += 1
        if isinstance(error, WrongRangeError):
            task.takes_ranges = False  # it may do without
        task.not_before = now + self._patience.wait_after(task.nonsense)
        return task.nonsense < self._patience.tries

    def _after_silence(self, task: FileTask, asked: float, now: float) -> bool:
        task.faults += 1
        if task.faults == 1:
            task.fault_since = now
        elif now - task.fault_since > self._patience.give_up:
            return False
        task.not_before = now + max(asked, self._patience.wait_after(task.faults))
        return True
