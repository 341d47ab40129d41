"""How long a model's stages usually take, and so how long a load will still take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.engine_link.engine_state import CPU
from desktop.models.number_text import whole

if TYPE_CHECKING:
    from engine.protocol import Loaded, LoadSettings, LoadStage

translate = QCoreApplication.translate

KEPT: Final = 5  # loads of one way; the usual time is their median
MAX_WAYS: Final = 8
MAX_SECONDS: Final = 24 * 3600.0
MAX_STAGES: Final = 16
_ROUGH_S: Final = 20.0  # from here on, steps of five
_LATE: Final = 1.5  # so many times the usual is late


@dataclass(frozen=True, slots=True)
class Times:
    """Of one model: seconds of each stage of its last loads, by the way it was loaded."""

    ways: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def usual(self, way: str = "") -> dict[str, float]:
        """The usual seconds of each stage, in their order; empty where nothing is known.

        A way that was never tried takes the last one's times: they are nearer than none.
        """
        stages = self.ways.get(way) or (next(reversed(self.ways.values()), {}))
        sound = {
            stage: [t for t in seconds if 0 <= t <= MAX_SECONDS]
            for stage, seconds in stages.items()
        }
        return {stage: median(seconds) for stage, seconds in sound.items() if seconds}


def median(values: list[float]) -> float:
    """The middle one, or the mean of the two in the middle; there must be one."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def way_of(device: str, settings: LoadSettings) -> str:
    """How a model is loaded, as far as the time depends on it."""
    eager = settings.enforce_eager or not device or device == CPU
    return f"{device}|{settings.tensor_parallel_size}|{'eager' if eager else 'graphs'}"


def with_load(times: Times, loaded: Loaded) -> Times:
    """`times` with one more load."""
    stages = {s.stage.value: s.seconds for s in loaded.stages if 0 <= s.seconds <= MAX_SECONDS}
    if not stages:
        return times
    way = way_of(loaded.device, loaded.settings)
    before = times.ways.get(way, {})
    now = {
        stage: [*before.get(stage, [])[-(KEPT - 1) :], round(seconds, 2)]
        for stage, seconds in list(stages.items())[:MAX_STAGES]
    }
    ways = {name: stages for name, stages in times.ways.items() if name != way}
    kept = list(ways.items())[-(MAX_WAYS - 1) :]
    return replace(times, ways={**dict(kept), way: now})


def seconds_left(
    usual: Mapping[str, float], stage: LoadStage | None, in_stage: float, fraction: float | None
) -> float | None:
    """How long a load will still take; None where past loads do not tell.

    That is what is left of the present stage (by its fraction where that is known, else by
    the time it has run, `in_stage` seconds) and all of the later ones.
    """
    if not usual:
        return None
    if stage is None:
        return sum(usual.values())
    order = [one.value for one in type(stage)]
    later = sum(s for name, s in usual.items() if name in order[order.index(stage.value) + 1 :])
    here = usual.get(stage.value, 0.0)
    left = here * (1 - min(max(fraction, 0.0), 1.0)) if fraction else here - in_stage
    return max(0.0, left) + later


def left_text(
    usual: Mapping[str, float], stage: LoadStage | None, in_stage: float, fraction: float | None
) -> str:
    """The time left in words that do not jump about: "about 12 s left"; "" where not known."""
    seconds = seconds_left(usual, stage, in_stage, fraction)
    if seconds is None:
        return ""
    if seconds < 1:
        usually = usual.get(stage.value, 0.0) if stage is not None else 0.0
        if in_stage > _LATE * usually + 2:
            return translate("LoadTimes", "longer than usual")
        return translate("LoadTimes", "a moment left")
    shown = 5 * round(seconds / 5) if seconds >= _ROUGH_S else round(seconds)
    if shown >= 120:
        return translate("LoadTimes", "about {minutes} min left").format(
            minutes=whole(round(shown / 60))
        )
    return translate("LoadTimes", "about {seconds} s left").format(seconds=whole(shown))


def usual_text(seconds: float) -> str:
    """How long a load takes: "usually 14 s"."""
    if seconds >= 120:
        return translate("LoadTimes", "usually {minutes} min").format(
            minutes=whole(round(seconds / 60))
        )
    return translate("LoadTimes", "usually {seconds} s").format(
        seconds=whole(max(1, round(seconds)))
    )
