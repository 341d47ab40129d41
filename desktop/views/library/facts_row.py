"""A model's facts: a name and a value each, in as many rows as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.views.flow_layout import FlowLayout


class FactsRow(QWidget):
    """See the module. A value is somebody else's words: plain text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[tuple[str, str], ...] = ()
        self._flow = FlowLayout(self, theme.current().space.l)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.notifier().changed.connect(self._on_theme)

    def facts(self) -> tuple[tuple[str, str], ...]:
        """What it shows."""
        return self._facts

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these; one without a value is left out."""
        wanted = tuple((name, value) for name, value in facts if value)
        if wanted != self._facts:
            self._facts = wanted
            self._fill()

    def _on_theme(self) -> None:
        """Figures have a face of their own, which the style sheet does not reach."""
        self._fill()

    def _fill(self) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            gone = item.widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        for name, value in self._facts:
            self._flow.addWidget(_Fact(name, value))
        self.updateGeometry()


class _Fact(QWidget):
    def __init__(self, name: str, value: str) -> None:
        super().__init__()
        label = QLabel(name)
        label.setProperty("role", "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        words = QLabel(value)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words.setFont(theme.current().figure_font(theme.current().body))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(label)
        column.addWidget(words)
        self.setAccessibleName(f"{name}: {value}")
