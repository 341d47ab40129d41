"""What the models of the starter list are to be good at: a button for each."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy, QWidget

from desktop import theme
from desktop.models.library.discover_words import use_texts
from desktop.views.flow_layout import FlowLayout


class UseChips(QWidget):
    """See the module.

    Signals:
        chosen: a use, by the catalogue's word; "": all.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        flow = FlowLayout(self, theme.current().space.xs)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        group = QButtonGroup(self)
        for use, words in {"": self.tr("All"), **use_texts()}.items():
            chip = QPushButton(words)
            chip.setCheckable(True)
            chip.setAutoDefault(False)
            chip.setChecked(not use)
            chip.setAccessibleName(self.tr("Good at: {use}").format(use=words))
            chip.clicked.connect(lambda _checked=False, use=use: self.chosen.emit(use))
            group.addButton(chip)
            flow.addWidget(chip)
