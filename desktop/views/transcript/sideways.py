"""A scroll bar below what is wider than the column: code, tables, formulas."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from desktop import theme


class SidewaysBar(QScrollBar):
    """Scrolls its parent's content sideways; hidden where all of it fits.

    The keyboard reaches it while it is shown, and then the arrow keys move it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._owner = parent
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setInvertedControls(False)  # else Left goes to the right, as Up goes down
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(self.tr("Scroll sideways"))
        self.valueChanged.connect(parent.update)
        self.hide()

    def fit(self, content: int, width: int, step: int) -> None:
        """Scroll `content` pixels within `width`, `step` at a time."""
        self.setPageStep(width)
        self.setSingleStep(step)
        self.setMaximum(max(0, content - width))
        self.setVisible(self.is_needed)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to scroll."""
        return self.maximum() > 0

    @property
    def room(self) -> int:
        """The height it takes below the content."""
        return theme.current().space.m if self.is_needed else 0

    def place(self) -> None:
        """Stand at the lower edge of the parent."""
        height = self.sizeHint().height()
        self.setGeometry(1, self._owner.height() - height - 1, self._owner.width() - 2, height)

    def stops(self) -> list[QWidget]:
        """Itself, while the keyboard should reach it."""
        return [self] if self.is_needed else []

    def take_wheel(self, event: QWheelEvent) -> None:
        """Scroll sideways here; up and down is the transcript's."""
        delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
        sideways = delta.x() or (
            delta.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        )
        if sideways and self.is_needed:
            self.setValue(self.value() - sideways)
            event.accept()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus; the parent shows it."""
        super().focusInEvent(event)
        self._owner.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Lose the focus."""
        super().focusOutEvent(event)
        self._owner.update()
