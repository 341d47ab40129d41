"""The lines of a plot as an image that moves to the left: only what is new is drawn."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from desktop import theme
from desktop.models.monitor.plot_columns import Column, Columns

COLUMN_PX: Final = 2.0
_NONE: Final = -(2**62)


class PlotImage:
    """See the module. Columns that are over are kept in the image; the present one is not."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._key: object = None
        self._slot = _NONE  # the present column, when the image was made

    def paint(
        self,
        painter: QPainter,
        graph: QRectF,
        lines: Sequence[Columns],
        now: float,
        top: float,
        colours: Sequence[QColor],
        shade: QColor,
    ) -> None:
        """Paint the lines.

        Args:
            graph: where to, in the painter's pixels.
            now: the time at the right edge.
            top: the value at the upper edge.
            colours: of the lines; the ground of the first has the shade.
        """
        fineness = painter.device().devicePixelRatio()
        step = column_width(fineness)
        names = tuple(theme.pixel(colour) for colour in (*colours, shade))
        epochs = tuple(line.epoch for line in lines)
        widths = tuple(line.width for line in lines)
        key = (graph.width(), graph.height(), top, fineness, names, epochs, widths)
        slot = lines[0].slot(now)
        self._draw_over(graph, lines, slot, top, colours, shade, step, fineness, key)
        painter.drawPixmap(graph.topLeft(), self._pixmap)
        painter.save()
        painter.translate(graph.left(), graph.top())
        brush = _Brush(painter, graph, slot, step, top, fineness)
        for number in reversed(range(len(lines))):
            brush.draw(lines[number].items, slot, colours[number], None if number else shade)
        painter.restore()

    def _draw_over(
        self,
        graph: QRectF,
        lines: Sequence[Columns],
        slot: int,
        top: float,
        colours: Sequence[QColor],
        shade: QColor,
        step: float,
        fineness: float,
        key: object,
    ) -> None:
        """Bring the image to the columns before `slot`."""
        moved = slot - self._slot
        if key == self._key and moved == 0:
            return
        width = round(graph.width() * fineness)
        first = _NONE
        shift = round(moved * step * fineness)
        if key == self._key and 0 < shift < width:
            first = self._slot
            self._pixmap.scroll(-shift, 0, self._pixmap.rect())
        else:
            self._pixmap = QPixmap(max(1, width), max(1, round(graph.height() * fineness)))
            self._pixmap.setDevicePixelRatio(fineness)
            self._pixmap.fill(Qt.GlobalColor.transparent)
        self._key, self._slot = key, slot
        with QPainter(self._pixmap) as painter:
            if first != _NONE:
                left = graph.width() - shift / fineness
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.fillRect(
                    QRectF(left, 0, shift / fineness, graph.height()), Qt.GlobalColor.transparent
                )
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            brush = _Brush(painter, graph, slot, step, top, fineness)
            for number in reversed(range(len(lines))):
                brush.draw(
                    lines[number].items,
                    first,
                    colours[number],
                    None if number else shade,
                    before=slot,
                )


def column_width(fineness: float) -> float:
    """Pixels of a column: about `COLUMN_PX`, and a whole number of the screen's own."""
    return max(1, round(COLUMN_PX * fineness)) / fineness


class _Brush:
    """Draws columns. The present one, `slot`, lies at the right edge."""

    def __init__(
        self,
        painter: QPainter,
        graph: QRectF,
        slot: int,
        step: float,
        top: float,
        fineness: float,
    ) -> None:
        self._painter = painter
        self._right, self._height = graph.width(), graph.height()
        self._slot, self._step = slot, step
        self._per_value = self._height / top if top > 0 else 0.0
        self._again = max(1, round(fineness))

    def draw(
        self,
        columns: deque[Column],
        first: int,
        colour: QColor,
        shade: QColor | None,
        before: int | None = None,
    ) -> None:
        """Draw the columns from slot `first` on, joined to the one before."""
        found = _from(columns, first)
        run: list[Column] = []
        joined = bool(found) and found[0].slot < first
        for column in found:
            if before is not None and column.slot >= before:
                break
            if column.last == column.last:
                run.append(column)
            if column.breaks:
                self._draw_run(run, colour, shade, joined=joined)
                run, joined = [], False
        self._draw_run(run, colour, shade, joined=joined)

    def _x(self, slot: int) -> float:
        return self._right - (self._slot - slot + 0.5) * self._step

    def _y(self, value: float) -> float:
        return self._height - min(max(value, 0.0) * self._per_value, self._height - 1)

    def _draw_run(
        self, run: list[Column], colour: QColor, shade: QColor | None, *, joined: bool
    ) -> None:
        """A line without a gap, and the ground below it.

        Args:
            joined: its first column is drawn already; the line begins at its end.

        Qt has a quick way for lines of one pixel of the screen, and a slow one (twenty times) for
        all that are wider; so on a fine screen the line is drawn again beside itself.
        """
        if not run or (joined and len(run) == 1):
            return
        painter, half = self._painter, self._step / 2
        line: list[QPointF] = []
        previous: Column | None = None
        rects: list[QRectF] = []
        for column in run:
            x = self._x(column.slot)
            if previous is None and joined:
                line.append(QPointF(x, self._y(column.last)))
                previous = column
                continue
            top = self._y(column.most)
            left = x - half if previous is None else self._x(previous.slot) + half
            rects.append(QRectF(left, top, x + half - left, self._height - top))
            line.append(QPointF(x, top))
            if column.least != column.most:
                line.append(QPointF(x, self._y(column.least)))
                if column.last != column.least:
                    line.append(QPointF(x, self._y(column.last)))
            previous = column
        if len(line) == 1:  # one reading between two gaps is seen too
            line = [line[0] - QPointF(half, 0), line[0] + QPointF(half, 0)]
        if shade is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shade)
            painter.drawRects(rects)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 0))
        polygon = QPolygonF(line)
        for again in range(self._again):
            if again:
                polygon.translate(0, 1 / self._again)
            painter.drawPolyline(polygon)


def _from(columns: deque[Column], first: int) -> list[Column]:
    """The columns from slot `first` on, and the one before them."""
    if first == _NONE:
        return list(columns)
    late = list(takewhile(lambda one: one.slot >= first, reversed(columns)))
    late.reverse()
    before = len(columns) - len(late)
    return [columns[before - 1], *late] if before else late
