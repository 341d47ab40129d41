"""The scales that all cards have in common, and what of a reading is alarming. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop.hardware.readings import GpuReading, Throttle
from desktop.models.monitor.plot_columns import nice_bytes, nice_top

FULL_SHARE: Final = 0.95  # of the memory
HOT_MARGIN: Final = 3  # degrees below the card's limit
HOT: Final = 87  # where the card tells no limit
HOTTEST: Final = 110.0  # the end of the scale
# Clocks that somebody has set, or that a monitor takes, are no fault of the card.
HARMLESS: Final = frozenset({Throttle.APPLICATION_CLOCKS, Throttle.DISPLAY_CLOCKS})


@dataclass(frozen=True, slots=True)
class Scales:
    """The ends of the scales, the same for all cards, so that they can be compared.

    Attributes:
        memory: bytes; power: watts; clock: MHz; traffic: bytes a second.
    """

    memory: int = 0
    power: float = 0.0
    clock: float = 0.0
    traffic: float = 0.0
    temperature: float = HOTTEST


def scales_of(gpus: Sequence[GpuReading], traffic: float = 0.0) -> Scales:
    """The scales on which all of these fit.

    Args:
        traffic: the most that is shown of any, bytes a second.
    """
    return Scales(
        memory=max((gpu.memory_total or 0 for gpu in gpus), default=0),
        power=nice_top(max((gpu.power_limit or gpu.power or 0.0 for gpu in gpus), default=0.0)),
        clock=max((float(gpu.clock_sm_max or gpu.clock_sm or 0) for gpu in gpus), default=0.0),
        traffic=nice_bytes(max(traffic, 2.0**20)),
    )


def is_hot(gpu: GpuReading) -> bool:
    """Whether its clocks go down soon, or do already, for the heat."""
    if gpu.temperature is None:
        return False
    limit = gpu.temperature_limit
    return gpu.temperature >= (limit - HOT_MARGIN if limit else HOT)


def is_full(gpu: GpuReading) -> bool:
    """Whether hardly any of its memory is free."""
    if not gpu.memory_total or gpu.memory_used is None:
        return False
    taken = gpu.memory_used + (gpu.memory_reserved or 0)
    return taken > FULL_SHARE * gpu.memory_total


def is_held_back(gpu: GpuReading) -> bool:
    """Whether something that should not be holds its clocks down."""
    return bool(set(gpu.throttle or ()) - HARMLESS)
