"""The last minutes of every reading, for plots. Pure, and of bounded memory.

All series have their times in common: a series without a reading at a time has a gap there (NaN),
as has one whose GPU is lost or whose engine is gone.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from desktop.hardware.readings import GpuReading, HardwareReading
from desktop.models.monitor.frames import EngineFrame, MonitorFrame

SECONDS: Final = 300.0
PER_SECOND: Final = 4
GAP_S: Final = 6.5  # a longer silence is a gap
STALE_S: Final = 12.0  # a reading of the hardware is good for so long: a driver may hang
MOST_SERIES: Final = 512
NAN: Final = float("nan")

GPU_FIELDS: Final = (
    "utilisation",
    "memory_utilisation",
    "memory_used",
    "power",
    "temperature",
    "clock_sm",
    "clock_memory",
    "pcie_rx",
    "pcie_tx",
    "nvlink_rx",
    "nvlink_tx",
)
ENGINE_FIELDS: Final = (
    "generation_tps",
    "prompt_tps",
    "running",
    "waiting",
    "preempted",
    "kv_used",
    "kv_cached",
    "prefix_hit_rate",
    "ttft_p50",
    "ttft_p90",
    "itl_p50",
    "itl_p90",
    "resident_bytes",
)
HOST_FIELDS: Final = ("load", "swap_used")  # and "ram_used"

Series = tuple["array[float]", "array[float]"]


class History:
    """See the module.

    Series are named by what they are of and by the reading's field: "gpu0.utilisation",
    "gpu1.power" (`GPU_FIELDS`, in the units of `GpuReading`), "engine1.generation_tps"
    (`ENGINE_FIELDS`, in the units of `Telemetry`), "host.load", "host.ram_used", "host.swap_used".

    Args:
        seconds: how long a reading is kept.
        per_second: readings at most; with more of them, the oldest go before their time.
    """

    def __init__(self, seconds: float = SECONDS, per_second: int = PER_SECOND) -> None:
        self.seconds = seconds
        self._rows = max(2, round(seconds * per_second) + 1)
        self._times: array[float] = array("d")
        self._values: dict[str, array[float]] = {}
        self._frozen: tuple[float, dict[str, Series]] | None = None
        self._hardware: HardwareReading | None = None
        self._hardware_at = 0.0
        self._places: dict[str, int] = {}  # of GPUs, by their UUID

    # --- what is written -----------------------------------------------------------------

    def take(self, frame: MonitorFrame) -> None:
        """Enter a frame's readings at its time."""
        if frame.hardware is not None:
            self._hardware, self._hardware_at = frame.hardware, frame.at
        values: dict[str, float | None] = {}
        if self._hardware is not None and frame.at - self._hardware_at <= STALE_S:
            self._read_hardware(self._hardware, values)
        for engine in frame.engines:
            _read_engine(engine, values)
        self.append(frame.at, values)

    def append(self, at: float, values: Mapping[str, float | None]) -> None:
        """Enter readings at a time; one that is not later than the last is left out."""
        last = self._times[-1] if self._times else float("-inf")
        if not math.isfinite(at) or at <= last:
            return
        if self._times and at - last > GAP_S:
            self._add(math.nextafter(last, at), {})
        self._add(at, values)

    def clear(self) -> None:
        """Forget all, and any pause."""
        self._times, self._values = array("d"), {}
        self._frozen = self._hardware = None
        self._places.clear()

    # --- what is read --------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Of all series, in the order in which they came."""
        return tuple(self._frozen[1] if self._frozen is not None else self._values)

    @property
    def now(self) -> float:
        """The time of the newest reading that is shown; 0 before the first."""
        if self._frozen is not None:
            return self._frozen[0]
        return self._times[-1] if self._times else 0.0

    def series(self, name: str) -> Series:
        """Times and values of the last `seconds`, the newest last; gaps are NaN.

        Both are empty where there is no such series. They are the caller's own.
        """
        if self._frozen is not None:
            return self._frozen[1].get(name) or (array("d"), array("d"))
        return self._slice(name)

    def latest(self, name: str) -> float | None:
        """The newest value that is shown; None: a gap, or no such series."""
        _, values = self.series(name)
        return None if not values or math.isnan(values[-1]) else values[-1]

    @property
    def is_paused(self) -> bool:
        """Whether what is read stands still."""
        return self._frozen is not None

    def set_paused(self, paused: bool) -> None:
        """Have what is read stand still, while readings go on; or show all of them again."""
        if paused and self._frozen is None:
            now = self.now
            self._frozen = now, {name: self._slice(name) for name in self._values}
        elif not paused:
            self._frozen = None

    # --- inside --------------------------------------------------------------------------

    def _slice(self, name: str) -> Series:
        values = self._values.get(name)
        if values is None:
            return array("d"), array("d")
        first = bisect_left(self._times, self._times[-1] - self.seconds)
        return self._times[first:], values[first:]

    def _add(self, at: float, values: Mapping[str, float | None]) -> None:
        count = len(self._times)
        for name in values:
            if name not in self._values and len(self._values) < MOST_SERIES:
                self._values[name] = array("d", [NAN]) * count
        self._times.append(at)
        for name, column in self._values.items():
            value = values.get(name)
            column.append(NAN if value is None else value)
        if len(self._times) >= 2 * self._rows:  # not each time: it moves all that is kept
            self._trim()

    def _trim(self) -> None:
        over = len(self._times) - self._rows
        del self._times[:over]
        for name, column in list(self._values.items()):
            del column[:over]
            if all(map(math.isnan, column)):  # an engine or a GPU that is long gone
                del self._values[name]

    def _read_hardware(self, reading: HardwareReading, values: dict[str, float | None]) -> None:
        for gpu in sorted(reading.gpus, key=lambda gpu: gpu.lost):
            index = self._place(gpu)
            # A number may be another's by now: the one that answers counts.
            if index >= 0 and f"gpu{index}.{GPU_FIELDS[0]}" not in values:
                for field in GPU_FIELDS:
                    values[f"gpu{index}.{field}"] = None if gpu.lost else getattr(gpu, field)
        host = reading.host
        for field in HOST_FIELDS:
            values[f"host.{field}"] = getattr(host, field)
        if host.ram_total is not None and host.ram_available is not None:
            values["host.ram_used"] = host.ram_total - host.ram_available

    def _place(self, gpu: GpuReading) -> int:
        """A GPU's number; of one that fell off the bus, the one that it had."""
        if gpu.uuid is None:
            return gpu.index
        if gpu.index >= 0:
            self._places[gpu.uuid] = gpu.index
        return self._places.get(gpu.uuid, gpu.index)


def _read_engine(engine: EngineFrame, values: dict[str, float | None]) -> None:
    reading = engine.telemetry
    for field in ENGINE_FIELDS:
        values[f"engine{engine.key}.{field}"] = None if reading is None else getattr(reading, field)
