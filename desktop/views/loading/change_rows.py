"""The planner's changes, a row each: what it is, what it brings, and a button that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from desktop import theme
from desktop.models.loading.load_words import change_gain
from desktop.models.loading.planner_words import change_text

if TYPE_CHECKING:
    from engine.planner.answer import Change


class ChangeRows(QWidget):
    """See the module. What no button can do (closing a program) is said without one.

    Signals:
        wanted: the `Change` to make.
    """

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._changes: tuple[Change, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space.s)
        self._grid.setVerticalSpacing(space.s)
        self._grid.setColumnStretch(0, 1)

    def buttons(self) -> list[QPushButton]:
        """Those that make a change, from the top."""
        items = (self._grid.itemAtPosition(row, 1) for row in range(self._grid.rowCount()))
        found = (item.widget() for item in items if item is not None)
        return [widget for widget in found if isinstance(widget, QPushButton)]

    def show_changes(self, changes: Sequence[Change]) -> bool:
        """Show these; whether they are others than before."""
        if tuple(changes) == self._changes:
            return False
        self._changes = tuple(changes)
        while (item := self._grid.takeAt(0)) is not None:
            gone = item.widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        for row, change in enumerate(self._changes):
            label, gain = change_text(change), change_gain(change)
            words = QLabel(f"{label}\n{gain}" if gain else label)
            words.setTextFormat(Qt.TextFormat.PlainText)
            words.setWordWrap(True)
            words.setProperty("role", "small")
            self._grid.addWidget(words, row, 0)
            if change.wish is None:
                continue
            button = QPushButton(self.tr("Apply"))
            button.setAutoDefault(False)
            button.setAccessibleName(self.tr("Apply: {change}").format(change=label))
            button.setAccessibleDescription(gain)
            button.clicked.connect(partial(self._on_clicked, change))
            self._grid.addWidget(button, row, 1, Qt.AlignmentFlag.AlignTop)
        self.setVisible(bool(self._changes))
        return True

    def _on_clicked(self, change: Change, _checked: bool = False) -> None:
        self.wanted.emit(change)
