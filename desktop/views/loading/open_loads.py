"""Opens what has to do with past loads: the report of one, and the list of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.loading.load_book import LoadBook, Prepared
    from desktop.models.loading.tp_choice import Tried
    from desktop.views.loading.load_report import LoadReport
    from desktop.views.loading.recent_models import RecentModels
    from desktop.views.loading.trial_dialog import TrialDialog


def open_report(book: LoadBook | None, model: str, window: QWidget) -> LoadReport | None:
    """Show what the last load of a model came to; None where nothing is known of it."""
    from desktop.views.loading.load_report import LoadReport

    past = book.memory.latest_of(model) if book is not None else None
    if past is None or past.record is None:
        return None
    report = LoadReport(model, past.record, window)
    report.open()
    return report


def open_trial(
    book: LoadBook | None, client: EngineClient, prepared: Prepared, window: QWidget
) -> TrialDialog:
    """Measure a model on one GPU and on two; the faster way is kept, and remembered."""
    from desktop.models.loading.tp_trial import TpTrial
    from desktop.views.loading.trial_dialog import TrialDialog

    trial = TpTrial(client)
    dialog = TrialDialog(trial, prepared.model, window)

    def remember(tried: Tried) -> None:
        if book is not None:
            size, devices = tried.tensor_parallel_size, tried.devices
            choices = prepared.choices.divided(size, devices, without_p2p=tried.without_p2p)
            book.choose(replace(prepared, choices=choices))

    dialog.settled.connect(remember)
    dialog.open()
    outlook = prepared.outlook
    trial.start(prepared.model, prepared.settings(), outlook.pair() if outlook is not None else ())
    return dialog


def open_recent(book: LoadBook | None, window: QWidget) -> RecentModels:
    """Offer the models that were loaded before; its signals say what the user wants."""
    from desktop.views.loading.recent_models import RecentModels

    recent = RecentModels(book.memory.recent_uses() if book is not None else (), window)
    if book is not None:
        recent.forgotten.connect(book.memory.forget)
    recent.open()
    return recent
