"""The row below the composer's field: tools, what the keys do, the token meter.

Before the first paint it holds the words about the keys alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop import theme

if TYPE_CHECKING:
    from desktop.engine_link.engine_state import EngineView
    from desktop.models.writing.token_meter import MeterReading
    from desktop.views.composing.composer_tools import ComposerTools, MeterView


class ComposerRow(QWidget):
    """See the module.

    Signals:
        attach_requested, settings_requested, model_requested: the tools' buttons.
    """

    attach_requested = Signal()
    settings_requested = Signal()
    model_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._tools: ComposerTools | None = None
        self._model: tuple[EngineView, bool] | None = None
        self._meter: MeterView | None = None
        self._warning: QLabel | None = None
        self._keys = QLabel()
        self._keys.setProperty("role", "muted")
        self._line = QHBoxLayout()
        self._line.setContentsMargins(space.m, 0, space.m, 0)
        self._line.setSpacing(space.m)
        self._line.addWidget(self._keys)
        self._line.addStretch(1)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(space.xs)
        self._layout.addLayout(self._line)

    def set_keys(self, words: str) -> None:
        """What the keys do."""
        self._keys.setText(words)

    def equip(self) -> ComposerTools:
        """Show the tools: the chat is one that has settings."""
        if self._tools is None:
            from desktop.views.composing.composer_tools import ComposerTools, MeterView

            self._tools = ComposerTools()
            self._tools.attach_requested.connect(self.attach_requested)
            self._tools.settings_requested.connect(self.settings_requested)
            self._tools.model_requested.connect(self.model_requested)
            if self._model is not None:
                self._tools.model.show_model(self._model[0], is_own=self._model[1])
            self._line.insertWidget(0, self._tools)
            space = theme.current().space
            self._line.setContentsMargins(space.xs, 0, space.m, 0)
            self._meter = MeterView()
            self._line.addWidget(self._meter)
            self._fit()
        return self._tools

    def set_model(self, view: EngineView, *, is_own: bool) -> None:
        """Which engine answers here; `is_own`: by the chat's own choice."""
        self._model = (view, is_own)
        if self._tools is not None:
            self._tools.model.show_model(view, is_own=is_own)
            self._fit()

    def model_anchor(self) -> QWidget:
        """Where a menu of models opens."""
        return self.equip().model

    def set_facts(self, facts: str) -> None:
        """In what the chat differs from the model's defaults."""
        self.equip().set_facts(facts)
        self._fit()

    def set_reading(self, reading: MeterReading) -> None:
        """Show what the token meter says."""
        from desktop.models.writing.meter_text import meter_warning

        self.equip()
        if self._meter is not None:
            self._meter.show_reading(reading)
            self._fit()
        words = meter_warning(reading)
        if words and self._warning is None:
            self._warning = self._make_warning()
        if self._warning is not None:
            self._warning.setText(words)
            self._warning.setVisible(bool(words))

    def meter_words(self) -> str:
        """All that the token meter says; empty while it says nothing."""
        return self._meter.accessibleName() if self._meter is not None else ""

    # --- Qt ------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow row leaves the words about the keys out."""
        super().resizeEvent(event)
        self._fit()

    # --- inside --------------------------------------------------------------------

    def _make_warning(self) -> QLabel:
        label = QLabel()
        label.setProperty("role", "warning")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        space = theme.current().space
        label.setContentsMargins(space.m, 0, space.m, 0)
        self._layout.addWidget(label)
        return label

    def _fit(self) -> None:
        """The meter always, the chat's facts if they fit, then the keys."""
        if self._tools is None:
            return
        space = theme.current().space
        room = self.width() - space.xs - space.m
        if self._meter is not None and not self._meter.isHidden():
            room -= self._meter.sizeHint().width() + space.m
        keys = self._keys.sizeHint().width() + space.m
        wide = room >= self._tools.least_width() + keys
        self._keys.setVisible(wide)
        self._tools.fit(room - (keys if wide else 0))
