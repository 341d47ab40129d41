"""Which parameters are refused, and in what words; what holds where a chat sets none."""

from __future__ import annotations

import json
import math
from pathlib import Path

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
from engine.vllm_sampling import GENTLE, default_sampling, values_of, with_defaults


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


# --- defaults -------------------------------------------------------------------------------


def told(folder: Path, **config: object) -> Path:
    (folder / "generation_config.json").write_text(json.dumps(config))
    return folder


def test_a_model_that_says_nothing_of_sampling_gets_a_gentle_default(tmp_path: Path) -> None:
    assert with_defaults({}, tmp_path) == (dict(GENTLE), False)
    told(tmp_path, eos_token_id=2, repetition_penalty=1.1)
    values = {"repetition_penalty": 1.1, "max_tokens": 100}
    assert with_defaults(values, tmp_path) == ({**GENTLE, **values}, False)
    (tmp_path / "generation_config.json").write_text("[1]")
    assert with_defaults({}, tmp_path) == (dict(GENTLE), False)


@pytest.mark.parametrize(
    ("config", "values"),
    [
        ({"temperature": 0.2, "top_p": 0.9}, {"temperature": 0.2, "top_p": 0.9}),
        ({"top_k": 64}, {"top_k": 64}),
        ({"temperature": 1.0}, {}),  # vLLM leaves out what is neutral
        ({"do_sample": True}, {}),
    ],
)
def test_a_model_that_says_how_it_is_sampled_is_left_as_it_is(
    tmp_path: Path, config: dict[str, object], values: dict[str, object]
) -> None:
    assert with_defaults(values, told(tmp_path, **config)) == (values, True)


def test_the_window_is_told_what_is_used(tmp_path: Path) -> None:
    values, _ = with_defaults({"repetition_penalty": 1.1}, tmp_path)
    assert default_sampling(values) == Sampling(
        temperature=GENTLE["temperature"], top_p=GENTLE["top_p"], repetition_penalty=1.1
    )


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        (Sampling(), GENTLE),
        (Sampling(temperature=1.0, top_p=1.0), {"temperature": 1.0, "top_p": 1.0}),
        (Sampling(temperature=0.0), {**GENTLE, "temperature": 0.0}),
    ],
)
def test_what_a_chat_sets_goes_before(
    tmp_path: Path, asked: Sampling, values: dict[str, float]
) -> None:
    defaults, _ = with_defaults({}, tmp_path)
    assert values_of(asked, defaults, 100) == {**values, "max_tokens": 100}
