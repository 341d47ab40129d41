"""Which flavour of the engine this machine gets: CUDA beside a usable NVIDIA driver, else CPU."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from setup.failures import SetupError

CPU = "cpu"
CUDA = "cuda"

# What the CUDA build of torch in the lock file needs. 13000 is NVML's way of writing CUDA 13.0.
_MIN_CUDA_DRIVER = 13000
_MIN_CAPABILITY = (7, 5)

_DRIVER_FILE = Path("/proc/driver/nvidia/version")
_WSL_LIBRARY = Path("/usr/lib/wsl/lib/libnvidia-ml.so.1")


@dataclass(frozen=True, slots=True)
class Choice:
    """A flavour, and why, for the user to read."""

    flavour: str
    reason: str


@dataclass(frozen=True, slots=True)
class Driver:
    """What NVML says.

    Attributes:
        cuda: the newest CUDA the driver runs, as 1000 * major + 10 * minor; None if not told.
        gpus: compute capability of each GPU.
    """

    cuda: int | None
    gpus: tuple[tuple[int, int], ...]


def choose(environ: Mapping[str, str]) -> Choice:
    """The flavour for this machine.

    Raises:
        SetupError: INGLENOOK_FLAVOUR is neither "cpu" nor "cuda".
    """
    wanted = environ.get("INGLENOOK_FLAVOUR", "").strip().lower()
    if wanted in (CPU, CUDA):
        return Choice(wanted, "as INGLENOOK_FLAVOUR says")
    if wanted:
        raise SetupError(
            f'INGLENOOK_FLAVOUR is "{wanted}"; it can be "cpu" or "cuda".',
            "unset INGLENOOK_FLAVOUR; ./packaging/run",
        )
    driver = read_driver()
    if driver is None:
        if driver_mark():
            return Choice(CUDA, "an NVIDIA driver is loaded")
        return Choice(CPU, "no NVIDIA driver found")
    return judge(driver)


def judge(driver: Driver) -> Choice:
    """The flavour that a driver which answered can run."""
    if not driver.gpus:
        return Choice(CPU, "the NVIDIA driver sees no GPU")
    if driver.cuda is not None and driver.cuda < _MIN_CUDA_DRIVER:
        newest = f"{driver.cuda // 1000}.{driver.cuda % 1000 // 10}"
        return Choice(
            CPU,
            f"the NVIDIA driver is too old: it runs CUDA up to {newest}, the engine needs 13.0. "
            "Update the driver to 580 or newer, then run this again for the GPU",
        )
    if max(driver.gpus) < _MIN_CAPABILITY:
        best = ".".join(map(str, max(driver.gpus)))
        return Choice(
            CPU, f"the GPU is too old: compute capability {best}, the engine needs 7.5 (Turing)"
        )
    count = len(driver.gpus)
    return Choice(CUDA, "an NVIDIA GPU" if count == 1 else f"{count} NVIDIA GPUs")


def driver_mark() -> str:
    """What tells this NVIDIA driver from another, "" without signs of one; loads nothing."""
    try:
        return _DRIVER_FILE.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "WSL" if _WSL_LIBRARY.exists() else ""


def read_driver() -> Driver | None:
    """Ask NVML; None when it is not there or does not start."""
    for name in ("libnvidia-ml.so.1", str(_WSL_LIBRARY)):
        try:
            nvml = ctypes.CDLL(name)
        except OSError:
            continue
        try:
            return _ask(nvml)
        except AttributeError:  # a library without the functions: no driver of use
            return None
    return None


def _ask(nvml: ctypes.CDLL) -> Driver | None:
    if nvml.nvmlInit_v2() != 0:
        return None
    try:
        version = ctypes.c_int(0)
        told = nvml.nvmlSystemGetCudaDriverVersion(ctypes.byref(version)) == 0
        count = ctypes.c_uint(0)
        if nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) != 0:
            return Driver(cuda=version.value if told else None, gpus=())
        gpus = [_capability(nvml, index) for index in range(count.value)]
        return Driver(
            cuda=version.value if told else None, gpus=tuple(gpu for gpu in gpus if gpu is not None)
        )
    finally:
        nvml.nvmlShutdown()


def _capability(nvml: ctypes.CDLL, index: int) -> tuple[int, int] | None:
    handle = ctypes.c_void_p()
    if nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)) != 0:
        return None
    major, minor = ctypes.c_int(0), ctypes.c_int(0)
    result = nvml.nvmlDeviceGetCudaComputeCapability(
        handle, ctypes.byref(major), ctypes.byref(minor)
    )
    # A GPU that does not tell (an unusual stub or vGPU) is not a reason to do without it.
    return (major.value, minor.value) if result == 0 else _MIN_CAPABILITY
