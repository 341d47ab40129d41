"""Tells how a download goes: often enough to be seen, not more often than that."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engine.store.download.control import Control
from engine.store.download.messages import Event, Phase, Progress, Started, Waiting
from engine.store.download.pace import SpeedMeter
from engine.store.download.patience import Patience
from engine.store.download.task import FileTask
from engine.store.download.transfer import Transfer
from engine.store.hub.errors import HubError

_STILL: Final = 1.0  # s between two words of a wait


class Reporter:
    """See the module.

    Attributes:
        tell: is given the events.
    """

    def __init__(self, tell: Callable[[Event], None], control: Control, patience: Patience) -> None:
        self.tell = tell
        self._control = control
        self._tick = patience.tick
        self._meter = SpeedMeter()
        self._received = 0
        self._told_at = 0.0
        self._told: tuple[Phase, int] | None = None
        self._total = 0
        self._files = 0
        self._tasks: Sequence[FileTask] = ()

    def start(self, target: Path, commit: str, tasks: Sequence[FileTask]) -> None:
        """It is known what is to be fetched."""
        self._tasks = tasks
        self._total = sum(task.part.size for task in tasks)
        self._files = len(tasks)
        self._received = 0
        self._meter.rest()
        missing = sum(task.missing for task in tasks)
        self.tell(
            Started(
                target=str(target),
                total=self._total,
                have=self._total - missing,
                files=self._files,
                commit=commit,
            )
        )

    def phase(self, phase: Phase) -> None:
        """Something else begins."""
        done = sum(task.have for task in self._tasks)
        verified = sum(task.is_verified for task in self._tasks)
        self.tell(
            Progress(
                phase=phase,
                done=done,
                total=self._total,
                files_done=verified,
                files=self._files,
                limit=self._control.limit,
            )
        )

    def wait(self, error: HubError, seconds: float) -> None:
        """It waits."""
        self.tell(Waiting(code=error.code, reason=error.text, seconds=round(seconds, 1)))

    def look_at(self, transfer: Transfer) -> None:
        """Tell what is new, if anything is and the last word was long enough ago."""
        now = time.monotonic()
        phase = self._phase_of(transfer)
        rests = phase in {Phase.PAUSED, Phase.WAITING}
        state = (phase, self._control.limit)
        if state == self._told and (
            phase is Phase.PAUSED or now - self._told_at < (_STILL if rests else self._tick)
        ):
            return
        self._told_at, self._told = now, state
        if rests:
            self._meter.rest()
            self._received = transfer.received
        if phase is Phase.WAITING:
            error = transfer.full or transfer.last_fault
            if error is not None:
                self.wait(error, 0.0 if transfer.full else transfer.seconds_to_try())
                return
        self.tell(self._progress(transfer, phase))

    def _phase_of(self, transfer: Transfer) -> Phase:
        if not transfer.is_fetching:
            return Phase.VERIFYING
        if self._control.is_paused:
            return Phase.PAUSED
        if transfer.full or (not transfer.active and transfer.seconds_to_try() > 0):
            return Phase.WAITING
        return Phase.DOWNLOADING

    def _progress(self, transfer: Transfer, phase: Phase) -> Progress:
        tasks = transfer.tasks
        done = sum(task.have for task in tasks)
        speed, left = 0.0, None
        if phase is Phase.DOWNLOADING:
            speed = self._meter.count(transfer.received - self._received)
            self._received = transfer.received
            left = self._meter.seconds_left(self._total - done)
        elif phase is Phase.VERIFYING:
            done = sum(min(task.hashed, task.part.size) for task in tasks)
        return Progress(
            phase=phase,
            done=done,
            total=self._total,
            speed=round(speed, 1),
            seconds_left=None if left is None else round(left, 1),
            file=transfer.current,
            files_done=transfer.files_done,
            files=len(tasks),
            limit=self._control.limit,
        )
