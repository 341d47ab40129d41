"""Widgets in columns of equal width, as many as there is room for."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class EvenGrid(QLayout):
    """Rows of equal columns, each at least as wide as the widest item must be.

    Args:
        gap: between columns; rows are `row_gap` apart.
        most: columns.
    """

    def __init__(self, parent: QWidget, gap: int, row_gap: int, most: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._row_gap, self._most = gap, row_gap, most
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item; None where there is none."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take an item away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """All the width that there is."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """A narrow one is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """How high it is in so many pixels of width."""
        return self._arrange(QRect(0, 0, width, 0), apply=False)

    def setGeometry(self, rect: QRect) -> None:
        """Put the items in their places."""
        super().setGeometry(rect)
        self._arrange(rect, apply=True)

    def sizeHint(self) -> QSize:
        """One row."""
        shown = self._shown()
        width = sum(item.sizeHint().width() + self._gap for item in shown) - self._gap
        return QSize(max(0, width), max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        """One column."""
        size = QSize(0, 0)
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def columns(self, width: int) -> int:
        """How many there are in so many pixels: rows as full as each other, where they can be."""
        shown = self._shown()
        least = max((item.minimumSize().width() for item in shown), default=1)
        room = max(1, (width + self._gap) // max(1, least + self._gap))
        room = min(room, self._most, max(1, len(shown)))
        rows = -(-len(shown) // room)
        return -(-len(shown) // rows) if rows else 1

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, apply: bool) -> int:
        shown = self._shown()
        columns = self.columns(rect.width())
        each = (rect.width() - self._gap * (columns - 1)) / columns
        y = rect.y()
        for first in range(0, len(shown), columns):
            row = shown[first : first + columns]
            height = max(item.sizeHint().height() for item in row)
            if apply:
                for number, item in enumerate(row):
                    left = rect.x() + round(number * (each + self._gap))
                    right = rect.x() + round(number * (each + self._gap) + each)
                    item.setGeometry(QRect(left, y, right - left, height))
            y += height + self._row_gap
        return max(0, y - self._row_gap - rect.y())
