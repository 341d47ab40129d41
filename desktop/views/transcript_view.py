"""The transcript: a chat's messages as a page to read, select from and act on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import theme
from desktop.chats import chat
from desktop.chats.markdown_parts import plain_text
from desktop.views import icons
from desktop.views.transcript.pointer import ReadingCanvas

_JUMP_SIZE = 36


class TranscriptView(QWidget):
    """Shows messages; never opens or fetches anything.

    The reader's place is kept: streamed text is followed only while the end is in view.
    While the view is hidden, text is kept and shown later.

    Signals:
        stop_requested, continue_requested, retry_requested: the message's id.
        link_activated: an http or https address that was clicked; ask before opening it.
    """

    stop_requested = Signal(str)
    continue_requested = Signal(str)
    retry_requested = Signal(str)
    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("role", "page")
        self._canvas = ReadingCanvas(self)
        self._canvas.setAccessibleName(self.tr("Transcript"))
        self._canvas.action.connect(self._act)
        self._canvas.link_activated.connect(self.link_activated)
        self._canvas.at_end_changed.connect(self._show_jump)
        self.setFocusProxy(self._canvas)
        self._jump = QToolButton(self)
        self._jump.setProperty("kind", "round")
        self._jump.setIcon(icons.icon("down", "text"))
        self._jump.setIconSize(QSize(20, 20))
        self._jump.setToolTip(self.tr("Go to the end"))
        self._jump.setAccessibleName(self.tr("Go to the end"))
        self._jump.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._jump.clicked.connect(self.scroll_to_end)
        self._jump.hide()

    # --- messages ---

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these messages, at their end. A message of role SYSTEM is left out."""
        self._canvas.set_messages([m for m in messages if m.role != chat.Role.SYSTEM])

    def append_message(self, message: chat.Message) -> None:
        """Add a message at the end.

        Raises:
            ValueError: a message of this id is already there.
        """
        self._canvas.append_message(message)

    def update_message(self, message: chat.Message) -> None:
        """Show a message's new state. Its `content` replaces what is shown.

        Raises:
            KeyError: there is no message of this id.
        """
        self._canvas.update_message(message)

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text to a message.

        Raises:
            KeyError: there is no message of this id.
        """
        self._canvas.append_text(message_id, text)

    def message_text(self, message_id: str) -> str:
        """The content of a message as it stands, streamed text included.

        Raises:
            KeyError: there is no message of this id.
        """
        return self._canvas.items[self._canvas.index_of(message_id)].content

    # --- reading ---

    @property
    def at_end(self) -> bool:
        """Whether the reader is at the end."""
        return self._canvas.at_end

    def scroll_to_end(self) -> None:
        """Go to the end and follow what comes."""
        self._canvas.scroll_to_end()

    def selected_text(self) -> str:
        """What is selected, across messages."""
        return self._canvas.selected_text()

    def copy_selection(self) -> None:
        """Copy what is selected, or else the message that has the focus."""
        self._canvas.copy()

    def plain_text(self) -> str:
        """All text of all messages."""
        pieces: list[str] = []
        for item in self._canvas.items:
            item.read_all()
            pieces += [plain_text(part) for part in item.parts]
        return "\n\n".join(pieces)

    # --- within ---

    def _act(self, message_id: str, what: str) -> None:
        if what == "copy":
            QGuiApplication.clipboard().setText(self.message_text(message_id))
        elif what == "stop":
            self.stop_requested.emit(message_id)
        elif what == "continue":
            self.continue_requested.emit(message_id)
        elif what == "retry":
            self.retry_requested.emit(message_id)

    def _show_jump(self, at_end: bool) -> None:
        self._jump.setVisible(not at_end)
        self._jump.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._canvas.setGeometry(self.rect())
        space = theme.current().space
        self._jump.setGeometry(
            (self.width() - _JUMP_SIZE) // 2,
            self.height() - _JUMP_SIZE - space.m,
            _JUMP_SIZE,
            _JUMP_SIZE,
        )

    def event(self, event: QEvent) -> bool:
        """Claim the keys that it handles itself."""
        # Before the window's shortcuts, where the transcript has the focus.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
            if any(event.matches(key) for key in keys):
                event.accept()
                return True
        return super().event(event)
