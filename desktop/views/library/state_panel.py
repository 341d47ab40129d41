"""What stands in a list's place while it has nothing to show: why, and what can be done."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library.hub_faults import Fault, way_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon
from desktop.views.transcript.accessible import announce

SIGN: Final = 36
WIDTH: Final = 460
ROWS: Final = 7  # of the skeleton


class StatePanel(QWidget):
    """A sign, a title, a sentence, buttons.

    Signals:
        way_chosen: the `Way` out that was pressed.
        other_chosen: a button of the caller's own.
    """

    way_chosen = Signal(object)
    other_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._sign_name = "search"
        self.fault: Fault | None = None
        self.sign = QLabel()
        self.sign.setFixedSize(SIGN, SIGN)
        self.title = plain_label("", "title")
        self.text = plain_label("")
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self._buttons = QWidget()
        self._flow = FlowLayout(self._buttons, space.s)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._buttons.setSizePolicy(policy)
        inner = QWidget()
        inner.setMaximumWidth(WIDTH)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        column.addWidget(self.sign)
        column.addSpacing(space.xs)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(space.s)
        column.addWidget(self._buttons)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(inner, 6)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.addStretch(2)
        layout.addLayout(row)
        layout.addStretch(3)
        theme.notifier().changed.connect(self._show_sign)

    def buttons(self) -> list[QWidget]:
        """What can be pressed, in order."""
        items = [self._flow.itemAt(index) for index in range(self._flow.count())]
        widgets = [item.widget() for item in items if item is not None]
        return [widget for widget in widgets if widget is not None]

    def show_fault(self, fault: Fault) -> None:
        """Say why there is nothing, with a button for each way out."""
        self.fault = fault
        self._say(fault.icon, fault.title, fault.text)
        for number, way in enumerate(fault.ways):
            self._add(way_text(way), lambda way=way: self.way_chosen.emit(way), first=number == 0)

    def show_words(self, sign: str, title: str, text: str, button: str = "") -> None:
        """Say something else; `button` is the caller's own."""
        self.fault = None
        self._say(sign, title, text)
        if button:
            self._add(button, self.other_chosen.emit, first=True)

    # --- inside ------------------------------------------------------------------------

    def _say(self, sign: str, title: str, text: str) -> None:
        changed = (title, text) != (self.title.text(), self.text.text())
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._sign_name = sign
        self._show_sign()
        self.title.setText(title)
        self.text.setText(text)
        self.text.setVisible(bool(text))
        if changed and self.isVisible():
            announce(self, f"{title}. {text}")

    def _add(self, words: str, slot: object, *, first: bool) -> None:
        button = push_button(words, slot, "primary" if first else "")  # type: ignore[arg-type]
        self._flow.addWidget(button)
        self._buttons.updateGeometry()

    def _show_sign(self) -> None:
        self.sign.setPixmap(icon(self._sign_name, "faint").pixmap(QSize(SIGN, SIGN)))


class Skeleton(QWidget):
    """Rows to come, in outline: so that nothing jumps when they are there. It does not move."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        theme.notifier().changed.connect(self.update)

    def event(self, event: QEvent) -> bool:
        """A screen reader is told what is waited for."""
        if event.type() is QEvent.Type.Show:
            announce(self, self.accessibleName())
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars where a row's name, facts and verdict will be, ever fainter."""
        del event
        look = theme.current()
        space = look.space
        line = round(look.em)
        height = 2 * line + space.xl
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("hover"))
            for number in range(ROWS):
                painter.setOpacity(1 - number / ROWS)
                top = number * height + space.s
                left = space.xxl
                right = round(self.width() * 0.66)
                name = round((right - left) * (0.62, 0.44, 0.55, 0.5)[number % 4])
                facts = round((right - left) * (0.8, 0.7, 0.86, 0.66)[number % 4])
                bars = [
                    QRect(left, top, name, round(line * 0.8)),
                    QRect(left, top + line + space.s, facts, round(line * 0.6)),
                    QRect(right, top, round(self.width() * 0.2), round(line * 0.7)),
                ]
                for bar in bars:
                    painter.drawRoundedRect(bar, look.radius_small, look.radius_small)
