"""How far a long work is: told a few times a second, and asked each time whether to go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from engine.store.library.records import CancelledError, Progress, Tell

IsCancelled = Callable[[], bool]
EVERY: Final = 0.1  # s
_SETTLED: Final = 1.0  # s, before the rest can be told


def silent(_progress: Progress) -> None:
    """Tells nobody."""


def never() -> bool:
    """Is not cancelled."""
    return False


class Meter:
    """Bytes of `total`, over all phases.

    Args:
        files: how many there are, for the user.
    """

    def __init__(
        self,
        total: int,
        files: int = 0,
        tell: Tell = silent,
        is_cancelled: IsCancelled = never,
    ) -> None:
        self.total, self.files = total, files
        self.done = self.files_done = 0
        self._skipped = 0
        self._tell, self._is_cancelled = tell, is_cancelled
        self._phase = self._file = ""
        self._told = 0.0
        self._began = time.monotonic()

    def enter(self, phase: str, file: str = "") -> None:
        """Something else is done from now on.

        Raises:
            CancelledError: the work is to end.
        """
        changed = phase != self._phase
        self._phase, self._file = phase, file
        self._say(now=changed)

    def add(self, size: int) -> None:
        """`size` bytes more.

        Raises:
            CancelledError: the work is to end.
        """
        self.done += size
        self._say()

    def skip(self, size: int) -> None:
        """`size` bytes that an earlier try has done: they say nothing of the speed."""
        self._skipped += size
        self.add(size)

    def file_done(self) -> None:
        """One more of the files."""
        self.files_done += 1
        self._say()

    def finish(self) -> None:
        """All of it is done, whatever was counted."""
        self.done, self.files_done = self.total, self.files
        self._say(now=True)

    def _say(self, *, now: bool = False) -> None:
        if self._is_cancelled():
            raise CancelledError
        moment = time.monotonic()
        if not now and moment - self._told < EVERY:
            return
        self._told = moment
        self._tell(
            Progress(
                phase=self._phase,
                done=min(self.done, self.total),
                total=self.total,
                file=self._file,
                files_done=self.files_done,
                files=self.files,
                seconds_left=self._seconds_left(moment - self._began),
            )
        )

    def _seconds_left(self, elapsed: float) -> float | None:
        fresh = self.done - self._skipped
        if elapsed < _SETTLED or fresh <= 0:
            return None
        return max(0.0, (self.total - self.done) * elapsed / fresh)
