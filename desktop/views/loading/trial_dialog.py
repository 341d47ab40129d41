"""One GPU against two: how far it is, both figures, and what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.trial_words import outcome_text, tried_text, way_text
from desktop.views.dialog_parts import plain_label, title_label, unbroken
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.loading.tp_choice import Tried
    from desktop.models.loading.tp_trial import TpTrial, TrialResult, TrialView

SIZE: Final = (460, 360)
LEAST_WIDTH: Final = 340


class TrialDialog(QDialog):
    """See the module. While the trial runs it stays open; Escape cancels the trial.

    Args:
        trial: not started yet, or just started; the dialog takes it over.

    Signals:
        settled: a `Tried` that is loaded now and to be remembered.
    """

    settled = Signal(object)

    def __init__(self, trial: TpTrial, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._trial = trial
        self._is_over = False
        self._is_cancelling = False
        trial.setParent(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("One GPU against two"))
        self.setMinimumWidth(LEAST_WIDTH)
        self.resize(*SIZE)
        head = title_label(model_name(model))
        lead = plain_label(
            self.tr("The model is loaded both ways and measured; it takes as long as two loads."),
            "muted",
        )
        self.one = plain_label("", "muted")
        self.two = plain_label("", "muted")
        self.outcome = plain_label("")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.button = QPushButton(self.tr("Cancel"))
        self.button.setAccessibleName(self.button.text())
        self.button.clicked.connect(lambda _checked=False: self.reject())
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.s)
        layout.addWidget(head)
        layout.addWidget(lead)
        layout.addSpacing(space.s)
        for size, words in ((1, self.one), (2, self.two)):
            layout.addWidget(plain_label(way_text(size)))
            layout.addWidget(words)
        layout.addSpacing(space.s)
        layout.addWidget(self.outcome)
        layout.addWidget(self.progress)
        layout.addStretch(1)
        layout.addLayout(foot)
        waiting = self.tr("waits")
        self.one.setText(waiting)
        self.two.setText(waiting)
        trial.view_changed.connect(self._show)
        trial.finished.connect(self._on_finished)

    def reject(self) -> None:
        """Cancel the trial; once it is over, or when asked again, close.

        What was there before is loaded all the same: nobody has to watch a slow load.
        """
        if self._is_over or self._is_cancelling or not self._trial.is_running:
            super().reject()
            return
        self._is_cancelling = True
        self.button.setText(self.tr("Close"))
        self.button.setAccessibleName(self.button.text())
        self.outcome.setText(self.tr("Stopping…"))
        self._trial.cancel()

    def event(self, event: QEvent) -> bool:
        """It grows with its words: none is cut off, however narrow it is."""
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            layout, screen = self.layout(), self.screen().availableGeometry()
            if layout is not None:
                needed = layout.totalHeightForWidth(self.width())
                self.setMinimumHeight(min(needed, screen.height()))
        return done

    def _show(self, view: TrialView) -> None:
        from desktop.models.loading.tp_trial import TrialStep

        steps = list(TrialStep)
        self.progress.setRange(0, len(steps) - 1)
        self.progress.setValue(steps.index(view.step))
        loading, measuring = self.tr("is being loaded…"), self.tr("is being measured…")
        now = {
            TrialStep.LOADING_ONE: (self.one, loading),
            TrialStep.MEASURING_ONE: (self.one, measuring),
            TrialStep.LOADING_TWO: (self.two, loading),
            TrialStep.MEASURING_TWO: (self.two, measuring),
        }
        if view.step in now:
            label, words = now[view.step]
            label.setText(words)
        self._show_tried(view.one, view.two)
        if view.step is TrialStep.SETTLING and not view.cancelled:
            self.outcome.setText(self.tr("Loading what is kept…"))

    def _show_tried(self, one: Tried | None, two: Tried | None) -> None:
        for label, tried in ((self.one, one), (self.two, two)):
            if tried is not None:
                label.setText(unbroken(tried_text(tried)))

    def _on_finished(self, result: TrialResult) -> None:
        self._is_over = True
        self._show_tried(result.one, result.two)
        words = outcome_text(result)
        self.outcome.setText(words)
        self.progress.hide()
        self.button.setText(self.tr("Close"))
        self.button.setAccessibleName(self.button.text())
        self.button.setEnabled(True)
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        if result.kept and result.choice is not None:
            self.settled.emit(result.choice)
        if self._is_cancelling:
            super().reject()
        else:
            announce(self, words)
