"""The widget of one message that is in or near the view."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown.markdown_parts import Code, Part, Rule
from desktop.views.transcript.document_builder import indent_of
from desktop.views.transcript.focus_stops import FocusStops
from desktop.views.transcript.message_item import MessageItem
from desktop.views.transcript.message_surroundings import Surroundings
from desktop.views.transcript.part_pool import PartPool, kind_of
from desktop.views.transcript.part_widget import PartWidget

BLEED: Final = 16  # the ground and the focus ring reach out of the column by so much
_SPOKEN: Final = 4_000  # characters of a message that a screen reader is given as its name
_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class MessageFrame(FocusStops):
    """Shows those parts of one message that are in or near the view.

    Signals:
        action: what the reader asked for ("copy", "stop", "sibling", ...), and a number
            where that takes one, or 0.
        entered: the pointer came to the message.
        focused: the message has the focus; whether by keyboard.
    """

    action = Signal(str, int)
    entered = Signal()
    focused = Signal(bool)

    def __init__(self, parent: QWidget, pool: PartPool, leave: Callable[[bool], bool]) -> None:
        super().__init__(parent, leave)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self._pool = pool
        self._item: MessageItem | None = None
        self._widgets: dict[int, PartWidget] = {}
        self._growing: set[int] = set()
        self._ring = False
        self._flash = False
        self.around = Surroundings(self, self.action.emit)

    # --- which message ---

    def bind(self, item: MessageItem, *, busy: bool) -> None:
        """Show `item` from now on. `busy`: an answer of the chat is on its way."""
        self.release()
        self._item = item
        self.refresh(busy=busy)

    def release(self) -> None:
        """Show nothing, and give the widgets back."""
        self.release_parts()
        self.around.reset()
        self._item = None
        self._ring = self._flash = False

    def release_parts(self) -> None:
        """Give the widgets of all parts back: the parts are about to be others."""
        self.focus_link(None)
        for widget in self._widgets.values():
            self._pool.give(widget)
        self._widgets.clear()
        self._growing.clear()

    @property
    def item(self) -> MessageItem | None:
        """The message it shows."""
        return self._item

    @property
    def widgets(self) -> dict[int, PartWidget]:
        """The parts that have a widget now, by index."""
        return self._widgets

    @property
    def speaker(self) -> str:
        """Who speaks, as shown."""
        if self._item is None:
            return ""
        if self._item.is_user:
            return self.tr("You")
        return self._item.message.model.rstrip("/").rpartition("/")[2] or self.tr("Assistant")

    # --- layout ---

    def refresh(self, *, busy: bool) -> None:
        """The message's state changed, or the theme: measure what is around the parts."""
        item = self._item
        if item is None:
            return
        label = round(QFontMetricsF(self.label_font()).height())
        self.around.show_item(item, label, busy=busy)
        item.touch()
        if item.message.status.is_active:
            # A screen reader would read it anew with each word.
            self.setAccessibleName(self.speaker)
        else:
            self.setAccessibleName(
                self.tr("{speaker}: {text}").format(
                    speaker=self.speaker, text=item.content[:_SPOKEN]
                )
            )
        self.setAccessibleDescription(self.around.text)
        self.update()

    def lay_out(self, top: int, bottom: int) -> bool:
        """Give widgets to the parts between two heights, and take those of the others back.

        Returns whether a height turned out other than thought: then lay out again.
        """
        item = self._item
        if item is None:
            return False
        moved = False
        parts, gaps = item.parts, item.gaps
        count = len(parts)
        first = item.part_at(top)
        active = item.message.status.is_active
        wanted: set[int] = set()
        index, place = first, item.tops[first]
        while index < count and place <= bottom:
            wanted.add(index)
            growing = active and index == count - 1
            moved |= self._show(item, parts[index], index, growing=growing)
            place += item.height_of(index)
            index += 1
            place += gaps[index] if index < count else 0
        for index in [index for index in self._widgets if index not in wanted]:
            if index >= count or not self._widgets[index].isAncestorOf(self._focused()):
                self._give(index)
        return moved

    def _give(self, index: int) -> None:
        self.forget_links_of(self._widgets[index])
        self._pool.give(self._widgets.pop(index))
        self._growing.discard(index)

    def _focused(self) -> QWidget:
        return self.focusWidget() or self

    def _show(self, item: MessageItem, part: Part, index: int, *, growing: bool) -> bool:
        widget = self._widgets.get(index)
        if widget is not None and type(widget) is not kind_of(part):
            self._give(index)
            widget = None
        if widget is None:
            widget = self._widgets[index] = self._pool.take(part, self)
        elif (
            widget.part is part  # else a thought that grew has moved what stands below it
            and item.is_measured(index)
            and (growing or index not in self._growing)
        ):
            return False
        left, right = self._insets(item, part, index)
        width = max(1, item.page.width - left - right)
        height = widget.show_part(part, width, growing=growing)
        (self._growing.add if growing else self._growing.discard)(index)
        return item.set_height(index, height)

    def _insets(self, item: MessageItem, part: Part, index: int) -> tuple[int, int]:
        """How far in a part stands from the left and from the right."""
        inset = item.padding if index < item.lead else 0
        # Prose and tables carry their own indents.
        indent = indent_of(part.nest, item.page.theme) if isinstance(part, Code | Rule) else 0
        return inset + round(indent), inset

    def place(self) -> None:
        """Put the widgets where their parts are."""
        item = self._item
        if item is None:
            return
        parts, tops = item.parts, item.tops
        # Out of view and kept for its focus, a message may have lost parts meanwhile.
        for index in [index for index in self._widgets if index >= len(parts)]:
            self._give(index)
        for index, widget in self._widgets.items():
            left, right = self._insets(item, parts[index], index)
            widget.setGeometry(
                BLEED + left, tops[index], item.page.width - left - right, item.height_of(index)
            )
            if widget.isHidden():
                widget.show()
        self.around.place(item, BLEED)

    # --- reading ---

    def nearest(self, point: QPoint) -> tuple[int, int]:
        """The part and the position in it nearest to `point`."""
        item = self._item
        if item is None or not item.parts:
            return 0, 0
        index = item.part_at(point.y())
        widget = self._widgets.get(index)
        if widget is None:
            return index, 0
        inside = point - widget.pos()
        if inside.y() < 0:
            return index, 0
        if inside.y() >= widget.height() and index + 1 < len(item.parts):
            return index, widget.length
        return index, widget.position_at(inside)

    def link_at(self, point: QPoint) -> str:
        """The web address under `point`, or nothing."""
        for widget in self._widgets.values():
            if widget.geometry().contains(point):
                return widget.link_at(point - widget.pos())
        return ""

    # --- focus ---

    def stop_widgets(self) -> list[QWidget]:
        """What Tab comes to in this message, in order, this frame left out."""
        item = self._item
        if item is None:
            return []
        stops: list[QWidget] = list(self.around.stops_above())
        stops += [self._widgets[index] for index in sorted(self._widgets)]
        return [*stops, *self.around.stops_below()]

    def set_flash(self, flash: bool) -> None:
        """Stand out from the others, or no more."""
        if flash != self._flash:
            self._flash = flash
            self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer is here."""
        super().enterEvent(event)
        self.entered.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus."""
        super().focusInEvent(event)
        self._ring = event.reason() in _KEYBOARD
        self.focused.emit(self._ring)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Lose the focus."""
        super().focusOutEvent(event)
        self._ring = False
        self.focus_link(None)
        self.update()

    # --- painting ---

    def label_font(self) -> QFont:
        """The face of the speaker's name."""
        tokens = theme.current()
        return tokens.text_font(tokens.small, QFont.Weight.Medium)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the exposed part."""
        del event
        item = self._item
        if item is None:
            return
        tokens = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.sunken))
            if item.is_user:
                painter.drawRoundedRect(box, tokens.radius, tokens.radius)
            if item.lead:
                ground = QRect(BLEED, item.head, item.page.width, item.thought_bottom - item.head)
                painter.drawRoundedRect(ground, tokens.radius, tokens.radius)
            if self._flash or (self._ring and self.focused_link is None):
                painter.setPen(QPen(QColor(tokens.accent), tokens.ring))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box, tokens.radius, tokens.radius)
            painter.setFont(self.label_font())
            painter.setPen(QColor(tokens.muted))
            height = math.ceil(painter.fontMetrics().height())
            room = QRect(
                BLEED, self.around.label_top, self.around.label_width(item.page.width), height
            )
            label = painter.fontMetrics().elidedText(
                self.speaker, Qt.TextElideMode.ElideMiddle, room.width()
            )
            painter.drawText(room, 0, label)
