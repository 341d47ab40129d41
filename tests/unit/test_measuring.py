"""The bookkeeping of a measurement: times are given, so the figures are exact."""

from __future__ import annotations

import pytest

from engine.measuring import MAX_STREAMS, PREFIX, Measurement, measure_fault
from engine.protocol import Measure


def test_prompts_and_answers_are_timed_apart() -> None:
    measurement = Measurement(Measure("m", (1, 2), prompt_tokens=100, output_tokens=5), 1000, 1)
    (only,) = measurement.start(10.0)
    assert (len(only.prompt), only.output_tokens) == (100, 5)
    assert not measurement.feed(only.key, 1, False, 12.0)
    for second in (13.0, 14.0, 15.0):
        assert not measurement.feed(only.key, 1, False, second)
    assert measurement.feed(only.key, 1, True, 16.0)
    first, second_probe = measurement.start(20.0)
    assert not measurement.feed(first.key, 1, False, 21.0)
    assert not measurement.feed(first.key, 1, False, 22.0)  # while the other still reads
    assert not measurement.feed(second_probe.key, 1, False, 22.0)
    assert not measurement.feed(first.key, 3, True, 24.0)
    assert measurement.feed(second_probe.key, 4, True, 26.0)
    assert measurement.start(26.0) == []
    one, two = measurement.result().rates
    assert (one.streams, one.prompt_tps, one.decode_tps, one.seconds) == (1, 50.0, 1.0, 6.0)
    assert (two.streams, two.prompt_tps, two.decode_tps, two.seconds) == (2, 100.0, 7 / 4, 6.0)


def test_no_prompt_shares_a_beginning_with_another() -> None:
    measurement = Measurement(Measure("m", (MAX_STREAMS,), 8, 2), 49_152)
    probes = measurement.start(0.0)
    assert len({probe.prompt[0] for probe in probes}) == MAX_STREAMS
    assert all(0 <= token < 49_152 for probe in probes for token in probe.prompt)
    assert all(probe.key.startswith(f"{PREFIX}m") for probe in probes)
    again = Measurement(Measure("m", (1,), 8, 2), 49_152).start(0.0)[0]
    assert again.prompt[1:] != probes[0].prompt[1:]


def test_a_stream_that_ends_at_once_leaves_no_rate() -> None:
    measurement = Measurement(Measure("m", (1,), 8, 2), 100)
    (probe,) = measurement.start(1.0)
    assert measurement.feed(probe.key, 2, True, 2.0)
    (rate,) = measurement.result().rates
    assert rate.decode_tps == 0.0


def test_a_cancelled_one_tells_what_it_has() -> None:
    measurement = Measurement(Measure("m", (1, 4), 8, 2), 100)
    (probe,) = measurement.start(0.0)
    measurement.feed(probe.key, 1, False, 1.0)
    measurement.feed(probe.key, 1, True, 2.0)
    probes = measurement.start(2.0)
    assert measurement.keys == {probe.key for probe in probes}
    measured = measurement.result(cancelled=True)
    assert (measured.cancelled, len(measured.rates)) == (True, 1)
    assert not measurement.feed("another's", 1, True, 3.0)


@pytest.mark.parametrize(
    "request_",
    [
        Measure("m", ()),
        Measure("m", (0,)),
        Measure("m", (MAX_STREAMS + 1,)),
        Measure("m", (1,), 0),
        Measure("m", (1,), 8, 1),
        Measure("m", (1,), 1 << 40),
    ],
)
def test_sizes_that_make_no_sense_are_refused(request_: Measure) -> None:
    assert measure_fault(request_)
    assert not measure_fault(Measure("m"))
