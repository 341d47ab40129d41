"""The machine itself: Python, processor, memory, /dev/shm, the NVIDIA driver."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.terminal.doctoring.findings import GIB, Finding, State, in_gib

if TYPE_CHECKING:
    from desktop.hardware.readings import GpuReading, HardwareReading

PYTHONS: Final = ((3, 11), (3, 13))  # the first and the last that the engine is built for
LEAST_MEMORY: Final = 3 * GIB  # the starter model, its engine and a desktop
LEAST_SHM: Final = 256 * 1024**2  # two workers want 160 MiB
SETUP: Final = "./packaging/run --setup-only"


def python() -> Finding:
    """Which Python runs this."""
    version = sys.version_info[:2]
    text = f"Python {platform.python_version()} in {sys.prefix}."
    if PYTHONS[0] <= version <= PYTHONS[1]:
        return Finding("Python", State.OK, text)
    wanted = "3.11 to 3.13"
    advice = f"Set INGLENOOK_PYTHON to one of {wanted} and run {SETUP}."
    return Finding("Python", State.PROBLEM, f"{text} The engine needs {wanted}.", advice)


def processor(cpuinfo: Path = Path("/proc/cpuinfo"), machine: str = "") -> Finding:
    """Its instructions, and which kernel multiplies quantised weights on it."""
    machine = machine or platform.machine()
    flags, name = _flags(cpuinfo)
    cores = len(os.sched_getaffinity(0))
    if machine != "x86_64":
        text = f"{name or machine}, {cores} cores: models on the processor are untried here."
        return Finding("Processor", State.WARNING, text)
    if "avx2" not in flags:
        return Finding(
            "Processor",
            State.PROBLEM,
            f"{name}, {cores} cores, without AVX2: the engine's CPU build needs it.",
            "Use a machine with an NVIDIA GPU, or a processor made after 2013.",
        )
    if "avx512f" in flags:
        kernel = "vLLM's INT4 kernel (AVX-512)"
        known: list[str] = [
            flag for flag in ("avx512f", "avx512_bf16", "amx_bf16") if flag in flags
        ]
    else:
        kernel = "Inglenook's INT4 kernel (AVX2)"
        known = ["avx2"]
    text = f"{name}, {cores} cores ({', '.join(known)}). AWQ models on it use {kernel}."
    return Finding("Processor", State.OK, text)


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
    text = f"{in_gib(free)} of {in_gib(total)} are free."
    if free >= LEAST_MEMORY:
        return Finding("Memory", State.OK, text)
    advice = "Close other programs: even the starter model wants about 3 GiB."
    return Finding("Memory", State.WARNING, text, advice)


def shared_memory(place: Path = Path("/dev/shm")) -> Finding:
    """Where the engine's processes meet."""
    try:
        state = os.statvfs(place)
    except OSError as error:
        return Finding(
            "/dev/shm",
            State.PROBLEM,
            f"It cannot be used ({error.strerror}).",
            "Mount a tmpfs there; in a container, give it --shm-size=2g.",
        )
    free = state.f_bavail * state.f_frsize
    text = f"{in_gib(free)} are free."
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding("/dev/shm", State.PROBLEM, f"{text} You may not write there.", "chmod 1777")
    if free < LEAST_SHM:
        return Finding(
            "/dev/shm",
            State.WARNING,
            f"{text} A model that is split over two devices wants 160 MiB.",
            "Remove files left there; in a container, give it --shm-size=2g.",
        )
    return Finding("/dev/shm", State.OK, text)


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
        text = f"Version {state.version or '?'}, for CUDA up to {version}."
        found.append(Finding("NVIDIA driver", State.OK, text))
    elif cuda_build:
        text = state.text or f"The driver is not usable ({state.kind})."
        advice = f"Put the driver in order, or use the processor: INGLENOOK_FLAVOUR=cpu {SETUP}"
        found.append(Finding("NVIDIA driver", State.PROBLEM, text, advice))
    elif state.kind in (Driver.ABSENT, Driver.NO_GPU):
        text = "There is none, and none is needed: models run on the processor."
        found.append(Finding("NVIDIA driver", State.OK, text))
    else:
        text = state.text or f"The driver is not usable ({state.kind})."
        found.append(Finding("NVIDIA driver", State.WARNING, text))
    found.extend(_gpu(gpu) for gpu in reading.gpus)
    found.append(_flavour(cuda_build, usable=state.kind is Driver.OK and bool(reading.gpus)))
    return tuple(found)


def _gpu(gpu: GpuReading) -> Finding:
    name = f"GPU {gpu.index}" if gpu.index >= 0 else "GPU"
    if gpu.lost:
        advice = "Restart the computer; if it comes back, look at power supply and slot."
        return Finding(name, State.PROBLEM, f"{gpu.name or 'It'} no longer answers.", advice)
    parts = [gpu.name or "unknown"]
    if gpu.memory_total is not None:
        parts.append(in_gib(gpu.memory_total))
        if gpu.memory_used is not None:
            parts.append(f"{in_gib(gpu.memory_used)} in use")
    if gpu.capability is None:
        return Finding(name, State.NOTE, f"{', '.join(parts)}.")
    parts.append("compute capability {}.{}".format(*gpu.capability))
    text = f"{', '.join(parts)}. {_gpu_kernels(gpu.capability)}"
    if gpu.capability < (7, 5):
        advice = "Use unquantised models in float16, or another GPU."
        return Finding(name, State.WARNING, text, advice)
    return Finding(name, State.OK, text)


def _gpu_kernels(capability: tuple[int, int]) -> str:
    """As vLLM 0.32 chooses by compute capability: Marlin from 7.5, Machete on Hopper."""
    if capability < (7, 5):
        return "It is too old for AWQ models."
    if capability < (8, 0):
        return "AWQ models on it use Marlin, in float16 only."
    if capability[0] == 9:
        return "AWQ models on it use Machete or Marlin."
    return "AWQ models on it use Marlin."


def _is_cpu_build() -> bool:
    from engine.environment import is_cpu_build

    return is_cpu_build(Path(sys.prefix))


def _flavour(cuda_build: bool, *, usable: bool) -> Finding:
    text = "It is the one for NVIDIA GPUs." if cuda_build else "It is the one for processors."
    if cuda_build and not usable:
        return Finding(
            "Engine build",
            State.PROBLEM,
            f"{text} No GPU answers, so it cannot load a model.",
            f"INGLENOOK_FLAVOUR=cpu {SETUP}",
        )
    if not cuda_build and usable:
        return Finding(
            "Engine build",
            State.WARNING,
            f"{text} There is a GPU that it does not use.",
            f"INGLENOOK_FLAVOUR=cuda {SETUP}",
        )
    return Finding("Engine build", State.OK, text)
