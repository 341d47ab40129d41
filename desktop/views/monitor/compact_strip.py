"""The monitor in one line above the status bar, where the window has no room for more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from desktop import theme
from desktop.models.number_text import decimal, whole
from desktop.views.monitor.monitor_head import tool_button

if TYPE_CHECKING:
    from desktop.hardware.readings import GpuReading, HardwareReading
    from desktop.models.monitor.frames import EngineFrame
    from desktop.models.monitor.shown import Shown

translate = QCoreApplication.translate

BAR_WIDTH: Final = 44
BAR_HEIGHT: Final = 6
FULL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Item:
    """A reading of the strip.

    Attributes:
        name: what it is of. text: its value, with the unit.
        sample: the widest that the value becomes: so much room it has, and nothing moves.
        share: 0 to 1, as a small bar; None: none is drawn.
    """

    name: str
    text: str
    sample: str
    share: float | None = None


def items_of(shown: Shown) -> tuple[Item, ...]:
    """What the strip tells, the most important first: what has no room is left out at the end."""
    found: list[Item] = []
    if shown.hardware is not None:
        found += _of_hardware(shown.hardware)
    for engine in shown.engines.values():  # the status bar has a part of it, too
        found += _of_engine(engine)
    return tuple(found)


def _of_engine(engine: EngineFrame) -> Iterator[Item]:
    reading = engine.telemetry
    if reading is None:
        return
    kv = reading.kv_used / reading.kv_total if reading.kv_total else 0.0
    yield Item(
        translate("MonitorStrip", "KV"),
        translate("MonitorStrip", "{percent} %").format(percent=decimal(100 * kv)),
        translate("MonitorStrip", "{percent} %").format(percent="100.0"),
        kv,
    )
    text = translate("MonitorStrip", "{running} running, {waiting} waiting")
    yield Item(
        "",
        text.format(running=whole(reading.running), waiting=whole(reading.waiting)),
        text.format(running="88", waiting="88"),
    )

    yield Item(
        translate("MonitorStrip", "Answers"),
        translate("MonitorStrip", "{rate} tokens/s").format(rate=decimal(reading.generation_tps)),
        translate("MonitorStrip", "{rate} tokens/s").format(rate="8,888.8"),
    )


def _of_hardware(reading: HardwareReading) -> Iterator[Item]:
    for gpu in reading.gpus:
        yield _of_gpu(gpu)
    if not reading.gpus and reading.host.load is not None:
        yield Item(
            translate("MonitorStrip", "CPU"),
            translate("MonitorStrip", "{percent} %").format(
                percent=whole(round(reading.host.load))
            ),
            translate("MonitorStrip", "{percent} %").format(percent="100"),
            min(1.0, reading.host.load / 100),
        )


def _of_gpu(gpu: GpuReading) -> Item:
    name = (
        translate("MonitorStrip", "GPU {number}").format(number=gpu.index)
        if gpu.index >= 0
        else translate("MonitorStrip", "GPU")
    )
    sample = " · ".join(
        (
            translate("MonitorStrip", "{percent} %").format(percent="100"),
            translate("MonitorStrip", "{used}/{total} GiB").format(used="88.8", total="88.8"),
            translate("MonitorStrip", "{degrees} °C").format(degrees="100"),
        )
    )
    if gpu.lost:
        return Item(name, translate("MonitorStrip", "lost"), sample)
    parts, share = [], None
    if gpu.utilisation is not None:
        parts.append(
            translate("MonitorStrip", "{percent} %").format(percent=whole(gpu.utilisation))
        )
    if gpu.memory_total and gpu.memory_used is not None:
        used = gpu.memory_used + (gpu.memory_reserved or 0)
        share = min(1.0, used / gpu.memory_total)
        parts.append(
            translate("MonitorStrip", "{used}/{total} GiB").format(
                used=decimal(used / 2**30), total=decimal(gpu.memory_total / 2**30)
            )
        )
    if gpu.temperature is not None:
        parts.append(
            translate("MonitorStrip", "{degrees} °C").format(degrees=whole(gpu.temperature))
        )
    return Item(name, " · ".join(parts) or translate("MonitorStrip", "not told"), sample, share)


class CompactStrip(QToolBar):
    """See the module.

    Signals:
        window_requested: the whole monitor in a window of its own.
        close_requested: put it away.
    """

    window_requested = Signal()
    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setObjectName("monitor_strip")
        self.setMovable(False)
        self.setFloatable(False)
        self.setWindowTitle(self.tr("Monitor"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.readings = StripReadings()
        self.readings.activated.connect(self.window_requested)
        self.window_button = tool_button("detach", self.tr("Open the monitor in a window"))
        self.window_button.clicked.connect(lambda _checked=False: self.window_requested.emit())
        self.close_button = tool_button("close", self.tr("Close the monitor"))
        self.close_button.clicked.connect(lambda _checked=False: self.close_requested.emit())
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(space.m, 0, space.xs, 0)
        row.setSpacing(space.xs)
        row.addWidget(self.readings, 1)
        row.addWidget(self.window_button)
        row.addWidget(self.close_button)
        self.addWidget(inside)
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_readings(self, shown: Shown) -> None:
        """Show the newest."""
        self.readings.show_items(items_of(shown))


class StripReadings(QWidget):
    """The readings in one line, painted; those that have no room are left out, the last first.

    Signals:
        activated: it was clicked, or Enter pressed on it.
    """

    activated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[Item, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Monitor"))
        self.setToolTip(self.tr("Open the monitor in a window"))
        theme.notifier().changed.connect(self._on_theme)

    def show_items(self, items: tuple[Item, ...]) -> None:
        """Show these."""
        if items != self._items:
            self._items = items
            self.setAccessibleDescription(self.text())
            self.update()

    def text(self) -> str:
        """All of it in words."""
        return ", ".join(f"{item.name} {item.text}".strip() for item in self._items)

    def sizeHint(self) -> QSize:
        """A line; any width."""
        space = theme.current().space
        height = QFontMetrics(theme.current().figure_font()).height()
        return QSize(200, height + 2 * space.s)

    def minimumSizeHint(self) -> QSize:
        """As narrow as need be."""
        return QSize(1, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what there is room for."""
        del event
        look = theme.current()
        font = look.figure_font()
        metrics = QFontMetrics(font)
        space = look.space
        base = (self.height() + metrics.ascent() - metrics.descent()) / 2
        with QPainter(self) as painter:
            painter.setFont(font)
            x = float(space.xs)
            for item in self._items:
                width = self._width_of(item, metrics)
                if x + width > self.width():
                    break
                if item.name:
                    painter.setPen(look.colour("muted"))
                    painter.drawText(QPointF(x, base), item.name)
                    x += metrics.horizontalAdvance(item.name) + space.xs
                if item.share is not None:
                    self._paint_bar(painter, x, item.share)
                    x += BAR_WIDTH + space.xs
                painter.setPen(look.colour("text"))
                painter.drawText(QPointF(x, base), item.text)
                x += metrics.horizontalAdvance(item.sample) + space.l
            if self.hasFocus():
                painter.setPen(QPen(look.colour("accent"), look.ring))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 1.5, -1.5, -1.5))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens the whole monitor."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.activated.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and the space bar do, too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)

    def _width_of(self, item: Item, metrics: QFontMetrics) -> float:
        space = theme.current().space
        width = metrics.horizontalAdvance(item.sample)
        if item.name:
            width += metrics.horizontalAdvance(item.name) + space.xs
        if item.share is not None:
            width += BAR_WIDTH + space.xs
        return float(width)

    def _paint_bar(self, painter: QPainter, x: float, share: float) -> None:
        look = theme.current()
        top = (self.height() - BAR_HEIGHT) / 2
        whole_bar = QRectF(x, top, BAR_WIDTH, BAR_HEIGHT)
        painter.setPen(QPen(look.colour("faint"), 1))
        painter.drawRect(whole_bar.adjusted(0.5, 0.5, -0.5, -0.5))
        full = look.colour("warning" if share > FULL else "accent")
        painter.fillRect(QRectF(x + 1, top + 1, (BAR_WIDTH - 2) * share, BAR_HEIGHT - 2), full)

    def _on_theme(self) -> None:
        self.updateGeometry()
        self.update()
