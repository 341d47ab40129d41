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
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.loading.load_book import Prepared
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.views.dialog_parts import push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.loading.load_form import LoadForm
from desktop.views.loading.load_summary import LoadSummary
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
        self._is_refused = False
        self._has_started = False
        planner.setParent(self)
        planner.planned.connect(self._on_planned)
        planner.failed.connect(self._on_failed)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Load a model"))
        self.setMinimumWidth(LEAST_WIDTH)
        room = parent.window().size() if parent is not None else QSize(*SIZE)
        self.resize(min(SIZE[0], max(LEAST_WIDTH, room.width())), min(SIZE[1], room.height()))
        self.summary = LoadSummary(model, can_try=can_try)
        self.summary.change_wanted.connect(self._apply)
        self.summary.trial_wanted.connect(self._try)
        self.form = LoadForm()
        self.form.changed.connect(self._on_changed)
        self._make_buttons(can_load_beside=can_load_beside)
        self._build()
        WheelGuard(self)
        for button in (self.load, self.beside, self.reset):
            button.setEnabled(False)
        self.form.hide()
        self.other.hide()
        planner.ask_now(AUTOMATIC, afresh=True)

    # --- building ------------------------------------------------------------------------

    def _make_buttons(self, *, can_load_beside: bool) -> None:
        self.load = push_button(self.tr("Load"), lambda: self._finish(beside=False))
        self.load.setProperty("kind", "primary")
        self.load.setDefault(True)
        self.beside = push_button(self.tr("Load beside"), lambda: self._finish(beside=True))
        words = self.tr("What is loaded now stays, and answers too.")
        self.beside.setToolTip(words)
        self.beside.setAccessibleDescription(words)
        self.beside.setVisible(can_load_beside)
        self.reset = push_button(self.tr("Reset to automatic"), self._reset)
        self.other = push_button(self.tr("Choose another…"), self._choose_other)
        self.cancel = push_button(self.tr("Cancel"), self.reject)

    def _build(self) -> None:
        space = theme.current().space
        page = self.page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.l, space.l, space.l, space.l)
        column.setSpacing(space.s)
        column.addWidget(self.summary)
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

    # --- Qt ------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """One comes back from another window, where memory may have been freed: read again."""
        super().changeEvent(event)
        came_back = event.type() is QEvent.Type.ActivationChange and self.isActiveWindow()
        if came_back and self.outlook is not None:
            self._planner.ask_now(self.form.choices(), afresh=True)

    # --- what the planner says -------------------------------------------------------------

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
        focus = self.focusWidget()
        had_focus = focus is not None and self.summary.isAncestorOf(focus)
        self.summary.show_outlook(outlook)
        self.form.show_outlook(outlook)
        self.form.show()
        self.other.hide()
        self._order()
        self.load.setText(self.tr("Load") if outlook.plan.fits else self.tr("Load anyway"))
        self.load.setAccessibleName(self.load.text())
        self._enable()
        lost_focus = had_focus and not (focus and focus.isVisible())
        if lost_focus or not self._has_started:
            self._has_started = True
            self.load.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: Exception) -> None:
        from desktop.models.failure_text import translated, translated_text
        from engine.planner.shape import ShapeError
        from engine.store.model_folder import ModelFolderError

        if isinstance(error, ModelFolderError):
            words, self._is_refused = translated(error.failure).cause, True
        elif isinstance(error, ShapeError):
            words, self._is_refused = translated_text(str(error)), True
        else:
            words = self.tr(
                "This cannot be planned ({reason}). The engine can be asked all the same."
            ).format(reason=error)
        self.outlook = None if self._is_refused else self.outlook
        self.summary.show_refusal(words)
        self.form.setVisible(self.outlook is not None)
        self.other.setVisible(self._is_refused)
        self._enable()
        if self._is_refused:
            self.other.setFocus(Qt.FocusReason.OtherFocusReason)

    def _order(self) -> None:
        """Tab goes from the top to the bottom, to what was made later too."""
        stops = [*self.summary.stops(), *self.form.stops()]
        stops += [self.load, self.beside, self.other, self.reset, self.cancel]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    # --- what the user does -----------------------------------------------------------------

    def _on_changed(self) -> None:
        self._enable()
        faulty = self.form.first_fault() is not None
        self.summary.setEnabled(not faulty)  # the plan is not of what stands in the fields
        if not faulty:
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
