"""Quantising in the window: its dialog, its place in the status bar, and its end."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from desktop import paths, theme
from desktop.engine_link.engine_process import project_root
from desktop.models.helper_process import HelperProcess
from desktop.models.quantizing.quantize_words import badge_text
from desktop.models.quantizing.quantizing import Phase, QuantizeView, Quantizing
from engine.store.folders import starter_folder

if TYPE_CHECKING:
    from desktop.views.quantizing.quantize_dialog import QuantizeDialog
    from desktop.views.window.main_window import MainWindow


class QuantizeDesk(QObject):
    """Made when it is first asked for; ends with the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        logs = paths.find().logs
        with contextlib.suppress(OSError):
            paths.make_private(logs)
        self.work = Quantizing(logs / "quantize.log" if logs.is_dir() else None, self)
        self.work.changed.connect(self._on_changed)
        self.dialog: QuantizeDialog | None = None
        self._installing: HelperProcess | None = None
        self.badge = QPushButton()
        self.badge.setProperty("kind", "quiet")
        self.badge.setAutoDefault(False)
        self._fit_font()
        theme.notifier().changed.connect(self._fit_font)
        self.badge.setToolTip(self.tr("Show how far the quantising is"))
        self.badge.clicked.connect(lambda _checked=False: self.open())
        self.badge.hide()
        window.status.addPermanentWidget(self.badge)
        window.closed.connect(self.close)

    def open(self, model: str = "") -> None:
        """Show the dialog: the form, or the job that is at work.

        Args:
            model: that the form proposes; "": the window's.
        """
        if self.dialog is None:
            from desktop.views.quantizing.quantize_dialog import QuantizeDialog

            model = model or self._window.client.view.model or str(starter_folder())
            self.dialog = QuantizeDialog(self.work, model, self._window)
            self.dialog.load_wanted.connect(self._window.desk.load)
            self.dialog.install_wanted.connect(self._install)
            self.dialog.finished.connect(self._on_closed)
        self.dialog.open()

    def close(self) -> None:
        """The window goes away: so does the work, with what it has written."""
        self.work.cancel()
        if self._installing is not None:
            self._installing.cancel()

    def _fit_font(self) -> None:
        """As the status bar's other figures: small, its digits of one width."""
        self.badge.setFont(theme.current().figure_font())

    def _install(self) -> None:
        if self._installing is not None and self._installing.is_running:
            return
        script = str(Path(project_root()) / "packaging" / "run")
        self._installing = HelperProcess((script, "--setup-only", "quantize"), self)
        self._installing.progress.connect(self._on_install_line)
        self._installing.finished.connect(self._on_installed)
        self._installing.start()

    def _on_install_line(self, line: str) -> None:
        if self.dialog is not None:
            self.dialog.status.setText(line)

    def _on_installed(self, error: str) -> None:
        if self.dialog is None:
            return
        if error:
            self.dialog.status.setText(error)
        else:
            self.dialog.ask_again()

    def _on_changed(self, view: QuantizeView) -> None:
        words = badge_text(view)
        self.badge.setText(words)
        self.badge.setAccessibleName(words)
        self.badge.setVisible(bool(words))

    def _on_closed(self) -> None:
        self.dialog = None
        if self.work.view.phase in (Phase.DONE, Phase.REFUSED):
            self.work.forget()  # it has been seen
