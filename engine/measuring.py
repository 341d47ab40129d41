"""Measures how fast a loaded model is, with requests of fixed lengths: pure bookkeeping.

The backend adds the requests and feeds back what they produce, with one time for all that
comes from one step of the model: what was produced together is never counted apart. A prompt
is random from its first token on, so that the prefix cache holds nothing of it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.protocol import Measure, Measured, Rate

MAX_STREAMS = 256
MAX_TOKENS = 1 << 17
PREFIX = "measure-"  # of the requests' ids: no chat's begins so


def measure_fault(request: Measure) -> str:
    """What is wrong with `request`, in words; "" for nothing."""
    if not request.streams or not all(1 <= count <= MAX_STREAMS for count in request.streams):
        return f"A measurement runs from 1 to {MAX_STREAMS} streams."
    if not (1 <= request.prompt_tokens <= MAX_TOKENS and 2 <= request.output_tokens <= MAX_TOKENS):
        return "A measurement needs a prompt of at least 1 token and an answer of at least 2."
    return ""


@dataclass(frozen=True, slots=True)
class Probe:
    """One request to run: greedy, and to exactly `output_tokens`."""

    key: str
    prompt: list[int]
    output_tokens: int


@dataclass(slots=True)
class _Run:
    """One number of streams. Times are `time.monotonic()` readings."""

    began: float
    left: set[str]
    silent: set[str]  # have no token yet
    all_speak: float = 0.0  # when the last of them had its first
    decoded: int = 0  # tokens since then


class Measurement:
    """One `Measure` under way."""

    def __init__(self, request: Measure, vocabulary: int, seed: int | None = None) -> None:
        self.request = request
        self._vocabulary = max(1, vocabulary)
        self._random = random.Random(seed)
        self._waiting = list(request.streams)
        self._run: _Run | None = None
        self._rates: list[Rate] = []

    def start(self, now: float) -> list[Probe]:
        """The requests of the next number of streams, to be added at once; [] after the last."""
        if not self._waiting:
            return []
        streams = self._waiting.pop(0)
        probes = [
            Probe(
                f"{PREFIX}{self.request.request_id}-{len(self._rates)}-{index}",
                self._prompt(index),
                self.request.output_tokens,
            )
            for index in range(streams)
        ]
        keys = {probe.key for probe in probes}
        self._run = _Run(began=now, left=keys, silent=set(keys))
        return probes

    def _prompt(self, index: int) -> list[int]:
        prompt = [
            self._random.randrange(self._vocabulary) for _ in range(self.request.prompt_tokens)
        ]
        # Streams of one run differ at once, whatever was drawn.
        prompt[0] = (prompt[0] // MAX_STREAMS * MAX_STREAMS + index) % self._vocabulary
        return prompt

    def feed(self, key: str, tokens: int, finished: bool, now: float) -> bool:
        """A request produced `tokens`; whether the whole run is over with it."""
        run = self._run
        if run is None or key not in run.left:
            return False
        if key in run.silent:
            if tokens:
                run.silent.discard(key)
                run.all_speak = now
        elif not run.silent and now > run.all_speak:
            run.decoded += tokens
        if finished:
            run.left.discard(key)
        if run.left:
            return False
        self._rates.append(self._rate(run, now))
        self._run = None
        return True

    def _rate(self, run: _Run, ended: float) -> Rate:
        streams = self.request.streams[len(self._rates)]
        reading, decoding = run.all_speak - run.began, ended - run.all_speak
        return Rate(
            streams=streams,
            prompt_tps=streams * self.request.prompt_tokens / max(reading, 1e-9),
            decode_tps=run.decoded / max(decoding, 1e-9),
            seconds=ended - run.began,
        )

    @property
    def keys(self) -> set[str]:
        """The requests under way."""
        return set(self._run.left) if self._run else set()

    def result(self, *, cancelled: bool = False) -> Measured:
        """What was found so far."""
        return Measured(self.request.request_id, tuple(self._rates), cancelled)
