"""GPUs through the real nvidia-ml-py and a stub of NVML, in every state we know of."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from setup import flavour

from desktop.hardware import nvml_errors
from desktop.hardware.readings import (
    Driver,
    GpuReading,
    HardwareReading,
    Missing,
    PeerAccess,
    Throttle,
    Topology,
)
from tests.helpers import nvml_stub
from tests.helpers.nvml_stub import GIB, ReaderProcess, Scenario

MIB = 1024**2


@pytest.fixture(scope="module")
def child() -> Iterator[ReaderProcess]:
    """One reader process for the module; `stub` gives it a fresh start."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(Path(folder) / "scenario")
        with ReaderProcess(scenario, Path(folder) / "calls") as process:
            yield process


@pytest.fixture
def stub(child: ReaderProcess) -> ReaderProcess:
    child.close()
    scenario = child.scenario
    child.scenario = Scenario(scenario.path)
    calls(child, forget=True)
    return child


def calls(child: ReaderProcess, *, forget: bool = False) -> Counter[str]:
    path = child.scenario.path.with_name("calls")
    found = Counter(path.read_text().split()) if path.exists() else Counter[str]()
    if forget:
        path.unlink(missing_ok=True)
    return found


def only(reading: HardwareReading) -> GpuReading:
    assert len(reading.gpus) == 1
    return reading.gpus[0]


def assert_accounted(gpu: GpuReading) -> None:
    """Every value is there or has its reason, and only one of the two."""
    never = {"index", "mig", "mig_parts", "unified", "lost", "missing"}
    for name in set(GpuReading.__slots__) - never:
        assert (getattr(gpu, name) is None) == (name in gpu.missing), name
    assert set(gpu.missing) <= set(GpuReading.__slots__) - never


def test_every_reading_of_a_3090(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.two_3090s())
    stub.read(0)
    stub.read(1)  # what blocks
    stub.scenario.change({"gpu1.nvlink_rx": 1000, "gpu1.nvlink_tx": 500})
    reading = stub.read(11)

    assert reading.driver.kind is Driver.OK
    assert reading.driver.version == "580.95.05"
    assert reading.driver.cuda == (13, 0)
    assert reading.driver.text == ""
    assert [gpu.index for gpu in reading.gpus] == [0, 1]
    for gpu in reading.gpus:
        assert_accounted(gpu)
    gpu = reading.gpus[1]
    assert not gpu.missing
    assert gpu.name == "NVIDIA GeForce RTX 3090"
    assert gpu.uuid is not None
    assert gpu.uuid.startswith("GPU-")
    assert gpu.capability == (8, 6)
    assert gpu.bus_id == "00000000:02:00.0"
    assert (gpu.memory_total, gpu.memory_used) == (24 * GIB, 20 * GIB)
    assert gpu.memory_reserved == 300 * MIB
    assert gpu.memory_bandwidth == pytest.approx(936.1e9, rel=1e-3)  # as its data sheet says
    assert gpu.processes is not None
    assert [(p.pid, p.name, p.bytes) for p in gpu.processes] == [(4194301, "warzone", 19 * GIB)]
    assert gpu.memory_unnamed == GIB
    assert (gpu.utilisation, gpu.memory_utilisation) == (97, 61)
    assert (gpu.power, gpu.power_limit) == (341.0, 350.0)
    assert (gpu.temperature, gpu.temperature_limit) == (83, 95)
    assert (gpu.clock_sm, gpu.clock_sm_max) == (1695, 2100)
    assert (gpu.clock_memory, gpu.clock_memory_max) == (405, 9751)
    assert gpu.throttle == (Throttle.POWER_CAP,)
    assert reading.gpus[0].throttle == ()  # idling is no throttling
    assert gpu.pcie is not None
    assert (gpu.pcie.generation, gpu.pcie.width) == (4, 16)
    assert (gpu.pcie_rx, gpu.pcie_tx) == (1_000_000, 250_000)
    assert gpu.nvlink is not None
    assert [(port.active, port.remote) for port in gpu.nvlink] == [(True, "00000000:01:00.0")] * 4
    assert (gpu.nvlink_rx, gpu.nvlink_tx) == (102_400, 51_200)  # 1000 and 500 KiB in 10 s
    (link,) = reading.links
    assert (link.first, link.second) == (0, 1)
    assert link.topology is Topology.HOST_BRIDGE
    assert link.read is link.write is link.nvlink is PeerAccess.OK


