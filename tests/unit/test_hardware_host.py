"""RAM, cores and instruction sets, within a container's limits, and what a planner sees."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop.hardware.host import HostReader
from desktop.hardware.nvml_errors import state
from desktop.hardware.planner_view import to_machine
from desktop.hardware.process_names import process_name, with_descendants
from desktop.hardware.readings import (
    Driver,
    GpuProcess,
    GpuReading,
    HardwareReading,
    HostReading,
    MigPart,
    Missing,
)

GIB = 1024**3

INTEL = """\
processor\t: {number}
model name\t: Intel(R) Core(TM) i7-8700
physical id\t: 0
core id\t\t: {core}
flags\t\t: fpu sse2 avx2 fma
"""
ARM = """\
processor\t: {number}
Features\t: fp asimd bf16
"""


def machine(
    tmp_path: Path, *blocks: str, cgroup: str = "0::/user/app\n"
) -> tuple[HostReader, Path]:
    """A reader of folders in `tmp_path`, and the folder of its cgroups."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/cpuinfo").write_text("\n".join(blocks))
    (tmp_path / "proc/self/cgroup").write_text(cgroup)
    groups = tmp_path / "cgroup"
    (groups / "user/app").mkdir(parents=True)
    return HostReader(tmp_path / "proc", groups), groups


