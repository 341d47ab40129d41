"""The scripted engine's KV pool keeps its books as vLLM's does."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from engine.protocol import ChatMessage, Generate
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream

SIZE = 4


def keys_of(text: str) -> list[bytes]:
    return block_keys((ChatMessage("user", text),), SIZE)


def test_a_shared_beginning_is_held_once_and_found_again_when_free() -> None:
    pool = ScriptPool(10, SIZE)
    one, found = pool.begin(keys_of("a b c d e f g h"), 12)
    assert (len(one), found) == (3, 0)
    other, found = pool.begin(keys_of("a b c d x y z"), 11)
    assert found == 8  # the template's four, and a b c d
    assert other[:2] == one[:2]
    assert pool.used == 4
    report = pool.report(1, ())
    assert (report.used, report.shared, report.total) == (4, 2, 10)
    pool.release(one)
    pool.release(other)
    assert pool.used == 0
    assert pool.cached == 3  # the last block of the second was never full
    again, found = pool.begin(keys_of("a b c d e f g h"), 12)
    assert found == 8  # the last token is always computed
    assert again[:2] == one[:2]


def test_the_block_that_was_free_for_longest_is_given_away_first() -> None:
    pool = ScriptPool(4, SIZE)
    held, _ = pool.begin(keys_of("a b c d e f g h"), 12)
    pool.release(held)
    [first] = pool.take(1)
    assert first not in held  # one that nobody can find again
    assert pool.take(3) == held[::-1]  # the end of a text before its beginning
    assert pool.take(1) == []
    assert pool.cached == 0
    assert pool.begin(keys_of("a b c d e f g h"), 12) == ([], 0)


def test_a_report_names_the_blocks_of_each_request() -> None:
    pool = ScriptPool(9, SIZE)
    held, _ = pool.begin(keys_of("a b c"), 7)
    stream = Stream(Generate("r", ()), 0.0, prompt_tokens=7)
    request = pool.request(stream, held, 0)
    assert struct.unpack("<2I", request.blocks) == tuple(held)
    assert (request.tokens, request.unused) == (7, 1)
    pool.release(held)
    report = pool.report(2, ())
    free_but_known = [n for n in range(9) if report.cached[n >> 3] >> (n & 7) & 1]
    assert free_but_known == [held[0]]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(1, 40)), max_size=60))
def test_no_block_is_lost_or_held_by_nobody(steps: list[tuple[bool, int, int]]) -> None:
    pool = ScriptPool(12, SIZE)
    held: list[list[int]] = []
    for begins, which, words in steps:
        if begins or not held:
            text = " ".join(f"{which}-{number}" for number in range(words))
            held.append(pool.begin(keys_of(text), words + 4)[0])
        else:
            pool.release(held.pop(which % len(held)))
        in_use = {number for blocks in held for number in blocks}
        assert pool.used == len(in_use)
        assert pool.cached <= pool.total - pool.used
        report = pool.report(0, ())
        assert report.shared == sum(
            sum(number in blocks for blocks in held) > 1 for number in in_use
        )
