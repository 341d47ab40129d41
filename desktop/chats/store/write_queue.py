"""The one thread that owns the database, and the queue in front of it.

- Jobs run in the order in which they were submitted.
- Neighbouring writes share a transaction, so that many streams cost one sync to
  disk, not one each. A Future resolves after its transaction is on disk.
- A merging write (streamed text, a draft) that still waits takes over the values of
  the next one for the same key, so a slow disk never makes the queue grow.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from desktop.chats.store import store_errors
from desktop.chats.store.store_errors import StoreError
from desktop.chats.store.store_file import OpenStore

log = logging.getLogger(__name__)

MAX_GROUP: Final = 64  # writes in one transaction


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    ALONE = auto()
    OPEN = auto()
    CLOSE = auto()


@dataclass(eq=False, slots=True)
class _Job:
    kind: _Kind
    run: Callable[..., Any]
    future: Future[Any]
    key: Hashable = None
    values: dict[str, Any] = field(default_factory=dict)

    def __call__(self, db: Any) -> Any:
        return self.run(db, self.values) if self.key is not None else self.run(db)


class WriteQueue:
    """Runs jobs against the store on a thread of its own.

    Args:
        open_store: opens the file; called on the thread.
        translate: turns an SQLite error into the one that callers get.
        mend: given an SQLite error and the database, outside of a transaction, says whether
            the job may succeed now.
    """

    def __init__(
        self,
        open_store: Callable[[], OpenStore],
        translate: Callable[[sqlite3.Error], Exception],
        mend: Callable[[sqlite3.Error, Any], bool] = lambda _error, _db: False,
    ) -> None:
        self._open_store = open_store
        self._translate = translate
        self._mend = mend
        self._wake = threading.Condition()
        self._jobs: deque[_Job] = deque()
        self._mergeable: dict[Hashable, _Job] = {}
        self._thread: threading.Thread | None = None
        self._closing = False
        # The rest is touched by the thread alone.
        self._store: OpenStore | None = None
        self._failure: StoreError | None = None

    def open(self) -> Future[None]:
        """Open the store; may be called again after it failed."""
        return self._submit(_Job(_Kind.OPEN, self._open, _future()))

    def read(self, run: Callable[[Any], Any]) -> Future[Any]:
        """Run `run(db)`, which changes nothing."""
        return self._submit(_Job(_Kind.READ, run, _future()))

    def write(self, run: Callable[[Any], Any]) -> Future[Any]:
        """Run `run(db)` in a transaction. It may run twice, the first time rolled back."""
        return self._submit(_Job(_Kind.WRITE, run, _future()))

    def alone(self, run: Callable[[Any], Any]) -> Future[Any]:
        """Run `run(db)`, which makes its own transactions: VACUUM stands in none."""
        return self._submit(_Job(_Kind.ALONE, run, _future()))

    def merge(
        self, key: Hashable, values: dict[str, Any], run: Callable[[Any, dict[str, Any]], None]
    ) -> Future[None]:
        """Run `run(db, values)` like `write`, or add `values` to a waiting job of this key.

        Jobs merge only when no other write stands between them: order is kept.
        """
        with self._wake:
            waiting = self._mergeable.get(key)
            if waiting is not None and not self._closing:
                waiting.values.update(values)
                return waiting.future
        return self._submit(_Job(_Kind.WRITE, run, _future(), key, dict(values)))

    def close(self, timeout: float) -> bool:
        """Run what was submitted, then close. False if that took over `timeout` s."""
        with self._wake:
            thread, self._closing = self._thread, True
            if thread is None:
                return True
            self._jobs.append(_Job(_Kind.CLOSE, self._close, _future()))
            self._wake.notify()
        thread.join(timeout)
        return not thread.is_alive()

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        with self._wake:
            return len(self._jobs)

    def _submit(self, job: _Job) -> Future[Any]:
        with self._wake:
            if self._closing:
                job.future.set_exception(store_errors.closed())
                return job.future
            if job.key is not None:
                self._mergeable[job.key] = job
            elif job.kind is not _Kind.READ:
                self._mergeable.clear()
            self._jobs.append(job)
            if self._thread is None:
                # A daemon: an exit that forgot `close` must not hang on a slow disk.
                self._thread = threading.Thread(target=self._loop, name="chat-store", daemon=True)
                self._thread.start()
            self._wake.notify()
        return job.future

    # --- on the thread -----------------------------------------------------------

    def _loop(self) -> None:
        while True:
            group = self._take()
            kind = group[0].kind
            if len(group) > 1 and self._store is not None:
                self._run_together(group, self._store.db)
            else:
                for job in group:
                    self._run_alone(job)
            if kind is _Kind.CLOSE:
                return
            del group  # or the last job's text would stay in memory while idle

    def _take(self) -> list[_Job]:
        """The next job, or the next writes that can share a transaction."""
        with self._wake:
            while not self._jobs:
                self._wake.wait()
            group = [self._jobs.popleft()]
            if group[0].kind is _Kind.WRITE:
                while self._jobs and self._jobs[0].kind is _Kind.WRITE and len(group) < MAX_GROUP:
                    group.append(self._jobs.popleft())
            for job in group:
                if self._mergeable.get(job.key) is job:
                    del self._mergeable[job.key]
        return group

    def _run_together(self, group: list[_Job], db: Any) -> None:
        try:
            with db.atomic():
                results = [job(db) for job in group]
        except Exception:
            # One of them is at fault, or the disk is: each for itself then.
            for job in group:
                self._run_alone(job)
        else:
            for job, result in zip(group, results, strict=True):
                job.future.set_result(result)

    def _run_alone(self, job: _Job) -> None:
        try:
            if job.kind in (_Kind.OPEN, _Kind.CLOSE):
                result = job.run()
            elif self._store is None:
                raise self._failure or store_errors.closed()
            else:
                result = self._run_mending(job, self._store.db)
        except sqlite3.Error as error:
            typed = self._translate(error)
            typed.__cause__ = error
            log.warning("The store failed: %s", error)
            job.future.set_exception(typed)
        except Exception as error:
            job.future.set_exception(error)
        else:
            job.future.set_result(result)

    def _run_mending(self, job: _Job, db: Any) -> Any:
        """Run a job; once more, if what made it fail could be mended."""
        try:
            return self._run_once(job, db)
        except sqlite3.Error as error:
            if not self._mend(error, db):
                raise
        return self._run_once(job, db)

    def _run_once(self, job: _Job, db: Any) -> Any:
        if job.kind is not _Kind.WRITE:
            return job(db)
        with db.atomic():
            return job(db)

    def _open(self) -> None:
        if self._store is not None:
            return
        try:
            self._store = self._open_store()
        except StoreError as error:
            self._failure = error
            raise
        self._failure = None
        self._store.db.conn.text_factory = str  # see `lenient_text`
        if self._store.notice is not None:
            raise self._store.notice

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()


def _future() -> Future[Any]:
    """A Future that nobody can cancel: what was submitted is written."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future
