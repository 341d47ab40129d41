"""Full collections happen when nobody waits, and only where there is a reason to."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from desktop import collector
from desktop.collector import Collector


class Watched:
    """Counts the full collections that Python makes."""

    def __init__(self) -> None:
        self.full = 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        self.full += phase == "stop" and info["generation"] == 2


@pytest.fixture
def watched() -> Iterator[Watched]:
    result = Watched()
    gc.callbacks.append(result)
    yield result
    gc.callbacks.remove(result)


class Window:
    """What the collector asks, and the collector."""

    def __init__(self) -> None:
        self.is_answering = False
        self.collector = Collector(lambda: self.is_answering)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setattr(gc, "freeze", lambda: None)
    result = Window()
    result.collector.start()
    yield result
    result.collector.stop()


def young(times: int) -> None:
    """Collections of the middle generation, as allocations bring them about."""
    for _ in range(times):
        gc.collect(1)


def test_a_stream_meets_no_full_collection(window: Window, watched: Watched) -> None:
    window.is_answering = True
    kept: list[object] = [
        [[] for _ in range(1000)] for _ in range(500)
    ]  # half a million tracked objects
    window.collector.look()
    assert watched.full == 0
    del kept


def test_an_idle_window_collects_once(window: Window, watched: Watched) -> None:
    young(collector.WORTH_IT)
    window.collector.look()
    assert watched.full == 1
    window.collector.look()
    assert watched.full == 1  # nothing has gathered since


def test_an_endless_stream_does_not_keep_garbage_for_ever(window: Window, watched: Watched) -> None:
    window.is_answering = True
    young(collector.TOO_MANY)
    window.collector.look()
    assert watched.full == 1


def test_the_thresholds_are_given_back() -> None:
    before = gc.get_threshold()
    one = Collector(lambda: False)
    one.start()
    assert gc.get_threshold()[2] > before[2]
    one.stop()
    assert gc.get_threshold() == before
