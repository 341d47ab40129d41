"""Reads one GPU through NVML: what never changes once, what changes each time.

Each question is put on its own, so that one that is not answered takes no other along. A
GPU that is lost is asked nothing more: its calls can each take seconds.

Units of NVML: power in milliwatts, PCIe throughput in KB/s (1000), NVLink counters in KiB.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from desktop.hardware import nvml_errors
from desktop.hardware.nvml_errors import COLLAPSES, LOSSES, TRY_ANOTHER
from desktop.hardware.nvml_more import links_of, mig_parts, processes_of, throttles_of
from desktop.hardware.readings import GpuReading, Missing, PcieLink

Call = Callable[[Any, Any], Any]  # of pynvml and the GPU's handle

_MEGA: Final = 1_000_000
_KIB: Final = 1024
_CLOCK_SM: Final = 1
_CLOCK_MEMORY: Final = 2
_SENSOR: Final = 0  # the temperature of the processor
_SLOWDOWN: Final = 1  # the threshold where clocks go down
_TX: Final = 0
_RX: Final = 1
_ALL_LINKS: Final = 0xFFFFFFFF
_NVLINK_TX_FIELD: Final = 138  # NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX
_NVLINK_RX_FIELD: Final = 139

_STEADY: Final[dict[str, tuple[Call, ...]]] = {
    "uuid": (lambda n, h: n.nvmlDeviceGetUUID(h),),
    "name": (lambda n, h: n.nvmlDeviceGetName(h),),
    "bus_id": (lambda n, h: _text(n.nvmlDeviceGetPciInfo(h).busId).lower(),),
    "capability": (lambda n, h: tuple(n.nvmlDeviceGetCudaComputeCapability(h)),),
    "clock_sm_max": (lambda n, h: n.nvmlDeviceGetMaxClockInfo(h, _CLOCK_SM),),
    "clock_memory_max": (lambda n, h: n.nvmlDeviceGetMaxClockInfo(h, _CLOCK_MEMORY),),
    "temperature_limit": (lambda n, h: n.nvmlDeviceGetTemperatureThreshold(h, _SLOWDOWN),),
}
_CHANGING: Final[dict[str, tuple[Call, ...]]] = {
    "power": (lambda n, h: n.nvmlDeviceGetPowerUsage(h) / 1000,),
    "power_limit": (
        lambda n, h: n.nvmlDeviceGetEnforcedPowerLimit(h) / 1000,
        lambda n, h: n.nvmlDeviceGetPowerManagementLimit(h) / 1000,
    ),
    "temperature": (
        lambda n, h: n.nvmlDeviceGetTemperatureV(h, _SENSOR),
        lambda n, h: n.nvmlDeviceGetTemperature(h, _SENSOR),
    ),
    "clock_sm": (lambda n, h: n.nvmlDeviceGetClockInfo(h, _CLOCK_SM),),
    "clock_memory": (lambda n, h: n.nvmlDeviceGetClockInfo(h, _CLOCK_MEMORY),),
    "throttle": (
        lambda n, h: throttles_of(n.nvmlDeviceGetCurrentClocksEventReasons(h)),
        lambda n, h: throttles_of(n.nvmlDeviceGetCurrentClocksThrottleReasons(h)),
    ),
    "processes": (processes_of,),
}
# Each blocks for 20 ms or so, or hardly changes.
_SLOW: Final[dict[str, tuple[Call, ...]]] = {
    "pcie": (lambda n, h: _pcie(n, h),),
    "pcie_rx": (lambda n, h: n.nvmlDeviceGetPcieThroughput(h, _RX) * 1000,),
    "pcie_tx": (lambda n, h: n.nvmlDeviceGetPcieThroughput(h, _TX) * 1000,),
    "nvlink": (links_of,),
}


class CollapseError(Exception):
    """NVML answers nothing any more; `code` is its error number."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _LostError(Exception):
    """The GPU was lost between two questions."""


