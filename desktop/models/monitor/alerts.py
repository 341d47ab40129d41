"""What is worth a word: rules over the monitor's frames, and what they say. Pure.

A rule is raised when its value was over the limit for some seconds, and cleared when it was
below for some: what only touches a limit does not flicker.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeGuard

from desktop.hardware.readings import GpuReading, HardwareReading, Throttle
from desktop.models.monitor.evictions import Evictions
from desktop.models.monitor.frames import EngineFrame, MonitorFrame

MINUTE: Final = 60.0
MS: Final = 1000.0
BLIND_S: Final = 12.0  # without a frame


class Kind(StrEnum):
    """What an alert is about."""

    GPU_LOST = "gpu_lost"
    TEMPERATURE = "temperature"
    THROTTLE_HEAT = "throttle_heat"
    THROTTLE_POWER = "throttle_power"
    VRAM = "vram"
    LATENCY = "latency"
    PREEMPTIONS = "preemptions"
    EVICTIONS = "evictions"


@dataclass(frozen=True, slots=True)
class Rule:
    """When something is told.

    Attributes:
        limit: what the value must be above, in the unit of the kind (see `UNITS`).
        raise_after, clear_after: seconds above, and not above.
    """

    kind: Kind
    limit: float
    raise_after: float
    clear_after: float
    is_on: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """What a user may set a limit to, and by what steps."""

    least: float
    most: float
    step: float


# The unit of each limit; "" where there is nothing to set but on and off.
UNITS: Final[Mapping[Kind, str]] = {
    Kind.GPU_LOST: "",
    Kind.TEMPERATURE: "°C",
    Kind.THROTTLE_HEAT: "",
    Kind.THROTTLE_POWER: "",
    Kind.VRAM: "%",
    Kind.LATENCY: "ms",
    Kind.PREEMPTIONS: "1/min",
    Kind.EVICTIONS: "%/min",  # of all blocks of the pool
}

LIMITS: Final[Mapping[Kind, Limits]] = {
    Kind.TEMPERATURE: Limits(40, 120, 1),
    Kind.VRAM: Limits(50, 100, 1),
    Kind.LATENCY: Limits(5, 60_000, 5),
    Kind.PREEMPTIONS: Limits(0, 10_000, 1),
    Kind.EVICTIONS: Limits(0, 10_000, 5),
}

DEFAULTS: Final[tuple[Rule, ...]] = (
    Rule(Kind.GPU_LOST, 0, 0, 0),
    Rule(Kind.TEMPERATURE, 87, 10, 20),
    Rule(Kind.THROTTLE_HEAT, 0, 10, 20),
    # A card at its power limit is at work, as a 3090 is with every long answer: who wants to hear
    # of one that stays there for minutes says so.
    Rule(Kind.THROTTLE_POWER, 0, 120, 30, is_on=False),
    Rule(Kind.VRAM, 95, 10, 20),
    Rule(Kind.LATENCY, 150, 10, 10),
    Rule(Kind.PREEMPTIONS, 6, 2, 20),
    Rule(Kind.EVICTIONS, 50, 10, 20),
)

_HEAT: Final = frozenset(
    {Throttle.SOFTWARE_THERMAL, Throttle.HARDWARE_THERMAL, Throttle.HARDWARE_SLOWDOWN}
)
_POWER: Final = frozenset({Throttle.POWER_CAP, Throttle.POWER_BRAKE})


@dataclass(frozen=True, slots=True)
class Cause:
    """What an alert is of: a GPU by its number, or an engine by its key.

    Attributes:
        name: of the GPU, or the engine's model.
    """

    kind: Kind
    gpu: int | None = None
    engine: int | None = None
    name: str = ""

    @property
    def place(self) -> tuple[Kind, int | None, int | None]:
        """Which it is, whatever its name."""
        return self.kind, self.gpu, self.engine


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that is over its limit. `alert_text` has the words.

    Attributes:
        since: the frame's time at which it was raised, in seconds.
        value: the newest, in the unit of the kind.
        limit: of its rule.
    """

    cause: Cause
    since: float
    value: float
    limit: float

    @property
    def kind(self) -> Kind:
        """What it is about."""
        return self.cause.kind


def rules_from(settings: Mapping[str, object]) -> tuple[Rule, ...]:
    """The rules that `Settings.alerts` asks for: {"vram": {"on": true, "limit": 97}, ...}.

    What makes no sense there is left at its default.
    """
    rules = []
    for rule in DEFAULTS:
        given = settings.get(rule.kind.value)
        if isinstance(given, Mapping):
            is_on, limit = given.get("on"), given.get("limit")
            bounds = LIMITS.get(rule.kind)
            if isinstance(is_on, bool):
                rule = replace(rule, is_on=is_on)
            if bounds is not None and _is_number(limit) and bounds.least <= limit <= bounds.most:
                rule = replace(rule, limit=float(limit))
        rules.append(rule)
    return tuple(rules)


def to_settings(rules: Iterable[Rule]) -> dict[str, dict[str, object]]:
    """For `Settings.alerts`: what differs from the defaults."""
    defaults = {rule.kind: rule for rule in DEFAULTS}
    found: dict[str, dict[str, object]] = {}
    for rule in rules:
        usual = defaults[rule.kind]
        changes: dict[str, object] = {}
        if rule.is_on != usual.is_on:
            changes["on"] = rule.is_on
        if rule.limit != usual.limit:
            changes["limit"] = rule.limit
        if changes:
            found[rule.kind.value] = changes
    return found


@dataclass(slots=True)
class _Watched:
    """One cause under watch. Times are frames'."""

    over: float | None = None  # since when
    below: float | None = None
    alert: Alert | None = None


