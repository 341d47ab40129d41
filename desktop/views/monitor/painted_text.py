"""A text that changes four times a second and never makes its surroundings lay themselves out."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme

_LEFT = Qt.AlignmentFlag.AlignLeft
_WRAP = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)


class PaintedText(QWidget):
    """A label with digits of one width, as large as its widest text would be.

    A `QLabel` tells all layouts above it whenever its text changes.

    Args:
        widest: a text as long as any that will be shown.
        role: the colour token.
        side: where it stands. wraps: it may take several lines, from the left.
    """

    def __init__(
        self,
        widest: str,
        role: str = "text",
        side: Qt.AlignmentFlag = _LEFT,
        *,
        wraps: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._widest, self._role, self._wraps = widest, role, wraps
        self._align = _WRAP if wraps else int(side | Qt.AlignmentFlag.AlignVCenter)
        self._text = ""
        across = QSizePolicy.Policy.Ignored if wraps else QSizePolicy.Policy.Fixed
        # "Fixed" would keep it to one line, whatever its height for a width.
        down = QSizePolicy.Policy.Preferred if wraps else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(across, down)
        policy.setHeightForWidth(wraps)
        self.setSizePolicy(policy)
        theme.notifier().changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """What it says."""
        return self._text

    def show_text(self, text: str) -> None:
        """Say something."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def _restyle(self) -> None:
        self.setFont(theme.current().figure_font())
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Where it wraps."""
        return self._wraps

    def heightForWidth(self, width: int) -> int:
        """As high as the widest text, so that nothing jumps."""
        metrics = QFontMetrics(self.font())
        if not self._wraps:
            return metrics.height()
        room = QRect(0, 0, max(1, width), 10_000)
        return metrics.boundingRect(room, _WRAP, self._widest).height()

    def sizeHint(self) -> QSize:
        """As the widest text."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._widest) + 1, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """One that wraps gives way."""
        hint = self.sizeHint()
        return QSize(1, hint.height()) if self._wraps else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        del event
        with QPainter(self) as painter:
            painter.setFont(self.font())
            painter.setPen(theme.current().colour(self._role))
            painter.drawText(self.rect(), self._align, self._text)
