"""Asking for a model on this computer: where it starts, folders, files, several in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QListView, QWidget
from pytestqt.qtbot import QtBot

from desktop.views.engine.model_chooser import ModelChooser
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.test_main_window import FAST, ready


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    result = QWidget()
    qtbot.addWidget(result)
    return result


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A models folder with the starter and a conversion."""
    result = tmp_path / "models"
    for name in ("starter/Small", "converted/Tea-747cb1f01955"):
        (result / name).mkdir(parents=True)
    return result


@pytest.fixture
def several(tmp_path: Path) -> Path:
    folder = tmp_path / "<b>Several"
    folder.mkdir()
    for name in ("tea.Q8_0.gguf", "tea.Q4_1.gguf", "mmproj.gguf"):
        (folder / name).write_bytes(b"GGUF")
    return folder


def chooser_of(window: QWidget, store: Path, current: str = "") -> ModelChooser:
    return ModelChooser(window, str(store / "starter" / "Small"), lambda: current)


def shown(window: QWidget) -> QFileDialog:
    [dialog] = [one for one in window.findChildren(QFileDialog) if one.isVisible()]
    return dialog


@pytest.mark.parametrize("model", ["", "starter/Small", "converted/Tea-747cb1f01955"])
def test_it_starts_where_all_models_of_the_program_lie(
    window: QWidget, store: Path, model: str
) -> None:
    chooser = chooser_of(window, store, str(store / model) if model else "")
    chooser.choose_folder(lambda _folder: None)
    assert shown(window).directory().absolutePath() == str(store)


def test_it_starts_beside_a_model_of_the_users_own(
    window: QWidget, store: Path, several: Path
) -> None:
    chooser = chooser_of(window, store, str(several / "tea.Q8_0.gguf"))
    chooser.choose_file(lambda _file: None)
    assert shown(window).directory().absolutePath() == str(several)


def test_a_folder_is_taken_as_it_is(window: QWidget, store: Path, qtbot: QtBot) -> None:
    chosen: list[str] = []
    chooser_of(window, store).choose_folder(chosen.append)
    shown(window).fileSelected.emit(str(store / "starter" / "Small"))
    qtbot.waitUntil(lambda: bool(chosen), timeout=WAIT_MS)
    assert chosen == [str(store / "starter" / "Small")]


@pytest.mark.parametrize("number", [0, 1])
def test_of_several_files_in_a_folder_the_user_chooses_one(
    window: QWidget, store: Path, several: Path, qtbot: QtBot, number: int
) -> None:
    chosen: list[str] = []
    chooser_of(window, store).choose_folder(chosen.append)
    shown(window).fileSelected.emit(str(several))
    qtbot.waitUntil(lambda: bool(window.findChildren(QInputDialog)), timeout=WAIT_MS)
    [dialog] = window.findChildren(QInputDialog)
    assert dialog.comboBoxItems() == ["tea.Q4_1.gguf", "tea.Q8_0.gguf"]
    assert "<b>Several holds several models" in dialog.labelText()
    assert dialog.textValue() == "tea.Q4_1.gguf"
    names = {view.accessibleName() for view in dialog.findChildren(QListView)}
    assert names == {"Choose a model"}
    dialog.setTextValue(dialog.comboBoxItems()[number])
    dialog.accept()
    assert chosen == [str(several / dialog.comboBoxItems()[number])]


def test_none_of_them_is_an_answer_too(
    window: QWidget, store: Path, several: Path, qtbot: QtBot
) -> None:
    chosen: list[str] = []
    chooser_of(window, store).choose_folder(chosen.append)
    shown(window).fileSelected.emit(str(several))
    qtbot.waitUntil(lambda: bool(window.findChildren(QInputDialog)), timeout=WAIT_MS)
    window.findChildren(QInputDialog)[0].reject()
    assert chosen == []


def test_a_file_can_be_chosen_from_the_menu(
    open_window: OpenWindow, qtbot: QtBot, several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_window(FAST)
    ready(app, qtbot)
    opened: list[str] = []
    load: Callable[[str], None] = opened.append
    monkeypatch.setattr(app.window.desk, "open_load_dialog", load)
    app.window.actions_by_name["load_gguf"].trigger()
    dialog = shown(app.window)
    assert "*.gguf" in dialog.nameFilters()[0]
    dialog.fileSelected.emit(str(several / "tea.Q8_0.gguf"))
    dialog.reject()
    assert opened == [str(several / "tea.Q8_0.gguf")]
