"""What killed processes leave in /dev/shm is found and removed, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import get_context, shared_memory
from pathlib import Path

from engine.leftovers import SHARED, remove_segments, segments_of


def test_a_processs_own_segments_are_found_by_what_it_maps() -> None:
    segment = shared_memory.SharedMemory(create=True, size=4096)
    try:
        assert segment.name in segments_of([os.getpid()])
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        assert segment.name not in segments_of([child.pid])
        child.communicate(b"\n")
    finally:
        segment.close()
        segment.unlink()


def test_a_semaphore_is_found_though_it_was_mapped_without_its_name() -> None:
    before = {path.name for path in SHARED.glob("sem.mp-*")}
    lock = get_context("spawn").Lock()
    made = {path.name for path in SHARED.glob("sem.mp-*")} - before
    assert lock is not None
    assert made
    assert made <= segments_of([os.getpid()])


def test_openmp_registers_under_the_pid() -> None:
    assert any(
        name.startswith("__KMP_REGISTERED_LIB_12345678_") for name in segments_of([12345678])
    )


def test_what_is_gone_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "psm_a").touch()
    remove_segments(["psm_a", "psm_gone"], tmp_path)
    assert list(tmp_path.iterdir()) == []
