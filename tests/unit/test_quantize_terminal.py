"""`quantize` on the terminal, with a process that plays its part: output, exit codes, cancel."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from desktop import paths
from desktop.terminal import live_line, quantize, quantize_screen
from engine.quantize.folders import partial_of
from engine.quantize.wire import Finished, Job, Planned, Progress, Refused, Report, Step

REPORT = Report(
    group_size=64,
    tokens=4329,
    original=20.27,
    awq=22.79,
    rounding=25.91,
    awq_agreement=0.809,
    rounding_agreement=0.7,
    original_bytes=269_000_000,
    awq_bytes=114_000_000,
    seconds=560.0,
)
PLANNED = Planned(
    group_size=64,
    layers=30,
    samples=34,
    tokens=6364,
    device="cpu",
    disk=120_000_000,
    memory=2_000_000_000,
    seconds=560.0,
)
MIDDLE = Progress(step=Step.LAYERS, done=11, total=30, share=0.41, elapsed=200.0, left=290.0)
PLAYER = """\
import json, os, sys, time
os.setsid()
sys.stdin.read()
for line in json.loads(sys.argv[1]):
    print(line, flush=True)
if sys.argv[2]:
    time.sleep(60)
"""


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(model="/a/model", target=str(tmp_path / "made"))


def play(monkeypatch: pytest.MonkeyPatch, *events: msgspec.Struct, waits: bool = False) -> None:
    lines = json.dumps([msgspec.json.encode(event).decode() for event in events])
    command = (sys.executable, "-c", PLAYER, lines, "waits" if waits else "")
    monkeypatch.setattr(quantize, "COMMAND", command)


def run(job: Job, *, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = quantize._run(job, quantize_screen.Screen(as_json=as_json, out=out, err=err))
    return code, out.getvalue(), err.getvalue()


def test_a_model_that_was_made(monkeypatch: pytest.MonkeyPatch, job: Job) -> None:
    play(monkeypatch, PLANNED, MIDDLE, Finished(folder="/made/it", report=REPORT))
    code, out, err = run(job)
    assert code == quantize.ExitCode.MADE
    assert "Group size 64, 30 layers, 34 samples with 6,364 tokens, on CPU" in err
    assert "about 9 min, 114 MiB of disk and 1.9 GiB of memory" in err
    assert "Quantising" in err
    for figure in ("20.27", "22.79", "25.91", "80.9%", "70.0%", "58% less", "/made/it"):
        assert figure in out


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (Refused(code="kind", text="No recipe.", details=("one", "two")), 1),
        (Refused(code="worse_than_rounding", text="No better.", report=REPORT), 3),
    ],
)
def test_refusals(monkeypatch: pytest.MonkeyPatch, job: Job, refused: Refused, code: int) -> None:
    play(monkeypatch, refused)
    found, out, err = run(job)
    assert found == code
    assert f"inglenook: {refused.text}" in err
    for detail in refused.details:
        assert f"\n  {detail}" in err
    assert ("25.91" in out) == (refused.report is not None)


def test_json_is_the_events_as_they_come(monkeypatch: pytest.MonkeyPatch, job: Job) -> None:
    play(monkeypatch, PLANNED, MIDDLE, Finished(folder="/made/it", report=REPORT))
    code, out, err = run(job, as_json=True)
    assert code == 0
    assert [json.loads(line)["event"] for line in out.splitlines()] == [
        "planned",
        "progress",
        "finished",
    ]
    assert err == ""


def test_a_silent_end_is_told(monkeypatch: pytest.MonkeyPatch, job: Job) -> None:
    play(monkeypatch, PLANNED)
    before = os.umask(0)
    try:
        code, out, _err = run(job, as_json=True)
    finally:
        os.umask(before)
    assert code == 1
    assert json.loads(out.splitlines()[-1])["code"] == "died"
    log = paths.find().logs / "quantize.log"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_nobody_reads_it_any_more(tmp_path: Path, home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "desktop", "quantize", "--json", str(tmp_path / "none")],
        cwd=Path(__file__).resolve().parents[2],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert ended.returncode == quantize.ExitCode.FAILED
    assert "Traceback" not in ended.stderr


def test_ctrl_c_ends_the_process_and_removes_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch, job: Job
) -> None:
    play(monkeypatch, PLANNED, MIDDLE, waits=True)
    left = partial_of(Path(job.target))
    left.mkdir()
    (left / "model.safetensors").touch()

    class Interrupted(quantize_screen.Screen):
        def show(self, event: object, line: bytes) -> None:
            raise KeyboardInterrupt

    err = io.StringIO()
    monkeypatch.setattr(quantize, "Screen", lambda as_json: Interrupted(as_json=as_json, err=err))
    assert quantize.main([job.model, job.target]) == 130
    assert not left.exists()
    assert err.getvalue() == "inglenook: Stopped. Nothing is left behind.\n"


def test_what_cannot_be_removed_is_named(
    monkeypatch: pytest.MonkeyPatch, job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_job: Job, _screen: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(quantize, "_run", interrupted)
    partial = partial_of(Path(job.target))
    partial.mkdir()
    assert quantize.main([job.model, job.target]) == 130
    assert f"could not be removed: {partial}" in capsys.readouterr().err


def test_without_a_terminal_there_is_a_line_every_half_minute() -> None:
    now = [100.0]
    err = io.StringIO()
    screen = quantize_screen.Screen(as_json=False, out=io.StringIO(), err=err, now=lambda: now[0])

    def lines() -> list[str]:
        said = err.getvalue().splitlines()
        err.seek(0)
        err.truncate()
        return said

    for _ in range(6):  # nothing has come yet
        now[0] += live_line.TICK
        screen.tick()
    assert lines() == ["Starting · 25 s so far"]
    screen.show(MIDDLE, b"")
    assert lines() == ["Quantising, layer 12 of 30 · 41% · 5 min left · 30 s so far"]
    screen.show(MIDDLE, b"")
    assert lines() == [], "the same step, at once"
    times = []
    for _ in range(40):
        now[0] += live_line.TICK
        screen.tick()
        if said := lines():
            times.append(now[0])
            last = said
    assert max(b - a for a, b in zip([130.0, *times], times, strict=False)) <= 30
    assert last == ["Quantising, layer 12 of 30 · 41% · 90 s left · 4 min so far"]
    now[0] += 30
    screen.show(MIDDLE, b"")
    assert len(lines()) == 1, "events that come often do not hold it up"


@pytest.mark.parametrize("as_json", [True, False])
def test_programs_and_terminals_get_no_such_lines(
    monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    now = [0.0]
    err = io.StringIO()
    monkeypatch.setattr(err, "isatty", lambda: not as_json)
    screen = quantize_screen.Screen(as_json=as_json, out=io.StringIO(), err=err, now=lambda: now[0])
    now[0] = 1000.0
    screen.tick()
    assert err.getvalue() == ""


def test_lines_come_whole_and_silence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantize, "TICK", 0.01)
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream:
        lines = quantize._lines(stream)
        os.write(writing, b"one\ntw")
        assert next(lines) == b"one\n"
        assert next(lines) == b""
        os.write(writing, b"o\nend")
        os.close(writing)
        assert [line for line in lines if line] == [b"two\n", b"end"]


def test_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Job] = []

    def take(job: Job, _screen: object) -> int:
        asked.append(job)
        return 0

    monkeypatch.setattr(quantize, "_run", take)
    monkeypatch.chdir(tmp_path)
    assert quantize.main(["starter"]) == 0
    assert asked[-1].model.endswith("starter/SmolLM2-135M-Instruct")
    assert asked[-1].target.endswith("data/models/quantized/SmolLM2-135M-Instruct-AWQ")
    assert quantize.main(["./m", "out", "--group-size", "64", "--calibration", "t.txt"]) == 0
    assert asked[-1] == Job(
        model=str(tmp_path / "m"),
        target=str(tmp_path / "out"),
        group_size=64,
        calibration=str(tmp_path / "t.txt"),
    )
    with pytest.raises(SystemExit) as ended:
        quantize.main(["m", "--group-size", "7"])
    assert ended.value.code == quantize.ExitCode.USAGE


def test_words() -> None:
    assert quantize_screen.progress_text(MIDDLE) == "Quantising, layer 12 of 30 · 41% · 5 min left"
    assert quantize_screen.progress_text(Progress(step=Step.LOADING)) == "Loading the model · 0%"
    assert set(quantize_screen._STEPS) == set(Step)
    assert os.linesep not in quantize_screen.planned_text(PLANNED)
