"""Reasoning is told from the answer, however the text is cut, and only at its head."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.reasoning import TAGS, ReasoningSplitter, closing_of, reopened, split

# Texts made of what might be mistaken for a tag, and of space, which is easily lost.
PIECES = st.sampled_from(
    [*TAGS, *TAGS.values(), "<", "<th", "</thi", "/think>", "[", "◁", " ", "\n", "a", "é", "🙂"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


def fed(text: str, cuts: list[int], opened: str = "") -> tuple[str, str]:
    """What comes of `text` when it is cut at `cuts`."""
    splitter = ReasoningSplitter(opened)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    reasoning, content = "", ""
    for begin, end in itertools.pairwise(places):
        thought, said = splitter.feed(text[begin:end])
        reasoning, content = reasoning + thought, content + said
    thought, said = splitter.finish()
    return reasoning + thought, content + said


@pytest.mark.parametrize("tag", TAGS)
def test_each_tag_is_known(tag: str) -> None:
    text = f"{tag}\nhm, let me see\n{TAGS[tag]}\n\nParis."
    assert split(text) == ("hm, let me see", "Paris.")
    for cut in range(len(text)):
        assert fed(text, [cut]) == ("hm, let me see", "Paris.")
    assert fed(text, list(range(len(text)))) == ("hm, let me see", "Paris.")


@pytest.mark.parametrize(
    ("text", "reasoning", "content"),
    [
        ("Paris.", "", "Paris."),
        ("", "", ""),
        ("  \n", "", "  \n"),
        ("\n <think>a</think>b", "a", "b"),
        ("<think>never closed", "never closed", ""),
        ("<think>a</think>", "a", ""),
        ("<think>\n\n</think>\n\nParis.", "", "Paris."),
        ("<think>a</think> b <think>c</think>", "a", "b <think>c</think>"),
        ("Use the <think> tag.", "", "Use the <think> tag."),
        ("`<think>` is a tag", "", "`<think>` is a tag"),
        ("<think", "", "<think"),
        ("<thinker>a", "", "<thinker>a"),
        ("<channel>analysis", "", "<channel>analysis"),
        ("<|channel|>analysis", "", "<|channel|>analysis"),
        ("<img src=x onerror=alert(1)>", "", "<img src=x onerror=alert(1)>"),
        ("<think>a < b and c </thin d</think>e", "a < b and c </thin d", "e"),
        ("<think>a</thinking>b</think>c", "a</thinking>b", "c"),
        ("<think>a</thi", "a</thi", ""),
    ],
)
def test_only_at_the_head(text: str, reasoning: str, content: str) -> None:
    assert split(text) == (reasoning, content)


def test_a_template_that_opens_it() -> None:
    assert split("hm</think>\nParis.", "<think>\n") == ("hm", "Paris.")
    assert split("<think>\nhm</think>Paris.", "<think>") == ("hm", "Paris.")  # once more
    assert split("hm", "<think>") == ("hm", "")
    assert split("hm</plan>Paris.", "<plan>") == ("hm", "Paris.")
    assert closing_of("[PLAN]") == "[/PLAN]"


def test_reasoning_that_goes_on() -> None:
    splitter = ReasoningSplitter("<think>", goes_on=True)
    assert splitter.is_reasoning
    assert splitter.feed(" and so on</think>Paris.") == (" and so on", "Paris.")
    assert splitter.is_closed
    assert reopened("", "hm") == "<think>\nhm"
    assert reopened("[THINK]", "hm") == "[THINK]\nhm"


def test_text_is_held_back_only_while_it_may_be_a_tag() -> None:
    splitter = ReasoningSplitter()
    assert splitter.feed("Par") == ("", "Par")
    splitter = ReasoningSplitter()
    assert splitter.feed("<thi") == ("", "")
    assert splitter.feed("s>") == ("", "<this>")
    splitter = ReasoningSplitter()
    assert splitter.feed("<think>a</") == ("a", "")
    assert splitter.is_reasoning
    assert splitter.feed("b") == ("</b", "")


@given(TEXTS, st.lists(st.integers(0, 200), max_size=8), st.sampled_from(["", "<think>"]))
def test_cuts_change_nothing(text: str, cuts: list[int], opened: str) -> None:
    assert fed(text, cuts, opened) == split(text, opened)


@given(TEXTS)
def test_nothing_but_tags_and_space_is_lost(text: str) -> None:
    reasoning, content = split(text)
    splitter = ReasoningSplitter()
    splitter.feed(text)
    if not splitter.tag:
        assert (reasoning, content) == ("", text)
        return
    closing = closing_of(splitter.tag) if splitter.is_closed else ""
    whole = f"{splitter.tag}{reasoning}{closing}{content}"
    assert "".join(whole.split()) == "".join(text.split())
