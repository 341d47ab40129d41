from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.cpu_share import CpuShare, wanted_threads

TICKS = os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("cores", "others", "threads"),
    [(2, 0.0, 2), (2, 0.3, 2), (2, 0.7, 1), (2, 1.9, 1), (8, 3.0, 5), (8, 20.0, 1), (1, 0.0, 1)],
)
def test_threads_are_the_cores_that_others_leave(cores: int, others: float, threads: int) -> None:
    assert wanted_threads(cores, others) == threads


class FakeProc:
    """A /proc whose counters the test moves, in seconds of CPU time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "self").mkdir()
        self.busy = self.own = 0.0
        self.add(0.0, 0.0)

    def add(self, others: float, own: float) -> None:
        self.own += own
        self.busy += others + own
        cpu = min(os.sched_getaffinity(0))
        ticks = int(self.busy * TICKS)
        (self.root / "stat").write_text(
            f"cpu 0 0 0 0 0 0 0\ncpu{cpu} {ticks} 0 0 99 0 0 0 0 0 0\nintr 5\n"
        )
        used = int(self.own * TICKS)
        fields = " ".join(["S", *["0"] * 10, str(used), "0", *["0"] * 20])
        (self.root / "self" / "stat").write_text(f"12 (a name) with) {fields}")


def test_two_busy_seconds_of_another_program_lower_the_threads(tmp_path: Path) -> None:
    proc = FakeProc(tmp_path)
    share = CpuShare(2, tmp_path)
    now = share._last_time
    proc.add(others=1.0, own=1.0)
    assert not share.sample(now + 1.0)  # one sample may be a burst
    proc.add(others=1.0, own=1.0)
    assert share.sample(now + 2.0)
    assert share.threads == 1
    for second in (3.0, 4.0):
        proc.add(others=0.0, own=1.0)
        share.sample(now + second)
    assert share.threads == 2


def test_our_own_work_is_not_others(tmp_path: Path) -> None:
    proc = FakeProc(tmp_path)
    share = CpuShare(2, tmp_path)
    for second in range(1, 6):
        proc.add(others=0.0, own=2.0)
        share.sample(share._last_time + 1.0)
        assert share.threads == 2, second


def test_a_sample_is_taken_at_most_once_a_second(tmp_path: Path) -> None:
    proc = FakeProc(tmp_path)
    share = CpuShare(2, tmp_path)
    now = share._last_time
    proc.add(others=5.0, own=0.0)
    assert not share.sample(now + 0.5)
    assert share._votes == []


def test_an_unreadable_proc_changes_nothing(tmp_path: Path) -> None:
    share = CpuShare(4, tmp_path / "missing")
    for _ in range(3):
        share.sample(share._last_time + 1.0)
    assert share.threads == 4
