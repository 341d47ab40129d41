"""Tells the user that a long answer is there, while they look elsewhere.

The desktop is told the chat's title and nothing of what was said. Where it cannot be told
(no D-Bus, nobody listening) the window asks for attention instead. What was not seen stays
marked at its tab and in the list until its chat comes to the front.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.chats.chat import MessageStatus

if TYPE_CHECKING:
    from desktop.models.session.session_hub import AnswerEnded
    from desktop.views.tabs.split_area import SplitArea

LONG_SECONDS: Final = 8.0
_ENDED: Final = (MessageStatus.COMPLETE, MessageStatus.FAILED)  # else the user stopped it


class Desktop(Protocol):
    """What can show a notification outside the window."""

    def notify(self, chat_id: str, title: str, body: str, failed: Callable[[], object]) -> None:
        """Show it; `failed` is called if nobody does."""

    def withdraw(self, chat_id: str) -> None:
        """Take it back: the chat was seen."""


class Notifier(QObject):
    """See the module.

    Attributes:
        enabled: whether the desktop is told; the marks are there in any case.

    Signals:
        chat_wanted: id of a chat whose notification was clicked.
        unseen_changed: id of a chat, and whether an answer of it is unseen.
    """

    chat_wanted = Signal(str)
    unseen_changed = Signal(str, bool)

    def __init__(self, window: QWidget, area: SplitArea, desktop: Desktop | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._area = area
        self._desktop = desktop
        self._unseen: set[str] = set()
        self.enabled = True
        window.installEventFilter(self)
        area.tabs_changed.connect(self._look)
        self.unseen_changed.connect(area.set_unseen)

    def on_answer_ended(self, ended: AnswerEnded) -> None:
        """An answer is not on its way any more."""
        if ended.status not in _ENDED or self._is_seen(ended.chat_id):
            return
        if ended.chat_id not in self._unseen:
            self._unseen.add(ended.chat_id)
            self.unseen_changed.emit(ended.chat_id, True)
        if self.enabled and ended.seconds >= LONG_SECONDS:
            self._tell(ended)

    # --- Qt ------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window is looked at again."""
        if event.type() == QEvent.Type.WindowActivate:
            self._look()
        return super().eventFilter(watched, event)

    # --- inside ----------------------------------------------------------------------

    def _is_seen(self, chat_id: str) -> bool:
        return self._window.isActiveWindow() and any(
            tab.session.chat_id == chat_id for tab in self._area.front_tabs()
        )

    def _look(self) -> None:
        """What is in front now has been seen."""
        for chat_id in [chat_id for chat_id in self._unseen if self._is_seen(chat_id)]:
            self._unseen.discard(chat_id)
            self.unseen_changed.emit(chat_id, False)
            if self._desktop is not None:
                self._desktop.withdraw(chat_id)

    def _tell(self, ended: AnswerEnded) -> None:
        if self._desktop is None:
            # Late: D-Bus is loaded when there is something to say for the first time.
            from desktop.desktop_notifications import DesktopNotifications

            notifications = DesktopNotifications(self)
            notifications.clicked.connect(self.chat_wanted)
            self._desktop = notifications
        body = (
            self.tr("The answer is there.")
            if ended.status is MessageStatus.COMPLETE
            else self.tr("The answer failed.")
        )
        self._desktop.notify(
            ended.chat_id, ended.title, body, lambda: QApplication.alert(self._window)
        )
