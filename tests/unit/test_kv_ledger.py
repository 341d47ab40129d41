"""The ledger: who is at what, how fast, and what the cache remembers."""

from __future__ import annotations

import msgspec

from desktop.models.monitor.ledger import SPAN, Ledger, LedgerRow, State
from engine.protocol import KvReport
from tests.helpers.kv_scene import KvScene


class Book:
    """A scene and its ledger, a quarter of a second from report to report."""

    def __init__(self, total: int = 64) -> None:
        self.scene = KvScene(total, 16)
        self.ledger = Ledger()
        self.at = 0.0

    def rows(self, change: dict[str, dict[str, object]] | None = None) -> dict[str, LedgerRow]:
        report: KvReport = self.scene.report()
        if change:
            requests = tuple(
                msgspec.structs.replace(one, **change.get(one.request_id, {}))
                for one in report.requests
            )
            report = msgspec.structs.replace(report, requests=requests)
        picture = self.scene.books.take(report, self.scene.owners)
        self.at += 0.25
        rows = self.ledger.take(picture, report, self.at)
        assert len({row.key for row in rows}) == len(rows)
        return {row.owner.ref.chat_id: row for row in rows}


def test_a_rate_is_of_the_last_seconds_and_of_all_answers_of_a_chat() -> None:
    book = Book()
    book.scene.ask(1, 20)
    book.scene.ask(2, 20)
    book.scene.owners["request-2"] = book.scene.owners["request-1"]  # two answers of one chat
    assert book.rows()["1"].tps is None  # it has only begun
    for _ in range(20):
        book.scene.grow(5)
        (row,) = book.rows().values()
        assert row.tps == 40.0  # 5 tokens in a quarter of a second, twice
    for _ in range(int(SPAN / 0.25)):
        (row,) = book.rows().values()
    assert row.tps == 0.0  # nothing came for as long as it looks back
    assert row.state is State.ANSWERS
    assert len(row.owner.requests) == 2


def test_who_waits_was_sent_back_or_reads_is_told() -> None:
    book = Book()
    for number in (1, 2, 3, 4):
        book.scene.ask(number, 40)
    book.scene.wait("request-2")
    book.scene.wait("request-3", is_preempted=True)
    rows = book.rows({"request-4": {"tokens": 16}})
    assert [rows[name].state for name in "1234"] == [
        State.ANSWERS,
        State.WAITS,
        State.SENT_BACK,
        State.READS,
    ]
    assert (rows["2"].owner.position, rows["3"].owner.position) == (1, 2)
    assert (rows["2"].blocks, rows["2"].shared_share, rows["2"].tps) == (0, None, None)
    assert rows["3"].owner.preemptions == 1


def test_what_is_over_comes_last_with_what_is_still_cached() -> None:
    book = Book()
    book.scene.ask(1, 44)  # 48 tokens: three full blocks
    book.scene.ask(2, 44, shared_words=0)
    book.rows()
    book.scene.end("request-1")
    rows = book.rows()
    assert list(rows) == ["2", "1"]
    assert (rows["1"].state, rows["1"].owner.tokens, rows["1"].owner.rereads) == (
        State.OVER,
        48,
        0,
    )
    assert rows["1"].tps is None
    book.scene.ask(3, 44)
    book.scene.end("request-2")
    assert list(book.rows()) == ["3", "2", "1"]  # the latest first


def test_what_the_program_itself_asked_is_not_remembered() -> None:
    book = Book()
    name = book.scene.ask(1, 44)
    del book.scene.owners[name]
    assert list(book.rows()) == [""]
    book.scene.end(name)
    assert not book.rows()


def test_shared_blocks_are_a_share() -> None:
    book = Book()
    book.scene.ask(1, 12, shared_words=48)
    book.scene.ask(2, 12, shared_words=48)
    rows = book.rows()
    assert rows["1"].blocks == rows["2"].blocks == 4
    assert rows["1"].shared_share == rows["2"].shared_share == 0.75
