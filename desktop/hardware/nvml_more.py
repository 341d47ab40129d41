"""The readings of a GPU that are lists: programs, throttle reasons, NVLink ports, MIG parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from desktop.hardware.nvml_errors import COLLAPSES, LOSSES, TRY_ANOTHER
from desktop.hardware.process_names import process_name
from desktop.hardware.readings import GpuProcess, MigPart, NvLink, Throttle

# nvmlClocksEventReasons in nvml.h. Bit 0 is idling, which holds nothing down.
_THROTTLES: Final = {
    0x002: Throttle.APPLICATION_CLOCKS,
    0x004: Throttle.POWER_CAP,
    0x008: Throttle.HARDWARE_SLOWDOWN,
    0x010: Throttle.SYNC_BOOST,
    0x020: Throttle.SOFTWARE_THERMAL,
    0x040: Throttle.HARDWARE_THERMAL,
    0x080: Throttle.POWER_BRAKE,
    0x100: Throttle.DISPLAY_CLOCKS,
    0x200: Throttle.BOARD_LIMIT,
    0x400: Throttle.RELIABILITY,
}
_MAX_LINKS: Final = 36
_MAX_MIG: Final = 16

# The newest first: a driver of 2020 knows the second ones only.
_PROCESS_LISTS: Final = (
    ("nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"),
    ("nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"),
    ("nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2"),
)


def throttles_of(bits: int) -> tuple[Throttle, ...]:
    """What NVML's bits say, in the order of the bits; unknown ones are left out."""
    return tuple(reason for bit, reason in _THROTTLES.items() if bits & bit)


def processes_of(nvml: Any, handle: Any) -> tuple[GpuProcess, ...]:
    """The programs on a GPU, largest first, each once.

    Raises:
        pynvml.NVMLError: no list at all could be read.
    """
    found: dict[int, int | None] = {}
    trouble: Exception | None = None
    answered = False
    for names in _PROCESS_LISTS:
        try:
            entries = _first_of(nvml, names, handle)
            answered = True
        except nvml.NVMLError as error:
            if error.value in LOSSES | COLLAPSES:
                raise
            trouble = trouble or error
            continue
        for entry in entries:
            pid, size = int(entry.pid), entry.usedGpuMemory
            known = found.get(pid)
            # One that computes and draws stands in both lists, with all of its memory.
            found[pid] = known if size is None else max(int(size), known or 0)
    if not answered and trouble is not None:
        raise trouble
    programs = [GpuProcess(pid, _name_of(nvml, pid), size) for pid, size in found.items()]
    return tuple(sorted(programs, key=lambda program: (-(program.bytes or 0), program.pid)))


def links_of(nvml: Any, handle: Any) -> tuple[NvLink, ...]:
    """The NVLink ports of a GPU, also those that are not in use.

    Raises:
        pynvml.NVMLError: the GPU has none.
    """
    links: list[NvLink] = []
    for number in range(_MAX_LINKS):
        try:
            active = bool(nvml.nvmlDeviceGetNvLinkState(handle, number))
        except nvml.NVMLError:
            if not links:
                raise
            break  # the ports are numbered without gaps
        version = _quietly(nvml, nvml.nvmlDeviceGetNvLinkVersion, handle, number)
        remote = _quietly(nvml, nvml.nvmlDeviceGetNvLinkRemotePciInfo, handle, number)
        links.append(NvLink(number, active, version, _address(remote) if active else ""))
    return tuple(links)


def mig_parts(nvml: Any, handle: Any) -> tuple[MigPart, ...]:
    """The parts of a GPU that is split; those that cannot be read are left out."""
    parts = []
    for number in range(_MAX_MIG):
        try:
            part = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number)
            memory = nvml.nvmlDeviceGetMemoryInfo(part)
            parts.append(
                MigPart(
                    nvml.nvmlDeviceGetUUID(part),
                    nvml.nvmlDeviceGetName(part),
                    int(memory.total),
                    int(memory.used),
                )
            )
        except nvml.NVMLError as error:
            if error.value in LOSSES | COLLAPSES:
                raise
    return tuple(parts)


def _first_of(nvml: Any, names: tuple[str, ...], handle: Any) -> list[Any]:
    *others, last = names
    for name in others:
        try:
            return list(getattr(nvml, name)(handle))
        except nvml.NVMLError as error:
            if error.value not in TRY_ANOTHER:
                raise
    return list(getattr(nvml, last)(handle))


def _name_of(nvml: Any, pid: int) -> str | None:
    name = process_name(pid)
    if name is not None:
        return name
    told = _quietly(nvml, nvml.nvmlSystemGetProcessName, pid)
    return str(told).rpartition("/")[2] or None if told else None


def _address(info: Any) -> str:
    if info is None:
        return ""
    address = info.busId
    return (address.decode() if isinstance(address, bytes) else str(address)).lower()


def _quietly(nvml: Any, call: Callable[..., Any], *arguments: Any) -> Any:
    """What `call` answers; None where the driver does not."""
    try:
        return call(*arguments)
    except (nvml.NVMLError, ValueError):
        return None
