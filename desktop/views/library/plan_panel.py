"""Would it fit: a model's plan on this machine before a byte of it is fetched, with sliders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library.hub_words import Fit
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_planner import LoadPlanner
from desktop.models.loading.load_words import machine_text, notes, short_name, verdict
from desktop.models.loading.outlook import ModelReading
from desktop.models.loading.size_text import count_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.library.fit_mark import FitMark
from desktop.views.loading.choice_rows import DevicesRow
from desktop.views.loading.context_slider import ContextSlider
from desktop.views.loading.memory_bars import MemoryBars
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.loading.outlook import Outlook
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.planner.model_shape import ModelShape

WIDTH: Final = 380


class PlanPanel(QScrollArea):
    """See the module.

    Args:
        read_machine: the hardware now; called on a thread.
        learned: what past loads taught.

    Signals:
        planned: the `Outlook` on show.
    """

    planned = Signal(object)

    def __init__(
        self,
        read_machine: Callable[[], Machine],
        learned: Callable[[], Learned],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._read_machine = read_machine
        self._learned = learned
        self._planner: LoadPlanner | None = None
        self._shape: ModelShape | None = None
        self._repo = ""
        self.choices: Choices = AUTOMATIC
        self.outlook: Outlook | None = None
        self._build()

    # --- what is shown -------------------------------------------------------------------

    def show_shape(self, repo: str, shape: ModelShape | None, problem: str = "") -> None:
        """Plan this; None: it cannot be planned, and why."""
        if shape is None:
            self._drop()
            self._repo = ""
            self._show_only(
                problem or self.tr("What this model needs cannot be told before it is here."),
                Fit.UNKNOWN,
            )
            return
        if repo == self._repo and shape == self._shape:
            return
        self._drop()
        self._repo, self._shape = repo, shape
        self.choices = AUTOMATIC
        self.outlook = None
        reading = ModelReading(repo, repo, shape)
        planner = LoadPlanner(
            repo, self._read_machine, self._learned(), self, read=lambda _model: reading
        )
        planner.planned.connect(self._on_planned)
        planner.failed.connect(self._on_failed)
        self._planner = planner
        self._show_only(self.tr("Reading the hardware…"), Fit.ASKED)
        planner.ask_now(AUTOMATIC)

    def show_waiting(self) -> None:
        """Nothing is known yet."""
        self._drop()
        self._repo = ""
        self._show_only(self.tr("Asking the hub…"), Fit.ASKED)

    @property
    def is_busy(self) -> bool:
        """Whether a plan is on its way."""
        return self._planner is not None and self._planner.is_busy

    def stops(self) -> list[QWidget]:
        """All that can have the focus, in order."""
        return [self.slider, *self.devices.fields(), self.reset]

    # --- building ------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.mark = FitMark()
        self.verdict = plain_label("")
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes = plain_label("", "muted")
        self.machine = plain_label("", "muted")
        self.bars = MemoryBars()
        self.context_name = plain_label(self.tr("Context"))
        self.context_words = plain_label("", "muted")
        self.slider = ContextSlider()
        self.slider.setAccessibleName(self.tr("Context"))
        self.slider.chosen.connect(self._on_context)
        self.context_name.setBuddy(self.slider)
        self.devices = DevicesRow(self.tr("GPUs"), "", self._on_devices)
        self.devices.words.hide()
        self.reset = push_button(self.tr("Automatic"), self._on_reset, "quiet")
        words = self.tr("Let the planner choose context and GPUs")
        self.reset.setToolTip(words)
        self.reset.setAccessibleDescription(words)
        card = QFrame()
        card.setProperty("role", "raised")
        said = QVBoxLayout()
        said.setSpacing(space.s)
        said.addWidget(self.verdict)
        said.addWidget(self.notes)
        row = QHBoxLayout(card)
        row.setContentsMargins(space.m, space.m, space.m, space.m)
        row.setSpacing(space.s)
        row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(said, 1)
        head = QHBoxLayout()
        head.addWidget(self.context_name, 1)
        head.addWidget(self.reset)
        self._controls = QWidget()
        controls = QVBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.setSpacing(space.xs)
        controls.addLayout(head)
        controls.addWidget(self.slider)
        controls.addWidget(self.context_words)
        controls.addSpacing(space.s)
        controls.addWidget(self.devices)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.l, space.m, space.l, space.l)
        column.setSpacing(space.m)
        self.title = plain_label(self.tr("On this machine"), "title")
        for widget in (self.title, card, self.bars, self._controls, self.machine):
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(page)
        page.setAutoFillBackground(False)
        self._show_only("", Fit.ASKED)

    def sizeHint(self) -> QSize:
        """Wide enough for the bars' key."""
        return QSize(WIDTH, 480)

    # --- what the planner says -------------------------------------------------------------

    def _on_planned(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.choices = outlook.choices
        plan = outlook.plan
        self.machine.setText(machine_text(outlook.machine))
        self.bars.show_plan(outlook.devices(), outlook.machine, outlook.missing)
        context = outlook.choices.context or plan.context or plan.max_context
        self.slider.show_stops(outlook.stops, context)
        self.context_words.setText(self._context_text(outlook))
        names = {
            gpu.index: self.tr("GPU {number} · {name}").format(
                number=gpu.index, name=short_name(gpu.name)
            )
            for gpu in outlook.machine.gpus
        }
        several = len(outlook.machine.gpus) > 1
        self.devices.setVisible(several)
        if several:
            self.devices.show_devices(names, plan.devices)
            self.devices.show_value(outlook.choices.devices)
        self.reset.setEnabled(not outlook.choices.is_automatic)
        said = notes(outlook)
        self.notes.setText("\n".join(said))
        self.notes.setVisible(bool(said))
        for widget in (self.bars, self.machine, self._controls):
            widget.show()
        self._controls.setVisible(bool(outlook.stops))
        fit = Fit.TOO_BIG
        if plan.fits:
            fit = Fit.TWO if plan.tp > 1 else Fit.FITS
        self._say(verdict(outlook), fit)
        self.planned.emit(outlook)

    def _context_text(self, outlook: Outlook) -> str:
        plan = outlook.plan
        longest = outlook.reading.shape.context
        if plan.context:
            words = [self.tr("{count} tokens").format(count=count_text(plan.context))]
        else:
            words = [self.tr("no room for any")]
        if plan.fits and plan.chats > 1:
            words.append(
                self.tr("room for {count} such chats").format(count=count_text(plan.chats))
            )
        if longest > 0:
            words.append(
                self.tr("the model reads {count} at most").format(count=count_text(longest))
            )
        return " · ".join(words)

    def _on_failed(self, error: Exception) -> None:
        self._show_only(
            self.tr("This cannot be planned ({reason}).").format(reason=error), Fit.UNKNOWN
        )

    def _show_only(self, words: str, fit: Fit) -> None:
        self.outlook = None
        for widget in (self.bars, self.machine, self._controls, self.notes):
            widget.hide()
        self._say(words, fit)

    def _say(self, words: str, fit: Fit) -> None:
        before = self.verdict.text()
        self.mark.show_fit(fit)
        self.verdict.setText(words)
        self.verdict.setAccessibleName(words)
        if words != before and self.isVisible():
            announce(self, words)

    # --- what the user does -----------------------------------------------------------------

    def _on_context(self, context: int) -> None:
        self._ask(replace(self.choices, context=context))

    def _on_devices(self) -> None:
        chosen = self.devices.value
        tp = len(chosen) if chosen else None
        self._ask(replace(self.choices, devices=chosen, tp=tp))

    def _on_reset(self) -> None:
        self._ask(AUTOMATIC)
        self.slider.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask(self, choices: Choices) -> None:
        self.choices = choices
        if self._planner is not None:
            self._planner.ask(choices)

    def _drop(self) -> None:
        planner, self._planner = self._planner, None
        if planner is not None:
            planner.planned.disconnect(self._on_planned)
            planner.failed.disconnect(self._on_failed)
            planner.deleteLater()
