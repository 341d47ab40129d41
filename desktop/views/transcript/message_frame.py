"""The widget of one message that is in or near the view."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.chats.markdown_parts import Code, Part, Rule
from desktop.views.transcript.document_builder import indent_of
from desktop.views.transcript.message_footer import MessageFooter
from desktop.views.transcript.message_item import MessageItem
from desktop.views.transcript.part_pool import PartPool, kind_of
from desktop.views.transcript.part_widget import PartWidget

BLEED: Final = 16  # the ground and the focus ring reach out of the column by so much
_SPOKEN: Final = 4_000  # characters of a message that a screen reader is given as its name
_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class MessageFrame(QWidget):
    """Shows those parts of one message that are in or near the view.

    Signals:
        action: what the reader asked for ("copy", "stop", "continue", "retry").
    """

    action = Signal(str)

    def __init__(self, parent: QWidget, pool: PartPool, leave: Callable[[bool], bool]) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self._pool = pool
        self._leave = leave
        self._item: MessageItem | None = None
        self._widgets: dict[int, PartWidget] = {}
        self._growing: set[int] = set()
        self._ring = False
        self._footer = MessageFooter(self)
        self._footer.copy_requested.connect(lambda: self.action.emit("copy"))
        self._footer.stop_requested.connect(lambda: self.action.emit("stop"))
        self._footer.continue_requested.connect(lambda: self.action.emit("continue"))
        self._footer.retry_requested.connect(lambda: self.action.emit("retry"))

    # --- which message ---

    def bind(self, item: MessageItem) -> None:
        """Show `item` from now on."""
        self.release()
        self._item = item
        self._footer.setVisible(not item.is_user)
        self.refresh()

    def release(self) -> None:
        """Show nothing, and give the widgets back."""
        for widget in self._widgets.values():
            self._pool.give(widget)
        self._widgets.clear()
        self._growing.clear()
        self._footer.reset()
        self._item = None
        self._ring = False

    @property
    def item(self) -> MessageItem | None:
        """The message it shows."""
        return self._item

    @property
    def widgets(self) -> dict[int, PartWidget]:
        """The parts that have a widget now, by index."""
        return self._widgets

    @property
    def footer(self) -> MessageFooter:
        """The line below the answer."""
        return self._footer

    @property
    def speaker(self) -> str:
        """Who speaks, as shown."""
        if self._item is None:
            return ""
        if self._item.is_user:
            return self.tr("You")
        return self._item.message.model.rstrip("/").rpartition("/")[2] or self.tr("Assistant")

    # --- layout ---

    def refresh(self) -> None:
        """The message's state changed, or the theme: measure what is around the parts."""
        item = self._item
        if item is None:
            return
        tokens = theme.current()
        space = tokens.space
        label = round(QFontMetricsF(self._label_font()).height())
        if item.is_user:
            item.head, item.foot = space.m + label + space.xs, space.s
        else:
            self._footer.show_message(item.message)
            item.head = space.s + label + space.s
            item.foot = space.s + self._footer.height_for(item.page.width) + space.xs
        item.touch()
        name = self.tr("{speaker}: {text}").format(
            speaker=self.speaker, text=item.content[:_SPOKEN]
        )
        if not item.message.status.is_active and name != self.accessibleName():
            self.setAccessibleName(name)
        elif item.message.status.is_active:
            self.setAccessibleName(self.speaker)
        self.update()

    def lay_out(self, top: int, bottom: int) -> bool:
        """Give widgets to the parts between two heights, and take those of the others back.

        Returns whether a height turned out other than thought: then lay out again.
        """
        item = self._item
        if item is None:
            return False
        moved = False
        count = len(item.parts)
        first = item.part_at(top)
        active = item.message.status.is_active
        wanted: set[int] = set()
        index, place = first, item.tops[first]
        while index < count and place <= bottom:
            wanted.add(index)
            growing = active and index == count - 1
            moved |= self._show(item, index, growing=growing)
            place += item.heights[index]
            index += 1
            place += item.gap(index) if index < count else 0
        for index in [index for index in self._widgets if index not in wanted]:
            if index >= count or not self._widgets[index].isAncestorOf(self._focused()):
                self._pool.give(self._widgets.pop(index))
                self._growing.discard(index)
        return moved

    def _focused(self) -> QWidget:
        return self.focusWidget() or self

    def _show(self, item: MessageItem, index: int, *, growing: bool) -> bool:
        part = item.parts[index]
        widget = self._widgets.get(index)
        if widget is not None and type(widget) is not kind_of(part):
            self._pool.give(self._widgets.pop(index))
            widget = None
        if widget is None:
            widget = self._widgets[index] = self._pool.take(part, self)
        elif item.measured[index] and (growing or index not in self._growing):
            return False
        width = item.page.width - self._indent(item, part)
        height = widget.show_part(part, width, growing=growing)
        (self._growing.add if growing else self._growing.discard)(index)
        return item.set_height(index, height)

    def _indent(self, item: MessageItem, part: Part) -> int:
        # Prose and tables carry their own indents.
        return round(indent_of(part.nest, item.page.theme)) if isinstance(part, Code | Rule) else 0

    def place(self) -> None:
        """Put the widgets where their parts are."""
        item = self._item
        if item is None:
            return
        tops = item.tops
        # Out of view and kept for its focus, a message may have lost parts meanwhile.
        for index in [index for index in self._widgets if index >= len(item.parts)]:
            self._pool.give(self._widgets.pop(index))
        for index, widget in self._widgets.items():
            indent = self._indent(item, item.parts[index])
            widget.setGeometry(
                BLEED + indent, tops[index], item.page.width - indent, item.heights[index]
            )
            if widget.isHidden():
                widget.show()
        if not item.is_user:
            space = item.page.theme.space
            height = item.foot - space.s - space.xs
            self._footer.setGeometry(
                BLEED, item.height - item.foot + space.s, item.page.width, height
            )

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

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the message's own buttons from top to bottom, then leaves."""
        stops: list[QWidget] = [self]
        for index in sorted(self._widgets):
            stops += self._widgets[index].focus_stops()
        if self._footer.isVisible():
            stops += self._footer.focus_stops()
        focused = self.focusWidget() or self
        place = stops.index(focused) if focused in stops else 0
        place += 1 if forward else -1
        if not 0 <= place < len(stops):
            return self._leave(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[place].setFocus(reason)
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus."""
        super().focusInEvent(event)
        self._ring = event.reason() in _KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Lose the focus."""
        super().focusOutEvent(event)
        self._ring = False
        self.update()

    # --- painting ---

    def _label_font(self) -> QFont:
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
            if item.is_user:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(tokens.sunken))
                painter.drawRoundedRect(box, tokens.radius, tokens.radius)
            if self._ring:
                painter.setPen(QPen(QColor(tokens.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box, tokens.radius, tokens.radius)
            painter.setFont(self._label_font())
            painter.setPen(QColor(tokens.muted))
            top = tokens.space.m if item.is_user else tokens.space.s
            height = math.ceil(painter.fontMetrics().height())
            label = painter.fontMetrics().elidedText(
                self.speaker, Qt.TextElideMode.ElideMiddle, item.page.width
            )
            painter.drawText(QRect(BLEED, top, item.page.width, height), 0, label)
