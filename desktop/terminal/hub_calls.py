"""Questions to the hub under way, in threads: so that Ctrl-C is heard at once and ends them."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from engine.store.hub.call import Call

T = TypeVar("T")
_LOOK: Final = 0.5  # s between two looks at whether a signal has come


def answer(question: Callable[[Call], T]) -> T:
    """The answer to one question.

    Raises:
        HubError: as the question does.
        KeyboardInterrupt: the question has been ended.
    """
    return next(answers([question]))


def answers(
    questions: Sequence[Callable[[Call], T]],
    at_once: int = 1,
    new_call: Callable[[], Call] = Call,
) -> Iterator[T]:
    """The answers to several questions, as they come; see `answer`."""
    waiting = deque(questions)
    calls: list[Call] = []
    ended = threading.Event()
    came: queue.SimpleQueue[tuple[list[T], BaseException | None]] = queue.SimpleQueue()

    def work() -> None:
        while waiting:
            try:
                question = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            call = new_call()
            calls.append(call)
            if ended.is_set():  # between the two lines above
                call.cancel()
            try:
                came.put(([question(call)], None))
            except BaseException as error:
                came.put(([], error))

    try:
        for _ in range(min(at_once, len(questions))):
            threading.Thread(target=work, daemon=True).start()
        for _ in questions:
            found, error = _next(came)
            if error is not None:
                raise error
            yield from found
    finally:
        waiting.clear()
        ended.set()
        for call in tuple(calls):
            call.cancel()


def _next(came: queue.SimpleQueue[T]) -> T:
    while True:
        try:
            return came.get(timeout=_LOOK)
        except queue.Empty:
            continue
