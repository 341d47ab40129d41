"""What the scripted engine says to which request."""

from __future__ import annotations

import json
import re

import pytest

from engine.protocol import ChatMessage, FinishReason, Generate, Sampling
from engine.script import (
    STOP_STRING_TOKENS,
    Orders,
    Script,
    answer_words,
    count_words,
    title_of,
)


def orders(text: str, *, sampling: Sampling | None = None, **more: object) -> Orders:
    request = Generate("r", (ChatMessage("user", text),), sampling or Sampling(), **more)  # type: ignore[arg-type]
    return Orders.of(request, 10, 1000, Script())


def said(made: Orders) -> str:
    return "".join(made.words[: made.limit])


def test_a_script_is_read_and_its_mistakes_are_named() -> None:
    script = Script.parse("tokens_per_second=5 max_running=2 fail_load=no_room prefill_seconds=0")
    assert script.tokens_per_second == 5.0
    assert script.fail_load == "no room"
    assert Script.parse("prefill_tokens_per_second=500").prefill_tokens_per_second == 500.0
    with pytest.raises(ValueError, match="speed"):
        Script.parse("speed=5")


def test_words_are_counted_with_four_for_each_message() -> None:
    messages = (ChatMessage("user", "one two"), ChatMessage("assistant", ""))
    assert count_words(messages) == 10
    assert count_words((ChatMessage("user", "word " * 5000),)) == 5004


def test_think_is_reasoning_in_tags_and_then_the_answer() -> None:
    made = orders("/think 7 /echo Yes.")
    assert made.opens_reasoning == ""
    match = re.fullmatch(r"<think>\n(.*)\n</think>\n\nYes\.", said(made), re.DOTALL)
    assert match
    assert len(match[1].split()) == 7


def test_thinkopen_leaves_the_tag_to_the_template() -> None:
    made = orders("/thinkopen 3 /echo Yes.")
    assert made.opens_reasoning == "<think>"
    assert not said(made).startswith("<think>")
    assert said(made).endswith("\n</think>\n\nYes.")


def test_unclosed_never_ends_its_reasoning() -> None:
    text = said(orders("/unclosed 4 /echo Yes."))
    assert text.startswith("<think>\n")
    assert "</think>" not in text


@pytest.mark.parametrize("command", ["/think 7", "/thinkopen 7", "/unclosed 7"])
def test_a_request_without_thinking_gets_none(command: str) -> None:
    made = orders(f"{command} /echo Yes.", thinking=False)
    assert said(made) == "Yes."
    assert made.opens_reasoning == ""


def test_stop_strings_end_the_answer_before_them() -> None:
    made = orders("/echo one two END three STOP", sampling=Sampling(stop=("STOP", "END")))
    assert said(made).rstrip() == "one two"
    assert made.stop_string == "END"
    assert made.limit_reason is FinishReason.STOP
    assert orders("/echo one two", sampling=Sampling(stop=("END",))).stop_string == ""


def test_a_limit_before_the_stop_string_is_a_limit() -> None:
    made = orders("/echo one two END", sampling=Sampling(stop=("END",), max_tokens=1))
    assert (made.limit_reason, made.stop_string) == (FinishReason.LENGTH, "")


def test_the_command_for_a_stop_string() -> None:
    made = orders("/stopstring DONE")
    assert (made.limit, made.stop_string) == (STOP_STRING_TOKENS, "DONE")


def test_a_request_for_a_title_gets_the_first_words_of_the_chat() -> None:
    messages = (
        ChatMessage("user", "/long 500 How do whales sleep at night?"),
        ChatMessage("assistant", "In halves."),
        ChatMessage("user", "Name this chat."),
    )
    request = Generate("t", messages, Sampling(max_tokens=24), priority=5)
    assert said(Orders.of(request, 10, 1000, Script())) == "About How do whales sleep at"
    assert title_of(()) == "About"
    later = Generate("a", messages, Sampling(max_tokens=24), priority=1)
    assert said(Orders.of(later, 10, 1000, Script())) != title_of(messages)


def test_a_schema_is_answered_with_json_of_its_shape() -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 12},
            "age": {"type": ["integer", "null"], "minimum": 18},
            "kind": {"enum": ["cat", "dog"]},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 2},
            "owner": {"$ref": "#/$defs/person"},
            "sure": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
            "fixed": {"const": 7},
        },
        "$defs": {"person": {"type": "object", "properties": {"id": {"type": "number"}}}},
    }
    answer = json.loads(said(orders("Go.", sampling=Sampling(json_schema=json.dumps(schema)))))
    assert answer == {
        "name": "scripted....",
        "age": 18,
        "kind": "cat",
        "tags": ["scr", "scr"],
        "owner": {"id": 1.5},
        "sure": True,
        "fixed": 7,
    }


@pytest.mark.parametrize(
    "schema", ["{", "[]", '{"$ref":"#"}', '{"$ref":"#/no/where"}', "true", "[" * 99_999]
)
def test_a_schema_it_does_not_understand_is_answered_with_json(schema: str) -> None:
    json.loads(said(orders("Go.", sampling=Sampling(json_schema=schema))))


def test_the_answer_joins_to_the_text_it_is_cut_from() -> None:
    assert "".join(answer_words("/echo  a  b\n")) == " a  b\n"
