"""“Check this machine” in the window: findings as they come, copied, and ended with the dialog."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from desktop.models.machine_check import MachineCheck
from desktop.terminal.doctoring.findings import Finding, State
from desktop.views.window.machine_dialog import MachineDialog
from tests.helpers import processes

ONE = '{"name": "Disk", "state": "problem", "text": "It is <b>full</b>.", "advice": "Make room."}'
TWO = '{"name": "Python", "state": "ok", "text": "Python 3.11.", "advice": ""}'
END = '{"version": "1", "ok": false, "findings": []}'


def check(*lines: str, then: str = "") -> MachineCheck:
    program = f"for line in {list(lines)!r}: print(line, flush=True)\n{then}"
    return MachineCheck(command=(sys.executable, "-c", program))


def test_findings_are_shown_and_copied(qtbot: QtBot) -> None:
    dialog = MachineDialog(None, check("a library's chatter", ONE, TWO, END))
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.lead() == "One problem was found.", timeout=20_000)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "It is <b>full</b>.\n→ Make room." in texts  # no markup
    assert not dialog.findChildren(QProgressBar)[0].isVisible()
    copy = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Copy all")
    copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == [
        "problem  Disk: It is <b>full</b>.",
        "         → Make room.",
        "ok       Python: Python 3.11.",
    ]


@pytest.mark.usefixtures("german")
def test_a_german_window_shows_german_findings(qtbot: QtBot) -> None:
    told = Finding(
        "Disk (models, chats)",
        State.PROBLEM,
        "0.5 GiB are free at /home.",
        "Make room: chats may not be saved any more.",
    )
    command = Finding("Folder (data)", State.WARNING, "/a is yours alone.", "chmod 700 /a")
    lines = [json.dumps(dataclasses.asdict(each)) for each in (told, command)]
    dialog = MachineDialog(None, check(*lines, END))
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.lead() == "Ein Problem gefunden.", timeout=20_000)
    advice = "Schaffen Sie Platz: Chats lassen sich vielleicht nicht mehr speichern."
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Platte (Modelle, Chats)" in texts
    assert f"In /home sind 0,5 GiB frei.\n→ {advice}" in texts
    assert dialog.text().splitlines() == [
        "Problem  Platte (Modelle, Chats): In /home sind 0,5 GiB frei.",
        f"         → {advice}",
        "Warnung  Ordner (Daten): /a gehört Ihnen allein.",
        "         → chmod 700 /a",
    ]


@pytest.mark.parametrize(
    ("lines", "lead"),
    [
        ((TWO, END), "All is well."),
        (
            (TWO.replace('"ok"', '"warning"'), END),
            "It works; the warnings say what could be better.",
        ),
        ((ONE, ONE, END), "2 problems were found."),
        ((ONE,), "The check ended before all was looked at."),
    ],
)
def test_the_end_is_told(lines: tuple[str, ...], lead: str, qtbot: QtBot) -> None:
    dialog = MachineDialog(None, check(*lines))
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.lead() == lead, timeout=20_000)


def test_a_program_that_cannot_be_started_is_told(qtbot: QtBot) -> None:
    dialog = MachineDialog(None, MachineCheck(command=("/nowhere/at/all",)))
    qtbot.addWidget(dialog)
    lead = "The check ended before all was looked at."
    qtbot.waitUntil(lambda: dialog.lead() == lead, timeout=20_000)


def test_closing_ends_the_check(qtbot: QtBot) -> None:
    made = check(ONE, then="import time; time.sleep(60)")
    dialog = MachineDialog(None, made)
    qtbot.addWidget(dialog)
    dialog.open()
    with qtbot.waitSignal(made.found, timeout=20_000):
        pass
    dialog.reject()
    assert not made.is_running


def test_what_a_check_has_started_ends_with_it(qtbot: QtBot, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    sleeper = f"import os, time; open({str(told)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    program = (
        "import sys\n"
        "from desktop.terminal import doctor\n"
        "from desktop.terminal.doctoring.findings import run\n"
        f"check = lambda: run([sys.executable, '-c', {sleeper!r}], 60)\n"
        "doctor.look.__kwdefaults__['checks'] = (('Slow', check),)\n"
        "sys.exit(doctor.main(['--json', '--stream']))\n"
    )
    made = MachineCheck(command=(sys.executable, "-c", program))
    made.start()
    qtbot.waitUntil(lambda: told.exists() and bool(told.read_text()), timeout=20_000)
    pid = int(told.read_text())
    assert processes.members(pid) == [pid]  # of a session of its own
    made.stop()
    assert not made.is_running
    assert processes.wait_until_none(lambda: processes.members(pid)) == []
    made.deleteLater()
