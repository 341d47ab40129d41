"""What the page is to a screen reader: a list of messages, and buttons that unfold.

Qt gives every plain widget the same role. The interfaces here are made only while an
assistive technology is listening.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import Shiboken

from desktop.views.transcript.message_frame import MessageFrame
from desktop.views.transcript.surface import PageSurface
from desktop.views.transcript.thought_bar import ThoughtButton


class _Page(QAccessibleWidget):
    """A list: the messages that are near the view, from top to bottom, and the toolbar last."""

    def __init__(self, page: PageSurface) -> None:
        super().__init__(page, QAccessible.Role.List, "")

    def text(self, kind: QAccessible.Text) -> str:
        """Named as the transcript is."""
        if kind == QAccessible.Text.Name:
            canvas = self.widget().parentWidget()
            return canvas.accessibleName() if canvas is not None else ""
        return super().text(kind)

    def _children(self) -> list[QWidget]:
        children = [
            child
            for child in self.object().children()
            if isinstance(child, QWidget) and not child.isHidden()
        ]
        return sorted(children, key=lambda child: (not isinstance(child, MessageFrame), child.y()))

    def childCount(self) -> int:
        """How many there are."""
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """One of them."""
        children = self._children()
        if not 0 <= index < len(children):
            return None
        return QAccessible.queryAccessibleInterface(children[index])

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Where one stands; -1 for what is not here."""
        children = self._children()
        found = child.object()
        return children.index(found) if found in children else -1


class _Message(QAccessibleWidget):
    """An item of the list: who speaks, how it stands, what it says."""

    def __init__(self, frame: MessageFrame) -> None:
        super().__init__(frame, QAccessible.Role.ListItem, "")

    def state(self) -> QAccessible.State:
        """Busy as long as the answer grows."""
        state = super().state()
        frame = self.object()
        if isinstance(frame, MessageFrame) and frame.item is not None:
            state.busy = frame.item.message.status.is_active
        return state


class _Unfolder(QAccessibleWidget):
    """A button with something to unfold."""

    def __init__(self, button: ThoughtButton) -> None:
        super().__init__(button, QAccessible.Role.Button, "")

    def state(self) -> QAccessible.State:
        """Whether it is unfolded."""
        state = super().state()
        button = self.object()
        if isinstance(button, ThoughtButton):
            state.expandable = True
            state.expanded = button.unfolded
            state.collapsed = not button.unfolded
        return state

    def actionNames(self) -> list[str]:
        """What a screen reader can do with it."""
        return ["Press"]

    def doAction(self, name: str) -> None:
        """Do it."""
        button = self.object()
        if name == "Press" and isinstance(button, ThoughtButton):
            button.click()


_made: list[QAccessibleInterface] = []  # Qt owns them; their Python halves must stay alive
_installed = False


def _factory(_name: str, thing: QObject) -> QAccessibleInterface | None:
    interface: QAccessibleInterface
    if isinstance(thing, PageSurface):
        interface = _Page(thing)
    elif isinstance(thing, MessageFrame):
        interface = _Message(thing)
    elif isinstance(thing, ThoughtButton):
        interface = _Unfolder(thing)
    else:
        return None
    _made[:] = [made for made in _made if Shiboken.isValid(made)]
    _made.append(interface)
    return interface


def install() -> None:
    """Tell Qt how the page's widgets are to be read out. Once is enough."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_factory)


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say `text` when it has finished what it is saying."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
