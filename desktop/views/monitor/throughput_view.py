"""How fast an engine answers: tokens, queue, latencies, prefix cache, and what is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop import theme
from desktop.hardware.planner_view import to_machine
from desktop.models.monitor.frames import EngineFrame
from desktop.models.monitor.model_shapes import ModelShapes
from desktop.models.monitor.plot_columns import nice_top
from desktop.models.monitor.roofline import Roofline, Unknown, batch_of, roofline
from desktop.views.monitor import card_words as words
from desktop.views.monitor import throughput_words
from desktop.views.monitor.card_parts import CursorGroup, Note
from desktop.views.monitor.even_grid import EvenGrid
from desktop.views.monitor.meter import Meter
from desktop.views.monitor.plot import Line, Plot
from engine.planner.machine import Host, Machine

if TYPE_CHECKING:
    from desktop.hardware.readings import HardwareReading
    from desktop.models.monitor.history import History
    from engine.protocol import KvReport, Loaded, Telemetry

LEAST_TPS: Final = 10.0  # the least end of the scale
LEAST_S: Final = 0.1
LEAST_REQUESTS: Final = 4.0


class ThroughputView(QWidget):
    """See the module.

    Args:
        shapes: how models are built; its own where none is given.
    """

    def __init__(self, parent: QWidget | None = None, *, shapes: ModelShapes | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._shapes = shapes or ModelShapes(self)
        self._reports: dict[int, KvReport] = {}
        self._loads: dict[int, Loaded] = {}
        self._machine = Machine((), Host(0, 0))
        self._last: tuple[EngineFrame, History] | None = None
        halves = (Line("p50"), Line("p90", "cool"))
        self._generation = Plot(
            self.tr("Answers"),
            words.speed_text,
            about=self.tr("Tokens written, of all chats together."),
        )
        self._prompts = Plot(
            self.tr("Prompts"),
            words.speed_text,
            about=self.tr("Tokens of prompts read, without those found in the prefix cache."),
        )
        self._requests = Plot(
            self.tr("Requests"),
            words.count_text,
            (Line(self.tr("running")), Line(self.tr("waiting"), "cool")),
            about=self.tr("Answers that are being written, and those that wait for a place."),
        )
        self._ttft = Plot(
            self.tr("First token"),
            words.latency_text,
            halves,
            about=self.tr("From the question to the first token: half, and 90 %, are faster."),
        )
        self._itl = Plot(
            self.tr("Next token"),
            words.latency_text,
            halves,
            about=self.tr("From one token of an answer to its next: half, and 90 %, are faster."),
        )
        self._prefix = Plot(
            self.tr("Prefix hits"),
            words.share_text,
            about=self.tr("Of the prompts' tokens of the last minute, those found in the cache."),
        )
        self._preempted = Plot(
            self.tr("Preempted"),
            words.count_text,
            about=self.tr("Answers sent back to the queue for want of room, since the load."),
        )
        self.plots = (
            self._generation,
            self._prompts,
            self._requests,
            self._preempted,
            self._ttft,
            self._itl,
            self._prefix,
        )
        self._meter = Meter(self.tr("Of what the memory's bandwidth allows"))
        self._state = Note()
        grid = QWidget()
        layout = EvenGrid(grid, space.m, space.s)
        for plot in self.plots:
            layout.addWidget(plot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        column.addWidget(self._state)
        column.addWidget(self._meter)
        column.addWidget(grid)
        self._cursors = CursorGroup(self)
        self._cursors.add(self.plots)
        self._shapes.changed.connect(self._again)

    def show_engine(
        self, frame: EngineFrame, history: History, hardware: HardwareReading | None = None
    ) -> None:
        """Show an engine's readings.

        Args:
            hardware: of this moment, or None: as it was told last.
        """
        if hardware is not None:
            self._machine = to_machine(hardware)
        self.show_on(frame, history, self._machine)

    def show_on(self, frame: EngineFrame, history: History, machine: Machine) -> None:
        """As `show_engine`, with the machine as the planner sees it."""
        self._machine = machine
        self._last = frame, history
        loaded, key = frame.loaded, frame.key
        if loaded is not self._loads.get(key):
            if loaded is None or loaded != self._loads.get(key):
                self._reports.pop(key, None)
                self._shapes.forget(frame.model)
            if loaded is None:
                self._loads.pop(key, None)
            else:
                self._loads[key] = loaded
        if frame.kv is not None:
            self._reports[key] = frame.kv
        reading = frame.telemetry
        self._state.say("" if loaded is not None and reading is not None else self._why(frame))
        limit = self._roofline(frame)
        self._show_plots(frame, history, limit)
        rate = _shown(history, f"engine{key}.generation_tps", reading, "generation_tps")
        share = limit.share(rate) if rate is not None else None
        self._meter.setVisible(loaded is not None)
        self._meter.show_share(
            share,
            throughput_words.limit_text(limit, share, rate),
            throughput_words.limit_tip(limit),
        )

    def _again(self) -> None:
        if self._last is not None:
            self.show_on(*self._last, self._machine)

    def _why(self, frame: EngineFrame) -> str:
        if frame.phase == "sleeping":
            return self.tr("The model sleeps: its weights are in RAM.")
        if frame.load is not None:
            return self.tr("The model is being loaded.")
        if frame.loaded is not None:
            return self.tr("The engine has not told anything yet.")
        return self.tr("No model is loaded.")

    def _roofline(self, frame: EngineFrame) -> Roofline:
        loaded, reading = frame.loaded, frame.telemetry
        if loaded is None or reading is None:
            return Roofline(unknown=Unknown.NO_MODEL)
        report = self._reports.get(frame.key)
        chats, context = batch_of(reading, report, loaded.block_size)
        shape = self._shapes.shape_of(loaded.model or frame.model)
        return roofline(shape, loaded, self._machine, chats=chats, context=context)

    def _show_plots(self, frame: EngineFrame, history: History, limit: Roofline) -> None:
        def top_of(plot: Plot, least: float, *fields: str) -> float:
            names = (f"engine{frame.key}.{field}" for field in fields)
            return nice_top(max(least, plot.most_of([history.series(name) for name in names])))

        top = top_of(self._generation, LEAST_TPS, "generation_tps")
        self._show_one(
            self._generation,
            frame,
            history,
            "generation_tps",
            top=nice_top(max(top, limit.tps)) if limit.tps and limit.tps <= 4 * top else top,
            limit=limit.tps,
        )
        for plot, least, fields in (
            (self._prompts, LEAST_TPS, ("prompt_tps",)),
            (self._requests, LEAST_REQUESTS, ("running", "waiting")),
            (self._preempted, LEAST_REQUESTS, ("preempted",)),
            (self._ttft, LEAST_S, ("ttft_p50", "ttft_p90")),
            (self._itl, LEAST_S, ("itl_p50", "itl_p90")),
        ):
            self._show_one(plot, frame, history, *fields, top=top_of(plot, least, *fields))
        self._show_one(self._prefix, frame, history, "prefix_hit_rate", top=1.0)

    def _show_one(
        self,
        plot: Plot,
        frame: EngineFrame,
        history: History,
        *fields: str,
        top: float,
        limit: float | None = None,
    ) -> None:
        names = [f"engine{frame.key}.{field}" for field in fields]
        values = [
            _shown(history, name, frame.telemetry, field)
            for name, field in zip(names, fields, strict=True)
        ]
        missing = ""
        if values[0] is None:
            missing = throughput_words.nothing_yet(fields[0], is_loaded=frame.loaded is not None)
        plot.show_series(
            [history.series(name) for name in names],
            history.now,
            values,
            top=top,
            limit=limit,
            missing=missing,
        )


def _shown(history: History, name: str, reading: Telemetry | None, field: str) -> float | None:
    """The value now, or where the history is paused the last of it."""
    if history.is_paused:
        return history.latest(name)
    value: float | None = getattr(reading, field, None)
    return value
