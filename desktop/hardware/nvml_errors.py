"""NVML's error numbers in plain words: why a reading is missing, and what ails the driver.

The numbers are those of `nvmlReturn_t` in nvml.h. They stand here and not as pynvml's
exceptions, because that module is imported late, and in one thread only.
"""

from __future__ import annotations

from typing import Final

from desktop.hardware.readings import Driver, DriverState, Missing
from desktop.i18n import QT_TRANSLATE_NOOP

NOT_SUPPORTED: Final = 3
NO_PERMISSION: Final = 4
NOT_FOUND: Final = 6
DRIVER_NOT_LOADED: Final = 9
LIBRARY_NOT_FOUND: Final = 12
FUNCTION_NOT_FOUND: Final = 13
GPU_IS_LOST: Final = 15
RESET_REQUIRED: Final = 16
OPERATING_SYSTEM: Final = 17
LIBRARY_MISMATCH: Final = 18
ARGUMENT_VERSION_MISMATCH: Final = 25
DEPRECATED: Final = 26
GPU_NOT_FOUND: Final = 28
UNINITIALIZED: Final = 1
UNKNOWN: Final = 999

# The GPU is gone until NVML is started anew, or the computer.
LOSSES: Final = frozenset({GPU_IS_LOST, RESET_REQUIRED})
# NVML as a whole is of no use any more: start it anew.
COLLAPSES: Final = frozenset({UNINITIALIZED, DRIVER_NOT_LOADED, LIBRARY_MISMATCH})
# Another function may tell the same.
TRY_ANOTHER: Final = frozenset(
    {NOT_SUPPORTED, FUNCTION_NOT_FOUND, ARGUMENT_VERSION_MISMATCH, DEPRECATED}
)

# As `setup.flavour` asks when it chooses what to install (a test holds them together).
CUDA_NEEDED: Final = (13, 0)
DRIVER_NEEDED: Final = 580

_MISSING: Final = {
    NOT_SUPPORTED: Missing.NOT_SUPPORTED,
    NO_PERMISSION: Missing.NO_PERMISSION,
    OPERATING_SYSTEM: Missing.NO_PERMISSION,
    FUNCTION_NOT_FOUND: Missing.OLD_DRIVER,
    ARGUMENT_VERSION_MISMATCH: Missing.OLD_DRIVER,
    DEPRECATED: Missing.NOT_SUPPORTED,
    NOT_FOUND: Missing.NOT_SUPPORTED,
    GPU_IS_LOST: Missing.LOST,
    RESET_REQUIRED: Missing.LOST,
    GPU_NOT_FOUND: Missing.LOST,
    DRIVER_NOT_LOADED: Missing.NO_DRIVER,
    UNINITIALIZED: Missing.NO_DRIVER,
    LIBRARY_NOT_FOUND: Missing.NO_DRIVER,
    LIBRARY_MISMATCH: Missing.NO_DRIVER,
}

