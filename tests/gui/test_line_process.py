"""A process that tells lines: each is told once and whole, and nothing of it outlives it."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from desktop.models import line_process
from desktop.models.line_process import NO_START, Errors, LineProcess
from tests.helpers import processes

WAIT_MS = 20_000


def made(script: str, *, errors: Errors | Path = Errors.WORDS) -> LineProcess:
    return LineProcess((sys.executable, "-c", script), errors=errors)


def run(qtbot: QtBot, process: LineProcess, *more: str) -> tuple[list[bytes], int]:
    """What it told, and its exit code."""
    said: list[bytes] = []
    process.said.connect(said.append)
    with qtbot.waitSignal(process.ended, timeout=WAIT_MS) as ended:
        process.start(*more)
    process.said.disconnect(said.append)
    assert not process.is_running
    return said, ended.args[0]


def test_lines_and_what_has_no_end_yet(qtbot: QtBot) -> None:
    process = made("print('one'); print(); print('two', end='')")
    assert run(qtbot, process) == ([b"one"], 0)
    assert process.unfinished == b"two"


def test_it_can_be_started_again_with_other_words(qtbot: QtBot) -> None:
    process = made("import sys; print(sys.argv[1:]); sys.exit(3)")
    assert run(qtbot, process, "a") == ([b"['a']"], 3)
    assert run(qtbot, process) == ([b"[]"], 3)


def test_what_it_is_told_and_the_end_of_it(qtbot: QtBot) -> None:
    process = made("import sys; print(sorted(sys.stdin.read().split()))")
    said: list[bytes] = []
    process.said.connect(said.append)
    with qtbot.waitSignal(process.ended, timeout=WAIT_MS):
        process.start()
        process.tell(b"b")
        process.tell(b"a\n")
        process.close_input()
    assert said == [b"['a', 'b']"]


def test_killed_by_what_a_line_leads_to_it_tells_nothing_more(qtbot: QtBot) -> None:
    process = made("print('one'); print('two', flush=True); import time; time.sleep(60)")
    said: list[bytes] = []
    later: list[str] = []

    def on_line(line: bytes) -> None:
        said.append(line)
        process.kill()

    process.said.connect(on_line)
    process.drained.connect(lambda: later.append("drained") if said else None)
    process.ended.connect(lambda _code: later.append("ended"))
    process.start()
    pid = process.pid
    qtbot.waitUntil(lambda: bool(said), timeout=WAIT_MS)
    assert processes.ended(pid, 10)
    assert said == [b"one"]
    assert (later, process.pid) == ([], 0)


def test_a_signal_that_ended_it_is_a_negative_code(qtbot: QtBot) -> None:
    assert run(qtbot, made("import os; os.kill(os.getpid(), 9)")) == ([], -9)


def test_a_line_without_an_end_ends_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(line_process, "LONGEST_LINE", 1000)
    process = made("while True: print('x' * 5000, end='', flush=True)")
    assert run(qtbot, process) == ([], -9)
    assert "without an end" in caplog.text


def test_stopped_it_has_a_moment_to_clear_up(qtbot: QtBot, tmp_path: Path) -> None:
    mark = tmp_path / "cleared"
    process = made(
        "import signal, sys, time\n"
        "def clear(*_):\n"
        f"    open({str(mark)!r}, 'w').close(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, clear)\n"
        "print('ready', flush=True); time.sleep(60)"
    )
    ended = QSignalSpy(process.ended)
    with qtbot.waitSignal(process.said, timeout=WAIT_MS):
        process.start()
    pid = process.pid
    process.stop(WAIT_MS)
    assert mark.exists()
    assert processes.ended(pid, 0)
    assert ended.count() == 0


def test_one_that_does_not_want_to_stop_is_killed(qtbot: QtBot) -> None:
    process = made(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('ready', flush=True); time.sleep(60)"
    )
    with qtbot.waitSignal(process.said, timeout=WAIT_MS):
        process.start()
    pid = process.pid
    process.stop(50)
    assert processes.ended(pid, 0)


def test_where_its_errors_go(
    qtbot: QtBot, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = "import sys; print('line'); sys.stdout.flush(); print('words', file=sys.stderr)"
    process = made(script)
    assert run(qtbot, process) == ([b"line"], 0)
    assert process.last_words == "words"
    assert run(qtbot, made(script, errors=Errors.LINES)) == ([b"line", b"words"], 0)
    process = made(script, errors=Errors.NOWHERE)
    assert run(qtbot, process) == ([b"line"], 0)
    assert process.last_words == ""
    assert capfd.readouterr().err == ""
    assert run(qtbot, made(script, errors=Errors.OURS)) == ([b"line"], 0)
    assert capfd.readouterr().err == "words\n"
    log = tmp_path / "log"
    log.write_text("of an earlier run, and longer than that")
    assert run(qtbot, made(script, errors=log)) == ([b"line"], 0)
    assert log.read_text() == "words\n"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_log_that_cannot_be_made_is_no_reason_not_to_start(qtbot: QtBot, tmp_path: Path) -> None:
    assert run(qtbot, made("print(1)", errors=tmp_path / "no" / "log")) == ([b"1"], 0)


def test_one_that_cannot_be_started(qtbot: QtBot) -> None:
    process = LineProcess(("/nowhere/at/all",))
    assert run(qtbot, process) == ([], NO_START)
    assert process.last_words


def test_the_patience_with_one_that_never_began_is_over(qtbot: QtBot) -> None:
    """Else it would end the next one."""
    process = LineProcess(("/nowhere/at/all",))
    with qtbot.waitSignal(process.ended, timeout=WAIT_MS):
        process.start()
        process.end()
    assert not process._grace.isActive()


def test_it_leads_a_session_of_its_own(qtbot: QtBot) -> None:
    """Ctrl-C in the terminal is the window's to handle."""
    said, _ = run(qtbot, made("import os; print(os.getsid(0) == os.getpid())"))
    assert said == [b"True"]
