"""How each two GPUs reach each other: what lies between them, and direct access to memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final

from desktop.hardware import nvml_errors
from desktop.hardware.gpu_reader import CollapseError
from desktop.hardware.readings import GpuLink, Missing, PeerAccess, Topology

# nvmlGpuTopologyLevel_t, nvmlGpuP2PStatus_t and nvmlGpuP2PCapsIndex_t in nvml.h.
_LEVELS: Final = {
    0: Topology.SAME_BOARD,
    10: Topology.ONE_SWITCH,
    20: Topology.SWITCHES,
    30: Topology.HOST_BRIDGE,
    40: Topology.ONE_PROCESSOR,
    50: Topology.PROCESSORS,
}
_ACCESS: Final = {
    0: PeerAccess.OK,
    1: PeerAccess.CHIPSET,
    2: PeerAccess.GPU,
    3: PeerAccess.TOPOLOGY,
    4: PeerAccess.DISABLED,
    5: PeerAccess.NO,
}
_READ: Final = 0
_WRITE: Final = 1
_NVLINK: Final = 2


def read_links(
    nvml: Any, handles: Sequence[tuple[int, Any]], *, wsl: bool = False
) -> tuple[GpuLink, ...]:
    """Every pair of `handles` (index, NVML's handle), once.

    Raises:
        CollapseError: NVML itself does not answer any more.
    """
    return tuple(_read(nvml, first, second, wsl=wsl) for first, second in combinations(handles, 2))


def _read(nvml: Any, first: tuple[int, Any], second: tuple[int, Any], *, wsl: bool) -> GpuLink:
    missing: dict[str, Missing] = {}

    def ask(name: str, call: Callable[[], int]) -> int | None:
        try:
            return int(call())
        except nvml.NVMLError as error:
            code = int(error.value)
            if code in nvml_errors.COLLAPSES:
                raise CollapseError(code) from None
            missing[name] = nvml_errors.missing(code, wsl=wsl)
            return None

    def access(name: str, capability: int) -> PeerAccess | None:
        status = ask(name, lambda: nvml.nvmlDeviceGetP2PStatus(first[1], second[1], capability))
        return None if status is None else _ACCESS.get(status, PeerAccess.UNKNOWN)

    level = ask("topology", lambda: nvml.nvmlDeviceGetTopologyCommonAncestor(first[1], second[1]))
    topology = None if level is None else _LEVELS.get(level)
    if topology is None:
        missing.setdefault("topology", Missing.UNKNOWN)
    return GpuLink(
        first=first[0],
        second=second[0],
        topology=topology,
        read=access("read", _READ),
        write=access("write", _WRITE),
        nvlink=access("nvlink", _NVLINK),
        missing=missing,
    )
