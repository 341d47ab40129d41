"""The rows of the form: a name, a field, a way back to automatic, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.loading.load_fields import FieldError, NumberField
from desktop.views.icons import icon

translate = QCoreApplication.translate

ICON_SIZE: Final = 16
NUMBER_WIDTH: Final = 200
T = TypeVar("T")


class Row(QWidget, Generic[T]):
    """See the module. `value` None: automatic.

    Args:
        label: its name.
        hint: what it does, in a sentence.
        on_change: called when the user changed the value.
    """

    def __init__(self, label: str, hint: str, on_change: Callable[[], object]) -> None:
        super().__init__()
        space = theme.current().space
        self.label = label
        self.hint = hint
        self.value: T | None = None
        self._on_change = on_change
        self.name = QLabel(label)
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.words = QLabel(hint)
        self.words.setProperty("role", "muted")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.fault = QLabel()
        self.fault.setProperty("role", "danger")
        self.fault.setTextFormat(Qt.TextFormat.PlainText)
        self.fault.setWordWrap(True)
        self.fault.hide()
        self.reset = QToolButton()
        self.reset.setIcon(icon("retry", "muted"))
        self.reset.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.reset.setToolTip(translate("LoadForm", "Back to automatic"))
        self.reset.setAccessibleName(
            translate("LoadForm", "{name}: back to automatic").format(name=label)
        )
        self.reset.clicked.connect(lambda _checked=False: self.back_to_automatic())
        self.line = QHBoxLayout()
        self.line.setSpacing(space.s)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, space.s)
        self._column.setSpacing(space.xs)
        self._column.addWidget(self.name)
        self._column.addLayout(self.line)
        self._column.addWidget(self.fault)
        self._column.addWidget(self.words)

    def insert(self, widget: QWidget) -> None:
        """Put something below the field."""
        self._column.insertWidget(2, widget)

    def set_hint(self, hint: str) -> None:
        """Another word on what it does."""
        self.hint = hint
        self.words.setText(hint)
        self.words.setVisible(bool(hint))

    @property
    def has_fault(self) -> bool:
        """Whether what is typed cannot be used; `value` is then the last that could."""
        return bool(self.fault.text())

    def back_to_automatic(self) -> None:
        """Leave it to the planner again."""
        changed = self.value is not None or self.has_fault
        self.show_value(None)
        self.take_focus()
        if changed:
            self._on_change()

    def fields(self) -> list[QWidget]:
        """What the user sets it with."""
        raise NotImplementedError

    def take_focus(self) -> None:
        """Put the cursor in it."""
        for field in self.fields():
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            return

    def show_value(self, value: T | None) -> None:
        """Show a value that was chosen elsewhere."""
        raise NotImplementedError

    # --- for the kinds of rows -----------------------------------------------------------

    def _finish(self, field: QWidget) -> None:
        """`field` is in the line: give it its names, and the line its end."""
        self.name.setBuddy(field)
        field.setAccessibleName(self.label)
        field.setAccessibleDescription(self.hint)
        self.line.addWidget(self.reset)
        self.line.addStretch(1)
        self.reset.setEnabled(False)

    def _take(self, value: T | None) -> None:
        self.reset.setEnabled(value is not None)
        if value != self.value:
            self.value = value
            self._on_change()

    def _show_fault(self, words: str, field: QWidget) -> None:
        self.fault.setText(words)
        self.fault.setVisible(bool(words))
        # A screen reader hears it with the field.
        field.setAccessibleDescription(f"{words} {self.hint}" if words else self.hint)


class NumberRow(Row[float]):
    """A number that one types; while what is typed makes no sense, the last value holds."""

    def __init__(
        self, label: str, hint: str, field: NumberField, on_change: Callable[[], object]
    ) -> None:
        super().__init__(label, hint, on_change)
        self.field = field
        self.edit = QLineEdit()
        self.edit.setMaximumWidth(NUMBER_WIDTH)
        self.edit.setMaxLength(40)
        self.edit.textEdited.connect(lambda _text: self._on_edited())
        self.edit.editingFinished.connect(self._tidy)
        self.line.addWidget(self.edit, 8)
        self._finish(self.edit)
        self._on_theme_changed()
        theme.notifier().changed.connect(self._on_theme_changed)

    def fields(self) -> list[QWidget]:
        """The one."""
        return [self.edit]

    def show_value(self, value: float | None) -> None:
        """Show a value, unless it stands there already."""
        same = self._typed() == value and not self.has_fault
        self.value = value
        if not same:
            self.edit.setText(self.field.write(value))
            self._show_fault("", self.edit)
        self.reset.setEnabled(bool(self.edit.text()))

    def set_hint(self, hint: str) -> None:
        """Another word on what it does."""
        super().set_hint(hint)
        self._show_fault(self.fault.text(), self.edit)

    def set_field(self, field: NumberField) -> None:
        """Other bounds."""
        self.field = field

    def show_automatic(self, value: float | None) -> None:
        """What holds while the field is empty."""
        text = self.field.shown(value) if value is not None else ""
        self.edit.setPlaceholderText(automatic_text(text))

    def _on_theme_changed(self) -> None:
        """What is automatic is read, not only guessed at: no faint placeholder."""
        look = theme.current()
        self.edit.setFont(look.figure_font(look.body))
        palette = self.edit.palette()
        palette.setColor(QPalette.ColorRole.PlaceholderText, look.colour("muted"))
        self.edit.setPalette(palette)

    def _typed(self) -> float | None:
        try:
            return self.field.read(self.edit.text())
        except FieldError:
            return float("nan")

    def _on_edited(self) -> None:
        try:
            value = self.field.read(self.edit.text())
        except FieldError as error:
            had = self.has_fault
            self._show_fault(str(error), self.edit)
            self.reset.setEnabled(True)
            if not had:
                self._on_change()
            return
        had = self.has_fault
        self._show_fault("", self.edit)
        self._take(value)
        self.reset.setEnabled(bool(self.edit.text()))
        if had:
            self._on_change()

    def _tidy(self) -> None:
        """What was typed in short ("32k") is shown in full."""
        if not self.has_fault and self.value is not None:
            self.edit.setText(self.field.write(self.value))


def automatic_text(value: str) -> str:
    """How a field says that it is left to the planner: "Automatic (32,768)"."""
    if not value:
        return translate("LoadForm", "Automatic")
    return translate("LoadForm", "Automatic ({value})").format(value=value)
