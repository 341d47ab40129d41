"""Asks from which day to which a search goes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtWidgets import QDateEdit, QDialog, QDialogButtonBox, QFormLayout, QWidget

from desktop.models.lists.search_filters import Period, SearchFilters


class DatesDialog(QDialog):
    """Two days, both included.

    Signals:
        chosen: the `SearchFilters` with these days.
    """

    chosen = Signal(object)

    def __init__(self, filters: SearchFilters, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Search in a time"))
        self._filters = filters
        today = QDate.currentDate()
        self.first = self._day(self.tr("From"), filters.first, today.addMonths(-1))
        self.last = self._day(self.tr("To"), filters.last, today)
        self.first.dateChanged.connect(self.last.setMinimumDate)
        self.last.setMinimumDate(self.first.date())
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        layout = QFormLayout(self)
        layout.addRow(self.tr("From"), self.first)
        layout.addRow(self.tr("To"), self.last)
        layout.addRow(buttons)

    def _day(self, name: str, day: date | None, otherwise: QDate) -> QDateEdit:
        edit = QDateEdit(QDate(day) if day is not None else otherwise)  # type: ignore[call-overload]
        edit.setCalendarPopup(True)
        edit.setAccessibleName(name)
        return edit

    def _accept(self) -> None:
        days = (self.first.date(), self.last.date())
        first, last = (date(day.year(), day.month(), day.day()) for day in days)
        self.chosen.emit(replace(self._filters, period=Period.DATES, first=first, last=last))
        self.accept()
