"""The hardware, as far as a plan depends on it, and hardware that the user only names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.planner.cards import find_card

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

    @property
    def usable(self) -> int:
        """What CUDA calls the total: without what the driver keeps; 0 where it is not known."""
        return max(0, (self.total or 0) - self.reserved)


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


_PART = re.compile(r"(?:(\d{1,2})\s*[x×*]\s*)?(.+)", re.DOTALL)
_SIZE = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)\s*(?:g|gb|gib)?")
MOST_GPUS = 16
# What a card tells of the memory it is sold with: a 24 GB card has 23.55 GiB.
SHOWN_OF_NOMINAL = 23.55 / 24


def parse_gpus(text: str) -> tuple[Gpu, ...]:
    """The GPUs that a text describes: "2x24", "24,12", "3090", "2x4090", "none".

    A number is a card's name where there is such a card, and else its memory in GB.

    Raises:
        GpusError: it describes none.
    """
    if text.strip().lower() in {"none", "no", "0", "cpu"}:
        return ()
    gpus: list[Gpu] = []
    for part in text.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise GpusError(_not_a_gpu(part))
        count = int(found[1]) if found[1] else 1
        if not count:
            raise GpusError(f"“{part.strip()}” is no GPU; say “none” for the processor alone.")
        if count > MOST_GPUS - len(gpus):
            raise GpusError(f"That many GPUs cannot be planned for; {MOST_GPUS} are the most.")
        gpus += [_named(len(gpus) + number, found[2]) for number in range(count)]
    return tuple(gpus)


def _named(index: int, text: str) -> Gpu:
    card = find_card(text)
    if card is not None:
        total = int(card.gigabytes * SHOWN_OF_NOMINAL * GIB)
        return Gpu(index, card.name, total, capability=card.capability, bandwidth=card.bandwidth)
    size = _SIZE.fullmatch(text.strip().lower())
    if size is None or not 1 <= float(size[1]) <= 1024:
        raise GpusError(_not_a_gpu(text))
    return Gpu(index, f"{float(size[1]):g} GB GPU", int(float(size[1]) * SHOWN_OF_NOMINAL * GIB))


def _not_a_gpu(text: str) -> str:
    return (
        f"“{text.strip()[:40]}” is no GPU that is known here. Name a card (3090, 2x4090) or its "
        "memory in GB (24, 2x24; 24,12 for two different ones; none for the processor alone)."
    )