@dataclass(slots=True)
class _Counted:
    """What an engine has counted up to within the last minute."""

    totals: deque[tuple[float, float]] = field(default_factory=deque)

    def rate(self, total: float, at: float) -> float:
        """How much came within the last minute."""
        if self.totals and total < self.totals[-1][1]:
            self.totals.clear()  # another load counts from nought
        self.totals.append((at, total))
        while len(self.totals) > 2 and self.totals[1][0] <= at - MINUTE:
            self.totals.popleft()
        return total - self.totals[0][1]


class AlertBook:
    """Watches frames, and says what is over its limit now.

    Args:
        rules: see `rules_from`.
    """

    def __init__(self, rules: Iterable[Rule] = DEFAULTS) -> None:
        self._rules: dict[Kind, Rule] = {}
        self._watched: dict[tuple[Kind, int | None, int | None], _Watched] = {}
        self._preempted: dict[int, _Counted] = {}
        self._evicted: dict[int, tuple[Evictions, _Counted]] = {}
        self._places: dict[str, int] = {}
        self._hardware: tuple[tuple[Cause, float], ...] = ()
        self._at = 0.0
        self.set_rules(rules)

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that are raised, the gravest kind first."""
        order = list(Kind)
        found = [one.alert for one in self._watched.values() if one.alert is not None]
        return tuple(sorted(found, key=lambda alert: order.index(alert.kind)))

    def set_rules(self, rules: Iterable[Rule]) -> None:
        """Other rules, from the next frame on; what is off now is not told any more."""
        self._rules = {rule.kind: rule for rule in rules if rule.is_on}
        for place in [place for place in self._watched if place[0] not in self._rules]:
            del self._watched[place]

    def take(self, frame: MonitorFrame) -> tuple[Alert, ...]:
        """Enter a frame."""
        if not frame.at - self._at <= BLIND_S:  # nobody looked: what was then is not known now
            self._hardware = ()
            self._watched.clear()
        self._at = frame.at
        if frame.hardware is not None:
            self._hardware = tuple(self._of_hardware(frame.hardware))
        seen = set()
        values = [*self._hardware, *self._of_engines(frame)]
        for cause, value in values:
            rule = self._rules.get(cause.kind)
            if rule is not None:
                seen.add(cause.place)
                self._weigh(rule, cause, value, frame.at)
        for place in [place for place in self._watched if place not in seen]:
            del self._watched[place]  # a GPU or an engine that is gone: nothing is known of it
        return self.alerts

    # --- inside --------------------------------------------------------------------------

    def _weigh(self, rule: Rule, cause: Cause, value: float, at: float) -> None:
        watched = self._watched.setdefault(cause.place, _Watched())
        if value > rule.limit:
            watched.below = None
            watched.over = at if watched.over is None else watched.over
            if watched.alert is None and at - watched.over >= rule.raise_after:
                watched.alert = Alert(cause, at, value, rule.limit)
            elif watched.alert is not None:
                watched.alert = replace(watched.alert, cause=cause, value=value, limit=rule.limit)
            return
        watched.over = None
        if watched.alert is not None:
            watched.below = at if watched.below is None else watched.below
            if at - watched.below >= rule.clear_after:
                watched.alert = watched.below = None

    def _of_hardware(self, reading: HardwareReading) -> Iterator[tuple[Cause, float]]:
        for gpu in reading.gpus:
            place, name = self._place(gpu), gpu.name or ""
            yield Cause(Kind.GPU_LOST, gpu=place, name=name), float(gpu.lost)
            if gpu.lost:
                continue
            if gpu.temperature is not None:
                yield Cause(Kind.TEMPERATURE, gpu=place, name=name), float(gpu.temperature)
            if gpu.throttle is not None:
                held = frozenset(gpu.throttle)
                yield Cause(Kind.THROTTLE_HEAT, gpu=place, name=name), float(bool(held & _HEAT))
                yield Cause(Kind.THROTTLE_POWER, gpu=place, name=name), float(bool(held & _POWER))
            if gpu.memory_total and gpu.memory_used is not None:
                used = gpu.memory_used + (gpu.memory_reserved or 0)
                yield Cause(Kind.VRAM, gpu=place, name=name), 100 * used / gpu.memory_total

    def _place(self, gpu: GpuReading) -> int:
        if gpu.uuid is None:
            return gpu.index
        if gpu.index >= 0:
            self._places[gpu.uuid] = gpu.index
        return self._places.get(gpu.uuid, gpu.index)

    def _of_engines(self, frame: MonitorFrame) -> Iterator[tuple[Cause, float]]:
        keys = {engine.key for engine in frame.engines if engine.telemetry is not None}
        for gone in set(self._preempted) - keys:
            del self._preempted[gone]
            self._evicted.pop(gone, None)
        for engine in frame.engines:
            if engine.telemetry is not None:
                yield from self._of_engine(engine, frame.at)

    def _of_engine(self, engine: EngineFrame, at: float) -> Iterator[tuple[Cause, float]]:
        reading = engine.telemetry
        assert reading is not None
        key, name = engine.key, engine.model
        counted = self._preempted.setdefault(key, _Counted())
        yield (
            Cause(Kind.PREEMPTIONS, engine=key, name=name),
            counted.rate(reading.preempted, at),
        )
        evictions, evicted = self._evicted.setdefault(key, (Evictions(), _Counted()))
        evictions.take(engine, at)
        if reading.kv_total:
            share = 100 * evicted.rate(evictions.total, at) / reading.kv_total
            yield Cause(Kind.EVICTIONS, engine=key, name=name), share
        # Nothing runs: what the last minute was like is no news any more.
        slow = (reading.itl_p90 or 0.0) if reading.running else 0.0
        yield Cause(Kind.LATENCY, engine=key, name=name), MS * slow


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
