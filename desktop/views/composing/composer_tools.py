"""The composer's lower row: attach, the chat's own settings, the token meter."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop import theme
from desktop.models.tip_text import tip_text
from desktop.models.writing.meter_text import meter_text, meter_warning
from desktop.models.writing.token_meter import MeterReading
from desktop.views.composing.model_button import ModelButton
from desktop.views.icons import icon

_ICON_SIZE = 16
_BAR = QSize(56, 4)
_LEAST_WORDS, _MOST_WORDS = 160, 360  # pixels for the chat's facts


class _Bar(QWidget):
    """How full the context is; the words beside it say the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(_BAR)
        self._share = 0.0

    def set_share(self, share: float) -> None:
        """0 to 1; more is too much."""
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, then what is used."""
        look = theme.current()
        colour = "danger" if self._share > 1 else "warning" if self._share > 0.9 else "accent"
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            area = QRectF(self.rect())
            painter.setBrush(look.colour("pressed"))
            painter.drawRoundedRect(area, 2, 2)
            if self._share > 0:
                area.setWidth(max(area.height(), area.width() * min(1.0, self._share)))
                painter.setBrush(look.colour(colour))
                painter.drawRoundedRect(area, 2, 2)


class MeterView(QWidget):
    """The meter in figures and as a bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = _Bar()
        self._label = QLabel()
        self._label.setProperty("role", "muted")
        self._label.setFont(theme.current().figure_font())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.current().space.s)
        layout.addWidget(self._bar)
        layout.addWidget(self._label)
        self.hide()
        theme.notifier().changed.connect(self._on_theme_changed)

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def show_reading(self, reading: MeterReading) -> None:
        """Show it; nothing where there is nothing to say."""
        text = meter_text(reading)
        self._label.setText(text)
        self._bar.setVisible(bool(reading.context))
        if reading.context:
            self._bar.set_share((reading.tokens + reading.reserve) / reading.context)
        words = " ".join(part for part in (text, meter_warning(reading)) if part)
        self.setAccessibleName(words)
        self.setToolTip(
            self.tr("What the model reads with your next message, of what it can read at once")
        )
        self.setVisible(bool(text))

    def _on_theme_changed(self) -> None:
        self._label.setFont(theme.current().figure_font())


class ComposerTools(QWidget):
    """The row's left part.

    Signals:
        attach_requested, settings_requested, model_requested: the buttons.
    """

    attach_requested = Signal()
    settings_requested = Signal()
    model_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.attach = QToolButton()
        self.attach.setIcon(icon("attach", "muted"))
        self.attach.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.attach.setAccessibleName(self.tr("Attach text files"))
        self.attach.setToolTip(self.tr("Attach text files; you can drop them here too"))
        self.attach.clicked.connect(self.attach_requested)
        self.settings = QPushButton()
        self.settings.setProperty("kind", "quiet")
        self.settings.setProperty("role", "muted")
        self.settings.setIcon(icon("settings", "muted"))
        self.settings.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.settings.clicked.connect(self.settings_requested)
        self.model = ModelButton()
        self.model.clicked.connect(self.model_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.current().space.xs)
        layout.addWidget(self.attach)
        layout.addWidget(self.model)
        layout.addWidget(self.settings)
        self.set_facts("")

    def facts(self) -> str:
        """The words about the chat's own settings."""
        return self._facts

    def set_facts(self, facts: str) -> None:
        """Say in what the chat differs from the model's defaults; empty: in nothing."""
        self._facts = facts
        self.settings.setAccessibleName(
            self.tr("Settings of this chat: {facts}").format(facts=facts)
            if facts
            else self.tr("Settings of this chat")
        )
        nothing = self.tr("System prompt, preset and sampling of this chat: all defaults")
        self.settings.setToolTip(tip_text(facts) or nothing)
        self.fit(_MOST_WORDS)

    def least_width(self) -> int:
        """Pixels for the buttons and the first words."""
        metrics = self.settings.fontMetrics()
        words = min(metrics.horizontalAdvance(self._facts), _LEAST_WORDS)
        return self._buttons_width() + self.model.wanted_width() + words

    def fit(self, room: int) -> None:
        """The row has this many pixels for the tools."""
        metrics = self.settings.fontMetrics()
        room -= self._buttons_width()
        # The model's name comes first: it says who answers.
        self.model.fit(min(room, self.model.wanted_width()))
        words = max(0, min(room - self.model.wanted_width(), _MOST_WORDS))
        text = metrics.elidedText(self._facts, Qt.TextElideMode.ElideRight, words)
        self.settings.setText(text.replace("&", "&&") if len(text) > 1 else "")

    def _buttons_width(self) -> int:
        space = theme.current().space
        return self.attach.sizeHint().width() + _ICON_SIZE + 2 * space.s + 4 * space.xs

    _facts = ""
