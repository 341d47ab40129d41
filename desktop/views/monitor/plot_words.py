"""What stands above a plot's graph: its title and scale, its values, the names of its lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QStaticText
from PySide6.QtWidgets import QWidget

from desktop import theme

MOST_TEXTS: Final = 64
SHADE: Final = 0.16  # of the ground below a line


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a plot: its name ("" where there is but one), and its colour's role.

    The first has its ground shaded, so that no colour is needed to tell it from the second.
    """

    name: str = ""
    role: str = "accent"


@dataclass(frozen=True, slots=True)
class Words:
    """What is to be said.

    Attributes:
        aside: at the title's right, where there is room: the end of the scale; or, with
            `is_past`, how long ago, which must have room.
        parts: name and value of each line; no name where there is but one.
        is_missing: there is no value, and the parts say so.
    """

    title: str
    aside: str
    parts: tuple[tuple[str, str], ...]
    is_past: bool = False
    is_missing: bool = False
    is_alarming: bool = False


class PlotWords:
    """See the module; for the look that is in force when it is made.

    Attributes:
        height: pixels that the words take; title_height: that the first line takes.
        colours: of the lines; the ground of the first has the `shade`.
    """

    def __init__(self, lines: Sequence[Line], widget: QWidget) -> None:
        look = theme.current()
        self._space = look.space
        self._texts: dict[tuple[str, bool, int], QStaticText] = {}
        self._small: QFont = look.figure_font(look.small)
        self._figures: QFont = look.figure_font(look.body)
        self._small_metrics = QFontMetrics(self._small, widget)
        self._metrics = QFontMetrics(self._figures, widget)
        self.title_height = self._small_metrics.height()
        named = sum(bool(line.name) for line in lines)
        rows = named * self.title_height if named else self._metrics.height()
        self.height = self.title_height + rows + 2
        self.colours = [look.colour(line.role) for line in lines]
        self.shade = QColor(self.colours[0])
        self.shade.setAlphaF(SHADE)
        self._muted, self._faint = look.colour("muted"), look.colour("faint")
        self._ink, self._warning = look.colour("text"), look.colour("warning")

    def least_width(self, title: str) -> int:
        """Pixels for a title, and for a value of the usual length with its mark."""
        small, large = self._small_metrics, self._metrics
        return max(small.horizontalAdvance(title), large.horizontalAdvance("▲ 8,888 MHz"))

    def paint(self, painter: QPainter, width: float, words: Words, below: int = 0) -> None:
        """Paint the words from the left upper corner on; only what reaches lower than `below`."""
        if below < self.title_height:
            self._paint_title(painter, width, words)
        top = float(self.title_height)
        for number, (name, value) in enumerate(words.parts):
            if name:
                top = self._paint_named(painter, top, width, number, name, value)
            else:
                self._paint_value(painter, top, width, value, words)

    def _paint_title(self, painter: QPainter, width: float, words: Words) -> None:
        ink = self._muted if words.is_past else self._faint
        title = self._written(words.title, self._small, width)
        aside = self._written(words.aside, self._small, width)
        room = width - aside.size().width() - self._space.xs
        painter.setFont(self._small)
        if title.size().width() <= room or words.is_past:
            painter.setPen(ink)
            painter.drawStaticText(QPointF(width - aside.size().width(), 0), aside)
            title = self._written(words.title, self._small, room)
        painter.setPen(self._muted)
        painter.drawStaticText(QPointF(0, 0), title)

    def _paint_named(
        self, painter: QPainter, top: float, width: float, number: int, name: str, value: str
    ) -> float:
        """A line's name and value; where the next one begins."""
        height = self.title_height
        left = self._paint_key(painter, top + height / 2, number)
        painter.setFont(self._small)
        figure = self._written(value, self._small, width)
        at = width - figure.size().width()
        painter.setPen(self._ink)
        painter.drawStaticText(QPointF(at, top), figure)
        painter.setPen(self._muted)
        word = self._written(name, self._small, at - left - self._space.xs)
        painter.drawStaticText(QPointF(left, top), word)
        return top + height

    def _paint_value(
        self, painter: QPainter, top: float, width: float, value: str, words: Words
    ) -> None:
        """The only value, or that there is none."""
        height = self._metrics.height()
        left = self._paint_mark(painter, top, height) if words.is_alarming else 0.0
        font = self._small if words.is_missing else self._figures
        painter.setFont(font)
        ink = self._warning if words.is_alarming else self._ink
        painter.setPen(self._muted if words.is_missing else ink)
        shown = self._written(value, font, width - left)
        painter.drawStaticText(QPointF(left, top + (height - shown.size().height()) / 2), shown)

    def _written(self, text: str, font: QFont, room: float) -> QStaticText:
        """As much of a text as there is room for; laid out once, as most texts come again."""
        key = (text, font is self._small, int(room))
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            metrics = self._small_metrics if font is self._small else self._metrics
            found = QStaticText(
                metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, math.ceil(room)))
            )
            found.setTextFormat(Qt.TextFormat.PlainText)
            found.prepare(font=font)
            self._texts[key] = found
        return found

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
        return side + self._space.xs

    def _paint_key(self, painter: QPainter, y: float, number: int) -> float:
        """A piece of the line that a name stands for; where the name begins."""
        width = float(self._space.m)
        if number == 0:
            painter.fillRect(QRectF(0, y, width, 4), self.shade)
        painter.fillRect(QRectF(0, y - 1, width, 2), self.colours[number])
        return width + self._space.xs
