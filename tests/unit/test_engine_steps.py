"""What the real backend makes of one step's outputs; vLLM is stood in for."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from engine.protocol import (
    Failure,
    FinishReason,
    Generate,
    Scope,
    StreamUpdate,
)
from engine.streams import Stream
from engine.vllm_backend import VllmBackend


class Told:
    def __init__(self) -> None:
        self.all: list[StreamUpdate | Failure] = []

    def updates(self, updates: list[StreamUpdate]) -> None:
        self.all += updates

    def failed(self, failure: Failure) -> None:
        self.all.append(failure)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def backend(told: Told) -> VllmBackend:
    made = VllmBackend()
    made._events = told  # type: ignore[assignment]
    made._telemetry = SimpleNamespace(  # type: ignore[assignment]
        moved=lambda: None,
        produced=lambda *_of_a_step: None,
        report=lambda _threads, _names, *, idle: None,
    )
    made._context = 1000
    for key in ("a", "b"):
        made._streams[key] = Stream(Generate(key, ()), time.monotonic(), prompt_tokens=10)
    return made


def output(key: str, text: str = "", *, reason: str | None = None, stop: Any = None) -> Any:
    completion = SimpleNamespace(
        text=text, token_ids=[1] if text else [], finish_reason=reason, stop_reason=stop
    )
    return SimpleNamespace(
        request_id=key, outputs=[completion], finished=reason is not None, num_cached_tokens=0
    )


def step(backend: VllmBackend, *outputs: Any) -> None:
    backend._engine = SimpleNamespace(step=lambda: list(outputs))
    backend._step()


def test_an_answer_that_vllm_gives_up_is_a_failure_and_no_other_is(
    backend: VllmBackend, told: Told
) -> None:
    step(backend, output("a", reason="error"), output("b", "word"))
    update, failure = told.all
    assert isinstance(update, StreamUpdate)
    assert (update.request_id, update.text, update.finish) == ("b", "word", None)
    assert isinstance(failure, Failure)
    assert (failure.scope, failure.request_id, failure.code) == (Scope.REQUEST, "a", "given_up")
    assert failure.remedies
    assert set(backend._streams) == {"b"}


@pytest.mark.parametrize(("stop", "named"), [("END", "END"), (2, ""), (None, "")])
def test_of_what_ended_it_a_stop_string_is_named_and_a_token_is_not(
    backend: VllmBackend, told: Told, stop: Any, named: str
) -> None:
    step(backend, output("a", "word", reason="stop", stop=stop))
    (update,) = told.all
    assert isinstance(update, StreamUpdate)
    assert update.finish is not None
    assert update.finish.reason is FinishReason.STOP
    assert update.finish.stop_string == named


def test_a_failure_of_one_that_was_cancelled_is_not_told(backend: VllmBackend, told: Told) -> None:
    backend._obey(Failure(Scope.REQUEST, "No.", request_id="gone"))
    assert told.all == []
    backend._obey(Failure(Scope.REQUEST, "No.", request_id="a"))
    backend._obey(Failure(Scope.ENGINE, "No tokenizer."))
    assert len(told.all) == 2
