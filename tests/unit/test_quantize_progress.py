"""Progress never goes backwards, and no model worse than plain rounding is offered."""

from __future__ import annotations

import math

import msgspec
import pytest

from engine.quantize.progress import Clock
from engine.quantize.wire import (
    Finished,
    Planned,
    Progress,
    QuantizeError,
    Refused,
    Report,
    Step,
    read_event,
)


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_comes_from_what_was_measured() -> None:
    time = Time()
    told: list[Progress] = []
    clock = Clock(10, 1.0, told.append, time)
    clock.begin(Step.LOADING)
    assert told[0].left is None, "nothing is known yet"
    time.now = 5
    clock.begin(Step.ORIGINAL, 4)
    for done in range(1, 5):
        time.now += 1
        clock.tell(done, 4)
    clock.begin(Step.ROUNDING, 4)
    time.now += 4
    clock.begin(Step.LAYERS, 10)
    start = time.now
    for index in range(10):
        clock.layer(index)
        time.now += 20
        if index >= 1:
            left = told[-1].left
            assert left is not None
            assert left == pytest.approx(1.1 * ((10 - index) * 20 + 3.5), rel=0.01)
    assert time.now - start == 200
    clock.begin(Step.WRITING)
    clock.begin(Step.VERIFYING, 4)
    for done in range(1, 5):
        time.now += 1
        clock.tell(done, 4)
    clock.begin(Step.FINISHING)
    shares = [progress.share for progress in told]
    assert shares == sorted(shares), "a bar never goes back"
    assert shares[-1] > 0.99
    assert told[-1].elapsed == time.now


def report(**changes: float) -> Report:
    values: dict[str, float] = {
        "original": 20.0,
        "awq": 22.0,
        "rounding": 25.0,
        "awq_agreement": 0.8,
        "rounding_agreement": 0.7,
        **changes,
    }
    return Report(
        group_size=64, tokens=4000, original_bytes=100, awq_bytes=40, seconds=9.0, **values
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, ""),
        ({"awq": 25.0}, "worse_than_rounding"),
        ({"awq": 544_043.0}, "worse_than_rounding"),
        ({"awq": math.nan}, "worse_than_rounding"),
        ({"awq": math.inf, "rounding": math.inf}, "worse_than_rounding"),
        ({"awq_agreement": 0.69}, "agreement"),
        ({"awq_agreement": math.nan}, "agreement"),
    ],
)
def test_the_verdict(changes: dict[str, float], code: str) -> None:
    assert report(**changes).refusal == code


@pytest.mark.parametrize(
    "event",
    [
        Planned(group_size=64, layers=2, samples=16, tokens=900, device="cpu", disk=1, memory=2),
        Progress(step=Step.LAYERS, done=1, total=2, share=0.5, elapsed=3.0, left=None),
        Finished(folder="/x", report=report()),
        Refused(code="x", text="y", details=("z",), report=report()),
    ],
)
def test_events_cross_the_pipe(event: Planned | Progress | Finished | Refused) -> None:
    assert read_event(msgspec.json.encode(event)) == event


def test_an_error_carries_what_is_told() -> None:
    error = QuantizeError("code", "text", ("one",))
    assert error.refused == Refused(code="code", text="text", details=("one",))
