"""The upper part of the dialog of a load: the model, its memory, the verdict, what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_words import format_text, machine_text, notes, verdict
from desktop.views.dialog_parts import plain_label, title_label
from desktop.views.icons import icon
from desktop.views.loading.change_rows import ChangeRows
from desktop.views.loading.memory_bars import MemoryBars
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.loading.outlook import Outlook

ICON_SIZE: Final = 16


class LoadSummary(QWidget):
    """See the module.

    Args:
        can_try: whether one GPU can be measured against two.

    Signals:
        change_wanted: the planner's `Change` to make.
        trial_wanted: measure one GPU against two.
    """

    change_wanted = Signal(object)
    trial_wanted = Signal()

    def __init__(self, model: str, *, can_try: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._can_try = can_try
        self._mark_of = ("cpu", "muted")
        self.title = title_label(model_name(model))
        self.kind = plain_label("", "muted")
        self.machine = plain_label("", "muted")
        self.bars = MemoryBars()
        self.mark = QLabel()
        self.mark.setFixedSize(ICON_SIZE, ICON_SIZE)
        self.verdict = plain_label("")
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes = plain_label("", "muted")
        self.changes = ChangeRows()
        self.changes.wanted.connect(self.change_wanted)
        self.trial = QPushButton(self.tr("Try one against two…"))
        self.trial.setAutoDefault(False)
        self.trial.setAccessibleName(self.trial.text().rstrip("…"))
        words = self.tr("Measures this model on one GPU and on two, and keeps the faster way.")
        self.trial.setToolTip(words)
        self.trial.setAccessibleDescription(words)
        self.trial.clicked.connect(lambda _checked=False: self.trial_wanted.emit())
        space = theme.current().space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        for label in (self.title, self.kind, self.machine):
            column.addWidget(label)
        column.addSpacing(space.s)
        column.addWidget(self.bars)
        column.addSpacing(space.s)
        column.addWidget(self._card())
        theme.notifier().changed.connect(self._show_mark)
        self._show_only_words(self.tr("Reading the model and the hardware…"), "cpu", "muted")
        self.kind.hide()
        self.machine.hide()

    def stops(self) -> list[QWidget]:
        """All that can have the focus, from the top."""
        return [*self.changes.buttons(), self.trial]

    def show_outlook(self, outlook: Outlook) -> None:
        """Show a plan."""
        self.kind.setText(format_text(outlook.reading.shape))
        self.machine.setText(machine_text(outlook.machine))
        self.bars.show_plan(outlook.devices(), outlook.machine, outlook.missing)
        for widget in (self.kind, self.machine, self.bars):
            widget.show()
        said = notes(outlook)
        problem = outlook.reading.problem
        if problem is not None:
            from desktop.models.failure_text import translated

            said.insert(0, translated(problem).cause)
        self.notes.setText("\n".join(said))
        self.notes.setVisible(bool(said))
        self.changes.show_changes(outlook.plan.changes)
        self.changes.setVisible(bool(outlook.plan.changes))
        fits_on_two = any(one.tp == 2 and one.problem is None for one in outlook.tp_options)
        self.trial.setVisible(self._can_try and fits_on_two)
        mark = ("check", "ok") if outlook.plan.fits else ("warning", "warning")
        self._say(verdict(outlook), *mark)

    def show_refusal(self, words: str) -> None:
        """Say why there is no plan."""
        self._show_only_words(words, "warning", "warning")

    # --- inside ------------------------------------------------------------------------

    def _card(self) -> QFrame:
        """The verdict with all that belongs to it."""
        space = theme.current().space
        card = QFrame()
        card.setProperty("role", "raised")
        words = QVBoxLayout()
        words.setSpacing(space.s)
        for widget in (self.verdict, self.notes, self.changes):
            words.addWidget(widget)
        words.addWidget(self.trial, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout(card)
        row.setContentsMargins(space.m, space.m, space.m, space.m)
        row.setSpacing(space.s)
        row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return card

    def _show_only_words(self, words: str, name: str, colour: str) -> None:
        for widget in (self.bars, self.notes, self.changes, self.trial):
            widget.hide()
        self._say(words, name, colour)

    def _say(self, words: str, name: str, colour: str) -> None:
        before = self.verdict.text()
        self.verdict.setText(words)
        self.verdict.setAccessibleName(words)
        self._mark_of = (name, colour)
        self._show_mark()
        if words != before and self.isVisible():
            announce(self, words)

    def _show_mark(self) -> None:
        self.mark.setPixmap(icon(*self._mark_of).pixmap(QSize(ICON_SIZE, ICON_SIZE)))
