"""Which parameters are refused, and in what words."""

from __future__ import annotations

import math

import pytest

from engine.protocol import Sampling
from engine.sampling_limits import (
    MAX_REGEX_CHARS,
    MAX_SCHEMA_CHARS,
    MAX_SEED,
    MAX_STOP_CHARS,
    MAX_STOPS,
    fault_of,
)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(),
        Sampling(temperature=0.0, top_p=1.0, top_k=0, min_p=0.0, max_tokens=1, seed=0),
        Sampling(temperature=2.0, top_k=-1, min_p=1.0, seed=MAX_SEED),
        Sampling(presence_penalty=-2.0, frequency_penalty=2.0, repetition_penalty=0.1),
        Sampling(stop=("x" * MAX_STOP_CHARS,) * MAX_STOPS),
        Sampling(json_schema="{}"),
        Sampling(regex="a"),
    ],
)
def test_what_is_possible_passes(sampling: Sampling) -> None:
    assert fault_of(sampling) == ""


@pytest.mark.parametrize(
    ("sampling", "words"),
    [
        (Sampling(temperature=2.1), "The temperature must be from 0 to 2; it is set to 2.1."),
        (Sampling(temperature=-0.1), "The temperature must be from 0 to 2; it is set to -0.1."),
        (Sampling(temperature=math.nan), "The temperature must be from 0 to 2; it is set to nan."),
        (Sampling(top_p=0.0), "Top-p must be above 0 and at most 1; it is set to 0.0."),
        (Sampling(top_k=-2), "Top-k must be at least 0; it is set to -2."),
        (Sampling(min_p=1.5), "Min-p must be from 0 to 1; it is set to 1.5."),
        (
            Sampling(presence_penalty=3.0),
            "The presence penalty must be from -2 to 2; it is set to 3.0.",
        ),
        (
            Sampling(frequency_penalty=-3.0),
            "The frequency penalty must be from -2 to 2; it is set to -3.0.",
        ),
        (
            Sampling(repetition_penalty=0.0),
            "The repetition penalty must be above 0; it is set to 0.0.",
        ),
        (
            Sampling(repetition_penalty=math.inf),
            "The repetition penalty must be above 0; it is set to inf.",
        ),
        (
            Sampling(max_tokens=0),
            "The longest answer, in tokens, must be at least 1; it is set to 0.",
        ),
        (
            Sampling(seed=-1),
            "The seed must be from 0 to 9,223,372,036,854,775,807; it is set to -1.",
        ),
        (Sampling(stop=("END", "")), "A stop string is empty."),
        (Sampling(stop=("x",) * 17), "There can be 16 stop strings; 17 are set."),
        (Sampling(stop=("x" * 1001,)), "A stop string is longer than 1,000 characters."),
        (
            Sampling(json_schema="{}", regex="a"),
            "An answer can follow a JSON schema or a pattern, not both.",
        ),
        (Sampling(regex=""), "The pattern is empty."),
        (Sampling(regex="a\0"), "The pattern holds a NUL character."),
        (
            Sampling(regex="a" * (MAX_REGEX_CHARS + 1)),
            "The pattern is longer than 8,192 characters.",
        ),
        (
            Sampling(json_schema="a" * (MAX_SCHEMA_CHARS + 1)),
            "The JSON schema is longer than 262,144 characters.",
        ),
    ],
)
def test_what_is_not_is_named_with_its_range(sampling: Sampling, words: str) -> None:
    assert fault_of(sampling) == words
