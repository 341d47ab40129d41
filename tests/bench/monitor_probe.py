"""The window with its monitor under load, in a process of its own: prints one JSON line.

    python -m tests.bench.monitor_probe real MODEL   throughput of the real engine
    python -m tests.bench.monitor_probe panel        the panel's own cost, scripted engine

The hardware is what NVML says: for two GPUs run it beside the stub (tests/helpers/nvml_stub.py).
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop import paths, theme
from desktop import settings as settings_file
from desktop.app import Inglenook, Options
from desktop.engine_link.engine_state import Phase
from desktop.session import Session
from desktop.views.monitor.monitor_panel import MonitorPanel
from engine.protocol import ChatMessage, Generate, Sampling, TokenBatch
from tests.bench.ui_meter import percentile, run_for, wait_for

SIZE: Final = (1600, 2600)  # all of the panel is in view at once, as on a screen on its side
# The real engine.
REAL_STREAMS: Final = 16
SEGMENTS: Final = 8
SLICES: Final = 12  # of a segment, each with the panel open or closed
SETTLE_S: Final = 0.7  # a panel is opened once, and looked at for long
SLICE_S: Final = 1.5  # short: what else the machine does comes and goes within seconds
# The scripted one.
STREAMS: Final = 32
RATE: Final = 40  # tokens/s of each
BLOCKS: Final = 10_000
ROUND_S: Final = 5.0
ROUNDS: Final = 6  # closed and open, each
FRAMES_S: Final = 12.0
WARM_UP_S: Final = 4.0
SCRIPT: Final = (
    f"tokens_per_second={RATE} max_running=64 load_seconds=0.05 context=32768 "
    f"kv_blocks={BLOCKS} gpus=2"
)


class TimedApplication(QApplication):
    """Times what it delivers while `is_timing`: each turn of the event loop, and who had it."""

    def __init__(self) -> None:
        super().__init__([])
        self.is_timing = False
        self.turns: list[tuple[float, float, str]] = []  # thread's ms, ms by the clock, whose
        self._depth = 0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        """Deliver an event."""
        if not self.is_timing or self._depth:
            return bool(super().notify(receiver, event))
        self._depth += 1
        thread, clock = time.thread_time(), time.perf_counter()
        try:
            return bool(super().notify(receiver, event))
        finally:
            spent = 1e3 * (time.thread_time() - thread)
            passed = 1e3 * (time.perf_counter() - clock)
            self._depth -= 1
            if spent > 1:
                self.turns.append((spent, passed, f"{event.type().name} {_path_of(receiver)}"))


def _path_of(receiver: QObject) -> str:
    names: list[str] = []
    one: QObject | None = receiver
    while one is not None and len(names) < 4:
        names.append(type(one).__name__)
        one = one.parent()
    return "<".join(names)


class Program:
    """The program as it starts, and its monitor."""

    def __init__(self, application: QApplication, options: Options) -> None:
        folders = paths.find()
        folders.prepare()
        settings, _ = settings_file.load(folders.settings)
        theme.apply(application, "light", settings.font_size)
        self.app = Inglenook(application, folders, options, settings, Session())
        self.window = self.app.window
        self.window.resize(*SIZE)
        self.window.show()
        wait_for(lambda: self.app.client.view.phase is Phase.READY, 240)
        wait_for(lambda: self.app.monitor is not None and self.window.area.count() > 0)

    def show_panel(self, shown: bool) -> MonitorPanel | None:
        """Open or close the monitor, and wait until that is done."""
        monitor = self.app.monitor
        assert monitor is not None
        if monitor.is_open != shown:
            self.window.actions_by_name["toggle_monitor"].trigger()
        panel = monitor.panel
        if shown:
            assert panel is not None
            wait_for(lambda: panel.shown.hardware is not None)
        return panel

    def close(self) -> None:
        """End it."""
        self.window.close()
        self.app.close()


class Streams:
    """Requests to the engine that go on until they are stopped, and their tokens."""

    def __init__(self, program: Program) -> None:
        self._client = program.app.client
        self._client.token_batch.connect(self._take)
        self._segment = self._finished = 0
        self._keys: list[str] = []
        self.tokens = 0
        self._came: list[tuple[float, int]] = []  # when, and how many there were then

    def _take(self, batch: TokenBatch) -> None:
        for update in batch.updates:
            self.tokens += update.tokens
            self._finished += update.finish is not None
        self._came.append((time.perf_counter(), self.tokens))

    def start(self) -> None:
        """Begin, and wait until all of them write."""
        self._segment += 1
        self._finished = self.tokens = 0
        sampling = Sampling(temperature=0.0, max_tokens=4000, ignore_eos=True)
        self._keys = [f"measure-{self._segment}-{index}" for index in range(REAL_STREAMS)]
        for index, key in enumerate(self._keys):
            text = f"Segment {self._segment}: tell me fact {index} about rain, bridges and bread."
            self._client.generate(Generate(key, (ChatMessage("user", text),), sampling))
        wait_for(lambda: self.tokens > 4 * REAL_STREAMS, 60)

    def rate(self) -> float:
        """Tokens/s of a slice, from the first that come in it to the last: they come in steps."""
        self._came.clear()
        run_for(SLICE_S)
        assert self._finished == 0
        (began, before), (ended, after) = self._came[0], self._came[-1]
        return (after - before) / (ended - began)

    def stop(self) -> None:
        """End them."""
        for key in self._keys:
            self._client.cancel(key)
        wait_for(lambda: self._finished == REAL_STREAMS, 60)


def real(application: QApplication, model: str) -> dict[str, object]:
    """The engine's throughput with the panel open against closed."""
    program = Program(application, Options(model, "vllm", ""))
    streams = Streams(program)
    rates: dict[bool, list[float]] = {False: [], True: []}
    for segment in range(SEGMENTS + 1):
        streams.start()
        for number in range(SLICES):
            # Open, closed, closed, open: what slows the engine down with time meets both.
            is_open = number % 4 in (0, 3)
            program.show_panel(is_open)
            run_for(SETTLE_S)
            rate = streams.rate()
            if segment:  # the first is to warm up
                rates[is_open].append(rate)
        streams.stop()
    program.close()
    ratios = [now / before for now, before in zip(rates[True], rates[False], strict=True)]
    total = statistics.fmean(rates[True]) / statistics.fmean(rates[False])
    return {
        "throughput_ratio": round(total, 4),
        "median_ratio": round(statistics.median(ratios), 4),
        # Of the figure above: how far chance alone may carry it.
        "standard_error": round(statistics.stdev(ratios) / len(ratios) ** 0.5, 4),
        "closed_tps": round(statistics.median(rates[False]), 1),
        "open_tps": round(statistics.median(rates[True]), 1),
        "pairs": len(ratios),
    }


