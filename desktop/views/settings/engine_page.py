"""The settings of the engines: which model at the start, when it sleeps, what runs beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QFileDialog

from desktop.models.engine_text import model_name, phase_text
from desktop.settings import IDLE_MINUTES
from desktop.views.settings.settings_forms import Choice, Page, push_button

if TYPE_CHECKING:
    from desktop.settings import Settings
    from desktop.views.window.main_window import MainWindow


class EnginePage(Page):
    """See the module."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(self.tr("Engine"))
        self._window = window
        settings = window.settings
        self.state = self.add_fact(self.tr("State"))
        self.model = self.add_fact(self.tr("Model at the start"))
        self._starter = push_button(self.tr("Take the starter model"), self._take_starter)
        self.add_buttons(push_button(self.tr("Choose a model…"), self._choose), self._starter)
        self.add_words(self.tr("A model that you choose is loaded now and at every start."))
        self.idle = Choice(
            [(str(minutes), self._minutes(minutes)) for minutes in IDLE_MINUTES],
            str(settings.idle_unload),
            lambda value: window.change(idle_unload=int(value)),
        )
        self.add(
            self.tr("Let a model sleep when nobody has asked it anything"),
            self.idle,
            self.tr("Its memory is free then. Your next message loads it again."),
        )
        self.beside = QCheckBox(self.tr("Models may be loaded beside each other"))
        self.beside.setChecked(settings.second_engine)
        self.beside.toggled.connect(lambda on: window.change(second_engine=on))
        self.add_switch(
            self.beside,
            self.tr("Each chat can have a model of its own then. Every model takes its memory."),
        )
        self.precise = self.add_fact(self.tr("Precise model"))
        self._no_precise = push_button(self.tr("None"), lambda: window.change(precise_model=""))
        self.add_buttons(
            push_button(self.tr("Choose the precise model…"), self._choose_precise),
            self._no_precise,
        )
        self.add_words(
            self.tr(
                "Offered first where you have an answer given again: an unquantised model, say, "
                "beside the quantised one."
            )
        )
        self.add_buttons(push_button(self.tr("Engine log"), lambda: window.desk.show_log()))
        window.client.view_changed.connect(self._show)
        self._show()

    def show_settings(self, settings: Settings) -> None:
        """They were changed elsewhere."""
        self.idle.show_value(str(settings.idle_unload))
        self.beside.setChecked(settings.second_engine)
        self._show()

    def _minutes(self, minutes: int) -> str:
        if not minutes:
            return self.tr("Never")
        return self.tr("After {count} minutes").format(count=minutes)

    def _choose(self) -> None:
        self._window.desk.choose_model()

    def _take_starter(self) -> None:
        self._window.change(model="")

    def _choose_precise(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose the folder of the precise model"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.setDirectory(self._window.settings.precise_model or self._window.client.view.model)
        dialog.fileSelected.connect(lambda folder: self._window.change(precise_model=folder))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _show(self) -> None:
        view, settings = self._window.client.view, self._window.settings
        name = model_name(view.model)
        self.state.setText(" · ".join(part for part in (phase_text(view), name) if part))
        self.model.setText(settings.model or self.tr("The starter model"))
        self._starter.setEnabled(bool(settings.model))
        self.precise.setText(settings.precise_model or self.tr("None chosen"))
        self._no_precise.setEnabled(bool(settings.precise_model))
