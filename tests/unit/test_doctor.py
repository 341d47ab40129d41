"""`doctor`: each check by itself, on machines of every kind; nothing ends the others."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop import paths
from desktop.hardware.readings import Driver, DriverState, GpuReading, HardwareReading, HostReading
from desktop.terminal import doctor
from desktop.terminal.doctoring import files, machine, programs
from desktop.terminal.doctoring.findings import Check, Finding, State, carried_out, run
from engine.store import starter as starter_module

ROOT = Path(__file__).resolve().parents[2]
INTEL = "processor\t: 0\nmodel name\t: Some   CPU\nflags\t\t: fpu sse2 {}\n"
FINE = Finding("A", State.OK, "It is so.")
POOR = Finding("B", State.WARNING, "It is not quite so.", "Do this.")
BAD = Finding("C", State.PROBLEM, "It is not so.", "Do that.")


def states(findings: Sequence[Finding]) -> list[State]:
    return [each.state for each in findings]


# --- isolation, pages, exit codes ---


def raising() -> Finding:
    raise ImportError("No module named 'msgspec'")


def test_a_check_that_fails_is_a_finding_and_the_others_go_on() -> None:
    checks: list[tuple[str, Check]] = [("Broken", raising), ("A", lambda: FINE)]
    found = list(doctor.look(checks=checks))
    assert states(found) == [State.PROBLEM, State.OK, State.SKIPPED]
    assert "msgspec" in found[0].text
    assert found[0].advice


def answers(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    monkeypatch.setattr(doctor, "look", lambda **_: iter(findings))


@pytest.mark.parametrize(
    ("findings", "code", "last"),
    [
        ((FINE,), 0, "All is well."),
        ((FINE, POOR), 0, "It works; the warnings say what could be better."),
        ((POOR, BAD), 1, "1 problem found."),
        ((BAD, BAD), 1, "2 problems found."),
    ],
)
def test_the_exit_code_and_the_last_line_tell(
    findings: tuple[Finding, ...],
    code: int,
    last: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers(monkeypatch, *findings)
    assert doctor.main([]) == code
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == last
    assert "\x1b" not in out  # it is piped
    for each in findings:
        assert each.text in out
        assert not each.advice or f"→ {each.advice}" in out


def test_json_is_one_object_or_a_line_for_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, FINE, BAD)
    assert doctor.main(["--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["findings"][1] == {
        "name": "C",
        "state": "problem",
        "text": "It is not so.",
        "advice": "Do that.",
    }
    doctor.main(["--json", "--stream"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("name") for line in lines] == ["A", "C", None]


def test_names_of_files_do_not_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch, Finding("A", State.OK, "A folder \x1b[2J\x07 of yours."))
    doctor.main([])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out


def test_it_runs_where_libraries_are_missing(tmp_path: Path) -> None:
    """Each of them hidden: the program still tells what is wrong, and ends with 1."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    for name in ("msgspec", "PySide6", "torch", "vllm", "psutil", "pynvml", "sqlite_utils"):
        (hidden / f"{name}.py").write_text("raise ImportError('it is damaged')\n")
    environ = {**os.environ, "PYTHONPATH": str(hidden), "INGLENOOK_HOME": str(tmp_path / "home")}
    environ["QT_QPA_PLATFORM"] = "offscreen"
    ran = subprocess.run(
        [sys.executable, "-m", "desktop", "doctor", "--json"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    found = {each["name"]: each for each in json.loads(ran.stdout)["findings"]}
    assert found["Python"]["state"] == "ok"
    assert found["Window"]["state"] == "problem"
    assert "damaged" in found["Engine libraries"]["text"]
    assert found["Starter model"]["state"] == "problem"


# --- the machine ---


@pytest.mark.parametrize(
    ("flags", "state", "word"),
    [
        ("avx2 avx512f amx_bf16", State.OK, "AVX-512"),
        ("avx2", State.OK, "Inglenook's INT4 kernel (AVX2)"),
        ("avx", State.PROBLEM, "without AVX2"),
    ],
)
def test_the_processor_decides_the_kernel(
    flags: str, state: State, word: str, tmp_path: Path
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(INTEL.format(flags))
    found = machine.processor(cpuinfo, "x86_64")
    assert found.state is state
    assert word in found.text
    assert "Some CPU" in found.text
    assert machine.processor(cpuinfo, "aarch64").state is State.WARNING


def test_little_memory_is_a_warning(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    for free, state in ((8, State.OK), (1, State.WARNING)):
        meminfo.write_text(f"MemTotal: {16 << 20} kB\nMemAvailable: {free << 20} kB\n")
        assert machine.memory(meminfo).state is state


def test_shared_memory_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert machine.shared_memory(tmp_path / "none").state is State.PROBLEM
    assert machine.shared_memory(tmp_path).state in (State.OK, State.WARNING)


def reading(kind: Driver, *gpus: GpuReading, text: str = "") -> HardwareReading:
    state = DriverState(kind, text, "580.1" if kind is Driver.OK else "", (13, 0))
    return HardwareReading(state, tuple(gpus), HostReading())


GPU = GpuReading(
    0, name="NVIDIA RTX", capability=(8, 6), memory_total=24 << 30, memory_used=1 << 30
)


@pytest.mark.parametrize(
    ("cuda_build", "given", "expected"),
    [
        (False, reading(Driver.ABSENT), {"NVIDIA driver": State.OK, "Engine build": State.OK}),
        (
            True,
            reading(Driver.ABSENT, text="There is no driver."),
            {"NVIDIA driver": State.PROBLEM, "Engine build": State.PROBLEM},
        ),
        (
            True,
            reading(Driver.OK, GPU),
            {"NVIDIA driver": State.OK, "GPU 0": State.OK, "Engine build": State.OK},
        ),
        (
            False,
            reading(Driver.OK, GPU),
            {"NVIDIA driver": State.OK, "GPU 0": State.OK, "Engine build": State.WARNING},
        ),
        (
            True,
            reading(Driver.TOO_OLD, text="It is too old."),
            {"NVIDIA driver": State.PROBLEM, "Engine build": State.PROBLEM},
        ),
        (
            False,
            reading(Driver.MISMATCH, text="Restart."),
            {"NVIDIA driver": State.WARNING, "Engine build": State.OK},
        ),
    ],
)
def test_driver_and_build_belong_together(
    cuda_build: bool,
    given: HardwareReading,
    expected: dict[str, State],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "_is_cpu_build", lambda: not cuda_build)
    found = {each.name: each for each in machine.driver(given)}
    assert {name: each.state for name, each in found.items()} == expected
    for each in found.values():
        assert each.advice or each.state in (State.OK, State.NOTE, State.WARNING)


@pytest.mark.parametrize(
    ("capability", "word"),
    [((7, 0), "too old"), ((7, 5), "float16 only"), ((8, 9), "Marlin"), ((9, 0), "Machete")],
)
def test_a_gpus_age_decides_the_kernel(capability: tuple[int, int], word: str) -> None:
    found = machine._gpu(GpuReading(0, name="NVIDIA", capability=capability))
    assert word in found.text


# --- the disk ---


def test_folders_that_others_can_read_are_named_with_their_cure() -> None:
    found = paths.find()
    found.prepare()
    assert set(states(files.folders())) == {State.OK}
    found.data.chmod(0o755)
    found.store.write_bytes(b"")
    found.store.chmod(0o644)
    named = {each.name: each for each in files.folders()}
    assert named["Folder (data)"].state is State.WARNING
    assert named["Folder (data)"].advice.startswith("chmod 700 ")
    assert named["Chats (access)"].state is State.WARNING
    found.config.rmdir()
    found.config.write_text("")
    assert {each.name: each for each in files.folders()}["Folder (config)"].state is State.PROBLEM


def make_store() -> Path:
    place = paths.find().store
    paths.make_private(place.parent)
    with sqlite3.connect(place) as db:
        db.executescript(
            "CREATE TABLE chats (id); CREATE TABLE messages (id, text);"
            "CREATE INDEX by_text ON messages (text);"
        )
        db.executemany("INSERT INTO messages VALUES (?, ?)", [(n, "x" * 99) for n in range(999)])
    db.close()
    return place


def test_the_chats_are_looked_at_and_not_touched() -> None:
    assert files.database().state is State.OK  # none yet
    place = make_store()
    before = place.read_bytes()
    found = files.database()
    assert found.state is State.OK
    assert "999 messages" in found.text
    assert place.read_bytes() == before
    assert [each.name for each in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize("damage", [b"no database at all" * 200, b""])
def test_damaged_chats_are_a_problem(damage: bytes) -> None:
    place = make_store()
    if damage:
        place.write_bytes(damage)
    else:
        data = bytearray(place.read_bytes())
        data[8192:12288] = bytes(4096)
        place.write_bytes(bytes(data))
    found = files.database()
    assert found.state is State.PROBLEM
    assert found.advice


def test_the_starter_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert files.starter().state is State.PROBLEM  # this home has none
    (tmp_path / "home/data/models/starter/SmolLM2-135M-Instruct").mkdir(parents=True)
    monkeypatch.setattr(starter_module, "verify", lambda _folder: "")
    assert files.starter().state is State.OK
    monkeypatch.setattr(starter_module, "verify", lambda _folder: "config.json is changed")
    found = files.starter()
    assert (found.state, found.text) == (State.PROBLEM, "config.json is changed")


def test_a_full_disk_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, state in ((1 << 20, State.PROBLEM), (5 << 30, State.NOTE), (50 << 30, State.OK)):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr("shutil.disk_usage", lambda _place, usage=usage: usage)
        assert files.disk()[0].state is state


# --- programs ---


def test_gguf_files_are_loaded_or_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    from engine import environment

    found = {}
    for cpu, version in ((True, ""), (False, ""), (False, "0.0.5")):

        def installed(_name: str, version: str = version) -> str:
            if not version:
                raise metadata.PackageNotFoundError
            return version

        monkeypatch.setattr(environment, "is_cpu_build", lambda _prefix, cpu=cpu: cpu)
        monkeypatch.setattr(metadata, "version", installed)
        found[cpu, version] = programs.gguf_files()
    assert states([*found.values()]) == [State.OK, State.WARNING, State.OK]
    assert found[False, ""].advice
    assert "0.0.5" in found[False, "0.0.5"].text
    assert "qwen3" in found[False, "0.0.5"].text


def test_a_program_that_does_not_end_is_ended() -> None:
    ran = run([sys.executable, "-c", "import time; print('on', flush=True); time.sleep(99)"], 0.5)
    assert ran.code is None


def test_no_display_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert programs.display().state is State.NOTE
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert programs.display().state is State.OK


def test_carried_out_takes_one_finding_or_many() -> None:
    assert carried_out("A", lambda: FINE) == (FINE,)
    assert carried_out("A", lambda: [FINE, BAD]) == (FINE, BAD)
