"""How far some work is: one line that changes on a terminal, a line now and then in a log."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

from desktop.terminal.output import harmless

# Without a terminal there is a line at least every 30 s: of a log nobody sees that it goes on.
TICK: Final = 5.0  # s between two looks
QUIET: Final = 25.0  # s without a line, after which there is one
_ERASE: Final = "\r\x1b[K"


class LiveLine:
    """Shows how far it is on `stream`.

    Args:
        shown: False: say nothing of progress (another program reads what is told).
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        shown: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._shown = shown
        self._live = shown and stream.isatty()
        self._now = now
        self._text: Callable[[], str] = str
        self._step: object = self
        self._said = self._start = now()

    def show(self, text: Callable[[], str], step: object) -> None:
        """How far it is. A log hears of it when `step` is another one, or after a while.

        Args:
            text: makes the words: those of now, however long ago this was called.
        """
        self._text, before, self._step = text, self._step, step
        if self._live:
            width = max(20, shutil.get_terminal_size().columns - 1)
            self._write(_ERASE + harmless(text())[:width])
        elif self._shown and before != step:
            self._say()
        else:
            self.tick()

    def tick(self) -> None:
        """Nothing has come for a while: say now and then that it goes on."""
        if self._shown and not self._live and self._now() - self._said >= QUIET:
            self._say()

    def print(self, text: str) -> None:
        """A line of its own, which stays."""
        self.close()
        self._write(f"{harmless(text)}\n")

    def close(self) -> None:
        """Take the live line away."""
        if self._live:
            self._write(_ERASE)

    def _say(self) -> None:
        self._said = self._now()
        parts = [self._text() or "Starting"]
        if self._said - self._start >= 1:
            parts.append(f"{duration(self._said - self._start)} so far")
        self._write(harmless(" · ".join(parts)) + "\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def duration(seconds: float) -> str:
    """A time, roughly: "40 s", "12 min", "2.5 h", "3 days"."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86_400:,.0f} days"
