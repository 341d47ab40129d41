"""A displayed formula: centred, scrolled sideways where it is wider than the column."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Formula, Part
from desktop.chats.markdown.typesetting import Drawing, typeset
from desktop.views.transcript.document_builder import indent_of
from desktop.views.transcript.formula import extent, paint, size_beside
from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.sideways import SidewaysBar


class FormulaBlock(PartWidget):
    """Shows a Formula. It is selected as a whole, and copied as its source."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing: Drawing | None = None
        self._size = 0.0
        self._indent = 0
        self._bar = SidewaysBar(self)

    def show_part(self, part: Part, width: int, *, growing: bool) -> int:
        """Lay the part out."""
        del growing
        if not isinstance(part, Formula):
            raise TypeError(f"a formula block cannot show {type(part).__name__}")
        PartWidget.layouts += 1
        tokens = theme.current()
        if part != self.part:
            self._bar.setValue(0)
        self.part = part
        self.setAccessibleName(part.source)
        self._drawing = typeset(part.source)
        self._size = size_beside(tokens.text_font())
        self._indent = round(indent_of(part.nest, tokens))
        content, ascent, depth = self._extent
        self._bar.fit(math.ceil(content), width - self._indent, round(2 * tokens.em))
        self.update()
        return max(1, math.ceil(ascent + depth) + 2 * tokens.space.xs + self._bar.room)

    @property
    def _extent(self) -> tuple[float, float, float]:
        return extent(self._drawing, self._size) if self._drawing is not None else (0.0, 0.0, 0.0)

    @property
    def _left(self) -> float:
        """Where the formula begins."""
        room = self.width() - self._indent - self._extent[0]
        return self._indent + (max(0.0, room / 2) if room > 0 else -self._bar.value())

    def position_at(self, point: QPoint) -> int:
        """The nearest end."""
        return 0 if point.x() < self._left + self._extent[0] / 2 else self.length

    def word_at(self, position: int) -> tuple[int, int]:
        """The whole formula."""
        del position
        return 0, self.length

    def focus_stops(self) -> list[QWidget]:
        """The scroll bar, where there is one."""
        return self._bar.stops()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._bar.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways."""
        self._bar.take_wheel(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the formula, and what marks it."""
        del event
        if self._drawing is None:
            return
        tokens = theme.current()
        width, ascent, depth = self._extent
        with QPainter(self) as painter:
            painter.setClipRect(self.rect().adjusted(self._indent, 0, 0, 0))
            top = tokens.space.xs
            if self.selection[0] < self.selection[1]:
                box = QRectF(self._left, top, width, ascent + depth)
                painter.fillRect(box, QColor(tokens.selection))
            origin = QPointF(self._left, top + ascent)
            paint(painter, self._drawing, origin, self._size, QColor(tokens.text))
            if self._bar.hasFocus():
                painter.setPen(QPen(QColor(tokens.accent), tokens.ring))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
