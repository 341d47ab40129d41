"""Whose each KV block is, from report to report."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.monitor.frames import ChatRef, EngineFrame, MonitorFrame
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, NOBODY, SHARED, KvBooks
from engine.protocol import ChatMessage, Generate, KvReport, KvRequest
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream

SIZE = 4
TEA, RAIN = ChatRef("1", "Tea"), ChatRef("2", "Rain")


class Engine:
    """Texts in the scripted engine's pool, and reports of it."""

    def __init__(self, blocks: int = 12) -> None:
        self.pool = ScriptPool(blocks, SIZE)
        self.streams: dict[str, tuple[Stream, list[int]]] = {}
        self.step = 0

    def begin(self, name: str, text: str) -> None:
        keys = block_keys((ChatMessage("user", text),), SIZE)
        tokens = 4 + len(text.split())
        held, cached = self.pool.begin(keys, tokens)
        stream = Stream(Generate(name, ()), 0.0, prompt_tokens=tokens, cached_tokens=cached)
        self.streams[name] = stream, held

    def end(self, name: str) -> None:
        self.pool.release(self.streams.pop(name)[1])

    def report(self) -> KvReport:
        self.step += 1
        return self.pool.report(
            self.step,
            tuple(self.pool.request(stream, held, 0) for stream, held in self.streams.values()),
        )


def test_blocks_are_held_shared_cached_and_free() -> None:
    engine, books = Engine(), KvBooks(64)
    engine.begin("a", "a b c d e f g h i")  # 4 + 9 tokens: three full blocks and one begun
    engine.begin("b", "a b c d x")
    picture = books.take(engine.report(), {"a": TEA, "b": RAIN})
    tea, rain = picture.holders
    assert (tea.number, rain.number) == (1, 2)
    assert (len(tea.blocks), tea.shared, tea.context, tea.rereads) == (4, 2, 13, 1)
    assert (len(rain.blocks), rain.shared, rain.tokens) == (3, 2, 9)
    assert (picture.used, picture.shared, picture.cached, picture.free) == (5, 2, 0, 7)
    assert [picture.kinds[block] for block in tea.blocks] == [SHARED, SHARED, HELD, HELD]
    assert [picture.owners[block] for block in rain.blocks] == [1, 1, 2]
    assert {owner.ref for owner in picture.holders_of(tea.blocks[0])} == {TEA, RAIN}
    engine.end("a")
    engine.end("b")
    picture = books.take(engine.report(), {})
    assert picture.holders == ()
    assert (picture.used, picture.cached, picture.free) == (0, 3, 9)
    assert {picture.owners[at] for at in range(12) if picture.kinds[at] == CACHED} == {1}
    assert {picture.owners[at] for at in range(12) if picture.kinds[at] == FREE} == {NOBODY}


def test_what_the_next_reply_must_read_again_is_known_while_nobody_asks() -> None:
    engine, books = Engine(), KvBooks(64)
    engine.begin("a", "a b c d e f g h i")
    books.take(engine.report(), {"a": TEA})
    engine.end("a")
    [tea] = books.take(engine.report(), {}).remembered
    assert (tea.ref, tea.context, tea.tokens, tea.rereads) == (TEA, 13, 12, 1)
    # Another chat with the same beginning takes nothing from it ...
    engine.begin("b", "a b c d other words than those before")
    [tea] = books.take(engine.report(), {"b": RAIN}).remembered
    assert tea.rereads == 1
    engine.end("b")
    # ... one that needs all blocks does, but for the first, which is alike in all.
    engine.begin("c", " ".join(str(number) for number in range(44)))
    [rain, tea] = books.take(engine.report(), {"c": ChatRef("3", "Long")}).remembered
    assert (rain.ref, rain.tokens) == (RAIN, 4)
    assert (tea.tokens, tea.rereads) == (4, 9)


def test_a_deleted_chat_is_named_no_more_though_its_blocks_are_cached() -> None:
    engine, books = Engine(), KvBooks(64)
    engine.begin("a", "a b c d e f g h i")
    books.take(engine.report(), {"a": TEA})
    engine.end("a")
    books.forget("1")
    books.forget("never seen")
    picture = books.take(engine.report(), {})
    assert picture.remembered == ()
    assert picture.cached == 3
    assert set(picture.owners) == {NOBODY}
    assert books.ref_of(1).title == ""


def test_several_answers_of_one_chat_are_one_owner_and_share() -> None:
    engine, books = Engine(), KvBooks(64)
    for name in "abc":
        engine.begin(name, "a b c d e")
    picture = books.take(engine.report(), dict.fromkeys("abc", TEA))
    [tea] = picture.holders
    assert tea.requests == ("a", "b", "c")
    assert (len(tea.blocks), tea.shared) == (5, 2)


def test_a_chat_keeps_its_number_and_takes_its_new_title() -> None:
    engine, numbers = Engine(), {"2": 1}
    books = KvBooks(64, numbers)
    engine.begin("a", "a")
    assert books.take(engine.report(), {"a": TEA}).holders[0].number == 2
    [owner] = books.take(engine.report(), {"a": ChatRef("1", "Green tea")}).holders
    assert (owner.number, owner.ref.title) == (2, "Green tea")
    assert books.ref_of(2).title == "Green tea"
    assert books.ref_of(77).title == ""
    assert numbers == {"2": 1, "1": 2}


def test_another_pool_is_taken_as_it_is() -> None:
    books = KvBooks(64)
    first = Engine()
    first.begin("a", "a b c d e")
    books.take(first.report(), {"a": TEA})
    picture = books.take(Engine(100).report(), {})
    assert picture.total == picture.free == 100
    assert picture.remembered == ()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(1, 30)), max_size=40))
def test_every_block_is_one_of_the_four_and_the_sums_are_right(
    steps: list[tuple[bool, int, int]],
) -> None:
    engine, books = Engine(20), KvBooks(64)
    for number, (begins, which, words) in enumerate(steps):
        if begins or not engine.streams:
            engine.begin(str(number), " ".join(f"{which % 2}-{at}" for at in range(words)))
        else:
            engine.end(list(engine.streams)[which % len(engine.streams)])
        owners = {name: ChatRef(name, "") for name in engine.streams}
        picture = books.take(engine.report(), owners)
        counts = {kind: picture.kinds.count(kind) for kind in (FREE, CACHED, HELD, SHARED)}
        assert counts[HELD] + counts[SHARED] == picture.used
        assert counts[SHARED] == picture.shared
        assert (counts[CACHED], counts[FREE]) == (picture.cached, picture.free)
        assert all(picture.owners[at] for at in range(20) if picture.kinds[at] in (HELD, SHARED))
        assert all(owner.rereads >= 0 for owner in (*picture.holders, *picture.remembered))


def test_a_frame_survives_a_line_of_json() -> None:
    request = KvRequest("a", b"\1\0\0\0", 3, 4, 0, 1)
    report = KvReport(7, 4, 9, 1, 0, b"\0\1", (request,))
    frame = MonitorFrame(1.5, 2.5, (EngineFrame(0, "/m", "ready", kv=report),), owners={"a": TEA})
    line = msgspec.json.encode(frame)
    assert b"\n" not in line
    assert json.loads(line)["owners"] == {"a": {"chat_id": "1", "title": "Tea"}}
    assert msgspec.json.decode(line, type=MonitorFrame) == frame
