"""Which sampling parameters are possible, said in the user's words. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.protocol import Failure, Sampling, Scope

MAX_STOPS = 16
MAX_STOP_CHARS = 1000
MAX_SEED = 2**63 - 1
MAX_SCHEMA_CHARS = 256 * 1024
MAX_REGEX_CHARS = 8 * 1024


@dataclass(frozen=True, slots=True)
class _Range:
    """From `low` to `high`; `above`: `low` itself is not in it."""

    label: str
    low: float
    high: float = math.inf
    above: bool = False

    def holds(self, value: float) -> bool:
        return (value > self.low if self.above else value >= self.low) and value <= self.high

    def words(self) -> str:
        if self.high == math.inf:
            return f"must be {'above' if self.above else 'at least'} {self.low:,}"
        if self.above:
            return f"must be above {self.low:,} and at most {self.high:,}"
        return f"must be from {self.low:,} to {self.high:,}"


_RANGES = {
    "temperature": _Range("The temperature", 0, 2),
    "top_p": _Range("Top-p", 0, 1, above=True),
    "top_k": _Range("Top-k", 0),
    "min_p": _Range("Min-p", 0, 1),
    "presence_penalty": _Range("The presence penalty", -2, 2),
    "frequency_penalty": _Range("The frequency penalty", -2, 2),
    "repetition_penalty": _Range("The repetition penalty", 0, above=True),
    "max_tokens": _Range("The longest answer, in tokens,", 1),
    "seed": _Range("The seed", 0, MAX_SEED),
}


def fault_of(sampling: Sampling) -> str:
    """What is wrong with `sampling`, in a sentence or two; "" if nothing is."""
    for name, limits in _RANGES.items():
        value = getattr(sampling, name)
        if value is None or (name == "top_k" and value == -1):  # vLLM's other word for "all"
            continue
        if not math.isfinite(value) or not limits.holds(value):
            return f"{limits.label} {limits.words()}; it is set to {value:,}."
    if len(sampling.stop) > MAX_STOPS:
        return f"There can be {MAX_STOPS} stop strings; {len(sampling.stop)} are set."
    if any(not text for text in sampling.stop):
        return "A stop string is empty."
    if any(len(text) > MAX_STOP_CHARS for text in sampling.stop):
        return f"A stop string is longer than {MAX_STOP_CHARS:,} characters."
    return _fault_of_grammar(sampling)


def _fault_of_grammar(sampling: Sampling) -> str:
    schema, regex = sampling.json_schema, sampling.regex
    if schema is not None and regex is not None:
        return "An answer can follow a JSON schema or a pattern, not both."
    if schema is not None and len(schema) > MAX_SCHEMA_CHARS:
        return f"The JSON schema is longer than {MAX_SCHEMA_CHARS:,} characters."
    if regex is not None and len(regex) > MAX_REGEX_CHARS:
        return f"The pattern is longer than {MAX_REGEX_CHARS:,} characters."
    if regex is not None and (not regex or "\0" in regex):
        return "The pattern is empty." if not regex else "The pattern holds a NUL character."
    return ""


def refusal(request_id: str, cause: str) -> Failure:
    """The failure for parameters that cannot be used."""
    return Failure(Scope.REQUEST, cause, code="bad_parameter", request_id=request_id)
