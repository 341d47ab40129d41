"""A line of figures under an answer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme
from desktop.views import icons

_ICON = QSize(16, 16)
_WRAP = int(Qt.TextFlag.TextWordWrap)


_BETWEEN = " · "
_FIGURE = 24  # characters; longer pieces are sentences, and wrap


def unbroken(text: str) -> str:
    """`text` so that it wraps between its figures alone: "9.8 tokens/s" stays together."""
    pieces = [
        piece.replace(" ", "\u00a0").replace("/", "/\u2060") if len(piece) <= _FIGURE else piece
        for piece in text.split(_BETWEEN)
    ]
    return "\u00a0· ".join(pieces)


class FooterLine(QWidget):
    """Text that wraps, with a sign before it where colour must not be alone."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = self._drawn = ""
        self._colour = "muted"
        self._sign = ""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str, colour: str, *, sign: str) -> None:
        """Show `text` in a colour token, after the icon `sign` if one is named."""
        self.text, self._colour, self._sign = text, colour, sign
        self._drawn = unbroken(text)
        self.setFont(theme.current().figure_font())
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The room for one line."""
        return QSize(self._left + self.fontMetrics().horizontalAdvance(self._drawn), self._least)

    def minimumSizeHint(self) -> QSize:
        """The least room that makes sense."""
        return QSize(80, self._least)

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height for a width, in pixels."""
        room = QRect(0, 0, max(width - self._left, 40), 1 << 20)
        bounds = self.fontMetrics().boundingRect(room, _WRAP, self._drawn)
        return max(self._least, bounds.height() + 2 * self._padding)

    @property
    def _padding(self) -> int:
        return theme.current().space.xs + 1

    @property
    def _least(self) -> int:
        return self.fontMetrics().height() + 2 * self._padding

    @property
    def _left(self) -> int:
        return _ICON.width() + theme.current().space.s if self._sign else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        del event
        with QPainter(self) as painter:
            painter.setPen(theme.current().colour(self._colour))
            if self._sign:
                top = self._padding + (self.fontMetrics().height() - _ICON.height()) // 2
                icons.icon(self._sign, self._colour).paint(painter, QRect(QPoint(0, top), _ICON))
            room = self.rect().adjusted(self._left, self._padding, 0, -self._padding)
            painter.drawText(room, _WRAP, self._drawn)
