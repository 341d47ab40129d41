"""Ctrl-C and its like, as a call into the event loop."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Self

from desktop.end_signals import END_SIGNALS, EndSignals


class Interrupts:
    """While entered, the first signal calls `stop`; the next one ends the process at once.

    Attributes:
        number: of the signal that came; 0: none did.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.number = 0
        self._stop = stop

    def __enter__(self) -> Self:
        self._signals = EndSignals(self._on_signal)
        return self

    def __exit__(self, *_error: object) -> None:
        self._signals.close()

    def _on_signal(self, number: int) -> None:
        if self.number:
            return
        self.number = number
        for each in END_SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        self._stop()
