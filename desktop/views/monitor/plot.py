"""A plot of a few minutes: what it is of, its value now, one or two lines, a cursor.

Painted by ourselves: `tests/bench/plots.py` has what that costs beside pyqtgraph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme
from desktop.models.monitor.plot_columns import Columns, nearest
from desktop.views.monitor.card_words import ago_mark, ago_text, not_available
from desktop.views.monitor.focus_ring import paint_focus
from desktop.views.monitor.plot_image import PlotImage, column_width
from desktop.views.monitor.plot_words import Line, PlotWords, Words

__all__ = ["Line", "Plot"]

SECONDS: Final = 300.0
LEAST_WIDTH: Final = 92
GRAPH_HEIGHT: Final = 34
MINUTE_S: Final = 60.0
STEP_S: Final = 5.0  # that an arrow key moves the cursor by
REACH_S: Final = 6.5  # the cursor finds the nearest reading within so much

Series = tuple[Sequence[float], Sequence[float]]


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
        about: what it is of, at length.
        ground: the colour's role of what it stands on, where that is one colour: to paint that
            here is cheaper than to have all that lies below painted again. "": it is not known.

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
        about: str = "",
        ground: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._title, self._text, self._lines, self._seconds = title, text, tuple(lines), seconds
        self._series: list[Series] = [((), ())] * len(self._lines)
        self._columns = [Columns(1.0) for _ in self._lines]
        self._image = PlotImage()
        self._extremes: tuple[float, float] | None = None
        self._values: list[float | None] = [None for _ in self._lines]
        self._now = 0.0
        self._top = 1.0
        self._top_text = ""
        self._limit: float | None = None
        self._missing = ""
        self._is_alarming = False
        self._state: object = None
        self._said: object = None
        self._last_drawn: object = None
        self._about, self._ground = about, ground
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, bool(ground))
        self.setToolTip(about)
        self._cursor = math.nan
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setSizePolicy(policy)
        self._axis_lines: list[QLineF] = []
        self._restyle()
        theme.notifier().changed.connect(self._restyle)
        self._speak()

    @property
    def top(self) -> float:
        """The end of the scale."""
        return self._top

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
        for columns, one in zip(self._columns, series, strict=True):
            columns.take(*one)
        self._series, self._now = list(series), now
        state = (
            [None if value is None else float(value) for value in values],
            top,
            limit,
            missing,
            alarming,
        )
        drawn = self._drawn()
        if state == self._state and drawn == self._last_drawn:
            return
        if drawn != self._last_drawn:
            self._last_drawn = drawn
            self._measure()
        if missing != self._missing:
            self.setToolTip(missing or self._about)
        self._state = state
        begin = self._words.title_height  # the title stays as it is, mostly
        if top != self._top or not self._top_text:
            self._top_text, begin = self._text(top), 0
        self._values, self._top, self._limit, self._missing, self._is_alarming = state
        self._speak()
        self.update(0, begin, self.width(), self.height() - begin)

    def _drawn(self) -> object:
        """What tells whether the lines look as they did: the graph moves by whole columns."""
        return (
            self._columns[0].slot(self._now),
            *(
                (one.epoch, column.slot, column.least, column.most, str(column.last), column.breaks)
                for one in self._columns
                if one.items
                for column in (one.items[-1],)
            ),
        )

    def most(self) -> float:
        """The largest value that is shown; 0 where there is none."""
        return self._extremes[1] if self._extremes is not None else 0.0

    def most_of(self, series: Sequence[Series]) -> float:
        """The largest value of what is to be shown next; 0 where there is none."""
        for columns, one in zip(self._columns, series, strict=True):
            columns.take(*one)
        known = [pair[1] for one in self._columns if (pair := one.extremes()) is not None]
        return max(known, default=0.0)

    def set_cursor(self, ago: float) -> None:
        """Move the cursor to `ago` seconds before now; NaN: away."""
        if ago != self._cursor and not (math.isnan(ago) and math.isnan(self._cursor)):
            self._cursor = ago
            self._speak()
            self.update()

    def value_text(self) -> str:
        """What it says: now, or where the cursor is."""
        return ", ".join(" ".join(filter(None, part)) for part in self._parts)

    def _measure(self) -> None:
        """Find the least and the most of what is shown."""
        known = [pair for pair in (one.extremes() for one in self._columns) if pair is not None]
        self._extremes = (
            (min(pair[0] for pair in known), max(pair[1] for pair in known)) if known else None
        )

    # --- size and look -------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """Two lines of text and the graph."""
        return QSize(self._least + 40, self._graph_top + GRAPH_HEIGHT + 1)

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be read."""
        return QSize(self._least, self.sizeHint().height())

    def _restyle(self) -> None:
        look = theme.current()
        self._look, self._words = look, PlotWords(self._lines, self)
        self._graph_top = self._words.height
        self._least = max(LEAST_WIDTH, self._words.least_width(self._title))
        self._ground_colour = look.colour(self._ground) if self._ground else None
        self._rule, self._faint = look.colour("line"), look.colour("faint")
        self._axis_lines = []
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns are so many pixels wide."""
        self._axis_lines = []
        step = column_width(self.devicePixelRatioF())
        width = self._seconds * step / max(1, event.size().width())
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

    def _find_parts(self) -> list[tuple[str, str]]:
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
        self._parts = self._find_parts()
        words = self.value_text()
        if not math.isnan(self._cursor):
            words = self.tr("{value}, {time}").format(value=words, time=ago_text(self._cursor))
        name = self.tr("{title}: {value}").format(title=self._title, value=words)
        if name != self.accessibleName():
            self.setAccessibleName(name)
        said = (self._extremes, self._missing)
        if said != self._said:
            self._said = said
            self.setAccessibleDescription(self._description())

    def _description(self) -> str:
        if self._extremes is None:
            return self._missing
        least, most = self._extremes
        span = self.tr("{least} to {most} in the last minutes").format(
            least=self._text(least), most=self._text(most)
        )
        return f"{self._missing} {span}".strip()

    # --- painting ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint words, scale, lines and cursor."""
        with QPainter(self) as painter:
            if self._ground_colour is not None:
                painter.fillRect(event.rect(), self._ground_colour)
            self._words.paint(painter, self.width(), self._said_now(), event.rect().top())
            graph = QRectF(0, self._graph_top, self.width(), self.height() - self._graph_top - 1)
            painter.setPen(QPen(self._rule, 1))
            base = math.floor(graph.bottom()) + 0.5
            painter.drawLines(self._axis(graph, base))
            if self._limit is not None and 0 < self._limit < self._top:
                y = graph.bottom() - graph.height() * self._limit / self._top
                painter.setPen(QPen(self._faint, 1, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(0, y), QPointF(graph.right(), y))
            colours, shade = self._words.colours, self._words.shade
            self._image.paint(painter, graph, self._columns, self._now, self._top, colours, shade)
            if not math.isnan(self._cursor):
                self._paint_cursor(painter, graph)
            if self.hasFocus():
                paint_focus(painter, graph)

    def _said_now(self) -> Words:
        is_past = not math.isnan(self._cursor)
        return Words(
            self._title,
            ago_mark(self._cursor) if is_past else self._top_text,
            tuple(self._parts),
            is_past=is_past,
            is_missing=self._values[0] is None and not is_past,
            is_alarming=self._is_alarming,
        )

    def _axis(self, graph: QRectF, base: float) -> list[QLineF]:
        """The line of zero, with a mark at each minute."""
        if self._axis_lines and self._axis_lines[0].x2() == graph.right():
            return self._axis_lines
        marks = [
            math.floor(graph.right() - minute * MINUTE_S * graph.width() / self._seconds) + 0.5
            for minute in range(1, int(self._seconds / MINUTE_S))
        ]
        self._axis_lines = [
            QLineF(0, base, graph.right(), base),
            *(QLineF(x, base - 2, x, base) for x in marks),
        ]
        return self._axis_lines

    def _paint_cursor(self, painter: QPainter, graph: QRectF) -> None:
        x = graph.right() - self._cursor * graph.width() / self._seconds
        painter.setPen(QPen(self._look.colour("muted"), 1))
        painter.drawLine(QPointF(x, graph.top()), QPointF(x, graph.bottom()))
        for number, (times, values) in enumerate(self._series):
            value = self._at_cursor(times, values)
            if value is not None and self._top > 0:
                y = graph.bottom() - min(1.0, value / self._top) * graph.height()
                painter.setPen(QPen(self._look.colour("page"), 1))
                painter.setBrush(self._words.colours[number])
                painter.drawEllipse(QPointF(x, y), 3, 3)
