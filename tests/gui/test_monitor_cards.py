"""The monitor's cards, throughput and timeline: what they say and show, and that it is cheap."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.hardware.readings import (
    Driver,
    DriverState,
    GpuProcess,
    GpuReading,
    HardwareReading,
    HostReading,
    Missing,
    NvLink,
    PcieLink,
    Throttle,
)
from desktop.models.monitor.frames import EngineFrame, LoadFrame, MonitorFrame
from desktop.models.monitor.history import History
from desktop.models.monitor.memory_split import Part, Segment, split_gpu, split_host
from desktop.models.monitor.model_shapes import ModelShapes
from desktop.models.monitor.plot_columns import Columns
from desktop.views.monitor.even_grid import EvenGrid
from desktop.views.monitor.gpu_card import GpuCard
from desktop.views.monitor.host_card import HostCard
from desktop.views.monitor.memory_strip import LOOKS, MemoryStrip
from desktop.views.monitor.meter import Meter
from desktop.views.monitor.plot import Line, Plot
from desktop.views.monitor.plot_image import PlotImage
from desktop.views.monitor.throughput_view import ThroughputView
from desktop.views.monitor.timeline_view import StageBar, TimelineView
from engine.planner.shape import ModelShape, ShapeError, read_shape
from engine.protocol import DeviceMemory, Loaded, Telemetry
from tests.helpers import nvml_stub

GIB = 1024**3
NAN = math.nan
WAIT_MS = 10_000
OK = DriverState(Driver.OK)
HOST = HostReading(32 * GIB, 20 * GIB, 0, 0, 8, 16, cpu_name="Ryzen 7", load=25.0)
GPU = GpuReading(
    0,
    "GPU-0",
    "NVIDIA GeForce RTX 3090",
    (8, 6),
    "00000000:01:00.0",
    24 * GIB,
    12 * GIB,
    0,
    936e9,
    (GpuProcess(7, "warzone", 2 * GIB), GpuProcess(42, "python", 10 * GIB)),
    utilisation=97,
    power=341.0,
    power_limit=350.0,
    temperature=71,
    temperature_limit=93,
    clock_sm=1695,
    clock_sm_max=2100,
    throttle=(),
    pcie=PcieLink(3, 8, 4, 16),
    pcie_rx=512 * 1024**2,
    pcie_tx=1024**2,
)


def loaded(model: str = "/models/llama", device: int = 0) -> Loaded:
    name = "CPU" if device < 0 else "NVIDIA GeForce RTX 3090"
    memory = (DeviceMemory(device, name, 24 * GIB, 5 * GIB, 4 * GIB),)
    return Loaded(1, model, 8192, 1000, 16, 64, "float16", name, 4 * GIB, 9.0, memory=memory)


def telemetry(**fields: object) -> Telemetry:
    given = {
        "running": 1,
        "waiting": 0,
        "kv_used": 0,
        "kv_total": 1000,
        "generation_tps": 100.0,
        "prompt_tps": 2500.0,
        "kv_cached": 250,
        "preempted": 3,
        "prefix_hit_rate": 0.62,
        "ttft_p50": 0.12,
        "ttft_p90": 1.25,
        "itl_p50": 0.021,
        "itl_p90": 0.048,
    }
    return Telemetry(**(given | fields))  # type: ignore[arg-type]


def engine(**fields: object) -> EngineFrame:
    given = {
        "key": 1,
        "model": "/models/llama",
        "phase": "ready",
        "loaded": loaded(),
        "telemetry": telemetry(),
        "pids": (42,),
    }
    return EngineFrame(**(given | fields))  # type: ignore[arg-type]


def history_of(*readings: HardwareReading, engines: tuple[EngineFrame, ...] = ()) -> History:
    """A second for each."""
    history = History()
    for second, reading in enumerate(readings):
        history.take(MonitorFrame(float(second), 0.0, engines, reading))
    return history


def seen(*gpus: GpuReading) -> HardwareReading:
    return HardwareReading(OK, gpus, HOST)


def shown_card(qtbot: QtBot, gpu: GpuReading, *engines: EngineFrame) -> GpuCard:
    card = GpuCard()
    qtbot.addWidget(card)
    card.show_gpu(gpu, split_gpu(gpu, engines), history_of(seen(gpu), engines=engines))
    return card


def said(widget: QWidget) -> list[str]:
    """What a screen reader finds in a widget."""
    parts = [part for part in widget.findChildren(QWidget) if not part.isHidden()]
    return [part.accessibleName() for part in (widget, *parts) if part.accessibleName()]


def about(widget: QWidget, title: str) -> QWidget:
    return next(
        part
        for part in widget.findChildren(QWidget)
        if part.accessibleName().startswith(f"{title}: ")
    )


def darkest(image: QImage) -> int:
    return min(
        image.pixelColor(x, y).lightness()
        for x in range(image.width())
        for y in range(image.height())
    )


# --- a GPU -----------------------------------------------------------------------------------


def test_a_gpu_says_all_of_it(qtbot: QtBot) -> None:
    words = said(shown_card(qtbot, GPU, engine()))
    assert words[0] == "GPU 0 · GeForce RTX 3090, PCIe 3.0 ×8 of 4.0 ×16"
    for expected in (
        "Utilisation: 97 %",
        "Memory: 12.0 GiB",
        "Power: 341 W",
        "Temperature: 71 °C",
        "Clock: 1,695 MHz",
        "PCIe: in 512 MiB/s, out 1 MiB/s",
        "Memory of 24.0 GiB: Weights 5.0 GiB, KV cached 1.0 GiB, KV free 3.0 GiB, "
        "Working memory 1.0 GiB, warzone 2.0 GiB, Free 12.0 GiB",
    ):
        assert expected in words


def test_what_holds_it_back_is_said_in_words(qtbot: QtBot) -> None:
    gpu = replace(GPU, throttle=(Throttle.POWER_CAP, Throttle.SOFTWARE_THERMAL))
    assert "▲ Held back: power limit, too hot (driver)" in said(shown_card(qtbot, gpu))
    harmless = replace(GPU, throttle=(Throttle.APPLICATION_CLOCKS,))
    assert "Held back: clocks set by a program" in said(shown_card(qtbot, harmless))
    assert not any("Held back" in text for text in said(shown_card(qtbot, GPU)))


def test_a_missing_reading_says_why(qtbot: QtBot) -> None:
    gpu = replace(GPU, power=None, pcie_rx=None, pcie_tx=None)
    gpu = replace(gpu, missing={"power": Missing.NOT_SUPPORTED, "pcie_rx": Missing.WSL})
    card = shown_card(qtbot, gpu)
    power = about(card, "Power")
    assert power.accessibleName() == "Power: not available"
    assert power.toolTip() == "This GPU does not report it."
    assert power.accessibleDescription() == "This GPU does not report it."
    assert about(card, "PCIe").toolTip() == "Windows does not pass it on to WSL."


def test_programs_that_are_not_told_are_not_made_up(qtbot: QtBot) -> None:
    gpu = replace(GPU, processes=None, missing={"processes": Missing.WSL})
    card = shown_card(qtbot, gpu)
    assert "Memory of 24.0 GiB: Unnamed 12.0 GiB, Free 12.0 GiB" in said(card)
    assert any("Which programs use its memory is not told." in text for text in said(card))


def test_a_lost_gpu_keeps_its_history_and_comes_back(qtbot: QtBot) -> None:
    lost = GpuReading(-1, "GPU-0", GPU.name, lost=True, missing={"power": Missing.LOST})
    history = history_of(seen(GPU), seen(lost))
    card = GpuCard()
    qtbot.addWidget(card)
    card.show_gpu(lost, split_gpu(lost, ()), history, place=0)
    words = said(card)
    assert "GeForce RTX 3090. ▲ The GPU no longer answers." in words[0]
    power = about(card, "Power")
    assert power.accessibleName() == "Power: not available"
    assert power.accessibleDescription() == (
        "The GPU no longer answers. 341 W to 341 W in the last minutes"
    )
    history.take(MonitorFrame(2.0, 0.0, (), seen(GPU)))
    card.show_gpu(GPU, split_gpu(GPU, ()), history)
    assert not any("no longer answers" in text for text in said(card))
    assert power.accessibleName() == "Power: 341 W"


def test_nvlink_is_there_where_it_is(qtbot: QtBot) -> None:
    gpu = replace(GPU, nvlink=(NvLink(0, True), NvLink(1, True)), nvlink_rx=GIB, nvlink_tx=0)
    words = said(shown_card(qtbot, gpu))
    assert "NVLink: in 1.0 GiB/s, out 0 B/s" in words
    assert "NVLink, 2 links" in words[0]
    assert not any(text.startswith("NVLink:") for text in said(shown_card(qtbot, GPU)))


def test_a_paused_history_holds_the_values_too(qtbot: QtBot) -> None:
    history = history_of(seen(GPU))
    history.set_paused(True)
    later = replace(GPU, utilisation=12)
    history.take(MonitorFrame(5.0, 0.0, (), seen(later)))
    card = GpuCard()
    qtbot.addWidget(card)
    card.show_gpu(later, (), history)
    assert "Utilisation: 97 %" in said(card)


# --- as the driver tells it ------------------------------------------------------------------


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[nvml_stub.ReaderProcess]:
    scenario = nvml_stub.Scenario(tmp_path / "scenario", nvml_stub.two_3090s())
    with nvml_stub.ReaderProcess(scenario) as process:
        yield process


def test_two_cards_while_one_is_taken_throttled_lost_and_returned(
    qtbot: QtBot, reader: nvml_stub.ReaderProcess
) -> None:
    card = GpuCard()
    qtbot.addWidget(card)
    history = History()
    places: dict[str | None, int] = {}

    def look(now: float) -> list[str]:
        hardware = reader.read(now)
        history.take(MonitorFrame(now, 0.0, (), hardware))
        gpu = next(gpu for gpu in hardware.gpus if (gpu.bus_id or "").startswith("00000000:02"))
        if gpu.index >= 0:
            places[gpu.uuid] = gpu.index
        card.show_gpu(gpu, split_gpu(gpu, ()), history, place=places[gpu.uuid])
        return said(card)

    words = look(0.0)
    assert "▲ Held back: power limit" in words
    assert any("warzone 19.0 GiB" in text for text in words)

    taken = {"gpu1.used": 23 * GIB, "gpu1.process.4194302": 3 * GIB, "process.4194302": "blender"}
    reader.scenario.change({**taken, "gpu1.throttle": 0x40})
    words = look(5.0)
    assert any("warzone 19.0 GiB, blender 3.0 GiB" in text for text in words)
    assert "▲ Held back: too hot (hardware)" in words

    reader.scenario.change({"gpu1.lost": 1})
    words = look(10.0)
    assert "▲ The GPU no longer answers." in words[0]
    assert "Utilisation: not available" in words

    reader.scenario.change({"gpu1.lost": None, "gpu1.throttle": 0})
    for now in (20.0, 60.0, 120.0):  # the reader takes hold of the driver again, in time
        words = look(now)
    assert not any("no longer answers" in text for text in words)
    assert "Utilisation: 97 %" in words


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (nvml_stub.wsl(), "Which programs use its memory is not told."),
        (nvml_stub.split(), "Split into parts (MIG): "),
        (nvml_stub.unified(), "This GPU shares the computer's memory and has none of its own."),
    ],
    ids=["WSL", "MIG", "unified"],
)
def test_unusual_cards(
    qtbot: QtBot, tmp_path: Path, lines: dict[str, object], expected: str
) -> None:
    scenario = nvml_stub.Scenario(tmp_path / "scenario", lines)
    with nvml_stub.ReaderProcess(scenario) as process:
        hardware = process.read()
    card = shown_card(qtbot, hardware.gpus[0])
    assert any(expected in text for text in said(card))
    for plot in card.plots:  # what is not there says why
        if not plot.isHidden() and plot.accessibleName().endswith("not available"):
            assert plot.toolTip()


# --- the computer ----------------------------------------------------------------------------


def test_the_computer_says_all_of_it(qtbot: QtBot) -> None:
    card = HostCard()
    qtbot.addWidget(card)
    running = engine(
        loaded=loaded(device=-1), telemetry=telemetry(resident_bytes=10 * GIB, kv_used=500)
    )
    history = history_of(HardwareReading(OK, (), HOST))
    card.show_host(HOST, split_host(HOST, (running,)), history)
    words = said(card)
    assert words[0] == "Ryzen 7, 8 cores, 16 threads"
    assert "Processor: 25 %" in words
    assert "Memory: 12.0 GiB" in words
    assert not any(text.startswith("Swap") for text in words)  # there is none
    assert any("Weights 5.0 GiB, KV in use 2.0 GiB" in text for text in words)


# --- plots -----------------------------------------------------------------------------------


def plot_of(qtbot: QtBot, *lines: Line) -> Plot:
    plot = Plot("Speed", lambda value: f"{value:.0f} km/h", lines or (Line(),))
    qtbot.addWidget(plot)
    plot.resize(300, 100)
    return plot


def test_the_cursor_shows_the_value_and_when(qtbot: QtBot) -> None:
    plot = plot_of(qtbot)
    times, values = [0.0, 100.0, 200.0, 300.0], [10.0, 20.0, NAN, 40.0]
    plot.show_series([(times, values)], 300.0, [40.0], top=50.0)
    plot.show()
    with qtbot.waitSignal(plot.cursor_moved) as moved:
        QTest.mouseMove(plot, QPoint(100, 80))
    assert moved.args == [pytest.approx(200.0)]
    assert plot.value_text() == "20 km/h"
    assert plot.accessibleName() == "Speed: 20 km/h, 3:20 ago"
    plot.set_cursor(100.0)
    assert plot.value_text() == "–"  # a gap
    plot.set_cursor(NAN)
    assert plot.accessibleName() == "Speed: 40 km/h"


def test_the_keys_move_the_cursor(qtbot: QtBot) -> None:
    plot = plot_of(qtbot)
    plot.show_series([([295.0, 300.0], [7.0, 8.0])], 300.0, [8.0], top=10.0)
    plot.show()
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleName() == "Speed: 7 km/h, 5 s ago"
    QTest.keyClick(plot, Qt.Key.Key_Home)
    assert plot.accessibleName() == "Speed: –, 5:00 ago"
    QTest.keyClick(plot, Qt.Key.Key_End)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.accessibleName() == "Speed: 8 km/h, now"
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.accessibleName() == "Speed: 8 km/h"


def test_two_lines_have_names(qtbot: QtBot) -> None:
    plot = plot_of(qtbot, Line("p50"), Line("p90", "cool"))
    series = [([1.0], [5.0]), ([1.0], [9.0])]
    plot.show_series(series, 1.0, [5.0, 9.0], top=10.0)
    assert plot.accessibleName() == "Speed: p50 5 km/h, p90 9 km/h"
    assert plot.accessibleDescription() == "5 km/h to 9 km/h in the last minutes"
    assert plot.most() == 9.0


def test_a_reading_that_changes_nothing_paints_nothing(qtbot: QtBot) -> None:
    plot = plot_of(qtbot)
    painted: list[int] = []
    plot.update = lambda *_: painted.append(1)  # type: ignore[method-assign]
    for _ in range(3):
        plot.show_series([([10.0], [5.0])], 10.0, [5.0], top=10.0)
    assert len(painted) == 1
    plot.show_series([([10.0, 10.1], [5.0, 5.0])], 10.1, [5.0], top=10.0)
    assert len(painted) == 1  # the same column, at the same height
    plot.show_series([([10.0, 10.1, 10.2], [5.0, 5.0, 6.0])], 10.2, [6.0], top=10.0)
    assert len(painted) == 2


@pytest.mark.parametrize("gaps", [False, True])
def test_a_plot_that_moved_on_looks_as_one_drawn_at_once(qtbot: QtBot, gaps: bool) -> None:
    del qtbot
    times = [0.5 * step for step in range(500)]
    values = [50 + 40 * math.sin(time / 9) + step % 3 for step, time in enumerate(times)]
    if gaps:
        values = [NAN if step % 90 < 20 else value for step, value in enumerate(values)]

    def image(cuts: list[int]) -> QImage:
        columns, painted = Columns(2.0), PlotImage()
        made = QImage(200, 40, QImage.Format.Format_ARGB32_Premultiplied)
        for end in cuts:
            columns.take(times[:end], values[:end])
            made.fill(Qt.GlobalColor.white)
            look = theme.current()
            accent, soft = look.colour("accent"), look.colour("accent_soft")
            with QPainter(made) as painter:
                graph = made.rect().toRectF()
                painted.paint(painter, graph, [columns], times[end - 1], 100.0, [accent], soft)
        return made

    at_once, in_parts = image([500]), image([300, 301, 302, 317, 400, 402, 499, 500])
    different = sum(
        abs(at_once.pixelColor(x, y).lightness() - in_parts.pixelColor(x, y).lightness()) > 40
        for x in range(200)
        for y in range(40)
    )
    assert different <= 40  # where two strokes meet they are blended twice


def test_gaps_are_gaps(qtbot: QtBot) -> None:
    plot = plot_of(qtbot)
    times = [float(second) for second in range(300)]
    values = [NAN if 100 <= second < 200 else 25.0 for second in range(300)]
    plot.show_series([(times, values)], 299.0, [25.0], top=50.0)
    picture = plot.grab().toImage()
    ground = theme.current().colour("line")
    middle = plot.height() - 18
    assert darkest(picture.copy(20, middle, 60, 5)) < ground.lightness()
    assert darkest(picture.copy(120, middle, 60, 5)) >= darkest(picture.copy(150, middle, 2, 2))
    assert picture.pixelColor(150, middle) != picture.pixelColor(50, middle)


# --- the memory's bar ------------------------------------------------------------------------


def test_bars_of_unequal_cards_are_on_one_scale(qtbot: QtBot) -> None:
    strip = MemoryStrip()
    qtbot.addWidget(strip)
    strip.resize(481, 100)
    strip.show_segments(
        [Segment(Part.WEIGHTS, 6 * GIB, "/m"), Segment(Part.FREE, 6 * GIB)], 24 * GIB
    )
    weights, free = strip.segment_at(60, 5), strip.segment_at(180, 5)
    assert weights is not None
    assert free is not None
    assert (weights.part, free.part) == (Part.WEIGHTS, Part.FREE)
    assert strip.segment_at(300, 5) is None  # a card of 12 of 24 GiB ends in the middle
    assert strip.tip(weights) == "Weights: 6.0 GiB, 50 % of the memory"


def test_many_programs_are_taken_together(qtbot: QtBot) -> None:
    strip = MemoryStrip()
    qtbot.addWidget(strip)
    programs = [Segment(Part.OTHER, (9 - place) * GIB, f"p{place}") for place in range(8)]
    strip.show_segments([*programs, Segment(Part.FREE, GIB)])
    assert strip.accessibleName() == (
        "Memory of 45.0 GiB: p0 9.0 GiB, p1 8.0 GiB, p2 7.0 GiB, p3 6.0 GiB, "
        "Other programs 14.0 GiB, Free 1.0 GiB"
    )


def test_no_two_parts_differ_by_colour_alone() -> None:
    patterns = [pattern for _, pattern in LOOKS.values()]
    filled = [pattern for pattern in patterns if pattern != Qt.BrushStyle.NoBrush]
    # Weights, KV in use and programs are solid, and never side by side without their names.
    assert len(filled) - len(set(filled)) == 2
    assert set(LOOKS) == set(Part)


@pytest.mark.parametrize("width", [260, 420, 900])
@pytest.mark.parametrize("look", ["light", "dark", "contrast"])
def test_cards_have_room_at_any_width(qtbot: QtBot, width: int, look: str) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme.apply(application, look, 11)
    card = shown_card(qtbot, GPU, engine())
    assert card.minimumSizeHint().width() <= 260
    card.resize(width, card.heightForWidth(width))
    card.show()
    for plot in card.plots:
        if not plot.isHidden():
            assert plot.width() >= plot.minimumSizeHint().width()
            corner = plot.mapTo(card, plot.rect().bottomRight())
            assert card.rect().contains(corner)
    assert not card.grab().isNull()


def test_columns_are_equal_and_rows_are_full(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    grid = EvenGrid(holder, 8, 4)
    for _ in range(7):
        box = QWidget()
        box.setMinimumSize(100, 20)
        grid.addWidget(box)
    assert [grid.columns(width) for width in (90, 110, 300, 420, 2000)] == [1, 1, 2, 3, 4]
    assert grid.heightForWidth(420) == 3 * 20 + 2 * 4


# --- throughput ------------------------------------------------------------------------------


def llama() -> ModelShape:
    path = Path(__file__).parents[1] / "unit" / "data" / "planner_vectors.json"
    config = json.loads(path.read_text())["models"]["Llama-3.1-8B"]["config"]
    awq = {"quant_method": "awq", "bits": 4, "group_size": 128}
    return read_shape({**config, "quantization_config": awq})


def throughput(qtbot: QtBot, frame: EngineFrame, gpu: GpuReading = GPU) -> ThroughputView:
    shapes = ModelShapes(read=lambda model: llama())
    view = ThroughputView(shapes=shapes)
    qtbot.addWidget(view)
    shapes.setParent(view)
    hardware = seen(gpu)
    view.show_engine(frame, history_of(hardware, engines=(frame,)), hardware)
    qtbot.waitUntil(lambda: not shapes.is_pending("/models/llama"), timeout=WAIT_MS)
    return view


def meter(view: QWidget) -> Meter:
    found = view.findChild(Meter)
    assert isinstance(found, Meter)
    return found


def test_an_engine_says_all_of_it(qtbot: QtBot) -> None:
    words = said(throughput(qtbot, engine()))
    for expected in (
        "Answers: 100 tok/s",
        "Prompts: 2,500 tok/s",
        "Requests: running 1, waiting 0",
        "Preempted: 3",
        "First token: p50 120 ms, p90 1.3 s",
        "Next token: p50 21 ms, p90 48 ms",
        "Prefix hits: 62 %",
        "Of what the memory's bandwidth allows: 50 % of 200 tok/s",
    ):
        assert expected in words


def test_a_scale_has_room_from_the_first_reading_on(qtbot: QtBot) -> None:
    view = throughput(qtbot, engine(telemetry=telemetry(running=64)))
    for name, least in (("Requests", 64), ("Prompts", 2500)):
        plot = about(view, name)
        assert isinstance(plot, Plot)
        assert plot._top >= least


def test_the_limit_says_what_it_is_reckoned_from(qtbot: QtBot) -> None:
    frame = engine(telemetry=telemetry(running=2, kv_used=128))
    view = throughput(qtbot, frame)
    tip = meter(view).toolTip()
    assert "For 2 chats of 1,024 tokens each" in tip
    assert "936.2 GB/s" in tip


def test_a_card_that_is_not_known_has_no_limit(qtbot: QtBot) -> None:
    strange = replace(GPU, name="Voodoo 5", memory_bandwidth=None)
    view = throughput(qtbot, engine(), strange)
    shown = meter(view)
    assert shown.words() == "not known for this card"
    assert shown.toolTip()


def test_what_was_not_measured_is_not_zero(qtbot: QtBot) -> None:
    nothing = telemetry(ttft_p50=None, ttft_p90=None, prefix_hit_rate=None)
    view = throughput(qtbot, engine(telemetry=nothing))
    first = about(view, "First token")
    assert first.accessibleName() == "First token: not available"
    assert first.toolTip() == "No answer has begun in the last minute."
    assert about(view, "Prefix hits").accessibleName() == "Prefix hits: not available"


def test_without_a_model_there_is_no_limit(qtbot: QtBot) -> None:
    view = ThroughputView(shapes=ModelShapes(read=lambda model: llama()))
    qtbot.addWidget(view)
    view.show_engine(engine(loaded=None, telemetry=None, phase="idle"), History())
    assert "No model is loaded." in said(view)
    assert meter(view).isHidden()


def test_a_model_that_cannot_be_read_is_asked_for_once(qtbot: QtBot) -> None:
    asked: list[str] = []

    def read(model: str) -> ModelShape:
        asked.append(model)
        raise ShapeError("no config.json")

    shapes = ModelShapes(read=read)
    with qtbot.waitSignal(shapes.changed, timeout=WAIT_MS):
        assert shapes.shape_of("/m") is None
    assert shapes.shape_of("/m") is None
    assert asked == ["/m"]
    shapes.deleteLater()


# --- the timeline ----------------------------------------------------------------------------

USUAL = {"importing": 3.0, "reading_weights": 5.0, "warming_up": 2.0}


def timeline(qtbot: QtBot, **fields: object) -> TimelineView:
    view = TimelineView()
    qtbot.addWidget(view)
    view.show_load(engine(**fields), USUAL)
    return view


def rows(view: TimelineView) -> list[str]:
    return [row.accessibleName() for row in view.rows]


def test_the_last_load_says_its_stages(qtbot: QtBot) -> None:
    done = {"importing": 2.0, "reading_weights": 6.5, "warming_up": 1.0}
    past = LoadFrame("", 9.5, done, memory={"reading_weights": 5 * GIB, "warming_up": 6 * GIB})
    view = timeline(qtbot, past=past)
    assert view.accessibleName() == "Loaded in 9.5 s, usually 10.0 s"
    assert rows(view) == [
        "Starting the engine's libraries: 2.0 s, usually 3.0 s",
        "Reading weights: 6.5 s, usually 5.0 s, +5.0 GiB",
        "Warming up: 1.0 s, usually 2.0 s, +1.0 GiB",
    ]


def test_a_load_under_way_says_how_long_it_will_take(qtbot: QtBot) -> None:
    view = timeline(qtbot, load=LoadFrame("reading_weights", 5.0, {"importing": 2.0}, 0.6))
    assert view.accessibleName() == "Loading for 5.0 s, about 4 s left"
    assert rows(view)[1:] == [
        "Reading weights: 3.0 s, usually 5.0 s",
        "Warming up: ahead, usually 2.0 s",
    ]
    view.show_load(engine(past=LoadFrame("", 8.0, {"importing": 8.0})), USUAL)
    assert len(view.rows) == 1


def test_a_load_that_failed_says_where(qtbot: QtBot) -> None:
    view = timeline(qtbot, past=LoadFrame("reading_weights", 5.0, {"importing": 2.0}))
    assert view.accessibleName() == "Ended after 5.0 s, usually 10.0 s"
    assert rows(view)[1] == "Reading weights: ended after 3.0 s, usually 5.0 s"


def test_before_the_first_load_it_says_so(qtbot: QtBot) -> None:
    view = timeline(qtbot)
    assert view.accessibleName() == "Nothing has been loaded yet."
    assert not view.rows


@pytest.mark.parametrize("width", [260, 900])
def test_a_stage_has_room(qtbot: QtBot, width: int) -> None:
    view = timeline(qtbot, past=LoadFrame("reading_weights", 5.0, {"importing": 2.0}))
    view.resize(width, view.heightForWidth(width))
    view.show()
    line = QFontMetrics(theme.current().figure_font()).height()
    for row in view.rows:
        assert isinstance(row, StageBar)
        assert row.height() >= row.heightForWidth(width) >= line
    assert not view.grab().isNull()
    assert QPointF(view.rect().bottomRight()).y() > 0
