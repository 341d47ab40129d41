"""Stores what streams, each chat once a second, so that a `kill -9` loses no more than that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession

INTERVAL_MS: Final = 1000
# The chats of one round are written in turns: 32 at once hold a frame up by 5 ms.
TURNS: Final = 8


class ProgressSaver(QObject):
    """See the module. Runs from `start` until a whole round has nothing left to write.

    Args:
        sessions: those that live now.
        is_busy: whether an answer is on its way.
    """

    def __init__(
        self,
        sessions: Callable[[], Iterable[ChatSession]],
        is_busy: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self._is_busy = is_busy
        self._round: list[ChatSession] = []
        self._share = 1
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS // TURNS)
        self._timer.timeout.connect(self._take_turn)
        self._turn = 0

    @property
    def is_running(self) -> bool:
        """Whether it looks for something to store."""
        return self._timer.isActive()

    def start(self) -> None:
        """Something streams from now on."""
        if not self._timer.isActive():
            self._turn = 0
            self._timer.start()

    def stop(self) -> None:
        """Write no more."""
        self._timer.stop()
        self._round.clear()

    def save_all(self) -> None:
        """Store all that streamed since the last time, now."""
        for session in self._sessions():
            session.save_progress()

    def _take_turn(self) -> None:
        if self._turn == 0:
            self._begin_round()
        self._turn = (self._turn + 1) % TURNS
        living = set(self._sessions())
        for session in self._round[: self._share]:
            if session in living:  # not let go of since the round began
                session.save_progress()
        del self._round[: self._share]

    def _begin_round(self) -> None:
        self._round = list(self._sessions())
        self._share = -(-len(self._round) // TURNS)
        if not self._is_busy() and not any(session.needs_saving for session in self._round):
            self.stop()
