"""What takes time with installed models, in a process for each: verify, delete, import, move."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop.models.line_process import LineProcess
from engine.store.library.records import InstalledModel, Progress
from engine.store.library.wire import (
    Cancel,
    DeleteJob,
    Done,
    EmptyBinJob,
    Failed,
    RestoreJob,
    VerifyJob,
    read_event,
    to_line,
)

if TYPE_CHECKING:
    from engine.store.library.wire import AnyJob

log = logging.getLogger(__name__)

MODULE: Final = "engine.store.library"
CANCELLED: Final = "cancelled"  # the code of what the user stopped
DIED: Final = "died"  # of a process that ended without a word
_FAULT: Final = "unexpected"  # of what went wrong by a fault of ours


class ShelfTask(QObject):
    """One job and its process.

    Attributes:
        job: what is done.
        progress: how far it is; None: it has not said.
        outcome: what came of it; None: it is at work, or has not begun.

    Signals:
        progressed: the new `Progress`.
        ended: the outcome, a `Done` or a `Failed`, and the task itself.
    """

    progressed = Signal(object)
    ended = Signal(object, object)

    def __init__(
        self,
        job: AnyJob,
        parent: QObject | None = None,
        *,
        command: tuple[str, ...] = (sys.executable, "-m", MODULE),
    ) -> None:
        super().__init__(parent)
        self.job = job
        self.progress: Progress | None = None
        self.outcome: Done | Failed | None = None
        self._told: Done | Failed | None = None
        self._is_cancelled = False
        self._process = LineProcess(command, self)
        self._process.said.connect(self._on_line)
        self._process.ended.connect(self._on_ended)

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process.is_running

    def start(self) -> None:
        """Begin."""
        self._process.start()
        self._process.tell(to_line(self.job))

    def cancel(self) -> None:
        """Stop it; `ended` comes when it has cleared up after itself."""
        if self.outcome is not None:
            return
        self._is_cancelled = True
        if self._process.is_running:
            self._process.end(to_line(Cancel()))
        else:
            self._end(Failed(code=CANCELLED, text=""))

    def kill(self) -> None:
        """The window goes away."""
        self._process.kill()

    # --- inside ------------------------------------------------------------------------

    def _on_line(self, line: bytes) -> None:
        try:
            event = read_event(line)
        except msgspec.DecodeError:
            log.warning("the library's process told something that is none of its events")
            return
        if isinstance(event, Progress):
            self.progress = event
            self.progressed.emit(event)
        else:
            self._told = event  # that counts when the process is gone

    def _on_ended(self, code: int) -> None:
        if self._told is not None:
            if isinstance(self._told, Failed) and self._told.code == _FAULT:
                log.warning("the library's process: %s", self._process.last_words)
            self._end(self._told)
        elif self._is_cancelled:
            self._end(Failed(code=CANCELLED, text=""))
        else:
            words = self._process.last_words[-1000:]
            log.warning("the library's process ended with code %s: %s", code, words)
            self._end(Failed(code=DIED, text=""))

    def _end(self, outcome: Done | Failed) -> None:
        self.outcome = outcome
        self.ended.emit(outcome, self)


class ShelfWork(QObject):
    """The jobs of the list of installed models. Verifications wait for each other.

    Signals:
        changed: some verification began, went on or ended.
        verified: an `InstalledModel` and the `Done` of its verification.
        deleted: an `InstalledModel` and the `Done`.
        restored, emptied: the `Done`.
        failed: what came to nothing, an `InstalledModel` or None, and the `Failed`.
    """

    changed = Signal()
    verified = Signal(object, object)
    deleted = Signal(object, object)
    restored = Signal(object)
    emptied = Signal(object)
    failed = Signal(object, object)

    def __init__(
        self,
        models: Path,
        parent: QObject | None = None,
        *,
        command: tuple[str, ...] = (sys.executable, "-m", MODULE),
    ) -> None:
        super().__init__(parent)
        self._models = str(models)
        self._command = command
        self._verifying: dict[str, ShelfTask] = {}  # by path, in their order
        # What is to be done in the end, and the model it is about, are kept here and not in a
        # connection: that ends with the task, and must not be the last to let go of us.
        self._tasks: dict[ShelfTask, tuple[Callable[[Done], object], InstalledModel | None]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether anything is at work."""
        return bool(self._tasks)

    def verification(self, path: str) -> ShelfTask | None:
        """The verification of the model at `path` that runs or waits; None: there is none."""
        return self._verifying.get(path)

    def verify(self, model: InstalledModel) -> None:
        """Read every file of a model and compare its hash."""
        if model.path in self._verifying:
            return
        task = self._task(
            VerifyJob(models=self._models, model=model),
            lambda done: self.verified.emit(model, done),
            model,
        )
        task.progressed.connect(self.changed)
        self._verifying[model.path] = task
        self._next_verification()

    def delete(self, model: InstalledModel, *, for_good: bool = False) -> None:
        """Put a model into the bin; `for_good`: where it cannot be, delete it at once."""
        self._run(
            DeleteJob(models=self._models, model=model, for_good=for_good),
            lambda done: self.deleted.emit(model, done),
            model,
        )

    def restore(self, entry: str) -> None:
        """Take a model out of the bin again."""
        self._run(RestoreJob(models=self._models, entry=entry), self.restored.emit)

    def empty(self, entries: tuple[str, ...] = ()) -> None:
        """Delete for good what is in the bin; none given: all of it."""
        self._run(EmptyBinJob(models=self._models, entries=entries), self.emptied.emit)

    def close(self) -> None:
        """The window goes away."""
        for task in self._tasks:
            task.kill()
        self._tasks.clear()
        self._verifying.clear()

    # --- inside ------------------------------------------------------------------------

    def _task(
        self, job: AnyJob, done: Callable[[Done], object], model: InstalledModel | None = None
    ) -> ShelfTask:
        task = ShelfTask(job, self, command=self._command)
        task.ended.connect(self._on_ended)
        self._tasks[task] = (done, model)
        return task

    def _run(
        self, job: AnyJob, done: Callable[[Done], object], model: InstalledModel | None = None
    ) -> None:
        self._task(job, done, model).start()

    def _next_verification(self) -> None:
        first = next(iter(self._verifying.values()), None)
        if first is not None and not first.is_running:
            first.start()
        self.changed.emit()

    def _on_ended(self, outcome: Done | Failed, task: ShelfTask) -> None:
        done, model = self._tasks.pop(task)
        task.deleteLater()
        if model is not None and self._verifying.get(model.path) is task:
            del self._verifying[model.path]
            self._next_verification()
        if isinstance(outcome, Done):
            done(outcome)
        elif outcome.code != CANCELLED:
            self.failed.emit(model, outcome)
