"""A slider over the contexts that make sense, with marks for those that fit."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from desktop import theme
from desktop.models.loading.size_text import count_text

if TYPE_CHECKING:
    from desktop.models.loading.outlook import Stop

HANDLE: Final = 16
TRACK: Final = 4
TICK: Final = 6


class ContextSlider(QSlider):
    """Steps through the stops of a plan, each a number of tokens.

    What fits has a full mark and a filled track, what does not an empty one; the words beside
    the slider and the accessible description say the same.

    Signals:
        chosen: the tokens of the stop that the user moved to.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._stops: tuple[Stop, ...] = ()
        self._showing = False
        self.setPageStep(1)
        self.setRange(0, 0)
        self.setMinimumWidth(120)
        self.valueChanged.connect(self._on_value)
        theme.notifier().changed.connect(self.updateGeometry)

    @property
    def stops(self) -> tuple[Stop, ...]:
        """What it steps through."""
        return self._stops

    def show_stops(self, stops: tuple[Stop, ...], context: int) -> None:
        """Step through these, and stand at `context` (or the nearest one above it)."""
        self._showing = True
        self._stops = stops
        self.setRange(0, max(0, len(stops) - 1))
        self.setEnabled(len(stops) > 1)
        place = bisect_left([stop.context for stop in stops], context)
        self.setValue(min(place, max(0, len(stops) - 1)))
        self._showing = False
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        """A track, a handle and the marks' figures."""
        metrics = QFontMetrics(theme.current().figure_font())
        return QSize(240, HANDLE + TICK + metrics.height() + theme.current().space.xs)

    def minimumSizeHint(self) -> QSize:
        """As high as it wants to be."""
        return QSize(120, self.sizeHint().height())

    # --- Qt ----------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """The focus ring and the disabled look are painted here."""
        super().changeEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The nearest stop is taken, wherever it is pressed."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setValue(self._nearest(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """It goes along."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.setValue(self._nearest(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing else happens."""
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page below scrolls: nothing changes that one only passes."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the track, its marks with their figures, and the handle."""
        del event
        look = theme.current()
        track = self._track()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.colour("faint"), 1))
            painter.setBrush(look.colour("page"))
            painter.drawRect(track)
            fitting = [i for i, stop in enumerate(self._stops) if stop.fits]
            if fitting:
                filled = QRectF(track)
                filled.setRight(self._x(fitting[-1]))
                painter.fillRect(filled, look.colour("accent" if self.isEnabled() else "faint"))
            self._paint_marks(painter, track)
            self._paint_handle(painter, track)

    # --- inside ------------------------------------------------------------------------

    def _on_value(self, value: int) -> None:
        self._describe()
        self.update()
        if not self._showing and 0 <= value < len(self._stops):
            self.chosen.emit(self._stops[value].context)

    def _describe(self) -> None:
        if not 0 <= self.value() < len(self._stops):
            self.setAccessibleDescription("")
            return
        stop = self._stops[self.value()]
        words = self.tr("{count} tokens").format(count=count_text(stop.context))
        how = self.tr("fits") if stop.fits else self.tr("does not fit")
        self.setAccessibleDescription(f"{words}, {how}")

    def _track(self) -> QRectF:
        half = HANDLE / 2
        return QRectF(half, half - TRACK / 2, max(1, self.width() - HANDLE), TRACK)

    def _nearest(self, x: float) -> int:
        track = self._track()
        last = max(0, len(self._stops) - 1)
        return min(max(0, round((x - track.left()) / track.width() * last)), last)

    def _x(self, index: int) -> float:
        track = self._track()
        last = max(1, len(self._stops) - 1)
        return track.left() + track.width() * index / last

    def _paint_marks(self, painter: QPainter, track: QRectF) -> None:
        look = theme.current()
        painter.setFont(look.figure_font())
        metrics = QFontMetrics(look.figure_font())
        top = track.bottom() + (HANDLE - TRACK) / 2
        taken: list[tuple[float, float]] = []
        for index in self._by_weight():
            stop = self._stops[index]
            x = self._x(index)
            painter.setPen(QPen(look.colour("text" if stop.fits else "faint"), 1))
            painter.drawLine(QPointF(x, top), QPointF(x, top + TICK))
            words = short_text(stop.context)
            width = metrics.horizontalAdvance(words)
            left = min(max(0.0, x - width / 2), self.width() - width)
            right = left + width + look.space.s
            if all(right <= begin or end <= left for begin, end in taken):
                painter.setPen(look.colour("muted" if stop.fits else "faint"))
                painter.drawText(QPointF(left, top + TICK + metrics.ascent()), words)
                taken.append((left, right))

    def _by_weight(self) -> list[int]:
        """The stops whose figures are worth their room most come first: the ends of what fits."""
        last = len(self._stops) - 1
        fitting = [index for index, stop in enumerate(self._stops) if stop.fits]
        first = [*fitting[-1:], last, 0] if self._stops else []
        return list(dict.fromkeys([*first, *range(last + 1)]))

    def _paint_handle(self, painter: QPainter, track: QRectF) -> None:
        look = theme.current()
        centre = QPointF(self._x(self.value()), track.center().y())
        fits = 0 <= self.value() < len(self._stops) and self._stops[self.value()].fits
        edge = look.colour(("accent" if fits else "danger") if self.isEnabled() else "faint")
        painter.setPen(QPen(edge, 2))
        painter.setBrush(look.colour("accent" if fits and self.isEnabled() else "page"))
        painter.drawEllipse(centre, HANDLE / 2 - 2, HANDLE / 2 - 2)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = max(1, look.ring)
            painter.setPen(QPen(look.colour("mark" if ring > 1 else "text"), ring))
            painter.drawEllipse(centre, HANDLE / 2 - ring / 2, HANDLE / 2 - ring / 2)


def short_text(context: int) -> str:
    """A context in few letters: "512", "8k", "128k", "1M"; where it is not round, whole."""
    for unit, name in ((1024 * 1024, "M"), (1024, "k")):
        if context >= unit and context % unit == 0:
            return f"{context // unit}{name}"
    return count_text(context)
