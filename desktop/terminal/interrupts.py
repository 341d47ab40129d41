"""Ctrl-C and its like, as a call into the event loop."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final, Self

from PySide6.QtCore import QSocketNotifier

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """While entered, the first signal calls `stop`; the next one ends the process at once.

    Attributes:
        number: of the signal that came; 0: none did.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.number = 0
        self._stop = stop

    def __enter__(self) -> Self:
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        # Python writes the signal's number here from C, whatever the event loop does.
        self._before_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, self._ignore) for number in STOPPING}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._on_activated)
        return self

    def __exit__(self, *_error: object) -> None:
        self._notifier.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._before_fd)
        self._read.close()
        self._write.close()

    @staticmethod
    def _ignore(_number: int, _frame: FrameType | None) -> None:
        """The wake-up descriptor does the work."""

    def _on_activated(self) -> None:
        numbers = b""
        with contextlib.suppress(BlockingIOError):
            numbers = self._read.recv(64)
        known = [number for number in numbers if number in STOPPING]
        if known and not self.number:
            self.number = known[0]
            for number in STOPPING:
                signal.signal(number, signal.SIG_DFL)
            self._stop()
