"""What past loads measured beside weights and KV cache: by device, model and division."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.planner.answer import Plan
    from engine.planner.model_shape import ModelShape
    from engine.protocol import Loaded

CPU = "cpu"
MOST_BYTES = 1 << 42
MOST_ROWS = 1000  # the oldest go first


@dataclass(frozen=True, slots=True)
class Measured:
    """What one load took beside weights and KV cache on one device, in bytes.

    Attributes:
        overhead: what vLLM counts as its own: the peak of activations, buffers.
        graphs: CUDA graphs.
        sequences: how many answers at once it was loaded for, on which both depend.
        uncounted: what vLLM does not count: CUDA's context, the buffers of the link between GPUs.
    """

    overhead: int
    graphs: int = 0
    sequences: int = 0
    uncounted: int = 0


@dataclass(frozen=True, slots=True)
class Learned:
    """Measurements by (GPU's name or "cpu", the model's key, tensor parallel size)."""

    measured: Mapping[tuple[str, str, int], Measured] = field(default_factory=dict)

    def find(self, name: str, key: str, tp: int) -> Measured | None:
        """What was measured; None for nothing."""
        return self.measured.get((name, key, tp))

    def overhead(self, name: str, key: str, tp: int) -> int | None:
        """What was measured, graphs included; None for nothing."""
        found = self.find(name, key, tp)
        return None if found is None else found.overhead + found.graphs

    def after(self, shape: ModelShape, plan: Plan, loaded: Loaded) -> Learned:
        """With what a load reported; of several GPUs of a name, the one that took most."""
        fresh: dict[tuple[str, str, int], Measured] = {}
        for device in getattr(loaded, "memory", ()):
            name = CPU if device.device < 0 else device.name
            tp = getattr(loaded, "tensor_parallel_size", 0) or plan.tp
            uncounted = min(device.uncounted, device.overhead)
            counted = device.overhead - uncounted
            entry = Measured(counted, device.graphs, loaded.max_num_seqs, uncounted)
            before = fresh.get((name, shape.key, tp))
            if not 0 < entry.overhead + entry.graphs < MOST_BYTES:
                continue
            if before is None or _size(before) < _size(entry):
                fresh[name, shape.key, tp] = entry
        kept = {key: value for key, value in self.measured.items() if key not in fresh}
        rows = [*kept.items(), *fresh.items()][-MOST_ROWS:]
        return Learned(dict(rows))

    def to_json(self) -> str:
        """For a file."""
        rows = [
            [*key, entry.overhead, entry.graphs, entry.sequences, entry.uncounted]
            for key, entry in self.measured.items()
        ]
        return json.dumps({"version": 1, "measured": rows})

    @staticmethod
    def from_json(text: str | bytes) -> Learned:
        """What `to_json` wrote. Bad input: nothing learned, never an exception."""
        try:
            rows = json.loads(text)["measured"][-MOST_ROWS:]
            measured = dict(_entry(row) for row in rows)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return Learned()
        return Learned(measured)


def _entry(row: Any) -> tuple[tuple[str, str, int], Measured]:
    name, key, tp, *sizes = row
    numbers = (tp, *sizes)
    if not all(type(number) is int and 0 <= number < MOST_BYTES for number in numbers):
        raise ValueError("a number")
    if not (isinstance(name, str) and isinstance(key, str)):
        raise TypeError("a name")
    overhead, graphs, sequences, uncounted = sizes
    return (name, key, tp), Measured(overhead, graphs, sequences, uncounted)


def _size(entry: Measured) -> int:
    return entry.overhead + entry.graphs
