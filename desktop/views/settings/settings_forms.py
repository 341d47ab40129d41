"""The pieces that pages of settings are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.views.flow_layout import FlowLayout

FIELD_WIDTH = 460


class Page(QScrollArea):
    """One page: settings below each other, each with its name and what it does."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.title = title
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = self._inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(space.xl, space.l, space.xl, space.l)
        self._column.setSpacing(space.xs)
        head = QLabel(title)
        head.setProperty("role", "title")
        self._column.addWidget(head)
        self._column.addStretch(1)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)  # the page's ground is the dialog's

    def add(self, label: str, field: QWidget, hint: str = "") -> None:
        """Add a setting: its name, its field and a word on what it does."""
        name = QLabel(label)
        name.setWordWrap(True)
        name.setBuddy(field)
        self._gap()
        self._insert(name)
        self._insert(field)
        field.setAccessibleName(label)
        if hint:
            self.add_words(hint)
            field.setAccessibleDescription(hint)

    def add_switch(self, box: QCheckBox, hint: str = "") -> None:
        """Add a setting that is on or off; it bears its name itself."""
        box.setAccessibleName(box.text())
        self._gap()
        self._insert(box)
        if hint:
            self.add_words(hint)
            box.setAccessibleDescription(hint)

    def least_width(self) -> int:
        """Pixels that it needs: nothing is scrolled sideways."""
        scroll_bar = self.verticalScrollBar().sizeHint().width()
        return self._inside.minimumSizeHint().width() + scroll_bar

    def add_words(self, words: str) -> QLabel:
        """Add an explanation."""
        label = QLabel(words)
        label.setProperty("role", "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self._insert(label)
        return label

    def add_fact(self, label: str, value: str = "") -> QLabel:
        """Add something to read and copy; its text may change later."""
        name = QLabel(label)
        fact = QLabel(value)
        fact.setTextFormat(Qt.TextFormat.PlainText)
        fact.setWordWrap(True)
        fact.setProperty("role", "muted")
        fact.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        fact.setAccessibleName(label)
        self._gap()
        self._insert(name)
        self._insert(fact)
        return fact

    def add_buttons(self, *buttons: QPushButton) -> None:
        """Add buttons side by side, in as many rows as they need."""
        space = theme.current().space
        holder = QWidget()
        row = FlowLayout(holder, space.s)
        for button in buttons:
            row.addWidget(button)
        self._column.insertSpacing(self._column.count() - 1, space.s)
        self._insert(holder)

    def add_widget(self, widget: QWidget) -> None:
        """Add anything else."""
        self._gap()
        self._insert(widget)

    def _gap(self) -> None:
        self._column.insertSpacing(self._column.count() - 1, theme.current().space.m)

    def _insert(self, widget: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, widget)


class Choice(QComboBox):
    """A choice among a few values; calls back when the user chooses another."""

    def __init__(
        self, options: Sequence[tuple[str, str]], chosen: str, on_choice: Callable[[str], object]
    ) -> None:
        super().__init__()
        self.setMaximumWidth(FIELD_WIDTH)
        for value, text in options:
            self.addItem(text, value)
        self.show_value(chosen)
        self.activated.connect(lambda _index: on_choice(str(self.currentData())))

    def show_value(self, value: str) -> None:
        """Show a value as the chosen one."""
        index = self.findData(value)
        if index >= 0:
            self.setCurrentIndex(index)


def push_button(text: str, slot: Callable[[], object]) -> QPushButton:
    """A button that says what it does."""
    button = QPushButton(text)
    button.setAccessibleName(text.rstrip("…"))
    button.clicked.connect(lambda _checked=False: slot())
    return button
