"""What a window is like to use while it works: measured from inside its process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from tests.helpers.withheld import withheld

TICK_MS: Final = 4
KEY_MS: Final = 120  # a quick typist
WORDS: Final = "the quick brown fox jumps over the lazy dog "


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` (0 to 1) of `values` lie; nan without any."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Run the event loop until `condition()` holds.

    Raises:
        TimeoutError: it did not within `seconds`.
    """
    end = time.monotonic() + seconds
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > end else None)
    timer.start(5)
    if not condition():
        loop.exec()
    if not condition():
        raise TimeoutError("the window did not get there in time")


def run_for(seconds: float) -> None:
    """Run the event loop for so long."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


class FirstPaint(QObject):
    """The moment at which a widget's next paint was flushed, by `time.perf_counter`.

    Attributes:
        at: the moment; None before it.
        withheld: what `tests.helpers.withheld` said then.
    """

    _seen = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.at: float | None = None
        self.withheld = 0.0
        self._widget = widget
        # Queued: what waits in the loop behind the paint runs after it.
        self._seen.connect(self._note, Qt.ConnectionType.QueuedConnection)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Wait for the paint event, let everything pass."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._seen.emit()
        return False

    def _note(self) -> None:
        self.at, self.withheld = time.perf_counter(), withheld()


class Lag(QObject):
    """How late the event loop comes to what waits for it, in ms.

    A tick falls due every `TICK_MS`. While the loop is held up all ticks that fall due count,
    each with its own wait: one long stall is not one sample among many short ones.
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: list[float] = []
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0

    def start(self) -> None:
        """Begin to measure."""
        self._last = time.perf_counter()
        self._timer.start(TICK_MS)

    def stop(self) -> None:
        """End."""
        self._timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        late = (now - self._last) * 1e3 - TICK_MS
        self._last = now
        self.values.append(max(0.0, late))
        while (late := late - TICK_MS) > 0:
            self.values.append(late)


class Typist(QObject):
    """Types into an editor; the time from each key to its paint, in ms."""

    _painted = Signal()

    def __init__(self, editor: QPlainTextEdit | QTextEdit) -> None:
        super().__init__()
        self.values: list[float] = []
        self.missed = 0  # keys whose paint had not come when the next was due
        self._editor = editor
        self._viewport = editor.viewport()
        self._posted: float | None = None
        self._handled = False
        self._index = 0
        self._painted.connect(self._note, Qt.ConnectionType.QueuedConnection)
        editor.installEventFilter(self)
        self._viewport.installEventFilter(self)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._type)

    def start(self) -> None:
        """Begin to type."""
        self._timer.start(KEY_MS)

    def stop(self) -> None:
        """End."""
        self._timer.stop()

    def _type(self) -> None:
        if self._posted is not None:
            self.missed += 1
            self.values.append((time.perf_counter() - self._posted) * 1e3)
        sign = WORDS[self._index % len(WORDS)]
        self._index += 1
        self._handled = False
        self._posted = time.perf_counter()
        key = Qt.Key.Key_Space if sign == " " else Qt.Key(ord(sign.upper()))
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, sign)
            QCoreApplication.postEvent(self._editor, event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Watch for the key, then for the paint after it."""
        if watched is self._editor:
            if event.type() == QEvent.Type.KeyPress:
                self._handled = True
        elif event.type() == QEvent.Type.Paint and self._handled and self._posted is not None:
            self._painted.emit()
        return False

    def _note(self) -> None:
        if self._posted is not None and self._handled:
            self.values.append((time.perf_counter() - self._posted) * 1e3)
            self._posted = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One span of measuring. Times in ms, memory in MB."""

    lag_p99: float
    lag_max: float
    key_p50: float
    key_p95: float
    keys: int
    keys_missed: int
    cpu_percent: float  # of one core
    memory_first: float
    memory_last: float
    memory_growth: float  # of the last third's median over the first third's


def measure(editor: QPlainTextEdit | QTextEdit, seconds: float) -> Reading:
    """Type for `seconds` and watch how the window bears up."""
    process = psutil.Process()
    lag, typist = Lag(), Typist(editor)
    memory: list[float] = []
    sampler = QTimer()
    sampler.timeout.connect(lambda: memory.append(process.memory_info().rss / 1e6))
    sampler.start(500)
    before = process.cpu_times()
    began = time.perf_counter()
    lag.start()
    typist.start()
    run_for(seconds)
    typist.stop()
    lag.stop()
    sampler.stop()
    after = process.cpu_times()
    spent = (after.user + after.system) - (before.user + before.system)
    third = max(1, len(memory) // 3)
    first, last = statistics.median(memory[:third]), statistics.median(memory[-third:])
    return Reading(
        lag_p99=round(percentile(lag.values, 0.99), 2),
        lag_max=round(max(lag.values, default=float("nan")), 2),
        key_p50=round(percentile(typist.values, 0.5), 2),
        key_p95=round(percentile(typist.values, 0.95), 2),
        keys=len(typist.values),
        keys_missed=typist.missed,
        cpu_percent=round(100 * spent / (time.perf_counter() - began), 1),
        memory_first=round(first, 1),
        memory_last=round(last, 1),
        memory_growth=round(last - first, 1),
    )
