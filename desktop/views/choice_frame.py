"""A list over the window that typing narrows: the command palette and the picker of models."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QWidget


class ChoiceFrame(QFrame):
    """See the module. The keys stay in the field; the list follows them.

    Attributes:
        field: what is typed in.
        view: the list.
    """

    def __init__(self, window: QWidget, model: QAbstractItemModel) -> None:
        super().__init__(window)
        self._window = window
        self._back: QWidget | None = None  # who had the focus before
        self.setProperty("role", "raised")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = QLineEdit()
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._on_text)
        self.view = QListView()
        self.view.setModel(model)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.setMouseTracking(True)
        window.installEventFilter(self)
        self.hide()

    def close_up(self) -> None:
        """Go away and give the focus back."""
        if self.isHidden():
            return
        back, self._back = self._back, None  # first: hiding moves the focus on
        self.hide()
        if back is not None and shiboken6.isValid(back) and back.isVisible():
            back.setFocus(Qt.FocusReason.PopupFocusReason)

    # --- what they differ in ---------------------------------------------------------------

    def _on_text(self, text: str) -> None:
        """Something was typed."""
        raise NotImplementedError

    def _go_to(self, number: int) -> None:
        """Be at a row, and say what it is."""
        raise NotImplementedError

    # --- for both ----------------------------------------------------------------------------

    def _rise(self) -> None:
        """Show it, with the keys."""
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _step(self, by: int) -> None:
        """So many rows on: single steps go round the ends, pages stop there."""
        count = self.view.model().rowCount()
        if count:
            row = self.view.currentIndex().row() + by
            self._go_to(row % count if abs(by) == 1 else min(max(row, 0), count - 1))

    def _say(self, words: str) -> None:
        """For who hears the list: what the row is that one is at."""
        self.field.setAccessibleDescription(words)
        if QAccessible.isActive() and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, words))
