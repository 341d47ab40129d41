"""The library's process, for real: killed at random moments, left alone, told to stop."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from engine.store.library import bin as model_bin
from engine.store.library import moving, wire
from engine.store.library.bin_notes import BIN
from engine.store.library.records import Progress
from engine.store.library.scan import scan
from engine.store.library.store_place import STORE_MARK
from engine.store.library.verify import verify
from tests.helpers import processes
from tests.helpers.shelf_models import seal, tree, write_model
from tests.helpers.tiny_models import write_safetensors

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 6  # of kills, for each kind of work
LONGEST = 0.4  # s from the first event to the kill
SEED = int(os.environ.get("INGLENOOK_KILL_SEED", "0")) or random.SystemRandom().randrange(10**6)
WEIGHTS = 3 << 20  # numbers, of four bytes


class Worker:
    """`python -m engine.store.library` with a job."""

    def __init__(self, job: wire.Job) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.store.library"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(wire.to_line(job))
        self.process.stdin.flush()

    def events(self) -> Iterator[wire.AnyEvent]:
        """What it tells, until it ends or is killed in the middle of a line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith(b"\n"):
                yield wire.read_event(line)

    def result(self) -> wire.AnyEvent:
        """The last event."""
        *_, last = self.events()
        self.process.wait(30)
        return last

    def say(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        self.process.kill()
        self.process.wait(30)


@contextmanager
def working(job: wire.Job) -> Iterator[Worker]:
    worker = Worker(job)
    try:
        yield worker
    finally:
        worker.close()


def write_large(folder: Path, shards: int = 4) -> Path:
    """A model whose weights take a moment to copy."""
    write_model(folder)
    (folder / "model.safetensors").unlink()
    chance = np.random.default_rng(1)
    for number in range(shards):
        name = f"model-{number + 1:05}-of-{shards:05}.safetensors"
        weights = {
            f"model.layers.{layer}.{number}": chance.standard_normal(WEIGHTS // 2, np.float32)
            for layer in range(2)
        }
        write_safetensors(folder / name, weights, "float32")
    return folder


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_large(tmp_path_factory.mktemp("source") / "Large")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "models"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on another file system."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second disk")
    folder = Path(tempfile.mkdtemp(prefix="inglenook-test-", dir=shared))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def kill_at_random(job: wire.Job, chance: random.Random) -> wire.AnyEvent | None:
    """Run `job` and kill it at some moment after its first event; the result if it was faster."""
    with working(job) as worker:
        last: wire.AnyEvent | None = None
        killing = threading.Timer(chance.uniform(0, LONGEST), worker.process.kill)
        for event in worker.events():
            last = event
            if killing.ident is None:
                killing.start()
        killing.cancel()
        killing.join()
        return last if isinstance(last, wire.Done) else None


def test_an_import_survives_kills(source: Path, models: Path) -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    job = wire.ImportJob(models=str(models), source=str(source), name="Large")
    for _ in range(ROUNDS):
        done = kill_at_random(job, chance)
        found = scan(models, None)
        assert [model.is_whole for model in found] == ([True] if done else [])
        if done:
            model_bin.empty(models, [model_bin.delete(found[0], models).entry])
    with working(job) as worker:
        done = worker.result()
    assert isinstance(done, wire.Done), done
    (model,) = scan(models, None)
    assert done.path == model.path
    assert verify(model).checked == 7
    assert [path.name for path in (models / "imported").iterdir()] == ["Large"]


def test_a_move_survives_kills(source: Path, models: Path, other_disk: Path) -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    shutil.copytree(source, models / "hub" / "owner--Large")
    seal(models / "hub" / "owner--Large", repo="owner/Large")
    before = {name: value for name, value in tree(models).items() if value}
    target = other_disk / "models"
    for number in range(ROUNDS):
        leaves = number % 2 == 0
        job = wire.MoveJob(models=str(models), to=str(target) if leaves else "")
        done = kill_at_random(job, chance)
        moving.repair(models)
        (model,) = scan(models, None)
        assert model.is_whole
        if not done and models.is_symlink() != leaves:  # it goes on where it was
            with working(job) as worker:
                done = worker.result()
            assert isinstance(done, wire.Done), done
        after = {name: value for name, value in tree(models).items() if value}
        after.pop(STORE_MARK, None)
        assert after == before
        assert models.is_symlink() == leaves
    assert [path.name for path in models.parent.iterdir()] == ["models"]
    assert not target.exists()
    assert verify(scan(models, None)[0]).damaged == ()


def test_emptying_survives_kills(source: Path, models: Path) -> None:
    chance = random.Random(SEED)
    for number in range(4):
        folder = models / "hub" / f"owner--Large-{number}"
        shutil.copytree(source, folder)
        seal(folder, repo=f"owner/Large-{number}")
    for model in scan(models, None):
        model_bin.delete(model, models)
    job = wire.EmptyBinJob(models=str(models))
    for _ in range(3):
        kill_at_random(job, chance)
    with working(job) as worker:
        assert isinstance(worker.result(), wire.Done)
    assert list((models / BIN).iterdir()) == []
    assert scan(models, None) == ()


def test_verified_in_a_process(source: Path, models: Path) -> None:
    folder = models / "hub" / "owner--Large"
    shutil.copytree(source, folder)
    seal(folder, repo="owner/Large")
    (model,) = scan(models, None)
    with working(wire.VerifyJob(models=str(models), model=model)) as worker:
        events = list(worker.events())
        worker.process.wait(30)
    assert worker.process.returncode == 0
    assert isinstance(events[0], Progress)
    assert isinstance(events[-1], wire.Done)
    assert events[-1].checked == 7


@pytest.mark.parametrize("how", ["command", "signal", "end"])
def test_told_to_stop_it_leaves_nothing(source: Path, models: Path, how: str) -> None:
    job = wire.ImportJob(models=str(models), source=str(source))
    with working(job) as worker:
        events = worker.events()
        first = next(events)
        assert isinstance(first, Progress)
        if how == "command":
            worker.say(wire.to_line(wire.Cancel()))
        elif how == "signal":
            worker.process.terminate()
        else:
            assert worker.process.stdin is not None
            worker.process.stdin.close()
        last = [first, *events][-1]
        assert worker.process.wait(30) == 130
    assert last == wire.Failed(code="cancelled", text="It was stopped.")
    assert list((models / "imported").iterdir()) == []


def test_it_dies_with_its_parent(source: Path, models: Path) -> None:
    """The parent is killed, and another process still holds the pipe to its child open."""
    script = """\
import subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "engine.store.library"], stdin=0,
                         stdout=subprocess.PIPE)
print(child.pid, flush=True)
child.stdout.readline()
print("at work", flush=True)
child.wait()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdin.write(wire.to_line(wire.ImportJob(models=str(models), source=str(source))))
        parent.stdin.flush()
        child = int(parent.stdout.readline())
        assert parent.stdout.readline() == b"at work\n"
        parent.kill()
        assert processes.ended(child, 30)
    assert scan(models, None) == ()


def test_a_line_that_is_no_job(models: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine.store.library"],
        cwd=ROOT,
        input=b'{"job": "format", "models": "/"}\n',
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    failed = wire.read_event(done.stdout)
    assert isinstance(failed, wire.Failed)
    assert failed.code == "no_job"


def test_a_failure_is_told_in_words(models: Path) -> None:
    with working(wire.ImportJob(models=str(models), source="/nonexistent")) as worker:
        assert worker.result() == wire.Failed(
            code="no_model", text="There is nothing at /nonexistent."
        )
        assert worker.process.returncode == 1
