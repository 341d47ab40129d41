"""A chat's number on its colour. Drawn once and kept: lists paint them a hundred times a second."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap

from desktop import theme

_KEPT: Final = 512
_PAD: Final = 4  # pixels beside the digits


def badge_width(height: int, number: int) -> int:
    """How wide a badge is: a square, unless its digits need more."""
    return _width(theme.current(), height, number)


def paint_badge(
    painter: QPainter, place: QRect, number: int, height: int, *, is_faint: bool = False
) -> int:
    """Paint a badge at the left of a place, in the middle of its height.

    Args:
        number: a chat's. is_faint: in a frame of its colour, for a chat that is only cached.

    Returns:
        its width.
    """
    look = theme.current()
    scale = painter.device().devicePixelRatio()
    pixmap = _drawn(look, number, height, scale, is_faint)
    top = place.y() + (place.height() - height) // 2
    painter.drawPixmap(QPointF(place.x(), top), pixmap)
    return _width(look, height, number)


def _font_size(look: theme.Theme) -> float:
    return look.small * 0.9


@lru_cache(maxsize=_KEPT)
def _width(look: theme.Theme, height: int, number: int) -> int:
    metrics = QFontMetrics(look.figure_font(_font_size(look)))
    return max(height, metrics.horizontalAdvance(str(number)) + 2 * _PAD)


@lru_cache(maxsize=_KEPT)
def _drawn(look: theme.Theme, number: int, height: int, scale: float, is_faint: bool) -> QPixmap:
    width = _width(look, height, number)
    pixmap = QPixmap(round(width * scale), round(height * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    place = QRectF(0, 0, width, height)
    colour = look.chat_colour(number)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_faint:
            painter.setPen(QPen(colour, 1.5))
            painter.drawRoundedRect(place.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3)
            painter.setPen(look.colour("muted"))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(place, 3, 3)
            painter.setPen(look.chat_ink(number))
        painter.setFont(look.figure_font(_font_size(look)))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(number))
    return pixmap