def test_unequal_cards_without_access_to_each_other(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.unequal())
    reading = stub.read()
    assert [gpu.memory_total for gpu in reading.gpus] == [24 * GIB, 12 * GIB]
    assert reading.gpus[1].memory_bandwidth == pytest.approx(360e9, rel=1e-3)
    (link,) = reading.links
    assert link.topology is Topology.ONE_PROCESSOR
    assert link.read is PeerAccess.TOPOLOGY
    assert reading.gpus[1].nvlink is None


def test_gpus_are_in_the_order_of_the_bus(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.unequal())
    stub.scenario.change({"gpu0.bus_id": "00000000:81:00.0", "gpu1.bus_id": "00000000:21:00.0"})
    reading = stub.read()
    assert [(gpu.index, gpu.memory_total) for gpu in reading.gpus] == [(0, 12 * GIB), (1, 24 * GIB)]


@pytest.mark.parametrize(
    ("lines", "kind", "said"),
    [
        ({"fail.nvmlInitWithFlags": 9}, Driver.NOT_LOADED, "does not run"),
        ({"fail.nvmlInitWithFlags": 18}, Driver.MISMATCH, "Restart"),
        ({"fail.nvmlInitWithFlags": 4}, Driver.NO_PERMISSION, "/dev/nvidia"),
        ({"fail.nvmlInitWithFlags": 13}, Driver.TOO_OLD, "580"),
        ({"fail.nvmlInitWithFlags": 15}, Driver.LOST, "no longer answers"),
        ({"fail.nvmlInitWithFlags": 999}, Driver.FAILED, "999"),
        ({"fail.nvmlInitWithFlags": 20}, Driver.FAILED, "20"),
        ({"fail.nvmlDeviceGetCount_v2": 999}, Driver.FAILED, "999"),
        ({"count": 0}, Driver.NO_GPU, "no GPU"),
        ({"cuda": 12080}, Driver.TOO_OLD, "CUDA up to 12.8"),
    ],
)
def test_a_driver_that_is_of_no_use_says_why(
    stub: ReaderProcess, lines: dict[str, object], kind: Driver, said: str
) -> None:
    stub.scenario.change(lines)
    reading = stub.read()
    assert reading.driver.kind is kind
    assert said in reading.driver.text
    assert reading.host.ram_total  # the rest goes on
    assert reading.driver.usable == bool(reading.gpus)


def test_no_library_at_all(tmp_path: Path) -> None:
    """This process has no stub; a machine with a real driver has nothing to show here."""
    if flavour.read_driver() is not None:
        pytest.skip("this machine has an NVIDIA driver")
    from desktop.hardware.nvml import read_once

    reading = read_once()
    assert reading.driver.kind is Driver.ABSENT
    assert reading.gpus == ()
    assert reading.host.ram_total


@pytest.mark.parametrize(
    ("function", "fields"),
    [
        ("nvmlDeviceGetName", ["name"]),
        ("nvmlDeviceGetUUID", ["uuid"]),
        ("nvmlDeviceGetPciInfo_v3", ["bus_id"]),
        ("nvmlDeviceGetCudaComputeCapability", ["capability"]),
        ("nvmlDeviceGetMemoryBusWidth", ["memory_bandwidth"]),
        ("nvmlDeviceGetUtilizationRates", ["utilisation", "memory_utilisation"]),
        ("nvmlDeviceGetPowerUsage", ["power"]),
        ("nvmlDeviceGetTemperatureThreshold", ["temperature_limit"]),
        ("nvmlDeviceGetClockInfo", ["clock_sm", "clock_memory"]),
        ("nvmlDeviceGetMaxClockInfo", ["clock_sm_max", "clock_memory_max"]),
        ("nvmlDeviceGetPcieThroughput", ["pcie_rx", "pcie_tx"]),
        ("nvmlDeviceGetCurrPcieLinkWidth", ["pcie"]),
    ],
)
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (nvml_stub.NOT_SUPPORTED, Missing.NOT_SUPPORTED),
        (nvml_stub.NO_PERMISSION, Missing.NO_PERMISSION),
        (nvml_stub.FUNCTION_NOT_FOUND, Missing.OLD_DRIVER),
        (nvml_stub.UNKNOWN, Missing.UNKNOWN),
    ],
)
def test_one_reading_that_fails_takes_no_other_along(
    stub: ReaderProcess, function: str, fields: list[str], code: int, reason: Missing
) -> None:
    stub.scenario.change({f"fail.{function}": code})
    stub.read(0)
    gpu = only(stub.read(1))
    assert_accounted(gpu)
    for field in fields:
        assert gpu.missing[field] is reason
    assert gpu.memory_total == 24 * GIB
    assert gpu.temperature == 40
    assert not gpu.lost


