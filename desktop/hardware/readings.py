"""What the machine says of itself: GPUs, the links between them, the host.

Everything may be missing: a value is then None, and `missing` of the same object says why.
Sizes are bytes, rates bytes a second, clocks MHz, power watts, temperatures degrees Celsius,
utilisation per cent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.i18n import QT_TRANSLATE_NOOP


class Missing(StrEnum):
    """Why a value is not there; the value of each is the reason in plain words."""

    NOT_SUPPORTED = QT_TRANSLATE_NOOP("Hardware", "This GPU does not report it.")
    WSL = QT_TRANSLATE_NOOP("Hardware", "Windows does not pass it on to WSL.")
    MIG = QT_TRANSLATE_NOOP(
        "Hardware", "A GPU that is split into parts (MIG) does not report it as a whole."
    )
    UNIFIED = QT_TRANSLATE_NOOP(
        "Hardware", "This GPU shares the computer's memory and has none of its own."
    )
    OLD_DRIVER = QT_TRANSLATE_NOOP("Hardware", "The NVIDIA driver is too old to report it.")
    NO_PERMISSION = QT_TRANSLATE_NOOP("Hardware", "This user account may not read it.")
    LOST = QT_TRANSLATE_NOOP("Hardware", "The GPU no longer answers.")
    UNKNOWN = QT_TRANSLATE_NOOP(
        "Hardware", "The NVIDIA driver answered with an error that it does not explain."
    )
    NOT_YET = QT_TRANSLATE_NOOP("Hardware", "It has not been read yet.")
    NO_DRIVER = QT_TRANSLATE_NOOP("Hardware", "There is no NVIDIA driver that answers.")
    HOST = QT_TRANSLATE_NOOP("Hardware", "The system does not report it.")


class Throttle(StrEnum):
    """What holds a GPU's clocks down, in plain words. Idling is not among them."""

    APPLICATION_CLOCKS = QT_TRANSLATE_NOOP("Hardware", "clocks set by a program")
    POWER_CAP = QT_TRANSLATE_NOOP("Hardware", "power limit")
    HARDWARE_SLOWDOWN = QT_TRANSLATE_NOOP("Hardware", "hardware slowdown")
    SYNC_BOOST = QT_TRANSLATE_NOOP("Hardware", "kept in step with another GPU")
    SOFTWARE_THERMAL = QT_TRANSLATE_NOOP("Hardware", "too hot (driver)")
    HARDWARE_THERMAL = QT_TRANSLATE_NOOP("Hardware", "too hot (hardware)")
    POWER_BRAKE = QT_TRANSLATE_NOOP("Hardware", "power supply")
    DISPLAY_CLOCKS = QT_TRANSLATE_NOOP("Hardware", "clocks of the display")
    BOARD_LIMIT = QT_TRANSLATE_NOOP("Hardware", "limit of the board")
    RELIABILITY = QT_TRANSLATE_NOOP("Hardware", "voltage limit")


class Driver(StrEnum):
    """What state the NVIDIA driver is in."""

    OK = "ok"
    ABSENT = "absent"
    NOT_LOADED = "not_loaded"
    NO_GPU = "no_gpu"
    TOO_OLD = "too_old"
    MISMATCH = "mismatch"
    NO_PERMISSION = "no_permission"
    LOST = "lost"
    FAILED = "failed"
    NO_BINDINGS = "no_bindings"


class Topology(StrEnum):
    """What lies between two GPUs, nearest first (NVML's levels)."""

    SAME_BOARD = QT_TRANSLATE_NOOP("Hardware", "same board")
    ONE_SWITCH = QT_TRANSLATE_NOOP("Hardware", "one PCIe switch")
    SWITCHES = QT_TRANSLATE_NOOP("Hardware", "several PCIe switches")
    HOST_BRIDGE = QT_TRANSLATE_NOOP("Hardware", "one host bridge")
    ONE_PROCESSOR = QT_TRANSLATE_NOOP("Hardware", "one processor")
    PROCESSORS = QT_TRANSLATE_NOOP("Hardware", "several processors")


class PeerAccess(StrEnum):
    """Whether one GPU may read and write another's memory directly."""

    OK = QT_TRANSLATE_NOOP("Hardware", "yes")
    CHIPSET = QT_TRANSLATE_NOOP("Hardware", "not over this chipset")
    GPU = QT_TRANSLATE_NOOP("Hardware", "not with this GPU")
    TOPOLOGY = QT_TRANSLATE_NOOP("Hardware", "not over this path")
    DISABLED = QT_TRANSLATE_NOOP("Hardware", "switched off in the driver")
    NO = QT_TRANSLATE_NOOP("Hardware", "no")
    UNKNOWN = QT_TRANSLATE_NOOP("Hardware", "unknown")


