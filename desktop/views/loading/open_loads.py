"""Opens what has to do with past loads: the report of one, and the list of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from desktop.models.loading.load_book import LoadBook
    from desktop.views.loading.load_report import LoadReport
    from desktop.views.loading.recent_models import RecentModels


def open_report(book: LoadBook, model: str, window: QWidget) -> LoadReport | None:
    """Show what the last load of a model came to; None where nothing is known of it."""
    from desktop.views.loading.load_report import LoadReport

    past = book.memory.latest_of(model)
    if past is None or past.record is None:
        return None
    report = LoadReport(model, past.record, window)
    report.open()
    return report


def open_recent(book: LoadBook, window: QWidget) -> RecentModels:
    """Offer the models that were loaded before; its signals say what the user wants."""
    from desktop.views.loading.recent_models import RecentModels

    recent = RecentModels(book.memory.recent_uses(), window)
    recent.open()
    return recent
