"""The texts of the chat settings: system prompt, stop strings, the answer's form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.session.stop_strings import as_lines, from_lines
from desktop.models.writing.constraint_check import pattern_fault, schema_fault

_FREE, _SCHEMA, _PATTERN = "", "json_schema", "regex"


def text_field(name: str, lines: int, *, mono: bool = False) -> QPlainTextEdit:
    """A field of some lines; Tab leaves it."""
    field = QPlainTextEdit()
    field.setTabChangesFocus(True)
    field.setProperty("role", "field")
    field.setAccessibleName(name)
    look = theme.current()
    if mono:
        field.setFont(look.mono_font())
    field.setFixedHeight(lines * field.fontMetrics().lineSpacing() + 2 * look.space.m)
    return field


def hint(text: str) -> QLabel:
    """A line that explains."""
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setWordWrap(True)
    return label


class StopStrings(QWidget):
    """Where an answer ends; one text a line.

    Signals:
        changed: they are others now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = text_field(self.tr("Stop strings, one a line"), 3, mono=True)
        self.field.textChanged.connect(self.changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.current().space.xs)
        layout.addWidget(self.field)
        layout.addWidget(
            hint(
                self.tr(
                    "One a line; the answer ends before the first of them. \\n stands for a line "
                    "break, \\t for a tab, \\\\ for a backslash."
                )
            )
        )

    def values(self) -> dict[str, object]:
        """The parameter, where it is set."""
        found = from_lines(self.field.toPlainText())
        return {"stop": found} if found else {}

    def show_values(self, parameters: Mapping[str, object]) -> None:
        """Show a chat's value."""
        stop = parameters.get("stop")
        given = stop if isinstance(stop, list | tuple) else ()
        texts = [text for text in given if isinstance(text, str)]
        if texts != from_lines(self.field.toPlainText()):
            self.field.setPlainText(as_lines(texts))


class AnswerForm(QWidget):
    """What form an answer must have: free, JSON of a schema, or a pattern.

    Signals:
        changed: it is another now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._valid = ""  # what holds while the text is not valid
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Form of the answer"))
        self.kind.addItem(self.tr("Free text"), _FREE)
        self.kind.addItem(self.tr("JSON of a schema"), _SCHEMA)
        self.kind.addItem(self.tr("A pattern (regular expression)"), _PATTERN)
        self.field = text_field(self.tr("Schema or pattern"), 6, mono=True)
        self.fault = QLabel()
        self.fault.setProperty("role", "danger")
        self.fault.setTextFormat(Qt.TextFormat.PlainText)
        self.fault.setWordWrap(True)
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.field.textChanged.connect(self._on_edited)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.current().space.xs)
        layout.addWidget(self.kind)
        layout.addWidget(self.field)
        layout.addWidget(self.fault)
        self._show_parts("")

    def values(self) -> dict[str, object]:
        """The parameter, where it is set and valid."""
        kind = self._kind()
        return {kind: self._valid} if kind and self._valid.strip() else {}

    def show_values(self, parameters: Mapping[str, object]) -> None:
        """Show a chat's value."""
        kind = next((k for k in (_SCHEMA, _PATTERN) if parameters.get(k)), _FREE)
        text = str(parameters.get(kind, "")) if kind else ""
        if {kind: text} == self.values() or (not kind and not self.values()):
            return
        self.kind.blockSignals(True)
        self.field.blockSignals(True)
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self.field.setPlainText(text)
        self.field.blockSignals(False)
        self.kind.blockSignals(False)
        self._valid = text
        self._show_parts(self._fault(text))

    def _kind(self) -> str:
        return str(self.kind.currentData())

    def _fault(self, text: str) -> str:
        checks: dict[str, Callable[[str], str]] = {_SCHEMA: schema_fault, _PATTERN: pattern_fault}
        return checks[self._kind()](text) if self._kind() in checks else ""

    def _on_kind(self) -> None:
        # What is typed may be right for the one and wrong for the other.
        text = self.field.toPlainText()
        fault = self._fault(text)
        self._valid = "" if fault else text
        self._show_parts(fault)
        self.changed.emit()

    def _on_edited(self) -> None:
        text = self.field.toPlainText()
        fault = self._fault(text)
        self._show_parts(fault)
        if not fault and text != self._valid:
            self._valid = text
            self.changed.emit()

    def _show_parts(self, fault: str) -> None:
        kind = self._kind()
        self.field.setVisible(bool(kind))
        self.field.setPlaceholderText(
            '{"type": "object", "properties": {…}}' if kind == _SCHEMA else "(yes|no)"
        )
        self.field.viewport().update()  # or the example of the other form stays
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault and kind))
