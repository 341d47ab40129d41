"""A list of many rows that paints only what has to be painted."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QListView, QWidget

from desktop import theme


class LongList(QListView):
    """See the module. It stands on the colour of the library's pages.

    It paints its own ground: Qt then moves what is painted when the list is scrolled, where it
    would paint a list that shows its parent's ground from edge to edge with each step.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._due = QRegion()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def is_due(self, rect: QRect) -> bool:
        """Whether any of `rect` is painted by the paint event under way.

        Qt has all rows painted from the first that changed to the last: when one scrolls, from
        the one that the mouse is on to those that come into sight.
        """
        return self._due.intersects(rect)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and on it the rows."""
        self._due = event.region()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.current().colour("page"))
        super().paintEvent(event)
