"""Words in rows of a list: measured once, drawn without being laid out as a paragraph.

What a list of thousands costs is its text. `QPainter.drawText` with a rectangle breaks lines and
measures anew with each paint, and a cut text is measured twice more before it is cut.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from desktop.theme import Theme

KEPT: Final = 4000  # widths of words, some 100 bytes each


class Words(NamedTuple):
    """Words as they fit into their room, and how wide they are, in pixels."""

    text: str
    width: int


class Inks(dict[str, QColor]):
    """A theme's colours, each read once."""

    def __init__(self, look: Theme) -> None:
        super().__init__()
        self._look = look

    def __missing__(self, role: str) -> QColor:
        """Read it."""
        colour = self[role] = self._look.colour(role)
        return colour


class Face:
    """A font, with what was measured in it."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)
        self.height = self.metrics.height()
        self._ascent = self.metrics.ascent()
        self._widths: dict[str, int] = {}

    def width(self, text: str) -> int:
        """Of words in one line, in pixels."""
        known = self._widths.get(text)
        if known is None:
            if len(self._widths) >= KEPT:
                self._widths.clear()
            known = self._widths[text] = self.metrics.horizontalAdvance(text)
        return known

    def fitted(
        self, text: str, room: int, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> Words:
        """As much of the words as has room."""
        width = self.width(text)
        if width <= room:
            return Words(text, width)
        cut = self.metrics.elidedText(text, mode, max(0, room))
        return Words(cut, self.metrics.horizontalAdvance(cut))

    def joined(self, parts: list[str], between: str, room: int) -> Words:
        """Whole parts only, as many as have room: one that is cut reads like another."""
        gap = self.width(between)
        shown: list[str] = []
        taken = -gap
        for part in parts:
            longer = taken + gap + self.width(part)
            if longer > room:
                break
            shown.append(part)
            taken = longer
        if not shown and parts:
            return self.fitted(parts[0], room)
        return Words(between.join(shown), max(0, taken))

    def draw(self, painter: QPainter, area: QRect, text: str) -> None:
        """One line from the left of `area`, in its middle, in the pen's colour."""
        if text:
            painter.setFont(self.font)
            base = area.top() + (area.height() - self.height) // 2 + self._ascent
            painter.drawText(QPointF(area.left(), base), text)
