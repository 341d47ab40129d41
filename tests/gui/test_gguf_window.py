"""Load pressed on a GGUF file, on the CPU build: asked with the cost said, converted, loaded.

What the file costs is told by the real converter, which reads its header; the conversion itself
is played (`tests/unit/test_gguf_convert.py` has real ones).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.engine_link.engine_state import Phase
from desktop.models.gguf_conversion import GgufConversion
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.test_engine_pool import phase_of
from tests.gui.test_main_window import FAST, ready
from tests.gui.test_model_window import press, question
from tests.helpers.tiny_gguf import gguf_bytes

COST = "0.09 GiB of disk, 1.12 GiB of memory meanwhile and about 1 min."
PROGRESS = {"type": "progress", "stage": "expanding", "fraction": 0.42, "seconds_left": 75.0}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    result = tmp_path / "Llama Q4.gguf"
    result.write_bytes(gguf_bytes())
    return result


@pytest.fixture
def converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the conversion that is played ends."""
    folder = tmp_path / "Llama"
    folder.mkdir()
    lines = [json.dumps(PROGRESS), json.dumps({"type": "done", "folder": str(folder)}), "bye"]
    start = GgufConversion.start

    def play(self: GgufConversion) -> None:
        words = f"print(*{lines!r}, sep=chr(10), flush=True)"
        self._process.command = (sys.executable, "-c", words)
        start(self)

    monkeypatch.setattr(GgufConversion, "start", play)
    return str(folder)


def loaded(app: Inglenook, qtbot: QtBot, folder: str) -> None:
    qtbot.waitUntil(lambda: app.client.view.model == folder, timeout=WAIT_MS)
    ready(app, qtbot)


def test_the_engine_says_what_it_costs_and_the_button_does_it(
    open_window: OpenWindow, qtbot: QtBot, file: Path, converted: str
) -> None:
    app = open_window(f"{FAST} converts=1", model=str(file))
    qtbot.waitUntil(lambda: phase_of(app.client) is Phase.FAILED, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: COST in app.window.banner.text(), timeout=WAIT_MS)
    assert "Llama Q4.gguf has to be converted first" in app.window.banner.text()
    buttons = app.window.banner.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "Convert it to safetensors").click()
    loaded(app, qtbot, converted)


def test_what_is_loaded_stays_until_the_conversion_is_there(
    open_window: OpenWindow, qtbot: QtBot, file: Path, converted: str, tmp_path: Path
) -> None:
    first = tmp_path / "First"
    first.mkdir()
    app = open_window(f"{FAST} converts=1", model=str(first))
    ready(app, qtbot)
    app.window.desk.checks_folders = True
    app.window.desk.load(str(file))
    qtbot.waitUntil(lambda: _asked(app), timeout=WAIT_MS)
    box = question(app)
    assert COST in box.text()
    assert "First stays loaded" in box.informativeText()
    assert phase_of(app.client) is Phase.READY
    app.window.desk.checks_folders = False  # the scripted engine takes any folder
    press(box, "Convert and load")
    loaded(app, qtbot, converted)


def test_a_no_changes_nothing(
    open_window: OpenWindow, qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    first = tmp_path / "First"
    first.mkdir()
    app = open_window(f"{FAST} converts=1", model=str(first))
    ready(app, qtbot)
    app.window.desk.checks_folders = True
    app.window.desk.load(str(tmp_path))  # the folder that has the file, and no other model
    qtbot.waitUntil(lambda: _asked(app), timeout=WAIT_MS)
    question(app).reject()
    assert app.client.view.model == str(first)
    assert phase_of(app.client) is Phase.READY
    assert not app.window.banner.isVisible()
    assert file.exists()


def _asked(app: Inglenook) -> bool:
    from PySide6.QtWidgets import QMessageBox

    return any(box.isVisible() for box in app.window.findChildren(QMessageBox))


def test_progress_is_told_in_the_users_words(qtbot: QtBot) -> None:
    conversion = GgufConversion("/m/x.gguf")
    told = {
        json.dumps(PROGRESS): "Expanding the weights: 42 % in all, about 75 s left",
        json.dumps({"type": "cost", "disk_bytes": 2_700_000_000, "seconds": 250.0}): (
            "It takes 2.5 GiB of disk and about 4 min"
        ),
        json.dumps({"type": "error", "code": "disk", "text": "No room."}): "No room.",
        "Killed": "Killed",
    }
    assert {line: conversion.words_of(line) for line in told} == told
    assert conversion.folder == ""
    conversion.deleteLater()
