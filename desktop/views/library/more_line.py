"""The line below the results: more is coming, or could not be had."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop import theme
from desktop.models.library.hub_faults import Fault, Way, way_text
from desktop.views.dialog_parts import plain_label, push_button


class MoreLine(QWidget):
    """Hidden while there is nothing to say.

    Signals:
        retry_wanted: the next page is to be asked for again.
    """

    retry_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = plain_label("", "muted")
        self.button = push_button(way_text(Way.RETRY), self.retry_wanted.emit)
        space = theme.current().space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.s, 0, space.s, 0)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.hide()

    def show_stand(self, fault: Fault | None, *, is_adding: bool) -> None:
        """Why the next page did not come, or that it is on its way."""
        self.button.setVisible(fault is not None)
        if fault is not None:
            self.words.setText(f"{fault.title}. {fault.text}")
        else:
            self.words.setText(self.tr("Loading more…"))
        self.setVisible(is_adding or fault is not None)
