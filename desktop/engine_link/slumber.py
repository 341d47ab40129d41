"""How a model sleeps, and how long it takes to wake. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Slumber:
    """One engine's sleep.

    Attributes:
        in_process: the process keeps the weights in the host's memory while the model sleeps
            (vLLM's sleep level 1, CUDA only); else it was ended, and waking is another load.
        is_asked: the process was asked to sleep and has not answered.
        load_seconds: what the latest load took; 0: there was none.
        wake_seconds: what the latest waking in the process took; 0: there was none.
    """

    clock: Callable[[], float] = time.monotonic
    in_process: bool = False
    is_asked: bool = False
    load_seconds: float = 0.0
    wake_seconds: float = 0.0
    _waking_since: float | None = None

    @property
    def expected(self) -> float:
        """Seconds until the model answers again, as learned; 0: not known."""
        return self.wake_seconds if self.in_process else self.load_seconds

    def begin_waking(self) -> None:
        """The process was asked to wake the model."""
        self._waking_since = self.clock()

    def woke(self) -> None:
        """The model answers again, in the same process."""
        if self._waking_since is not None:
            self.wake_seconds = self.clock() - self._waking_since
        self.over()

    def over(self) -> None:
        """The process does not keep a sleeping model any more."""
        self.in_process = self.is_asked = False
        self._waking_since = None
