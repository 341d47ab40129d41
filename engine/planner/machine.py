"""The hardware, as far as a plan depends on it, and hardware that the user only names."""

from __future__ import annotations

from dataclasses import dataclass

GIB = 1024**3


class GpusError(ValueError):
    """A description of GPUs that makes no sense; the text says what would."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One card. Sizes in bytes.

    Attributes:
        index: in the order of the PCI bus.
        total: None where the driver does not tell (some shared-memory systems).
        reserved: by the driver, of `total`.
        used_by_others: by other programs than the engine that is to be loaded.
        others: who they are: (name, bytes), the largest first; may be incomplete.
        capability: CUDA's, (8, 6) for an RTX 3090; (0, 0) where unknown.
        bandwidth: of its memory in bytes/s; None where unknown.
    """

    index: int
    name: str
    total: int | None
    reserved: int = 0
    used_by_others: int = 0
    capability: tuple[int, int] = (0, 0)
    bandwidth: float | None = None
    others: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Host:
    """The computer without its cards. Sizes in bytes."""

    ram_total: int
    ram_available: int
    cores: int = 1
    flags: frozenset[str] = frozenset()
    bandwidth: float | None = None

    @property
    def has_native_bfloat16(self) -> bool:
        """Whether the processor has instructions for bfloat16."""
        return bool(self.flags & {"avx512_bf16", "amx_bf16", "bf16"})


@dataclass(frozen=True, slots=True)
class Machine:
    """What a model would be loaded on. Without GPUs it is loaded into the host's memory."""

    gpus: tuple[Gpu, ...]
    host: Host


def parse_gpus(text: str) -> tuple[Gpu, ...]:
    """The GPUs that a text describes: "2x24", "24,12", "3090", "2x4090", "none".

    Raises:
        GpusError: it describes none.
    """
    from engine.planner.cards import gpus_from_text

    return gpus_from_text(text)
