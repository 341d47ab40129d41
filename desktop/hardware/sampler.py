"""Readings of the hardware as a signal, from a thread of their own.

Nothing of NVML, psutil or this package's readers is imported before the thread runs, and the
thread is started after the window is painted. A call into the driver can hang for seconds, or
for good; the window never waits for one: `stop` leaves a thread that hangs to itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from desktop.hardware.readings import HardwareReading

log = logging.getLogger(__name__)

INTERVAL_S: Final = 1.0
STOP_S: Final = 0.1


class Source(Protocol):
    """Where readings come from; used in one thread."""

    def read(self) -> HardwareReading:
        """The hardware now."""

    def close(self) -> None:
        """Let go of the driver; `read` takes hold of it again."""


class HardwareSampler(QObject):
    """Reads the hardware every `interval` seconds once started.

    Signals:
        reading: a HardwareReading, in the thread that this object lives in. When that thread
            is busy, it gets the newest one and not those in between.
    """

    reading = Signal(object)
    _arrived = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        interval: float = INTERVAL_S,
        source: Callable[[], Source] | None = None,
    ) -> None:
        """Does nothing yet.

        Args:
            interval: seconds from the start of one reading to that of the next.
            source: makes what reads, in the thread; by default NVML and the host.
        """
        super().__init__(parent)
        self._interval = interval
        self._source = source or _real_source
        self._paused = False
        self._worker: _Worker | None = None
        self._last: HardwareReading | None = None
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def last(self) -> HardwareReading | None:
        """The newest reading that was delivered."""
        return self._last

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped; also while it is paused."""
        return self._worker is not None

    @property
    def interval(self) -> float:
        """Seconds between readings."""
        return self._interval

    def set_interval(self, seconds: float) -> None:
        """Read more or less often, from now on."""
        self._interval = seconds
        if self._worker is not None:
            self._worker.order(interval=seconds)

    @property
    def is_paused(self) -> bool:
        """Whether it waits for `set_paused(False)`."""
        return self._paused

    def set_paused(self, paused: bool) -> None:
        """Stop reading for a while, and let go of the driver, so that a GPU can sleep."""
        self._paused = paused
        if self._worker is not None:
            self._worker.order(paused=paused)

    def start(self) -> None:
        """Begin to read; the first reading comes at once. Does nothing when started."""
        if self._worker is None:
            self._worker = _Worker(self, self._source, self._interval, self._paused)
            self._worker.start()

    def read_soon(self) -> None:
        """Read now and not when it is time; for a plan, or after a load."""
        if self._worker is not None:
            self._worker.order(at_once=True)

    def stop(self) -> None:
        """End the thread; no `reading` comes after this. Takes 100 ms at most."""
        worker, self._worker = self._worker, None
        if worker is not None and not worker.stop(STOP_S):
            log.warning("The NVIDIA driver does not answer; its thread is left to itself")

    def announce(self) -> None:
        """For the thread: there is a new reading."""
        self._arrived.emit()

    def _deliver(self) -> None:
        reading = None if self._worker is None else self._worker.take()
        if reading is not None:
            self._last = reading
            self.reading.emit(reading)


class _Worker:
    """The thread's side. It must not own the sampler: that ends in the GUI's thread."""

    def __init__(
        self,
        sampler: HardwareSampler,
        source: Callable[[], Source],
        interval: float,
        paused: bool,
    ) -> None:
        self._sampler: HardwareSampler | None = sampler
        self._make_source = source
        self._interval = interval
        self._paused = paused
        self._at_once = False
        self._newest: HardwareReading | None = None
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="hardware-sampler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def order(
        self,
        *,
        interval: float | None = None,
        paused: bool | None = None,
        at_once: bool = False,
    ) -> None:
        """Tell the thread what is different from now on."""
        with self._change:
            self._interval = self._interval if interval is None else interval
            self._paused = self._paused if paused is None else paused
            self._at_once = self._at_once or at_once
            self._change.notify()

    def stop(self, seconds: float) -> bool:
        """Let go of the sampler and end; whether the thread did so in time."""
        with self._change:
            self._sampler = None
            self._newest = None
            self._change.notify()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def take(self) -> HardwareReading | None:
        """The newest reading, once."""
        with self._change:
            newest, self._newest = self._newest, None
        return newest

    def _run(self) -> None:
        source: Source | None = None
        complained = False
        started = float("-inf")
        try:
            while self._wait_for_turn(started, idle=source is None):
                if self._paused:
                    if source is not None:
                        source.close()
                        source = None
                    continue
                started = time.monotonic()
                try:
                    source = source or self._make_source()
                    self._hand_over(source.read())
                except Exception:  # a fault of ours must not end the readings, nor fill the log
                    log.log(
                        logging.DEBUG if complained else logging.ERROR,
                        "The hardware could not be read",
                        exc_info=True,
                    )
                    complained = True
        finally:
            if source is not None:
                source.close()

    def _wait_for_turn(self, started: float, *, idle: bool) -> bool:
        """Wait until something is to be done; False when it is to end.

        Args:
            started: when the last reading began.
            idle: nothing is open that a pause would have to close.
        """
        with self._change:
            while self._sampler is not None:
                if self._paused:
                    if not idle:
                        return True
                    self._change.wait()
                    continue
                left = 0.0 if self._at_once else started + self._interval - time.monotonic()
                if left <= 0:
                    self._at_once = False
                    return True
                self._change.wait(left)
            return False

    def _hand_over(self, reading: HardwareReading) -> None:
        with self._change:
            waiting = self._newest is not None
            if self._sampler is None:
                return
            if not shiboken6.isValid(self._sampler):  # gone with its parent
                self._sampler = None
                return
            self._newest = reading
            if not waiting:
                self._sampler.announce()


def _real_source() -> Source:
    from desktop.hardware.host import HostReader
    from desktop.hardware.nvml import NvmlReader

    class Everything:
        def __init__(self) -> None:
            self._gpus = NvmlReader()
            self._host = HostReader()

        def read(self) -> HardwareReading:
            return self._gpus.read(self._host)

        def close(self) -> None:
            self._gpus.close()

    return Everything()