def limit(folder: Path, most: str, used: int, *, file_pages: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{most}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon {used}\ninactive_file {file_pages}\n")


def test_this_computer() -> None:
    reader = HostReader()
    first = reader.read()
    assert first.ram_total is not None
    assert 0 < first.ram_total <= psutil.virtual_memory().total
    assert first.ram_available is not None
    assert 0 < first.ram_available <= first.ram_total
    assert first.threads == len(os.sched_getaffinity(0))
    assert first.cores is not None
    assert 1 <= first.cores <= first.threads
    assert first.flags
    assert first.load is None
    assert first.missing["load"] is Missing.NOT_YET
    for name in HostReading.__slots__:
        if name not in ("flags", "missing"):
            assert (getattr(first, name) is None) == (name in first.missing), name


def test_load_is_between_two_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = HostReader()
    times = psutil.cpu_times()
    reader.read()
    before = times._replace(**dict.fromkeys(times._fields, 0.0))
    steps = iter([before, before._replace(user=30.0, idle=70.0), before._replace(idle=170.0)])
    monkeypatch.setattr(psutil, "cpu_times", lambda: next(steps))
    reader._times = None
    assert reader.read().load is None
    assert reader.read().load == pytest.approx(30.0)
    assert reader.read().load == 0.0  # a counter that went back is no load


def test_the_name_the_flags_and_the_cores(tmp_path: Path) -> None:
    # Two threads of one core, as far as we may run on both.
    cpus = sorted(os.sched_getaffinity(0))[:2]
    blocks = [INTEL.format(number=number, core=0) for number in cpus]
    reader, _groups = machine(tmp_path, *blocks, INTEL.format(number=4096, core=9))
    reading = reader.read()
    assert reading.cpu_name == "Intel(R) Core(TM) i7-8700"
    assert reading.flags == {"fpu", "sse2", "avx2", "fma"}
    assert reading.cores == 1


def test_an_arm_processor(tmp_path: Path) -> None:
    reader, _groups = machine(tmp_path, *(ARM.format(number=cpu) for cpu in range(64)))
    reading = reader.read()
    assert reading.flags == {"fp", "asimd", "bf16"}
    assert reading.cores == len(os.sched_getaffinity(0))
    assert reading.missing["cpu_name"] is Missing.HOST


def test_a_limit_of_a_container_counts(tmp_path: Path) -> None:
    reader, groups = machine(tmp_path)
    limit(groups / "user/app", "max", 0)
    limit(groups / "user", str(2 * GIB), 1 * GIB, file_pages=GIB // 2)  # the one above us
    reading = reader.read()
    assert reading.ram_total == 2 * GIB
    assert reading.ram_available == 3 * GIB // 2


def test_a_limit_above_what_there_is_changes_nothing(tmp_path: Path) -> None:
    reader, groups = machine(tmp_path)
    limit(groups / "user/app", str(1 << 50), 1)
    assert reader.read().ram_total == psutil.virtual_memory().total


def test_a_limit_of_the_first_version_of_cgroups(tmp_path: Path) -> None:
    reader, groups = machine(tmp_path, cgroup="9:cpu:/\n4:memory,x:/pod\n0::/\n")
    folder = groups / "memory/pod"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text(str(GIB))
    (folder / "memory.usage_in_bytes").write_text(str(GIB // 4))
    (groups / "memory/memory.limit_in_bytes").write_text("9223372036854771712")
    (groups / "memory/memory.usage_in_bytes").write_text("1")
    reading = reader.read()
    assert (reading.ram_total, reading.ram_available) == (GIB, GIB * 3 // 4)


@pytest.mark.parametrize("path", ["/../../..", "/../../etc", "//x", ""])
def test_a_group_outside_of_what_we_see_is_no_trouble(tmp_path: Path, path: str) -> None:
    reader, _groups = machine(tmp_path, cgroup=f"0::{path}\nnonsense\n")
    assert reader.read().ram_total


def test_a_share_of_the_processors_time(tmp_path: Path) -> None:
    reader, groups = machine(tmp_path)
    (groups / "cpu.max").write_text("100000 100000\n")
    assert reader.read().threads == 1
    (groups / "cpu.max").write_text("max 100000\n")
    assert reader.read().threads == len(os.sched_getaffinity(0))


def test_nothing_can_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse() -> None:
        raise OSError

    for name in ("virtual_memory", "swap_memory", "cpu_times"):
        monkeypatch.setattr(psutil, name, refuse)
    reading = HostReader(tmp_path, tmp_path).read()
    assert reading.ram_total is None
    assert set(reading.missing) >= {"ram_total", "ram_available", "swap_total", "load", "cores"}


def test_who_a_process_is() -> None:
    assert process_name(os.getpid())
    assert process_name(4194301) is None
    assert os.getpid() in with_descendants([os.getpid(), 4194301])


def reading_of(*gpus: GpuReading, kind: Driver = Driver.OK) -> HardwareReading:
    host = HostReading(
        ram_total=64 * GIB, ram_available=48 * GIB, cores=8, threads=16, flags=frozenset({"avx2"})
    )
    return HardwareReading(state(kind, cuda=(12, 0)), gpus, host)


GPU = GpuReading(
    0,
    uuid="GPU-1",
    name="NVIDIA GeForce RTX 3090",
    capability=(8, 6),
    memory_total=24 * GIB,
    memory_used=10 * GIB,
    memory_reserved=GIB // 4,
    memory_bandwidth=936e9,
    processes=(GpuProcess(7, "python3", 6 * GIB), GpuProcess(8, "game", 3 * GIB)),
)


def test_the_planner_sees_what_others_use() -> None:
    machine = to_machine(reading_of(GPU), ours=frozenset({7}))
    (gpu,) = machine.gpus
    assert (gpu.index, gpu.total, gpu.reserved) == (0, 24 * GIB, GIB // 4)
    assert gpu.used_by_others == 4 * GIB  # the game, and what no program accounts for
    assert gpu.others == (("game", 3 * GIB),)
    assert gpu.capability == (8, 6)
    assert gpu.bandwidth == 936e9
    assert machine.host.ram_available == 48 * GIB
    assert machine.host.cores == 8


def test_the_planner_sees_no_gpu_that_cannot_be_used() -> None:
    lost = replace(GPU, lost=True)
    forbidden = GpuReading(1)
    assert to_machine(reading_of(lost, forbidden)).gpus == ()
    assert to_machine(reading_of(GPU, kind=Driver.TOO_OLD)).gpus == ()


def test_the_planner_takes_one_part_of_a_gpu_that_is_split() -> None:
    parts = (MigPart("MIG-1", "3g", 20 * GIB, GIB), MigPart("MIG-2", "1g", 5 * GIB, 0))
    (gpu,) = to_machine(reading_of(replace(GPU, mig=True, mig_parts=parts, processes=None))).gpus
    assert (gpu.total, gpu.reserved, gpu.used_by_others) == (20 * GIB, 0, GIB)


def test_a_gpu_with_the_hosts_memory_has_what_the_host_has() -> None:
    shared = replace(GPU, unified=True, memory_total=None, memory_used=None, memory_reserved=None)
    (gpu,) = to_machine(reading_of(replace(shared, processes=()))).gpus
    assert (gpu.total, gpu.used_by_others) == (64 * GIB, 16 * GIB)
