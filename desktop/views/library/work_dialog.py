"""A dialog that asks something, has the library do it in a process, and says what came of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library import installed_words as words
from desktop.models.library.shelf_work import MODULE, ShelfTask
from desktop.views.dialog_parts import plain_label, push_button, title_label
from desktop.views.flow_layout import FlowLayout
from desktop.views.transcript.accessible import announce
from engine.store.library.wire import Done, Failed

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QResizeEvent

    from engine.store.library.records import Progress
    from engine.store.library.wire import AnyJob

WIDTH: Final = 520
LEAST_WIDTH: Final = 380
_STEPS: Final = 1000


class WorkDialog(QDialog):
    """See the module. It is not modal: one can chat while a store moves.

    Attributes:
        form: what is asked; hidden while the work is done.
        command: starts the process; for tests.

    Signals:
        succeeded: the `Done`.
    """

    command: tuple[str, ...] = (sys.executable, "-m", MODULE)
    succeeded = Signal(object)

    def __init__(self, title: str, go: str, stop: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.task: ShelfTask | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setMinimumWidth(LEAST_WIDTH)
        self.title = title_label(title)
        self.lead = plain_label()
        self.form = QWidget()
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self.status = plain_label(role="muted")
        self.trouble = plain_label(role="danger")
        self.go = push_button(go, self.begin, "primary")
        self.stop = push_button(stop, self._stop, "danger")
        self.close_button = push_button(self.tr("Cancel"), self.reject)
        self._foot = QWidget()
        buttons = FlowLayout(self._foot, space.s)
        for button in (self.go, *self.more_buttons(), self.stop, self.close_button):
            buttons.addWidget(button)
        column = self.column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.m)
        for widget in (
            self.title,
            self.lead,
            self.form,
            self.bar,
            self.status,
            self.trouble,
        ):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self._foot)
        column.addLayout(row)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._on_quit)
        self._show_phase(is_running=False)
        self.resize(WIDTH, self.height())

    # --- for what is done ------------------------------------------------------------------

    def job(self) -> AnyJob | None:
        """What is to be done; None: not yet clear."""
        raise NotImplementedError

    def on_done(self, done: Done) -> None:
        """It is done: say so."""
        raise NotImplementedError

    def more_buttons(self) -> Sequence[QPushButton]:
        """Buttons of its own; they stand beside the first one."""
        return ()

    def fit(self) -> None:
        """Be as high as what is shown."""
        self.column.invalidate()
        self.column.activate()
        height = self.column.totalHeightForWidth(self.width())
        self.setMinimumHeight(height)
        self.resize(self.width(), height)

    # --- the work --------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self.task is not None and self.task.outcome is None

    def begin(self) -> None:
        """Do it."""
        job = self.job()
        if job is None or self.is_running:
            return
        task = self.task = ShelfTask(job, self, command=self.command)
        task.progressed.connect(self._on_progress)
        task.ended.connect(self._on_ended)
        self.say("")
        self.bar.setValue(0)
        self.status.setText(words.progress_text(None))
        self._show_phase(is_running=True)
        task.start()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, trouble: str) -> None:
        """Say what stands in the way; "": nothing does."""
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.fit()
        if trouble:
            announce(self, trouble)

    def finish(self, title: str, text: str) -> None:
        """It is done: nothing is asked any more."""
        self.title.setText(title)
        self.lead.setText(text)
        self.form.hide()
        self.go.hide()
        self.close_button.setText(self.tr("Close"))
        self.close_button.setAccessibleName(self.tr("Close"))
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.fit()
        announce(self, f"{title}. {text}")

    def reject(self) -> None:
        """Escape, or the frame's button: while it works, ask whether to stop it."""
        if not self.is_running:
            super().reject()
            return
        from desktop.views.engine.questions import ask

        ask(
            self,
            self.windowTitle(),
            self.tr("It is still at work."),
            self.tr("What it has begun is cleared away if you stop it."),
            [(self.stop.text(), self._stop)],
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow one is higher."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """As `reject`."""
        if self.is_running:
            event.ignore()
            self.reject()
        else:
            super().closeEvent(event)

    # --- inside ------------------------------------------------------------------------------

    def _stop(self) -> None:
        if self.task is not None:
            self.stop.setEnabled(False)
            self.status.setText(self.tr("Stopping, and clearing up…"))
            self.task.cancel()

    def _on_progress(self, progress: Progress) -> None:
        self.bar.setValue(round(words.share_of(progress) * _STEPS))
        if self.stop.isEnabled():
            self.status.setText(words.progress_text(progress))

    def _on_ended(self, outcome: Done | Failed) -> None:
        self._show_phase(is_running=False)
        if isinstance(outcome, Done):
            self.on_done(outcome)
            self.succeeded.emit(outcome)
        else:
            self.say(words.failed_text(outcome))
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_phase(self, *, is_running: bool) -> None:
        self.form.setVisible(not is_running)
        self.go.setVisible(not is_running)
        self.close_button.setVisible(not is_running)
        self.bar.setVisible(is_running)
        self.status.setVisible(is_running)
        self.stop.setVisible(is_running)
        self.stop.setEnabled(True)
        self.trouble.setVisible(bool(self.trouble.text()))
        self.fit()

    def _on_quit(self) -> None:
        if self.task is not None:
            self.task.kill()
