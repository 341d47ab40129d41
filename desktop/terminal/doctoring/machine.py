"""The machine itself: Python, processor, memory, /dev/shm, the NVIDIA driver."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.terminal.doctoring.findings import GIB, Finding, State, in_gib
from engine.failure_words import words

if TYPE_CHECKING:
    from desktop.hardware.readings import GpuReading, HardwareReading

PYTHONS: Final = ((3, 11), (3, 13))  # the first and the last that the engine is built for
LEAST_MEMORY: Final = 3 * GIB  # the starter model, its engine and a desktop
LEAST_SHM: Final = 256 * 1024**2  # two workers want 160 MiB
SETUP: Final = "./packaging/run --setup-only"

# Names that are the same in every language.
PYTHON: Final = "Python"
SHM: Final = "/dev/shm"

_PROCESSOR: Final = words("Processor")
_MEMORY: Final = words("Memory")
_DRIVER: Final = words("NVIDIA driver")
_BUILD: Final = words("Engine build")

_PYTHON: Final = words("Python {version} in {folder}.")
_WRONG_PYTHON: Final = words("Python {version} in {folder}. The engine needs 3.11 to 3.13.")
_SET_PYTHON: Final = words("Set INGLENOOK_PYTHON to one of 3.11 to 3.13 and run {command}.")

_UNTRIED: Final = words("{name}, {cores} cores: models on the processor are untried here.")
_NO_AVX2: Final = words("{name}, {cores} cores, without AVX2: the engine's CPU build needs it.")
_USE_GPU: Final = words("Use a machine with an NVIDIA GPU, or a processor made after 2013.")
_CORES: Final = words("{name}, {cores} cores ({flags}). AWQ models on it use {kernel}.")
_VLLM_KERNEL: Final = words("vLLM's INT4 kernel (AVX-512)")
_OWN_KERNEL: Final = words("Inglenook's INT4 kernel (AVX2)")

_FREE_MEMORY: Final = words("{free} of {total} are free.")
_CLOSE_PROGRAMS: Final = words("Close other programs: even the starter model wants about 3 GiB.")
_SHM: Final = words("{free} are free.")
_NO_SHM: Final = words("It cannot be used ({reason}).")
_MOUNT_SHM: Final = words("Mount a tmpfs there; in a container, give it --shm-size=2g.")
_CLOSED_SHM: Final = words("{free} are free. You may not write there.")
_SMALL_SHM: Final = words("{free} are free. A model that is split over two devices wants 160 MiB.")
_CLEAR_SHM: Final = words("Remove files left there; in a container, give it --shm-size=2g.")

_DRIVER_IS: Final = words("Version {version}, for CUDA up to {cuda}.")
_UNUSABLE: Final = words("The driver is not usable ({reason}).")
_MEND_DRIVER: Final = words("Put the driver in order, or use the processor: {command}")
_NO_DRIVER: Final = words("There is none, and none is needed: models run on the processor.")

_UNNAMED: Final = words("unknown")
_LOST: Final = words("It no longer answers.")
_NAMED_LOST: Final = words("{name} no longer answers.")
_RESTART: Final = words("Restart the computer; if it comes back, look at power supply and slot.")
# By what the driver tells of a GPU: its memory, how much of that is in use, its capability.
_GPU_TEXTS: Final = {
    (False, False, False): words("{device}: nothing more is known of it."),
    (True, False, False): words("{device}, {total} of memory."),
    (True, True, False): words("{device}, {total}, {used} in use."),
    (False, False, True): words("{device}, compute capability {capability}. {kernels}"),
    (True, False, True): words("{device}, {total}, compute capability {capability}. {kernels}"),
    (True, True, True): words(
        "{device}, {total}, {used} in use, compute capability {capability}. {kernels}"
    ),
}
_NO_AWQ: Final = words("It is too old for AWQ models.")
_ONLY_FLOAT16: Final = words("AWQ models on it use Marlin, in float16 only.")
_MACHETE: Final = words("AWQ models on it use Machete or Marlin.")
_MARLIN: Final = words("AWQ models on it use Marlin.")
_UNQUANTISED: Final = words("Use unquantised models in float16, or another GPU.")

_FOR_GPUS: Final = words("It is the one for NVIDIA GPUs.")
_FOR_PROCESSORS: Final = words("It is the one for processors.")
_GPUS_SILENT: Final = words(
    "It is the one for NVIDIA GPUs. No GPU answers, so it cannot load a model."
)
_GPU_UNUSED: Final = words("It is the one for processors. There is a GPU that it does not use.")


def python() -> Finding:
    """Which Python runs this."""
    version = sys.version_info[:2]
    fits = PYTHONS[0] <= version <= PYTHONS[1]
    template = _PYTHON if fits else _WRONG_PYTHON
    text = template.format(version=platform.python_version(), folder=sys.prefix)
    if fits:
        return Finding(PYTHON, State.OK, text)
    return Finding(PYTHON, State.PROBLEM, text, _SET_PYTHON.format(command=SETUP))


def processor(cpuinfo: Path = Path("/proc/cpuinfo"), machine: str = "") -> Finding:
    """Its instructions, and which kernel multiplies quantised weights on it."""
    machine = machine or platform.machine()
    flags, name = _flags(cpuinfo)
    cores = len(os.sched_getaffinity(0))
    if machine != "x86_64":
        text = _UNTRIED.format(name=name or machine, cores=cores)
        return Finding(_PROCESSOR, State.WARNING, text)
    if "avx2" not in flags:
        text = _NO_AVX2.format(name=name or machine, cores=cores)
        return Finding(_PROCESSOR, State.PROBLEM, text, _USE_GPU)
    if "avx512f" in flags:
        kernel = _VLLM_KERNEL
        known: list[str] = [
            flag for flag in ("avx512f", "avx512_bf16", "amx_bf16") if flag in flags
        ]
    else:
        kernel = _OWN_KERNEL
        known = ["avx2"]
    text = _CORES.format(name=name or machine, cores=cores, flags=", ".join(known), kernel=kernel)
    return Finding(_PROCESSOR, State.OK, text)


def _flags(cpuinfo: Path) -> tuple[frozenset[str], str]:
    flags: frozenset[str] = frozenset()
    name = ""
    for line in cpuinfo.read_text(errors="replace").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name" and not name:
            name = " ".join(value.split())
        elif key.strip() in ("flags", "Features") and not flags:
            flags = frozenset(value.split())
    return flags, name


def memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    """How much RAM is free."""
    sizes = {}
    for line in meminfo.read_text().splitlines():
        name, _, rest = line.partition(":")
        sizes[name] = int(rest.split()[0]) * 1024
    free, total = sizes["MemAvailable"], sizes["MemTotal"]
    text = _FREE_MEMORY.format(free=in_gib(free), total=in_gib(total))
    if free >= LEAST_MEMORY:
        return Finding(_MEMORY, State.OK, text)
    return Finding(_MEMORY, State.WARNING, text, _CLOSE_PROGRAMS)


def shared_memory(place: Path = Path(SHM)) -> Finding:
    """Where the engine's processes meet."""
    try:
        state = os.statvfs(place)
    except OSError as error:
        return Finding(SHM, State.PROBLEM, _NO_SHM.format(reason=error.strerror), _MOUNT_SHM)
    free = state.f_bavail * state.f_frsize
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding(SHM, State.PROBLEM, _CLOSED_SHM.format(free=in_gib(free)), "chmod 1777")
    if free < LEAST_SHM:
        return Finding(SHM, State.WARNING, _SMALL_SHM.format(free=in_gib(free)), _CLEAR_SHM)
    return Finding(SHM, State.OK, _SHM.format(free=in_gib(free)))


