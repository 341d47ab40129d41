"""The library in the window: the picker does what it says, and all ways lead to its pages."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.app import Inglenook
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.library.download_view import DownloadState, DownloadView
from desktop.models.library.fit_book import FitBook
from desktop.models.library.picker_model import RowKind
from desktop.views.dropped_model import dropped_model
from desktop.views.engine.library_door import Wanted
from desktop.views.engine.picker.model_picker import ModelPicker
from engine.protocol import Failure, Remedy, RemedyAction, Scope
from engine.store.library.records import InstalledModel, Source
from engine.store.made_folder import MANIFEST
from engine.store.origin import Origin, origin_of, with_ways
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.picker_kit import FITS, go_to, make_folders, model, names, open_picker, put_on_shelf
from tests.gui.test_accessibility import nameless
from tests.gui.test_main_window import FAST, add_tab, current, ready, write
from tests.gui.test_model_window import answered, press, question
from tests.helpers.loopback_hub import loopback_hub
from tests.helpers.tiny_models import make_tiny_model


@pytest.fixture
def installed(tmp_path: Path) -> list[InstalledModel]:
    return make_folders(tmp_path / "models", "Alder", "Birch", "Cedar")


@pytest.fixture
def app(
    open_window: OpenWindow,
    qtbot: QtBot,
    installed: list[InstalledModel],
    monkeypatch: pytest.MonkeyPatch,
) -> Inglenook:
    """A window with Alder loaded, and two more installed."""
    monkeypatch.setattr(FitBook, "ask", lambda *_: None)
    monkeypatch.setattr(FitBook, "fit", lambda *_: FITS)
    found = open_window(FAST, model=installed[0].path)
    ready(found, qtbot)
    put_on_shelf(found, qtbot, installed)
    found.window.activateWindow()
    qtbot.waitUntil(found.window.isActiveWindow, timeout=WAIT_MS)
    return found


def keys(picker: ModelPicker, key: Qt.Key, with_keys: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(picker.field, key, with_keys or Qt.KeyboardModifier.NoModifier)


# --- the picker -------------------------------------------------------------------------------


def test_a_model_is_loaded_in_one_press_and_the_chat_stays(app: Inglenook, qtbot: QtBot) -> None:
    answered(app, qtbot, "/echo hello")
    tab = current(app)
    before = [message.content for message in tab.session.messages]
    picker = open_picker(app, qtbot)
    assert picker.field.hasFocus()
    assert names(picker)[0] == "Alder"
    assert picker.current_row() is not None
    QTest.keyClicks(picker.field, "bir")
    assert "Alder is unloaded." in picker.foot.words.text()
    keys(picker, Qt.Key.Key_Return)
    assert not picker.isVisible()
    qtbot.waitUntil(lambda: app.client.view.model.endswith("Birch"), timeout=WAIT_MS)
    ready(app, qtbot)
    assert [message.content for message in tab.session.messages] == before
    answered(app, qtbot, "/echo again")
    assert tab.session.messages[-1].model == "Birch"
    assert app.pool.others() == []


def test_other_chats_are_named_and_the_way_beside_leaves_them_alone(
    app: Inglenook, qtbot: QtBot
) -> None:
    answered(app, qtbot, "/echo one")
    other = current(app)
    tab = add_tab(app, qtbot)
    picker = open_picker(app, qtbot)
    go_to(picker, "Cedar")
    assert "1 other chat" in picker.foot.words.text()
    assert "Cedar answers there from then on" in picker.foot.words.text()
    assert "Beside Alder: fits" in picker.foot.words.text()
    keys(picker, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: len(app.pool.others()) == 1, timeout=WAIT_MS)
    second = app.pool.others()[0]
    qtbot.waitUntil(lambda: second.view.phase is Phase.READY, timeout=WAIT_MS)
    assert tab.session.chat.model.endswith("Cedar")
    assert other.session.chat.model == ""
    picker = open_picker(app, qtbot)
    assert names(picker)[:2] == ["Cedar", "Alder"]
    assert "Alder" not in picker.foot.words.text()
    go_to(picker, "Alder")
    assert "Cedar stays loaded." in picker.foot.words.text()
    keys(picker, Qt.Key.Key_Return)
    assert tab.session.chat.model == ""
    picker = open_picker(app, qtbot)
    go_to(picker, "Cedar")
    picker.foot.unload_button.click()
    qtbot.waitUntil(lambda: app.pool.others() == [], timeout=WAIT_MS)
    assert picker.isVisible()
    row = picker.current_row()
    assert row is not None
    assert (row.name, row.engine) == ("Cedar", None)


def test_a_chat_of_its_own_model_changes_that_alone(app: Inglenook, qtbot: QtBot) -> None:
    tab = current(app)
    open_picker(app, qtbot)
    picker = app.library.picker.picker  # type: ignore[union-attr]
    go_to(picker, "Birch")
    picker.foot.beside_button.click()
    qtbot.waitUntil(lambda: bool(tab.session.chat.model), timeout=WAIT_MS)
    second = app.pool.others()[0]
    qtbot.waitUntil(lambda: second.view.phase is Phase.READY, timeout=WAIT_MS)
    open_picker(app, qtbot)
    go_to(picker, "Cedar")
    assert "Birch is unloaded." in picker.foot.words.text()
    keys(picker, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: second.view.model.endswith("Cedar"), timeout=WAIT_MS)
    assert tab.session.chat.model.endswith("Cedar")
    assert app.client.view.model.endswith("Alder")


def test_answers_under_way_are_still_asked_about(
    app: Inglenook, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = app.window.desk
    desk.checks_folders = True  # as with the real engine
    monkeypatch.setattr(desk, "check", lambda _folder, go, *_rest: go())
    tab = current(app)
    write(tab, "/long 100000")
    qtbot.waitUntil(lambda: bool(tab.session.path.last and tab.session.messages[-1].content))
    picker = open_picker(app, qtbot)
    go_to(picker, "Birch")
    assert "answer(s) under way" in picker.foot.words.text() or "1 answer" in (
        picker.foot.words.text()
    )
    keys(picker, Qt.Key.Key_Return)
    box = question(app)
    assert app.client.view.model.endswith("Alder")
    press(box, "Go on")
    qtbot.waitUntil(lambda: app.client.view.model.endswith("Birch"), timeout=WAIT_MS)


def test_keys_go_round_and_escape_gives_the_focus_back(app: Inglenook, qtbot: QtBot) -> None:
    editor = current(app).composer.editor
    editor.setFocus()
    write_active = app.window.actions_by_name["stop"]
    picker = open_picker(app, qtbot)
    assert picker.current_row() == picker.model.row(0)
    keys(picker, Qt.Key.Key_Up)
    row = picker.current_row()
    assert row is not None
    assert row.kind is RowKind.FILE
    keys(picker, Qt.Key.Key_Down)
    keys(picker, Qt.Key.Key_Down)
    reached = []
    for _ in range(5):
        keys_widget = app.window.focusWidget()
        assert keys_widget is not None
        QTest.keyClick(keys_widget, Qt.Key.Key_Tab)
        focus = app.window.focusWidget()
        assert focus is not None
        reached.append(focus.accessibleName())
    assert reached == ["Load", "Load beside", "Settings", "Find a model", "Load"]
    focus = app.window.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_Escape)
    assert not picker.isVisible()
    assert editor.hasFocus()
    assert not write_active.isEnabled()


def test_it_goes_away_with_the_focus_and_the_button_closes_it(app: Inglenook, qtbot: QtBot) -> None:
    picker = open_picker(app, qtbot)
    current(app).composer.editor.setFocus()
    assert not picker.isVisible()
    open_picker(app, qtbot)
    app.window.actions_by_name["chat_model"].trigger()
    assert not picker.isVisible()
    open_picker(app, qtbot)
    QTest.mouseClick(app.window, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert not picker.isVisible()


def _is_wide(app: Inglenook, width: int) -> bool:
    return app.window.width() == width


def test_it_finds_room_in_a_small_window_and_above_or_below(app: Inglenook, qtbot: QtBot) -> None:
    for size in ((640, 440), (1200, 800)):
        app.window.resize(*size)
        qtbot.waitUntil(partial(_is_wide, app, size[0]), timeout=WAIT_MS)
        picker = open_picker(app, qtbot)
        assert app.window.rect().contains(picker.geometry())
        anchor = current(app).composer.below.model_anchor()
        top = anchor.mapTo(app.window, QPoint(0, 0)).y()
        assert picker.geometry().bottom() <= top
        assert picker.view.height() >= picker.view.sizeHintForRow(0)
        picker.close_up()


def test_three_hundred_models_are_listed_and_found(app: Inglenook, qtbot: QtBot) -> None:
    many = [model(f"Model {number:03}") for number in range(300)]
    put_on_shelf(app, qtbot, many)
    picker = open_picker(app, qtbot)
    assert picker.model.count == 301
    assert len(picker.shown_rows()) < 20
    QTest.keyClicks(picker.field, "model 277")
    row = picker.current_row()
    assert row is not None
    assert row.name == "Model 277"
    keys(picker, Qt.Key.Key_Escape)


def test_what_changes_meanwhile_is_shown_and_one_stays_where_one_is(
    app: Inglenook, qtbot: QtBot, installed: list[InstalledModel]
) -> None:
    picker = open_picker(app, qtbot)
    go_to(picker, "Cedar")
    put_on_shelf(app, qtbot, [*installed, model("Aspen")])
    assert "Aspen" in names(picker)
    row = picker.current_row()
    assert row is not None
    assert row.name == "Cedar"
    put_on_shelf(app, qtbot, installed[:2])
    row = picker.current_row()
    assert row is not None
    assert row.name == "Alder"


def test_a_model_with_a_problem_is_mended_from_the_picker(
    app: Inglenook, qtbot: QtBot, installed: list[InstalledModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = Failure(
        Scope.LOAD,
        "Birch is incomplete.",
        code="weights_missing",
        remedies=(Remedy("Choose another model", RemedyAction.CHOOSE_MODEL),),
    )
    from dataclasses import replace

    broken = replace(FITS, failure=failure)
    monkeypatch.setattr(
        FitBook, "fit", lambda _self, key: broken if key.endswith("Birch") else FITS
    )
    manifest = {"origin": {"kind": "hub", "repo": "me/Birch", "revision": "a" * 40}}
    Path(installed[1].path, MANIFEST).write_text(json.dumps(manifest))
    asked: list[tuple[Wanted, Callable[[str], object]]] = []
    assert app.library is not None
    monkeypatch.setattr(app.library, "fetch", lambda *args: asked.append(args))
    picker = open_picker(app, qtbot)
    go_to(picker, "Birch")
    assert picker.foot.words.text() == "Birch is incomplete."
    qtbot.waitUntil(
        lambda: [b.text() for b in picker.foot.buttons()] == ["Fetch what is missing"],
        timeout=WAIT_MS,
    )
    keys(picker, Qt.Key.Key_Return)
    wanted, then = asked[0]
    assert wanted == Wanted("me/Birch", "a" * 40, "")
    then(installed[1].path)
    qtbot.waitUntil(lambda: app.client.view.model.endswith("Birch"), timeout=WAIT_MS)


def test_a_model_without_a_template_is_given_one_and_keeps_it(
    app: Inglenook, qtbot: QtBot, tmp_path: Path, installed: list[InstalledModel]
) -> None:
    from desktop.models.loading.load_book import LoadBook

    desk = app.window.desk
    desk.book = LoadBook(tmp_path / "state", app)
    remedy = Remedy("", RemedyAction.CHOOSE_TEMPLATE)
    desk.mending.apply(installed[1].path, remedy)
    [dialog] = [one for one in app.window.findChildren(QFileDialog) if one.isVisible()]
    template = tmp_path / "chat.jinja"
    template.write_text("{{ messages }}")
    dialog.fileSelected.emit(str(template))
    dialog.close()
    qtbot.waitUntil(lambda: app.client.view.model.endswith("Birch"), timeout=WAIT_MS)
    past = desk.book.memory.latest_of(installed[1].path)
    assert past is not None
    assert past.choices.chat_template == str(template)


def test_a_refused_model_offers_what_helps(
    app: Inglenook, qtbot: QtBot, installed: list[InstalledModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(installed[1].path)
    manifest = {"origin": {"kind": "hub", "repo": "me/Birch", "revision": "main"}}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    app.window.desk.checks_folders = True  # as with the real engine
    asked: list[Wanted] = []
    assert app.library is not None
    monkeypatch.setattr(app.library, "fetch", lambda wanted, _then: asked.append(wanted))
    bar = app.window.store_bar

    def offered() -> list[str]:
        return [b.text() for b in bar.findChildren(QPushButton) if b.isVisible()]

    app.window.desk.load(str(folder))
    qtbot.waitUntil(lambda: "Fetch what is missing" in offered(), timeout=WAIT_MS)
    assert "Alder stays loaded" in bar.text()
    next(b for b in bar.findChildren(QPushButton) if b.text().startswith("Fetch")).click()
    assert asked == [Wanted("me/Birch")]
    assert not bar.isVisible()


def test_everything_in_the_picker_has_a_name(app: Inglenook, qtbot: QtBot) -> None:
    picker = open_picker(app, qtbot)
    go_to(picker, "Birch")
    assert nameless(picker) == []
    assert "Birch, AWQ" in picker.field.accessibleDescription()
    assert "Alder is unloaded." in picker.field.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support")
def test_what_is_missing_is_fetched_from_the_hub_and_loaded(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real downloader, against a hub on the loopback; the model lies where it lay."""
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    whole = make_tiny_model(folders.data / "whole")
    broken = folders.models / "hub" / "me--Plum"
    broken.parent.mkdir(parents=True)
    shutil.copytree(whole, broken)
    (broken / "model.safetensors").unlink()
    with loopback_hub() as hub:
        commit = hub.add("me/Plum", whole)
        origin = {"kind": "hub", "repo": "me/Plum", "revision": commit}
        (broken / MANIFEST).write_text(json.dumps({"origin": origin, "files": {}}))
        app = open_window(FAST)
        ready(app, qtbot)
        app.window.change(hub_endpoint=hub.url, use_hf_cache=False)
        picker = open_picker(app, qtbot)
        go_to(picker, "Plum")
        qtbot.waitUntil(
            lambda: [b.text() for b in picker.foot.buttons()] == ["Fetch what is missing"],
            timeout=WAIT_MS,
        )
        keys(picker, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: app.client.view.model == str(broken), timeout=3 * WAIT_MS)
        ready(app, qtbot)
        assert (broken / "model.safetensors").read_bytes() == (
            whole / "model.safetensors"
        ).read_bytes()
        assert app.library is not None
        shelf = app.library.shelf
        qtbot.waitUntil(
            lambda: [one.problem for one in shelf.models if one.repo == "me/Plum"] == [""],
            timeout=WAIT_MS,
        )


