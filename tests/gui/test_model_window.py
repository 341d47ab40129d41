"""The window with several models: a chat's own model, answers by another, remedies, lending."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.app import Inglenook
from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.hardware import nvml
from desktop.hardware.readings import (
    Driver,
    DriverState,
    GpuProcess,
    GpuReading,
    HardwareReading,
    HostReading,
)
from desktop.models.gguf_conversion import GgufConversion
from desktop.models.loading.load_book import Prepared
from desktop.models.loading.load_choices import AUTOMATIC
from desktop.settings import Settings, load, save
from desktop.views.engine.engine_banner import EngineBanner
from engine.failures import explain
from engine.protocol import LoadSettings, Remedy, RemedyAction, Scope
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.test_engine_pool import phase_of
from tests.gui.test_main_window import FAST, add_tab, current, ready, write
from tests.helpers.failure_table import ROWS

GPU = f"{FAST} gpus=1"


@pytest.fixture
def models(tmp_path: Path) -> tuple[str, str]:
    """Two folders that a scripted engine takes for models."""
    folders = (tmp_path / "Small-AWQ", tmp_path / "Small & Precise")
    for folder in folders:
        folder.mkdir()
    return str(folders[0]), str(folders[1])


def answered(app: Inglenook, qtbot: QtBot, text: str) -> None:
    """Ask in the tab in front, and wait for the end of it."""
    tab = current(app)
    count = len(tab.session.path) + 2
    write(tab, text)
    qtbot.waitUntil(
        lambda: len(tab.session.path) == count and not tab.session.answers, timeout=WAIT_MS
    )


def named(menu: QMenu, part: str) -> QAction:
    return next(action for action in menu.actions() if part in action.text())


def click(app: Inglenook, part: str) -> None:
    """Press a button of the notice in the tab in front."""
    bar = current(app).notice_bar
    next(b for b in bar.findChildren(QPushButton) if part in b.text().replace("&&", "&")).click()


def question(app: Inglenook) -> QMessageBox:
    found = [box for box in app.window.findChildren(QMessageBox) if box.isVisible()]
    assert len(found) == 1
    return found[0]


def press(box: QMessageBox, part: str) -> None:
    next(button for button in box.buttons() if part in button.text()).click()


def test_a_second_model_comes_beside_and_answers_again(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    app.window.change(precise_model=models[1])
    answered(app, qtbot, "/echo hello")
    tab = current(app)
    answer = tab.session.messages[-1]
    menu = app.window.menus.for_answer(tab.session, answer.id, tab)
    assert not [one for one in menu.actions() if "Small-AWQ" in one.text()]  # it gave the answer
    named(menu, "Small && Precise").trigger()
    qtbot.waitUntil(lambda: len(tab.session.candidates) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.answers, timeout=WAIT_MS)
    new, old = tab.session.candidates
    assert (new.model, old.model) == ("Small & Precise", "Small-AWQ")
    assert new.status is MessageStatus.COMPLETE
    assert app.window.status.state_text().count("Ready") == 2
    menu = app.window.menus.for_answer(tab.session, new.id, tab)
    assert not [one for one in menu.actions() if "Precise" in one.text()]
    assert named(menu, "Answer again with Small-AWQ").isEnabled()
    assert app.window.settings.recent_models == (models[1], models[0])
    second = app.pool.others()[0]
    assert second._command.log_name == "engine-2.log"
    app.window.desk.beside.close(second)
    assert app.pool.others() == []
    assert second not in app.window._cares
    assert app.window.status.state_text().startswith("Ready · Small-AWQ")


def test_a_tab_has_a_model_of_its_own_and_says_which(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    tab = current(app)
    button = tab.composer.below.equip().model
    assert button.name() == "Small-AWQ"
    assert "Ready" in button.accessibleName()
    app.window.desk.beside.give_chat(tab.session, models[1])
    qtbot.waitUntil(lambda: "Ready" in button.accessibleName(), timeout=WAIT_MS)
    assert button.name() == "Small & Precise"
    answered(app, qtbot, "/echo mine")
    assert tab.session.messages[-1].model == "Small & Precise"
    other = add_tab(app, qtbot)
    assert other.composer.below.equip().model.name() == "Small-AWQ"
    answered(app, qtbot, "/echo yours")
    assert other.session.messages[-1].model == "Small-AWQ"
    tab.session.set_model("")
    assert button.name() == "Small-AWQ"


def test_a_question_for_a_model_that_is_not_there_offers_both_ways(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    tab = current(app)
    tab.session.set_model(models[1])
    assert "not loaded" in tab.welcome.text()
    write(tab, "/echo one")
    qtbot.waitUntil(lambda: "waits for Small & Precise" in tab.notice_bar.text(), timeout=WAIT_MS)
    click(app, "Let Small-AWQ answer")
    qtbot.waitUntil(lambda: not tab.session.answers, timeout=WAIT_MS)
    assert tab.session.messages[-1].model == "Small-AWQ"
    assert not tab.notice_bar.isVisible()
    tab.session.set_model(models[1])
    write(tab, "/echo two")
    qtbot.waitUntil(lambda: "waits for Small & Precise" in tab.notice_bar.text(), timeout=WAIT_MS)
    click(app, "Load Small & Precise")
    qtbot.waitUntil(lambda: not tab.session.answers, timeout=WAIT_MS)
    assert tab.session.messages[-1].model == "Small & Precise"
    assert not tab.notice_bar.isVisible()


def test_models_sleep_and_the_next_message_wakes_them(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(GPU)
    ready(app, qtbot)
    actions = app.window.actions_by_name
    assert not actions["wake_model"].isEnabled()
    actions["sleep_models"].trigger()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.SLEEPING, timeout=WAIT_MS)
    assert "sleeps: its memory is free for other programs" in app.window.banner.text()
    assert app.window.banner.isVisible()
    assert "Sleeping" in app.window.status.state_text()
    assert not actions["sleep_models"].isEnabled()
    assert actions["wake_model"].isEnabled()
    assert actions["unload_model"].isEnabled()
    answered(app, qtbot, "/echo back")
    assert current(app).session.messages[-1].content == "back"
    assert not app.window.banner.isVisible()


def test_there_is_nothing_to_tell_of_a_load_that_goes_on(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window("load_seconds=600")
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.LOADING, timeout=WAIT_MS)
    assert not app.window.actions_by_name["about_load"].isEnabled()


def test_what_can_be_told_of_a_load_is_offered_when_it_has_ended(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    assert app.window.actions_by_name["about_load"].isEnabled()


def test_lending_amid_an_answer_asks_first(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window("tokens_per_second=60 load_seconds=0.05")
    ready(app, qtbot)
    tab = current(app)
    write(tab, "/long 4000")
    qtbot.waitUntil(lambda: bool(tab.session.path.last and tab.session.messages[-1].content))
    app.window.desk.lend()
    box = question(app)
    assert "is being answered" in box.text()
    assert phase_of(app.client) is Phase.READY
    press(box, "Go on")
    qtbot.waitUntil(lambda: not tab.session.answers, timeout=WAIT_MS)
    assert tab.session.messages[-1].status is MessageStatus.INTERRUPTED
    assert phase_of(app.client) is Phase.SLEEPING
    banner = app.window.banner
    next(button for button in banner.buttons() if button.text() == "Wake it now").click()
    ready(app, qtbot)


def test_where_no_second_model_is_wanted_the_first_may_give_way(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    app.window.change(second_engine=False)
    answered(app, qtbot, "/echo hello")
    tab = current(app)
    assert not app.window.desk.beside.is_possible
    app.window.desk.beside.answer_with(tab.session, tab.session.messages[-1].id, models[1])
    box = question(app)
    assert "Small & Precise cannot be loaded beside Small-AWQ." in box.text()
    assert "answers from then on: 1" in box.informativeText()
    press(box, "in place of Small-AWQ")
    qtbot.waitUntil(lambda: len(tab.session.candidates) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.answers, timeout=WAIT_MS)
    assert tab.session.candidates[0].model == "Small & Precise"
    assert app.pool.others() == []


def test_chats_that_would_wait_are_named_before_their_model_goes(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    tab = current(app)
    tab.session.set_model(models[0])
    answered(app, qtbot, "/echo hello")
    desk = app.window.desk
    desk.checks_folders = True  # as with the real engine
    monkeypatch.setattr(desk, "check", lambda _folder, go, *_rest: go())
    desk.load(models[1])
    box = question(app)
    assert "wait until Small-AWQ is loaded again: 1" in box.informativeText()
    assert app.client.view.model == models[0]
    press(box, "Go on")
    qtbot.waitUntil(lambda: app.client.view.model == models[1], timeout=WAIT_MS)
    ready(app, qtbot)
    assert "not loaded" in tab.composer.below.equip().model.accessibleName()


def test_a_second_engine_that_fails_has_a_banner_of_its_own(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    Path(models[1]).rmdir()
    app.pool.open(models[1])
    second = app.pool.others()[0]
    qtbot.waitUntil(lambda: second.view.phase is Phase.FAILED, timeout=WAIT_MS)
    banner = app.window._cares[second].banner
    assert banner is not app.window.banner
    assert "no model folder" in banner.text()
    assert not app.window.banner.isVisible()
    answered(app, qtbot, "/echo unharmed")
    Path(models[1]).mkdir()
    next(button for button in banner.buttons() if button.text() == "Try again").click()
    qtbot.waitUntil(lambda: second.view.phase is Phase.READY, timeout=WAIT_MS)
    assert not banner.isVisible()
    app.window.desk.beside.close(second)
    assert len(app.window.findChildren(EngineBanner)) <= 2


def wanted(app: Inglenook) -> LoadSettings:
    """How the window's model is to be loaded."""
    assert app.client.wanted is not None
    return app.client.wanted[1]