def driver(reading: HardwareReading | None = None) -> tuple[Finding, ...]:
    """The NVIDIA driver, its GPUs, and whether the installed engine is the one for them."""
    from desktop.hardware.readings import Driver

    if reading is None:
        from desktop.hardware.nvml import read_once

        reading = read_once()
    cuda_build = not _is_cpu_build()
    state = reading.driver
    found: list[Finding] = []
    if state.kind is Driver.OK:
        version = ".".join(map(str, state.cuda)) if state.cuda else "?"
        text = _DRIVER_IS.format(version=state.version or "?", cuda=version)
        found.append(Finding(_DRIVER, State.OK, text))
    elif cuda_build:
        text = state.text or _UNUSABLE.format(reason=state.kind)
        advice = _MEND_DRIVER.format(command=f"INGLENOOK_FLAVOUR=cpu {SETUP}")
        found.append(Finding(_DRIVER, State.PROBLEM, text, advice))
    elif state.kind in (Driver.ABSENT, Driver.NO_GPU):
        found.append(Finding(_DRIVER, State.OK, _NO_DRIVER))
    else:
        text = state.text or _UNUSABLE.format(reason=state.kind)
        found.append(Finding(_DRIVER, State.WARNING, text))
    found.extend(_gpu(gpu) for gpu in reading.gpus)
    found.append(_flavour(cuda_build, usable=state.kind is Driver.OK and bool(reading.gpus)))
    return tuple(found)


def _gpu(gpu: GpuReading) -> Finding:
    name = f"GPU {gpu.index}" if gpu.index >= 0 else "GPU"
    if gpu.lost:
        text = _NAMED_LOST.format(name=gpu.name) if gpu.name else _LOST
        return Finding(name, State.PROBLEM, text, _RESTART)
    total, used, capability = gpu.memory_total, gpu.memory_used, gpu.capability
    told = (total is not None, total is not None and used is not None, capability is not None)
    text = _GPU_TEXTS[told].format(
        device=gpu.name or _UNNAMED,
        total=in_gib(total or 0),
        used=in_gib(used or 0),
        capability=".".join(map(str, capability or ())),
        kernels=_gpu_kernels(capability) if capability else "",
    )
    if capability is None:
        return Finding(name, State.NOTE, text)
    if capability < (7, 5):
        return Finding(name, State.WARNING, text, _UNQUANTISED)
    return Finding(name, State.OK, text)


def _gpu_kernels(capability: tuple[int, int]) -> str:
    """As vLLM 0.32 chooses by compute capability: Marlin from 7.5, Machete on Hopper."""
    if capability < (7, 5):
        return _NO_AWQ
    if capability < (8, 0):
        return _ONLY_FLOAT16
    if capability[0] == 9:
        return _MACHETE
    return _MARLIN


def _is_cpu_build() -> bool:
    from engine.environment import is_cpu_build

    return is_cpu_build(Path(sys.prefix))


def _flavour(cuda_build: bool, *, usable: bool) -> Finding:
    if cuda_build and not usable:
        return Finding(_BUILD, State.PROBLEM, _GPUS_SILENT, f"INGLENOOK_FLAVOUR=cpu {SETUP}")
    if not cuda_build and usable:
        return Finding(_BUILD, State.WARNING, _GPU_UNUSED, f"INGLENOOK_FLAVOUR=cuda {SETUP}")
    return Finding(_BUILD, State.OK, _FOR_GPUS if cuda_build else _FOR_PROCESSORS)
