"""What past loads measured beside weights and KV cache: by GPU, model and division."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.planner.plan import Plan
    from engine.planner.shape import ModelShape


@dataclass(frozen=True, slots=True)
class Learned:
    """Measured overheads in bytes, by (GPU's name or "cpu", model's key, tensor parallel size)."""

    overheads: Mapping[tuple[str, str, int], int] = field(default_factory=dict)

    def overhead(self, name: str, key: str, tp: int) -> int | None:
        """What was measured; None for nothing."""
        return self.overheads.get((name, key, tp))

    def after(self, shape: ModelShape, plan: Plan, loaded: Any) -> Learned:
        """With what a load (`engine.protocol.Loaded`) reported."""
        overheads = dict(self.overheads)
        for device in getattr(loaded, "memory", ()):
            name = "cpu" if device.device < 0 else device.name
            measured = device.overhead + device.graphs
            if measured > 0:
                overheads[name, shape.key, plan.tp] = measured
        return Learned(overheads)

    def to_json(self) -> str:
        """For a file."""
        rows = [[*key, value] for key, value in sorted(self.overheads.items())]
        return json.dumps({"overheads": rows})

    @staticmethod
    def from_json(text: str | bytes) -> Learned:
        """What `to_json` wrote. Bad input: nothing learned, never an exception."""
        try:
            rows = json.loads(text)["overheads"]
            overheads = {
                (str(name), str(key), int(tp)): int(value) for name, key, tp, value in rows
            }
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return Learned()
        return Learned({key: value for key, value in overheads.items() if value > 0})