class GpuReader:
    """One GPU, by its handle, for as long as NVML stays initialised.

    Attributes:
        nvml: the module pynvml, or what stands for it.
        wsl: whether the driver is that of Windows.
    """

    def __init__(self, nvml: Any, handle: Any, index: int, *, wsl: bool = False) -> None:
        self.nvml = nvml
        self.handle = handle
        self.wsl = wsl
        self._missing: dict[str, Missing] = {}
        self._mig = False
        self._counters: tuple[float, int, int] | None = None
        self._slow: GpuReading = GpuReading(index)
        self._slow_missing = dict.fromkeys((*_SLOW, "nvlink_rx", "nvlink_tx"), Missing.NOT_YET)
        self._steady, self._steady_missing = self._read_steady(index)

    @property
    def identity(self) -> GpuReading:
        """What never changes: index, UUID, name, address, capability and limits."""
        return replace(self._steady, missing=self._steady_missing)

    def move_to(self, index: int) -> None:
        """Take another place in the order."""
        self._steady = replace(self._steady, index=index)

    def read(self, now: float, *, slowly: bool = False) -> GpuReading:
        """The GPU now.

        Args:
            now: seconds on a monotonic clock.
            slowly: read what blocks, too; else that is what it was when last read.

        Raises:
            CollapseError: NVML itself does not answer any more.
        """
        self._missing = {}
        try:
            values = self._read_memory()
            values |= self._ask_all(_CHANGING)
            values |= self._read_utilisation()
            if slowly:
                self._read_slow(now)
        except _LostError:
            return lost(self.identity)
        missing = {**self._steady_missing, **self._slow_missing, **self._missing}
        if values.pop("unified", False):
            for name in ("memory_total", "memory_used", "memory_reserved", "memory_bandwidth"):
                if name in missing:
                    missing[name] = Missing.UNIFIED
            values["unified"] = True
        slow = self._slow
        reading = replace(
            self._steady,
            **values,
            pcie=slow.pcie,
            pcie_rx=slow.pcie_rx,
            pcie_tx=slow.pcie_tx,
            nvlink=slow.nvlink,
            nvlink_rx=slow.nvlink_rx,
            nvlink_tx=slow.nvlink_tx,
        )
        return replace(reading, missing=missing)

    def _read_steady(self, index: int) -> tuple[GpuReading, dict[str, Missing]]:
        try:
            self._mig = bool(self._ask("mig", (lambda n, h: n.nvmlDeviceGetMigMode(h)[0],)))
            self._missing.pop("mig", None)  # a GPU that cannot be split is not split
            values = self._ask_all(_STEADY)
            width = self._ask("memory_bandwidth", (lambda n, h: n.nvmlDeviceGetMemoryBusWidth(h),))
        except _LostError:
            return lost(GpuReading(index)), {}
        clock = values.get("clock_memory_max")
        if width and clock:
            values["memory_bandwidth"] = width / 8 * clock * _MEGA * 2
        elif "memory_bandwidth" not in self._missing:
            self._missing["memory_bandwidth"] = Missing.NOT_SUPPORTED
        return GpuReading(index, mig=self._mig, **values), self._missing

    def _read_memory(self) -> dict[str, Any]:
        both = self._ask(
            "memory_reserved",
            (lambda n, h: n.nvmlDeviceGetMemoryInfo(h, n.nvmlMemory_v2),),
        )
        values: dict[str, Any] = {}
        if both is not None:
            values.update(
                memory_total=int(both.total),
                memory_used=int(both.used),
                memory_reserved=int(both.reserved),
            )
        else:
            # The first version counts the reserve as used.
            plain = self._ask("memory_total", (lambda n, h: n.nvmlDeviceGetMemoryInfo(h),))
            if plain is not None:
                values.update(memory_total=int(plain.total), memory_used=int(plain.used))
            else:
                self._missing["memory_used"] = self._missing["memory_total"]
                # Only a GPU without memory of its own says this of both.
                values["unified"] = self._missing["memory_total"] is Missing.NOT_SUPPORTED
        if self._mig:
            values["mig_parts"] = self._ask("mig_parts", (mig_parts,)) or ()
        return values

    def _read_utilisation(self) -> dict[str, Any]:
        rates = self._ask("utilisation", (lambda n, h: n.nvmlDeviceGetUtilizationRates(h),))
        if rates is None:
            self._missing["memory_utilisation"] = self._missing["utilisation"]
            return {}
        return {"utilisation": int(rates.gpu), "memory_utilisation": int(rates.memory)}

    def _read_slow(self, now: float) -> None:
        before, self._missing = self._missing, {}
        try:
            values = self._ask_all(_SLOW)
            values |= self._read_nvlink_rates(now, bool(values.get("nvlink")))
            self._slow = GpuReading(self._steady.index, **values)
            self._slow_missing = self._missing
        finally:
            self._missing = before

    def _read_nvlink_rates(self, now: float, linked: bool) -> dict[str, int]:
        """Bytes a second from two counters that only grow."""
        rates = ("nvlink_rx", "nvlink_tx")
        if not linked:
            reason = self._missing.get("nvlink", Missing.NOT_SUPPORTED)
            self._missing.update(dict.fromkeys(rates, reason))
            return {}
        counted = self._ask("nvlink_rx", (_nvlink_counters,))
        last, self._counters = self._counters, None
        if counted is None:
            self._missing["nvlink_tx"] = self._missing["nvlink_rx"]
            return {}
        self._counters = (now, *counted)
        if last is None or now <= last[0]:
            self._missing.update(dict.fromkeys(rates, Missing.NOT_YET))
            return {}
        seconds = now - last[0]
        return {
            name: max(0, round((new - old) * _KIB / seconds))
            for name, new, old in zip(rates, counted, last[1:], strict=True)
        }

    def _ask_all(self, questions: dict[str, tuple[Call, ...]]) -> dict[str, Any]:
        values = {name: self._ask(name, calls) for name, calls in questions.items()}
        return {name: value for name, value in values.items() if value is not None}

    def _ask(self, name: str, calls: tuple[Call, ...]) -> Any:
        """The answer of the first of `calls` that gives one; None with the reason noted."""
        for call in calls:
            try:
                answer = call(self.nvml, self.handle)
                self._missing.pop(name, None)
                return answer
            except self.nvml.NVMLError as error:
                code = int(error.value)
                if code in LOSSES:
                    raise _LostError from None
                if code in COLLAPSES:
                    raise CollapseError(code) from None
                self._missing[name] = nvml_errors.missing(code, wsl=self.wsl, mig=self._mig)
                if code not in TRY_ANOTHER:
                    return None
            except (ValueError, AttributeError):  # text that is none; bindings without the call
                self._missing[name] = Missing.UNKNOWN
        return None


