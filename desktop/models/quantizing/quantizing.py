"""The quantising process as the window sees it: one job at a time, its progress, its outcome."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop.models.line_process import NO_START, Errors, LineProcess
from engine.quantize import folders
from engine.quantize.wire import (
    Finished,
    Job,
    Planned,
    Progress,
    Refused,
    read_event,
)

MODULE = "engine.quantize"


class Phase(Enum):
    """What a job has come to."""

    IDLE = auto()
    RUNNING = auto()
    DONE = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True)
class QuantizeView:
    """All that is known of the job.

    Attributes:
        job: the last one; None before the first.
        finished: with `DONE`. refused: with `REFUSED`.
    """

    phase: Phase = Phase.IDLE
    job: Job | None = None
    planned: Planned | None = None
    progress: Progress | None = None
    finished: Finished | None = None
    refused: Refused | None = None


class Quantizing(QObject):
    """See the module.

    Args:
        log: a file for what the process prints.
        command: starts the process; for tests.

    Signals:
        changed: the new `QuantizeView`.
    """

    changed = Signal(object)

    def __init__(
        self,
        log: Path | None = None,
        parent: QObject | None = None,
        *,
        command: tuple[str, ...] | None = None,
    ) -> None:
        super().__init__(parent)
        self.view = QuantizeView()
        command = command or (sys.executable, "-m", MODULE, "--parent", str(os.getpid()))
        self._process = LineProcess(command, self, errors=log or Errors.NOWHERE)
        self._process.said.connect(self._on_line)
        self._process.ended.connect(self._on_ended)

    @property
    def is_running(self) -> bool:
        """Whether a job is at work."""
        return self._process.is_running

    def start(self, job: Job) -> None:
        """Begin `job`, unless another is at work."""
        if self.is_running:
            return
        self._show(QuantizeView(Phase.RUNNING, job))
        self._process.start()
        self._process.tell(msgspec.json.encode(job))
        self._process.close_input()

    def cancel(self) -> None:
        """End it and remove what it had written."""
        job = self.view.job
        if not self.is_running or job is None:
            return
        self._process.kill()
        with contextlib.suppress(OSError):
            folders.sweep(Path(job.target).parent)
        self._show(QuantizeView())

    def forget(self) -> None:
        """Another job is to be asked for: what the last one came to has been seen."""
        if not self.is_running:
            self._show(QuantizeView(job=self.view.job))

    # --- inside ------------------------------------------------------------------------

    def _show(self, view: QuantizeView) -> None:
        self.view = view
        self.changed.emit(view)

    def _on_line(self, line: bytes) -> None:
        view = self.view
        with contextlib.suppress(msgspec.DecodeError):
            match read_event(line):
                case Planned() as planned:
                    view = replace(view, planned=planned)
                case Progress() as progress:
                    view = replace(view, progress=progress)
                case Finished() as finished:
                    view = replace(view, finished=finished)
                case Refused() as refused:
                    view = replace(view, refused=refused)
        if view != self.view:
            self._show(view)

    def _on_ended(self, code: int) -> None:
        view = self.view
        if view.finished is not None:
            self._show(replace(view, phase=Phase.DONE))
            return
        why = self._process.last_words if code == NO_START else ""
        refused = view.refused or Refused(code="died", text=why)
        self._show(replace(view, phase=Phase.REFUSED, refused=refused))
