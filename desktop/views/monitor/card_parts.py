"""What the cards are made of: heads, notes, plots whose cursors move together."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop import theme
from desktop.views.elided_label import ElidedLabel
from desktop.views.flow_layout import FlowLayout
from desktop.views.monitor.plot import Plot


class CardHead(QWidget):
    """What a card is of, and beside or below it what more there is to know."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel()
        self._aside = ElidedLabel()
        self._aside.setProperty("role", "muted")
        row = FlowLayout(self, theme.current().space.s)
        for label in (self._title, self._aside):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            row.addWidget(label)
        self._restyle()
        theme.notifier().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self._title.setFont(theme.current().text_font(weight=QFont.Weight.DemiBold))

    def show_words(self, title: str, aside: str = "", tip: str = "") -> None:
        """Show these."""
        if title != self._title.text():
            self._title.setText(title)
        if aside != self._aside.text():
            self._aside.setText(aside)
            self._aside.setVisible(bool(aside))
        if tip != self.toolTip():
            self.setToolTip(tip)

    def words(self) -> str:
        """What it says."""
        return ", ".join(filter(None, (self._title.text(), self._aside.text())))


class Note(QLabel):
    """A sentence that is there only when there is something to say."""

    def __init__(self, role: str = "muted", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    def say(self, text: str) -> None:
        """Say this; nothing hides it."""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
            self.setVisible(bool(text))


class CursorGroup(QObject):
    """Moves the cursors of several plots together: one moment, all readings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plots: list[Plot] = []
        self._ago = math.nan

    def add(self, plots: Iterable[Plot]) -> None:
        """These move along."""
        for plot in plots:
            self._plots.append(plot)
            plot.cursor_moved.connect(self._move)

    def remove(self, plots: Iterable[Plot]) -> None:
        """These are going away."""
        for plot in plots:
            self._plots.remove(plot)
            plot.cursor_moved.disconnect(self._move)

    def _move(self, ago: float) -> None:
        for plot in self._plots:
            plot.set_cursor(ago)
