"""Percentiles and shares of the last minute."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from engine.recent import RecentShare, RecentTimes

TIMES = st.lists(st.floats(1e-4, 100.0), min_size=1, max_size=200)


@given(TIMES, st.floats(0.01, 1.0))
def test_a_percentile_is_that_of_the_sorted_times(times: list[float], share: float) -> None:
    recent = RecentTimes()
    for at, time in enumerate(times):
        recent.add(time, at * 0.1)
    [found] = recent.percentiles(len(times) * 0.1, share)
    right = sorted(times)[math.ceil(share * len(times)) - 1]
    assert found is not None
    assert abs(found / right - 1) < 0.011


def test_what_is_older_than_a_minute_counts_no_more() -> None:
    recent = RecentTimes()
    recent.add(9.0, 100.0, 1000)
    recent.add(1.0, 130.0)
    assert recent.percentiles(159.0, 0.5) != (1.0,)
    [median] = recent.percentiles(161.0, 0.5)
    assert median is not None
    assert abs(median - 1.0) < 0.011
    assert recent.percentiles(191.0, 0.5, 0.9) == (None, None)
    recent.add(0.0, 200.0)  # two tokens of one step
    assert recent.percentiles(200.0, 0.5)[0] is not None


def test_a_share_is_of_all_tokens_not_of_all_prompts() -> None:
    hits = RecentShare()
    assert hits.share(0.0) is None
    hits.add(0, 900, 10.0)
    hits.add(100, 100, 20.0)
    assert hits.share(20.0) == 0.1
    assert hits.share(71.0) == 1.0
    assert hits.share(81.0) is None
