"""The picker's foot: what the row leads to, and the buttons for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library.picker_choices import Offer
from desktop.views.dialog_parts import push_button
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from engine.protocol import Remedy

LINES: Final = 4  # room for as many, so that nothing jumps from row to row


class PickerFoot(QWidget):
    """See the module.

    Signals:
        load, beside, settings, unload: the buttons.
        remedy: a `Remedy` whose button was pressed.
    """

    load = Signal()
    beside = Signal()
    settings = Signal()
    unload = Signal()
    remedy = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setMinimumWidth(1)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.load_button = self._button(
            self.tr("Load"), self.load.emit, self.tr("Enter"), kind="primary"
        )
        self.beside_button = self._button(
            self.tr("Load beside"), self.beside.emit, self.tr("Shift+Enter")
        )
        self.settings_button = self._button(
            self.tr("Settings…"), self.settings.emit, self.tr("Ctrl+Enter")
        )
        self.unload_button = self._button(self.tr("Unload"), self.unload.emit, "")
        self._remedies: list[QPushButton] = []
        self._shown: tuple[Remedy, ...] = ()
        self._row = QWidget()
        self._flow = FlowLayout(self._row, space.s)
        for button in (
            self.load_button,
            self.beside_button,
            self.settings_button,
            self.unload_button,
        ):
            self._flow.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.s, space.xs, space.s, 0)
        layout.setSpacing(space.s)
        layout.addWidget(self.words)
        layout.addWidget(self._row)

    def buttons(self) -> list[QPushButton]:
        """Those that can be pressed, from left to right."""
        own = (self.load_button, self.beside_button, self.settings_button, self.unload_button)
        return [one for one in (*self._remedies, *own) if not one.isHidden()]

    def show_offer(self, offer: Offer) -> None:
        """Say what the row leads to."""
        look = theme.current()
        self.words.setProperty("role", "warning" if offer.is_warning else "muted")
        self.words.setFont(look.text_font(look.small))
        self.words.style().polish(self.words)
        self.words.setText(offer.text)
        self.words.setMinimumHeight(LINES * self.words.fontMetrics().lineSpacing())
        if offer.load:
            self.load_button.setText(offer.load)
            self.load_button.setAccessibleName(offer.load)
        self.load_button.setVisible(bool(offer.load))
        self.beside_button.setVisible(offer.beside)
        self.settings_button.setVisible(offer.settings)
        self.unload_button.setVisible(offer.unload)
        self._show_remedies(offer.remedies)

    def _show_remedies(self, remedies: tuple[Remedy, ...]) -> None:
        if remedies == self._shown:
            return
        self._shown = remedies
        for button in self._remedies:
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._remedies = []
        for remedy in remedies:
            words = remedy.label.replace("&", "&&")
            button = push_button(words, partial(self.remedy.emit, remedy))
            button.setAccessibleName(remedy.label)
            if not self._remedies:
                button.setProperty("kind", "primary")
            self._remedies.append(button)
            self._flow.addWidget(button)
            button.show()

    def _button(
        self, words: str, slot: Callable[[], object], keys: str, kind: str = ""
    ) -> QPushButton:
        button = push_button(words, slot, kind)
        button.setToolTip(keys)
        return button
