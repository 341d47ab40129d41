"""Hashes files while they come: what is there without a gap, read from the kernel's memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

from engine.store.download.task import FileTask

_BUFFER: Final = 1 << 20


class Hashing:
    """See the module; several threads may be at it, each at another file.

    Attributes:
        current: the file that was looked at last.
    """

    def __init__(
        self,
        tasks: Sequence[FileTask],
        lock: threading.RLock,
        verified: Callable[[], None],
        spoilt: Callable[[FileTask], None],
    ) -> None:
        """With the lock held are called:

        Args:
            verified: a file is right.
            spoilt: it was not, and has to be fetched again.
        """
        self._lock = lock
        self._changed = threading.Condition(lock)
        self._verified = verified
        self._spoilt = spoilt
        self._left = [task for task in tasks if not task.is_verified]
        self._has_ended = False
        self.current = ""

    @property
    def left(self) -> int:
        """Files that are not verified."""
        return len(self._left)

    def wake(self) -> None:
        """There is more to hash; with the lock held."""
        self._changed.notify()

    def end(self) -> None:
        """No more; with the lock held."""
        self._has_ended = True
        self._changed.notify_all()

    def run(self) -> None:
        """Hash until the end; for a thread.

        Raises:
            OSError: what is there cannot be read.
            HubError: a file came with wrong contents, and not for the first time.
        """
        buffer = bytearray(_BUFFER)
        while (task := self._next()) is not None:
            task.hash_some(buffer)
            with self._lock:
                task.is_hashing = False
                if task.is_hashed and not self._has_ended:
                    self._verify(task)

    def _next(self) -> FileTask | None:
        with self._lock:
            while not self._has_ended:
                for task in self._left:
                    if task.wants_hashing:
                        task.is_hashing = True
                        self.current = task.part.name
                        return task
                self._changed.wait()
            return None

    def _verify(self, task: FileTask) -> None:
        if task.verify():
            self._left.remove(task)
            self._verified()
        else:
            self._spoilt(task)
