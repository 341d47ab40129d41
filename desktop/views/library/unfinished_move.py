"""Says that a move of the models was broken off, and offers to go on with it or to give it up."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.models.library import installed_words as words
from desktop.models.library.hub_words import shown
from desktop.models.library.shelf_work import MODULE, ShelfTask
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.tabs.notice_bar import NoticeBar
from desktop.views.transcript.accessible import announce
from engine.store.library.wire import AbandonMoveJob, Done, Failed

if TYPE_CHECKING:
    from engine.store.library.move_journal import MoveState


class UnfinishedMove(NoticeBar):
    """See the module. Closed, it stays so until the next start.

    Attributes:
        command: starts the process that gives the move up; for tests.

    Signals:
        go_on_wanted: the `MoveState` to go on with.
    """

    command: tuple[str, ...] = (sys.executable, "-m", MODULE)
    go_on_wanted = Signal(object)

    def __init__(self, models: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._models = models
        self._state: MoveState | None = None
        self._task: ShelfTask | None = None
        self._is_closed = False
        self._background = Background(self)
        self.dismissed.connect(self._on_dismissed)

    def look(self) -> None:
        """Read on a thread whether there is one, and say so."""
        models = self._models

        def look() -> MoveState | None:
            from engine.store.library.moving import unfinished_move

            return unfinished_move(models)

        self._background.watch(
            in_thread(look, "unfinished-move"), self.show_state, lambda _error: None
        )

    def show_state(self, state: MoveState | None) -> None:
        """Offer to go on with this move; None: there is none."""
        if state == self._state or self._task is not None:
            return
        self._state = state
        if state is None or self._is_closed:
            self.show_notice(NO_NOTICE)
            return
        text = self.tr(
            "The move of the models into {folder} was broken off. They are all where they were."
        ).format(folder=shown(state.target, 300))
        self._say(text)

    # --- inside ------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        state = self._state
        self.show_notice(Notice(NoticeLevel.WARNING, text))
        if state is not None:
            self.add_button(self.tr("Go on…"), lambda: self.go_on_wanted.emit(state))
            self.add_button(self.tr("Give it up"), self._give_up)
        announce(self, text)

    def _give_up(self) -> None:
        job = AbandonMoveJob(models=str(self._models))
        task = self._task = ShelfTask(job, self, command=self.command)
        task.ended.connect(self._on_ended)
        text = self.tr("What the move had copied is being taken away…")
        self.show_notice(Notice(NoticeLevel.HINT, text))
        task.start()

    def _on_ended(self, outcome: Done | Failed) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.deleteLater()
        if isinstance(outcome, Done):
            self._state = None
            self.show_notice(NO_NOTICE)
        else:
            self._say(words.failed_text(outcome))

    def _on_dismissed(self) -> None:
        self._is_closed = True