@pytest.mark.parametrize(
    ("newer", "field"),
    [
        ("nvmlDeviceGetTemperatureV", "temperature"),
        ("nvmlDeviceGetCurrentClocksEventReasons", "throttle"),
        ("nvmlDeviceGetEnforcedPowerLimit", "power_limit"),
        ("nvmlDeviceGetComputeRunningProcesses_v3", "processes"),
    ],
)
def test_an_older_function_stands_in_for_a_newer_one(
    stub: ReaderProcess, newer: str, field: str
) -> None:
    stub.scenario.change({f"fail.{newer}": nvml_stub.FUNCTION_NOT_FOUND})
    gpu = only(stub.read())
    assert getattr(gpu, field) is not None
    assert field not in gpu.missing


def test_without_the_second_version_of_memory_the_reserve_is_in_what_is_used(
    stub: ReaderProcess,
) -> None:
    stub.scenario.change({"fail.nvmlDeviceGetMemoryInfo_v2": nvml_stub.FUNCTION_NOT_FOUND})
    gpu = only(stub.read())
    assert gpu.memory_total == 24 * GIB
    assert gpu.memory_used == 800 * MIB
    assert gpu.missing["memory_reserved"] is Missing.OLD_DRIVER
    assert not gpu.unified


def test_another_program_takes_memory_in_mid_run(stub: ReaderProcess) -> None:
    before = only(stub.read(0))
    assert before.processes == ()
    stub.scenario.change(
        {
            "gpu0.used": 9 * GIB,
            "gpu0.process.4194300": 8 * GIB,
            "gpu0.graphics.4194300": 8 * GIB,  # it draws, too: counted once
            "gpu0.graphics.4194299": 200 * MIB,
            "process.4194299": "/usr/bin/Xorg",
        }
    )
    after = only(stub.read(1))
    assert after.processes is not None
    assert [(p.name, p.bytes) for p in after.processes] == [(None, 8 * GIB), ("Xorg", 200 * MIB)]
    assert after.memory_unnamed == GIB - 200 * MIB


def test_throttling_is_told_in_words(stub: ReaderProcess) -> None:
    stub.scenario.change({"gpu0.throttle": 0x1 | 0x20 | 0x40 | 0x8000})
    assert only(stub.read()).throttle == (Throttle.SOFTWARE_THERMAL, Throttle.HARDWARE_THERMAL)


def test_a_gpu_is_lost_in_mid_run_and_returns(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.two_3090s())
    stub.read(0)
    stub.scenario.change({"gpu1.lost": 1})
    reading = stub.read(1)
    healthy, lost = reading.gpus
    assert reading.driver.kind is Driver.OK
    assert healthy.memory_used is not None
    assert lost.lost
    assert (lost.index, lost.name) == (1, "NVIDIA GeForce RTX 3090")  # one can tell which it is
    assert lost.memory_used is None
    assert lost.missing["memory_used"] is Missing.LOST
    assert_accounted(lost)

    assert stub.read(2).gpus[1].lost
    # It was put right. NVML finds that out only when it is started anew.
    stub.scenario.change({"gpu1.lost": None})
    assert stub.read(3).gpus[1].lost
    reading = stub.read(7)
    assert not any(gpu.lost for gpu in reading.gpus)
    assert reading.gpus[1].utilisation == 97


