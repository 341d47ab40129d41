"""A few figures in one line that change often: painted, so that no layout is told of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop import theme


class FactsText(QWidget):
    """As wide as there is room for; at the right, in the small figures, cut where it is too long.

    A `QLabel` tells all layouts above it whenever its text changes.
    """

    def __init__(self, widest: str = "", parent: QWidget | None = None) -> None:
        """`widest`: so much room it wants at least; nothing moves then."""
        super().__init__(parent)
        self._text = ""
        self._widest = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.set_widest(widest)
        theme.notifier().changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        """What it says, all of it."""
        return self._text

    def show_text(self, text: str) -> None:
        """Say something else."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.setToolTip("")
            self.update()

    def set_widest(self, text: str) -> None:
        """Another room."""
        if text != self._widest:
            self._widest = text
            across = QSizePolicy.Policy.Fixed if text else QSizePolicy.Policy.Ignored
            self.setSizePolicy(across, QSizePolicy.Policy.Preferred)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """A line."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._widest) + 1, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """It gives way, unless it has a room of its own."""
        return QSize(self.sizeHint().width() if self._widest else 0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        del event
        metrics = QFontMetrics(self.font())
        shown = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        align = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        with QPainter(self) as painter:
            painter.setPen(theme.current().colour("muted"))
            painter.drawText(self.rect(), align, shown)

    def _restyle(self) -> None:
        self.setFont(theme.current().figure_font())
        self.updateGeometry()
        self.update()
