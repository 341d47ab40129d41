"""The shelf: one scan for the whole window, on a thread, again when something has changed."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop import paths
from desktop.models.library import shelf as shelf_module
from desktop.models.library.shelf import Shelf
from desktop.settings import Settings
from engine.store.library import moving
from engine.store.library.records import Source
from engine.store.library.scan import CACHE_FILE
from tests.gui.conftest import WAIT_MS
from tests.helpers.tiny_models import make_tiny_model


class Chosen:
    """Settings that a test changes."""

    def __init__(self) -> None:
        self.now = Settings(use_hf_cache=False)

    def __call__(self) -> Settings:
        return self.now


@pytest.fixture
def chosen() -> Chosen:
    return Chosen()


@pytest.fixture
def shelf(folders: paths.Folders, chosen: Chosen, qtbot: QtBot) -> Shelf:
    make_tiny_model(folders.models / "hub" / "me--Plum")
    return Shelf(folders.models, folders.state, folders.cache, chosen)


def scanned(shelf: Shelf, qtbot: QtBot) -> list[str]:
    """Scan; the names found."""
    shelf.refresh()
    qtbot.waitUntil(lambda: shelf.is_read and not shelf.is_busy, timeout=WAIT_MS)
    return [model.name for model in shelf.models]


def test_it_tells_of_what_is_new_and_of_nothing_else(
    shelf: Shelf, qtbot: QtBot, folders: paths.Folders
) -> None:
    told: list[int] = []
    shelf.changed.connect(lambda models: told.append(len(models)))
    assert scanned(shelf, qtbot) == ["Plum"]
    assert scanned(shelf, qtbot) == ["Plum"]
    assert told == [1]
    make_tiny_model(folders.models / "hub" / "me--Pear")
    assert scanned(shelf, qtbot) == ["Pear", "Plum"]
    assert told == [1, 2]
    assert (folders.cache / CACHE_FILE).is_file()


def test_whoever_watches_sees_changes_by_themselves(
    shelf: Shelf, qtbot: QtBot, folders: paths.Folders
) -> None:
    scanned(shelf, qtbot)
    shelf._timer.setInterval(20)
    shelf.watch(True)
    shelf.watch(True)
    with qtbot.waitSignal(shelf.changed, timeout=WAIT_MS):
        make_tiny_model(folders.models / "hub" / "me--Pear")
    with qtbot.waitSignal(shelf.changed, timeout=WAIT_MS):
        shutil.rmtree(folders.models / "hub" / "me--Plum")
    shelf.watch(False)
    assert shelf._timer.isActive()
    shelf.watch(False)
    assert not shelf._timer.isActive()
    qtbot.waitUntil(lambda: not shelf.is_busy, timeout=WAIT_MS)


def test_folders_and_recent_models_count_once(
    shelf: Shelf, qtbot: QtBot, chosen: Chosen, tmp_path: Path
) -> None:
    mine, gguf, gone = tmp_path / "mine", tmp_path / "x.gguf", tmp_path / "gone"
    model = make_tiny_model(mine / "Fir")
    make_tiny_model(tmp_path / "beside" / "Elm")
    gguf.write_bytes(b"GGUF")
    longer = f"/{'a' * 300}"  # than a disk takes: asked for, it raises
    recent = (str(model), str(tmp_path / "beside" / "Elm"), str(gguf), str(gone), longer)
    chosen.now = replace(chosen.now, library_folders=(str(mine),), recent_models=recent)
    assert scanned(shelf, qtbot) == ["Elm", "Fir", "Plum"]
    assert [one.source for one in shelf.models if one.name == "Fir"] == [Source.FOLDER]
    assert shelf.others == (str(gguf),)
    chosen.now = replace(chosen.now, library_folders=(), recent_models=())
    shelf.look()
    qtbot.waitUntil(lambda: [m.name for m in shelf.models] == ["Plum"], timeout=WAIT_MS)


def test_several_wishes_for_a_scan_are_one_more_scan(
    shelf: Shelf, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, runs = threading.Event(), []
    scan = shelf_module._scan

    def slow(*args: object) -> object:
        runs.append(args)
        gate.wait(timeout=20)
        return scan(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(shelf_module, "_scan", slow)
    for _ in range(5):
        shelf.refresh()
    gate.set()
    qtbot.waitUntil(lambda: len(runs) == 2 and not shelf.is_busy, timeout=WAIT_MS)


def test_a_scan_that_fails_is_told_and_the_next_one_works(
    shelf: Shelf, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch, qtbot.waitSignal(shelf.failed, timeout=WAIT_MS) as told:
        patch.setattr(shelf_module, "_scan", fail)
        shelf.refresh()
    assert "the disk is gone" in told.args[0]
    assert scanned(shelf, qtbot) == ["Plum"]


def test_a_broken_move_of_the_store_is_put_right_first(
    shelf: Shelf, qtbot: QtBot, folders: paths.Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    repaired: list[Path] = []
    monkeypatch.setattr(moving, "repair", repaired.append)
    scanned(shelf, qtbot)
    scanned(shelf, qtbot)
    assert repaired == [folders.models]


def test_uses_are_kept_and_shown(shelf: Shelf, qtbot: QtBot, folders: paths.Folders) -> None:
    scanned(shelf, qtbot)
    assert [model.last_used for model in shelf.models] == [None]
    shelf.watch(True)
    with qtbot.waitSignal(shelf.changed, timeout=WAIT_MS):
        shelf.note_used(str(folders.models / "hub" / "me--Plum"))
    assert shelf.models[0].last_used is not None
    shelf.watch(False)
    qtbot.waitUntil(lambda: not shelf.is_busy, timeout=WAIT_MS)