def test_the_healthy_gpu_is_read_all_the_while(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.two_3090s() | {"gpu0.lost": 1})
    for now in range(0, 200, 3):
        first, second = stub.read(now).gpus
        assert first.lost
        assert second.utilisation == 97
    # Starts at 0, 5, 15, 35, 75, 135, 195, give or take: each one costs, so they grow rarer.
    assert calls(stub)["nvmlInitWithFlags"] <= 8


def test_a_gpu_that_fell_off_the_bus_is_still_told_of(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.unequal())
    stub.read(0)
    stub.scenario.change({"gpu1.lost": 1})
    stub.read(1)
    stub.scenario.change({"count": 1, "gpu1.lost": None})
    reading = stub.read(10)
    assert [(gpu.index, gpu.lost) for gpu in reading.gpus] == [(0, False), (-1, True)]
    assert reading.gpus[1].name == "NVIDIA GeForce RTX 3060"
    stub.scenario.change({"count": 2})
    reading = stub.read(100)
    assert [(gpu.index, gpu.lost) for gpu in reading.gpus] == [(0, False), (1, False)]


def test_the_only_gpu_is_lost(stub: ReaderProcess) -> None:
    stub.read(0)
    stub.scenario.change({"gpu0.lost": 1})
    reading = stub.read(1)
    assert reading.driver.kind is Driver.LOST
    assert "no longer answers" in reading.driver.text
    assert only(reading).lost
    stub.scenario.change({"gpu0.lost": None})
    reading = stub.read(20)
    assert reading.driver.kind is Driver.OK
    assert not only(reading).lost


@pytest.mark.parametrize("code", [1, 9, 18])
def test_nvml_collapses_in_mid_run_and_is_started_again(stub: ReaderProcess, code: int) -> None:
    stub.read(0)
    stub.scenario.change({"fail.nvmlDeviceGetMemoryInfo_v2": code})
    reading = stub.read(1)
    assert not reading.driver.usable
    assert only(reading).lost
    stub.scenario.change({"fail.nvmlDeviceGetMemoryInfo_v2": None})
    assert stub.read(30).driver.kind is Driver.OK


def test_after_a_night_asleep_nothing_but_unknown_errors(stub: ReaderProcess) -> None:
    stub.read(0)
    broken = dict.fromkeys(
        (f"fail.nvmlDeviceGet{name}" for name in ("MemoryInfo", "MemoryInfo_v2", "PowerUsage")), 999
    )
    stub.scenario.change(broken)
    gpu = only(stub.read(1))
    assert not gpu.lost
    assert gpu.missing["memory_total"] is gpu.missing["memory_used"] is Missing.UNKNOWN
    assert not gpu.unified
    calls(stub, forget=True)
    stub.scenario.change(dict.fromkeys(broken))
    assert only(stub.read(10)).memory_total == 24 * GIB
    assert calls(stub)["nvmlInitWithFlags"] == 1


def test_a_gpu_that_this_user_may_not_use(stub: ReaderProcess) -> None:
    stub.scenario.change({"count": 2, "gpu1.fail.nvmlDeviceGetHandleByIndex_v2": 4})
    reading = stub.read()
    assert reading.gpus[0].memory_total == 24 * GIB
    assert not reading.gpus[1].lost
    assert reading.gpus[1].missing["name"] is Missing.NO_PERMISSION
    assert_accounted(reading.gpus[1])


def test_wsl_shows_what_it_can(tmp_path: Path) -> None:
    with ReaderProcess(Scenario(tmp_path / "scenario", nvml_stub.wsl())) as process:
        process.pretend_wsl()
        reading = process.read()
        gpu = only(reading)
        assert reading.driver.wsl
        assert gpu.memory_total == 24 * GIB
        assert gpu.processes is None
        assert gpu.missing["processes"] is Missing.WSL
        assert not gpu.unified
        assert_accounted(gpu)
        process.scenario.change({"cuda": 12040})
        process.close()
        assert "in Windows" in process.read().driver.text


