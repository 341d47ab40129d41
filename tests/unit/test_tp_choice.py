"""Which of two ways is faster: exact figures."""

from __future__ import annotations

import pytest

from desktop.models.loading.tp_choice import Tried, exchange_seconds, faster
from engine.protocol import Failure, Rate, Scope


def tried(size: int, *rates: Rate) -> Tried:
    return Tried(size, tuple(range(size)), rates)


def rate(streams: int, prompt: float, decode: float) -> Rate:
    return Rate(streams, prompt, decode, 1.0)


def test_an_exchange_reads_and_writes() -> None:
    assert exchange_seconds([rate(1, 512.0, 256.0)]) == 2.0
    # Four streams share the rates: each waits four times as long for its part.
    assert exchange_seconds([rate(4, 512.0, 256.0)]) == 8.0
    assert exchange_seconds([rate(1, 512.0, 256.0), rate(4, 2048.0, 1024.0)]) == 2.0


@pytest.mark.parametrize("rates", [(), (rate(1, 0.0, 5.0),), (rate(1, 5.0, 0.0),)])
def test_without_rates_there_is_no_figure(rates: tuple[Rate, ...]) -> None:
    assert exchange_seconds(rates) is None


def test_two_must_win_clearly() -> None:
    one = tried(1, rate(1, 1000.0, 20.0))
    assert faster(one, tried(2, rate(1, 1000.0, 20.5))) is one
    two = tried(2, rate(1, 1500.0, 30.0))
    assert faster(one, two) is two
    assert faster(one, tried(2, rate(1, 4000.0, 5.0))) is one  # reads fast, writes slowly


def test_the_only_one_that_was_measured_is_the_choice() -> None:
    failed = Tried(1, (0,), failure=Failure(Scope.LOAD, "No."))
    two = tried(2, rate(1, 1.0, 1.0))
    assert faster(failed, two) is two
    assert faster(two, failed) is two
    assert faster(failed, failed) is None
