"""The usual time of a load, and what is left of it, in words that do not jump about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.models.loading.load_times import (
    KEPT,
    MAX_WAYS,
    Times,
    left_text,
    seconds_left,
    usual_text,
    with_load,
)
from engine.protocol import LoadSettings, LoadStage, StageTime
from tests.unit.test_load_memory import loaded

USUAL = {"importing": 4.0, "reading_weights": 6.0, "warming_up": 2.0}
_STAGES = list(LoadStage)


def test_the_usual_time_is_the_median_of_the_last_loads() -> None:
    times = Times()
    assert times.usual() == {}
    for seconds in (100.0, 11.0, 12.0, 13.0, 14.0, 15.0):
        times = with_load(times, loaded(seconds=seconds))
    assert times.usual() == {"reading_weights": 12.0, "warming_up": 1.0}
    (stages,) = times.ways.values()
    assert all(len(seconds) == KEPT for seconds in stages.values())


def test_another_way_to_load_has_its_own_times() -> None:
    times = with_load(Times(), loaded(seconds=10.0))
    two = LoadSettings(tensor_parallel_size=2)
    times = with_load(times, loaded(seconds=30.0, device="NVIDIA GeForce RTX 3090", settings=two))
    assert sum(times.usual("CPU|1|eager").values()) == 10.0
    assert sum(times.usual("NVIDIA GeForce RTX 3090|2|graphs").values()) == 30.0
    assert sum(times.usual().values()) == 30.0  # the last one
    assert sum(times.usual("never tried").values()) == 30.0


def test_only_so_many_ways_are_kept() -> None:
    times = Times()
    for number in range(MAX_WAYS + 4):
        times = with_load(times, loaded(device=f"GPU {number}"))
    assert len(times.ways) == MAX_WAYS


def test_a_load_without_stages_teaches_nothing() -> None:
    assert with_load(Times(), loaded(stages=())) == Times()
    wrong = (StageTime(LoadStage.IMPORTING, -5.0), StageTime(LoadStage.WARMING_UP, float("nan")))
    assert with_load(Times(), loaded(stages=wrong)) == Times()


def test_what_is_left_is_the_rest_of_the_stage_and_all_later_ones() -> None:
    assert seconds_left({}, None, 0.0, None) is None
    assert seconds_left(USUAL, None, 0.0, None) == 12.0
    assert seconds_left(USUAL, LoadStage.IMPORTING, 1.0, None) == 11.0
    assert seconds_left(USUAL, LoadStage.READING_WEIGHTS, 1.0, 0.5) == 5.0
    assert seconds_left(USUAL, LoadStage.READING_WEIGHTS, 100.0, None) == 2.0
    # A stage that past loads did not have costs nothing that is known.
    assert seconds_left(USUAL, LoadStage.PROFILING_MEMORY, 3.0, None) == 2.0


@pytest.mark.parametrize(
    ("usual", "in_stage", "words"),
    [
        (12.2, 0.0, "about 12 s left"),
        (12.2, 11.8, "a moment left"),
        (12.2, 30.0, "longer than usual"),
        (47.0, 0.0, "about 45 s left"),
        (118.0, 0.0, "about 2 min left"),
        (600.0, 0.0, "about 10 min left"),
    ],
)
def test_the_words(usual: float, in_stage: float, words: str) -> None:
    times = {"warming_up": usual}
    assert left_text(times, LoadStage.WARMING_UP, in_stage, None) == words


def test_nothing_is_said_before_the_first_load() -> None:
    assert left_text({}, LoadStage.IMPORTING, 1.0, None) == ""


def test_the_usual_time_in_words() -> None:
    assert usual_text(0.2) == "usually 1 s"
    assert usual_text(14.4) == "usually 14 s"
    assert usual_text(180) == "usually 3 min"


@given(
    st.dictionaries(st.sampled_from([s.value for s in LoadStage]), st.floats(0, 1e5)),
    st.sampled_from([None, *_STAGES]),
    st.floats(0, 1e6),
    st.none() | st.floats(-1, 2),
)
def test_it_is_never_negative_and_never_grows_with_time(
    usual: dict[str, float], stage: LoadStage | None, in_stage: float, fraction: float | None
) -> None:
    left = seconds_left(usual, stage, in_stage, fraction)
    left_text(usual, stage, in_stage, fraction)
    if left is None:
        assert not usual
        return
    later = seconds_left(usual, stage, in_stage + 1, fraction)
    assert later is not None
    assert 0 <= later <= left <= sum(usual.values()) + 1e-6
