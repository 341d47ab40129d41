"""Before a load: where the memory would go, whether it fits, and all that can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.engine_text import model_name
from desktop.models.loading.load_book import Prepared
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_words import format_text, machine_text, notes, verdict
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon
from desktop.views.loading.change_rows import ChangeRows
from desktop.views.loading.load_form import LoadForm
from desktop.views.loading.memory_bars import MemoryBars
from desktop.views.transcript.accessible import announce
from desktop.views.wheel_guard import WheelGuard

if TYPE_CHECKING:
    from desktop.models.loading.load_planner import LoadPlanner
    from desktop.models.loading.outlook import Outlook
    from engine.planner.answer import Change

SIZE: Final = (560, 760)
LEAST_WIDTH: Final = 380
ICON_SIZE: Final = 16


class LoadDialog(QDialog):
    """See the module.

    Args:
        model: the folder or file to load.
        planner: plans for this model; the dialog takes it over.
        remembered: the choices of the last time, by the model's key.
        can_load_beside: whether another engine can hold it while the present model stays.
        can_try: whether one GPU can be measured against two.

    Signals:
        chosen: (model, LoadSettings): load it so, in place of what is loaded.
        beside_chosen: (model, LoadSettings): load it so, beside what is loaded.
        trial_wanted: measure this model on one GPU and on two.
        other_wanted: another model is to be chosen.
    """

    chosen = Signal(str, object)
    beside_chosen = Signal(str, object)
    trial_wanted = Signal()
    other_wanted = Signal()

    def __init__(
        self,
        model: str,
        planner: LoadPlanner,
        remembered: Callable[[str], Choices] = lambda _key: AUTOMATIC,
        *,
        can_load_beside: bool = False,
        can_try: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = model
        self.outlook: Outlook | None = None
        self._planner = planner
        self._remembered = remembered
        self._can_try = can_try
        self._is_refused = False
        self._has_started = False
        self._announced = ""
        planner.setParent(self)
        planner.planned.connect(self._on_planned)
        planner.failed.connect(self._on_failed)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Load a model"))
        self.setMinimumWidth(LEAST_WIDTH)
        room = parent.window().size() if parent is not None else QSize(*SIZE)
        self.resize(min(SIZE[0], max(LEAST_WIDTH, room.width())), min(SIZE[1], room.height()))
        self.bars = MemoryBars()
        self.form = LoadForm()
        self.form.changed.connect(self._on_changed)
        self._make_head()
        self._make_buttons(can_load_beside=can_load_beside)
        self._build()
        WheelGuard(self)
        self._show_waiting()
        theme.notifier().changed.connect(self._show_mark)
        planner.ask_now(AUTOMATIC, afresh=True)

    # --- building ------------------------------------------------------------------------

    def _make_head(self) -> None:
        self.title = _label(model_name(self.model), "title")
        self.kind = _label("", "muted")
        self.machine = _label("", "muted")
        self.mark = QLabel()
        self.mark.setFixedSize(ICON_SIZE, ICON_SIZE)
        self.verdict = _label("")
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes = _label("", "muted")
        self.changes = ChangeRows()
        self.changes.wanted.connect(self._apply)
        self.trial = self._button(self.tr("Try one against two…"), self._try)
        words = self.tr("Measures this model on one GPU and on two, and keeps the faster way.")
        self.trial.setToolTip(words)
        self.trial.setAccessibleDescription(words)

    def _make_buttons(self, *, can_load_beside: bool) -> None:
        self.load = self._button(self.tr("Load"), lambda: self._finish(beside=False))
        self.load.setProperty("kind", "primary")
        self.load.setDefault(True)
        self.beside = self._button(self.tr("Load beside"), lambda: self._finish(beside=True))
        words = self.tr("What is loaded now stays, and answers too.")
        self.beside.setToolTip(words)
        self.beside.setAccessibleDescription(words)
        self.beside.setVisible(can_load_beside)
        self.reset = self._button(self.tr("Reset to automatic"), self._reset)
        self.other = self._button(self.tr("Choose another…"), self._choose_other)
        self.cancel = self._button(self.tr("Cancel"), self.reject)

    def _build(self) -> None:
        space = theme.current().space
        page = self.page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.s)
        for words in (self.title, self.kind, self.machine):
            column.addWidget(words)
        column.addSpacing(space.s)
        column.addWidget(self.bars)
        column.addSpacing(space.s)
        column.addWidget(self._answer())
        column.addSpacing(space.m)
        column.addWidget(self.form)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(page)
        page.setAutoFillBackground(False)
        foot = QWidget()
        row = FlowLayout(foot, space.s)
        for button in (self.load, self.beside, self.other, self.reset, self.cancel):
            row.addWidget(button)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(space.l, space.s, space.l, space.l)
        bottom.addWidget(foot)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.area, 1)
        layout.addLayout(bottom)

    def _answer(self) -> QFrame:
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

    def _button(self, label: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label.rstrip("…"))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    # --- Qt ------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """One comes back from another window, where memory may have been freed: read again."""
        super().changeEvent(event)
        came_back = event.type() is QEvent.Type.ActivationChange and self.isActiveWindow()
        if came_back and self.outlook is not None:
            self._planner.ask_now(self.form.choices(), afresh=True)

    # --- what the planner says -------------------------------------------------------------

    def _show_waiting(self) -> None:
        self.verdict.setText(self.tr("Reading the model and the hardware…"))
        for widget in (self.kind, self.machine, self.bars, self.notes, self.changes, self.trial):
            widget.hide()
        self.form.hide()
        self.other.hide()
        self.reset.setEnabled(False)
        self.load.setEnabled(False)
        self.beside.setEnabled(False)
        self._show_mark()

    def _on_planned(self, outlook: Outlook) -> None:
        first = self.outlook is None
        self.outlook = outlook
        self._is_refused = False
        if first:
            remembered = self._remembered(outlook.reading.key)
            if remembered != outlook.choices:
                self.form.show_choices(remembered)
                self._planner.ask_now(remembered)
                return
        self._show_outlook(outlook)

    def _show_outlook(self, outlook: Outlook) -> None:
        self.kind.setText(format_text(outlook.reading.shape))
        self.machine.setText(machine_text(outlook.machine))
        self.bars.show_plan(outlook.devices(), outlook.machine)
        self.form.show_outlook(outlook)
        for widget in (self.kind, self.machine, self.bars, self.form):
            widget.show()
        said = notes(outlook)
        problem = outlook.reading.problem
        if problem is not None:
            from desktop.models.failure_text import translated

            said.insert(0, translated(problem).cause)
        self.notes.setText("\n".join(said))
        self.notes.setVisible(bool(said))
        self._show_changes(outlook.plan.changes)
        fits_on_two = len(outlook.machine.gpus) > 1 and any(
            option.tp == 2 and option.problem is None for option in outlook.tp_options
        )
        self.trial.setVisible(self._can_try and fits_on_two)
        self.other.hide()
        self._show_answer(verdict(outlook))
        self.load.setText(self.tr("Load") if outlook.plan.fits else self.tr("Load anyway"))
        self.load.setAccessibleName(self.load.text())
        self._enable()
        if not self._has_started:
            self._has_started = True
            self.load.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: Exception) -> None:
        from desktop.models.failure_text import translated
        from engine.planner.shape import ShapeError
        from engine.store.model_folder import ModelFolderError

        if isinstance(error, ModelFolderError):
            words, self._is_refused = translated(error.failure).cause, True
        elif isinstance(error, ShapeError):
            words, self._is_refused = str(error), True
        else:
            words = self.tr(
                "This cannot be planned ({reason}). The engine can be asked all the same."
            ).format(reason=error)
        self.outlook = None if self._is_refused else self.outlook
        for widget in (self.bars, self.notes, self.changes, self.trial):
            widget.hide()
        self.form.setVisible(self.outlook is not None)
        self.other.setVisible(self._is_refused)
        self._show_answer(words)
        self._enable()
        if self._is_refused:
            self.other.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_answer(self, words: str) -> None:
        self.verdict.setText(words)
        self.verdict.setAccessibleName(words)
        self._show_mark()
        if words != self._announced and self.isVisible():
            self._announced = words
            announce(self, words)

    def _show_mark(self) -> None:
        fits = self.outlook is not None and self.outlook.plan.fits
        waits = self.outlook is None and self._planner.is_busy
        name, colour = ("check", "ok") if fits else ("warning", "warning")
        if waits:
            name, colour = "cpu", "muted"
        self.mark.setPixmap(icon(name, colour).pixmap(QSize(ICON_SIZE, ICON_SIZE)))

    def _show_changes(self, changes: tuple[Change, ...]) -> None:
        focus = self.focusWidget()
        had_focus = focus is not None and self.changes.isAncestorOf(focus)
        if self.changes.show_changes(changes) and had_focus:
            self.load.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changes.setVisible(bool(changes))
        self._order()

    def _order(self) -> None:
        """Tab goes from the top to the bottom, to what was made later too."""
        stops: list[QWidget] = list(self.changes.buttons())
        stops += [self.trial, *self.form.stops(), self.load, self.beside, self.other]
        stops += [self.reset, self.cancel]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    # --- what the user does -----------------------------------------------------------------

    def _on_changed(self) -> None:
        self._enable()
        self._planner.ask(self.form.choices())

    def _enable(self) -> None:
        ready = not self._is_refused and not (self.outlook is None and self._planner.is_busy)
        self.load.setEnabled(ready)
        self.beside.setEnabled(ready)
        changed = not self.form.choices().is_automatic or self.form.first_fault() is not None
        self.reset.setEnabled(ready and changed)

    def _apply(self, change: Change) -> None:
        if change.wish is None:
            return
        choices = self.form.choices().with_wish(change.wish)
        self.form.show_choices(choices)
        self._enable()
        self._planner.ask_now(choices)

    def _reset(self) -> None:
        choices = self.form.choices().needs()
        self.form.show_choices(choices)
        self.load.setFocus(Qt.FocusReason.OtherFocusReason)
        self._planner.ask_now(choices, afresh=True)
        self._enable()

    def _try(self) -> None:
        if not self._show_fault():
            self.accept()
            self.trial_wanted.emit()

    def _show_fault(self) -> bool:
        """Whether something cannot be used; then lead there."""
        fault = self.form.first_fault()
        if fault is None:
            return False
        self.area.ensureWidgetVisible(fault)
        fault.take_focus()
        return True

    def _choose_other(self) -> None:
        self.reject()
        self.other_wanted.emit()

    def _finish(self, *, beside: bool) -> None:
        if self._show_fault():
            return
        settings = self.prepared().settings()
        self.accept()
        (self.beside_chosen if beside else self.chosen).emit(self.model, settings)

    def prepared(self) -> Prepared:
        """What is chosen, with the plan where that is of these very choices."""
        choices, outlook = self.form.choices(), self.outlook
        key = outlook.reading.key if outlook is not None else ""
        current = outlook if outlook is not None and outlook.choices == choices else None
        return Prepared(self.model, key, choices, current)


def _label(words: str, role: str = "") -> QLabel:
    label = QLabel(words)
    if role:
        label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
