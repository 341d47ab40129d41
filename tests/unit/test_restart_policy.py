"""When a dead engine is started again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.engine_link.restart_policy import RestartPolicy


def test_it_waits_longer_each_time_and_then_stops() -> None:
    policy = RestartPolicy()
    assert [policy.died(0.0) for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, None]
    assert policy.died(0.0) is None
    assert policy.deaths == 7


def test_a_short_life_with_a_model_does_not_clear_the_count() -> None:
    policy = RestartPolicy()
    policy.died(0.0)
    assert policy.died(59.9) == 1.0


def test_a_stable_life_clears_the_count() -> None:
    policy = RestartPolicy()
    for _ in range(5):
        policy.died(0.0)
    assert policy.died(60.0) == 0.5
    assert policy.deaths == 1
    assert policy.died(0.0) == 1.0


def test_the_user_may_try_again() -> None:
    policy = RestartPolicy()
    while policy.died(0.0) is not None:
        pass
    policy.reset()
    assert policy.deaths == 0
    assert policy.died(0.0) == 0.5


def test_without_delays_it_never_tries() -> None:
    assert RestartPolicy(()).died(0.0) is None


@given(st.lists(st.floats(0, 200)))
def test_it_stops_only_after_six_deaths_without_a_stable_life(lives: list[float]) -> None:
    policy = RestartPolicy()
    since = 0
    for lived in lives:
        since = 1 if lived >= policy.stable_seconds else since + 1
        assert (policy.died(lived) is None) == (since > 5)
        assert policy.deaths == since
