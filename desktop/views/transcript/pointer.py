"""Selecting and copying on the page, and following links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop.chats import chat
from desktop.chats.markdown.markdown_parts import display_text
from desktop.models.tip_text import tip_text
from desktop.views.transcript.keyboard import KeyboardCanvas
from desktop.views.transcript.message_frame import BLEED
from desktop.views.transcript.page_menu import page_menu
from desktop.views.transcript.selection import Place, Selection
from desktop.views.transcript.units import utf16_length

_AUTOSCROLL_MS: Final = 30
_NOTCH: Final = 120  # of a wheel, in eighths of a degree
_LEFT: Final = Qt.MouseButton.LeftButton


class ReadingCanvas(KeyboardCanvas):
    """A canvas one can select in, with the mouse or the keys.

    Signals:
        quoted: text that the reader wants to answer to.
        zoomed: the reader wants larger (1) or smaller (-1) text.
    """

    quoted = Signal(str)
    zoomed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = Selection()
        self._pressed = QPoint()
        self._dragging = False
        self._moved = False
        self._grain = 1  # 1 a sign, 2 a word, 3 a paragraph
        self._last_press = QPoint()
        self._triple = QTimer(self)
        self._triple.setSingleShot(True)
        self._turned = 0  # of the wheel, in eighths of a degree, since the last step
        self._pointer = QPoint()
        self._autoscroll = QTimer(self)
        self._autoscroll.setInterval(_AUTOSCROLL_MS)
        self._autoscroll.timeout.connect(self._scroll_on)

    # --- selection ---

    def set_messages(self, messages: Sequence[chat.Message]) -> None:
        """Show these, and select nothing."""
        self._selection.clear()
        super().set_messages(messages)

    def selected_text(self) -> str:
        """What is selected."""
        return self._selection.text(self.items)

    def copy(self) -> None:
        """Copy what is selected, or else the message that has the focus."""
        text = self.selected_text()
        if not text and 0 <= self.current < len(self.items):
            text = self.items[self.current].content
        if text:
            QGuiApplication.clipboard().setText(text)

    def select_all(self) -> None:
        """Select every message."""
        if not self.items:
            return
        last = self.items[-1]
        last.read_all()
        part = max(0, len(last.parts) - 1)
        length = utf16_length(display_text(last.parts[part])) if last.parts else 0
        self._selection.begin(Place(0, 0, 0), Place(len(self.items) - 1, part, length))
        self._show_selection()

    def clear_selection(self) -> None:
        """Select nothing."""
        self._selection.clear()
        self._show_selection()

    def unfold(self, index: int, unfolded: bool) -> None:
        """Show or hide what a message thought; what was selected there no longer is."""
        if self.items[index].unfolded != unfolded:
            self._selection.clear()
        super().unfold(index, unfolded)

    def _show_selection(self) -> None:
        for index, frame in self.frames.items():
            for number, widget in frame.widgets.items():
                widget.set_selection(*self._selection.span_in(index, number, widget.length))

    def arrange(self) -> None:
        """Bring the view and the selection up to date."""
        super().arrange()
        if self._selection.range is not None:
            self._show_selection()

    def _reach(self, point: QPoint) -> tuple[Place, Place]:
        """The place at a point, or the word or paragraph around it."""
        place = self.place_at(point)
        frame = self.frame_of(place.item)
        widget = frame.widgets.get(place.part) if frame is not None else None
        if self._grain == 1 or widget is None:
            return place, place
        around = widget.word_at if self._grain == 2 else widget.paragraph_at
        start, end = around(place.position)
        return Place(place.item, place.part, start), Place(place.item, place.part, end)

    # --- mouse ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to select."""
        if event.button() != _LEFT:
            return
        point = event.position().toPoint()
        again = (
            self._triple.isActive()
            and (point - self._last_press).manhattanLength()
            < QGuiApplication.styleHints().startDragDistance()
        )
        self._grain = 3 if again else 1
        self._begin(point, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        frame = self.frame_at(point)
        if frame is not None:
            frame.setFocus(Qt.FocusReason.MouseFocusReason)
        else:
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if event.button() != _LEFT:
            return
        self._last_press = event.position().toPoint()
        self._triple.start(QGuiApplication.styleHints().mouseDoubleClickInterval())
        self._grain = 2
        self._begin(self._last_press, extend=False)

    def _begin(self, point: QPoint, *, extend: bool) -> None:
        self._pressed = self._pointer = point
        self._dragging, self._moved = True, False
        if extend:
            self._selection.extend(*self._reach(point))
        else:
            self._selection.begin(*self._reach(point))
        self._show_selection()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select on, or show what the pointer is over."""
        point = event.position().toPoint()
        if not self._dragging or not event.buttons() & _LEFT:
            self._dragging = False
            self._set_cursor(point)
            return
        self._pointer = point
        distance = (point - self._pressed).manhattanLength()
        if not self._moved and distance < QGuiApplication.styleHints().startDragDistance():
            return
        self._moved = True
        self._selection.extend(*self._reach(point))
        self._show_selection()
        outside = point.y() < 0 or point.y() >= self.viewport().height()
        if outside and not self._autoscroll.isActive():
            self._autoscroll.start()
        elif not outside:
            self._autoscroll.stop()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a selection, or follow a link."""
        self._autoscroll.stop()
        if event.button() != _LEFT or not self._dragging:
            return
        self._dragging = False
        point = event.position().toPoint()
        link = self.link_at(point)
        if link and not self._moved and self._grain == 1:
            self.link_activated.emit(link)
        clipboard = QGuiApplication.clipboard()
        if clipboard.supportsSelection() and (text := self.selected_text()):
            clipboard.setText(text, clipboard.Mode.Selection)

    def _scroll_on(self) -> None:
        """A drag beyond the edge goes on."""
        below = self._pointer.y() - self.viewport().height()
        step = below if below > 0 else min(self._pointer.y(), 0)
        if step == 0:
            self._autoscroll.stop()
            return
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + max(-60, min(60, step)))
        self._selection.extend(*self._reach(self._pointer))
        self._show_selection()

    def link_at(self, point: QPoint) -> str:
        """The web address under a point of the viewport, or nothing."""
        frame = self.frame_at(point)
        return frame.link_at(point - frame.pos()) if frame is not None else ""

    def _set_cursor(self, point: QPoint) -> None:
        shape = Qt.CursorShape.ArrowCursor
        frame = self.frame_at(point)
        if frame is not None:
            inside = point - frame.pos()
            if frame.link_at(inside):
                shape = Qt.CursorShape.PointingHandCursor
            elif any(w.geometry().contains(inside) for w in frame.widgets.values()):
                shape = Qt.CursorShape.IBeamCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        """Events of the viewport."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            # The full address, before one follows it.
            address = tip_text(self.link_at(event.pos()))
            QToolTip.showText(event.globalPos(), address, self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what one can do here; by keyboard, with the message that has the focus."""
        point = self.viewport().mapFromGlobal(event.globalPos())
        where = event.globalPos()
        frame = self.frame_of(self.current)
        if event.reason() == QContextMenuEvent.Reason.Keyboard and frame is not None:
            inside = frame.geometry().intersected(self.viewport().rect())
            point = inside.topLeft() + QPoint(BLEED, BLEED)
            where = self.viewport().mapToGlobal(point)
        menu = self.make_menu(point, link=frame.link if frame is not None else "")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def make_menu(self, point: QPoint, *, link: str = "") -> QMenu:
        """What one can do at a point of the viewport; `link`: one that has the focus."""
        frame = self.frame_at(point)
        item = frame.item if frame is not None else None
        message_id = item.message.id if item is not None else ""
        return page_menu(
            self,
            link=self.link_at(point) or link,
            has_selection=self._selection.range is not None,
            message=item.current if item is not None else None,
            act=lambda name, number: self._ask(message_id, name, number),
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or with Ctrl change the size of the text."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
            return
        event.accept()
        self._turned += event.angleDelta().y()
        steps = int(self._turned / _NOTCH)
        self._turned -= steps * _NOTCH
        for _ in range(abs(steps)):
            self.zoomed.emit(1 if steps > 0 else -1)

    # --- keys ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy and select by keyboard; the rest moves."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.key() == Qt.Key.Key_Escape and self._selection.range is not None:
            self.clear_selection()
        elif event.key() == Qt.Key.Key_Escape and self.words:
            self.clear_marks()
        else:
            super().keyPressEvent(event)
