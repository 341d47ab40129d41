"""When a load that stands still is ended, and what is said then."""

from __future__ import annotations

from engine.load_limit import SLOW_DISK, STALL_SECONDS, load_timeout, patient, stall_limit
from engine.protocol import LoadSettings, RemedyAction, Scope

TWO = LoadSettings(tensor_parallel_size=2)


def test_one_process_has_nobody_to_wait_for() -> None:
    assert stall_limit(LoadSettings()) is None
    assert stall_limit(TWO) == STALL_SECONDS
    assert stall_limit(LoadSettings(load_timeout=30.0)) == 30.0
    assert stall_limit(LoadSettings(load_timeout=-1.0)) == 0.0


def test_gpus_that_wait_for_each_other_are_tried_without_p2p_then_alone() -> None:
    failure = load_timeout(7, 300.0, TWO)
    assert (failure.scope, failure.code, failure.load_id) == (Scope.LOAD, "load_timeout", 7)
    first, second, _ = failure.remedies
    assert first.settings == {"disable_p2p": True}
    assert second.settings == {"tensor_parallel_size": 1, "devices": (0,)}
    settings = LoadSettings(tensor_parallel_size=2, disable_p2p=True, devices=(1, 2))
    again = load_timeout(7, 300.0, settings)
    assert [r.settings for r in again.remedies[:-1]] == [
        {"tensor_parallel_size": 1, "devices": (1,)}
    ]
    assert "300 s" in failure.detail


def test_a_single_process_is_tried_again() -> None:
    actions = [remedy.action for remedy in load_timeout(7, 5.0, LoadSettings()).remedies]
    assert actions == [RemedyAction.RETRY, RemedyAction.SHOW_LOG]


def test_weights_that_are_read_in_silence_have_their_time() -> None:
    size = int(40 * SLOW_DISK)
    assert stall_limit(patient(TWO, size)) == STALL_SECONDS + 40
    assert patient(TWO, 0) is TWO
    assert stall_limit(patient(LoadSettings(), size)) is None
    asked = LoadSettings(tensor_parallel_size=2, load_timeout=30.0)
    assert patient(asked, size) is asked
