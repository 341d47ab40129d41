"""Work in a process of its own: it is ours that runs, wherever the program was started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop.models.helper_process import HelperProcess

WAIT_MS = 20_000


def test_a_folder_of_the_users_does_not_stand_in_for_ours(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("print('not ours')")
    monkeypatch.chdir(tmp_path)
    process = HelperProcess((sys.executable, "-c", "import os; print(os.getcwd())"))
    finished = QSignalSpy(process.finished)
    process.start()
    qtbot.waitUntil(lambda: finished.count() == 1, timeout=WAIT_MS)
    assert finished.at(0) == [""]
    assert Path(process.last_line) == Path(__file__).resolve().parents[2]
    process = HelperProcess((sys.executable, "-m", "engine.store.convert", "--help"))
    finished = QSignalSpy(process.finished)
    process.start()
    qtbot.waitUntil(lambda: finished.count() == 1, timeout=WAIT_MS)
    assert finished.at(0) == [""]
    assert process.last_line != "not ours"
