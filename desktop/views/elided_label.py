"""A line of text that gives way: what has no room is left out in the middle."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """A label of one line that may be narrower than its text; `text()` is all of it.

    What is left out is in its tool tip.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """As high as a line, as narrow as need be."""
        return QSize(0, super().minimumSizeHint().height())

    def shown(self) -> str:
        """The text as there is room for it."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)

    def event(self, event: QEvent) -> bool:
        """The tool tip has what is left out."""
        if event.type() is QEvent.Type.ToolTip:
            self.setToolTip(self.text() if self.shown() != self.text() else "")
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what there is room for."""
        del event
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter,
                self.contentsRect(),
                int(self.alignment()),
                self.palette(),
                self.isEnabled(),
                self.shown(),
                self.foregroundRole(),
            )
