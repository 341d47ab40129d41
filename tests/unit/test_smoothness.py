"""The judge of the kill tests: it tells a window that waits from a machine that is slow."""

from __future__ import annotations

import pytest

from tests.helpers.smoothness import Round, check_smooth

CALM = [Round(0.04, 0.6), Round(0.11, 0.9), Round(0.02, 0.5)] * 4  # as measured


def test_a_window_that_goes_on_passes_on_any_machine() -> None:
    for slower in (1, 10, 100):
        check_smooth([Round(pause * slower, back * slower) for pause, back in CALM])


def test_single_rounds_may_meet_a_disk_that_holds_up_everything() -> None:
    check_smooth([*CALM, *[Round(3.0, 3.5)] * 4])


@pytest.mark.parametrize("slower", [1, 10])
@pytest.mark.parametrize("share", [0.4, 0.9])  # of the time waited for: its end; all of it
def test_a_window_that_waits_for_its_engine_fails(share: float, slower: int) -> None:
    waiting = [Round(back * share * slower, back * slower) for _, back in CALM]
    with pytest.raises(AssertionError, match="stood still"):
        check_smooth(waiting)


def test_a_window_that_waits_in_one_kind_of_round_of_three_fails() -> None:
    rounds = [Round(0.5, 0.6) if at % 3 == 0 else one for at, one in enumerate(CALM)]
    with pytest.raises(AssertionError, match="stood still"):
        check_smooth(rounds)