def test_a_gpu_that_is_split_names_its_parts(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.split())
    gpu = only(stub.read())
    assert gpu.mig
    assert gpu.missing["utilisation"] is Missing.MIG
    assert [(part.memory_total, part.memory_used) for part in gpu.mig_parts] == [
        (20 * GIB, GIB),
        (5 * GIB, 0),
    ]
    assert all(part.uuid.startswith("MIG-") for part in gpu.mig_parts)
    assert_accounted(gpu)


def test_a_gpu_with_the_hosts_memory(stub: ReaderProcess) -> None:
    stub.scenario.change(nvml_stub.unified())
    gpu = only(stub.read())
    assert gpu.unified
    assert gpu.memory_total is None
    assert gpu.missing["memory_total"] is Missing.UNIFIED
    assert_accounted(gpu)


def test_what_blocks_is_read_rarely_and_not_at_first(stub: ReaderProcess) -> None:
    gpu = only(stub.read(0))
    assert gpu.missing["pcie_rx"] is Missing.NOT_YET
    assert "nvmlDeviceGetPcieThroughput" not in calls(stub)
    for tenths in range(1, 200):
        gpu = only(stub.read(tenths / 10))
    assert gpu.pcie_rx == 0  # kept in between
    assert calls(stub)["nvmlDeviceGetPcieThroughput"] == 2 * 4  # at 0.1, 5.1, 10.1, 15.1


def test_nvml_is_started_once_and_let_go(stub: ReaderProcess) -> None:
    for now in range(5):
        stub.read(now)
    stub.close()
    counted = calls(stub)
    assert counted["nvmlInitWithFlags"] == counted["nvmlShutdown"] == 1


def test_what_does_not_change_is_asked_once(stub: ReaderProcess) -> None:
    for now in range(5):
        stub.read(now)
    assert calls(stub)["nvmlDeviceGetName"] == calls(stub)["nvmlDeviceGetUUID"] == 1


def test_the_setup_and_the_program_need_the_same_driver() -> None:
    major, minor = nvml_errors.CUDA_NEEDED
    assert major * 1000 + minor * 10 == flavour._MIN_CUDA_DRIVER
    assert (
        f"to {nvml_errors.DRIVER_NEEDED} or newer"
        in flavour.judge(flavour.Driver(12080, ((9, 0),))).reason
    )


@functools.cache
def _bindings_source() -> str:
    import pynvml

    return Path(pynvml.__file__).read_text()


def test_every_function_that_we_call_is_in_the_stub() -> None:
    """What the stub lacks would read as an old driver, and nobody would notice."""
    import re

    ours = Path(nvml_errors.__file__).parent
    called = set[str]()
    for path in ours.glob("*.py"):
        called.update(re.findall(r"\b(nvml[A-Z]\w+)", path.read_text()))
    stub = nvml_stub.SOURCE.read_text()
    for name in sorted(called):
        body = re.search(rf"^def {name}\(.*?(?=^def |\Z)", _bindings_source(), re.M | re.S)
        if body is None:
            continue
        for symbol in re.findall(r'_nvmlGetFunctionPointer\("(\w+)"\)', body[0]):
            assert symbol in stub, f"{name} calls {symbol}"


@pytest.mark.parametrize(
    ("lines", "chosen", "reason"),
    [
        ({"count": 2}, "cuda", "2 NVIDIA GPUs"),
        ({"cuda": 12080}, "cpu", "CUDA up to 12.8"),
        ({"gpu0.major": 6, "gpu0.minor": 1}, "cpu", "capability 6.1"),
        ({"fail.nvmlInit_v2": 18}, "cpu", "no NVIDIA driver"),
        ({"count": 0}, "cpu", "no GPU"),
    ],
)
def test_the_setup_chooses_by_the_same_library(
    tmp_path: Path, lines: dict[str, object], chosen: str, reason: str
) -> None:
    code = "from setup.flavour import choose; c = choose({}); print(c.flavour, c.reason)"
    environment = Scenario(tmp_path / "scenario", lines).environment()
    environment["PYTHONPATH"] = str(nvml_stub.REPOSITORY / "packaging")
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    if flavour.driver_mark() and "Init" in str(lines):
        pytest.skip("a driver is loaded here: it decides when its library does not start")
    assert told.startswith(f"{chosen} ")
    assert reason in told