@dataclass(frozen=True, slots=True)
class DriverState:
    """The NVIDIA driver.

    Attributes:
        kind: what is the matter.
        text: the same in plain English with what to do; "" when all is well.
        version: as "580.95.05", "" if not told.
        cuda: the newest CUDA that it runs, as (13, 0).
        wsl: whether it is the driver of Windows, seen from WSL.
        code: NVML's own number for the error, 0 for none.
    """

    kind: Driver
    text: str = ""
    version: str = ""
    cuda: tuple[int, int] | None = None
    wsl: bool = False
    code: int = 0

    @property
    def usable(self) -> bool:
        """Whether GPUs can be read; the engine needs `kind` to be OK."""
        return self.kind is Driver.OK or (self.kind is Driver.TOO_OLD and self.cuda is not None)


@dataclass(frozen=True, slots=True)
class GpuProcess:
    """A program that holds memory of a GPU.

    Attributes:
        name: None when it belongs to another user, or lies outside of the container.
        bytes: None where the driver does not tell (WSL).
    """

    pid: int
    name: str | None
    bytes: int | None


@dataclass(frozen=True, slots=True)
class PcieLink:
    """A GPU's PCIe link now, and the most that it and its slot can do together."""

    generation: int
    width: int
    max_generation: int | None = None
    max_width: int | None = None


@dataclass(frozen=True, slots=True)
class NvLink:
    """One NVLink port. `remote` is the PCI address of what it leads to, "" if not told."""

    link: int
    active: bool
    version: int | None = None
    remote: str = ""


@dataclass(frozen=True, slots=True)
class MigPart:
    """One part of a GPU that is split (MIG); CUDA takes it by its UUID."""

    uuid: str
    name: str
    memory_total: int
    memory_used: int


@dataclass(frozen=True, slots=True)
class GpuReading:
    """One GPU at one moment.

    Attributes:
        index: its place in PCI bus order, as `LoadSettings.devices` counts; -1 for a GPU that
            fell off the bus and that a new engine would not find.
        capability: CUDA compute capability, as (8, 6).
        memory_total: as the driver counts: used + reserved + free.
        memory_used: by programs; with the reserve in it where `memory_reserved` is None.
        memory_reserved: what driver and firmware keep for themselves.
        memory_bandwidth: the most in theory, bytes a second: bus width / 8 x memory clock x 2
            (NVML tells half the rate of the data, on GDDR and on HBM).
        processes: largest first.
        temperature_limit: where the clocks go down.
        throttle: what holds the clocks down now.
        pcie_rx, pcie_tx: bytes a second, into and out of the GPU, over the last 20 ms that
            were looked at (every few seconds).
        nvlink_rx, nvlink_tx: bytes a second over all links.
        unified: it uses the host's memory (GB10 and its like).
        lost: it answered before and does not now, or NVML says that it is lost.
        missing: the reason for every field that is None.
    """

    index: int
    uuid: str | None = None
    name: str | None = None
    capability: tuple[int, int] | None = None
    bus_id: str | None = None
    memory_total: int | None = None
    memory_used: int | None = None
    memory_reserved: int | None = None
    memory_bandwidth: float | None = None
    processes: tuple[GpuProcess, ...] | None = None
    utilisation: int | None = None
    memory_utilisation: int | None = None
    power: float | None = None
    power_limit: float | None = None
    temperature: int | None = None
    temperature_limit: int | None = None
    clock_sm: int | None = None
    clock_memory: int | None = None
    clock_sm_max: int | None = None
    clock_memory_max: int | None = None
    throttle: tuple[Throttle, ...] | None = None
    pcie: PcieLink | None = None
    pcie_rx: int | None = None
    pcie_tx: int | None = None
    nvlink: tuple[NvLink, ...] | None = None
    nvlink_rx: int | None = None
    nvlink_tx: int | None = None
    mig: bool = False
    mig_parts: tuple[MigPart, ...] = ()
    unified: bool = False
    lost: bool = False
    missing: Mapping[str, Missing] = field(default_factory=dict)

    @property
    def memory_unnamed(self) -> int | None:
        """Memory in use that no listed process accounts for: contexts, other containers."""
        if self.memory_used is None or self.processes is None:
            return None
        return max(0, self.memory_used - sum(process.bytes or 0 for process in self.processes))


@dataclass(frozen=True, slots=True)
class GpuLink:
    """How two GPUs (by `index`) reach each other; `missing` as in `GpuReading`."""

    first: int
    second: int
    topology: Topology | None = None
    read: PeerAccess | None = None
    write: PeerAccess | None = None
    nvlink: PeerAccess | None = None
    missing: Mapping[str, Missing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostReading:
    """The computer without its GPUs.

    Attributes:
        ram_total, ram_available: what a container's limit leaves, where there is one.
        cores: physical ones that we may use; threads: logical ones.
        flags: the processor's instruction sets, as /proc/cpuinfo names them.
        load: per cent of all threads, since the reading before.
    """

    ram_total: int | None = None
    ram_available: int | None = None
    swap_total: int | None = None
    swap_used: int | None = None
    cores: int | None = None
    threads: int | None = None
    flags: frozenset[str] = frozenset()
    cpu_name: str | None = None
    load: float | None = None
    missing: Mapping[str, Missing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HardwareReading:
    """All of it at `time` (time.monotonic, seconds)."""

    driver: DriverState
    gpus: tuple[GpuReading, ...]
    host: HostReading
    links: tuple[GpuLink, ...] = ()
    time: float = 0.0
