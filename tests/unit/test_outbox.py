"""The outgoing queue: nothing lost, order kept, bounded behind a slow window."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from engine.outbox import Outbox
from engine.protocol import (
    Failure,
    Finish,
    FinishReason,
    Heartbeat,
    Message,
    Scope,
    StreamUpdate,
    Telemetry,
    TokenBatch,
)

END = Finish(FinishReason.STOP, 3, 2, 0.5, 0.1)


def outbox() -> Outbox:
    return Outbox(lambda: None)


def urgent(box: Outbox) -> bool:
    return box.is_urgent


def telemetry(running: int) -> Telemetry:
    return Telemetry(running, 0, 0, 0, 0.0, 0.0)


def text(key: str, words: str, finish: Finish | None = None) -> StreamUpdate:
    return StreamUpdate(key, text=words, tokens=1, finish=finish)


def test_what_a_stream_produced_is_one_update_a_frame() -> None:
    box = outbox()
    box.put_updates([StreamUpdate("a", prompt_tokens=3, opens_reasoning="<think>")])
    box.put_updates([StreamUpdate("a", running=True)])
    box.put_updates([text("a", "one"), text("b", "x")])
    box.put_updates([text("a", " two", END)])
    assert box.take() == [
        TokenBatch(
            (
                StreamUpdate(
                    "a",
                    text="one two",
                    tokens=2,
                    running=True,
                    prompt_tokens=3,
                    opens_reasoning="<think>",
                    finish=END,
                ),
                text("b", "x"),
            )
        )
    ]
    assert box.take() == []


def test_a_message_comes_after_what_was_there_before_it() -> None:
    box = outbox()
    box.put_updates([text("a", "one")])
    failure = Failure(Scope.REQUEST, "No.", request_id="a")
    box.put(failure)
    box.put_updates([text("b", "x")])
    assert box.take() == [TokenBatch((text("a", "one"),)), failure, TokenBatch((text("b", "x"),))]


def test_of_telemetry_the_latest_counts() -> None:
    box = outbox()
    for running in range(100):
        box.put_reading(telemetry(running))
    assert box.take() == [telemetry(99)]


def test_first_token_and_end_are_urgent_and_what_is_between_is_not() -> None:
    box = outbox()
    box.put_updates([StreamUpdate("a", running=True)])
    assert not urgent(box)
    box.put_updates([text("a", "first")])
    assert urgent(box)
    box.take()
    assert not urgent(box)
    box.put_updates([text("a", "more")])
    box.put_reading(telemetry(1))
    assert not urgent(box)
    box.put_updates([text("b", "first of another")])
    assert urgent(box)
    box.take()
    box.put_updates([text("a", "last", END)])
    assert urgent(box)
    box.take()
    box.put(Heartbeat(1))
    assert urgent(box)


def test_nothing_is_remembered_of_streams_that_ended() -> None:
    box = outbox()
    for number in range(100):
        box.put_updates([text(f"a{number}", "x", END), text(f"b{number}", "x")])
        box.put(Failure(Scope.REQUEST, "No.", request_id=f"b{number}"))
    box.take()
    assert not box._started
    assert not box._streams


def test_it_wakes_for_everything_and_for_nothing_else() -> None:
    woken: list[int] = []
    box = Outbox(lambda: woken.append(1))
    box.put_updates([])
    assert not woken
    box.put_updates([text("a", "x")])
    box.put(Heartbeat(1))
    box.put_reading(telemetry(1))
    assert len(woken) == 3


@dataclass
class Got:
    """What came out, as a window would put it together."""

    texts: dict[str, str] = field(default_factory=dict)
    beats: list[int] = field(default_factory=list)
    at_beat: dict[int, dict[str, str]] = field(default_factory=dict)

    def take(self, messages: list[Message]) -> None:
        for message in messages:
            if isinstance(message, TokenBatch):
                keys = [update.request_id for update in message.updates]
                assert len(keys) == len(set(keys))
                for update in message.updates:
                    before = self.texts.get(update.request_id, "")
                    self.texts[update.request_id] = before + update.text
            elif isinstance(message, Heartbeat):
                self.beats.append(message.sequence)
                self.at_beat[message.sequence] = dict(self.texts)


Step = tuple[str, int]
steps = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "beat", "take"]), st.integers(0, 9)))


@given(steps)
def test_whenever_it_is_taken_the_window_gets_the_same(script: list[Step]) -> None:
    box, got, sent = outbox(), Got(), Got()
    beats = 0
    for what, value in script:
        if what == "beat":
            beats += 1
            box.put(Heartbeat(beats))
            sent.take([Heartbeat(beats)])
        elif what == "take":
            got.take(box.take())
        else:
            update = text(what, str(value))
            box.put_updates([update])
            sent.take([TokenBatch((update,))])
    got.take(box.take())
    assert got.texts == sent.texts
    assert got.beats == sent.beats
    assert got.at_beat == sent.at_beat


def test_many_threads_lose_nothing() -> None:
    box, got = outbox(), Got()
    words = [f"{n} " for n in range(2000)]

    def produce(key: str) -> None:
        for word in words:
            box.put_updates([text(key, word)])

    threads = [threading.Thread(target=produce, args=(f"s{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        got.take(box.take())
    got.take(box.take())
    assert got.texts == {f"s{i}": "".join(words) for i in range(4)}


def test_a_stalled_window_costs_one_update_a_stream() -> None:
    box = outbox()
    for _ in range(1000):
        box.put_updates([text(f"s{i}", "w") for i in range(64)])
    messages = box.take()
    assert len(messages) == 1
    assert isinstance(messages[0], TokenBatch)
    assert [update.tokens for update in messages[0].updates] == [1000] * 64
