"""The transcript: a chat's messages as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from desktop.chats import chat


class TranscriptView(QWidget):
    """Shows messages; never opens or fetches anything."""

    stop_requested = Signal(str)
    continue_requested = Signal(str)
    retry_requested = Signal(str)
    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._messages: dict[str, chat.Message] = {}
        self._text = QPlainTextEdit(self)
        self._text.setReadOnly(True)
        self._text.setAccessibleName(self.tr("Transcript"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._text)

    @property
    def at_end(self) -> bool:
        """Whether the reader is at the end."""
        bar = self._text.verticalScrollBar()
        return bar.value() >= bar.maximum() - 1

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these messages."""
        self._messages = {message.id: message for message in messages}
        self._show()

    def append_message(self, message: chat.Message) -> None:
        """Add a message at the end."""
        self._messages[message.id] = message
        self._show()

    def update_message(self, message: chat.Message) -> None:
        """A message changed."""
        self._messages[message.id] = message
        self._show()

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text to a message."""
        message = self._messages[message_id]
        self._messages[message_id] = replace(message, content=message.content + text)
        self._show()

    def scroll_to_end(self) -> None:
        """Go to the end."""
        bar = self._text.verticalScrollBar()
        bar.setValue(bar.maximum())

    def selected_text(self) -> str:
        """What is selected."""
        return self._text.textCursor().selectedText()

    def copy_selection(self) -> None:
        """Copy what is selected."""
        self._text.copy()

    def plain_text(self) -> str:
        """All text shown."""
        return self._text.toPlainText()

    def _show(self) -> None:
        self._text.setPlainText(
            "\n\n".join(f"{m.role}\n{m.content}\n{m.status}" for m in self._messages.values())
        )
        self.scroll_to_end()
