"""Lends the one toolbar of a page to the message under the pointer or with the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from desktop.chats.chat import Message
from desktop.views.transcript.message_actions import MessageAction
from desktop.views.transcript.message_frame import BLEED, MessageFrame
from desktop.views.transcript.toolbar import MessageToolbar

_IN_FOOTER: Final = ("copy", "continue", "retry")  # not offered twice


class ToolbarLender(QObject):
    """Decides whose toolbar it is, and keeps it where that message is.

    The last of pointer and keyboard wins; while a button of it has the focus it stays.

    Signals:
        chosen: message id, what to do with it, and the number chosen or 0.
    """

    chosen = Signal(str, str, int)

    def __init__(self, port: QWidget, offered: Callable[[Message], list[MessageAction]]) -> None:
        super().__init__(port)
        self._port = port
        self._offered = offered
        self._toolbar: MessageToolbar | None = None  # made when first lent
        self._frame: MessageFrame | None = None

    @property
    def toolbar(self) -> MessageToolbar | None:
        """The toolbar, where it is lent."""
        return self._toolbar if self._frame is not None else None

    def lend(self, frame: MessageFrame) -> None:
        """Lend it to `frame`, unless the keyboard is in it."""
        if self._frame is frame or (self._toolbar is not None and self._toolbar.has_focus()):
            return
        self.take_back()
        if self._toolbar is None:
            self._toolbar = MessageToolbar(self._port)
            self._toolbar.chosen.connect(self._choose)
            self._toolbar.tabbed.connect(self._tab)
        self._frame = frame
        frame.toolbar = self._toolbar
        self.follow()

    def take_back(self) -> None:
        """Nobody has it."""
        if self._frame is not None:
            self._frame.toolbar = None
            self._frame = None
        if self._toolbar is not None:
            self._toolbar.hide()

    def leave(self) -> None:
        """The pointer left the page: only a message with the focus keeps it."""
        frame = self._frame
        if frame is None or self._toolbar is None or self._toolbar.has_focus():
            return
        if not (frame.hasFocus() or frame.isAncestorOf(frame.focusWidget() or self._port)):
            self.take_back()

    def forget(self, frame: MessageFrame) -> None:
        """`frame` shows another message from now on."""
        if self._frame is frame:
            if self._toolbar is not None and self._toolbar.has_focus():
                frame.setFocus()
            self.take_back()

    def follow(self) -> None:
        """The page moved or a state changed: be where the message is, with what it allows."""
        frame, toolbar = self._frame, self._toolbar
        if frame is None or toolbar is None:
            return
        item = frame.item
        if item is None:
            self.take_back()
            return
        actions = self._offered(item.message)
        footer = frame.around.footer
        if footer is not None:
            there = footer.names
            actions = [a for a in actions if a.name not in _IN_FOOTER or a.name not in there]
        name = QFontMetricsF(frame.label_font()).horizontalAdvance(frame.speaker)
        room = frame.around.room(BLEED, round(name)).translated(frame.pos())
        if not actions or not self._port.rect().intersects(room):
            toolbar.hide()
            return
        toolbar.show_actions(actions, room)
        if toolbar.isHidden():
            toolbar.show()
        toolbar.raise_()

    def _choose(self, name: str, number: int) -> None:
        if self._frame is not None and self._frame.item is not None:
            self.chosen.emit(self._frame.item.message.id, name, number)

    def _tab(self, forward: bool) -> None:
        if self._frame is not None:
            self._frame.focusNextPrevChild(forward)
