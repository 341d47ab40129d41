"""Garbage is collected in the window's thread, and at length only when nobody waits."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from desktop import collector
from desktop.collector import Collector


class Cycle:
    """Garbage that only the collector finds."""

    def __init__(self, freed: list[int]) -> None:
        self.itself = self
        self._freed = freed

    def __del__(self) -> None:
        self._freed.append(threading.get_ident())


class Window:
    """What the collector asks, the collector, and the full collections that were made."""

    def __init__(self) -> None:
        self.is_answering = False
        self.collector = Collector(lambda: self.is_answering)
        self.full = 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        self.full += phase == "stop" and info["generation"] == 2

    def look(self, times: int = 1) -> None:
        """As many looks, each with something young to look at."""
        for _ in range(times):
            kept = [[] for _ in range(gc.get_threshold()[0] + 100)]  # type: ignore[var-annotated]
            self.collector.look()
            del kept


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setattr(gc, "freeze", lambda: None)
    was_enabled = gc.isenabled()
    gc.enable()
    gc.collect()
    result = Window()
    result.collector.start()
    gc.callbacks.append(result)
    yield result
    gc.callbacks.remove(result)
    result.collector.stop()
    assert gc.isenabled()
    if not was_enabled:
        gc.disable()


# Looks until the middle generation has been collected so often that a full one is due.
DUE = (collector.WORTH_IT + 2) * (gc.get_threshold()[1] + 3)


def test_no_other_thread_frees_what_the_window_made(window: Window) -> None:
    freed: list[int] = []
    for _ in range(100):
        Cycle(freed)

    def work() -> None:
        kept = [[] for _ in range(100_000)]  # type: ignore[var-annotated]
        del kept

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not freed
    window.look()
    assert set(freed) == {threading.get_ident()}
    assert len(freed) == 100


def test_without_anything_young_nothing_is_done(window: Window) -> None:
    gc.collect()
    before = gc.get_stats()
    window.collector.look()
    assert gc.get_stats() == before


def test_an_idle_window_collects_in_full(window: Window) -> None:
    window.look(DUE)
    assert window.full >= 1


def test_a_stream_meets_no_full_collection(window: Window) -> None:
    window.is_answering = True
    window.look(DUE)
    assert window.full == 0
    window.is_answering = False
    window.look(DUE)
    assert window.full == 1


def test_an_endless_stream_does_not_keep_garbage_for_ever(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "TOO_MANY", 20)
    monkeypatch.setattr(collector, "MIDDLE_LOOKS", gc.get_threshold()[1])
    window.is_answering = True
    window.look(25 * (gc.get_threshold()[1] + 3))
    assert window.full >= 1


def test_what_a_chat_that_opens_leaves_waits_until_nobody_does(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    freed: list[int] = []
    window.is_answering = True
    Cycle(freed)
    kept = [[] for _ in range(collector.LEAP + 1_000)]  # type: ignore[var-annotated]
    window.collector.look()
    assert not freed
    monkeypatch.setattr(collector, "TOO_YOUNG", collector.LEAP + 1)
    window.collector.look()
    assert len(freed) == 1  # memory asked for it
    Cycle(freed)
    monkeypatch.undo()
    kept += [[] for _ in range(collector.LEAP + 1_000)]
    window.is_answering = False
    window.collector.look()
    assert len(freed) == 2
    del kept
