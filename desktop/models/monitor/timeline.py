"""The stages of a load side by side with what they usually take. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop.models.monitor.frames import EngineFrame, LoadFrame
from engine.protocol import LoadStage


class Step(StrEnum):
    """How far a stage is."""

    DONE = "done"
    NOW = "now"
    ENDED = "ended"  # the load ended in it: it failed, or was cancelled
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class StageRow:
    """One stage. Times in seconds, from the load's beginning.

    Attributes:
        begin: when it began; of a stage ahead, when it is expected to.
        seconds: that it took, or takes by now; 0 of a stage ahead.
        usual: None where past loads do not tell.
        fraction: of a stage under way, where it is known.
        memory: bytes that it took; negative: that it gave back; None: not known.
    """

    stage: str
    step: Step
    begin: float
    seconds: float
    usual: float | None = None
    fraction: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """A load.

    Attributes:
        span: what the times' axis must show: the load, and what is expected of it.
        usual: of all stages together; None where past loads do not tell.
        memory: bytes held at its end, as far as it is known.
    """

    rows: tuple[StageRow, ...]
    elapsed: float
    span: float
    usual: float | None
    is_live: bool
    memory: int | None = None


def load_of(frame: EngineFrame) -> tuple[LoadFrame | None, bool]:
    """The load that an engine's timeline shows, and whether it is under way."""
    return (frame.load, True) if frame.load is not None else (frame.past, False)


def timeline_of(load: LoadFrame, usual: Mapping[str, float], *, is_live: bool) -> Timeline:
    """The stages in the order in which they happen.

    A stage that this load does not have (most have no `DESCRIBING`) is shown only where past
    loads had it and this one is not over.
    """
    order = [stage.value for stage in LoadStage]
    known = {*load.stages, load.stage} | (set(usual) if is_live else set())
    names = [name for name in order if name in known]
    names += [name for name in load.stages if name not in order]
    reached = order.index(load.stage) if load.stage in order else -1
    over = sum(load.stages.values())
    rows: list[StageRow] = []
    at, held = 0.0, 0
    for name in names:
        memory = load.memory.get(name)
        took = None if memory is None else memory - held
        held = held if memory is None else memory
        if name in load.stages:
            step, seconds, fraction = Step.DONE, load.stages[name], None
        elif name == load.stage:
            step = Step.NOW if is_live else Step.ENDED
            seconds, fraction = max(0.0, load.elapsed - over), load.fraction
        elif name in order and order.index(name) < reached:
            continue  # skipped this time
        else:
            step, seconds, fraction = Step.AHEAD, 0.0, None
        expected = usual.get(name)
        rows.append(StageRow(name, step, at, seconds, expected, fraction, took))
        at += seconds if step in (Step.DONE, Step.ENDED) else max(seconds, expected or 0.0)
    total = sum(usual.values()) if usual else None
    span = max([at, load.elapsed, *(row.begin + (row.usual or 0.0) for row in rows)])
    memory_end = held if load.memory else None
    return Timeline(tuple(rows), load.elapsed, max(span, 1e-3), total, is_live, memory_end)
