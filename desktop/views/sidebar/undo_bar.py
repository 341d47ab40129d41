"""Says what was done in the sidebar, and offers to undo it for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.tip_text import tip_text
from desktop.views.tabs.notice_bar import NoticeBar

UNDO_MS: Final = 10_000


class UndoBar(NoticeBar):
    """See the module.

    Signals:
        restore_requested: id of a chat to take out of the bin.
    """

    restore_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stand_in: NoticeBar | None = None  # says it where the sidebar is hidden
        self._stood_in: Notice | None = None
        self._undo: Callable[[], object] | None = None
        self._deleted: list[str] = []
        self._batch: frozenset[str] = frozenset()
        self.timer = QTimer(self)
        self.timer.setInterval(UNDO_MS)
        self.timer.timeout.connect(self._on_over)
        self.dismissed.connect(self._forget)

    def offer(self, words: str, whole: str, undo: Callable[[], object]) -> None:
        """Say what was done and offer to undo it.

        Args:
            words: short.
            whole: the same with names, for the tool tip and for screen readers.
            undo: makes it as it was before.
        """
        self._undo = undo
        self.show_notice(Notice(NoticeLevel.HINT, words))
        self.setToolTip(tip_text(whole))
        self.setAccessibleName(whole)
        self.add_button(self.tr("Undo"), self.undo)
        self._say_elsewhere(whole)
        self.timer.start()

    def expect(self, chat_ids: Sequence[str]) -> None:
        """These are being deleted together, and will be taken back together."""
        self._batch = frozenset(chat_ids)

    def offer_restore(self, chat_id: str, title: str) -> None:
        """Offer to take a deleted chat back, with those that were deleted together with it."""
        if not (self._deleted and {chat_id, self._deleted[-1]} <= self._batch):
            self._deleted = []
        self._deleted.append(chat_id)
        count = len(self._deleted)
        if count == 1:
            words = self.tr("Chat deleted")
            whole = self.tr("“{title}” was deleted.").format(title=title)
        else:
            words = whole = self.tr("%n chat(s) deleted", "", count)
        self.offer(words, whole, self._restore)

    def undo(self) -> None:
        """Undo what was done last, while that is offered."""
        undo = self._undo
        self._undo = None
        self.timer.stop()
        self.show_notice(NO_NOTICE)
        self._end_elsewhere()
        if undo is not None:
            undo()

    def _restore(self) -> None:
        deleted, self._deleted = self._deleted, []
        for chat_id in deleted:
            self.restore_requested.emit(chat_id)

    def _say_elsewhere(self, words: str) -> None:
        self._end_elsewhere()
        bar = self.stand_in
        if bar is None or self.isVisible() or bar.notice.level is NoticeLevel.ERROR:
            return
        self._stood_in = Notice(NoticeLevel.HINT, words)
        bar.show_notice(self._stood_in)
        bar.add_button(self.tr("Undo"), self.undo)

    def _end_elsewhere(self) -> None:
        said, self._stood_in = self._stood_in, None
        if said is not None and self.stand_in is not None and self.stand_in.notice == said:
            self.stand_in.show_notice(NO_NOTICE)

    def _forget(self) -> None:
        self._deleted = []
        self._undo = None
        self.timer.stop()
        self._end_elsewhere()

    def _on_over(self) -> None:
        focus = self.window().focusWidget()
        for bar in (self, self.stand_in if self._stood_in is not None else None):
            if bar is None:
                continue
            if bar.underMouse() or (focus is not None and bar.isAncestorOf(focus)):
                return  # somebody is about to press it
        self._forget()
        self.show_notice(NO_NOTICE)
