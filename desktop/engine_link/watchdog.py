"""When to end an engine process that gives no sign of life, or does not go when asked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

WATCH_MS = 1000
# Heartbeats come once a second. Importing and loading hold Python's lock for seconds.
SILENT_TICKS_READY = 10
SILENT_TICKS_BUSY = 60


class Watchdog(QObject):
    """Watches one process after another.

    Args:
        limit: how many ticks of silence are one too many now.

    Signals:
        silent: no sign of life for so many seconds.
        overdue: the process was asked to go, and its time is over.
    """

    silent = Signal(int)
    overdue = Signal()

    def __init__(self, limit: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._limit = limit
        self._ticks = 0
        self._watch = QTimer(self, interval=WATCH_MS)
        self._watch.timeout.connect(self._on_tick)
        self._grace = QTimer(self, singleShot=True)
        self._grace.timeout.connect(self.overdue)

    @property
    def is_counting_down(self) -> bool:
        """Whether the process has been asked to go."""
        return self._grace.isActive()

    def start(self) -> None:
        """Watch a fresh process."""
        self._ticks = 0
        self._watch.start()

    def stop(self) -> None:
        """There is no process."""
        self._watch.stop()
        self._grace.stop()

    def feed(self) -> None:
        """The process lives."""
        self._ticks = 0

    def count_down(self, grace_ms: int) -> None:
        """The process was asked to go."""
        self._grace.start(grace_ms)

    def _on_tick(self) -> None:
        # Ticks of our own loop, not a clock: a window that was suspended has not
        # waited for the engine.
        self._ticks += 1
        limit = self._limit()
        if self._ticks > limit:
            self._ticks = 0
            self.silent.emit(limit)
