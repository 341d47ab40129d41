"""The page of installed models: real folders, the real scan and the real processes behind it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop import paths, theme
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_state import Phase
from desktop.models.library.download_desk import DownloadDesk
from desktop.models.library.download_view import DownloadState
from desktop.models.library.installed_deeds import Deed
from desktop.models.library.installed_model import InstalledList, InstalledRole, SortBy
from desktop.models.library.shelf import Shelf
from desktop.settings import Settings
from desktop.views.library.import_dialog import COPY, LINK, PLACE, ImportDialog
from desktop.views.library.installed_page import WIDE, InstalledPage
from desktop.views.library.model_bin_dialog import ModelBinDialog
from desktop.views.library.move_store_dialog import MoveStoreDialog
from engine.store.library.move_journal import MoveState, write_state
from engine.store.library.moving import unfinished_move
from engine.store.library.records import InstalledModel, Source
from engine.store.library.wire import MoveJob
from tests.gui.fake_client import FakeClient
from tests.helpers.shelf_models import (
    COMMIT,
    seal,
    write_gguf,
    write_installed,
    write_model,
    write_shards,
)

WAIT_MS = 20_000
GB = 2**30


class Kit:
    """A page over a store of its own."""

    def __init__(self, folders: paths.Folders, client: FakeClient, qtbot: QtBot) -> None:
        self.folders, self.client, self.qtbot = folders, client, qtbot
        self.settings = Settings(use_hf_cache=False)
        self.pool = EnginePool(client.as_client)
        self.downloads = DownloadDesk(folders, lambda: replace(self.settings, offline=True))
        self.shelf = Shelf(folders.models, folders.state, folders.cache, lambda: self.settings)
        self.page: InstalledPage | None = None

    def open(self, width: int = 1000) -> InstalledPage:
        page = self.page = InstalledPage(self.shelf, self.pool, self.downloads, self.folders)
        self.qtbot.addWidget(page)
        page.resize(width, 600)
        page.show()
        self.wait(lambda: self.shelf.is_read)
        return page

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def names(self) -> list[str]:
        assert self.page is not None
        models = self.page.models
        return [str(models.index(row).data()) for row in range(models.rowCount())]

    def shows(self, *names: str) -> None:
        self.wait(lambda: sorted(self.names()) == sorted(names))

    def choose(self, name: str) -> None:
        assert self.page is not None
        self.page.show_model(self.path(name))

    def path(self, name: str) -> str:
        assert self.page is not None
        return next(model.path for model in self.page.models.models() if model.name == name)

    def click(self, deed: Deed) -> None:
        assert self.page is not None
        button = self.page.details.buttons[deed]
        assert button.isVisible()
        button.click()

    def box(self) -> QMessageBox:
        assert self.page is not None
        boxes = [one for one in self.page.findChildren(QMessageBox) if one.isVisible()]
        assert len(boxes) == 1
        return boxes[0]


@pytest.fixture
def kit(folders: paths.Folders, client: FakeClient, qtbot: QtBot) -> Iterator[Kit]:
    result = Kit(folders, client, qtbot)
    yield result
    if result.page is not None:
        result.page.hide()
        result.page.close_work()
    result.wait(lambda: not result.shelf.is_busy)
    result.downloads.close()
    for item in (result.downloads, result.shelf, result.pool):
        item.deleteLater()


def labelled(parent: QWidget, words: str) -> QAbstractButton:
    return next(one for one in parent.findChildren(QAbstractButton) if one.text() == words)


def press(box: QMessageBox, words: str) -> None:
    next(button for button in box.buttons() if button.text() == words).click()


# --- the list -----------------------------------------------------------------------------------


def model(name: str, **facts: object) -> InstalledModel:
    values: dict[str, object] = {
        "path": f"/m/{name}",
        "name": name,
        "source": Source.STORE,
        "format": "awq",
        "size": GB,
        "deletable": True,
        **facts,
    }
    return InstalledModel(**values)  # type: ignore[arg-type]


MODELS = (
    model("owner/Big", size=9 * GB, context=32768, licence="apache-2.0", last_used=5.0),
    model("owner/Small", size=GB, context=131072, format="bf16", last_used=9.0),
    model("other/Middle", size=4 * GB, format="gguf", problem="A file is missing."),
)


def listed(models: InstalledList) -> list[str]:
    return [str(models.index(row).data()) for row in range(models.rowCount())]


def test_the_model_keeps_qts_rules(qtbot: QtBot) -> None:
    models = InstalledList()
    tester = QAbstractItemModelTester(models, QAbstractItemModelTester.FailureReportingMode.Fatal)
    models.set_models(MODELS)
    models.set_filter("owner")
    models.set_sort(SortBy.SIZE)
    models.set_models(MODELS[1:])
    models.set_filter("")
    models.set_models(())
    assert tester.model() is models


@pytest.mark.parametrize(
    ("by", "order"),
    [
        (SortBy.USED, ["owner/Small", "owner/Big", "other/Middle"]),
        (SortBy.NAME, ["other/Middle", "owner/Big", "owner/Small"]),
        (SortBy.SIZE, ["owner/Big", "other/Middle", "owner/Small"]),
        (SortBy.CONTEXT, ["owner/Small", "owner/Big", "other/Middle"]),
        (SortBy.FORMAT, ["owner/Big", "owner/Small", "other/Middle"]),
    ],
)
def test_the_order(by: SortBy, order: list[str]) -> None:
    models = InstalledList()
    models.set_models(MODELS)
    models.set_sort(by)
    assert listed(models) == order


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("own", ["owner/Small", "owner/Big"]),
        ("OWNER big", ["owner/Big"]),
        ("apache", ["owner/Big"]),
        ("gguf", ["other/Middle"]),
        ("/m/owner", ["owner/Small", "owner/Big"]),
        ("nothing", []),
        ("  ", ["owner/Small", "owner/Big", "other/Middle"]),
    ],
)
def test_the_filter(text: str, found: list[str]) -> None:
    models = InstalledList()
    models.set_models(MODELS)
    models.set_filter(text)
    assert listed(models) == found


def test_what_a_screen_reader_hears() -> None:
    models = InstalledList()
    models.set_models(MODELS)
    spoken = str(models.index(2).data(Qt.ItemDataRole.AccessibleTextRole))
    assert spoken.startswith("other/Middle, A file is missing., GGUF")
    assert "4.0 GiB" in spoken


def test_names_that_steer() -> None:
    models = InstalledList()
    models.set_models([model("o/\u202eevil\n<b>x</b>", path="/m/x", licence="y" * 5000)])
    text = str(models.index(0).data())
    assert text.isprintable()
    assert "\u202e" not in text
    row = models.index(0).data(InstalledRole.ROW)
    assert len(row.facts) < 200


# --- the page -----------------------------------------------------------------------------------


def test_all_that_is_installed_is_listed(kit: Kit, tmp_path: Path) -> None:
    write_installed(kit.folders.models, "owner/Tiny")
    write_model(tmp_path / "mine" / "Own")
    write_gguf(tmp_path / "mine" / "file.gguf")
    kit.settings = replace(kit.settings, library_folders=(str(tmp_path / "mine"),))
    page = kit.open()
    kit.shows("owner/Tiny", "Own", "file")
    assert page.head.count.text().startswith("3 model")
    kit.choose("owner/Tiny")
    facts = {
        label.accessibleName().split(": ")[0]: label.text()
        for label in page.details.findChildren(type(page.details.state))
        if ": " in label.accessibleName()
    }
    assert facts["Licence"] == "Apache 2.0"
    assert facts["Commit"].startswith("0123456789abcde")
    assert facts["From"] == "Downloaded · owner/Tiny"
    assert facts["Place"] == kit.path("owner/Tiny")
    write_installed(kit.folders.models, "owner/Later")
    kit.shows("owner/Tiny", "Own", "file", "owner/Later")


def test_nothing_installed(kit: Kit) -> None:
    page = kit.open()
    wanted = QSignalSpy(page.find_requested)
    assert page.empty.isVisible()
    page.empty.other_chosen.emit()
    assert wanted.count() == 1


def test_found_by_typing_and_loaded_by_enter(kit: Kit) -> None:
    for name in ("owner/Alpha", "owner/Beta"):
        write_installed(kit.folders.models, name)
    page = kit.open()
    kit.shows("owner/Alpha", "owner/Beta")
    loads = QSignalSpy(page.load_requested)
    kit.qtbot.waitActive(page)
    page.view.setFocus()
    QTest.keyClicks(page.view, "b")
    assert page.filter.text() == "b"
    QTest.keyClicks(page.filter, "et")
    assert kit.names() == ["owner/Beta"]
    assert page.details.row is not None
    assert page.details.row.model.name == "owner/Beta"
    QTest.keyClick(page.filter, Qt.Key.Key_Down)
    QTest.keyClick(page.view, Qt.Key.Key_Return)
    assert loads.at(0) == [kit.path("owner/Beta")]
    QTest.keyClick(page.filter, Qt.Key.Key_Escape)
    assert page.filter.text() == ""
    assert page.details.row.model.name == "owner/Beta", "the same model stays chosen"
    QTest.keyClicks(page.filter, "no such")
    assert page.empty.isVisible()
    page.empty.other_chosen.emit()
    assert len(kit.names()) == 2


def test_what_is_wrong_is_said_and_what_is_missing_fetched(kit: Kit) -> None:
    folder = write_shards(kit.folders.models / "hub" / "owner--Shards")
    seal(folder, repo="owner/Shards")
    (folder / "model-00002-of-00003.safetensors").unlink()
    page = kit.open()
    kit.shows("owner/Shards")
    kit.choose("owner/Shards")
    assert "model-00002-of-00003.safetensors" in page.details.problem.accessibleName()
    assert not page.details.buttons[Deed.LOAD].isVisible()
    loads = QSignalSpy(page.load_requested)
    QTest.keyClick(page.view, Qt.Key.Key_Return)
    assert loads.count() == 0
    assert page.notice.isVisible()
    kit.click(Deed.FETCH)
    (view,) = kit.downloads.views()
    assert (view.repo, view.revision) == ("owner/Shards", COMMIT)
    kit.downloads._on_changed(replace(view, state=DownloadState.RUNNING, done=GB, total=4 * GB))
    assert page.details.row is not None
    assert page.details.row.work == "Being fetched: 25 %"


def test_what_is_loaded_is_shown_and_unloaded(kit: Kit) -> None:
    folder = write_installed(kit.folders.models, "owner/Tiny")
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    assert page.details.buttons[Deed.LOAD].isVisible()
    kit.client.set_view(phase=Phase.LOADING, model=str(folder))
    assert page.details.state.text().startswith("Loading")
    kit.client.set_view(phase=Phase.READY)
    unloads = QSignalSpy(page.unload_requested)
    kit.click(Deed.UNLOAD)
    assert unloads.at(0) == [str(folder)]
    kit.client.set_view(phase=Phase.IDLE)
    assert page.details.state.text() == "Not loaded"
    assert page.details.buttons[Deed.LOAD].isVisible()


def test_wide_and_narrow(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open(WIDE + 100)
    kit.shows("owner/Tiny")
    assert page.body.orientation() is Qt.Orientation.Horizontal
    page.resize(500, 600)
    assert page.body.orientation() is Qt.Orientation.Vertical
    assert page.view.height() > 100
    assert page.details.height() > 100


def test_everything_has_a_name_and_is_reached_by_keys(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    for button in page.findChildren(QAbstractButton):
        if button.isVisible() and button.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            assert button.accessibleName(), button
    assert page.view.accessibleName()
    kit.qtbot.waitActive(page)
    page.filter.setFocus()
    seen = set()
    for _ in range(20):
        widget = page.focusWidget()
        seen.add(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    assert {page.view, page.head.sort, page.head.add, page.details.more} <= seen


def test_the_menu_of_a_row(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    menu = page.details.menu(page._deeds(row), page)
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == [
        "Load",
        "How it is loaded…",
        "Verify",
        "Show in its folder",
        "Files and hashes…",
        "Its page on the hub…",
        "Quantise to 4 bits…",
        "Delete",
    ]
    links, quantised = QSignalSpy(page.link_requested), QSignalSpy(page.quantise_requested)
    by_text = {action.text(): action for action in menu.actions()}
    by_text["Its page on the hub…"].trigger()
    by_text["Quantise to 4 bits…"].trigger()
    assert str(links.at(0)[0]).endswith("/owner/Tiny")
    assert quantised.count() == 1
    menu.deleteLater()


# --- work ---------------------------------------------------------------------------------------


def test_verified_again(kit: Kit) -> None:
    folder = write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    page.desk.do(Deed.VERIFY, row)
    assert page.details.buttons[Deed.STOP_VERIFY].isVisible()
    kit.wait(lambda: "unchanged" in page.notice.text())
    assert not page.details.buttons[Deed.STOP_VERIFY].isVisible()
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-2] ^= 4
    (folder / "model.safetensors").write_bytes(content)
    page.desk.do(Deed.VERIFY, row)
    kit.wait(lambda: "model.safetensors" in page.notice.text())
    assert "damaged" in page.notice.text()


def test_a_verification_is_stopped(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    page.desk.do(Deed.VERIFY, row)
    kit.click(Deed.STOP_VERIFY)
    kit.wait(lambda: not page.desk.work.is_busy)
    assert page.details.row is not None
    assert page.details.row.work == ""


def test_deleted_and_taken_back(kit: Kit) -> None:
    folder = write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    kit.qtbot.waitActive(page)
    page.view.setFocus()
    QTest.keyClick(page.view, Qt.Key.Key_Delete)
    kit.shows()
    kit.wait(lambda: page.bin_button.isVisible())
    assert not folder.exists()
    assert "is in the bin" in page.notice.text()
    (undo,) = [
        button for button in page.notice.findChildren(QAbstractButton) if button.text() == "Undo"
    ]
    undo.click()
    kit.shows("owner/Tiny")
    assert folder.exists()
    kit.wait(lambda: not page.bin_button.isVisible())


def test_the_bin_is_emptied(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    page.desk.do(Deed.DELETE, row)
    kit.wait(lambda: len(page.desk.bin) == 1)
    page.bin_button.click()
    dialog = page.findChild(ModelBinDialog)
    assert dialog is not None
    dialog.list.selectAll()
    dialog.erase.click()
    press(dialog.findChildren(QMessageBox)[0], "Delete")
    kit.wait(lambda: page.desk.bin == ())
    assert dialog.lead.text() == "The bin is empty."
    assert "are free" in page.notice.text()
    dialog.close()


def test_a_loaded_model_is_unloaded_first(kit: Kit) -> None:
    folder = write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    kit.client.set_view(phase=Phase.READY, model=str(folder))
    row = page.details.row
    assert row is not None
    unloads = QSignalSpy(page.unload_requested)
    page.desk.do(Deed.DELETE, row)
    press(kit.box(), "Unload and delete")
    assert unloads.count() == 1
    assert folder.exists()
    kit.client.set_view(phase=Phase.IDLE)
    kit.shows()
    assert not folder.exists()


def test_files_and_hashes(kit: Kit) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    page.desk.do(Deed.FILES, row)
    kit.wait(lambda: bool(page.findChildren(QPlainTextEdit)))
    text = page.findChildren(QPlainTextEdit)[0].toPlainText()
    assert "licence: apache-2.0" in text
    assert "model.safetensors" in text
    assert any(len(line.split()[0]) == 64 for line in text.splitlines() if line)


# --- import and move ----------------------------------------------------------------------------


def dropped(page: InstalledPage, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(page.rect().center()),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    page.dropEvent(event)


def import_dialog(kit: Kit, source: Path) -> ImportDialog:
    page = kit.page
    assert page is not None
    dropped(page, source)
    dialog = page.findChildren(ImportDialog)[-1]
    kit.wait(lambda: dialog.go.isEnabled() or dialog.trouble.isVisible())
    return dialog


def test_a_dropped_folder_is_imported(kit: Kit, tmp_path: Path) -> None:
    source = write_model(tmp_path / "Somewhere" / "Mine")
    page = kit.open()
    dialog = import_dialog(kit, source)
    assert dialog.name.text() == "Mine"
    assert dialog.way == COPY
    dialog.name.setText("Yours")
    dialog.go.click()
    assert not dialog.form.isVisible()
    kit.wait(lambda: dialog.load.isVisible())
    kit.shows("Yours")
    assert page.details.row is not None
    assert page.details.row.title == "Yours"
    assert source.exists()
    loads = QSignalSpy(dialog.load_requested)
    dialog.load.click()
    assert loads.at(0) == [kit.path("Yours")]


def test_a_dropped_file_is_shared(kit: Kit, tmp_path: Path) -> None:
    source = write_gguf(tmp_path / "file.gguf")
    kit.open()
    dialog = import_dialog(kit, source)
    dialog.ways[LINK].setChecked(True)
    dialog.go.click()
    kit.wait(lambda: dialog.load.isVisible())
    kit.shows("file")
    assert Path(kit.path("file")).samefile(source)
    dialog.close()


def test_what_is_no_model_is_refused(kit: Kit, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    kit.open()
    dialog = import_dialog(kit, tmp_path / "papers")
    assert "is no model" in dialog.trouble.text()
    assert not dialog.go.isEnabled()
    dialog.close()


def test_a_folder_of_models_is_looked_into(kit: Kit, tmp_path: Path) -> None:
    write_model(tmp_path / "many" / "One")
    write_model(tmp_path / "many" / "Two", seed=1)
    kit.open()
    dialog = import_dialog(kit, tmp_path / "many")
    kit.wait(lambda: dialog.go.isEnabled())
    added = QSignalSpy(dialog.folder_added)
    assert dialog.way == PLACE
    assert not dialog.ways[COPY].isEnabled()
    dialog.go.click()
    assert added.at(0) == [str(tmp_path / "many")]


def test_the_store_moves(kit: Kit, tmp_path: Path) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    page.move_store()
    dialog = page.findChild(MoveStoreDialog)
    assert dialog is not None
    assert not dialog.go.isEnabled()
    dialog.target.setText(str(tmp_path / "other-disk"))
    kit.wait(lambda: "free there" in dialog.room.text())
    dialog.go.click()
    kit.wait(lambda: not dialog.is_running)
    assert dialog.trouble.text() == ""
    assert dialog.title.text() == "The models are moved"
    assert kit.folders.models.is_symlink()
    assert kit.folders.models.resolve().is_relative_to(tmp_path / "other-disk")
    kit.shows("owner/Tiny")
    dialog.close()


def test_a_move_that_was_broken_off_is_gone_on_with_or_given_up(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_installed(kit.folders.models)
    target = tmp_path / "other-disk"
    target.mkdir()
    state = MoveState(
        source=str(kit.folders.models.resolve()), target=str(target / "store"), made=True
    )
    write_state(kit.folders.models, state)
    page = kit.open()
    kit.wait(page.unfinished.isVisible)
    assert str(target) in page.unfinished.text()
    labelled(page.unfinished, "Go on…").click()
    dialog = page.findChild(MoveStoreDialog)
    assert dialog is not None
    assert not page.unfinished.isVisible()
    assert dialog.job() == MoveJob(models=str(kit.folders.models), to=state.target)
    dialog.reject()
    kit.wait(page.unfinished.isVisible)
    labelled(page.unfinished, "Give it up").click()
    kit.wait(lambda: not page.unfinished.isVisible())
    assert unfinished_move(kit.folders.models) is None
    assert not kit.folders.models.is_symlink()
    kit.shows("owner/Tiny")


def test_a_move_that_cannot_be_says_why(kit: Kit, tmp_path: Path) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    page.move_store()
    dialog = page.findChild(MoveStoreDialog)
    assert dialog is not None
    (tmp_path / "file").write_text("in the way")
    dialog.target.setText(str(tmp_path / "file"))
    dialog.go.click()
    kit.wait(lambda: not dialog.is_running)
    assert dialog.trouble.text()
    assert dialog.go.isVisible(), "it can be tried again"
    assert not kit.folders.models.is_symlink()
    dialog.close()


def test_work_that_dies_is_said(kit: Kit, caplog: pytest.LogCaptureFixture) -> None:
    write_installed(kit.folders.models)
    page = kit.open()
    kit.shows("owner/Tiny")
    kit.choose("owner/Tiny")
    row = page.details.row
    assert row is not None
    page.desk.work._command = (sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
    page.desk.do(Deed.VERIFY, row)
    kit.wait(lambda: "ended without a word" in page.notice.text())
    assert "ended with code -9" in caplog.text
    assert page.details.row is not None
    assert page.details.row.work == ""


@pytest.mark.parametrize("size", [8, 11, 16, 20, 24])
def test_no_word_of_the_details_is_cut(kit: Kit, qapp: QApplication, size: int) -> None:
    theme.apply(qapp, "light", size)
    write_installed(kit.folders.models, "owner/Tiny")
    write_shards(kit.folders.models / "hub" / "owner--Broken").joinpath(
        "model-00002-of-00003.safetensors"
    ).unlink()
    page = kit.open()
    kit.wait(lambda: len(kit.names()) == 2)
    for name in kit.names():
        kit.choose(name)
        for label in page.details.findChildren(QLabel):
            if not label.isVisible() or "/" in label.text():
                continue
            words = re.split(r"[\s/\u200b-]", label.text())
            longest = max(map(label.fontMetrics().horizontalAdvance, words))
            assert label.width() >= longest, (label.text(), label.width(), longest)
        for button in page.details.findChildren(QAbstractButton):
            if button.isVisible():
                right = button.mapTo(page.details, button.rect().topRight()).x()
                assert right < page.details.width(), button.text()
