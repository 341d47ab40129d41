"""SIGINT, SIGTERM and SIGHUP, handed to Qt's event loop without polling."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

from PySide6.QtCore import QSocketNotifier

END_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndSignals:
    """Calls `arrived` from the event loop, with the number of a signal that asks for the end.

    From the making of it until `close`, these signals do nothing else.
    """

    def __init__(self, arrived: Callable[[int], object]) -> None:
        self._arrived = arrived
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        # Python writes the signal's number here from C, whatever the event loop does.
        self._before_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, self._ignore) for number in END_SIGNALS}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._on_activated)

    def close(self) -> None:
        """Give the handlers back."""
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
        known = [number for number in numbers if number in END_SIGNALS]
        if known:
            self._arrived(known[0])
