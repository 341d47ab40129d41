"""Cards by name: memory, capability and bandwidth."""

from __future__ import annotations

from engine.planner.machine import GIB, Gpu, GpusError

# What a card of so many GB tells as its total: a 24 GB card shows 23.55 GiB.
SHOWN_OF_NOMINAL = 23.55 / 24


def gpus_from_text(text: str) -> tuple[Gpu, ...]:
    """See `machine.parse_gpus`."""
    gpus: list[Gpu] = []
    for part in text.split(","):
        times, _, size = part.strip().rpartition("x")
        try:
            count, gib = int(times or 1), float(size)
        except ValueError as error:
            raise GpusError(f"“{part.strip()}” is no GPU.") from error
        total = int(gib * SHOWN_OF_NOMINAL * GIB)
        gpus += [Gpu(len(gpus) + n, f"GPU with {size} GB", total) for n in range(count)]
    return tuple(gpus)
