"""The messages of a chat on the page: what comes, what changes, where the reader is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Signal
from PySide6.QtWidgets import QWidget

from desktop.chats import chat
from desktop.views.transcript.column import Anchor
from desktop.views.transcript.lending import ToolbarLender
from desktop.views.transcript.message_actions import MessageAction, actions_for
from desktop.views.transcript.message_frame import MessageFrame
from desktop.views.transcript.selection import Place
from desktop.views.transcript.surface import Surface

_ACTIVE: Final = frozenset(status for status in chat.MessageStatus if status.is_active)


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Where a reader is in a chat, in terms that outlive the view.

    `offset` pixels below the top of a part of a message, or of the message for part -1.
    """

    message_id: str
    part: int
    offset: int
    at_end: bool
    unfolded: frozenset[str]  # messages whose thought is shown


class Canvas(Surface):
    """A page that shows a chat.

    Signals:
        action: message id, what was asked for it ("copy", "stop", "sibling", ...), and a
            number where that takes one, or 0.
        link_activated: a web address that was followed.
    """

    action = Signal(str, str, int)
    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._active: set[str] = set()  # messages whose answer is on its way
        self._stepped: tuple[int, int] | None = None  # a message's index and its y in the view
        self.allowed: frozenset[str] | None = None  # what is offered to do; None: all there is
        self._lender = ToolbarLender(self.viewport(), self.offered)
        self._lender.chosen.connect(self._ask)

    # --- content ---

    @property
    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return bool(self._active)

    def offered(self, message: chat.Message) -> list[MessageAction]:
        """What one can do with a message here."""
        actions = actions_for(message, busy=self.is_busy)
        return [a for a in actions if self.allowed is None or a.name in self.allowed]

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these: another chat at its end, the same one where the reader is."""
        before = self.items.messages
        is_same = bool(before and messages and before[0].chat_id == messages[0].chat_id)
        anchor = self._anchor
        reading = self.items.message(anchor.item).id if anchor.item < len(before) else ""
        self._lender.take_back()
        for index in list(self._frames):
            self._recycle(index)
        self._unread = []
        self._active = {message.id for message in messages if message.status in _ACTIVE}
        self._column.set_messages(messages)
        stepped, self._stepped = self._stepped, None
        if is_same and stepped is not None and stepped[0] < len(messages) - 1:
            self.go_to(Anchor(stepped[0], -1, -stepped[1]))
        elif is_same and not self._sticks:
            if self.items.has(reading):
                self.go_to(Anchor(self.items.index_of(reading), anchor.part, anchor.offset))
            else:
                self.go_to(Anchor(min(anchor.item, len(messages) - 1), -1, 0))
        else:
            self._stick(True)
            self.arrange()

    def append_message(self, message: chat.Message) -> None:
        """Add one at the end.

        Raises:
            ValueError: there is already a message of this id.
        """
        if self.items.has(message.id):
            raise ValueError(f"message {message.id} is already shown")
        self._column.append(message)
        self._note(message)
        self.arrange()

    def index_of(self, message_id: str) -> int:
        """Where a message stands.

        Raises:
            KeyError: it is not shown here.
        """
        return self.items.index_of(message_id)

    def update_message(self, message: chat.Message) -> None:
        """Take a new state of a message."""
        index = self.items.index_of(message.id)
        self.items.update(index, message)
        self._note(message)
        self._refresh(index)
        self._column.changed(index)
        self._lender.follow()
        self.arrange()

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text. What nobody sees is only kept."""
        index = self.items.index_of(message_id)
        if self.items[index].append(text):
            self._refresh(index)
        self._grown(index)

    def append_reasoning(self, message_id: str, text: str) -> None:
        """Add streamed reasoning, likewise."""
        index = self.items.index_of(message_id)
        if self.items[index].append_reasoning(text):
            self._refresh(index)
        self._grown(index)

    def _grown(self, index: int) -> None:
        self._column.changed(index)
        if not self._pause.isActive():
            self.arrange()

    def _refresh(self, index: int) -> None:
        frame = self._frames.get(index)
        if frame is not None:
            frame.refresh(busy=self.is_busy)

    def _note(self, message: chat.Message) -> None:
        """Know whether an answer is on its way: that decides what can be done."""
        was_busy = self.is_busy
        (self._active.add if message.status in _ACTIVE else self._active.discard)(message.id)
        if self.is_busy != was_busy:
            # A button that goes takes the focus with it, and the page may follow that: frames
            # come and go meanwhile.
            for index in list(self._frames):
                self._refresh(index)
                self._column.changed(index)
            self._lender.follow()

    def unfold(self, index: int, unfolded: bool) -> None:
        """Show or hide what a message thought; its line stays where it is."""
        item = self.items[index]
        if item.unfolded == unfolded:
            return
        y = self._column.tops[index] - self.verticalScrollBar().value()
        (self.items.unfolded.add if unfolded else self.items.unfolded.discard)(item.message.id)
        frame = self._frames.get(index)
        if frame is not None:
            frame.release_parts()
        item.unfolded = unfolded
        self._refresh(index)
        self._column.changed(index)
        if self.isVisible():
            self.go_to(Anchor(index, -1, -y))

    # --- the reader's place ---

    def place(self) -> ReadingPlace:
        """Where the reader is."""
        anchor = self._anchor
        count = len(self.items)
        message_id = self.items.message(min(anchor.item, count - 1)).id if count else ""
        return ReadingPlace(
            message_id, anchor.part, anchor.offset, self._sticks, frozenset(self.items.unfolded)
        )

    def restore_place(self, place: ReadingPlace) -> None:
        """Go where a reader was; where that message is gone, stay."""
        self.items.unfolded |= place.unfolded
        for message_id in place.unfolded:
            if self.items.has(message_id):
                self.unfold(self.items.index_of(message_id), True)
        if place.at_end:
            self.scroll_to_end()
        elif self.items.has(place.message_id):
            index = self.items.index_of(place.message_id)
            item = self.items[index]
            while len(item.parts) <= place.part and item.read():
                pass
            self.go_to(Anchor(index, place.part, place.offset))

    # --- frames ---

    def _make_frame(self) -> MessageFrame:
        frame = super()._make_frame()
        frame.around.allowed = self.allowed
        frame.action.connect(self._act)
        frame.link_activated.connect(self.link_activated)
        frame.entered.connect(self._entered)
        frame.focused.connect(self._focused)
        frame.stop_reached.connect(self._reached)
        return frame

    def _recycle(self, index: int) -> None:
        self._lender.forget(self._frames[index])
        super()._recycle(index)

    def _place(self) -> None:
        super()._place()
        self._lender.follow()

    def frame_at(self, point: QPoint) -> MessageFrame | None:
        """The message under a point of the viewport."""
        return next((f for f in self._frames.values() if f.geometry().contains(point)), None)

    def place_at(self, point: QPoint) -> Place:
        """The place in the text nearest to a point of the viewport."""
        if not self.items:
            return Place(0, 0, 0)
        index = self._column.item_at(point.y() + self.verticalScrollBar().value())
        frame = self._frames.get(index)
        if frame is None:
            return Place(index, 0, 0)
        part, position = frame.nearest(point - frame.pos())
        return Place(index, part, position)

    @property
    def lender(self) -> ToolbarLender:
        """Who has the toolbar."""
        return self._lender

    def _act(self, what: str, number: int) -> None:
        frame = self.sender()
        if isinstance(frame, MessageFrame) and frame.item is not None:
            self._ask(frame.item.message.id, what, number)

    def _ask(self, message_id: str, what: str, number: int) -> None:
        index = self.items.index_of(message_id)
        if what == "unfold":
            self.unfold(index, not self.items[index].unfolded)
            return
        if what == "sibling":
            value = self.verticalScrollBar().value()
            self._stepped = (index, self._column.tops[index] - value)
        self.action.emit(message_id, what, number)

    def _entered(self) -> None:
        frame = self.sender()
        if isinstance(frame, MessageFrame):
            self._lender.lend(frame)

    def _focused(self, by_keyboard: bool) -> None:
        frame = self.sender()
        if by_keyboard and isinstance(frame, MessageFrame):
            self._lender.lend(frame)

    def _reached(self, area: QRect) -> None:
        frame = self.sender()
        if isinstance(frame, MessageFrame):
            self.bring_into_view(area.translated(frame.pos()))

    def viewportEvent(self, event: QEvent) -> bool:
        """The pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self._lender.leave()
        return super().viewportEvent(event)
