"""kill -9 at random moments, of a download and of the window that wants it: it always goes on."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.download.partials import partials
from tests.helpers import processes
from tests.helpers.hub_downloads import (
    Done,
    Job,
    Progress,
    Started,
    download_process,
    hashes,
    installed,
)
from tests.helpers.loopback_hub import ROOT, LoopbackHub, loopback_hub
from tests.helpers.tiny_models import make_tiny_model

REPO = "me/model"
PLACE = "hub/me--model"
KILLS, WINDOW_KILLS = 14, 6  # a window takes longer to start
RATE = 2 << 20  # bytes/s: it is not there before the last kill, however slow the machine
# What a connection has read and not yet written: its buffer, for each of four.
UNWRITTEN = 4 * (256 << 10)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """16 MB in several files."""
    return make_tiny_model(tmp_path / "model", hidden=128)


@pytest.fixture
def hub(model: Path) -> Iterator[LoopbackHub]:
    """A hub that has it."""
    with loopback_hub() as hub:
        hub.add(REPO, model)
        yield hub


@pytest.fixture
def chance() -> random.Random:
    """The moments; the seed is shown where a test fails."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    return random.Random(seed)


def test_a_download_that_is_killed_again_and_again(
    hub: LoopbackHub, model: Path, tmp_path: Path, chance: random.Random
) -> None:
    models = tmp_path / "models"
    environment = hub.environment(tmp_path / "hf")
    job = Job(repo=REPO, store=str(models), limit=RATE)
    least = 0
    for _ in range(KILLS):
        with download_process(job, environment) as download:
            if chance.random() < 0.7:  # else while it starts
                started = download.until(Started)
                assert isinstance(started, Started)
                assert started.have >= least
            processes.ended(download.pid, chance.uniform(0, 0.5))
            os.kill(download.pid, signal.SIGKILL)
            with contextlib.suppress(AssertionError):  # it ended without a word
                download.end()
        told = [event.done for event in download.events.of(Progress)]
        least = max([least, *(done - UNWRITTEN for done in told)])
        assert not (models / PLACE).exists()
        assert installed(models) == []
    kept = partials(models)[0].have
    assert kept >= least > 0
    with download_process(Job(repo=REPO, store=str(models)), environment) as download:
        done = download.end()
    assert isinstance(done, Done)
    total = sum(path.stat().st_size for path in model.iterdir())
    assert (done.bytes_fetched, done.bytes_reused) == (total - kept, kept)
    assert hashes(models / PLACE) == hashes(model)
    assert installed(models) == [REPO]
    assert not list((models / "hub").glob(".*"))


def test_a_window_that_is_killed_again_and_again(
    hub: LoopbackHub, model: Path, tmp_path: Path, chance: random.Random
) -> None:
    home = tmp_path / "window"
    models = home / "data" / "models"

    @contextlib.contextmanager
    def started(limit: int) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.hub_victim", REPO],
            cwd=ROOT,
            env=hub.environment(tmp_path / "hf", INGLENOOK_HOME=str(home), VICTIM_LIMIT=str(limit)),
            stdout=subprocess.PIPE,
            text=True,
        ) as window:
            try:
                yield window
            finally:
                window.kill()  # a test that fails does not wait for it

    least = 0
    for _ in range(WINDOW_KILLS):
        with started(RATE) as window:
            assert window.stdout
            first = window.stdout.readline()
            assert first.startswith("percent"), first
            processes.ended(window.pid, chance.uniform(0, 0.5))
            window.kill()
        # What it started ends with it: nobody fetches behind the user's back.
        assert processes.wait_until_none(lambda: processes.alive_in(home)) == []
        assert not (models / PLACE).exists()
        (partial,) = partials(models)
        assert partial.have >= least
        least = partial.have
    with started(0) as window:
        assert window.stdout
        told = window.stdout.read().splitlines()
    assert told[-1] == f"done {models / PLACE}"
    assert not [line for line in told if line.startswith("failed")]
    assert hashes(models / PLACE) == hashes(model)
    assert installed(models) == [REPO]
