"""Questions to the hub in threads: answers as they come, and an end at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import pytest

from desktop.terminal.hub_calls import answer, answers
from engine.store.hub.call import Call
from engine.store.hub.errors import HubError

SECONDS = 30.0


def test_answers_come_as_they_are_there() -> None:
    slow_may = threading.Event()

    def slow(_call: Call) -> str:
        assert slow_may.wait(SECONDS)
        return "slow"

    found = answers([slow, lambda _call: "quick"], at_once=2)
    assert next(found) == "quick"
    slow_may.set()
    assert list(found) == ["slow"]
    assert list(answers([])) == []


def test_no_more_than_so_many_at_once() -> None:
    lock = threading.Lock()
    now: list[int] = []
    most: list[int] = []

    def one(number: int) -> Callable[[Call], int]:
        def ask(_call: Call) -> int:
            with lock:
                now.append(number)
                most.append(len(now))
            with lock:
                now.remove(number)
            return number

        return ask

    assert sorted(answers([one(number) for number in range(50)], at_once=3)) == list(range(50))
    assert max(most) <= 3


def test_an_error_ends_the_others() -> None:
    calls: list[Call] = []
    begun = threading.Event()

    def waits(call: Call) -> str:
        calls.append(call)
        begun.set()
        return "never told"

    def fails(_call: Call) -> str:
        assert begun.wait(SECONDS)
        raise HubError("hub_broken", "It is broken.")

    with pytest.raises(HubError, match="broken"):
        list(answers([waits, fails], at_once=2))
    assert calls[0].is_cancelled


def test_ctrl_c_is_heard_while_it_waits_and_cancels() -> None:
    cancelled = threading.Event()
    calls: list[Call] = []

    def hangs(call: Call) -> None:
        calls.append(call)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        while not call.is_cancelled:
            cancelled.wait(0.01)
        cancelled.set()
        raise HubError("cancelled", "It was cancelled.")

    with pytest.raises(KeyboardInterrupt):
        answer(hangs)
    assert cancelled.wait(SECONDS)
