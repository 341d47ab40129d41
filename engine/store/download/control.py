"""What the user wants of a running download; told from any thread, heard at once."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from engine.failure_words import words
from engine.store.download import messages
from engine.store.hub.errors import HubError

_CANCELLED = words("The download was stopped. What was fetched is kept.")

T = TypeVar("T")


def cancelled() -> HubError:
    """What a download that was cancelled ends with."""
    return HubError("cancelled", _CANCELLED)


class Control:
    """Pause, resume, limit and cancel.

    Attributes:
        lock: held while any of it changes; conditions of the download are made of it.
        limit: bytes/s; 0 for none.
        nudges: how often it was told to go on.
    """

    def __init__(self, limit: int = 0) -> None:
        self.lock = threading.RLock()
        self.limit = max(0, limit)
        self.is_paused = False
        self.is_cancelled = False
        self.nudges = 0
        self._changed = threading.Condition(self.lock)
        self._listeners: list[Callable[[], None]] = []

    def obey(self, command: messages.AnyCommand) -> None:
        """Do what a command says."""
        match command:
            case messages.Pause():
                self.pause()
            case messages.Resume():
                self.resume()
            case messages.Limit(limit):
                self.set_limit(limit)
            case messages.Cancel():
                self.cancel()

    def pause(self) -> None:
        """Fetch nothing until `resume`."""
        with self.lock:
            self.is_paused = True
            self._tell()

    def resume(self) -> None:
        """Go on, also where it waits for a next try."""
        with self.lock:
            self.is_paused = False
            self.nudges += 1
            self._tell()

    def set_limit(self, limit: int) -> None:
        """At most so many bytes/s from now on; 0: as many as come."""
        with self.lock:
            self.limit = max(0, limit)
            self._tell()

    def cancel(self) -> None:
        """End."""
        with self.lock:
            self.is_cancelled = True
            self._tell()

    def check(self) -> None:
        """Raises HubError "cancelled" where that is wanted."""
        if self.is_cancelled:
            raise cancelled()

    def wait(self, seconds: float) -> bool:
        """Wait, unless it is told to go on or to end; whether the time has passed.

        Raises:
            HubError: cancelled.
        """
        with self.lock:
            before = self.nudges
            passed = not self._changed.wait_for(
                lambda: self.is_cancelled or self.nudges != before, seconds
            )
        self.check()
        return passed

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Wait until `ready`; who makes it so calls `stir`.

        Raises:
            HubError: cancelled.
        """
        with self.lock:
            self._changed.wait_for(lambda: self.is_cancelled or ready())
        self.check()

    def stir(self) -> None:
        """Have those that wait look again."""
        with self.lock:
            self._changed.notify_all()

    @contextlib.contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have `listener` called with the lock held after each change."""
        with self.lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self.lock:
                self._listeners.remove(listener)

    def _tell(self) -> None:
        self._changed.notify_all()
        for listener in tuple(self._listeners):
            listener()


def in_thread(ask: Callable[[], T], control: Control) -> T:
    """What `ask` returns or raises; unless it is cancelled meanwhile, however it hangs.

    Raises:
        HubError: cancelled.
    """
    answers: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
    answered = threading.Event()

    def work() -> None:
        try:
            answers.put((ask(), None))
        except BaseException as error:
            answers.put((None, error))
        answered.set()
        control.stir()

    threading.Thread(target=work, daemon=True).start()
    control.wait_until(answered.is_set)
    value, error = answers.get()
    if error is not None:
        raise error
    return value  # type: ignore[return-value]
