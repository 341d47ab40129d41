"""Keeps the wheel from changing a setting that the page under the pointer scrolls past."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget


class WheelGuard(QObject):
    """Gives the wheel over choices and numbers on `page` to what scrolls around them.

    They keep the keys and their own buttons; without this, reading down a page of settings
    would quietly change whatever comes under the pointer.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        for kind in (QComboBox, QAbstractSpinBox):
            for field in page.findChildren(kind):
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What a field leaves alone goes on to its parents."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)
