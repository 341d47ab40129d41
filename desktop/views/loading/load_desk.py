"""What the user can do about loads: choose settings, take a recent model, look at what came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.models.loading.load_book import LoadBook, Prepared
from desktop.models.loading.load_choices import AUTOMATIC, Choices

if TYPE_CHECKING:
    from desktop.views.loading.load_dialog import LoadDialog
    from desktop.views.loading.load_report import LoadReport
    from desktop.views.loading.recent_models import RecentModels


class LoadDesk(QObject):
    """See the module. The dialogs are built when they are asked for.

    Signals:
        wanted: (Prepared, bool): load this, in place of what is loaded, or (True) beside it.
        model_wanted: a model (a str) to be loaded with what is remembered of it.
        browse_wanted: the user wants to look for a model.
        trial_wanted: a Prepared that is to be measured on one GPU and on two.
    """

    wanted = Signal(object, bool)
    model_wanted = Signal(str)
    browse_wanted = Signal()
    trial_wanted = Signal(object)

    def __init__(self, book: LoadBook, window: QWidget) -> None:
        super().__init__(window)
        self.book = book
        self._window = window
        self.can_load_beside = False
        self.can_try = False

    def open(self, model: str) -> LoadDialog:
        """Plan the load of a model and let the user choose how."""
        from desktop.views.loading.load_dialog import LoadDialog

        dialog = LoadDialog(
            model,
            self.book.planner(model, self),
            self._remembered,
            can_load_beside=self.can_load_beside,
            can_try=self.can_try,
            parent=self._window,
        )
        dialog.chosen.connect(lambda _model, _settings: self._take(dialog, beside=False))
        dialog.beside_chosen.connect(lambda _model, _settings: self._take(dialog, beside=True))
        dialog.trial_wanted.connect(lambda: self.trial_wanted.emit(dialog.prepared()))
        dialog.other_wanted.connect(self.browse_wanted)
        dialog.open()
        return dialog

    def open_report(self, model: str) -> LoadReport | None:
        """Show what the last load of a model came to; None where nothing is known of it."""
        from desktop.views.loading.load_report import LoadReport

        past = self.book.memory.latest_of(model)
        if past is None or past.record is None:
            return None
        report = LoadReport(model, past.record, self._window)
        report.open()
        return report

    def open_recent(self) -> RecentModels:
        """Offer the models that were loaded before."""
        from desktop.views.loading.recent_models import RecentModels

        recent = RecentModels(self.book.memory.recent_uses(), self._window)
        recent.chosen.connect(self.model_wanted)
        recent.settings_wanted.connect(self.open)
        recent.browse_wanted.connect(self.browse_wanted)
        recent.open()
        return recent

    def _remembered(self, key: str) -> Choices:
        past = self.book.memory.past(key)
        return past.choices if past is not None else AUTOMATIC

    def _take(self, dialog: LoadDialog, *, beside: bool) -> None:
        prepared: Prepared = dialog.prepared()
        self.book.choose(prepared)
        self.wanted.emit(prepared, beside)
