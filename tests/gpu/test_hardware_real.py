"""The readings against the real NVML: what nvidia-smi says, and what this process does.

Needs neither Qt nor the tests' configuration: where only Python and a GPU are,
`python -m pytest --noconftest tests/gpu` runs it.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import fields
from typing import Any

import pytest

from desktop.hardware.nvml import NvmlReader, read_once
from desktop.hardware.readings import Driver, GpuReading, HardwareReading

pytestmark = pytest.mark.gpu

MIB = 1024**2


@pytest.fixture(scope="module")
def reading() -> HardwareReading:
    """The second reading of a reader: with what blocks in it. Skips without a GPU."""
    reader = NvmlReader()
    try:
        first = reader.read()
        if not first.gpus:
            pytest.skip(f"no GPU to read: {first.driver.text}")
        return reader.read()
    finally:
        reader.close()


def nvidia_smi(*names: str) -> list[list[str]]:
    command = ["nvidia-smi", f"--query-gpu={','.join(names)}", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"nvidia-smi does not answer: {error}")
    return [[value.strip() for value in line.split(",")] for line in told.stdout.splitlines()]


def test_every_value_is_there_or_has_its_reason(reading: HardwareReading) -> None:
    never = {"index", "mig", "mig_parts", "unified", "lost", "missing"}
    for gpu in reading.gpus:
        for field in fields(GpuReading):
            if field.name not in never:
                assert (getattr(gpu, field.name) is None) == (field.name in gpu.missing), field.name


def test_what_never_changes_is_what_nvidia_smi_says(reading: HardwareReading) -> None:
    rows = nvidia_smi(
        "name", "uuid", "memory.total", "compute_cap", "pci.bus_id", "driver_version",
        "clocks.max.sm", "clocks.max.memory", "enforced.power.limit",
    )  # fmt: skip
    assert len(rows) == len(reading.gpus)
    for gpu, row in zip(reading.gpus, rows, strict=True):
        assert [gpu.name, gpu.uuid] == row[:2]
        assert gpu.unified or gpu.memory_total == pytest.approx(int(row[2]) * MIB, abs=MIB)
        assert gpu.capability == tuple(map(int, row[3].split(".")))
        assert gpu.bus_id == row[4].lower()
        assert reading.driver.version == row[5]
        assert gpu.clock_sm_max == int(row[6])
        assert gpu.clock_memory_max == int(row[7])
        assert gpu.power_limit is None or gpu.power_limit == pytest.approx(float(row[8]), abs=1)


def test_what_changes_is_near_to_what_nvidia_smi_says(reading: HardwareReading) -> None:
    rows = nvidia_smi("memory.reserved", "temperature.gpu", "pcie.link.width.current")
    for gpu, row in zip(reading.gpus, rows, strict=True):
        if gpu.memory_reserved is not None:
            assert gpu.memory_reserved == pytest.approx(int(row[0]) * MIB, abs=64 * MIB)
        assert gpu.temperature == pytest.approx(int(row[1]), abs=10)
        assert gpu.pcie is None or gpu.pcie.width == int(row[2])


def test_used_reserved_and_free_make_up_the_whole(reading: HardwareReading) -> None:
    for gpu in reading.gpus:
        if gpu.memory_total is None or gpu.memory_used is None:
            continue
        assert 0 <= gpu.memory_used + (gpu.memory_reserved or 0) <= gpu.memory_total


def test_memory_that_this_process_takes_is_seen_and_given_back() -> None:
    torch: Any = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    torch.zeros(1, device="cuda")
    reader = NvmlReader()
    try:
        before = reader.read().gpus[0]
        if before.memory_used is None:
            pytest.skip(f"no memory to read: {before.missing['memory_used']}")
        block = torch.empty(2048 * MIB, dtype=torch.uint8, device="cuda")
        during = reader.read().gpus[0]
        del block
        torch.cuda.empty_cache()
        after = reader.read().gpus[0]
    finally:
        reader.close()
    assert during.memory_used is not None
    assert after.memory_used is not None
    assert during.memory_used - before.memory_used == pytest.approx(2048 * MIB, rel=0.05)
    assert after.memory_used < during.memory_used - 1024 * MIB
    if during.processes:  # in a container the driver counts other numbers
        mine = [program for program in during.processes if program.pid == os.getpid()]
        assert all((program.bytes or 0) > 2048 * MIB for program in mine)


def test_work_shows_in_utilisation_and_power() -> None:
    torch: Any = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    square = torch.rand(4096, 4096, device="cuda", dtype=torch.float16)
    reader = NvmlReader()
    try:
        idle = reader.read().gpus[0]
        busiest = 0
        end = time.monotonic() + 20
        while time.monotonic() < end and busiest < 20:
            for _ in range(50):
                square @ square
            torch.cuda.synchronize()
            busy = reader.read().gpus[0]
            if busy.utilisation is None:
                pytest.skip(f"no utilisation to read: {busy.missing['utilisation']}")
            busiest = max(busiest, busy.utilisation)
    finally:
        reader.close()
    assert busiest >= 20
    assert idle.clock_sm is None or idle.clock_sm > 0


def test_once_is_enough_for_a_plan() -> None:
    once = read_once()
    if not once.gpus:
        pytest.skip(f"no GPU to read: {once.driver.text}")
    assert once.driver.kind in (Driver.OK, Driver.TOO_OLD)
    assert all(gpu.name for gpu in once.gpus)
    assert once.host.ram_total
