"""A dialog that asks, then works on a thread with progress and Cancel, then reports."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.background import in_thread
from desktop.chats.transfer.trouble import Cancelled
from desktop.views.sidebar.transfer_words import TransferWords

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub

_WIDTH: Final = 480
_STEPS: Final = 1000
_TELL_EVERY: Final = 0.05  # seconds, as the next two
_WORK: Final = 0.005
_REST: Final = 0.001


class _Progress(QObject):
    """Carries the progress from the working thread to the dialog's.

    Signals:
        moved: the share that is done, and how many chats.
    """

    moved = Signal(float, int)


class TransferDialog(QDialog):
    """See the module.

    Attributes:
        question: what is asked; hidden once the work has begun.
        go: begins it.
    """

    def __init__(self, hub: SessionHub, parent: QWidget) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._hub = hub
        self.words = TransferWords(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._cancelled = threading.Event()
        self.destroyed.connect(self._cancelled.set)  # the window goes away in the middle
        self._running = False
        self._told = 0.0
        self._rested = 0.0
        self._progress: _Progress | None = None
        self._text_of: Callable[[int], str] = str
        self.lead = QLabel()
        self.lead.setWordWrap(True)
        self.lead.setTextFormat(Qt.TextFormat.PlainText)
        self.question = QWidget()
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.status = QLabel()
        self.status.setProperty("role", "muted")
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.hide()
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setProperty("role", "field")
        self.details.setAccessibleName(self.tr("What could not be taken over"))
        self.details.hide()
        self.go = QPushButton()
        self.go.setProperty("kind", "primary")
        self.go.setDefault(True)
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.setAccessibleName(self.tr("Cancel"))
        self.stop.clicked.connect(lambda _checked=False: self.reject())
        buttons = QHBoxLayout()
        buttons.setSpacing(space.s)
        buttons.addStretch(1)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        for widget in (self.lead, self.question, self.bar, self.status, self.details):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addLayout(buttons)

    def set_lead(self, words: str) -> None:
        """Say what this is about."""
        self.lead.setText(words)

    @property
    def is_running(self) -> bool:
        """Whether the work is under way."""
        return self._running

    def run(
        self,
        work: Callable[[], object],
        done: Callable[[object], None],
        text_of: Callable[[int], str],
    ) -> None:
        """Do `work` on a thread; then call `done` with its result.

        Args:
            work: calls `advance` now and then, and raises `Cancelled` if that says so.
            done: shows the result.
            text_of: the progress in words, of how many chats are done.
        """
        self._running = True
        self._cancelled.clear()
        # Not the dialog's: that may end at the very moment in which the thread tells something.
        progress = self._progress = _Progress(self._hub)
        progress.moved.connect(self._on_moved)
        self._text_of = text_of
        self.question.hide()
        self.go.hide()
        self.details.hide()
        self.bar.setValue(0)
        self.bar.setAccessibleName(self.windowTitle())
        self.bar.show()
        self.status.setText(text_of(0))
        self.status.show()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

        def finished(result: object) -> None:
            progress.deleteLater()
            if shiboken6.isValid(self):
                self._running = False
                done(result)

        def failed(error: Exception) -> None:
            progress.deleteLater()
            if shiboken6.isValid(self):
                self._running = False
                self._on_failed(error)

        self._hub.background.watch(in_thread(work, "transfer"), finished, failed)

    def advance(self, share: float, count: int) -> bool:
        """Called by the working thread: how far it is. False: stop."""
        now = time.monotonic()
        if now - self._rested >= _WORK:
            # The window's thread gets its turn at once, not when Python thinks of it.
            time.sleep(_REST)
            self._rested = now
        progress = self._progress
        if now - self._told >= _TELL_EVERY and progress is not None and shiboken6.isValid(progress):
            self._told = now
            progress.moved.emit(share, count)
        return not self._cancelled.is_set()

    def show_result(self, words: str, problems: str = "") -> None:
        """Say what came of it."""
        self.bar.hide()
        self.status.hide()
        self.lead.setText(words)
        self.lead.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.lead.setAccessibleName(words)
        self.details.setPlainText(problems)
        self.details.setVisible(bool(problems))
        self.stop.setText(self.tr("Close"))
        self.stop.setAccessibleName(self.tr("Close"))
        self.stop.setEnabled(True)
        self.stop.setDefault(True)
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """Cancel what is under way; close the dialog where nothing is."""
        if not self._running:
            super().reject()
            return
        self._cancelled.set()
        self.stop.setEnabled(False)
        self.status.setText(self.tr("Stopping…"))

    def _on_moved(self, share: float, count: int) -> None:
        if self._running and not self._cancelled.is_set():
            self.bar.setValue(round(share * _STEPS))
            self.status.setText(self._text_of(count))

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            super().reject()
            return
        # What was chosen stands again: another place or another file may do.
        self.bar.hide()
        self.status.hide()
        self.question.show()
        self.go.show()
        self.details.setPlainText(self.words.error(error))
        self.details.setAccessibleName(self.tr("What went wrong"))
        self.details.show()
        self.stop.setEnabled(True)
        self.go.setFocus(Qt.FocusReason.OtherFocusReason)
