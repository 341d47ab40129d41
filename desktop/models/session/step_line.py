"""Steps that change a chat's tree, one after the other, as fast as the store follows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from desktop.models.session.message_keeper import MessageKeeper

Start = Callable[[], Future[Any] | None]


@dataclass(frozen=True, slots=True)
class _Step:
    start: Start
    done: Callable[[Any], None] | None
    failed: Callable[[Exception], None] | None
    quiet: bool


class StepLine:
    """Runs one step at a time: each begins on the tree that the one before has left."""

    def __init__(self, keeper: MessageKeeper, failed: Callable[[Exception], None]) -> None:
        self._keeper = keeper
        self._failed = failed
        self._steps: deque[_Step] = deque()
        self._running: _Step | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no step is under way."""
        return self._running is None

    @property
    def is_busy(self) -> bool:
        """Whether a step is under way, or waits, after which the path may be another."""
        running = self._running is not None and not self._running.quiet
        return running or any(not step.quiet for step in self._steps)

    def add(
        self,
        start: Start,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        *,
        next_one: bool = False,
        quiet: bool = False,
    ) -> None:
        """Run `start` in turn; a Future it returns ends the step, None ends it at once.

        Args:
            done: gets what the Future holds.
            failed: gets its exception; without it the line's own handler does.
            next_one: before those that wait already.
            quiet: it leaves what is shown as it is.
        """
        step = _Step(start, done, failed, quiet)
        if next_one:
            self._steps.appendleft(step)
        else:
            self._steps.append(step)
        if self._running is None:
            self._run()

    def stop(self) -> None:
        """The chat is deleted: no further step begins."""
        self._steps.clear()

    def _run(self) -> None:
        while self._steps and self._running is None:
            step = self._running = self._steps.popleft()
            future = None
            try:
                future = step.start()
            finally:
                if future is None:
                    self._running = None
            if future is not None:
                self._watch(step, future)

    def _watch(self, step: _Step, future: Future[Any]) -> None:
        self._keeper.watch(
            future,
            lambda result: self._end(step.done, result),
            lambda error: self._end(step.failed or self._failed, error),
        )

    def _end(self, call: Callable[[Any], None] | None, outcome: Any) -> None:
        try:
            if call is not None:
                call(outcome)
        finally:
            self._running = None
            self._run()
