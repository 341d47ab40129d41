"""One line that tells the user something, with what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop import theme
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.icons import icon

_ICON_SIZE = 16
_WORDS_WIDTH = 240  # pixels the words need beside the buttons
_LOOK = {
    NoticeLevel.HINT: ("chat", "muted"),
    NoticeLevel.WARNING: ("warning", "warning"),
    NoticeLevel.ERROR: ("warning", "danger"),
}


class NoticeBar(QFrame):
    """Hidden while there is nothing to say.

    Signals:
        dismissed: the user closed it.
        focus_left: what had the focus in it is gone; it wants another place.
    """

    dismissed = Signal()
    focus_left = Signal()

    def __init__(self, parent: QWidget | None = None, *, closable: bool = True) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "raised")
        self._notice = NO_NOTICE
        self._mark = QLabel()
        self._mark.setFixedSize(_ICON_SIZE, _ICON_SIZE)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(space.s)
        # In a narrow bar the buttons stand below the words.
        self._inside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._inside.setSpacing(space.s)
        self._inside.addWidget(self._text, 1)
        self._inside.addLayout(self._buttons)
        self._close = QToolButton()
        self._close.setIcon(icon("close", "muted"))
        self._close.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self._close.setAccessibleName(self.tr("Close this notice"))
        self._close.setToolTip(self.tr("Close this notice"))
        self._close.clicked.connect(self._on_close)
        if not closable:
            self._close.hide()
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(space.m, space.xs, space.xs, space.xs)
        layout.setSpacing(space.s)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(self._inside, 1)
        layout.addWidget(self._close)
        theme.notifier().changed.connect(self._refresh_mark)
        self.hide()

    @property
    def notice(self) -> Notice:
        """What is shown."""
        return self._notice

    def text(self) -> str:
        """The words shown."""
        return self._text.text()

    def show_notice(self, notice: Notice) -> None:
        """Show `notice`, or nothing if its text is empty. Buttons are taken away."""
        focus = self.window().focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        while (item := self._buttons.takeAt(0)) is not None:
            button = item.widget()
            if button is not None:
                button.hide()
                button.deleteLater()
        self._notice = notice
        self._text.setText(notice.text)
        self.setAccessibleName(notice.text)
        self._refresh_mark()
        self.setVisible(bool(notice.text))
        if had_focus:
            self.focus_left.emit()

    def add_button(self, label: str, slot: Callable[[], object]) -> QPushButton:
        """Offer something to do about it."""
        button = QPushButton(label.replace("&", "&&"))  # a model's name gives no key
        button.setAccessibleName(label)
        button.clicked.connect(lambda _checked=False: slot())
        self._buttons.addWidget(button)
        button.show()
        self._fit()
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Words and buttons side by side, where the words keep room enough."""
        direction = QBoxLayout.Direction
        widths = [
            item.sizeHint().width()
            for i in range(self._buttons.count())
            if (item := self._buttons.itemAt(i)) is not None
        ]
        buttons = sum(widths) + self._buttons.spacing() * len(widths)
        room = self.width() - self._close.sizeHint().width() - 2 * theme.current().space.m
        beside = room - buttons >= _WORDS_WIDTH or not widths
        in_row = beside or buttons <= room
        self._buttons.setDirection(direction.LeftToRight if in_row else direction.TopToBottom)
        self._inside.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        space = theme.current().space
        edge = space.xs if beside else space.s  # a line of its own is as high as its buttons
        self._layout.setContentsMargins(space.m, edge, space.xs, edge)
        self._buttons.setAlignment(Qt.AlignmentFlag(0) if beside else Qt.AlignmentFlag.AlignLeft)

    def _refresh_mark(self) -> None:
        name, colour = _LOOK[self._notice.level]
        self._mark.setHidden(self._notice.level is NoticeLevel.HINT)
        self._mark.setPixmap(icon(name, colour).pixmap(_ICON_SIZE, _ICON_SIZE))

    def _on_close(self) -> None:
        self.show_notice(NO_NOTICE)
        self.dismissed.emit()
