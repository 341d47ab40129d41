"""The numbers of the chat settings: each with its default, its fault and a way back."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QToolButton, QWidget

from desktop import theme
from desktop.engine_link.engine_state import EngineView
from desktop.models.tip_text import tip_text
from desktop.models.writing.parameter_fields import (
    FIELDS,
    Field,
    FieldError,
    default_text,
    parse,
    shown,
)
from desktop.views.icons import icon

_ICON_SIZE = 16
_FIELD_WIDTH = 200  # pixels


class NumberRow:
    """One number: what was last valid holds while what is typed is not."""

    def __init__(self, item: Field, label: str, hint: str, grid: QGridLayout, row: int) -> None:
        self.item = item
        self.value: float | int | None = None
        self.label = QLabel(label)
        self.label.setToolTip(hint)
        self.edit = QLineEdit()
        self.edit.setAccessibleName(label)
        self.edit.setAccessibleDescription(hint)
        self.edit.setToolTip(hint)
        self.edit.setFixedWidth(_FIELD_WIDTH)
        self.edit.setFont(theme.current().figure_font(theme.current().body))
        self.label.setBuddy(self.edit)
        self.reset = QToolButton()
        self.reset.setIcon(icon("retry", "muted"))
        self.reset.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.fault = QLabel()
        self.fault.setProperty("role", "danger")
        self.fault.setTextFormat(Qt.TextFormat.PlainText)
        self.fault.setWordWrap(True)
        self.fault.hide()
        grid.addWidget(self.label, 2 * row, 0)
        grid.addWidget(self.edit, 2 * row, 1)
        grid.addWidget(self.reset, 2 * row, 2)
        grid.addWidget(self.fault, 2 * row + 1, 1, 1, 3)

    def read(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        try:
            self.value = parse(self.item, self.edit.text())
        except FieldError as error:
            self.show_fault(str(error))
        else:
            self.show_fault("")
        self.reset.setEnabled(bool(self.edit.text()))

    def show(self, value: object) -> None:
        """Put a value in the field, unless it stands there already."""
        number = value if isinstance(value, int | float) else None
        try:
            same = parse(self.item, self.edit.text()) == number
        except FieldError:
            same = False
        self.value = number
        if not same:
            self.edit.setText(shown(value))
            self.show_fault("")
        self.reset.setEnabled(bool(self.edit.text()))

    def show_fault(self, words: str) -> None:
        """Say what is wrong; empty: nothing is."""
        self.fault.setText(words)
        self.fault.setVisible(bool(words))


class NumberFields(QWidget):
    """All numbers.

    Signals:
        changed: a value is another now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(space.m)
        grid.setVerticalSpacing(space.xs)
        grid.setColumnStretch(3, 1)
        words = self._words()
        self.rows: dict[str, NumberRow] = {}
        for number, item in enumerate(FIELDS):
            label, hint = words[item.name]
            row = NumberRow(item, label, hint, grid, number)
            name = self.tr("{name}: back to the model's default").format(name=label)
            row.reset.setAccessibleName(name)
            row.reset.setToolTip(self.tr("Back to the model's default"))
            row.edit.textEdited.connect(lambda _text, row=row: self._on_edited(row))
            row.reset.clicked.connect(lambda _checked=False, row=row: self._on_reset(row))
            self.rows[item.name] = row

    def values(self) -> dict[str, object]:
        """Those that are set."""
        return {n: row.value for n, row in self.rows.items() if row.value is not None}

    def show_values(self, parameters: Mapping[str, object]) -> None:
        """Show a chat's values."""
        for name, row in self.rows.items():
            row.show(parameters.get(name))

    def set_view(self, view: EngineView) -> None:
        """Another model has other defaults."""
        for row in self.rows.values():
            text = default_text(row.item, view)
            row.edit.setPlaceholderText(text)
            words = self.tr("Back to the model's default: {value}").format(value=text)
            row.reset.setToolTip(tip_text(words))

    def _on_edited(self, row: NumberRow) -> None:
        before = row.value
        row.read()
        if row.value != before:
            self.changed.emit()

    def _on_reset(self, row: NumberRow) -> None:
        row.edit.clear()
        row.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_edited(row)

    def _words(self) -> dict[str, tuple[str, str]]:
        """Label and explanation of each."""
        return {
            "temperature": (
                self.tr("Temperature"),
                self.tr("How freely the model chooses: 0 always takes the likeliest word"),
            ),
            "top_p": (
                self.tr("Top-p"),
                self.tr("Only the likeliest words whose shares add up to this are considered"),
            ),
            "top_k": (
                self.tr("Top-k"),
                self.tr("Only this many of the likeliest words are considered; 0: all"),
            ),
            "min_p": (
                self.tr("Min-p"),
                self.tr("Words below this share of the likeliest one are left out"),
            ),
            "presence_penalty": (
                self.tr("Presence penalty"),
                self.tr("Above 0: words that were used once already become less likely"),
            ),
            "frequency_penalty": (
                self.tr("Frequency penalty"),
                self.tr("Above 0: the more often a word was used, the less likely it becomes"),
            ),
            "repetition_penalty": (
                self.tr("Repetition penalty"),
                self.tr("Above 1: words of the chat so far become less likely"),
            ),
            "max_tokens": (
                self.tr("Longest answer (tokens)"),
                self.tr("An answer ends here at the latest"),
            ),
            "seed": (
                self.tr("Seed"),
                self.tr("The same seed and settings give the same answer again"),
            ),
        }