# {cuda}, {cuda_needed}, {version} and {code} are filled in by `driver_text`.
TEXTS: Final = {
    Driver.OK: "",
    Driver.ABSENT: QT_TRANSLATE_NOOP(
        "Hardware",
        "There is no NVIDIA driver on this computer. The processor computes the answers.",
    ),
    Driver.NOT_LOADED: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver is installed but does not run. Restart the computer; "
        "if that does not help, install the driver again.",
    ),
    Driver.NO_GPU: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver runs but sees no GPU.",
    ),
    Driver.TOO_OLD: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver is too old: it runs CUDA up to {cuda}, and the engine "
        "needs {cuda_needed}. Update the driver to version {version} or newer.",
    ),
    Driver.MISMATCH: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver has been updated and the old one still runs. Restart the computer.",
    ),
    Driver.NO_PERMISSION: QT_TRANSLATE_NOOP(
        "Hardware",
        "This user account may not use the GPU. Give it access to the files /dev/nvidia*.",
    ),
    Driver.LOST: QT_TRANSLATE_NOOP(
        "Hardware",
        "The GPU no longer answers. Restart the computer; if it happens again, look at "
        "the GPU's power and cooling.",
    ),
    Driver.FAILED: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver reports an error that it does not explain (number {code}). "
        "Restart the computer.",
    ),
    Driver.NO_BINDINGS: QT_TRANSLATE_NOOP(
        "Hardware",
        "The part of Inglenook that reads GPUs is missing. Run ./packaging/run --repair.",
    ),
}
# It does not even tell which CUDA it runs.
ANCIENT_TEXT: Final = QT_TRANSLATE_NOOP(
    "Hardware",
    "The NVIDIA driver is too old to be read. Update it to version {version} or newer.",
)
# Where it is not the same within WSL: the driver is that of Windows.
WSL_TEXTS: Final = {
    Driver.NOT_LOADED: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver of Windows cannot be reached from WSL. Run “wsl "
        "--shutdown” in Windows and start again.",
    ),
    Driver.TOO_OLD: QT_TRANSLATE_NOOP(
        "Hardware",
        "The NVIDIA driver of Windows is too old: it runs CUDA up to {cuda}, and the "
        "engine needs {cuda_needed}. Update it to version {version} or newer in Windows, "
        "not in WSL.",
    ),
    Driver.MISMATCH: QT_TRANSLATE_NOOP(
        "Hardware",
        "WSL and the NVIDIA driver of Windows do not fit together. Run “wsl "
        "--update” in Windows, and install no NVIDIA driver in WSL.",
    ),
    Driver.LOST: QT_TRANSLATE_NOOP(
        "Hardware",
        "The GPU no longer answers. Run “wsl --shutdown” in Windows and start again.",
    ),
}

_KINDS: Final = {
    NO_PERMISSION: Driver.NO_PERMISSION,
    OPERATING_SYSTEM: Driver.NO_PERMISSION,
    DRIVER_NOT_LOADED: Driver.NOT_LOADED,
    LIBRARY_NOT_FOUND: Driver.ABSENT,
    FUNCTION_NOT_FOUND: Driver.TOO_OLD,
    LIBRARY_MISMATCH: Driver.MISMATCH,
    GPU_NOT_FOUND: Driver.NO_GPU,
    GPU_IS_LOST: Driver.LOST,
    RESET_REQUIRED: Driver.LOST,
}


def missing(code: int, *, wsl: bool = False, mig: bool = False) -> Missing:
    """Why a call that answered `code` gave no reading.

    Args:
        wsl: the driver is that of Windows, which supports less.
        mig: the GPU is split into parts.
    """
    reason = _MISSING.get(code, Missing.UNKNOWN)
    if reason is Missing.NOT_SUPPORTED:
        if mig:
            return Missing.MIG
        if wsl:
            return Missing.WSL
    return reason


def failed_state(code: int, *, wsl: bool = False, version: str = "") -> DriverState:
    """The driver's state after NVML could not be started, for the reason `code`."""
    return state(_KINDS.get(code, Driver.FAILED), wsl=wsl, version=version, code=code)


def state(
    kind: Driver,
    *,
    wsl: bool = False,
    version: str = "",
    cuda: tuple[int, int] | None = None,
    code: int = 0,
) -> DriverState:
    """A driver's state with its text in English."""
    unspoken = DriverState(kind, "", version, cuda, wsl, code)
    return DriverState(kind, fill(template(unspoken), unspoken), version, cuda, wsl, code)


def template(driver: DriverState) -> str:
    """The English text of a state before it is filled in."""
    if driver.kind is Driver.TOO_OLD and driver.cuda is None:
        return ANCIENT_TEXT
    return (WSL_TEXTS.get(driver.kind) if driver.wsl else None) or TEXTS[driver.kind]


def templates() -> tuple[str, ...]:
    """All texts that a state is told with, before they are filled in."""
    return (*filter(None, TEXTS.values()), ANCIENT_TEXT, *WSL_TEXTS.values())


def fill(text: str, driver: DriverState) -> str:
    """A template, in any language, with the state's own figures."""
    return text.format(
        cuda=".".join(map(str, driver.cuda or ())),
        cuda_needed=".".join(map(str, CUDA_NEEDED)),
        version=DRIVER_NEEDED,
        code=driver.code,
    )
