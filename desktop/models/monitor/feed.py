"""The monitor's frames: what the engines, the hardware and the chats say, four times a second.

Made when the panel is first opened, or when alerts are to be watched. While nobody looks it has
the engines tell nothing of their pools, and reads no hardware.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.models.monitor.engine_watch import SPARING_S, EngineWatch
from desktop.models.monitor.frames import MonitorFrame
from desktop.models.monitor.history import History
from desktop.models.monitor.owners import Owners

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool, EngineReading
    from desktop.engine_link.request_desk import Asked
    from desktop.hardware.readings import HardwareReading
    from desktop.hardware.sampler import HardwareSampler
    from desktop.models.monitor.recording import Recorder
    from desktop.models.monitor.replay import Replay
    from desktop.models.session.session_hub import SessionHub
    from engine.protocol import KvReport


class Rate(StrEnum):
    """How closely is looked."""

    PANEL = "panel"
    ALERTS = "alerts"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class _Pace:
    """Seconds between frames at least and at most, and between readings of the hardware."""

    least_ms: int
    most: float
    hardware: float


_PACES: Final = {
    Rate.PANEL: _Pace(250, 1.0, 0.25),
    Rate.ALERTS: _Pace(1000, 5.0, 5.0),
}
HOST_S: Final = 1.0  # between readings of a computer whose cores are the engine's
QUICK_S: Final = 0.25  # that the window may stand still for the end of a recording
PATIENT_S: Final = 3.0  # the same at the program's end


@dataclass(frozen=True, slots=True)
class RecordingState:
    """A recording under way, or how it ended.

    Attributes:
        seconds: since it began. bytes: of the file.
        problem: why it ended by itself, and what to do; "" while all is well.
    """

    path: Path
    is_running: bool
    seconds: float = 0.0
    bytes: int = 0
    problem: str = ""


class MonitorFeed(QObject):
    """See the module.

    Args:
        sampler_factory: makes the sampler of the hardware, when it is first needed.
        usual: the usual seconds of each stage of a load of a model (`LoadBook.usual`).
        clock: seconds, only forward.

    Signals:
        frame: a MonitorFrame of what is shown, live or replayed: at most four a second live,
            and one a second at least while the panel is open.
        live: a MonitorFrame of now, whatever is shown.
        restarted: what is shown begins anew (a replay began, jumped back, or ended): books and
            drawings of what was before are to be dropped, and `history` is another one.
        recording_changed: a RecordingState, once a second and when it begins or ends.
    """

    frame = Signal(object)
    live = Signal(object)
    restarted = Signal()
    recording_changed = Signal(object)

    def __init__(
        self,
        pool: EnginePool,
        hub: SessionHub,
        sampler_factory: Callable[[], HardwareSampler],
        parent: QObject | None = None,
        *,
        usual: Callable[[str], dict[str, float]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._pool = pool
        self._make_sampler = sampler_factory
        self._sampler: HardwareSampler | None = None
        self._usual = usual or (lambda _model: {})
        self._clock = clock
        self._began = clock()
        self._rate = Rate.OFF
        self._owners = Owners(hub)
        self._engines: dict[int, EngineWatch] = {}
        self._hardware: HardwareReading | None = None
        self._hardware_is_new = False
        self._is_new = True
        self._last_at = self._answered_at = float("-inf")
        self._history = History()
        self._recorder: Recorder | None = None
        self._recording_told = 0.0
        self._replay: Replay | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        for client in pool.clients():
            self._on_opened(client)
        pool.opened.connect(self._on_opened)
        pool.closed.connect(self._on_closed)
        pool.view_changed.connect(self._on_view)
        pool.telemetry.connect(self._on_telemetry)
        hub.chat_deleted.connect(self._on_chat_deleted)

    # --- what is shown -------------------------------------------------------------------

    @property
    def rate(self) -> Rate:
        """How closely is looked now."""
        return self._rate

    def set_rate(self, rate: str) -> None:
        """Look more or less closely: "panel", "alerts" or "off"."""
        wanted = Rate(rate)
        if wanted is self._rate:
            return
        was, self._rate = self._rate, wanted
        if Rate.PANEL in (was, wanted):
            for engine in self._engines.values():
                engine.client.watch(engine.watch_s if wanted is Rate.PANEL else 0)
            if self._replay is not None:
                self._replay.pause()  # nobody sees it, or sees it again
        self._pace_sampler()
        if wanted is Rate.OFF:
            self._timer.stop()
        else:
            self._is_new = True
            self._timer.start(_PACES[wanted].least_ms)

    @property
    def history(self) -> History:
        """Of what is shown."""
        return self._history if self._replay is None else self._replay.history

    def whole(self) -> MonitorFrame:
        """All that is shown now, with the pools and the hardware: for who begins to look."""
        if self._replay is not None:
            return self._replay.whole()
        return self._compose(whole=True)

    # --- recordings ----------------------------------------------------------------------

    def record(self, path: Path) -> str:
        """Keep the live frames in a file, replacing it; in words why that cannot be, else ""."""
        from desktop.models.monitor.recording import Recorder

        self.stop_recording()
        try:
            recorder = Recorder(path)
        except OSError as error:
            return self.tr("{path} cannot be written ({reason}). Choose another place.").format(
                path=path, reason=error.strerror or error
            )
        self._recorder = recorder
        self._recording_told = self._clock()
        recorder.write(self._compose(whole=True))
        self._tell_recording()
        return ""

    def stop_recording(self) -> None:
        """End the recording, if there is one; unless the disk is slow, all of it is in the file."""
        self._end_recording(QUICK_S)

    @property
    def recording(self) -> RecordingState | None:
        """The one under way."""
        return None if self._recorder is None else self._recorder.state()

    def replay(self, path: Path) -> Replay:
        """Show a recording in the place of what is live, until `show_live`.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is no recording; the text says so.
        """
        from desktop.models.monitor.replay import Replay

        replay = Replay(path, self)
        self._end_replay()
        self._replay = replay
        replay.frame.connect(self.frame)
        replay.restarted.connect(self.restarted)
        self.restarted.emit()
        replay.play()
        return replay

    def show_live(self) -> None:
        """Show what is live again; it was kept meanwhile."""
        if self._replay is not None:
            self._end_replay()
            self.restarted.emit()
            self.frame.emit(self._compose(whole=True))

    @property
    def replaying(self) -> Replay | None:
        """The recording that is shown."""
        return self._replay

    def stop(self) -> None:
        """Look no more, end the recording and let go of the hardware; for the end."""
        self.set_rate(Rate.OFF)
        self._end_recording(PATIENT_S)
        self._end_replay()
        if self._sampler is not None:
            self._sampler.stop()

    # --- what comes in -------------------------------------------------------------------

    def _on_opened(self, client: EngineClient) -> None:
        key = self._pool.key_of(client)
        engine = self._engines[key] = EngineWatch(key, client, self._usual, self._clock)
        client.kv_report.connect(lambda report: self._on_kv(key, report))
        if self._rate is Rate.PANEL:
            client.watch(engine.watch_s)
        engine.is_new = True

    def _on_closed(self, client: EngineClient) -> None:
        for key in [key for key, one in self._engines.items() if one.client is client]:
            del self._engines[key]
        self._is_new = True

    def _on_view(self, client: EngineClient) -> None:
        for engine in self._engines.values():
            if engine.client is client:
                engine.take_view()
                if engine.wants_kv and self._rate is Rate.PANEL:
                    client.watch(engine.watch_s)

    def _on_telemetry(self, reading: EngineReading) -> None:
        engine = self._engines.get(reading.key)
        if engine is not None:
            engine.take_telemetry(reading.telemetry)

    def _on_chat_deleted(self, chat_id: str, _title: str) -> None:
        self._owners.forget(chat_id, self._asked())

    def _on_kv(self, key: int, report: KvReport) -> None:
        engine = self._engines.get(key)
        if engine is not None and self._rate is Rate.PANEL:
            engine.take_kv(report)

    def _on_hardware(self, reading: HardwareReading) -> None:
        self._hardware, self._hardware_is_new = reading, True
        for engine in self._engines.values():
            engine.take_hardware(reading)
        self._pace_sampler()

    # --- what goes out -------------------------------------------------------------------

    def _tick(self) -> None:
        pace = _PACES[self._rate]
        is_new = (
            self._is_new
            or self._hardware_is_new
            or any(engine.is_new or engine.is_loading for engine in self._engines.values())
        )
        silence = self._clock() - self._last_at
        least = SPARING_S if self._is_sparing() else 0.0
        if silence < (least if is_new else max(least, pace.most)) - 0.01:
            return
        frame = self._compose()
        self._last_at = self._clock()
        self._history.take(frame)
        if self._recorder is not None:
            self._recorder.write(frame)
            self._look_after_recorder()
        self.live.emit(frame)
        if self._replay is None:
            self.frame.emit(frame)

    def _compose(self, *, whole: bool = False) -> MonitorFrame:
        frames = tuple(engine.frame(whole=whole) for engine in self._engines.values())
        reported = [key for engine in self._engines.values() for key in engine.reported()]
        hardware = self._hardware if whole or self._hardware_is_new else None
        if not whole:
            self._is_new = self._hardware_is_new = False
        return MonitorFrame(
            at=round(self._clock() - self._began, 4),  # as a recording keeps them
            clock=round(time.time(), 3),
            engines=frames,
            hardware=hardware,
            owners=self._owners.take(self._asked(), reported),
        )

    def _asked(self) -> dict[str, Asked]:
        """All requests that have not ended, whichever engine has them."""
        return {
            key: one
            for engine in self._engines.values()
            for key, one in engine.client.asked.items()
        }

    # --- inside --------------------------------------------------------------------------

    def _is_sparing(self) -> bool:
        """Whether what a frame takes is taken from answers, or was a moment ago."""
        engines = self._engines.values()
        if any(one.is_on_processor and one.is_answering for one in engines):
            self._answered_at = self._clock()
        if any(one.has_turned for one in engines):
            return False
        return self._clock() - self._answered_at < SPARING_S

    def _pace_sampler(self) -> None:
        """The hardware is read as often as is looked, and not at all for alerts without a GPU."""
        if self._rate is Rate.OFF:
            if self._sampler is not None:
                self._sampler.set_paused(True)
            return
        if self._sampler is None:
            self._sampler = self._make_sampler()
            self._sampler.setParent(self)
            self._sampler.reading.connect(self._on_hardware)
        without = self._hardware is not None and not self._hardware.gpus
        useless = without and self._rate is Rate.ALERTS
        shared = without or any(one.is_on_processor for one in self._engines.values())
        interval = max(_PACES[self._rate].hardware, HOST_S if shared else 0.0)
        if self._sampler.interval != interval:
            self._sampler.set_interval(interval)
        if self._sampler.is_paused != useless:
            self._sampler.set_paused(useless)
        if not useless:
            self._sampler.start()

    def _end_recording(self, seconds: float) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.close(seconds)
            self.recording_changed.emit(recorder.state())

    def _look_after_recorder(self) -> None:
        recorder = self._recorder
        if recorder is None:
            return
        if recorder.problem:
            self.stop_recording()
        elif self._clock() - self._recording_told >= 1:
            self._recording_told = self._clock()
            self._tell_recording()

    def _tell_recording(self) -> None:
        if self._recorder is not None:
            self.recording_changed.emit(self._recorder.state())

    def _end_replay(self) -> None:
        replay, self._replay = self._replay, None
        if replay is not None:
            replay.stop()
            replay.deleteLater()
