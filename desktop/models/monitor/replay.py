"""A recording shown again: at its own speed, paused, or from another moment on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from desktop.models.monitor.frames import MonitorFrame
from desktop.models.monitor.history import SECONDS, History
from desktop.models.monitor.recording_reader import RecordingReader

log = logging.getLogger(__name__)

LONGEST_WAIT_S: Final = 2.0  # where the recording has a hole, nobody waits it out
SLICE_S: Final = 0.008  # of catching up, in one turn of the event loop
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 16.0)


class Replay(QObject):
    """See the module. Stands at the beginning until `play`.

    Args:
        path: of the recording.
        clock: seconds, only forward.

    Attributes:
        history: of what was shown.
        duration: seconds of the recording.

    Signals:
        frame: the `MonitorFrame`s, in their order.
        restarted: what was shown is void: it goes on from another moment.
        moved: the position in seconds, or whether it plays, has changed.
        ended: the last frame was shown.

    Raises:
        OSError: the file cannot be read.
        NoRecordingError: it is no recording, or has no frame; the text says so.
    """

    frame = Signal(object)
    restarted = Signal()
    moved = Signal()
    ended = Signal()

    def __init__(
        self,
        path: Path,
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._reader = RecordingReader(path)
        self.head = self._reader.head
        self._clock = clock
        self._next = self._reader.first()
        self._began = self._at = self._next.at
        self.duration = max(0.0, self._reader.end() - self._began)
        self.history = History()
        self._whole = self._next
        self._playing = False
        self._speed = 1.0
        self._target: float | None = None  # a time that is caught up with
        self._due = 0.0  # by the clock: when the next frame is shown
        self._over = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._go_on)

    @property
    def path(self) -> Path:
        """Of the recording."""
        return self._reader.path

    @property
    def position(self) -> float:
        """Seconds from the beginning to what is shown."""
        return self._at - self._began

    @property
    def skipped(self) -> int:
        """Lines that could not be read, so far."""
        return self._reader.skipped

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing

    @property
    def is_over(self) -> bool:
        """Whether the last frame was shown."""
        return self._over

    @property
    def speed(self) -> float:
        """1: as it was recorded."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Another one, from now on."""
        before, now = self._speed, self._clock()
        self._speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self._due = now + (self._due - now) * before / self._speed
        self._plan()
        self.moved.emit()

    def play(self) -> None:
        """Go on by itself; from the beginning, where it was over."""
        if self._over:
            self.seek(0.0)
        self._playing = True
        self._due = self._clock()
        self._plan()
        self.moved.emit()

    def pause(self) -> None:
        """Stand still."""
        self._playing = False
        if self._target is None:
            self._timer.stop()
        self.moved.emit()

    def seek(self, position: float) -> None:
        """Go to another moment, in seconds from the beginning.

        The minutes before it are gone through at once, a few milliseconds in a turn of the event
        loop, so that histories are what they were; what is older is left out where that is far.
        """
        target = self._began + min(max(position, 0.0), self.duration)
        far = target - SECONDS > self._at
        if target < self._at or far or self._over:
            self._reader.seek(self._reader.place_before(target - SECONDS))
            following = self._read()
            if following is None:
                return
            self._next, self._over = following, False
            self._at = self._next.at
            self.history = History()
            self.restarted.emit()
        self._target = target
        self._go_on()

    def whole(self) -> MonitorFrame:
        """What is shown, with the pools and the hardware."""
        return self._whole

    def stop(self) -> None:
        """Let go of the file; nothing comes after this."""
        self._timer.stop()
        self._playing, self._target = False, None
        self._reader.close()

    # --- inside --------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Show what is due; of what is caught up with, as much as a turn allows."""
        until = self._clock() + SLICE_S
        while not self._over and self._is_due():
            self._show()
            if self._clock() >= until:
                break
        if self._target is not None and (self._over or self._next.at > self._target):
            self._target = None
            self._due = self._clock() + self._wait()
        self.moved.emit()
        if self._over:
            self._playing = False
            self.ended.emit()
        self._plan()

    def _is_due(self) -> bool:
        if self._target is not None:
            return self._next.at <= self._target
        return self._playing and self._clock() >= self._due

    def _show(self) -> None:
        frame = self._next
        self._at = frame.at
        self._whole = _carried(self._whole, frame)
        self.history.take(frame)
        self.frame.emit(frame)
        following = self._read()
        if following is None:
            self._over = True
            return
        self._next = following
        if self._target is None:
            self._due += self._wait()

    def _read(self) -> MonitorFrame | None:
        """The next frame; None: that was the last, or the file can be read no more."""
        try:
            return next(self._reader, None)
        except OSError as error:
            log.warning("%s cannot be read any more: %s", self.path, error)
            return None

    def _wait(self) -> float:
        """Seconds from what is shown to what comes next."""
        return min(self._next.at - self._at, LONGEST_WAIT_S) / self._speed

    def _plan(self) -> None:
        if self._over:
            self._timer.stop()
        elif self._target is not None:
            self._timer.start(1)
        elif self._playing:
            self._timer.start(max(1, round((self._due - self._clock()) * 1000)))


def _carried(before: MonitorFrame, frame: MonitorFrame) -> MonitorFrame:
    """`frame` with what it has not, since that is not new."""
    pools = {engine.key: engine.kv for engine in before.engines}
    engines = tuple(
        engine
        if engine.kv is not None or engine.phase != "ready"
        else msgspec.structs.replace(engine, kv=pools.get(engine.key))
        for engine in frame.engines
    )
    hardware = frame.hardware if frame.hardware is not None else before.hardware
    return msgspec.structs.replace(frame, engines=engines, hardware=hardware)
