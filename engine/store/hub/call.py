"""One question to the hub while it is under way: its deadline, its caps, and its end at once.

A question is asked in a thread of its own. Whoever cancels it shuts the sockets down that the
thread waits on, so that it wakes and finds out.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Final, Self, TypeVar
from urllib.parse import urlsplit

from engine.failure_words import words
from engine.store.hub.errors import HubError
from engine.store.hub.network import endpoint_of

T = TypeVar("T")
R = TypeVar("R")

DEADLINE: Final = 60.0  # s for one question, however it drips
MOST_BYTES: Final = 32 * 1024 * 1024  # of all answers to one question, unpacked

_CANCELLED = words("It was cancelled.")
_SLOW = words("The hub ({host}) is too slow: it did not answer in time. Try again later.")
_MUCH = words("The hub ({host}) sends more than such an answer ever has; it was not read further.")

_current: ContextVar[Call | None] = ContextVar("hub_call", default=None)


class Call:
    """See the module. Each thread that asks for it does so within `here`.

    Attributes:
        endpoint: the hub that is asked; by default the environment's.
    """

    def __init__(
        self,
        endpoint: str = "",
        *,
        seconds: float = DEADLINE,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.endpoint = endpoint.rstrip("/") or endpoint_of()
        self._ends = time.monotonic() + seconds
        self._left = most_bytes
        self._is_cancelled = False
        self._waited_on: list[socket.socket] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def here(self) -> Iterator[Self]:
        """This thread asks for it, as others may."""
        token = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(token)

    @property
    def host(self) -> str:
        """Who is asked, for texts."""
        return urlsplit(self.endpoint).netloc

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has cancelled it."""
        return self._is_cancelled

    def cancel(self) -> None:
        """End it, from any thread."""
        with self._lock:
            self._is_cancelled = True
            waited_on = list(self._waited_on)
        for each in waited_on:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def check(self) -> None:
        """Go on only while there is time, and nobody has cancelled.

        Raises:
            HubError: "cancelled" or "timeout".
        """
        if self._is_cancelled:
            raise HubError("cancelled", _CANCELLED)
        if time.monotonic() > self._ends:
            raise HubError("timeout", _SLOW.format(host=self.host))

    def patience(self, seconds: float | None) -> float:
        """How long to wait for one thing: `seconds`, or what is left of the whole.

        Raises:
            HubError: nothing is left.
        """
        self.check()
        left = max(0.001, self._ends - time.monotonic())
        return left if seconds is None else min(seconds, left)

    def take(self, count: int) -> None:
        """Note `count` bytes of an answer.

        Raises:
            HubError: "too_large", or as `check`.
        """
        self._left -= count
        if self._left < 0:
            raise HubError("too_large", _MUCH.format(host=self.host))
        self.check()

    @contextlib.contextmanager
    def waiting_on(self, connection: socket.socket | None) -> Iterator[None]:
        """While the thread waits for `connection`: a cancel wakes it, and is told as such."""
        if connection is None:
            yield
            return
        with self._lock:
            self._waited_on.append(connection)
        try:
            self.check()  # a cancel between the last check and this line has woken nobody
            yield
        finally:
            with self._lock:
                self._waited_on.remove(connection)
            if self._is_cancelled:
                self.check()


def side_by_side(work: Callable[[T], R], items: Sequence[T], workers: int) -> list[R]:
    """`work` on each of `items`, so many at once, all within the call that this thread is in.

    Raises:
        Exception: the first that `work` raised; what has not begun by then never does.
    """
    if not items:
        return []
    call = current_call()

    def inside(item: T) -> R:
        with call.here():
            return work(item)

    with ThreadPoolExecutor(min(workers, len(items))) as pool:
        try:
            return list(pool.map(inside, items))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def call_here() -> Call | None:
    """The call that this thread is in."""
    return _current.get()


def current_call() -> Call:
    """The call that this thread is in; a new one where it is in none."""
    return _current.get() or Call()
