"""Tab within one message: through its buttons and links from top to bottom, then out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop.views.transcript.part_widget import PartWidget
from desktop.views.transcript.toolbar import MessageToolbar


@dataclass(frozen=True, slots=True)
class LinkStop:
    """A link that has the focus: which one of a part's."""

    widget: PartWidget
    number: int


_Stop = QWidget | LinkStop


class FocusStops(QWidget):
    """A widget whose Tab order is its own, with links among the stops.

    Links are no widgets: while one has the focus, the frame holds it for it.

    Signals:
        link_activated: the address of a link that was followed by keyboard.
        stop_reached: the rectangle that should be in view now, in this widget's pixels.
    """

    link_activated = Signal(str)
    stop_reached = Signal(QRect)

    def __init__(self, parent: QWidget, leave: Callable[[bool], bool]) -> None:
        super().__init__(parent)
        self._leave = leave
        self._link: LinkStop | None = None
        self.toolbar: MessageToolbar | None = None  # while it is lent to this message

    def stop_widgets(self) -> list[QWidget]:
        """Buttons, and parts that may hold links and buttons, in order."""
        raise NotImplementedError

    # --- links ---

    @property
    def focused_link(self) -> LinkStop | None:
        """The link that has the focus."""
        return self._link

    @property
    def link(self) -> str:
        """The address of the link that has the focus, or nothing."""
        stop = self._link
        if stop is None:
            return ""
        links = stop.widget.links()
        return links[stop.number] if stop.number < len(links) else ""

    def focus_link(self, stop: LinkStop | None) -> None:
        """Give a link the focus, or none."""
        if self._link is not None:
            self._link.widget.focus_link(None)
        self._link = stop
        if stop is not None:
            stop.widget.focus_link(stop.number)
        self.update()

    def forget_links_of(self, widget: PartWidget) -> None:
        """A part's widget goes away."""
        if self._link is not None and self._link.widget is widget:
            self.focus_link(None)

    # --- Tab ---

    def _stops(self) -> list[_Stop]:
        stops: list[_Stop] = [self]
        for widget in self.stop_widgets():
            if isinstance(widget, PartWidget):
                stops += [LinkStop(widget, number) for number in range(len(widget.links()))]
                stops += widget.focus_stops()
            else:
                stops.append(widget)
        first = self.toolbar.first_stop() if self.toolbar is not None else None
        return [*stops, first] if first is not None else stops

    def _here(self, stops: list[_Stop]) -> int:
        if self.toolbar is not None and self.toolbar.has_focus():
            return len(stops) - 1
        focused: _Stop = self._link or self.focusWidget() or self
        return stops.index(focused) if focused in stops else 0

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the next stop, or out."""
        stops = self._stops()
        place = self._here(stops) + (1 if forward else -1)
        if not 0 <= place < len(stops):
            self.focus_link(None)
            return self._leave(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stop = stops[place]
        if isinstance(stop, LinkStop):
            self.setFocus(reason)
            self.focus_link(stop)
            area = stop.widget.link_rect(stop.number).translated(stop.widget.pos())
        else:
            self.focus_link(None)
            stop.setFocus(reason)
            if not self.isAncestorOf(stop):
                return True
            area = QRect(stop.mapTo(self, QPoint()), stop.size())
        self.stop_reached.emit(area)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter follows a link, and presses a button as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.focusWidget()
            if self.link:
                self.link_activated.emit(self.link)
                return
            if isinstance(focused, QAbstractButton):
                focused.click()
                return
        super().keyPressEvent(event)
