"""Readings come by themselves, without the window ever waiting for the driver."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot

from desktop.hardware.nvml_errors import TEXTS, WSL_TEXTS, state
from desktop.hardware.reading_text import driver_text, spoken
from desktop.hardware.readings import (
    Driver,
    HardwareReading,
    HostReading,
    Missing,
    PeerAccess,
    Throttle,
    Topology,
)
from desktop.hardware.sampler import HardwareSampler
from tests.helpers import nvml_stub
from tests.helpers.nvml_stub import REPOSITORY, Scenario

WAIT_MS = 10_000
HOUR = 3600.0


class Recorded:
    """A source that numbers its readings (as `time`) and can be made to hang or to fail."""

    def __init__(self) -> None:
        self.count = 0
        self.opened = 0
        self.closed = 0
        self.read_event: Queue[int] = Queue()
        self.may_go = threading.Event()
        self.may_go.set()
        self.fault: Exception | None = None
        self.threads: set[int] = set()

    def make(self) -> Recorded:
        self.opened += 1
        return self

    def read(self) -> HardwareReading:
        self.count += 1
        self.threads.add(threading.get_ident())
        self.read_event.put(self.count)
        self.may_go.wait()
        if self.fault is not None:
            raise self.fault
        return HardwareReading(state(Driver.ABSENT), (), HostReading(), time=float(self.count))

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    source = Recorded()
    yield source
    source.may_go.set()


@pytest.fixture
def make(qtbot: QtBot, recorded: Recorded) -> Iterator[Callable[..., HardwareSampler]]:
    made: list[HardwareSampler] = []

    def make_one(interval: float = 0.001) -> HardwareSampler:
        sampler = HardwareSampler(interval=interval, source=recorded.make)
        made.append(sampler)
        return sampler

    yield make_one
    recorded.may_go.set()
    for sampler in made:
        sampler.stop()


def test_readings_arrive_in_the_windows_thread(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    threads: list[QThread] = []
    sampler.reading.connect(lambda _reading: threads.append(QThread.currentThread()))
    sampler.start()
    qtbot.waitUntil(lambda: len(threads) >= 3, timeout=WAIT_MS)
    assert set(threads) == {sampler.thread()}
    assert threading.get_ident() not in recorded.threads
    assert len(recorded.threads) == 1
    assert sampler.last is not None


def test_nothing_runs_before_the_start(qtbot: QtBot, recorded: Recorded) -> None:
    sampler = HardwareSampler(source=recorded.make)
    assert not sampler.is_running
    assert recorded.opened == 0
    sampler.stop()


def test_no_reading_comes_after_the_stop(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    seen: list[object] = []
    sampler.reading.connect(seen.append)
    sampler.start()
    recorded.read_event.get(timeout=10)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    sampler.stop()
    before = len(seen)
    with qtbot.waitSignal(sampler.destroyed, timeout=WAIT_MS):
        sampler.deleteLater()
    assert len(seen) == before
    assert recorded.closed == recorded.opened == 1


def test_a_driver_that_hangs_holds_nobody_up(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    recorded.may_go.clear()
    sampler = make()
    seen: list[object] = []
    sampler.reading.connect(seen.append)
    sampler.start()
    recorded.read_event.get(timeout=10)  # it hangs now
    sampler.set_interval(2.0)
    sampler.read_soon()
    sampler.stop()
    assert not sampler.is_running
    assert "does not answer" in caplog.text
    recorded.may_go.set()
    qtbot.waitUntil(lambda: recorded.closed == 1, timeout=WAIT_MS)  # then it lets go
    assert not seen


def test_a_window_that_is_busy_gets_the_newest_only(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    seen: list[HardwareReading] = []
    sampler.reading.connect(seen.append)
    sampler.start()
    for _ in range(20):  # no event loop runs here meanwhile
        recorded.read_event.get(timeout=10)
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    assert seen[0].time >= 19


def test_a_pause_lets_go_of_the_driver(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.start()
    sampler.set_paused(True)
    qtbot.waitUntil(lambda: recorded.closed == 1, timeout=WAIT_MS)
    assert sampler.is_paused
    count = recorded.count
    sampler.read_soon()  # not while it is paused
    assert recorded.count == count
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.set_paused(False)
    assert recorded.opened == 2


def test_it_may_be_paused_before_it_is_started(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    sampler.set_paused(True)
    sampler.start()
    assert recorded.opened == 0
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.set_paused(False)


def test_a_new_interval_holds_at_once(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make(interval=HOUR)
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.start()
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.read_soon()
    assert recorded.count == 2
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.set_interval(0.001)


def test_a_fault_of_ours_ends_nothing_and_is_told_once(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    recorded.fault = ValueError("a fault")
    sampler = make()
    sampler.start()
    qtbot.waitUntil(lambda: recorded.count > 3, timeout=WAIT_MS)
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        recorded.fault = None
    told = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.message for record in told] == ["The hardware could not be read"]


def test_started_and_stopped_many_times(
    qtbot: QtBot, recorded: Recorded, make: Callable[..., HardwareSampler]
) -> None:
    sampler = make()
    for _ in range(20):
        sampler.start()
        sampler.start()
        sampler.stop()
        sampler.stop()
    assert recorded.opened == recorded.closed
    names = [thread.name for thread in threading.enumerate()]
    assert "hardware-sampler" not in names


def test_it_ends_when_its_parent_does(qtbot: QtBot, recorded: Recorded) -> None:
    parent = QObject()
    sampler = HardwareSampler(parent, interval=0.001, source=recorded.make)
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        sampler.start()
    with qtbot.waitSignal(parent.destroyed, timeout=WAIT_MS):
        parent.deleteLater()
    qtbot.waitUntil(lambda: recorded.closed == 1, timeout=WAIT_MS)


WITH_A_STUB = """
import sys
from PySide6.QtCore import QCoreApplication
from desktop.hardware.sampler import HardwareSampler

early = {"pynvml", "psutil", "desktop.hardware.nvml", "desktop.hardware.host"} & set(sys.modules)
assert not early, early
app = QCoreApplication([])
sampler = HardwareSampler(interval=0.01)

def show(reading):
    print(reading.driver.kind, [gpu.name for gpu in reading.gpus], reading.host.ram_total > 0)
    app.quit()

sampler.reading.connect(show)
sampler.start()
app.exec()
sampler.stop()
"""


def test_the_real_source_with_two_gpus(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path / "scenario", nvml_stub.two_3090s())
    calls = tmp_path / "calls"
    told = subprocess.run(
        [sys.executable, "-c", WITH_A_STUB],
        cwd=REPOSITORY,
        env=scenario.environment(calls),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert told.stderr == ""
    assert told.stdout.startswith(f"ok {['NVIDIA GeForce RTX 3090'] * 2} True")
    assert "nvmlShutdown" in calls.read_text()


def test_every_word_can_be_said() -> None:
    for words in (Missing, Throttle, Topology, PeerAccess):
        for word in words:
            assert spoken(word)
    for kind in Driver:
        for wsl in (False, True):
            for cuda in (None, (12, 4)):
                driver = state(kind, wsl=wsl, cuda=cuda, code=999)
                assert "{" not in driver.text
                assert driver_text(driver) == driver.text
                assert bool(driver.text) == (kind is not Driver.OK)
    assert set(TEXTS) == set(Driver)
    assert set(WSL_TEXTS) < set(Driver)
