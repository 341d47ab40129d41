"""What was done, with a way back; or what came to nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.tabs.notice_bar import NoticeBar
from desktop.views.transcript.accessible import announce


class UndoNotice(NoticeBar):
    """See the module. What is said is told to screen readers, too.

    Signals:
        undone: its button was pressed, and goes away with the focus.
    """

    undone = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undo: Callable[[], object] | None = None
        self.dismissed.connect(self._forget)

    def say(self, text: str, undo: Callable[[], object] | None) -> None:
        """Something was done; `undo` takes it back."""
        self.show_notice(Notice(NoticeLevel.HINT, text))
        self._undo = undo
        if undo is not None:
            self.add_button(self.tr("Undo"), self._on_undo)
        announce(self, text)

    def warn(self, text: str) -> None:
        """Something came to nothing."""
        self._undo = None
        self.show_notice(Notice(NoticeLevel.WARNING, text))
        announce(self, text)

    def _on_undo(self) -> None:
        undo, self._undo = self._undo, None
        self.undone.emit()
        self.show_notice(NO_NOTICE)
        if undo is not None:
            undo()

    def _forget(self) -> None:
        self._undo = None
