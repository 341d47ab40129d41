"""From the network to the disk: reads a body at the pace that is allowed, and writes it down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from engine.store.download import texts
from engine.store.download.pace import Pace
from engine.store.download.patience import Patience
from engine.store.download.task import FileTask
from engine.store.download.web import Answer
from engine.store.hub.errors import HubError

BUFFER: Final = 256 * 1024  # bytes of each connection: what a kill can lose of it
_FLUSH: Final = 0.1  # s after which less than that is written, too


class Intake:
    """See the module; all workers of a download use it at once.

    Attributes:
        fetched: bytes that came over the network.
        received: of these, what was missing.
    """

    def __init__(
        self,
        pace: Pace,
        patience: Patience,
        lock: threading.RLock,
        *,
        held: Callable[[], bool],
        noted: Callable[[bool], None],
        refused: Callable[[OSError], HubError],
    ) -> None:
        """With the lock held, but for `held`, are called:

        Args:
            held: whether nothing is to be read for now.
            noted: bytes are there; whether they are worth hashing.
            refused: the disk takes nothing more; the error for it.
        """
        self.fetched = 0
        self.received = 0
        self._pace = pace
        self._patience = patience
        self._lock = lock
        self._held = held
        self._noted = noted
        self._refused = refused
        self._has_ended = False

    def end(self) -> None:
        """Nothing is noted any more: whoever comes next may drop what is there."""
        with self._lock:
            self._has_ended = True

    def take(self, task: FileTask, begin: int, end: int, answer: Answer, view: memoryview) -> bool:
        """Take the body, which is bytes `begin` to before `end`; whether all of it came.

        Args:
            view: a worker's own buffer.

        Raises:
            HubError: it is cut off, silent, too slow, or has no place.
        """
        at, filled = begin, 0
        written = time.monotonic()
        slow_bytes, slow_time = 0, 0.0
        try:
            while at + filled < end:
                allowed = self._pace.take(min(len(view) - filled, end - at - filled))
                if not allowed or self._held():
                    return False
                before = time.monotonic()
                count = answer.read_into(view[filled : filled + allowed])
                now = time.monotonic()
                if count < allowed:
                    self._pace.give_back(allowed - count)
                if not count:
                    raise HubError("unreachable", texts.CUT.format(name=task.part.name))
                filled += count
                if filled == len(view) or now - written > _FLUSH:
                    full, filled = filled, 0
                    self._keep(task, view[:full], at)
                    at += full
                    written = now
                slow_bytes += count
                slow_time += now - before
                if slow_time > self._patience.drip:
                    if slow_bytes < slow_time * self._patience.least_speed:
                        raise HubError("stalled", texts.STALLED.format(name=task.part.name))
                    slow_bytes, slow_time = 0, 0.0
        finally:
            if filled:
                self._keep(task, view[:filled], at)
        return True

    def _keep(self, task: FileTask, content: memoryview, at: int) -> None:
        """Write what came, as far as it was missing, and note it."""
        with self._lock:
            self.fetched += len(content)
            wanted = [] if self._has_ended else task.missing_in(at, at + len(content))
        for begin, end in wanted:
            try:
                task.write(content[begin - at : end - at], begin)
                self._note(task, begin, end)
            except OSError as error:
                with self._lock:
                    refusal = self._refused(error)
                raise refusal from error  # what comes later has no place before this

    def _note(self, task: FileTask, begin: int, end: int) -> None:
        with self._lock:
            if not self._has_ended:
                is_worth_hashing = task.note(begin, end)
                self.received += end - begin
                self._noted(is_worth_hashing)
