"""Spreads work over turns of the event loop, so that the chat gets its frames in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer

BEAT_MS: Final = 16  # a paint, and whatever else waits, comes between two of them


class Pacer(QObject):
    """Does one thing a beat, in the order in which they were wanted first.

    What is wanted again before its turn keeps its place, and is done once, as it was wanted last.
    """

    def __init__(self, parent: QObject | None = None, beat_ms: int = BEAT_MS) -> None:
        super().__init__(parent)
        self._wanted: dict[str, Callable[[], object]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(beat_ms)
        self._timer.setTimerType(Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self._beat)

    @property
    def is_idle(self) -> bool:
        """Whether all is done."""
        return not self._wanted

    def want(self, name: str, job: Callable[[], object]) -> None:
        """Have `job()` done on one of the next beats."""
        self._wanted[name] = job
        if not self._timer.isActive():
            self._timer.start()

    def forget(self) -> None:
        """Nothing is wanted any more."""
        self._wanted.clear()
        self._timer.stop()

    def _beat(self) -> None:
        name = next(iter(self._wanted), None)
        job = self._wanted.pop(name) if name is not None else None
        if not self._wanted:
            self._timer.stop()
        if job is not None:
            job()
