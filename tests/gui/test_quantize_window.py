"""Quantising in the window, with a process that plays its part: dialog, status bar, cancel."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop.models.quantizing import quote as quoting
from desktop.models.quantizing.quantize_words import badge_text, duration_text, step_text
from desktop.models.quantizing.quantizing import Phase, QuantizeView, Quantizing
from desktop.views.quantizing.quantize_dialog import QuantizeDialog
from engine.quantize.folders import partial_of
from engine.quantize.wire import Finished, Job, Planned, Progress, Refused, Report, Step
from tests.gui.conftest import OpenWindow
from tests.unit.test_quantize_preflight import make_folder

REPORT = Report(
    group_size=64,
    tokens=4000,
    original=20.27,
    awq=22.79,
    rounding=25.91,
    awq_agreement=0.809,
    rounding_agreement=0.7,
    original_bytes=269_000_000,
    awq_bytes=114_000_000,
    seconds=560.0,
)
# Reads the job, prints the lines it is given, and waits if it is told to.
PLAYER = """\
import sys, json, time
job = json.load(sys.stdin)
for line in json.loads(sys.argv[1]):
    print(line, flush=True)
if sys.argv[2]:
    time.sleep(60)
"""


def player(*events: msgspec.Struct, waits: bool = False) -> tuple[str, ...]:
    lines = json.dumps([msgspec.json.encode(event).decode() for event in events])
    return (sys.executable, "-c", PLAYER, lines, "waits" if waits else "")


PLANNED = Planned(group_size=64, layers=30, samples=34, tokens=6364, device="cpu", disk=1, memory=2)
MIDDLE = Progress(step=Step.LAYERS, done=11, total=30, share=0.41, elapsed=200.0, left=290.0)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(quoting, "find_spec", lambda _name: object())
    return make_folder(tmp_path / "Some-Model")


@pytest.fixture
def opened(qtbot: QtBot, model: Path, request: pytest.FixtureRequest) -> Iterator[QuantizeDialog]:
    command = getattr(request, "param", player())
    work = Quantizing(command=command)
    dialog = QuantizeDialog(work, str(model))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the test looks at it yet
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog._quote is not None)
    yield dialog
    work.cancel()


def test_what_it_takes_is_shown_before_it_begins(opened: QuantizeDialog, tmp_path: Path) -> None:
    assert opened.go.isEnabled()
    assert "groups of 64" in opened.form.cost.text()
    assert "of memory" in opened.form.cost.text()
    assert opened.form.target.text().endswith("models/quantized/Some-Model-AWQ")
    sizes = [opened.form.groups.model().item(row).isEnabled() for row in range(4)]  # type: ignore[attr-defined]
    assert sizes == [True, False, True, True], "128 does not divide 576"


def test_what_cannot_be_is_said_while_one_chooses(
    opened: QuantizeDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "x").touch()
    opened.form.target.setText(str(tmp_path / "taken"))
    qtbot.waitUntil(lambda: "is there already" in opened.form.fault.text())
    assert not opened.go.isEnabled()
    opened.form.target.setText(str(tmp_path / "free"))
    qtbot.waitUntil(opened.go.isEnabled)
    assert opened.form.fault.isHidden()
    opened.form.text.setText(str(tmp_path / "none.txt"))
    qtbot.waitUntil(lambda: "cannot be read" in opened.form.fault.text())


def test_without_the_quantiser_it_offers_to_install_it(
    opened: QuantizeDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quoting, "find_spec", lambda _name: None)
    opened.ask_again()
    qtbot.waitUntil(opened.install.isVisible)
    assert opened.go.isHidden()
    with qtbot.waitSignal(opened.install_wanted):
        opened.install.click()


@pytest.mark.parametrize("opened", [player(PLANNED, MIDDLE, waits=True)], indirect=True)
def test_progress_then_cancel_leaves_nothing(opened: QuantizeDialog, qtbot: QtBot) -> None:
    opened.go.click()
    qtbot.waitUntil(lambda: opened.lead.text() == "Layer 12 of 30")
    assert opened.status.text() == "41 % · 5 min left"
    assert opened.bar.value() == 410
    work = opened._work
    job = work.view.job
    assert job is not None
    left = partial_of(Path(job.target))
    left.mkdir(parents=True)
    pid = work._process.pid
    assert pid
    opened.stop.click()
    assert work.view.phase is Phase.IDLE
    assert not left.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    "opened", [player(PLANNED, Finished(folder="/made/it", report=REPORT))], indirect=True
)
def test_the_three_figures_and_the_way_to_load_it(opened: QuantizeDialog, qtbot: QtBot) -> None:
    opened.go.click()
    qtbot.waitUntil(opened.load.isVisible)
    shown = [label.text() for label in opened.findChildren(QLabel) if label.isVisible()]
    assert {"20.27", "22.79", "25.91", "80.9 %", "70.0 %"} <= set(shown)
    with qtbot.waitSignal(opened.load_wanted) as loaded:
        opened.load.click()
    assert loaded.args == ["/made/it"]


@pytest.mark.parametrize(
    "opened",
    [
        player(
            Refused(
                code="calibration",
                text="The calibration text cannot be used.",
                details=("Sample 2 (line 14), “x…”: 5 tokens, too short",),
            )
        )
    ],
    indirect=True,
)
def test_a_refusal_names_the_samples(opened: QuantizeDialog, qtbot: QtBot) -> None:
    opened.go.click()
    qtbot.waitUntil(opened.again.isVisible)
    assert opened.lead.text() == "The calibration text cannot be used."
    assert opened.details.text() == "Sample 2 (line 14), “x…”: 5 tokens, too short"
    opened.again.click()
    assert opened.form.isVisible()


@pytest.mark.parametrize(
    "opened",
    [player(Refused(code="worse_than_rounding", text="…", report=REPORT))],
    indirect=True,
)
def test_a_model_no_better_than_rounding_is_not_offered(
    opened: QuantizeDialog, qtbot: QtBot
) -> None:
    opened.go.click()
    qtbot.waitUntil(opened.again.isVisible)
    assert "no better than plain rounding" in opened.lead.text()
    assert opened.load.isHidden()


@pytest.mark.parametrize("opened", [player()], indirect=True)
def test_a_silent_end_is_told(opened: QuantizeDialog, qtbot: QtBot) -> None:
    opened.go.click()
    qtbot.waitUntil(opened.again.isVisible)
    assert "without a word" in opened.lead.text()


@pytest.mark.parametrize("opened", [player(PLANNED, MIDDLE, waits=True)], indirect=True)
def test_closing_the_dialog_does_not_stop_it(opened: QuantizeDialog, qtbot: QtBot) -> None:
    opened.go.click()
    work = opened._work
    qtbot.waitUntil(lambda: work.view.progress is not None)
    opened.close_button.click()
    assert work.is_running
    assert badge_text(work.view) == "Quantising Some-Model: 41 %"


def test_a_program_that_is_not_there(qtbot: QtBot) -> None:
    work = Quantizing(command=("/no/such/program",))
    with qtbot.waitSignal(work.changed, check_params_cb=lambda v: v.phase is Phase.REFUSED):
        work.start(Job(model="/a", target="/b"))
    assert not work.is_running


def test_words() -> None:
    assert step_text(None) == "Checking the model and the text"
    texts = {step_text(Progress(step=step)) for step in Step}
    assert len(texts) == len(Step)
    assert [duration_text(s) for s in (0, 99, 100, 5399, 9000)] == [
        "1 s",
        "99 s",
        "2 min",
        "90 min",
        "2.5 h",
    ]
    assert badge_text(QuantizeView()) == ""


def test_the_window_shows_it_in_the_status_bar_and_ends_it_with_itself(
    open_window: OpenWindow, qtbot: QtBot, model: Path
) -> None:
    app = open_window()
    window = app.window
    window.actions_by_name["quantize_model"].trigger()
    desk = window.commands._quantizing
    assert desk is not None
    assert desk.dialog is not None
    desk.work._process.command = player(PLANNED, MIDDLE, waits=True)
    desk.dialog.form.model.setText(str(model))
    qtbot.waitUntil(desk.dialog.go.isEnabled)
    desk.dialog.go.click()
    qtbot.waitUntil(lambda: desk.badge.text() == "Quantising Some-Model: 41 %")
    desk.dialog.close_button.click()
    assert desk.badge.isVisible()
    assert window.status.isAncestorOf(desk.badge)
    desk.badge.click()
    assert desk.dialog is not None
    assert desk.dialog.lead.text() == "Layer 12 of 30"
    work = desk.work
    window.close()
    assert not work.is_running
