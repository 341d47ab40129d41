"""The transcript: a chat's messages as a page to read, select from and act on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop import theme
from desktop.chats import chat
from desktop.chats.markdown.markdown_parts import plain_text
from desktop.views import icons
from desktop.views.transcript import accessible
from desktop.views.transcript.canvas import ReadingPlace
from desktop.views.transcript.pointer import ReadingCanvas

_JUMP_SIZE = 36
_ANNOUNCED = 2_000  # characters of an answer that a screen reader is told at its end


class TranscriptView(QWidget):
    """Shows messages; never opens or fetches anything.

    The reader's place is kept: streamed text is followed only while the end is in view.
    While the view is hidden, text is kept and shown later.

    Signals:
        stop_requested, continue_requested, retry_requested, edit_requested,
            delete_requested, fork_requested: the message's id.
        other_model_requested: id of an answer that another model is to give, too.
        ways_requested: a message's id, and how many answers side by side.
        sibling_requested: a message's id, and by how many to step among its siblings.
        quote_requested: text to answer to.
        zoom_requested: larger (1) or smaller (-1) text.
        link_activated: an http or https address that was followed; ask before opening it.

    Attributes:
        chat_source: gives the chat that is shown, for the run card of an answer.
        offers_jump: whether a button leads to the end where one is not there.
    """

    stop_requested = Signal(str)
    continue_requested = Signal(str)
    retry_requested = Signal(str)
    edit_requested = Signal(str)
    delete_requested = Signal(str)
    fork_requested = Signal(str)
    other_model_requested = Signal(str)
    ways_requested = Signal(str, int)
    sibling_requested = Signal(str, int)
    quote_requested = Signal(str)
    zoom_requested = Signal(int)
    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        accessible.install()
        self.chat_source: Callable[[], chat.Chat] | None = None
        self.offers_jump = True
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("role", "page")
        self._canvas = ReadingCanvas(self)
        self._canvas.setAccessibleName(self.tr("Transcript"))
        self._canvas.action.connect(self._act)
        self._canvas.link_activated.connect(self.link_activated)
        self._canvas.quoted.connect(self.quote_requested)
        self._canvas.zoomed.connect(self.zoom_requested)
        self._canvas.at_end_changed.connect(self._show_jump)
        self.setFocusProxy(self._canvas)
        self._jump: QToolButton | None = None  # made when first needed

    def offer_only(self, names: frozenset[str]) -> None:
        """Of what one can do with a message offer only these ("copy", "stop", ...).

        To be called before there are messages.
        """
        self._canvas.allowed = names

    # --- messages ---

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these, at their end. A message of role SYSTEM is left out.

        Where the same chat was shown before, the reader stays where they were.
        """
        self._canvas.set_messages([m for m in messages if m.role != chat.Role.SYSTEM])

    def append_message(self, message: chat.Message) -> None:
        """Add a message at the end.

        Raises:
            ValueError: a message of this id is already there.
        """
        self._canvas.append_message(message)

    def update_message(self, message: chat.Message) -> None:
        """Show a message's new state. Its texts replace what is shown.

        Raises:
            KeyError: there is no message of this id.
        """
        was_active = self.message(message.id).status.is_active
        self._canvas.update_message(message)
        if was_active and not message.status.is_active and self.isVisible():
            self._announce(message)

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text to a message.

        Raises:
            KeyError: there is no message of this id.
        """
        self._canvas.append_text(message_id, text)

    def append_reasoning(self, message_id: str, text: str) -> None:
        """Add streamed text to what a message thought.

        Raises:
            KeyError: there is no message of this id.
        """
        self._canvas.append_reasoning(message_id, text)

    def message(self, message_id: str) -> chat.Message:
        """A message as it was handed in last; streamed text is in `message_text`.

        Raises:
            KeyError: there is no message of this id.
        """
        return self._canvas.items.message(self._canvas.index_of(message_id))

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

    def place(self) -> ReadingPlace:
        """Where the reader is, in terms that outlive this view."""
        return self._canvas.place()

    def restore_place(self, place: object) -> None:
        """Go to where `place()` was; nothing happens where that is gone."""
        if isinstance(place, ReadingPlace):
            self._canvas.restore_place(place)

    def begin_at(self, message_id: str, part: int, offset: int) -> None:
        """Show a message, `offset` pixels below the top of a part of it (-1: of the whole)."""
        self._canvas.restore_place(ReadingPlace(message_id, part, offset, False, frozenset()))

    def reveal(self, message_id: str, words: Sequence[str] = ()) -> bool:
        """Bring a message into view, at the first place where `words` stand; mark them all.

        Returns whether the message is here.
        """
        return self._canvas.reveal(message_id, words)

    def clear_marks(self) -> None:
        """Mark no words any more."""
        self._canvas.clear_marks()

    def current_message(self) -> str:
        """The id of the message that has the focus or had it last; or the last one's, or ""."""
        items = self._canvas.items
        index = self._canvas.current
        if not 0 <= index < len(items):
            index = len(items) - 1
        return items.message(index).id if index >= 0 else ""

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

    # --- dialogs ---

    def show_details(self, message_id: str) -> None:
        """Open what is known about an answer.

        Raises:
            KeyError: there is no message of this id.
        """
        from desktop.views.transcript.message_details import MessageDetails

        message = self._canvas.items[self._canvas.index_of(message_id)].current
        shown = self.chat_source() if self.chat_source is not None else None
        dialog = MessageDetails(message, shown or chat.Chat(message.chat_id, ""), self)
        dialog.open()

    def show_attachment(self, message_id: str, attachment_id: str) -> None:
        """Open an attachment to read it.

        Raises:
            KeyError: there is no message of this id.
        """
        from desktop.views.dialogs import TextDialog

        for attachment in self.message(message_id).attachments:
            if attachment.id == attachment_id:
                lead = self.tr("Sent along with your message.")
                dialog = TextDialog(attachment.name, lead, attachment.content, self)
                dialog.text.verticalScrollBar().setValue(0)
                dialog.open()

    # --- within ---

    def _act(self, message_id: str, what: str, number: int) -> None:
        requests = {
            "stop": self.stop_requested,
            "continue": self.continue_requested,
            "retry": self.retry_requested,
            "edit": self.edit_requested,
            "delete": self.delete_requested,
            "fork": self.fork_requested,
            "other_model": self.other_model_requested,
        }
        numbered = {"ways": self.ways_requested, "sibling": self.sibling_requested}
        if what in requests:
            requests[what].emit(message_id)
        elif what in numbered:
            numbered[what].emit(message_id, number)
        elif what == "copy":
            QGuiApplication.clipboard().setText(self.message_text(message_id))
        elif what == "details":
            self.show_details(message_id)
        elif what.startswith("attachment "):
            self.show_attachment(message_id, what.removeprefix("attachment "))

    def _announce(self, message: chat.Message) -> None:
        """Tell a screen reader that an answer has ended, and how."""
        text = message.content[:_ANNOUNCED]
        if message.status == chat.MessageStatus.COMPLETE:
            said = self.tr("The answer is complete: {text}").format(text=text)
        elif message.status == chat.MessageStatus.FAILED:
            said = self.tr("The answer failed: {error}").format(error=message.error)
        elif message.status == chat.MessageStatus.INTERRUPTED:
            said = self.tr("The answer was interrupted: {text}").format(text=text)
        else:
            said = self.tr("The answer was stopped: {text}").format(text=text)
        accessible.announce(self._canvas, said)

    def _show_jump(self, at_end: bool) -> None:
        if self._jump is None:
            if at_end or not self.offers_jump:
                return
            self._jump = QToolButton(self)
            self._jump.setProperty("kind", "round")
            self._jump.setIcon(icons.icon("down", "text"))
            self._jump.setIconSize(QSize(20, 20))
            self._jump.setToolTip(self.tr("Go to the end"))
            self._jump.setAccessibleName(self.tr("Go to the end"))
            self._jump.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._jump.clicked.connect(self.scroll_to_end)
            self._place_jump()
        self._jump.setVisible(not at_end)
        self._jump.raise_()

    def _place_jump(self) -> None:
        if self._jump is not None:
            self._jump.setGeometry(
                (self.width() - _JUMP_SIZE) // 2,
                self.height() - _JUMP_SIZE - theme.current().space.m,
                _JUMP_SIZE,
                _JUMP_SIZE,
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self._canvas.setGeometry(self.rect())
        self._place_jump()

    def event(self, event: QEvent) -> bool:
        """Claim the keys that it handles itself."""
        # Before the window's shortcuts, where the transcript has the focus.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
            if any(event.matches(key) for key in keys):
                event.accept()
                return True
        return super().event(event)
