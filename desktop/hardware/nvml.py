"""NVML from its start to its end, through nvidia-ml-py, and again after a GPU was lost.

NVML counts who has started it, and a start after a loss helps only once everyone has let go.
So there is one user of it in this process at a time: `NvmlReader` holds a lock while it reads,
and shares one start with the others.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from desktop.hardware import nvml_errors
from desktop.hardware.gpu_links import read_links
from desktop.hardware.gpu_reader import CollapseError, GpuReader, lost
from desktop.hardware.host import HostReader
from desktop.hardware.nvml_errors import COLLAPSES, CUDA_NEEDED, LOSSES
from desktop.hardware.readings import (
    Driver,
    DriverState,
    GpuLink,
    GpuReading,
    HardwareReading,
    Missing,
)

SLOW_SECONDS: Final = 5.0  # between readings of what blocks
RETRY_SECONDS: Final = 5.0  # between starts of NVML after one went wrong
RETRY_MOST: Final = 60.0  # the pause doubles up to this
_WSL_LIBRARY: Final = Path("/usr/lib/wsl/lib/libnvidia-ml.so.1")
_KERNEL: Final = Path("/proc/sys/kernel/osrelease")

_alone = threading.Lock()


def read_once(host: HostReader | None = None) -> HardwareReading:
    """Everything that can be read without waiting, once; takes some 100 ms: not for the GUI."""
    reader = NvmlReader()
    try:
        return reader.read(host)
    finally:
        reader.close()


class NvmlReader:
    """Reads all GPUs, as often as asked; starts NVML when first asked, and anew after a loss.

    A GPU that was seen once is told of until `close`: as lost while it does not answer.

    Args:
        slow_every: seconds between readings of what blocks (PCIe throughput, some 20 ms each).
        retry_after: seconds before NVML is started again after it failed; doubles each time.
        clock: a monotonic clock.
    """

    def __init__(
        self,
        *,
        slow_every: float = SLOW_SECONDS,
        retry_after: float = RETRY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._slow_every = slow_every
        self._retry_after = retry_after
        self._clock = clock
        self._nvml: Any = None  # the module, while NVML is started
        self._state = nvml_errors.state(Driver.ABSENT)
        self._gpus: list[GpuReader | GpuReading] = []  # a reading: one that cannot be asked
        self._links: tuple[GpuLink, ...] = ()
        self._known: dict[str, GpuReading] = {}  # by UUID: all that were ever there
        self._next_start = 0.0
        self._failures = 0
        self._troubled = False
        self._next_slow: float | None = None
        self._wsl = _is_wsl()

    def read(self, host: HostReader | None = None) -> HardwareReading:
        """A reading now, of the host too; never raises for what the driver does."""
        with _alone:
            gpus = self._read_gpus()
        return HardwareReading(
            driver=self._state,
            gpus=gpus,
            host=(host or HostReader()).read(),
            links=self._links,
            time=self._clock(),
        )

    def close(self) -> None:
        """Let go of NVML. The reader can be used again."""
        with _alone:
            self._stop()
        self._known.clear()
        self._failures = 0
        self._troubled = False
        self._next_start = 0.0

    def _read_gpus(self) -> tuple[GpuReading, ...]:
        now = self._clock()
        if now >= self._next_start and (self._nvml is None or self._troubled):
            self._stop()  # a start finds a lost GPU again only after an end
            self._start(now)
        if self._nvml is None:
            return self._with_vanished([])
        slowly = self._next_slow is not None and now >= self._next_slow
        if slowly or self._next_slow is None:
            # Not at first: the first reading is waited for.
            self._next_slow = now + (self._slow_every if slowly else 0.0)
        try:
            gpus = [
                gpu.read(now, slowly=slowly) if isinstance(gpu, GpuReader) else gpu
                for gpu in self._gpus
            ]
        except CollapseError as collapse:
            self._fail(collapse.code, now)
            return self._with_vanished([])
        self._gpus = [
            read if read.lost else gpu for gpu, read in zip(self._gpus, gpus, strict=True)
        ]
        complete = self._with_vanished(gpus)
        self._note_troubles(complete, now)
        return complete

    def _note_troubles(self, gpus: tuple[GpuReading, ...], now: float) -> None:
        """Plan another start of NVML while a GPU is lost or says nothing of use."""
        troubled = any(
            gpu.lost or gpu.missing.get("memory_total") is Missing.UNKNOWN for gpu in gpus
        )
        if troubled and now >= self._next_start:
            self._wait(now)
        elif not troubled:
            self._failures = 0
        self._troubled = troubled
        if gpus and all(gpu.lost for gpu in gpus):
            # Until NVML is started again, which says how things are then.
            state = self._state
            self._state = nvml_errors.state(
                Driver.LOST, wsl=state.wsl, version=state.version, cuda=state.cuda
            )

    def _start(self, now: float) -> None:
        nvml = _bindings()
        if nvml is None:
            self._state = nvml_errors.state(Driver.NO_BINDINGS, wsl=self._wsl)
            self._wait(now)
            return
        try:
            if self._wsl:
                _load_wsl_library()
            nvml.nvmlInit()
        except nvml.NVMLError as error:
            self._fail(int(error.value), now)
            return
        self._nvml = nvml
        try:
            self._look(nvml)
        except nvml.NVMLError as error:
            self._fail(int(error.value), now)
        except CollapseError as collapse:
            self._fail(collapse.code, now)

    def _look(self, nvml: Any) -> None:
        """Find the GPUs and what lies between them."""
        count = nvml.nvmlDeviceGetCount()
        found = [self._find(nvml, number) for number in range(count)]
        self._gpus = _in_bus_order(found)
        handles = [
            (gpu.identity.index, gpu.handle) for gpu in self._gpus if isinstance(gpu, GpuReader)
        ]
        self._links = read_links(nvml, handles, wsl=self._wsl)
        self._next_slow = None
        self._state = self._driver_state(nvml, count)
        for gpu in self._gpus:
            identity = gpu.identity if isinstance(gpu, GpuReader) else gpu
            if identity.uuid and not identity.lost:
                self._known[identity.uuid] = identity

    def _find(self, nvml: Any, number: int) -> GpuReader | GpuReading:
        try:
            return GpuReader(nvml, nvml.nvmlDeviceGetHandleByIndex(number), number, wsl=self._wsl)
        except nvml.NVMLError as error:
            code = int(error.value)
            if code in COLLAPSES:
                raise
            if code in LOSSES:
                return lost(self._known_at(number) or GpuReading(number))
            return _unreadable(number, nvml_errors.missing(code, wsl=self._wsl))

    def _known_at(self, number: int) -> GpuReading | None:
        return next((gpu for gpu in self._known.values() if gpu.index == number), None)

    def _with_vanished(self, gpus: list[GpuReading]) -> tuple[GpuReading, ...]:
        """`gpus` and those that were there once and are among them no more."""
        there = {gpu.uuid for gpu in gpus}
        gone = [
            # While NVML is not started all are gone, and keep their places.
            lost(replace(gpu, index=-1 if gpus else gpu.index))
            for uuid, gpu in self._known.items()
            if uuid not in there
        ]
        return (*gpus, *gone)

    def _driver_state(self, nvml: Any, count: int) -> DriverState:
        version = str(_told(nvml, nvml.nvmlSystemGetDriverVersion) or "")
        number = _told(nvml, nvml.nvmlSystemGetCudaDriverVersion_v2)
        if number is None:
            number = _told(nvml, nvml.nvmlSystemGetCudaDriverVersion)
        # NVML writes CUDA 13.0 as 13000.
        cuda = (int(number) // 1000, int(number) % 1000 // 10) if number else None
        if count == 0:
            kind = Driver.NO_GPU
        elif cuda is not None and cuda < CUDA_NEEDED:
            kind = Driver.TOO_OLD
        else:
            kind = Driver.OK
        return nvml_errors.state(kind, wsl=self._wsl, version=version, cuda=cuda)

    def _fail(self, code: int, now: float) -> None:
        self._stop()
        self._state = nvml_errors.failed_state(code, wsl=self._wsl, version=self._state.version)
        self._wait(now)

    def _wait(self, now: float) -> None:
        self._next_start = now + min(RETRY_MOST, self._retry_after * 2**self._failures)
        self._failures = min(self._failures + 1, 16)

    def _stop(self) -> None:
        nvml, self._nvml = self._nvml, None
        self._gpus = []
        self._links = ()
        if nvml is not None:
            _told(nvml, nvml.nvmlShutdown)


def _in_bus_order(gpus: list[GpuReader | GpuReading]) -> list[GpuReader | GpuReading]:
    """As CUDA counts with CUDA_DEVICE_ORDER=PCI_BUS_ID, which the engine is started with."""

    def address(gpu: GpuReader | GpuReading) -> str | None:
        return (gpu.identity if isinstance(gpu, GpuReader) else gpu).bus_id

    if any(address(gpu) is None for gpu in gpus):
        return gpus  # NVML's own order is the same nearly always
    ordered: list[GpuReader | GpuReading] = []
    for index, gpu in enumerate(sorted(gpus, key=lambda gpu: address(gpu) or "")):
        if isinstance(gpu, GpuReader):
            gpu.move_to(index)
            ordered.append(gpu)
        else:
            ordered.append(replace(gpu, index=index))
    return ordered


def _unreadable(index: int, reason: Missing) -> GpuReading:
    reading = lost(GpuReading(index))
    return replace(reading, lost=False, missing=dict.fromkeys(reading.missing, reason))


def _bindings() -> ModuleType | None:
    """Pynvml, imported only here and now: no start of the program waits for it."""
    try:
        import pynvml
    except ImportError:
        return None
    return pynvml  # type: ignore[no-any-return]


def _told(nvml: Any, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (nvml.NVMLError, ValueError):
        return None


def _is_wsl() -> bool:
    try:
        return "microsoft" in _KERNEL.read_text().lower()
    except OSError:
        return False


def _load_wsl_library() -> None:
    """WSL keeps the library outside of the loader's path in some distributions.

    Once it is loaded, the loader answers pynvml's call for its SONAME with it.
    """
    try:
        ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        try:
            ctypes.CDLL(str(_WSL_LIBRARY))
        except OSError:
            return
