"""Prompts are tokenized in pieces, with the same result as in one."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Metaspace

from engine import segments as segments_module
from engine.segments import Marker, Segments, any_of, segments_of

MARKERS = ["<|im_start|>", "<|im_end|>", "<|im_end|>x", "\n\n\n", "[INST]"]


@dataclass
class Fast:
    """What `segments_of` sees of transformers' fast tokenizer; it counts what is encoded."""

    tokenizer: Tokenizer
    encoded: list[str] = field(default_factory=list)

    @property
    def backend_tokenizer(self) -> Fast:
        return self

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        return self.tokenizer.get_added_tokens_decoder()

    def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[Any]:
        self.encoded += texts
        return self.tokenizer.encode_batch_fast(texts, add_special_tokens=add_special_tokens)


def make(
    *, first: bool = False, word: bool = False, markers: Sequence[str] = MARKERS, **strip: bool
) -> Fast:
    """A byte-level BPE with a few merges: pieces that meet would merge differently."""
    vocabulary = {character: i for i, character in enumerate(sorted(ByteLevel.alphabet()))}
    merges = [("a", "a"), ("aa", "aa"), ("Ġ", "a"), ("Ċ", "Ċ"), ("s", "e"), ("u", "se"), ("<", "|")]
    for left, right in merges:
        vocabulary.setdefault(left + right, len(vocabulary))
    tokenizer = Tokenizer(BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    if first:  # as Llama 2 has it: a text's first word is another one
        tokenizer.pre_tokenizer = Metaspace(replacement="_", prepend_scheme="first")
    tokenizer.add_special_tokens(
        [AddedToken(text, normalized=False, single_word=word, **strip) for text in markers]
    )
    return Fast(tokenizer)


def whole(fast: Fast, text: str) -> list[int]:
    ids: list[int] = fast.tokenizer.encode(text, add_special_tokens=False).ids
    return ids


FAST = make()
PIECES = segments_of(FAST)
texts = st.lists(
    st.sampled_from([*MARKERS, "<|im_", "end|>", "a", "aaa", " a", "\n", "user", "é", "🙂", " "])
    | st.text(max_size=5),
    max_size=20,
).map("".join)


@given(texts)
def test_pieces_make_what_the_whole_makes(text: str) -> None:
    assert PIECES is not None
    assert PIECES.exact
    assert PIECES.ids(text) == whole(FAST, text)
    assert PIECES.count(text) == len(whole(FAST, text))


@pytest.mark.parametrize(
    "fast", [make(first=True), make(word=True), make(rstrip=True), make(lstrip=True)]
)
def test_a_tokenizer_for_which_that_does_not_hold_gets_the_whole(fast: Fast) -> None:
    pieces = segments_of(fast)
    assert pieces is not None
    assert not pieces.exact
    text = "<|im_start|> user\naaa<|im_end|>\n"
    assert pieces.ids(text) == whole(fast, text)
    assert pieces.count(text) == len(whole(fast, text))


TAGS = [text for text in MARKERS if text.strip() == text]


@pytest.mark.parametrize(
    "fast",
    [
        make(markers=TAGS, rstrip=True),
        make(markers=TAGS, lstrip=True),
        make(markers=TAGS, lstrip=True, rstrip=True),
    ],
    ids=["after", "before", "both"],
)
@given(text=texts)
def test_markers_that_take_the_space_beside_them(fast: Fast, text: str) -> None:
    pieces = segments_of(fast)
    assert pieces is not None
    assert pieces.exact
    assert pieces.ids(text) == whole(fast, text)


def test_without_markers_and_without_a_fast_tokenizer() -> None:
    bare = Tokenizer(BPE({"a": 0}, []))
    pieces = segments_of(Fast(bare))
    assert pieces is not None
    assert pieces.ids("aaa") == [0, 0, 0]
    assert segments_of(object()) is None


def test_only_what_is_new_is_tokenized() -> None:
    fast = make()
    pieces = segments_of(fast)
    assert pieces is not None
    turns = [f"<|im_start|>user {number}<|im_end|>" for number in range(100)]
    pieces.ids("".join(turns))
    fast.encoded.clear()
    pieces.ids("".join(turns) + "<|im_start|>more")
    pieces.count("".join(turns[50:]) + "<|im_start|>more")
    assert fast.encoded == ["more"]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments_module, "KEPT_TOKENS", 1000)
    pieces = segments_of(make())
    assert pieces is not None
    for number in range(200):
        pieces.ids(f"<|im_start|>{number}")
    assert len(pieces._pieces) < 20
    assert pieces._kept <= 1000


def test_a_long_text_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments_module, "BATCH_CHARS", 10)
    fast = make()
    pieces = segments_of(fast)
    assert pieces is not None
    fast.encoded.clear()

    def check() -> None:
        if len(fast.encoded) > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pieces.ids("<|im_start|>".join(f"a turn, number {n}" for n in range(100)), check)
    assert len(fast.encoded) < 10


def test_threads_may_share_it() -> None:
    pieces = segments_of(make())
    assert pieces is not None
    text = "<|im_start|>".join(f"turn {n} aaa" for n in range(500))
    expected = whole(FAST, text)
    got: list[list[int]] = []
    threads = [threading.Thread(target=lambda: got.append(pieces.ids(text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [expected] * 4


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1), st.text())
def test_the_longest_of_many_is_found(words: list[str], text: str) -> None:
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    assert re.findall(any_of(words), text) == re.findall(longest_first, text)


def test_segments_of_thousands_of_markers_are_cut_quickly() -> None:
    markers = {f"<unused{number}>": Marker(number) for number in range(6000)}
    markers |= {"\n" * number: Marker(7000 + number) for number in range(2, 31)}

    class Nothing:
        ids: tuple[int, ...] = ()

    class Backend:
        def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[Nothing]:
            return [Nothing() for _ in texts]

    pieces = Segments(Backend(), markers)
    pieces.exact = True
    assert pieces.count("a <b> c\n\nd<unused77>" * 20_000) == 40_000
