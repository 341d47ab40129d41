"""All files of a download, over several connections at once, each hashed as it comes.

Workers fetch spans of files, a hasher follows what is there without a gap, a syncer puts it on
the disk; the thread that calls `run` looks after them, tells how it goes, and is never held up by
the network or the disk. All threads are daemons: one that hangs in a look-up of a name keeps
nobody.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from engine.store.download import texts
from engine.store.download.answers import WholeFileError, check, is_whole
from engine.store.download.control import Control
from engine.store.download.faults import Rests
from engine.store.download.hashing import Hashing
from engine.store.download.intake import BUFFER, Intake
from engine.store.download.pace import Pace
from engine.store.download.patience import Patience
from engine.store.download.room import Room
from engine.store.download.store_folder import StoreFolder
from engine.store.download.task import FileTask, Span
from engine.store.download.web import Line, Web
from engine.store.hub.errors import HubError

_HASHERS: Final = 2  # where there are cores for them
_LEAVE: Final = 0.1  # s for threads to end by themselves


class Transfer:
    """See the module. For one run.

    Attributes:
        active: workers that fetch.
        full: the disk has no room; None: it has.
    """

    def __init__(
        self,
        tasks: Sequence[FileTask],
        commit: str,
        web: Web,
        folder: StoreFolder,
        control: Control,
        connections: int,
        room: Room,
    ) -> None:
        self.tasks = tuple(tasks)
        self._current = ""
        self.active = 0
        self.full: HubError | None = None
        self._commit = commit
        self._web = web
        self._patience: Patience = web.patience
        self._folder = folder
        self._control = control
        self._connections = connections
        self._room = room
        self._pace = Pace(control)
        self._lock = control.lock
        self._intake = Intake(
            self._pace,
            self._patience,
            self._lock,
            held=lambda: self._is_held,
            noted=self._on_noted,
            refused=self._on_disk_error,
        )
        self._work = threading.Condition(self._lock)
        self._main = threading.Condition(self._lock)
        self._sync = threading.Condition(self._lock)
        self._to_fetch = [task for task in tasks if not task.is_fetched]
        self._lines: list[Line] = []
        self._threads: list[threading.Thread] = []
        self._failure: HubError | None = None
        self._has_ended = False
        self._rests = Rests(self._patience)
        self._hashing = Hashing(tasks, self._lock, self._main.notify_all, self._on_spoilt)
        self._nudges = control.nudges

    def run(self, report: Callable[[], None]) -> None:
        """Fetch and verify all files.

        Args:
            report: called at each tick, and when something has changed.

        Raises:
            ChangedError: a file is another one on the hub now.
            HubError: it cannot go on.
        """
        with self._control.listening(self._on_control):
            try:
                self._start()
                while not self._is_done():
                    with self._lock:
                        self._main.wait(self._patience.tick)
                    self._look_at_room()
                    report()
            finally:
                self._end()

    @property
    def is_fetching(self) -> bool:
        """Whether something is still to be fetched."""
        return any(not task.is_fetched for task in self._to_fetch)

    @property
    def fetched(self) -> int:
        """Bytes that came over the network."""
        return self._intake.fetched

    @property
    def received(self) -> int:
        """Of these, what was missing."""
        return self._intake.received

    @property
    def current(self) -> str:
        """A file that something is done with."""
        return self._current if self.is_fetching else self._hashing.current

    @property
    def last_fault(self) -> HubError | None:
        """Why it waits, where it does."""
        return self._rests.last

    @property
    def files_done(self) -> int:
        """Verified ones."""
        return len(self.tasks) - self._hashing.left

    def seconds_to_try(self) -> float:
        """Until the next try, where all wait for it; 0: something may be fetched now."""
        with self._lock:
            return self._rests.seconds(self._to_fetch)

    # --- threads ---

    def _start(self) -> None:
        if self._to_fetch:
            for _ in range(self._connections):
                line = Line(self._web)
                self._lines.append(line)
                self._spawn(lambda line=line: self._fetch_all(line))  # type: ignore[misc]
            self._spawn(self._sync_all)
        for _ in range(min(_HASHERS, max(1, (os.cpu_count() or 1) // 2))):
            self._spawn(self._hashing.run)

    def _spawn(self, run: Callable[[], None]) -> None:
        def guarded() -> None:
            try:
                run()
            except HubError as error:
                self._fail(error)
            except OSError as error:
                self._fail(self._folder.named(error))
            except Exception as error:  # a fault of ours: the user shall not wait for nothing
                reason = f"{type(error).__name__}: {error}"[:200]
                self._fail(HubError("broken", texts.BROKEN.format(reason=reason)))
                raise

        thread = threading.Thread(target=guarded, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _is_done(self) -> bool:
        with self._lock:
            self._control.check()
            if self._failure is not None:
                raise self._failure
            return not self._hashing.left

    def _fail(self, error: HubError) -> None:
        with self._lock:
            if self._failure is None and not self._has_ended:
                self._failure = error
            self._main.notify_all()

    def _end(self) -> None:
        with self._lock:
            self._has_ended = True
            self._intake.end()
            self._hashing.end()
            self._wake_all()
        for line in self._lines:
            line.abort()
        until = time.monotonic() + _LEAVE
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _wake_all(self) -> None:
        self._work.notify_all()
        self._main.notify_all()
        self._sync.notify_all()
        self._pace.wake()

    def _on_control(self) -> None:
        """The user wants something; with the lock held."""
        if self._nudges != self._control.nudges:
            self._nudges = self._control.nudges
            self._rests.forget(self._to_fetch)
        if self._control.is_paused or self._control.is_cancelled:
            for line in self._lines:
                line.abort()
        self._wake_all()

    @property
    def _is_held(self) -> bool:
        control = self._control
        return self._has_ended or control.is_paused or control.is_cancelled or bool(self.full)

    # --- fetching ---

    def _fetch_all(self, line: Line) -> None:
        view = memoryview(bytearray(BUFFER))
        try:
            while (span := self._next_span()) is not None:
                try:
                    self._fetch(line, span, view)
                except WholeFileError:
                    with self._lock:
                        span.task.takes_ranges = False
                except HubError as error:
                    with self._lock:
                        if not self._is_held and not self._rests.after(span.task, error):
                            self._fail(error)
                finally:
                    with self._lock:
                        self.active -= 1
                        span.task.release(span)
                        self._work.notify_all()
        finally:
            line.close()

    def _next_span(self) -> Span | None:
        with self._lock:
            while not self._has_ended:
                wait = None
                if not self._is_held:
                    span, wait = self._find_span()
                    if span is not None:
                        self.active += 1
                        self._current = span.task.part.name
                        return span
                self._work.wait(wait)
            return None

    def _find_span(self) -> tuple[Span | None, float | None]:
        """What is to be fetched next; else for how long to wait, None: until it is told."""
        self._to_fetch = [task for task in self._to_fetch if not task.is_fetched]
        now = time.monotonic()
        if now < self._rests.hub_until:
            return None, self._rests.hub_until - now
        soonest = None
        for task in self._to_fetch:
            if task.not_before > now:
                soonest = min(soonest or task.not_before, task.not_before)
            elif (span := task.next_span(self._connections)) is not None:
                return span, None
        return None, None if soonest is None else soonest - now

    def _fetch(self, line: Line, span: Span, view: memoryview) -> None:
        task = span.task
        url = task.direct or task.url
        try:
            answer = line.get(url, None if is_whole(span) else (span.begin, span.end))
            whole = False
            try:
                end = check(self._web, task, span, self._commit, url, answer)
                with self._lock:
                    self._rests.answered()
                    task.direct = "" if answer.is_hub else answer.url
                came = self._intake.take(task, span.begin, end, answer, view)
                whole = came and answer.length == end - span.begin
            finally:
                answer.close(whole=whole)
        except HubError:
            task.direct = ""  # such places are good for some time only
            raise

    def _on_noted(self, is_worth_hashing: bool) -> None:
        if is_worth_hashing:
            self._hashing.wake()

    def _on_disk_error(self, error: OSError) -> HubError:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            return self._folder.named(error)
        self.full = self._room.error(self.missing)
        self._main.notify_all()
        return self.full

    def _on_spoilt(self, task: FileTask) -> None:
        self._to_fetch.append(task)
        self._work.notify_all()

    # --- the disk ---

    @property
    def missing(self) -> int:
        """Bytes that are still to be fetched."""
        return sum(task.missing for task in self._to_fetch)

    def _look_at_room(self) -> None:
        """Stop before the disk is full to the brim, and go on when there is room again."""
        if not self._to_fetch:
            return
        full = self._room.look(self.missing, is_full=self.full is not None)
        with self._lock:
            if full is None and self.full is not None:
                self.full = None
                self._work.notify_all()
            elif full is not None:
                self.full = full

    def _sync_all(self) -> None:
        synced: dict[FileTask, int] = {}
        while True:
            with self._lock:
                self._sync.wait_for(lambda: self._has_ended, self._patience.sync)
                if self._has_ended:
                    return
                dirty = [task for task in self.tasks if synced.get(task) != task.have]
            for task in dirty:
                have = task.have
                task.sync()
                synced[task] = have
