"""Keys on the page: to and among messages, through long ones, and out again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop.chats import chat
from desktop.views.transcript.finding import FindingCanvas


class KeyboardCanvas(FindingCanvas):
    """A canvas one can move in by keyboard.

    Tab comes to one message, goes through its buttons and leaves; the arrows go from
    message to message.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._current = -1  # the message that Tab comes back to

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these; the message that had the focus has it again, if it is still there."""
        current = self.current
        message_id = self.items.message(current).id if 0 <= current < len(self.items) else ""
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        if held:
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # its widget is about to go
        super().set_messages(messages)
        if self.items.has(message_id):
            self._current = self.items.index_of(message_id)
        else:  # a sibling stands in its place
            self._current = min(current, len(messages) - 1) if held else -1
        frame = self._frames.get(self._current)
        if held and frame is not None:
            frame.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def current(self) -> int:
        """The message that has the focus, or had it last; -1 for none."""
        for index, frame in self._frames.items():
            in_toolbar = frame.toolbar is not None and frame.toolbar.has_focus()
            if in_toolbar or frame.isAncestorOf(self.focusWidget() or self) or frame.hasFocus():
                self._current = index
        return self._current

    def focus_message(self, index: int, reason: Qt.FocusReason) -> None:
        """Give a message the focus, and bring it into view."""
        if not 0 <= index < len(self.items):
            return
        self._current = index
        top = self._column.tops[index]
        value, height = self.verticalScrollBar().value(), self.viewport().height()
        size = self.items[index].height
        if top < value or top + size > value + height:
            self.scroll_to_message(index)
        frame = self._frames.get(index)
        if frame is not None:
            frame.setFocus(reason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus."""
        super().focusInEvent(event)
        reason = event.reason()
        if reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            index = self.current
            if index not in self._frames:
                index = self._column.item_at(
                    self.verticalScrollBar().value() + self.viewport().height()
                )
            frame = self._frames.get(index)
            if frame is not None:
                self._current = index
                frame.setFocus(reason)

    def leave(self, forward: bool) -> bool:
        """Move the focus to what comes before or after the transcript in the window."""
        step = QWidget.nextInFocusChain if forward else QWidget.previousInFocusChain
        widget = step(self)
        while widget is not None and widget is not self:
            reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if (
                reachable
                and widget.isEnabled()
                and widget.isVisible()
                and not self.isAncestorOf(widget)
                and widget.window() is self.window()
            ):
                widget.setFocus(
                    Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
                )
                return True
            widget = step(widget)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, select and copy by keyboard."""
        bar = self.verticalScrollBar()
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(-1 if key == Qt.Key.Key_Up else 1)
        elif key == Qt.Key.Key_PageUp:
            bar.setValue(bar.value() - bar.pageStep() + bar.singleStep())
        elif key == Qt.Key.Key_PageDown:
            bar.setValue(bar.value() + bar.pageStep() - bar.singleStep())
        elif key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            self.scroll_to_end()
        else:
            event.ignore()

    def _step(self, direction: int) -> None:
        """To the next message; through a long one by lines first."""
        index = self.current
        frame = self.frame_of(index)
        bar = self.verticalScrollBar()
        if frame is not None:
            over = (
                frame.y() + frame.height() - self.viewport().height()
                if direction > 0
                else -frame.y()
            )
            if over > 0:
                bar.setValue(bar.value() + direction * min(over, 2 * bar.singleStep()))
                return
        self.focus_message(index + direction, Qt.FocusReason.ShortcutFocusReason)