def lost(identity: GpuReading) -> GpuReading:
    """The reading of a GPU that was there and is not: only what never changes is told."""
    steady = {"index", "missing", "lost", "mig", "mig_parts", "unified"}
    names = [name for name in GpuReading.__slots__ if name not in steady]
    missing = {name: Missing.LOST for name in names if getattr(identity, name) is None}
    return replace(identity, lost=True, missing=missing)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _pcie(nvml: Any, handle: Any) -> PcieLink:
    def most(call: Callable[[Any], int]) -> int | None:
        try:
            return int(call(handle))
        except nvml.NVMLError as error:
            if error.value in LOSSES | COLLAPSES:
                raise
            return None

    return PcieLink(
        generation=int(nvml.nvmlDeviceGetCurrPcieLinkGeneration(handle)),
        width=int(nvml.nvmlDeviceGetCurrPcieLinkWidth(handle)),
        max_generation=most(nvml.nvmlDeviceGetMaxPcieLinkGeneration),
        max_width=most(nvml.nvmlDeviceGetMaxPcieLinkWidth),
    )


def _nvlink_counters(nvml: Any, handle: Any) -> tuple[int, int]:
    """KiB received and sent over all links since the driver started."""
    fields = nvml.nvmlDeviceGetFieldValues(
        handle, [(_NVLINK_RX_FIELD, _ALL_LINKS), (_NVLINK_TX_FIELD, _ALL_LINKS)]
    )
    for field in fields:
        if field.nvmlReturn:
            raise nvml.NVMLError(field.nvmlReturn)
    received, sent = (int(field.value.ullVal) for field in fields)
    return received, sent
