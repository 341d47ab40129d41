"""Lending the GPU and measuring on vLLM's engine: when, and when not. No model is loaded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.load_defaults import read_machine
from engine.protocol import Failure, Measure, Measured, Scope
from engine.vllm_measuring import MeasuringDesk
from engine.vllm_sleep import Bed

pytestmark = pytest.mark.real_engine  # it imports vLLM; no model is loaded


class Engine:
    """What of vLLM's `LLMEngine` is called."""

    def __init__(self, *, can_sleep: bool = True, fails: str = "") -> None:
        self.calls: list[Any] = []
        self._fails = fails
        model = SimpleNamespace(
            enable_sleep_mode=can_sleep, max_model_len=100, get_vocab_size=lambda: 1000
        )
        self.vllm_config = SimpleNamespace(model_config=model)

    def sleep(self, level: int) -> None:
        self._call(f"sleep {level}")

    def wake_up(self) -> None:
        self._call("wake")

    def abort_request(self, keys: list[str]) -> None:
        self.calls.append(("abort", keys))

    def add_request(self, key: str, prompt: Any, sampling: Any) -> None:
        self.calls.append((key, len(prompt["prompt_token_ids"]), sampling.max_tokens))

    def _call(self, name: str) -> None:
        if self._fails:
            raise RuntimeError(self._fails)
        self.calls.append(name)


class Told:
    """What the bed and the desk told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.failures: list[Failure] = []
        self.measured: list[Measured] = []
        self.bed = Bed(
            lambda: self.said.append("slept"),
            lambda: self.said.append("woke"),
            self.failures.append,
        )
        self.desk = MeasuringDesk(self.measured.append, self.failures.append)

    def sleeps(self) -> bool:
        return self.bed.is_asleep

    def measures(self) -> bool:
        return self.desk.is_busy

    @property
    def codes(self) -> list[str]:
        return [failure.code for failure in self.failures]


@pytest.fixture
def told() -> Told:
    return Told()


def test_it_sleeps_at_level_one_and_wakes_with_what_waited(told: Told) -> None:
    engine = Engine()
    told.bed.sleep(engine, busy=False, needed=1)
    assert told.sleeps()
    waits: Any = object()
    told.bed.hold(waits)
    assert told.bed.wake(engine) == [waits]
    assert not told.sleeps()
    assert told.bed.wake(engine) == []
    assert engine.calls == ["sleep 1", "wake", "wake"]
    assert told.said[:2] == ["slept", "woke"]


@pytest.mark.parametrize(
    ("can_sleep", "busy", "needed", "code"),
    [
        (False, False, 1, "cannot_sleep"),
        (True, True, 1, "busy"),
        (True, False, read_machine("cpu").memory_total, "ram_full"),
    ],
)
def test_it_does_not_sleep_where_that_would_do_harm(
    told: Told, can_sleep: bool, busy: bool, needed: int, code: str
) -> None:
    engine = Engine(can_sleep=can_sleep)
    told.bed.sleep(engine, busy=busy, needed=needed)
    assert told.codes == [code]
    assert told.failures[0].scope is Scope.SLEEP
    assert not told.sleeps()
    assert engine.calls == []


def test_what_vllm_says_against_it_is_told_and_it_sleeps_on(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    told.bed.sleep(Engine(fails="Memory usage increased after sleeping."), busy=False, needed=1)
    assert told.failures[0].scope is Scope.SLEEP
    assert "Memory usage increased" in told.failures[0].detail
    assert not told.sleeps()
    told.bed.sleep(Engine(), busy=False, needed=1)
    told.bed.hold(object())  # type: ignore[arg-type]
    assert told.bed.wake(Engine(fails="CUDA out of memory")) == []
    assert told.sleeps()
    assert told.failures[1].code == "vram_full"
    assert "CUDA out of memory" in capsys.readouterr().err


def output(key: str, tokens: int, *, finished: bool = False) -> Any:
    completion = SimpleNamespace(token_ids=[1] * tokens)
    return SimpleNamespace(request_id=key, outputs=[completion], finished=finished)


def test_a_measurement_runs_its_streams_one_number_after_the_other(told: Told) -> None:
    pytest.importorskip("vllm")
    engine = Engine()
    told.desk.begin(engine, Measure("m", (1, 2), 10, 4), busy=False, now=0.0)
    assert told.measures()
    ((key, prompt, tokens),) = engine.calls
    assert (prompt, tokens) == (10, 4)
    told.desk.take(output(key, 1), 1.0)
    told.desk.take(output(key, 3, finished=True), 2.0)
    assert len(engine.calls) == 3
    for key, *_ in engine.calls[1:]:
        told.desk.take(output(key, 4, finished=True), 4.0)
    assert not told.measures()
    (measured,) = told.measured
    assert [rate.streams for rate in measured.rates] == [1, 2]
    told.desk.take(output("late", 1), 5.0)  # of nobody's


@pytest.mark.parametrize(
    ("request_", "busy", "code"),
    [
        (Measure("m"), True, "busy"),
        (Measure("m", (1,), 99, 2), False, "bad_parameter"),
    ],
)
def test_a_measurement_that_would_tell_nothing_is_refused(
    told: Told, request_: Measure, busy: bool, code: str
) -> None:
    told.desk.begin(Engine(), request_, busy=busy, now=0.0)
    assert told.codes == [code]
    assert not told.measures()


def test_only_its_own_measurement_is_cancelled(told: Told) -> None:
    pytest.importorskip("vllm")
    engine = Engine()
    told.desk.begin(engine, Measure("m", (2,), 10, 4), busy=False, now=0.0)
    told.desk.cancel("another")
    assert told.measures()
    told.desk.cancel("m")
    assert engine.calls[-1][0] == "abort"
    assert len(engine.calls[-1][1]) == 2
    assert told.measured == [Measured("m", (), cancelled=True)]
    told.desk.begin(engine, Measure("n", (1,), 10, 4), busy=False, now=1.0)
    assert told.measures()