# --- remedies ---------------------------------------------------------------------------------


def choose_file(app: Inglenook, path: str) -> None:
    [dialog] = [one for one in app.window.findChildren(QFileDialog) if one.isVisible()]
    dialog.fileSelected.emit(path)
    dialog.close()


def test_remedies_that_change_how_a_model_is_loaded(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, models: tuple[str, str]
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    care = app.window.desk.care
    app.client.load(models[0], LoadSettings(max_model_len=1000, kv_cache_bytes=1 << 20))
    care.apply(Remedy("", RemedyAction.RELOAD_WITH, {"enforce_eager": True}))
    assert wanted(app) == LoadSettings(
        max_model_len=1000, kv_cache_bytes=1 << 20, enforce_eager=True
    )
    care.apply(Remedy("", RemedyAction.RELOAD_WITH, {"gpu_memory_utilization": 0.8}))
    assert wanted(app).kv_cache_bytes is None  # which would overrule it
    care.apply(Remedy("", RemedyAction.RELOAD_WITH, {"devices": (1,)}))
    assert wanted(app).devices == (1,)
    care.apply(Remedy("", RemedyAction.CHOOSE_TEMPLATE))
    template = tmp_path / "chat.jinja"
    choose_file(app, str(template))
    care.apply(Remedy("", RemedyAction.CHOOSE_TOKENIZER))
    choose_file(app, models[1])
    settings = wanted(app)
    assert (settings.chat_template, settings.tokenizer) == (str(template), models[1])
    assert settings.max_model_len == 1000
    care.apply(Remedy("", RemedyAction.RELOAD_WITH, {"nonsense": 1}))
    assert "cannot be used" in app.window.store_bar.text()
    ready(app, qtbot)


def test_the_others_are_unloaded_and_the_load_is_tried_again(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str], tmp_path: Path
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    third = tmp_path / "Third"
    second = app.pool.open(str(third))
    fourth = app.pool.open(models[1])
    qtbot.waitUntil(lambda: second.view.phase is Phase.FAILED, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: fourth.view.phase is Phase.READY, timeout=WAIT_MS)
    third.mkdir()
    app.window._cares[second].apply(Remedy("", RemedyAction.UNLOAD_OTHERS))
    assert phase_of(second) is Phase.FAILED  # not before their memory is free
    qtbot.waitUntil(lambda: second.view.phase is Phase.READY, timeout=WAIT_MS)
    assert app.pool.clients() == [app.client, second]
    assert phase_of(app.client) is Phase.IDLE


def test_a_gguf_file_is_converted_and_loaded(
    open_window: OpenWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    models: tuple[str, str],
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    done = json.dumps({"type": "done", "folder": models[1]})
    words = f"print('a library says', flush=True); print({done!r}); print('and again')"
    start = GgufConversion.start

    def play(self: GgufConversion) -> None:
        self._process.command = (sys.executable, "-c", words)
        start(self)

    monkeypatch.setattr(GgufConversion, "start", play)
    remedy = Remedy("", RemedyAction.CONVERT, {"file": "/models/tiny.gguf"})
    app.window.desk.care.apply(remedy)
    assert "Converting tiny.gguf" in app.window.banner.text()
    qtbot.waitUntil(lambda: app.client.view.model == models[1], timeout=WAIT_MS)
    ready(app, qtbot)
    assert not app.window.banner.isVisible()


# --- loads that are planned -------------------------------------------------------------------


class Book:
    """Plans as a test says, at once."""

    def __init__(self) -> None:
        self.ours: Callable[[], frozenset[int]] = frozenset
        self.started_with: list[Prepared] = []

    def prepare(self, model: str, ready: Callable[[Prepared], None]) -> None:
        ready(Prepared(model, "key", replace(AUTOMATIC, context=777)))

    def started(self, prepared: Prepared) -> None:
        self.started_with.append(prepared)

    def usual(self, _model: str) -> dict[str, float]:
        return {}


def test_a_model_is_loaded_as_it_is_remembered(
    open_window: OpenWindow, qtbot: QtBot, models: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    book = Book()
    app.window.desk.book = book  # type: ignore[assignment]
    app.window.desk.beside.load(models[1])
    second = app.pool.others()[0]
    assert second.wanted == (models[1], LoadSettings(max_model_len=777))
    assert [prepared.model for prepared in book.started_with] == [models[1]]
    qtbot.waitUntil(lambda: second.view.phase is Phase.READY, timeout=WAIT_MS)


def test_the_settings_of_engines_are_kept(folders: paths.Folders) -> None:
    settings = Settings(
        idle_unload=15, second_engine=False, precise_model="/m/p", recent_models=("/a", "/b")
    )
    assert save(folders.settings, settings) == ""
    assert load(folders.settings) == (settings, "")


def test_a_load_that_found_no_room_names_who_holds_the_memory(
    open_window: OpenWindow,
    qtbot: QtBot,
    models: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine does not know; the window reads the GPUs once the failure is there."""
    gpu = GpuReading(0, processes=(GpuProcess(4242, "blender", 9 * 1024**3),))
    reading = HardwareReading(DriverState(Driver.OK), (gpu,), HostReading())
    app = open_window(FAST, model=models[0])
    ready(app, qtbot)
    error = next(row.texts[0] for row in ROWS if row.code == "vram_in_use")
    view = EngineView(
        phase=Phase.FAILED, model=models[0], failure=explain(Scope.LOAD, f"ValueError: {error}")
    )
    monkeypatch.setattr(nvml, "read_once", lambda: reading)
    monkeypatch.setattr(EngineClient, "view", view)
    app.window.desk.care.show(view)
    banner = app.window.banner
    assert "blender" not in banner.text()
    qtbot.waitUntil(lambda: "blender" in banner.text(), timeout=WAIT_MS)
    assert "9.0" in banner.text()
    monkeypatch.undo()
