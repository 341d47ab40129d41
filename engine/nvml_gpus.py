"""What the GPUs are and have left, for the engine's own defaults: through NVML, before CUDA.

The window reads the same and more (`desktop.hardware`); the engine knows nothing of the window.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from engine.planner.cards import bandwidth_of
from engine.planner.machine import Gpu


def read_gpus(environ: Mapping[str, str] | None = None, nvml: Any = None) -> tuple[Gpu, ...]:
    """The GPUs that CUDA may use, in the order of the PCI bus; none where NVML does not answer.

    Args:
        environ: where CUDA_VISIBLE_DEVICES is looked for.
        nvml: the module pynvml, or what stands in for it.
    """
    try:
        driver = nvml or _nvml()
        driver.nvmlInit()
    except Exception:  # no library, no driver, one that does not fit: all the same here
        return ()
    try:
        gpus = {index: _read(driver, index) for index in range(driver.nvmlDeviceGetCount())}
    except Exception:
        return ()
    finally:
        driver.nvmlShutdown()
    return _visible(gpus, os.environ if environ is None else environ)


def _nvml() -> Any:
    import pynvml

    return pynvml


def _read(nvml: Any, index: int) -> Gpu | None:
    """None for one that has been lost: the others are there for all that."""
    try:
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
        name = nvml.nvmlDeviceGetName(handle)
    except Exception:
        return None
    name = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    total: int | None
    total, reserved, used = None, 0, 0
    try:
        memory = nvml.nvmlDeviceGetMemoryInfo(handle, version=nvml.nvmlMemory_v2)
        total, reserved, used = int(memory.total), int(memory.reserved), int(memory.used)
    except Exception:
        try:  # the older call counts the driver's own memory as used
            memory = nvml.nvmlDeviceGetMemoryInfo(handle)
            total, used = int(memory.total), int(memory.used)
        except Exception:
            total = None  # it shares the host's memory
    try:
        major, minor = nvml.nvmlDeviceGetCudaComputeCapability(handle)
    except Exception:
        major = minor = 0
    return Gpu(index, name, total, reserved, used, (int(major), int(minor)), bandwidth_of(name))


def _visible(gpus: Mapping[int, Gpu | None], environ: Mapping[str, str]) -> tuple[Gpu, ...]:
    """Those that CUDA shows: it reads its list up to the first entry that names none."""
    told = environ.get("CUDA_VISIBLE_DEVICES")
    wanted: list[int] = list(gpus)
    if told is not None:
        numbers = [part.strip() for part in told.split(",")]
        if any(number.startswith(("GPU-", "MIG-")) for number in numbers):
            pass  # by UUID: vLLM counts the same ones itself
        else:
            wanted = []
            for number in numbers:
                if not number.isdecimal() or int(number) not in gpus:
                    break
                wanted.append(int(number))
    found = (gpus[index] for index in wanted)
    return tuple(gpu for gpu in found if gpu is not None)
