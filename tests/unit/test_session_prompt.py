"""What goes to the engine: turns, attachments, sampling; and what is too long of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.chat import Attachment, Message, MessageStatus, OverflowPolicy, Role, Statistics
from desktop.models.session.answer import Answer
from desktop.models.session.overflow import overflow_of, policy_of, without
from desktop.models.session.prompt import (
    attachment_block,
    build_prompt,
    content_of,
    prompt_of,
    reserve_for,
    sampling_of,
)
from desktop.models.session.stop_words import stop_text
from desktop.models.session.titler import title_in
from engine.protocol import ChatMessage, Failure, Finish, FinishReason, Sampling, Scope


def message(name: str, role: Role, text: str, **more: Any) -> Message:
    return Message(name, "c", None, role, text, **more)


def talk(*texts: str) -> list[Message]:
    roles = (Role.USER, Role.ASSISTANT)
    return [message(str(i), roles[i % 2], text) for i, text in enumerate(texts)]


# --- turns --------------------------------------------------------------------------------


def test_the_turns_know_their_messages() -> None:
    messages = talk("one", "", "two", "answer", "three")
    prompt = build_prompt("Be brief.", messages)
    assert [turn.content for turn in prompt.turns] == ["Be brief.", "one\n\ntwo", "answer", "three"]
    assert [[m.id for m in source] for source in prompt.sources] == [[], ["0", "2"], ["3"], ["4"]]
    assert [m.id for m in prompt.before(3)] == ["0", "2", "3"]


def test_what_a_model_thought_is_not_sent_again() -> None:
    thought = message("a", Role.ASSISTANT, "Paris.", reasoning="hm")
    assert prompt_of("", [thought]) == (ChatMessage("assistant", "Paris."),)
    empty = message("a", Role.ASSISTANT, "", reasoning="hm")
    assert prompt_of("", [empty]) == ()


def test_an_answer_cut_off_in_its_thoughts_goes_on_thinking() -> None:
    cut = message(
        "1",
        Role.ASSISTANT,
        "",
        status=MessageStatus.INTERRUPTED,
        reasoning="let me",
        statistics=Statistics(completion_tokens=2, reasoning_seconds=1.0),
    )
    answer = Answer(cut, goes_on=True)
    prompt = build_prompt("", [*talk("why?"), cut], answer.unfinished)
    assert prompt.turns[-1] == ChatMessage("assistant", "<think>\nlet me")
    assert answer.take(" see</think>Because.") == (" see", "Because.", True)
    assert (answer.reasoning, answer.text) == ("let me see", "Because.")
    costs = answer.final(Finish(FinishReason.STOP, 9, 3, 0.5, None))
    assert costs.completion_tokens == 5
    assert costs.reasoning_seconds is not None
    assert costs.reasoning_seconds >= 1.0


def test_it_reopens_the_tag_that_was_open() -> None:
    first = Answer(message("1", Role.ASSISTANT, ""))
    first.tokens = 3
    first.take("[THINK]a b")
    first.end_text()
    cut = first.settled(status=MessageStatus.INTERRUPTED, statistics=first.so_far())
    assert Answer(cut, goes_on=True).unfinished == "[THINK]\na b"


# --- attachments --------------------------------------------------------------------------


def test_an_attachment_is_a_block_before_the_text() -> None:
    notes = Attachment("1", "notes.txt", "line\n")
    user = message("u", Role.USER, "Sum it up.", attachments=(notes,))
    assert content_of(user) == 'Attached file "notes.txt":\n```\nline\n```\n\nSum it up.'
    alone = message("u", Role.USER, "", attachments=(notes, notes))
    assert content_of(alone) == "\n\n".join([attachment_block(notes)] * 2)


@given(st.text(alphabet="`a\n", max_size=40), st.text(alphabet='a"\n\t ', max_size=9))
def test_no_text_gets_out_of_its_block(content: str, name: str) -> None:
    head, fence, *inside, end = attachment_block(Attachment("1", name, content)).split("\n")
    assert fence == end
    assert set(fence) == {"`"}
    assert fence not in "\n".join(inside)
    assert head.count('"') == 2
    assert "\n".join(inside).rstrip("\n") == content.rstrip("\n")


# --- sampling -----------------------------------------------------------------------------


def test_known_parameters_are_used() -> None:
    given_ = {
        "temperature": 1,
        "top_k": 20,
        "stop": ["END", "\n\n"],
        "json_schema": '{"type": "object"}',
        "overflow": "stop",
        "preset": "x",
    }
    assert sampling_of(given_) == Sampling(
        temperature=1.0, top_k=20, stop=("END", "\n\n"), json_schema='{"type": "object"}'
    )
    assert sampling_of({"json_schema": "{}", "regex": "a"}) == Sampling(json_schema="{}")


def test_one_odd_value_does_not_spoil_the_others() -> None:
    odd = {"temperature": "hot", "top_p": float("nan"), "stop": "END", "seed": 2**80, "top_k": 5}
    assert sampling_of(odd) == Sampling(top_k=5)
    assert sampling_of({"stop": ["", "a"], "max_tokens": 0, "regex": " "}) == Sampling()


@given(
    st.dictionaries(
        st.sampled_from(Sampling.__struct_fields__),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=4,
        ),
    )
)
def test_no_stored_value_breaks_the_sampling(parameters: dict[str, object]) -> None:
    assert isinstance(sampling_of(parameters), Sampling)


def test_the_room_for_an_answer() -> None:
    assert reserve_for(None, 8192) == 512
    assert reserve_for(None, 1024) == 256
    assert reserve_for(16, 8192) == 16
    assert reserve_for(None, None) == 256
    assert reserve_for(None, 2) == 1


# --- overflow -----------------------------------------------------------------------------


def too_long(**more: Any) -> Failure:
    return Failure(Scope.REQUEST, "too long", code="prompt_too_long", **more)


def test_what_would_go_is_named() -> None:
    prompt = build_prompt("System.", talk("one", "a", "two", "b", "three"))
    failure = too_long(prompt_tokens=90, context=80, keep_from=3, kept_tokens=50)
    overflow = overflow_of(failure, prompt, 20)
    assert overflow is not None
    assert [m.content for m in overflow.dropped] == ["one", "a"]
    assert (overflow.can_drop, overflow.can_send_anyway) == (True, False)
    kept = without(prompt, overflow)
    assert [turn.content for turn in kept.turns] == ["System.", "two", "b", "three"]


def test_nothing_can_be_done() -> None:
    prompt = build_prompt("", talk("one"))
    assert overflow_of(too_long(prompt_tokens=90, context=80), prompt, 20) is None
    assert overflow_of(too_long(), prompt, 20) is None
    room = overflow_of(too_long(prompt_tokens=70, context=80), prompt, 20)
    assert room is not None
    assert (room.can_drop, room.can_send_anyway) == (False, True)
    assert overflow_of(too_long(prompt_tokens=70, context=80), prompt, 1) is None


@pytest.mark.parametrize("odd", [3, None, "never", []])
def test_an_odd_policy_is_the_default(odd: object) -> None:
    assert policy_of({"overflow": odd}, OverflowPolicy.ASK) is OverflowPolicy.ASK
    assert policy_of({"overflow": "stop"}, OverflowPolicy.ASK) is OverflowPolicy.STOP


# --- words --------------------------------------------------------------------------------


def test_a_limit_is_never_called_an_overflow() -> None:
    def said(reason: str, **more: Any) -> str:
        costs = Statistics(finish_reason=reason, **more)
        return stop_text(message("a", Role.ASSISTANT, "x", statistics=costs))

    assert "context" in said("context")
    assert "context" not in said("length")
    assert "“END⏎”" in said("stop", stop_string="END\n")
    assert len({said("stop"), said("length"), said("context"), said("cancelled")}) == 4
    assert stop_text(message("a", Role.ASSISTANT, "", status=MessageStatus.QUEUED)) == ""
    failed = message("a", Role.ASSISTANT, "", status=MessageStatus.FAILED, error="No memory.")
    assert stop_text(failed) == "No memory."


TURNS = (
    ChatMessage("system", "You are helpful."),
    ChatMessage("user", "How do I bake sourdough bread?"),
    ChatMessage("assistant", "Mix flour and water. 小麦粉を混ぜます。"),
)


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Baking Sourdough Bread", "Baking Sourdough Bread"),
        ('Title: "Sourdough Bread"\n', "Sourdough Bread"),
        ("**Sourdough** basics.", "Sourdough basics"),
        ("# Bread for beginners", "Bread for beginners"),
        ("小麦粉のパン", "小麦粉のパン"),
        ("", ""),
        ("A conversation", ""),
        ("Here is a title:\nSourdough bread", ""),
        ("<think>bread", ""),
        ("bread " * 20, ""),
        ("Helpful assistant", ""),
    ],
)
def test_a_title_says_something_of_the_conversation(answer: str, title: str) -> None:
    assert title_in(answer, TURNS) == title
