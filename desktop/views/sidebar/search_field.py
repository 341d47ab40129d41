"""The field at the top of the sidebar: what is typed there is searched for at once."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit


class SearchField(QLineEdit):
    """Esc empties it; Down goes to the list.

    Signals:
        entered: it has the focus.
        left: the user wants to go on in the list.
        cleared: Esc.
    """

    entered = Signal()
    left = Signal()
    cleared = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Esc for the field while it holds text: it is no Stop then."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.cleared.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that it will be used."""
        super().focusInEvent(event)
        self.entered.emit()

    def type_on(self, text: str) -> None:
        """Take the focus and go on with `text`, which was typed elsewhere."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.end(False)
        self.insert(text)
