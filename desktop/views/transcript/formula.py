"""Formulas as outlines: measured and painted at any size, in the text's colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from desktop.chats.markdown.typesetting import UNITS, Drawing, Shape, Stroke, Words, typeset

OBJECT_TYPE: Final = QTextFormat.ObjectTypes.UserObject.value + 1
_SOURCE: Final = QTextFormat.Property.UserProperty.value + 1
_SIZE: Final = QTextFormat.Property.UserProperty.value + 2
_ASCENT: Final = QTextFormat.Property.UserProperty.value + 3
_X_HEIGHT: Final = 0.473  # of the typeface of formulas, in ems
_WORD_PIXELS: Final = 100  # words are painted at this size, then scaled
_TOKEN = re.compile(r"[MLCZ]|-?\d+(?:\.\d+)?")


def size_beside(font: QFont) -> float:
    """The size, in pixels an em, at which small letters are as high as those of `font`."""
    return QFontMetricsF(font).xHeight() / _X_HEIGHT


def extent(drawing: Drawing, size: float) -> tuple[float, float, float]:
    """Width, ascent and depth of a formula, in pixels, at a size in pixels an em."""
    scale = size / UNITS
    return drawing.width * scale, drawing.ascent * scale, drawing.depth * scale


def paint(painter: QPainter, drawing: Drawing, origin: QPointF, size: float, ink: QColor) -> None:
    """Paint a formula whose baseline begins at `origin`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(origin)
    painter.scale(size / UNITS, -size / UNITS)
    for path, colour in _paths(drawing):
        painter.fillPath(path, QColor(colour) if colour else ink)
    for shape in drawing.shapes:
        if isinstance(shape, Stroke):
            painter.setPen(QPen(QColor(shape.colour) if shape.colour else ink, shape.width))
            painter.drawLine(QLineF(shape.x1, shape.y1, shape.x2, shape.y2))
        elif isinstance(shape, Words):
            _paint_words(painter, shape, ink)
    painter.restore()


def _paint_words(painter: QPainter, words: Words, ink: QColor) -> None:
    """Paint text in the middle of its room, smaller where it would not fit."""
    font = QFont(painter.font())
    font.setPixelSize(_WORD_PIXELS)
    advance = QFontMetricsF(font).horizontalAdvance(words.text)
    scale = min(words.size / _WORD_PIXELS, words.width / max(advance, 1))
    painter.save()
    painter.translate(words.x + (words.width - advance * scale) / 2, words.y)
    painter.scale(scale, -scale)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(QPointF(0, 0), words.text)
    painter.restore()


@lru_cache(maxsize=512)
def _paths(drawing: Drawing) -> tuple[tuple[QPainterPath, str], ...]:
    """The filled outlines of a formula, those of one colour together."""
    by_colour: dict[str, QPainterPath] = {}
    for shape in drawing.shapes:
        if isinstance(shape, Shape):
            path = by_colour.setdefault(shape.colour, QPainterPath())
            path.setFillRule(Qt.FillRule.WindingFill)
            _add(path, shape)
    return tuple((path, colour) for colour, path in by_colour.items())


def _add(path: QPainterPath, shape: Shape) -> None:
    def points(count: int) -> Iterator[QPointF]:
        for _ in range(count):
            x, y = float(next(tokens)), float(next(tokens))
            yield QPointF(shape.x + x * shape.scale, shape.y + y * shape.scale)

    tokens = iter(_TOKEN.findall(shape.d))
    for command in tokens:
        match command:
            case "M":
                path.moveTo(*points(1))
            case "L":
                path.lineTo(*points(1))
            case "C":
                path.cubicTo(*points(3))
            case _:
                path.closeSubpath()


def inline_format(look: QTextCharFormat, source: str) -> QTextCharFormat:
    """How a formula within text is held in a document: as one object, on the baseline.

    Qt lets an object reach below the baseline as far as its font does, and no further: so
    it is given a font that reaches far enough.
    """
    result = QTextCharFormat(look)
    size = size_beside(look.font())
    result.setObjectType(OBJECT_TYPE)
    result.setProperty(_SOURCE, source)
    result.setProperty(_SIZE, size)
    # As high as the text at least: so cells of a row share a baseline.
    result.setProperty(_ASCENT, QFontMetricsF(look.font()).ascent())
    result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    drawing = typeset(source)
    if drawing is not None:
        depth = extent(drawing, size)[2]
        font = QFont(look.font())
        while 0 < QFontMetrics(font).descent() < depth:
            font.setPointSizeF(font.pointSizeF() * max(1.05, depth / QFontMetrics(font).descent()))
        result.setFont(font)
    return result


class FormulaObject(QPyTextObject):
    """Lays out and paints the formulas of a document."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: N803
        """The room that a formula takes."""
        del doc, posInDocument
        drawing = typeset(str(format.property(_SOURCE)))
        if drawing is None:
            return QSizeF(0, 0)
        width, ascent, depth = extent(drawing, float(format.property(_SIZE)))
        below = QFontMetrics(format.toCharFormat().font()).descent()
        return QSizeF(width, max(ascent, float(format.property(_ASCENT))) + max(below, depth))

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,  # noqa: N803
        format: QTextFormat,
    ) -> None:
        """Paint a formula."""
        del doc, posInDocument
        drawing = typeset(str(format.property(_SOURCE)))
        if drawing is None:
            return
        look = format.toCharFormat()
        if look.background().style() != Qt.BrushStyle.NoBrush:
            painter.fillRect(QRectF(rect), look.background())
        below = QFontMetrics(look.font()).descent()
        size = float(format.property(_SIZE))
        origin = QPointF(rect.left(), QRectF(rect).bottom() - max(below, extent(drawing, size)[2]))
        paint(painter, drawing, origin, size, look.foreground().color())
