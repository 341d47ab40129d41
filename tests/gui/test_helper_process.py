"""Work in a process of its own: it is ours that runs, wherever the program was started."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop.models.gguf_conversion import GgufConversion
from desktop.models.helper_process import HelperProcess
from tests.helpers import processes

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


def run(qtbot: QtBot, process: HelperProcess) -> tuple[QSignalSpy, str]:
    """What it told of its progress, and how it ended."""
    progress, finished = QSignalSpy(process.progress), QSignalSpy(process.finished)
    process.start()
    qtbot.waitUntil(lambda: finished.count() == 1, timeout=WAIT_MS)
    return progress, finished.at(0)[0]


PIECES = """
import sys
for piece in ('one li', 'ne\\ntw', 'o\\n10 %\\r20', ' %\\n', 'the end without one'):
    sys.stdout.write(piece); sys.stdout.flush(); sys.stdin.readline()
"""


def test_a_line_that_comes_in_pieces_is_one_line(qtbot: QtBot) -> None:
    process = HelperProcess((sys.executable, "-c", PIECES))
    process.progress.connect(lambda _line: process._process.tell(b""))
    progress, error = run(qtbot, process)
    assert error == ""
    assert process.lines == ["one line", "two", "20 %", "the end without one"]
    told = [progress.at(index)[0] for index in range(progress.count())]
    assert told[0] == "one li"  # the set-up says what it does before it is done


def test_half_an_object_is_no_progress(qtbot: QtBot, tmp_path: Path) -> None:
    """What ends a conversion may come in two reads; the folder in it must not be lost."""
    process = GgufConversion(str(tmp_path / "x.gguf"))
    progress = QSignalSpy(process.progress)
    text = json.dumps({"type": "done", "folder": "/models/made"}).encode() + b"\n"
    for piece in (text[:9], text[9:]):
        process._process._take_in(piece)
    assert process.folder == "/models/made"
    assert progress.count() == 1


PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])
print(child.pid, flush=True)
child.wait()
"""


def test_what_it_has_started_ends_with_it(qtbot: QtBot) -> None:
    """The installer of a set-up that is cancelled does not go on behind it."""
    process = HelperProcess((sys.executable, "-c", PARENT))
    with qtbot.waitSignal(process.progress, timeout=WAIT_MS) as told:
        process.start()
    child = int(told.args[0])
    assert not processes.ended(child, 0)
    process.cancel()
    assert processes.ended(child, 10)


LEAVER = """
import subprocess, sys
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(child.pid, flush=True)
"""


def test_what_it_leaves_behind_ends_too(qtbot: QtBot) -> None:
    process = HelperProcess((sys.executable, "-c", LEAVER))
    _, error = run(qtbot, process)
    assert error == ""
    assert processes.ended(int(process.last_line), 10)


def test_one_that_cannot_be_started_says_why(qtbot: QtBot) -> None:
    process = HelperProcess(("/nowhere/at/all",))
    _, error = run(qtbot, process)
    assert "No such file" in error or "execvp" in error
    assert not process.is_running
