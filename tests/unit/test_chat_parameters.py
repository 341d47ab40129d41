"""The settings of a chat: numbers in vLLM's ranges, constraints, stop strings, presets, facts."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, Chat
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.lists.preset_shelf import built_in_presets, is_built_in
from desktop.models.session.chat_facts import chat_facts
from desktop.models.session.prompt import sampling_of
from desktop.models.session.stop_strings import MAX_STRINGS, as_lines, from_lines
from desktop.models.writing.composer_history import MAX_DRAFTS, ComposerHistory
from desktop.models.writing.constraint_check import pattern_fault, schema_fault
from desktop.models.writing.parameter_fields import (
    FIELD_OF,
    FIELDS,
    FieldError,
    default_text,
    parse,
)
from engine.protocol import Loaded, Sampling
from engine.sampling_limits import MAX_REGEX_CHARS

LOADED = Loaded(
    load_id=1,
    model="/m",
    context=8192,
    kv_blocks=1,
    block_size=16,
    max_num_seqs=1,
    dtype="float32",
    device="CPU",
    kv_cache_bytes=1,
    seconds=1.0,
    default_sampling=Sampling(temperature=0.6, top_k=-1),
)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("temperature", "0.7", 0.7),
        ("temperature", "0,7", 0.7),
        ("temperature", " ", None),
        ("top_k", "40", 40),
        ("presence_penalty", "−1", -1),
        ("seed", str(2**63 - 1), 2**63 - 1),
    ],
)
def test_numbers_are_read(name: str, text: str, value: float | None) -> None:
    assert parse(FIELD_OF[name], text) == value


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("temperature", "2.1", "From 0 to 2"),
        ("temperature", "-0.1", "From 0 to 2"),
        ("temperature", "nan", "a number"),
        ("temperature", "warm", "a number"),
        ("top_p", "0", "More than 0, at most 1"),
        ("top_k", "1.5", "whole number"),
        ("max_tokens", "0", "From 1"),
        ("repetition_penalty", "0", "More than 0"),
        ("seed", str(2**63), "From 0"),
    ],
)
def test_what_vllm_would_refuse_is_refused_while_it_is_typed(
    name: str, text: str, words: str
) -> None:
    with pytest.raises(FieldError, match=words):
        parse(FIELD_OF[name], text)


@given(st.data())
def test_every_value_in_range_reaches_the_engine(data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(FIELDS))
    low = field.low + (1e-6 if field.open_low else 0)
    value = data.draw(
        st.integers(int(field.low), int(field.high))
        if field.whole
        else st.floats(low, field.high, allow_nan=False)
    )
    assert getattr(sampling_of({field.name: value}), field.name) == value


def test_the_placeholder_is_the_models_own_default() -> None:
    ready = EngineView(Phase.READY, "/m", loaded=LOADED)
    assert default_text(FIELD_OF["temperature"], ready) == "0.6 (the model's own)"
    assert default_text(FIELD_OF["top_k"], ready) == "off (the model's own)"
    assert default_text(FIELD_OF["top_p"], ready) == "1"
    assert default_text(FIELD_OF["temperature"], EngineView()) == "1"
    silent = msgspec.structs.replace(LOADED, has_own_sampling=False)
    view = EngineView(Phase.READY, "/m", loaded=silent)
    assert default_text(FIELD_OF["temperature"], view) == "0.6 (default)"
    assert default_text(FIELD_OF["max_tokens"], ready) == "as much as fits"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ('{"type": "object"}', ""),
        ('{"type": ["string", "null"]}', ""),
        ('{"a": 1,\n "b" 2}', "Line 2, column 6"),
        ("[1]", "begins with a brace"),
        ('{"type": "text"}', "no type"),
        ('{"properties": []}', "properties"),
        ("[" * 100_000, "nested"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_schemas_are_checked(text: str, words: str) -> None:
    fault = schema_fault(text)
    assert words in fault
    assert bool(fault) == bool(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("(yes|no)", ""),
        ("(yes", "cannot be read"),
        (r"(a)\1", "back"),
        ("(?=a)b", "Look"),
        ("a" * MAX_REGEX_CHARS, ""),
        ("a" * (MAX_REGEX_CHARS + 1), "longer than"),
    ],
)
def test_patterns_are_checked(text: str, words: str) -> None:
    fault = pattern_fault(text)
    assert words in fault
    assert bool(fault) == bool(words)


@given(st.lists(st.text(alphabet="ab\\\n\t nrt", min_size=1), unique=True, max_size=MAX_STRINGS))
def test_stop_strings_survive_being_lines(texts: list[str]) -> None:
    assert from_lines(as_lines(texts)) == texts


def test_every_built_in_preset_is_sound() -> None:
    presets = built_in_presets()
    assert len({preset.id for preset in presets}) == len(presets) >= 5
    for preset in presets:
        assert is_built_in(preset.id)
        assert preset.system_prompt.strip()
        sampling = sampling_of(preset.parameters)
        told = json.loads(msgspec.json.encode(sampling))
        assert set(told) == set(preset.parameters)
        assert not schema_fault(str(preset.parameters.get("json_schema", "")))


def test_facts_tell_in_what_a_chat_differs() -> None:
    chat = Chat("c", "t", system_prompt=DEFAULT_SYSTEM_PROMPT)
    assert chat_facts(chat, None) == ""
    warm = replace(chat, parameters={"temperature": 0.2, "overflow": "stop"})
    assert chat_facts(warm, None) == "temperature 0.2"
    coder = next(p for p in built_in_presets() if p.id == "builtin:coder")
    taken = replace(
        chat, system_prompt=coder.system_prompt, parameters={**coder.parameters, "preset": coder.id}
    )
    assert chat_facts(taken, coder) == "Preset: Coder"
    colder = replace(taken, parameters={**taken.parameters, "temperature": 0.1})
    assert chat_facts(colder, coder) == "Preset: Coder · temperature 0.1"
    assert chat_facts(replace(chat, system_prompt="Be rude."), None) == "own system prompt"
    assert chat_facts(replace(chat, system_prompt=""), None) == "no system prompt"
    many: dict[str, object] = dict.fromkeys(
        ("temperature", "top_p", "min_p", "frequency_penalty"), 0.5
    )
    assert chat_facts(replace(chat, parameters=many), None) == "4 parameters changed"


def test_history_never_loses_the_first_text() -> None:
    history = ComposerHistory()
    assert history.older("typed", ["a"]) is None
    assert history.older("", []) is None
    history.keep_draft("draft")
    assert history.older("", ["b", "a", "b"]) == "b"
    assert history.older("b", []) == "a"
    assert history.older("a", []) == "draft"
    assert history.older("draft", []) is None
    assert history.newer("draft") == "a"
    assert history.newer("a, edited") is None
    assert history.newer("a") == "b"
    assert history.newer("b") == ""
    assert not history.is_walking
    for number in range(MAX_DRAFTS + 5):
        history.keep_draft(str(number))
    assert history.older("", []) == str(MAX_DRAFTS + 4)
