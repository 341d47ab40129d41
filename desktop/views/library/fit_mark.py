"""The sign of a verdict: each has a form of its own, so that no colour has to be told apart."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.models.library.hub_words import Fit

SIZE: Final = 16
_PEN: Final = 1.6
COLOURS: Final = {
    Fit.FITS: "ok",
    Fit.TWO: "ok",
    Fit.BUILD: "ok",
    Fit.TOO_BIG: "danger",
    Fit.REFUSED: "muted",
    Fit.UNKNOWN: "muted",
    Fit.ASKED: "muted",
}


def paint_fit(painter: QPainter, area: QRect, fit: Fit) -> None:
    """Paint a verdict's sign in the middle of `area`.

    A full disc with a tick: fits; a ring with one: a build does. Two tiles with a tick: on several
    GPUs together. A box that something stands out of: too big. A crossed ring: not for this
    engine. Three dots: asked. A ring of dots: not known.
    """
    look = theme.current()
    colours = look.colour(COLOURS[fit]).name(), look.colour("page").name()
    picture = _rendered(fit, *colours, painter.device().devicePixelRatio())
    middle = area.center()
    painter.drawPixmap(middle.x() - SIZE // 2, middle.y() - SIZE // 2 + 1, picture)


@lru_cache(maxsize=64)
def _rendered(fit: Fit, colour: str, ground: str, scale: float) -> QPixmap:
    picture = QPixmap(round(SIZE * scale), round(SIZE * scale))
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw(painter, fit, QColor(colour), QColor(ground))
    return picture


def _draw(painter: QPainter, fit: Fit, colour: QColor, ground: QColor) -> None:
    pen = QPen(colour, _PEN, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    match fit:
        case Fit.FITS:
            painter.setBrush(colour)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(QRectF(1, 1, 14, 14))
            _tick(painter, ground)
        case Fit.TWO:
            painter.drawRoundedRect(QRectF(5.5, 1, 9.5, 9.5), 2, 2)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(1, 5, 10, 10), 2, 2)
            _tick(painter, ground, QPointF(-2, 2), 0.78)
        case Fit.BUILD:
            painter.drawEllipse(QRectF(1.5, 1.5, 13, 13))
            _tick(painter, colour)
        case Fit.TOO_BIG:
            painter.drawRect(QRectF(1.5, 8, 13, 6.5))
            painter.drawLine(QPointF(8, 11.5), QPointF(8, 1.5))
            painter.drawLine(QPointF(5, 4.5), QPointF(8, 1.5))
            painter.drawLine(QPointF(11, 4.5), QPointF(8, 1.5))
        case Fit.REFUSED:
            painter.drawEllipse(QRectF(1.5, 1.5, 13, 13))
            painter.drawLine(QPointF(3.8, 3.8), QPointF(12.2, 12.2))
        case Fit.ASKED:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(colour))
            for x in (3.0, 8.0, 13.0):
                painter.drawEllipse(QPointF(x, 8), 1.5, 1.5)
        case _:
            pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawEllipse(QRectF(1.5, 1.5, 13, 13))


def _tick(
    painter: QPainter, colour: QColor, shift: QPointF | None = None, scale: float = 1.0
) -> None:
    shift = shift or QPointF(0, 0)
    painter.setPen(QPen(colour, _PEN, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    middle = QPointF(8, 8)
    points = [QPointF(4.8, 8.3), QPointF(7.1, 10.6), QPointF(11.4, 5.8)]
    painter.drawPolyline([middle + (point - middle) * scale + shift for point in points])


class FitMark(QWidget):
    """The sign as a widget; the words stand beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fit = Fit.ASKED
        self.setFixedSize(QSize(SIZE + 2, SIZE + 2))
        theme.notifier().changed.connect(self.update)

    @property
    def fit(self) -> Fit:
        """What it shows."""
        return self._fit

    def show_fit(self, fit: Fit) -> None:
        """Show another."""
        self._fit = fit
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        del event
        with QPainter(self) as painter:
            paint_fit(painter, self.rect(), self._fit)
