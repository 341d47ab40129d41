"""The scrolled page: only messages near the view have widgets, and nothing jumps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop import theme
from desktop.chats import chat
from desktop.views.transcript.column import Anchor, Column
from desktop.views.transcript.message_frame import BLEED, MessageFrame
from desktop.views.transcript.message_item import MessageItem, Page, page_for
from desktop.views.transcript.part_pool import PartPool
from desktop.views.transcript.selection import Place

MEASURE: Final = 75  # characters a line
_SAMPLE: Final = "The quick brown fox jumps over the lazy dog, and nobody minds at all. "
_ROUNDS: Final = 12  # of laying out until estimates have settled
_SLOW_S: Final = 0.012  # a frame that took longer is followed by a pause
_READ_MS: Final = 10
_KEPT_FRAMES: Final = 12


class Canvas(QAbstractScrollArea):
    """Lays messages out below each other and keeps the reader's place.

    Heights are estimates until something is laid out; when a measurement differs, the
    scroll position is derived anew from what the reader sees at the top, or from the
    end if that is where the reader is.

    Signals:
        at_end_changed: the reader came to the end, or left it (bool).
        action: message id, and what was asked for it ("copy", "stop", ...).
    """

    at_end_changed = Signal(bool)
    action = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.viewport().setMouseTracking(True)
        space = theme.current().space
        self._column = Column(space.l, space.s)
        self._index: dict[str, int] = {}
        self._pool = PartPool()
        self._frames: dict[int, MessageFrame] = {}
        self._idle: list[MessageFrame] = []
        self._anchor = Anchor(0, -1, 0)
        self._sticks = True
        self._arranging = False
        self._page = self._make_page(600)
        # Text that is expensive to show is shown less often.
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self.arrange)
        # What is too long to be read in one go is read in slices.
        self._reader = QTimer(self)
        self._reader.setInterval(_READ_MS)
        self._reader.timeout.connect(self.arrange)
        theme.notifier().changed.connect(self._theme_changed)

    # --- content ---

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these, at their end."""
        for index in list(self._frames):
            self._recycle(index)
        self._column.set_items([MessageItem(message, self._page) for message in messages])
        self._index = {message.id: index for index, message in enumerate(messages)}
        self._stick(True)
        self.arrange()

    def append_message(self, message: chat.Message) -> None:
        """Add one at the end.

        Raises:
            ValueError: there is already a message of this id.
        """
        if message.id in self._index:
            raise ValueError(f"message {message.id} is already shown")
        self._index[message.id] = len(self.items)
        self._column.append(MessageItem(message, self._page))
        self.arrange()

    def index_of(self, message_id: str) -> int:
        """Where a message stands.

        Raises:
            KeyError: it is not shown here.
        """
        return self._index[message_id]

    def update_message(self, message: chat.Message) -> None:
        """Take a new state of a message."""
        index = self._index[message.id]
        self.items[index].update(message)
        frame = self._frames.get(index)
        if frame is not None:
            frame.refresh()
        self._column.changed(index)
        self.arrange()

    def append_text(self, message_id: str, text: str) -> None:
        """Add streamed text. What nobody sees is only kept."""
        index = self._index[message_id]
        self.items[index].append(text)
        self._column.changed(index)
        if not self._pause.isActive():
            self.arrange()

    @property
    def items(self) -> list[MessageItem]:
        """The messages, from top to bottom."""
        return self._column.items

    # --- geometry ---

    def _make_page(self, width: int) -> Page:
        tokens = theme.current()
        metrics = QFontMetricsF(tokens.text_font())
        sign = metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE)
        # Wide enough for a scroll bar at the side, so that nothing moves when one appears.
        column = min(round(sign * MEASURE), width - 2 * (BLEED + tokens.space.m))
        return page_for(tokens, max(column, 80), metrics.height(), sign)

    @property
    def _maximum(self) -> int:
        return max(0, self._column.height - self.viewport().height())

    def _wanted(self) -> int:
        """The scroll position that keeps the reader's place."""
        if self._sticks:
            return self._maximum
        return min(max(0, self._column.y_of(self._anchor)), self._maximum)

    def _remember(self) -> None:
        self._anchor = self._column.anchor_at(self.verticalScrollBar().value())

    def arrange(self) -> None:
        """Bring the view up to date: widths, heights, positions."""
        if self._arranging or not self.isVisible():
            return
        began = time.perf_counter()
        self._arranging = True
        try:
            self._arrange()
        finally:
            self._arranging = False
        spent = time.perf_counter() - began
        if spent > _SLOW_S:
            self._pause.start(min(1000, round(spent * 4000)))
        else:
            self._pause.stop()

    def _arrange(self) -> None:
        page = self._make_page(self.width())
        if page != self._page:
            self._page = page
            for item in self.items:
                item.set_page(page)
            for frame in self._frames.values():
                frame.refresh()
            self._column.all_changed()
        unread = False
        read: set[int] = set()
        for _ in range(_ROUNDS):
            moved, unread, wanted = self._materialise(self._wanted(), read)
            if not moved:
                break
        for index in [index for index in self._frames if index not in wanted]:
            if not self._frames[index].isAncestorOf(self.focusWidget() or self):
                self._recycle(index)
        height = self.viewport().height()
        bar = self.verticalScrollBar()
        bar.setPageStep(height)
        bar.setSingleStep(self._page.line * 2)
        bar.setRange(0, self._maximum)
        bar.setValue(self._wanted())
        # Estimates gave way to parts: from now on the place is held by one of those.
        self._remember()
        self._place()
        if unread and not self._reader.isActive():
            self._reader.start()
        elif not unread:
            self._reader.stop()

    def _materialise(self, value: int, read: set[int]) -> tuple[bool, bool, set[int]]:
        """Give widgets to what lies in and near the view at a scroll position.

        `read` gathers the messages read: a long one is read in slices, one each time.

        Returns whether anything moved, whether text waits to be read, and which messages
        have a widget for good reason.
        """
        height = self.viewport().height()
        low, high = value - height // 2, value + height + height // 2
        moved = unread = False
        wanted: set[int] = set()
        if not self.items:
            return moved, unread, wanted
        index = self._column.item_at(low)
        while index < len(self.items) and self._column.tops[index] <= high:
            item = self.items[index]
            wanted.add(index)
            if index not in read:
                read.add(index)
                item.read()
            frame = self._frame(index)
            moved |= self._column.changed(index)
            top = self._column.tops[index]
            frame.lay_out(low - top, high - top)
            unread |= not item.is_read
            moved |= self._column.changed(index)
            index += 1
        return moved, unread, wanted

    def _frame(self, index: int) -> MessageFrame:
        frame = self._frames.get(index)
        if frame is None:
            if self._idle:
                frame = self._idle.pop()
            else:
                frame = MessageFrame(self.viewport(), self._pool, self.leave)
                frame.action.connect(self._act)
            item = self.items[index]
            frame.bind(item)
            self._frames[index] = frame
        return frame

    def _recycle(self, index: int) -> None:
        frame = self._frames.pop(index)
        frame.release()
        frame.hide()
        if len(self._idle) < _KEPT_FRAMES:
            self._idle.append(frame)
        else:
            frame.deleteLater()

    def _place(self) -> None:
        value = self.verticalScrollBar().value()
        width = self._page.width + 2 * BLEED
        left = (self.width() - width) // 2
        for index, frame in self._frames.items():
            frame.setGeometry(
                left, self._column.tops[index] - value, width, self.items[index].height
            )
            frame.place()
            if frame.isHidden():
                frame.show()

    # --- scrolling ---

    @property
    def at_end(self) -> bool:
        """Whether the reader is at the end: new text then keeps the end in view."""
        return self._sticks

    def _stick(self, sticks: bool) -> None:
        if sticks != self._sticks:
            self._sticks = sticks
            self.at_end_changed.emit(sticks)

    def scroll_to_end(self) -> None:
        """Go to the end and stay there."""
        self._stick(True)
        self.arrange()

    def scroll_to_message(self, index: int) -> None:
        """Bring the beginning of a message to the top of the view."""
        self._anchor = Anchor(index, -1, -theme.current().space.s)
        self._stick(False)
        self.arrange()
        self._stick(self.verticalScrollBar().value() >= self._maximum)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The reader scrolled."""
        del dx, dy
        if self._arranging:
            return
        self._stick(self.verticalScrollBar().value() >= self._maximum)
        self._remember()
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self.arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what came while hidden."""
        super().showEvent(event)
        self.arrange()

    def _theme_changed(self) -> None:
        self.viewport().update()
        self.arrange()

    # --- finding ---

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

    def frame_at(self, point: QPoint) -> MessageFrame | None:
        """The message under a point of the viewport."""
        return next((f for f in self._frames.values() if f.geometry().contains(point)), None)

    def frame_of(self, index: int) -> MessageFrame | None:
        """The widget of a message, where it has one."""
        return self._frames.get(index)

    @property
    def frames(self) -> dict[int, MessageFrame]:
        """The messages that have a widget now, by index."""
        return self._frames

    def _act(self, what: str) -> None:
        frame = self.sender()
        if isinstance(frame, MessageFrame) and frame.item is not None:
            self.action.emit(frame.item.message.id, what)

    def leave(self, forward: bool) -> bool:
        """Move the focus out of the transcript. Returns whether there was somewhere to go."""
        del forward
        return False

    def viewportEvent(self, event: QEvent) -> bool:
        """Events of the viewport."""
        if event.type() == QEvent.Type.LayoutRequest:
            return False
        return super().viewportEvent(event)
