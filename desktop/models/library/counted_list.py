"""A list whose length Qt itself keeps.

A QListView that lays its rows out asks the model for each of them whether it is there. Of 5,000
rows that is 5,000 calls into Python for every page of results that is appended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QModelIndex, QObject, QStringListModel

T = TypeVar("T")


class CountedList(QStringListModel, Generic[T]):
    """The rows are Python's; Qt has as many empty strings.

    The rows follow Qt's strings: the model hears first of what became of these, so that whoever
    else hears of it finds both alike, before and after.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[T] = []
        self._coming: list[T] = []
        self.modelReset.connect(self._on_reset)
        self.rowsInserted.connect(self._on_inserted)
        self.rowsRemoved.connect(self._on_removed)

    def _reset_rows(self, rows: Sequence[T]) -> None:
        """Have these in place of all."""
        self._coming = list(rows)
        self.setStringList([""] * len(rows))

    def _insert_rows(self, first: int, rows: Sequence[T]) -> None:
        """Have these, too, the first of them at `first`."""
        if rows:
            self._coming = list(rows)
            self.insertRows(first, len(rows))

    def _remove_rows(self, first: int, count: int) -> None:
        """Have `count` rows less, from `first` on."""
        if count:
            self.removeRows(first, count)

    def _on_reset(self) -> None:
        self._rows, self._coming = self._coming, []

    def _on_inserted(self, _parent: QModelIndex, first: int, _last: int) -> None:
        self._rows[first:first], self._coming = self._coming, []

    def _on_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        del self._rows[first : last + 1]
