"""The ring around what has the focus, where a widget paints itself."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from desktop import theme


def paint_focus(painter: QPainter, around: QRectF) -> None:
    """Paint it within a rectangle that holds no text."""
    look = theme.current()
    inset = look.ring / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.colour("accent"), look.ring))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    ring = around.adjusted(inset, inset, -inset, -inset)
    painter.drawRoundedRect(ring, look.radius_small, look.radius_small)
    painter.restore()
