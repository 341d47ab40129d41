"""Draws a text with the letters in bold that were typed to find it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout

from desktop import theme
from desktop.chats.markdown.utf16 import utf16_length


def draw_found(painter: QPainter, area: QRect, text: str, places: set[int]) -> None:
    """`text`, the letters at `places` in bold; cut at the end where there is no room.

    As one layout, so that scripts that join letters or run from the right stay whole.
    """
    look = theme.current()
    strong = look.text_font(weight=QFont.Weight.DemiBold)
    metrics = QFontMetrics(strong if places else look.text_font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    layout = QTextLayout(shown, look.text_font())
    bold = QTextCharFormat()
    bold.setFont(strong)
    ranges = []
    for place in places:
        start = utf16_length(text[:place])
        if start < utf16_length(shown):
            one = QTextLayout.FormatRange()
            one.start, one.length, one.format = start, utf16_length(text[place]), bold
            ranges.append(one)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(area.width())
    layout.endLayout()
    painter.setPen(look.colour("text"))
    top = area.top() + (area.height() - line.height()) / 2
    layout.draw(painter, QPointF(area.left(), top))
