"""The folder in which an engine's processes meet while a model loads."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine import load_folder
from engine.load_folder import PATH_BYTES, PREFIX, VARIABLE, LoadFolder, remove_load_folders, sweep


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short XDG_RUNTIME_DIR: sockets lie in it."""
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setattr(load_folder, "PATH_BYTES", 4000)
    return folder


def test_it_is_the_users_alone(runtime: Path) -> None:
    folder = LoadFolder.make(os.environ)
    assert folder.path.parent == runtime
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.remove()
    assert list(runtime.iterdir()) == []


def test_a_path_that_is_too_long_for_sockets_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    folder = LoadFolder.make({"XDG_RUNTIME_DIR": str(deep)})
    assert len(os.fsencode(folder.path)) <= PATH_BYTES
    assert list(deep.iterdir()) == []
    folder.remove()


def test_workers_tell_how_far_they_are_and_why_they_failed(runtime: Path) -> None:
    folder = LoadFolder.make(os.environ)
    assert (folder.read_bytes(), folder.errors()) == (0, "")
    code = (
        "import os; from engine.load_folder import LoadFolder\n"
        "folder = LoadFolder.of_worker(os.environ)\n"
        "folder.note_read(1000); folder.note_read(int(os.environ['READ']))\n"
        "folder.note_error('ValueError: heads')"
    )
    for read in (5000, 7000):
        environment = {**os.environ, VARIABLE: str(folder.path), "READ": str(read)}
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=_ROOT)
    assert folder.read_bytes() == 5000  # the slowest counts
    assert folder.errors() == "ValueError: heads\nValueError: heads"


def test_shared_memory_that_is_named_after_the_meeting_goes_along(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shm"
    shared.mkdir()
    monkeypatch.setattr(load_folder._remove, "__defaults__", (shared,))
    folder = LoadFolder.make(os.environ)
    (folder.path / "vllm_dist_abc").touch()
    dead = 2**22 + 1
    (folder.path / f"read-{dead}").touch()
    (folder.path / "read-x").touch()
    registered = f"__KMP_REGISTERED_LIB_{dead}_{os.getuid()}"
    gone = ("vllm_dist_abc-tp:0-[0-1]-cpushm_0", registered)
    for name in (*gone, "vllm_dist_abcd-tp:0", "vllm_dist_x"):
        (shared / name).touch()
    folder.remove()
    assert {path.name for path in shared.iterdir()} == {"vllm_dist_abcd-tp:0", "vllm_dist_x"}


def test_what_is_no_number_is_passed_over(runtime: Path) -> None:
    folder = LoadFolder.make(os.environ)
    (folder.path / "read-1").write_text("")
    assert folder.read_bytes() == 0
    assert LoadFolder.of_worker({}) is None


def test_notes_are_not_worth_a_failed_load(runtime: Path) -> None:
    folder = LoadFolder.make(os.environ)
    folder.remove()
    folder.note_read(1)
    folder.note_error("x")


def test_only_those_of_dead_processes_are_swept(runtime: Path) -> None:
    alive = runtime / f"{PREFIX}{os.getpid()}-abc"
    dead = runtime / f"{PREFIX}{2**22 + 1}-abc"
    for path in (alive, dead, runtime / f"{PREFIX}x-abc", runtime / "other"):
        path.mkdir()
    sweep(runtime)
    assert {path.name for path in runtime.iterdir()} == {
        alive.name,
        f"{PREFIX}x-abc",
        "other",
    }
    remove_load_folders(os.getpid())
    assert not alive.exists()


_ROOT = Path(__file__).resolve().parents[2]
