"""What the set-up shows: one line for each step, alive while the step runs."""

import sys
import time
from collections.abc import Callable
from typing import TextIO


class StepLine:
    """The line of one step: "[2/6] Engine, CPU flavour (about 1.2 GB) … 71 s".

    On a terminal, `update` shows what is being done and for how long, in place; elsewhere (a log)
    only the start and the end are written.
    """

    def __init__(
        self,
        number: int,
        count: int,
        title: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._live = self._stream.isatty()
        self._clock = clock
        self._start = clock()
        self._head = f"[{number}/{count}] {title} …"
        # While it runs, what is being done says more than a remark in brackets.
        self._live_head = f"[{number}/{count}] {title.split(' (')[0]} …"
        self._write(self._head)

    def update(self, detail: str) -> None:
        """Show `detail` after the title, with the seconds so far."""
        if not self._live:
            return
        line = f"{self._live_head} {self._elapsed()}  {detail}"
        self._write(f"\r\x1b[K{_cut(line, _columns(self._stream) - 1)}")

    def done(self, note: str = "") -> None:
        """End the line with the step's time."""
        if self._live:
            self._write(f"\r\x1b[K{self._head}")
        self._write(f" {self._elapsed()}{f'  {note}' if note else ''}\n")

    def failed(self) -> None:
        """End the line where the step failed."""
        if self._live:
            self._write(f"\r\x1b[K{self._head}")
        self._write(f" failed after {self._elapsed()}\n")

    def _elapsed(self) -> str:
        seconds = self._clock() - self._start
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def say(text: str, stream: TextIO | None = None) -> None:
    """Write a line for the user. To stderr: stdout is the program's own, for `chat --json`."""
    print(text, file=stream if stream is not None else sys.stderr, flush=True)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"


def _columns(stream: TextIO) -> int:
    import os

    try:
        # A terminal that does not know its size says 0.
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