# --- remedies of a failed load -------------------------------------------------------------------


def test_missing_files_of_a_hub_model_are_fetched_and_it_is_loaded(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Plum"
    app = open_window(FAST, model=str(folder))
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.FAILED, timeout=WAIT_MS)
    folder.mkdir()
    manifest = {"origin": {"kind": "hub", "repo": "me/Plum", "revision": "b" * 40}}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    assert app.library is not None
    asked: list[tuple[Wanted, Callable[[str], object]]] = []
    monkeypatch.setattr(app.library, "fetch", lambda *args: asked.append(args))
    failure = Failure(Scope.LOAD, "The weights are missing.", code="weights_missing")
    view = EngineView(Phase.FAILED, str(folder), failure=failure)
    monkeypatch.setattr(type(app.client), "view", view)
    app.window.desk.care.show(view)
    banner = app.window.banner

    def buttons() -> list[str]:
        return [button.text() for button in banner.buttons()]

    qtbot.waitUntil(lambda: buttons()[:1] == ["Fetch what is missing"], timeout=WAIT_MS)
    banner.buttons()[0].click()
    assert asked[0][0] == Wanted("me/Plum", "b" * 40)
    asked[0][1](str(folder))
    monkeypatch.undo()
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)


def test_remedies_of_the_hub_lead_there(app: Inglenook, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    assert app.library is not None
    monkeypatch.setattr(app.library, "sign_in", lambda: done.append("sign in"))
    care = app.window.desk.care
    app.window.change(offline=True)
    care.apply(Remedy("", RemedyAction.SIGN_IN))
    care.apply(Remedy("", RemedyAction.GO_ONLINE))
    assert done == ["sign in"]
    assert not app.window.settings.offline


def test_fetching_asks_before_it_goes_online(app: Inglenook, qtbot: QtBot) -> None:
    assert app.library is not None
    library = app.library
    begun: list[tuple[str, ...]] = []

    class Desk:
        def start(self, *what: object) -> str:
            begun.append(tuple(map(str, what)))
            return "me/Plum"

        def apply_settings(self) -> None: ...

        def total(self) -> object:
            from desktop.models.library.download_view import DownloadTotal

            return DownloadTotal()

        def close(self) -> None: ...

    library._downloads = Desk()  # type: ignore[assignment]
    shown: list[bool] = []
    library.show_downloads = lambda: shown.append(True)  # type: ignore[method-assign]
    app.window.change(offline=True)
    library.fetch(Wanted("me/Plum"), lambda _folder: None)
    box = question(app)
    assert begun == []
    press(box, "Go online and fetch it")
    assert begun == [("me/Plum", "main", "", "None")]
    assert not app.window.settings.offline
    assert shown


# --- downloads in the window ---------------------------------------------------------------------


def test_the_status_bar_tells_of_downloads_and_leads_to_them(
    app: Inglenook, monkeypatch: pytest.MonkeyPatch, installed: list[InstalledModel]
) -> None:
    assert app.library is not None
    library = app.library
    desk = library.downloads
    running = DownloadView("me/Plum", "me/Plum", state=DownloadState.RUNNING, done=25, total=100)
    monkeypatch.setattr(desk, "views", lambda: (running,))
    shown: list[bool] = []
    monkeypatch.setattr(library, "show_downloads", lambda: shown.append(True))
    desk.changed.emit(running)
    [badge] = [one for one in app.window.status.findChildren(QPushButton) if "25 %" in one.text()]
    assert badge.isVisible()
    badge.click()
    assert shown
    monkeypatch.setattr(desk, "views", tuple)
    desk.listed.emit()
    assert not badge.isVisible()
    desk.finished.emit(installed[1].path)
    assert app.window.store_bar.text() == "Birch is installed."


def test_what_waited_for_a_download_is_done_when_it_is_there(
    app: Inglenook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert app.library is not None
    library = app.library
    desk = library.downloads
    monkeypatch.setattr(desk, "start", lambda *_: "me/Plum")
    monkeypatch.setattr(library, "show_downloads", lambda: None)
    there: list[str] = []
    library.fetch(Wanted("me/Plum"), there.append)
    other = DownloadView("me/Pear", "me/Pear", state=DownloadState.DONE, folder="/m/Pear")
    done = DownloadView("me/Plum", "me/Plum", state=DownloadState.DONE, folder="/m/Plum")
    monkeypatch.setattr(desk, "views", lambda: (other, done))
    desk.finished.emit("/m/Pear")
    assert there == []
    desk.finished.emit("/m/Plum")
    desk.finished.emit("/m/Plum")
    assert there == ["/m/Plum"]


def test_what_waited_for_a_download_that_was_given_up_is_not_done_later(
    app: Inglenook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert app.library is not None
    library = app.library
    desk = library.downloads
    monkeypatch.setattr(desk, "start", lambda *_: "me/Plum")
    monkeypatch.setattr(library, "show_downloads", lambda: None)
    there: list[str] = []
    library.fetch(Wanted("me/Plum"), there.append)
    desk.listed.emit()  # as when it is cancelled: it is in no list any more
    done = DownloadView("me/Plum", "me/Plum", state=DownloadState.DONE, folder="/m/Plum")
    monkeypatch.setattr(desk, "views", lambda: (done,))
    desk.finished.emit("/m/Plum")
    assert there == []


def test_downloads_of_an_earlier_start_go_on_and_it_says_so(
    open_window: OpenWindow, qtbot: QtBot, folders: paths.Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop.models.library import wish_list
    from desktop.models.library.download_desk import DownloadDesk

    monkeypatch.setattr("desktop.library_wiring.SETTLE_MS", 0)
    monkeypatch.setattr(DownloadDesk, "_fill", lambda _self: None)  # nothing is started
    waiting = DownloadView("me/Plum", "me/Plum", state=DownloadState.RUNNING)
    assert wish_list.write(folders.state / "downloads.json", [waiting]) == ""
    app = open_window(FAST)
    library = app.library
    assert library is not None
    library._begin()
    # The plural is English's where a test before has made a window.
    assert re.search("go(es)? on where", app.window.store_bar.text())
    assert library.downloads.views()[0].repo == "me/Plum"


def test_nothing_of_the_library_is_built_before_it_is_asked_for(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    library = app.library
    assert library is not None
    for part in ("_link", "_downloads", "_library", "_picker"):
        assert getattr(library, part) is None


# --- ways to the library -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "way"),
    [
        ("find_models", "find_models"),
        ("installed_models", "show_installed"),
        ("downloads", "show_downloads"),
    ],
)
def test_menus_and_keys_lead_to_the_library(
    app: Inglenook, monkeypatch: pytest.MonkeyPatch, action: str, way: str
) -> None:
    shown: list[bool] = []
    monkeypatch.setattr(type(app.library), way, lambda _self: shown.append(True))
    if action == "find_models":
        editor = current(app).composer.editor
        editor.setFocus()
        QTest.keyClick(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    else:
        app.window.actions_by_name[action].trigger()
    assert shown == [True]


@pytest.mark.qt_log_ignore("does not support")
def test_what_the_library_loads_answers_in_a_chat_not_begun_yet(
    app: Inglenook, qtbot: QtBot, installed: list[InstalledModel]
) -> None:
    assert app.library is not None
    session = current(app).session
    session.set_model(installed[2].path)
    app.library._load(installed[1].path)
    qtbot.waitUntil(lambda: app.client.view.model == installed[1].path, timeout=WAIT_MS)
    ready(app, qtbot)
    assert session.chat.model == ""
    answered(app, qtbot, "/echo hello")
    session.set_model(installed[2].path)
    app.library._load(installed[0].path)
    qtbot.waitUntil(lambda: app.client.view.model == installed[0].path, timeout=WAIT_MS)
    assert session.chat.model == installed[2].path
    app.library._unload(installed[0].path)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.IDLE, timeout=WAIT_MS)


def test_the_last_rows_of_the_picker_lead_on(
    app: Inglenook, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    desk = app.window.desk
    picker = open_picker(app, qtbot)
    assert app.library is not None
    app.library.picker.find_wanted.disconnect()
    app.library.picker.find_wanted.connect(lambda: done.append("find"))
    monkeypatch.setattr(desk, "choose_model", lambda: done.append("folder"))
    monkeypatch.setattr(desk, "choose_gguf", lambda: done.append("file"))
    monkeypatch.setattr(desk, "open_load_dialog", lambda path: done.append(path))
    for name in ("Find models…", "Load a folder…", "Load a GGUF file…"):
        go_to(picker, name)
        assert [b for b in picker.foot.buttons() if b.text() == "Load"] == []
        keys(picker, Qt.Key.Key_Return)
        open_picker(app, qtbot)
    go_to(picker, "Birch")
    keys(picker, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert done[:3] == ["find", "folder", "file"]
    assert done[3].endswith("Birch")


def test_who_has_the_starter_alone_is_told_of_better_models(
    app: Inglenook, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[bool] = []
    monkeypatch.setattr(type(app.library), "find_models", lambda _self: shown.append(True))
    starter = model("SmolLM2", source=Source.STARTER)
    put_on_shelf(app, qtbot, [starter])
    welcome = current(app).welcome

    def offers() -> list[QPushButton]:
        found = welcome.findChildren(QPushButton)
        return [one for one in found if "better model" in one.text() and one.isVisible()]

    qtbot.waitUntil(lambda: len(offers()) == 1, timeout=WAIT_MS)
    offers()[0].click()
    assert shown == [True]
    answered(app, qtbot, "/echo hello")
    welcome = add_tab(app, qtbot).welcome
    assert len(offers()) == 1
    put_on_shelf(app, qtbot, [starter, model("Birch")])
    assert offers() == []


# --- drops ---------------------------------------------------------------------------------------


def mime(*files: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return data


def drop(widget: QWidget, data: QMimeData) -> bool:
    """Drop it there; whether that was taken."""
    place, action = QPointF(5, 5), Qt.DropAction.CopyAction
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place.toPoint(), action, data, button, none)
    enter.ignore()
    widget.dragEnterEvent(enter)
    if not enter.isAccepted():
        return False
    widget.dropEvent(QDropEvent(place, action, data, button, none))
    return True


def test_a_folder_or_a_gguf_file_is_a_model_and_all_else_goes_to_the_chat(
    app: Inglenook, tmp_path: Path, installed: list[InstalledModel]
) -> None:
    text, gguf = tmp_path / "notes.txt", tmp_path / "Plum.GGUF"
    text.write_text("x")
    gguf.write_bytes(b"GGUF")
    folder = Path(installed[1].path)
    assert dropped_model(mime(folder)) == folder
    assert dropped_model(mime(gguf)) == gguf
    assert dropped_model(mime(text)) is None
    assert dropped_model(mime(folder, gguf)) is None
    assert dropped_model(QMimeData()) is None
    tab = current(app)
    assert not drop(tab, mime(folder))
    assert not tab.composer.editor.canInsertFromMimeData(mime(gguf))
    assert not drop(app.window, mime(text))
    assert tab.composer.editor.canInsertFromMimeData(mime(text))


def test_a_dropped_model_is_loaded_from_there_or_taken_in(
    app: Inglenook,
    qtbot: QtBot,
    installed: list[InstalledModel],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[tuple[str, str]] = []
    assert app.library is not None
    monkeypatch.setattr(
        app.window.desk, "open_load_dialog", lambda path: done.append(("load", path))
    )
    monkeypatch.setattr(app.library, "import_model", lambda path: done.append(("import", path)))
    monkeypatch.setattr(app.library, "show_installed", lambda: done.append(("show", "")))
    folder = Path(installed[1].path)
    (folder / "config.json").write_text("{}")

    def asked() -> QMessageBox:
        qtbot.waitUntil(
            lambda: any(b.isVisible() for b in app.window.findChildren(QMessageBox)),
            timeout=WAIT_MS,
        )
        return question(app)

    for part in ("Load it from there", "Copy it into the library"):
        assert drop(app.window, mime(folder))
        box = asked()
        assert str(folder) in box.informativeText() or str(folder) in box.text()
        press(box, part)
        qtbot.waitUntil(box.isHidden, timeout=WAIT_MS)
    assert done == [("load", str(folder)), ("import", str(folder))]
    assert drop(app.window, mime(tmp_path / "models"))
    press(asked(), "Look for models in it")
    assert app.window.settings.library_folders == (str(tmp_path / "models"),)
    assert done[-1] == ("show", "")


# --- where a model came from ---------------------------------------------------------------------


def test_the_origin_of_a_model(tmp_path: Path) -> None:
    commit = "c" * 40
    plain = tmp_path / "plain"
    cached = tmp_path / "models--owner--name" / "snapshots" / commit
    clone = tmp_path / "clone"
    for folder in (plain, cached, clone / ".git"):
        folder.mkdir(parents=True)
    url = "https://huggingface.co/owner/cloned.git"
    remote = f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n'
    (clone / ".git" / "config").write_text(remote)
    assert origin_of(str(plain)) is None
    assert origin_of(str(cached)) == Origin("owner/name", commit)
    assert origin_of(str(cached / "x.gguf")) == Origin("owner/name", commit)
    assert origin_of(str(clone)) == Origin("owner/cloned")
    assert origin_of("owner/name") == Origin("owner/name")
    assert origin_of("/owner/name") is None
    for content in ("[]", "{", '{"origin": 3}', '{"origin": {"kind": "hub", "repo": "../x"}}'):
        (plain / MANIFEST).write_text(content)
        assert origin_of(str(plain)) is None
    (plain / MANIFEST).write_text("[" * 100_000)
    assert origin_of(str(plain)) is None
    origin = {"kind": "hub", "repo": "o/n", "revision": "zz", "variant": "Q4_K_M"}
    (plain / MANIFEST).write_text(json.dumps({"origin": origin}))
    assert origin_of(str(plain)) == Origin("o/n", "main", "Q4_K_M")


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("weights_missing", ["fetch_missing", "retry"]),
        ("pointer", ["fetch_missing", "retry"]),
        ("hub_unknown", ["fetch_missing", "retry"]),
        ("gated", ["open_url", "sign_in", "fetch_missing", "retry"]),
        ("vram_full", ["retry"]),
    ],
)
def test_what_the_hub_can_do_about_a_failure(code: str, actions: list[str]) -> None:
    failure = Failure(Scope.LOAD, "", code=code, remedies=(Remedy("", RemedyAction.RETRY),))
    origin = Origin("o/n", licence_url="https://hub.test/o/n")
    assert [one.action.value for one in with_ways(failure, origin).remedies] == actions
    assert with_ways(failure, None) is failure
