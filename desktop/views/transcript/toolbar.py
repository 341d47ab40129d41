"""What one can do with the message under the pointer or with the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.views.transcript.buttons import show, small_button
from desktop.views.transcript.message_actions import MessageAction, add_choices, add_to_menu

_GAP: Final = 2  # pixels between the buttons
_STEPS: Final = {Qt.Key.Key_Left.value: -1, Qt.Key.Key_Right.value: 1}


class MessageToolbar(QWidget):
    """One row of small buttons, lent to one message after the other.

    It lies over the page, so that nothing moves when it comes; what does not fit into the
    room that a message has for it is in its last button's menu. Tab comes to one of its
    buttons, the arrows go through them.

    Signals:
        chosen: an action's name, and the number chosen or 0.
        tabbed: Tab was pressed in it; whether forward.
    """

    chosen = Signal(str, int)
    tabbed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self._buttons: list[QToolButton] = []  # made once, used for whatever stands there
        self._menus: dict[int, QMenu] = {}
        self._actions: list[MessageAction] = []
        self._shown: tuple[list[MessageAction], int] | None = None
        self._count = 0
        self.hide()

    @property
    def buttons(self) -> list[QToolButton]:
        """Those that are there now, from left to right."""
        return self._buttons[: self._count]

    def show_actions(self, actions: list[MessageAction], room: QRect) -> None:
        """Offer `actions`, at the right end of `room` (in the parent's pixels)."""
        edge = self._button(0).sizeHint().width()
        slots = max(1, (room.width() + _GAP) // (edge + _GAP))
        if self._shown != (actions, slots):
            self._shown = (actions, slots)
            self._fill(actions, slots)
        width = self._count * (edge + _GAP) - _GAP
        height = self._button(0).sizeHint().height()
        # Beside one line in its middle, beside several at the first.
        top = room.y() + (room.height() - height) // 2 if room.height() < 2 * height else room.y()
        self.setGeometry(room.right() + 1 - width, top, width, height)
        for place, button in enumerate(self.buttons):
            button.setGeometry(place * (edge + _GAP), 0, edge, height)

    def _button(self, place: int) -> QToolButton:
        while place >= len(self._buttons):
            button = small_button(self, "more", "")
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            number = len(self._buttons)
            button.clicked.connect(lambda _checked=False, n=number: self._clicked(n))
            button.installEventFilter(self)  # before the button takes the arrows for its own
            button.ensurePolished()
            self._buttons.append(button)
        return self._buttons[place]

    def _fill(self, actions: list[MessageAction], slots: int) -> None:
        self._actions = actions
        for menu in self._menus.values():
            menu.deleteLater()
        self._menus.clear()
        direct = len(actions) if len(actions) <= slots else slots - 1
        for place, action in enumerate(actions[:direct]):
            button = self._button(place)
            show(button, action.icon, action.text)
            button.setEnabled(action.enabled)
            button.setMenu(None)  # type: ignore[arg-type]
            if action.choices:
                menu = self._menu(place)
                add_choices(menu, action, self.chosen.emit)
                button.setMenu(menu)
        self._count = direct
        if direct < len(actions):
            button = self._button(direct)
            show(button, "more", self.tr("More to do with this message"))
            button.setEnabled(True)
            menu = self._menu(direct)
            add_to_menu(menu, actions[direct:], self.chosen.emit)
            button.setMenu(menu)
            self._count += 1
        for place, button in enumerate(self._buttons):
            button.setVisible(place < self._count)

    def _menu(self, place: int) -> QMenu:
        menu = self._menus[place] = QMenu(self)
        return menu

    def _clicked(self, place: int) -> None:
        if place < len(self._actions) and not self._buttons[place].menu():
            self.chosen.emit(self._actions[place].name, 0)

    # --- keys ---

    def first_stop(self) -> QWidget | None:
        """Where Tab comes to, or None where nothing can be done now."""
        return next((button for button in self.buttons if button.isEnabled()), None)

    def has_focus(self) -> bool:
        """Whether one of its buttons has the focus."""
        return any(button.hasFocus() for button in self.buttons)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows go through the buttons; Enter presses one as Space does."""
        if event.type() == QEvent.Type.Enter:
            self._end_hover(watched)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            stops = [button for button in self.buttons if button.isEnabled()]
            step = _STEPS.get(event.key())
            if isinstance(watched, QToolButton) and watched in stops:
                if step is not None:
                    place = (stops.index(watched) + step) % len(stops)
                    stops[place].setFocus(Qt.FocusReason.ShortcutFocusReason)
                    return True
                if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                    if watched.menu():
                        watched.showMenu()
                    else:
                        watched.click()
                    return True
        return super().eventFilter(watched, event)

    def _end_hover(self, but: QObject | None = None) -> None:
        """No button looks as if the pointer were on it.

        One that came up under a resting pointer is told that it is there, and not always
        that it left.
        """
        for button in self._buttons:
            if button is not but and button.testAttribute(Qt.WidgetAttribute.WA_UnderMouse):
                button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
                button.update()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went elsewhere."""
        super().leaveEvent(event)
        self._end_hover()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on within the message."""
        self.tabbed.emit(forward)
        return True
