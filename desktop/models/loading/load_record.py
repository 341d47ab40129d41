"""A load that happened: the plan beside what the engine reported, kept as plain figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

if TYPE_CHECKING:
    from engine.planner.plan import Plan
    from engine.protocol import DeviceMemory, Loaded

# As they may stand in a file: no more than can be shown.
Count = Annotated[int, Meta(ge=0, le=2**60)]
Seconds = Annotated[float, Meta(ge=0, le=1e7)]


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be told before a load and after it. Tokens and bytes; None: not known.

    `weights`, `kv` and `overhead` are of all devices together.
    """

    context: Count | None = None
    kv_tokens: Count | None = None
    weights: Count | None = None
    kv: Count | None = None
    overhead: Count | None = None

    @staticmethod
    def of_plan(plan: Plan) -> Figures:
        """As planned."""
        budget = plan.budget
        return Figures(
            plan.context or None,
            plan.kv_tokens or None,
            sum(one.weights for one in budget) or None,
            sum(one.kv for one in budget) or None,
            sum(one.overhead for one in budget) or None,
        )

    @staticmethod
    def of_loaded(loaded: Loaded) -> Figures:
        """As reported. A device that does not tell its overhead leaves it unknown."""
        memory = loaded.memory
        tokens = loaded.kv_tokens or loaded.kv_blocks * loaded.block_size
        kv = sum(one.kv for one in memory) or loaded.kv_cache_bytes
        return Figures(
            loaded.context or None,
            tokens or None,
            sum(one.weights for one in memory) or None,
            kv or None,
            sum(map(_overhead, memory)) or None,
        )


@dataclass(frozen=True, slots=True)
class LoadRecord:
    """One load.

    Attributes:
        when: seconds since 1970; only shown.
        planned: None where it was loaded without a plan.
        stages: seconds of each stage, by its name, in order; `usual`: those of the loads before.
        settings: what the engine used, in words for a report: "tensor_parallel_size": "2".
    """

    when: Count
    device: str
    reported: Figures
    planned: Figures | None = None
    seconds: Seconds = 0.0
    stages: dict[str, Seconds] | None = None
    usual: dict[str, Seconds] | None = None
    dtype: str = ""
    quantization: str = ""
    kernel: str = ""
    engine_version: str = ""
    settings: dict[str, str] | None = None

    @staticmethod
    def of(
        loaded: Loaded, plan: Plan | None, when: int, usual: dict[str, float] | None = None
    ) -> LoadRecord:
        """The record of a load that has just ended."""
        import msgspec

        used = msgspec.to_builtins(loaded.settings)
        return LoadRecord(
            when=when,
            device=loaded.device,
            reported=Figures.of_loaded(loaded),
            planned=Figures.of_plan(plan) if plan is not None else None,
            seconds=loaded.seconds,
            stages={one.stage.value: round(one.seconds, 2) for one in loaded.stages},
            usual=usual,
            dtype=loaded.dtype,
            quantization=loaded.quantization,
            kernel=loaded.kernel,
            engine_version=loaded.engine_version,
            settings={name: str(value) for name, value in used.items()},
        )


def _overhead(memory: DeviceMemory) -> int:
    """As a plan counts it: a GPU's context (`uncounted`) stands there with the others' memory."""
    uncounted = memory.uncounted if memory.device >= 0 else 0
    return max(0, memory.overhead - uncounted) + memory.graphs


def difference(planned: int | None, reported: int | None) -> float | None:
    """By how much what was reported differs from the plan: 0.02 is 2 % more; None: not known."""
    if not planned or reported is None:
        return None
    return reported / planned - 1