def busy_percent(seconds: float) -> float:
    """Of a core, what this process takes while it runs for so long."""
    clock, used = time.perf_counter(), time.process_time()
    run_for(seconds)
    return 100 * (time.process_time() - used) / (time.perf_counter() - clock)


def panel_cost(application: TimedApplication) -> dict[str, object]:
    """What the panel takes of a core, and its longest turn of the event loop."""
    program = Program(application, Options(str(paths.find().data), "scripted", SCRIPT))
    window = program.window
    seconds = 2 * ROUNDS * (ROUND_S + 1) + FRAMES_S * 2 + WARM_UP_S + 60
    for number in range(STREAMS):
        if number:
            window.actions_by_name["new_chat"].trigger()
            wait_for(lambda n=number: window.area.count() == n + 1)  # type: ignore[misc]
        tab = window.area.current_tab()
        assert tab is not None
        wait_for(lambda t=tab: bool(t.session.chat_id))  # type: ignore[misc]
        assert tab.session.send(f"/long {round(seconds * RATE)} /rate {RATE}")
    panel = program.show_panel(True)
    assert panel is not None
    run_for(WARM_UP_S)
    cpu: dict[bool, list[float]] = {False: [], True: []}
    for number in range(ROUNDS):
        for is_open in (False, True) if number % 2 else (True, False):
            program.show_panel(is_open)
            run_for(1.0)
            cpu[is_open].append(busy_percent(ROUND_S))
    # A chat that rests is in front: what is drawn now, with 32 others streaming, is the panel.
    window.actions_by_name["new_chat"].trigger()
    wait_for(lambda: window.area.count() == STREAMS + 1)
    turns: dict[bool, list[tuple[float, float, str]]] = {}
    for is_open in (False, True):
        program.show_panel(is_open)
        run_for(1.0)
        application.turns.clear()
        application.is_timing = True
        run_for(FRAMES_S)
        application.is_timing = False
        turns[is_open] = list(application.turns)
    picture = panel.shown.picture(1)
    shown = (
        picture is not None
        and picture.total == BLOCKS
        and len(panel.hardware.gpu_cards()) == 2
        and sum(bool(row.owner.requests) for row in panel.shown.rows(1)) == STREAMS
        and all(not section.body.visibleRegion().isEmpty() for section in panel.sections.values())
    )
    program.close()
    more = [now - before for now, before in zip(cpu[True], cpu[False], strict=True)]
    spent = sorted((one for one in turns[True]), reverse=True)
    return {
        "cpu_percent_more": round(statistics.median(more), 2),
        "closed_cpu_percent": round(statistics.median(cpu[False]), 1),
        "open_cpu_percent": round(statistics.median(cpu[True]), 1),
        "longest_frame_ms": round(spent[0][0], 1) if spent else 0.0,
        "longest_frame": spent[0][2] if spent else "",
        "longest_frames": [(round(one[0], 1), one[2]) for one in spent[:5]],
        "longest_frame_by_the_clock_ms": round(max((one[1] for one in spent), default=0.0), 1),
        "frame_p99_ms": round(percentile([one[0] for one in spent], 0.99), 1),
        "longest_frame_closed_ms": round(max((one[0] for one in turns[False]), default=0.0), 1),
        "streams": STREAMS,
        "blocks": BLOCKS,
        "all_is_shown": shown,
    }


def main() -> int:
    """Run one part."""
    application = TimedApplication()
    match sys.argv[1:]:
        case ["real", model]:
            figures = real(application, model)
        case _:
            figures = panel_cost(application)
    print(json.dumps(figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
