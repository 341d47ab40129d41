"""A plot of a few minutes: what it is of, its value now, one or two lines, a cursor.

Painted by ourselves: `tests/bench/plots.py` has what that costs beside pyqtgraph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme
from desktop.models.monitor.plot_columns import Columns, nearest
from desktop.views.monitor.card_words import ago_text, not_available

SECONDS: Final = 300.0
LEAST_WIDTH: Final = 104
GRAPH_HEIGHT: Final = 34
COLUMN_PX: Final = 2.0
STEP_S: Final = 5.0  # that an arrow key moves the cursor by
REACH_S: Final = 6.5  # the cursor finds the nearest reading within so much
_Flag = Qt.AlignmentFlag

Series = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot: its name ("" where there is but one), and its colour's role."""

    name: str = ""
    role: str = "accent"
    dashed: bool = False


class Plot(QWidget):
    """See the module.

    All lines share one scale, from 0 to the top that is given. Time runs to the right; where there
    are no readings there is no line. The cursor follows the mouse, or the arrow keys, and shows
    the value and how long ago it was in the place of the value now.

    Args:
        title: what it is of.
        text: a value with its unit.
        lines: at most two can be told apart.
        seconds: that the width stands for.

    Signals:
        cursor_moved: seconds before now, float; NaN: away. For plots that move theirs along.
    """

    cursor_moved = Signal(float)

    def __init__(
        self,
        title: str,
        text: Callable[[float], str],
        lines: Sequence[Line] = (Line(),),
        seconds: float = SECONDS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._title, self._text, self._lines, self._seconds = title, text, tuple(lines), seconds
        self._series: list[Series] = [((), ())] * len(self._lines)
        self._columns = [Columns(1.0) for _ in self._lines]
        self._values: list[float | None] = [None for _ in self._lines]
        self._now = 0.0
        self._top = 1.0
        self._limit: float | None = None
        self._missing = ""
        self._is_alarming = False
        self._cursor = math.nan
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self._restyle()
        theme.notifier().changed.connect(self._restyle)
        self._speak()

    # --- what is shown -------------------------------------------------------------------

    def show_series(
        self,
        series: Sequence[Series],
        now: float,
        values: Sequence[float | None],
        *,
        top: float,
        limit: float | None = None,
        missing: str = "",
        alarming: bool = False,
    ) -> None:
        """Show the readings until `now`.

        Args:
            series: times and values for each line; NaN is a gap.
            values: now; None is not available, and `missing` says why.
            top: the end of the scale.
            limit: drawn as a line across; what the values should not or cannot exceed.
            alarming: the value is told in the colour of warnings, and marked.
        """
        fresh = [columns.take(*one) for columns, one in zip(self._columns, series, strict=True)]
        now_values = [None if value is None else float(value) for value in values]
        state = (now_values, top, limit, missing, alarming)
        same = state == (
            self._values,
            self._top,
            self._limit,
            self._missing,
            self._is_alarming,
        )
        if same and now == self._now and not any(fresh):
            return
        self._series, self._now = list(series), now
        self._values, self._top, self._limit, self._missing, self._is_alarming = state
        if not same:
            self.setToolTip(missing)
        self._speak()
        self.update()

    def most(self) -> float:
        """The largest value that is shown; 0 where there is none."""
        found = [one.extremes() for one in self._columns]
        return max((pair[1] for pair in found if pair is not None), default=0.0)

    def set_cursor(self, ago: float) -> None:
        """Move the cursor to `ago` seconds before now; NaN: away."""
        if ago != self._cursor and not (math.isnan(ago) and math.isnan(self._cursor)):
            self._cursor = ago
            self._speak()
            self.update()

    def value_text(self) -> str:
        """What it says: now, or where the cursor is."""
        return ", ".join(" ".join(filter(None, part)) for part in self._parts())

    # --- size and look -------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """Two lines of text and the graph."""
        return QSize(LEAST_WIDTH + 40, self._graph_top + GRAPH_HEIGHT + 1)

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be read."""
        return QSize(LEAST_WIDTH, self.sizeHint().height())

    def _restyle(self) -> None:
        look = theme.current()
        self._look = look
        self._small: QFont = look.figure_font(look.small)
        self._figures: QFont = look.figure_font(look.body)
        self._small_metrics = QFontMetrics(self._small, self)
        self._metrics = QFontMetrics(self._figures, self)
        self._title_height = self._small_metrics.height()
        self._graph_top = self._title_height + self._metrics.height() + 2
        self._colours = [look.colour(line.role) for line in self._lines]
        self._muted, self._faint = look.colour("muted"), look.colour("faint")
        self._ink, self._rule = look.colour("text"), look.colour("line")
        self._warning = look.colour("warning")
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns are so many pixels wide."""
        width = max(0.5, self._seconds * COLUMN_PX / max(1, event.size().width()))
        if event.size().width() != event.oldSize().width():
            self._columns = [Columns(width) for _ in self._lines]
            for columns, series in zip(self._columns, self._series, strict=True):
                columns.take(*series)
        super().resizeEvent(event)

    # --- the cursor ----------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The cursor follows."""
        share = (self.width() - event.position().x()) / max(1, self.width())
        self._move_cursor(min(max(share, 0.0), 1.0) * self._seconds)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No cursor without a mouse."""
        self._move_cursor(math.nan)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right move the cursor, Home and End to the ends, Escape takes it away."""
        ago = 0.0 if math.isnan(self._cursor) else self._cursor
        match event.key():
            case Qt.Key.Key_Left:
                self._move_cursor(min(ago + STEP_S, self._seconds))
            case Qt.Key.Key_Right:
                self._move_cursor(max(ago - STEP_S, 0.0))
            case Qt.Key.Key_Home:
                self._move_cursor(self._seconds)
            case Qt.Key.Key_End:
                self._move_cursor(0.0)
            case Qt.Key.Key_Escape if not math.isnan(self._cursor):
                self._move_cursor(math.nan)
            case _:
                super().keyPressEvent(event)

    def _move_cursor(self, ago: float) -> None:
        self.set_cursor(ago)
        self.cursor_moved.emit(ago)

    # --- words ---------------------------------------------------------------------------

    def _parts(self) -> list[tuple[str, str]]:
        """Name and value of each line, now or at the cursor."""
        values = self._values
        if not math.isnan(self._cursor):
            values = [self._at_cursor(times, numbers) for times, numbers in self._series]
        elif all(value is None for value in values):
            return [("", not_available())]
        return [
            (line.name, "–" if value is None else self._text(value))
            for line, value in zip(self._lines, values, strict=True)
        ]

    def _at_cursor(self, times: Sequence[float], values: Sequence[float]) -> float | None:
        index = nearest(times, values, self._now - self._cursor, REACH_S)
        return values[index] if index >= 0 else None

    def _speak(self) -> None:
        words = self.value_text()
        if not math.isnan(self._cursor):
            words = self.tr("{value}, {time}").format(value=words, time=ago_text(self._cursor))
        self.setAccessibleName(self.tr("{title}: {value}").format(title=self._title, value=words))
        found = [one.extremes() for one in self._columns]
        known = [one for one in found if one is not None]
        said = self._missing
        if known:
            least, most = min(one[0] for one in known), max(one[1] for one in known)
            said = self.tr("{least} to {most} in the last minutes").format(
                least=self._text(least), most=self._text(most)
            )
            if self._missing:
                said = f"{self._missing} {said}"
        self.setAccessibleDescription(said)

    # --- painting ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint words, scale, lines and cursor."""
        del event
        with QPainter(self) as painter:
            self._paint_words(painter)
            graph = QRectF(0, self._graph_top, self.width(), self.height() - self._graph_top - 1)
            painter.setPen(QPen(self._rule, 1))
            base = math.floor(graph.bottom()) + 0.5
            painter.drawLine(QPointF(0, base), QPointF(graph.right(), base))
            if self._limit is not None and 0 < self._limit <= self._top:
                y = graph.bottom() - graph.height() * self._limit / self._top
                painter.setPen(QPen(self._faint, 1, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(0, y), QPointF(graph.right(), y))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number in reversed(range(len(self._lines))):
                self._paint_line(painter, graph, number)
            if not math.isnan(self._cursor):
                self._paint_cursor(painter, graph)
            if self.hasFocus():
                painter.setPen(QPen(self._look.colour("accent"), self._look.ring))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                inset = self._look.ring / 2
                painter.drawRoundedRect(
                    QRectF(self.rect()).adjusted(inset, inset, -inset, -inset),
                    self._look.radius_small,
                    self._look.radius_small,
                )

    def _paint_words(self, painter: QPainter) -> None:
        width = self.width()
        painter.setFont(self._small)
        painter.setPen(self._muted)
        right = ago_text(self._cursor) if not math.isnan(self._cursor) else ""
        room = width
        if right:
            painter.drawText(QRectF(0, 0, width, self._title_height), _Flag.AlignRight, right)
            room -= self._small_metrics.horizontalAdvance(right) + self._look.space.xs
        title = self._small_metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(0, 0, room, self._title_height), _Flag.AlignLeft, title)
        x, top = 0.0, float(self._title_height)
        height = self._metrics.height()
        if self._is_alarming:
            x = self._paint_mark(painter, top, height)
        parts = self._parts()
        is_missing = len(parts) == 1 and self._missing and self._values[0] is None
        for number, (name, value) in enumerate(parts):
            if name:
                x = self._paint_key(painter, x, top + height / 2, number)
                painter.setFont(self._small)
                painter.setPen(self._muted)
                taken = self._small_metrics.horizontalAdvance(name)
                painter.drawText(QRectF(x, top, taken + 1, height), _Flag.AlignVCenter, name)
                x += taken + self._look.space.xs
            painter.setFont(self._small if is_missing or name else self._figures)
            painter.setPen(
                self._muted if is_missing else self._warning if self._is_alarming else self._ink
            )
            metrics = self._small_metrics if is_missing or name else self._metrics
            shown = metrics.elidedText(value, Qt.TextElideMode.ElideRight, max(0, int(width - x)))
            painter.drawText(QRectF(x, top, width - x, height), _Flag.AlignVCenter, shown)
            x += metrics.horizontalAdvance(shown) + self._look.space.s

    def _paint_mark(self, painter: QPainter, top: float, height: float) -> float:
        """A triangle: colour alone is not enough. Where what follows it begins."""
        side = self._metrics.ascent() * 0.8
        middle = top + height / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._warning)
        painter.drawPolygon(
            [
                QPointF(0, middle + side / 2),
                QPointF(side, middle + side / 2),
                QPointF(side / 2, middle - side / 2),
            ]
        )
        painter.restore()
        return side + self._look.space.xs

    def _paint_key(self, painter: QPainter, x: float, y: float, number: int) -> float:
        """A piece of the line that a name stands for; where the name begins."""
        painter.setPen(self._pen(number, 2.0))
        painter.drawLine(QPointF(x, y), QPointF(x + self._look.space.m, y))
        return x + self._look.space.m + self._look.space.xs

    def _pen(self, number: int, width: float) -> QPen:
        pen = QPen(self._colours[number], width)
        if self._lines[number].dashed:
            pen.setDashPattern([2.0, 1.5])
        return pen

    def _paint_line(self, painter: QPainter, graph: QRectF, number: int) -> None:
        right, bottom, height = graph.right(), graph.bottom(), graph.height()
        per_second, now = graph.width() / self._seconds, self._now
        per_value = height / self._top if self._top > 0 else 0.0
        run: list[QPointF] = []
        filled = number == 0
        for at, least, most, last in self._columns[number].items:
            if last != last:
                self._paint_run(painter, run, bottom, number, filled=filled)
                run = []
                continue
            x = right - (now - at) * per_second
            run.append(QPointF(x, bottom - min(most * per_value, height)))
            if least != most:
                run.append(QPointF(x, bottom - min(least * per_value, height)))
                run.append(QPointF(x, bottom - min(last * per_value, height)))
        self._paint_run(painter, run, bottom, number, filled=filled)

    def _paint_run(
        self, painter: QPainter, run: list[QPointF], bottom: float, number: int, *, filled: bool
    ) -> None:
        """A line without a gap, and the ground below it."""
        if not run:
            return
        if len(run) == 1:  # one reading between two gaps is seen too
            run = [run[0] - QPointF(1, 0), run[0]]
        if filled:
            shade = QColor(self._colours[number])
            shade.setAlphaF(0.16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shade)
            painter.drawPolygon(
                QPolygonF([QPointF(run[0].x(), bottom), *run, QPointF(run[-1].x(), bottom)])
            )
        painter.setPen(self._pen(number, 1.25))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(run))

    def _paint_cursor(self, painter: QPainter, graph: QRectF) -> None:
        x = graph.right() - self._cursor * graph.width() / self._seconds
        painter.setPen(QPen(self._muted, 1))
        painter.drawLine(QPointF(x, graph.top()), QPointF(x, graph.bottom()))
        for number, (times, values) in enumerate(self._series):
            value = self._at_cursor(times, values)
            if value is not None and self._top > 0:
                y = graph.bottom() - min(1.0, value / self._top) * graph.height()
                painter.setPen(QPen(self._look.colour("page"), 1))
                painter.setBrush(self._colours[number])
                painter.drawEllipse(QPointF(x, y), 3, 3)
