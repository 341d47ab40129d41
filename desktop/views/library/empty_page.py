"""What stands where there is nothing yet: a sign, a few words, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon

ICON_SIZE: Final = 40
WIDTH: Final = 380  # pixels of its words


class EmptyPage(QWidget):
    """See the module."""

    def __init__(self, sign: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._sign = sign
        self._mark = QLabel()
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.title = plain_label(title, "title")
        self.text = plain_label(text, "muted")
        for label in (self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        inside = QWidget()
        inside.setMaximumWidth(WIDTH)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        column.addWidget(self._mark)
        column.addWidget(self.title)
        column.addWidget(self.text)
        self._buttons = QWidget()
        self._flow = FlowLayout(self._buttons, space.s)
        column.addSpacing(space.s)
        row = QVBoxLayout()
        row.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(row)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(inside, 1000)  # as wide as it may be
        across.addStretch(1)
        layout.addLayout(across)
        layout.addStretch(3)
        theme.notifier().changed.connect(self._draw)
        self._draw()

    def say(self, title: str, text: str) -> None:
        """Other words."""
        self.title.setText(title)
        self.text.setText(text)

    def add_button(self, label: str, slot: Callable[[], object], kind: str = "") -> QWidget:
        """Offer something to do."""
        button = push_button(label, slot, kind)
        self._flow.addWidget(button)
        self._buttons.setMinimumWidth(self._wanted_width())
        return button

    def _wanted_width(self) -> int:
        items = [self._flow.itemAt(number) for number in range(self._flow.count())]
        widths = [item.sizeHint().width() for item in items if item is not None]
        gaps = theme.current().space.s * (len(widths) - 1)
        return min(WIDTH, sum(widths) + gaps)

    def _draw(self) -> None:
        self._mark.setPixmap(icon(self._sign, "faint").pixmap(ICON_SIZE, ICON_SIZE))
