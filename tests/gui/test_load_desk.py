"""Loads in the whole window: from the dialog to the engine, its banner, the report, the trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.app import Inglenook
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.loading.load_book import LoadBook
from desktop.models.loading.tp_choice import Tried
from desktop.models.loading.tp_trial import TpTrial, TrialResult, TrialStep, TrialView
from desktop.models.loading.trial_words import outcome_text
from desktop.views.engine.engine_banner import EngineBanner
from desktop.views.loading.load_dialog import LoadDialog
from desktop.views.loading.load_report import LoadReport
from desktop.views.loading.recent_models import RecentModels
from desktop.views.loading.trial_dialog import TrialDialog
from engine.protocol import Failure, LoadStage, Rate, Scope
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.load_kit import Hardware, settle
from tests.gui.test_accessibility import nameless
from tests.helpers.load_machines import TWO_24, make_models


@pytest.fixture
def models(tmp_path: Path) -> dict[str, Path]:
    return make_models(tmp_path / "models")


@pytest.fixture
def app(
    open_window: OpenWindow, folders: paths.Folders, models: dict[str, Path], qtbot: QtBot
) -> Inglenook:
    """A window whose engine only plays, with plans as for a real one."""
    app = open_window("load_seconds=0.05", model=str(models["8b"]))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    book = LoadBook(folders.state, app, read=Hardware(TWO_24))
    app.pool.view_changed.connect(lambda client: book.on_view(client.view))
    app.window.desk.book = book
    return app


def dialog_of(app: Inglenook, qtbot: QtBot) -> LoadDialog:
    app.window.actions_by_name["load_settings"].trigger()
    dialog = app.window.findChild(LoadDialog)
    assert dialog is not None
    settle(qtbot, dialog)
    return dialog


def test_the_settings_of_the_dialog_reach_the_engine_and_are_remembered(
    app: Inglenook, models: dict[str, Path], folders: paths.Folders, qtbot: QtBot
) -> None:
    dialog = dialog_of(app, qtbot)
    assert dialog.model == str(models["8b"])
    assert nameless(dialog) == []
    dialog.form.context.edit.setFocus()
    QTest.keyClicks(dialog.form.context.edit, "4096")
    settle(qtbot, dialog)
    book = app.window.desk.book
    assert book is not None
    with qtbot.waitSignal(book.noted, timeout=WAIT_MS):
        dialog.load.click()
    wanted = app.client.wanted
    assert wanted is not None
    assert wanted[0] == str(models["8b"])
    assert wanted[1].max_model_len == 4096
    assert wanted[1].devices == (1,)
    again = LoadBook(folders.state, app)
    (past,) = again.memory.recent_uses()
    assert past.choices.context == 4096
    assert past.record is not None
    assert past.record.planned is not None
    assert past.record.planned.context == 4096
    assert dialog_of(app, qtbot).form.context.edit.text() == "4096"


def test_the_report_is_reached_from_the_menu(app: Inglenook, qtbot: QtBot) -> None:
    action = app.window.actions_by_name["about_load"]
    assert action.isEnabled()
    with qtbot.waitSignal(app.window.desk.noticed, timeout=WAIT_MS) as told:
        action.trigger()
    assert "Nothing is known" in told.args[0]
    dialog = dialog_of(app, qtbot)
    book = app.window.desk.book
    assert book is not None
    with qtbot.waitSignal(book.noted, timeout=WAIT_MS):
        dialog.load.click()
    action.trigger()
    report = app.window.findChild(LoadReport)
    assert report is not None
    assert nameless(report) == []


def test_a_folder_that_one_looked_for_is_planned_first(
    app: Inglenook, models: dict[str, Path], qtbot: QtBot
) -> None:
    app.window.actions_by_name["load_model"].trigger()
    chooser = app.window.findChild(QFileDialog)
    assert chooser is not None
    chooser.fileSelected.emit(str(models["tiny"]))
    chooser.reject()
    qtbot.waitUntil(lambda: app.window.findChild(LoadDialog) is not None, timeout=WAIT_MS)
    dialog = app.window.findChild(LoadDialog)
    assert dialog is not None
    settle(qtbot, dialog)
    assert dialog.summary.title.text() == "tiny"
    dialog.load.click()
    qtbot.waitUntil(lambda: app.client.view.model == str(models["tiny"]), timeout=WAIT_MS)
    assert app.window.settings.model == str(models["tiny"])


def test_a_recent_model_is_loaded_at_once(
    app: Inglenook, models: dict[str, Path], qtbot: QtBot
) -> None:
    book = app.window.desk.book
    assert book is not None
    with qtbot.waitSignal(book.noted, timeout=WAIT_MS):
        dialog_of(app, qtbot).load.click()
    app.window.desk.load(str(models["tiny"]))
    qtbot.waitUntil(lambda: len(book.memory.recent_uses()) == 2, timeout=WAIT_MS)
    app.window.actions_by_name["recent_models"].trigger()
    recent = app.window.findChild(RecentModels)
    assert recent is not None
    recent.list.setCurrentRow(1)
    recent.load.click()
    qtbot.waitUntil(lambda: app.client.view.model == str(models["8b"]), timeout=WAIT_MS)


# --- the banner -----------------------------------------------------------------------------

USUAL = {"importing": 4.0, "reading_weights": 20.0, "warming_up": 3.0}


def test_the_banner_tells_how_long_it_will_still_take(qtbot: QtBot) -> None:
    banner = EngineBanner()
    qtbot.addWidget(banner)
    asked: list[str] = []

    def usual(model: str) -> Mapping[str, float]:
        asked.append(model)
        return USUAL

    banner.usual_of = usual
    loading = EngineView(Phase.LOADING, "/models/one")
    banner.set_view(loading)
    assert banner._time.text() == "0 s · about 25 s left"
    reading = replace(loading, stage=LoadStage.READING_WEIGHTS, load_elapsed=5.0, fraction=0.5)
    banner.set_view(reading)
    assert banner._time.text() == "5 s · about 13 s left"
    assert asked == ["/models/one"]  # once a load
    banner.set_view(EngineView(Phase.READY, "/models/one"))
    banner.set_view(EngineView(Phase.STARTING))
    assert banner._time.text() == "0 s"


def test_the_banner_is_silent_about_it_before_the_first_load(qtbot: QtBot) -> None:
    banner = EngineBanner()
    qtbot.addWidget(banner)
    banner.set_view(EngineView(Phase.LOADING, "/models/one"))
    assert banner._time.text() == "0 s"


# --- one against two ------------------------------------------------------------------------


class FakeTrial(QObject):
    """A trial that does what the test says."""

    view_changed = Signal(object)
    finished = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.is_running = True
        self.cancels = 0

    def cancel(self) -> None:
        self.cancels += 1

    def end(self, result: TrialResult) -> None:
        self.is_running = False
        self.finished.emit(result)


ONE = Tried(1, (0,), (Rate(1, 2000.0, 60.0, 5.0), Rate(4, 4000.0, 200.0, 6.0)))
TWO = Tried(2, (0, 1), (Rate(1, 3000.0, 100.0, 3.0), Rate(4, 6000.0, 330.0, 4.0)))
SLOWER = Tried(2, (0, 1), ONE.rates)
FAILED = Tried(2, (0, 1), failure=Failure(Scope.LOAD, "The link between the GPUs hangs."))


def trial_dialog(qtbot: QtBot) -> tuple[TrialDialog, FakeTrial]:
    trial = FakeTrial()
    dialog = TrialDialog(cast(TpTrial, trial), "/models/Llama")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog, trial


def test_the_trial_shows_both_figures_and_keeps_the_faster(qtbot: QtBot) -> None:
    dialog, trial = trial_dialog(qtbot)
    assert nameless(dialog) == []
    settled = QSignalSpy(dialog.settled)
    trial.view_changed.emit(TrialView(TrialStep.LOADING_ONE))
    assert dialog.one.text() == "is being loaded…"
    trial.view_changed.emit(TrialView(TrialStep.MEASURING_ONE))
    assert dialog.one.text() == "is being measured…"
    trial.view_changed.emit(TrialView(TrialStep.LOADING_TWO, one=ONE))
    said = dialog.one.text().replace("\u2060", "")  # which keeps "tokens/s" on one line
    assert "One chat: writes 60 tokens/s, reads 2,000 tokens/s" in said
    assert "4 chats together" in dialog.one.text()
    assert dialog.progress.value() == 2
    trial.end(TrialResult(ONE, TWO, TWO, kept=True))
    assert dialog.outcome.text() == (
        "Two GPUs are faster: 39 % less time. The faster way is loaded, and remembered for this "
        "model."
    )
    assert settled.count() == 1
    assert dialog.button.text() == "Close"
    dialog.button.click()
    assert not dialog.isVisible()


def test_escape_cancels_the_trial_and_waits_for_its_end(qtbot: QtBot) -> None:
    dialog, trial = trial_dialog(qtbot)
    settled = QSignalSpy(dialog.settled)
    trial.view_changed.emit(TrialView(TrialStep.LOADING_TWO, one=ONE))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert trial.cancels == 1
    assert dialog.isVisible()
    assert dialog.outcome.text() == "Stopping…"
    trial.end(TrialResult(ONE, None, None, kept=False, cancelled=True))
    assert not dialog.isVisible()
    assert settled.count() == 0


def test_a_trial_that_does_not_come_to_its_end_holds_nobody_up(qtbot: QtBot) -> None:
    dialog, trial = trial_dialog(qtbot)
    trial.view_changed.emit(TrialView(TrialStep.LOADING_TWO, one=ONE))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert (dialog.isVisible(), dialog.button.text()) == (True, "Close")
    assert nameless(dialog) == []
    dialog.button.click()
    assert not dialog.isVisible()
    assert trial.cancels == 1


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (TrialResult(ONE, FAILED, ONE, kept=False), "Only this could be measured: One GPU."),
        (TrialResult(ONE, SLOWER, ONE, kept=True), "One GPU is as fast or faster"),
        (TrialResult(FAILED, FAILED, None, kept=False), "Neither could be measured."),
        (TrialResult(None, None, None, kept=False, cancelled=True), "Stopped."),
    ],
)
def test_every_end_is_told(result: TrialResult, words: str) -> None:
    assert words in outcome_text(result)


def test_a_way_that_fails_says_why(qtbot: QtBot) -> None:
    dialog, trial = trial_dialog(qtbot)
    trial.end(TrialResult(ONE, FAILED, ONE, kept=False))
    assert dialog.two.text() == "The link between the GPUs hangs."


def test_a_trial_in_the_window_keeps_and_remembers_a_way(
    app: Inglenook, models: dict[str, Path], qtbot: QtBot
) -> None:
    dialog = dialog_of(app, qtbot)
    assert dialog.summary.trial.isVisible()
    dialog.summary.trial.click()
    trial = app.window.findChild(TrialDialog)
    assert trial is not None
    with qtbot.waitSignal(trial.settled, timeout=WAIT_MS) as told:
        pass
    tried: Tried = told.args[0]
    qtbot.waitUntil(lambda: trial.button.text() == "Close", timeout=WAIT_MS)
    book = app.window.desk.book
    assert book is not None
    past = book.memory.latest_of(str(models["8b"]))
    assert past is not None
    assert past.choices.tp == tried.tensor_parallel_size
    assert past.choices.devices == tried.devices
    assert QApplication.activeModalWidget() is trial
    trial.button.click()
