"""The button that says which model answers in a chat, and how it is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QPushButton, QWidget

from desktop import theme
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name, phase_text
from desktop.models.tip_text import tip_text

DOT: Final = 8  # pixels
GAP: Final = 4  # pixels between the mark and the name
MOST_NAME: Final = 240  # pixels of a model's name


class ModelButton(QPushButton):
    """See the module. Its mark differs in shape as well as in colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "quiet")
        self.setProperty("role", "muted")
        self.setIconSize(QSize(DOT + GAP, DOT))
        self._view = EngineView()
        self._is_own = False
        self._name = ""
        self._room = MOST_NAME
        theme.notifier().changed.connect(self._refresh)
        self._refresh()

    def show_model(self, view: EngineView, *, is_own: bool) -> None:
        """Show the engine that answers here.

        Args:
            is_own: the chat has a model of its own; else it follows the window's.
        """
        if (view.phase, view.model, view.is_waking) != (
            self._view.phase,
            self._view.model,
            self._view.is_waking,
        ) or is_own != self._is_own:
            self._view, self._is_own = view, is_own
            self._refresh()

    def name(self) -> str:
        """The model's name in full."""
        return self._name

    def least_width(self) -> int:
        """Pixels for the mark alone."""
        return DOT + GAP + 4 * theme.current().space.s

    def wanted_width(self) -> int:
        """Pixels for the mark and the name."""
        # One more: the advance is rounded, and a name a part of a pixel too long would be cut.
        name = min(self.fontMetrics().horizontalAdvance(self._name) + 1, MOST_NAME)
        return self.least_width() + name

    def fit(self, room: int) -> None:
        """It has this many pixels."""
        self._room = max(0, min(room - self.least_width(), MOST_NAME))
        shown = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, self._room)
        self.setText(shown.replace("&", "&&") if len(shown) > 1 else "")

    def _refresh(self) -> None:
        view = self._view
        state = state_word(view)
        self._name = model_name(view.model) or self.tr("no model")
        self.setIcon(state_icon(view, GAP))
        self.setAccessibleName(
            self.tr("Model of this chat: {name}, {state}").format(name=self._name, state=state)
        )
        whose = (
            self.tr("This chat has a model of its own.")
            if self._is_own
            else self.tr("This chat follows the window's model.")
        )
        self.setToolTip(tip_text(f"{self._name} · {state}\n{whose}"))
        self.fit(self._room + self.least_width())


def state_icon(view: EngineView, gap: int = 0) -> QIcon:
    """A mark for the state: a disc answers, a half disc will soon, a ring not, a cross failed.

    Args:
        gap: pixels left free at its right.
    """
    scale = 2.0
    pixmap = QPixmap(QSize(round((DOT + gap) * scale), round(DOT * scale)))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_mark(painter, view.phase)
    return QIcon(pixmap)


def draw_mark(painter: QPainter, phase: Phase) -> None:
    """The mark of `state_icon`, `DOT` pixels wide and high, at the painter's origin."""
    look = theme.current()
    strong, quiet = look.colour("accent"), look.colour("muted")
    area = QRectF(1, 1, DOT - 2, DOT - 2)
    if phase is Phase.FAILED:
        painter.setPen(QPen(look.colour("danger"), 2))
        painter.drawLine(QPointF(1, 1), QPointF(DOT - 1, DOT - 1))
        painter.drawLine(QPointF(1, DOT - 1), QPointF(DOT - 1, 1))
        return
    if phase is Phase.READY:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(strong)
        painter.drawEllipse(area)
        return
    works = phase in (Phase.LOADING, Phase.STARTING, Phase.RESTARTING)
    painter.setPen(QPen(strong if works else quiet, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(area)
    if works:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(strong)
        painter.drawPie(area, 90 * 16, 180 * 16)


def state_word(view: EngineView) -> str:
    """The state in a word, for a menu."""
    if view.phase is Phase.IDLE and view.model:
        return QCoreApplication.translate("ModelButton", "not loaded")
    return phase_text(view)
