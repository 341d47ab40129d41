"""The scrolled page: only messages near the view have widgets, and nothing jumps."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop import theme
from desktop.theme import Theme
from desktop.views.transcript import resting
from desktop.views.transcript.column import Anchor, Column
from desktop.views.transcript.items import Items
from desktop.views.transcript.message_frame import BLEED, MessageFrame
from desktop.views.transcript.page import Page, page_for
from desktop.views.transcript.part_pool import PartPool

MEASURE: Final = 75  # characters a line
_SAMPLE: Final = "The quick brown fox jumps over the lazy dog, and nobody minds at all. "
_ROUNDS: Final = 12  # of laying out until estimates have settled
_SLOW_S: Final = 0.004  # a frame that took longer is followed by a pause
_PAUSE: Final = 12  # times as long, so that showing takes a small share of the time
_READ_MS: Final = 8  # between two slices of a long text
_SHOWN_S: Final = 0.15  # while a long text is read, it is shown so often


class PageSurface(QWidget):
    """Where the messages stand; to a screen reader, a list of them."""


class Surface(QAbstractScrollArea):
    """Lays messages out below each other and keeps the reader's place.

    Heights are estimates until something is laid out; when a measurement differs, the
    scroll position is derived anew from what the reader sees at the top, or from the
    end if that is where the reader is. A page that has been hidden for some time has no
    widgets: it takes none of a change of theme, and little memory.

    Signals:
        at_end_changed: the reader came to the end, or left it (bool).
    """

    at_end_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setViewport(PageSurface())
        self.viewport().setMouseTracking(True)
        self._measured: tuple[Theme, int, float, float] | None = None
        self._page = self._make_page(600)
        self._column = Column(self._page)
        self._pool = PartPool()
        self._frames: dict[int, MessageFrame] = {}
        self._idle: list[MessageFrame] = []
        self._anchor = Anchor(0, -1, 0)
        self._sticks = True
        self._arranging = False
        # Text that is expensive to show is shown less often.
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self.arrange)
        # What is too long to be read in one go is read in slices.
        self._unread: list[int] = []
        self._arranged = 0.0  # when, by perf_counter
        self._reader = QTimer(self)
        self._reader.setInterval(_READ_MS)
        self._reader.timeout.connect(self._read_on)
        theme.notifier().changed.connect(self._theme_changed)

    @property
    def items(self) -> Items:
        """The messages, from top to bottom."""
        return self._column.items

    @property
    def frames(self) -> dict[int, MessageFrame]:
        """The messages that have a widget now, by index."""
        return self._frames

    def frame_of(self, index: int) -> MessageFrame | None:
        """The widget of a message, where it has one."""
        return self._frames.get(index)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return False

    # --- geometry ---

    def _make_page(self, width: int) -> Page:
        tokens = theme.current()
        line, sign = self._measure_font(tokens)
        # Wide enough for a scroll bar at the side, so that nothing moves when one appears.
        column = min(round(sign * MEASURE), width - 2 * (BLEED + tokens.space.m))
        return page_for(tokens, max(column, 80), line, sign)

    def _measure_font(self, tokens: Theme) -> tuple[float, float]:
        """The line's height and the mean sign's width; asked for at each frame of a stream."""
        known = self._measured
        if known is None or known[0] is not tokens or known[1] != self.logicalDpiX():
            metrics = QFontMetricsF(tokens.text_font())
            sign = metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE)
            known = self._measured = (tokens, self.logicalDpiX(), metrics.height(), sign)
        return known[2], known[3]

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
        self._arranged = time.perf_counter()
        spent = self._arranged - began
        if spent > _SLOW_S:
            self._pause.start(min(1000, round(spent * 1000 * _PAUSE)))
        else:
            self._pause.stop()

    def _arrange(self) -> None:
        page = self._make_page(self.width())
        if page != self._page:
            self._page = page
            self._column.set_page(page)
            for index, frame in self._frames.items():
                self.items[index]  # brought to the new page
                frame.refresh(busy=self.is_busy)
                self._column.changed(index)
        read: set[int] = set(self._unread)  # those are read on by the timer
        wanted: set[int] = set()
        for _ in range(_ROUNDS):
            moved, wanted = self._materialise(self._wanted(), read)
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
        self._unread = [index for index in wanted if not self.items[index].is_read]
        if self._unread and not self._reader.isActive():
            self._reader.start()
        elif not self._unread:
            self._reader.stop()

    def _materialise(self, value: int, read: set[int]) -> tuple[bool, set[int]]:
        """Give widgets to what lies in and near the view at a scroll position.

        `read` gathers the messages read: a long one is read in slices, one each time.

        Returns whether anything moved, and which messages have a widget for good reason.
        """
        height = self.viewport().height()
        # What is still being read moves with each slice: laid out no further than it is seen.
        margin = 0 if self._unread else height // 2
        low, high = value - margin, value + height + margin
        moved = False
        wanted: set[int] = set()
        if not self.items:
            return moved, wanted
        index = self._column.item_at(low)
        top = self._column.tops[index]
        while index < len(self.items) and top <= high:
            item = self.items[index]
            wanted.add(index)
            if index not in read:
                read.add(index)
                item.read()
            frame = self._frame(index)
            # Its head and foot are known only now.
            frame.lay_out(low - top, high - top)
            moved |= self._column.changed(index)
            # Summed here: the column would sum up all that follows, for each message.
            top += self._column.height_of(index) + self._column.gap
            index += 1
        return moved, wanted

    def _read_on(self) -> None:
        """The next slice of what is too long to be read at once."""
        if not self.isVisible():
            self._reader.stop()
            return
        done = True
        for index in self._unread:
            if index < len(self.items):
                item = self.items[index]
                item.read()
                done &= item.is_read
                if index not in self._frames:
                    self._column.changed(index)
        if done:
            self._unread = []
        if done or time.perf_counter() - self._arranged > _SHOWN_S:
            self.arrange()

    def _frame(self, index: int) -> MessageFrame:
        frame = self._frames.get(index)
        if frame is None:
            frame = self._idle.pop() if self._idle else self._make_frame()
            frame.bind(self.items[index], busy=self.is_busy)
            self._frames[index] = frame
        return frame

    def _make_frame(self) -> MessageFrame:
        return MessageFrame(self.viewport(), self._pool, self.leave)

    def _recycle(self, index: int) -> None:
        frame = self._frames.pop(index)
        frame.release()
        frame.hide()
        # Never deleted here: the pool's idle widgets may be its children.
        self._idle.append(frame)

    def _place(self) -> None:
        value = self.verticalScrollBar().value()
        width = self._page.width + 2 * BLEED
        left = (self.width() - width) // 2
        for index, frame in list(self._frames.items()):
            if self._frames.get(index) is not frame:
                continue  # what was placed before it moved the focus, and that the page
            frame.setGeometry(
                left, self._column.tops[index] - value, width, self.items[index].height
            )
            frame.place()
            if frame.isHidden():
                frame.show()

    def leave(self, forward: bool) -> bool:
        """Move the focus out of the transcript. Returns whether there was somewhere to go."""
        del forward
        return False

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
        self.go_to(Anchor(index, -1, -theme.current().space.s))

    def go_to(self, anchor: Anchor) -> None:
        """Bring a place to the top of the view, or as near to it as the page allows."""
        self._anchor = anchor
        self._stick(False)
        self.arrange()
        if self.isVisible():
            self._stick(self.verticalScrollBar().value() >= self._maximum)

    def bring_into_view(self, area: QRect) -> None:
        """Scroll no more than it takes to see `area`, given in the viewport's pixels."""
        bar, margin = self.verticalScrollBar(), self._page.line
        below = area.bottom() + margin - self.viewport().height()
        above = area.top() - margin
        if above < 0:
            bar.setValue(bar.value() + above)
        elif below > 0:
            bar.setValue(bar.value() + min(below, above))

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The reader scrolled."""
        del dx, dy
        if self._arranging:
            return
        self._stick(self.verticalScrollBar().value() >= self._maximum)
        self._remember()
        self.arrange()

    # --- Qt ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the new size."""
        super().resizeEvent(event)
        self.arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what came while hidden."""
        super().showEvent(event)
        resting.shown(self)
        self.arrange()

    def hideEvent(self, event: QHideEvent) -> None:
        """Keep the widgets for a while: one comes back soon, or not for long."""
        super().hideEvent(event)
        self._reader.stop()
        resting.hidden(self)

    def rest(self) -> None:
        """Give up all widgets: nobody has looked at this page for some time."""
        for index in list(self._frames):
            self._recycle(index)
        for frame in self._idle:
            frame.deleteLater()
        self._idle.clear()
        self._pool = PartPool()

    def _theme_changed(self) -> None:
        self.viewport().update()
        self.arrange()

    def viewportEvent(self, event: QEvent) -> bool:
        """Events of the viewport."""
        if event.type() == QEvent.Type.LayoutRequest:
            return False
        return super().viewportEvent(event)
