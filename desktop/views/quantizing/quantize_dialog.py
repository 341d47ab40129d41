"""Quantising a model: what is asked, then the progress, then what came of it.

The dialog may be closed at any time: the work goes on, and the status bar leads back to it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.background import Background, in_thread
from desktop.models.quantizing.quantize_words import (
    particulars,
    refused_text,
    share_text,
    step_text,
)
from desktop.models.quantizing.quantizing import Phase, QuantizeView, Quantizing
from desktop.models.quantizing.quote import Quote, quote
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout
from desktop.views.quantizing.quantize_form import QuantizeForm
from desktop.views.quantizing.report_table import ReportTable
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from engine.quantize.wire import Job, Report

SIZE: Final = (560, 560)
LEAST_WIDTH: Final = 380
_STEPS: Final = 1000


class QuantizeDialog(QDialog):
    """See the module.

    Args:
        model: the folder that is proposed.

    Signals:
        load_wanted: the folder of a model that was made.
        install_wanted: the quantiser is to be installed.
    """

    load_wanted = Signal(str)
    install_wanted = Signal()

    def __init__(self, work: Quantizing, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._work = work
        self._background = Background(self)
        self._quote: Quote | None = None
        self._asked = 0
        self._phase: Phase | None = None
        self._result: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Quantise a model"))
        self.setMinimumWidth(LEAST_WIDTH)
        room = parent.window().size() if parent is not None else QSize(*SIZE)
        self.resize(min(SIZE[0], max(LEAST_WIDTH, room.width())), min(SIZE[1], room.height()))
        self.title = plain_label(role="title")
        self.lead = plain_label()
        self.form = QuantizeForm(model)
        self.form.asked.connect(self._ask)
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.windowTitle())
        self.status = plain_label(role="muted")
        self.details = plain_label(role="muted")
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(space.l, space.l, space.l, space.l)
        self._column.setSpacing(space.m)
        for widget in (self.title, self.lead, self.form, self.bar, self.status, self.details):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        page.setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addLayout(self._buttons())
        work.changed.connect(self._show)
        self._show(work.view)

    # --- building ------------------------------------------------------------------------------

    def _buttons(self) -> QHBoxLayout:
        space = theme.current().space
        self.go = push_button(self.tr("Quantise"), self._start, "primary")
        self.install = push_button(self.tr("Install it"), self.install_wanted.emit, "primary")
        self.load = push_button(self.tr("Load it"), self._load, "primary")
        self.again = push_button("", self._again)
        self.stop = push_button(self.tr("Stop quantising"), self._work.cancel, "danger")
        self.close_button = push_button(self.tr("Close"), self.reject)
        foot = QWidget()
        flow = FlowLayout(foot, space.s)
        for button in (
            self.go,
            self.install,
            self.load,
            self.again,
            self.stop,
            self.close_button,
        ):
            flow.addWidget(button)
        row = QHBoxLayout()
        row.setContentsMargins(space.l, space.s, space.l, space.l)
        row.addWidget(foot)
        return row

    # --- what is asked ---------------------------------------------------------------------------

    def ask_again(self) -> None:
        """Something may have changed: have what stands in the form quoted anew."""
        if self._work.view.phase is Phase.IDLE:
            self.form.ask()

    def done(self, result: int) -> None:
        """It closes; a job at work goes on."""
        self.form.settle()
        super().done(result)

    def _ask(self, job: Job) -> None:
        self._asked += 1
        number = self._asked
        self.go.setEnabled(False)
        if not job.model:
            return

        def done(found: Quote) -> None:
            if number == self._asked:  # else more has been typed meanwhile
                self._on_quoted(found)

        self._background.watch(in_thread(lambda: quote(job), "quantize-quote"), done)

    def _on_quoted(self, found: Quote) -> None:
        self._quote = found
        self.form.show_quote(found)
        if self._work.view.phase is not Phase.IDLE:
            return
        self.go.setEnabled(found.refused is None)
        self.go.setVisible(found.installed)
        self.install.setVisible(not found.installed)
        self.status.setText(
            ""
            if found.installed
            else self.tr("The quantiser (autoawq, under 1 MB) has to be fetched first.")
        )
        self.status.setVisible(not found.installed)

    def _start(self) -> None:
        if self._quote is not None and self._quote.refused is None:
            self._work.start(self._quote.job)

    def _load(self) -> None:
        finished = self._work.view.finished
        if finished is not None:
            self.load_wanted.emit(finished.folder)
            self._work.forget()
            self.accept()

    def _again(self) -> None:
        self._work.forget()

    # --- what there is to show -------------------------------------------------------------------

    def _show(self, view: QuantizeView) -> None:
        if view.phase is not self._phase:
            self._phase = view.phase
            self._lay_out(view)
        if view.phase is Phase.RUNNING:
            share = view.progress.share if view.progress is not None else 0.0
            self.bar.setValue(round(share * _STEPS))
            self.lead.setText(step_text(view.progress))
            self.status.setText(share_text(view.progress))

    def _lay_out(self, view: QuantizeView) -> None:
        """The widgets of another phase."""
        phase = view.phase
        name = Path(view.job.model).name if view.job is not None else ""
        self.form.setVisible(phase is Phase.IDLE)
        self.go.setVisible(phase is Phase.IDLE)
        self.install.hide()
        self.bar.setVisible(phase is Phase.RUNNING)
        self.stop.setVisible(phase is Phase.RUNNING)
        self.status.setVisible(phase is Phase.RUNNING)
        self.load.setVisible(phase is Phase.DONE)
        self.again.setVisible(phase in (Phase.DONE, Phase.REFUSED))
        again = self.tr("Quantise another") if phase is Phase.DONE else self.tr("Try again")
        self.again.setText(again)
        self.again.setAccessibleName(again)
        self.details.hide()
        if self._result is not None:
            self._result.deleteLater()
            self._result = None
        match phase:
            case Phase.IDLE:
                self.title.setText(self.tr("Four bits a weight"))
                self.lead.setText(
                    self.tr(
                        "AWQ makes a model about a third of its size. What that costs is measured, "
                        "and a model that is no better than plain rounding is not kept."
                    )
                )
                self.go.setEnabled(False)
                self.form.ask()
            case Phase.RUNNING:
                self.title.setText(self.tr("Quantising {model}").format(model=name))
                self.details.setText(self.tr("You can close this and go on chatting."))
                self.details.show()
                self.stop.setFocus(Qt.FocusReason.OtherFocusReason)
            case Phase.DONE if view.finished is not None:
                self.title.setText(self.tr("{model} is quantised").format(model=name))
                self.lead.setText(
                    self.tr("It was read again from the disk and is better than plain rounding.")
                )
                self._add_report(view.finished.report)
                self.load.setFocus(Qt.FocusReason.OtherFocusReason)
            case Phase.REFUSED if view.refused is not None:
                refused = view.refused
                self.title.setText(self.tr("{model} was not quantised").format(model=name))
                self.lead.setText(refused_text(refused))
                words = "\n".join(particulars(refused, self.lead.text()))
                if refused.report is not None:
                    self._add_report(refused.report)
                else:
                    self.details.setText(words)
                    self.details.setVisible(bool(words))
                self.again.setFocus(Qt.FocusReason.OtherFocusReason)
        if phase in (Phase.DONE, Phase.REFUSED):
            announce(self, f"{self.title.text()}. {self.lead.text()}")

    def _add_report(self, report: Report) -> None:
        self._result = ReportTable(report)
        self._column.insertWidget(self._column.indexOf(self.bar), self._result)
        self._result.show()
