"""The quantising process as the window sees it: one job at a time, its progress, its outcome."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from desktop import paths
from desktop.engine_link.engine_process import project_root
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
_END_MS = 2000


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
        self._log = log
        self._command = command or (sys.executable, "-m", MODULE, "--parent", str(os.getpid()))
        self._process: QProcess | None = None
        self._pending = b""

    @property
    def is_running(self) -> bool:
        """Whether a job is at work."""
        return self._process is not None

    def start(self, job: Job) -> None:
        """Begin `job`, unless another is at work."""
        if self._process is not None:
            return
        process = QProcess(self)
        process.setWorkingDirectory(project_root())
        process.setProcessEnvironment(QProcessEnvironment.systemEnvironment())
        process.setStandardErrorFile(self._error_file())
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process = process
        self._pending = b""
        self._show(QuantizeView(Phase.RUNNING, job))
        process.start(self._command[0], list(self._command[1:]))
        process.write(msgspec.json.encode(job))
        process.closeWriteChannel()

    def cancel(self) -> None:
        """End it and remove what it had written."""
        process, job = self._take(), self.view.job
        if process is None or job is None:
            return
        self._kill(process)
        process.waitForFinished(_END_MS)
        with contextlib.suppress(OSError):
            folders.sweep(Path(job.target).parent)
        self._show(QuantizeView())

    def forget(self) -> None:
        """Another job is to be asked for: what the last one came to has been seen."""
        if self._process is None:
            self._show(QuantizeView(job=self.view.job))

    def _error_file(self) -> str:
        if self._log is not None:
            with contextlib.suppress(OSError):
                paths.make_private_file(self._log)
                return str(self._log)
        return QProcess.nullDevice()

    def _kill(self, process: QProcess) -> None:
        pid = int(process.processId() or 0)
        if pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                # Until it has called setsid it is in our own group, which must live.
                if os.getpgid(pid) == pid:
                    os.killpg(pid, signal.SIGKILL)
        process.kill()

    def _take(self) -> QProcess | None:
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._on_finished)
            process.errorOccurred.disconnect(self._on_error)
            process.deleteLater()
        return process

    def _show(self, view: QuantizeView) -> None:
        self.view = view
        self.changed.emit(view)

    def _read(self) -> None:
        if self._process is None:
            return
        self._pending += bytes(self._process.readAllStandardOutput().data())
        *lines, self._pending = self._pending.split(b"\n")
        view = self.view
        for line in lines:
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

    def _on_finished(self) -> None:
        self._read()
        process, view = self._take(), self.view
        if process is not None:
            self._kill(process)  # what it left below it
        if view.finished is not None:
            self._show(replace(view, phase=Phase.DONE))
            return
        refused = view.refused or Refused(code="died", text="")
        self._show(replace(view, phase=Phase.REFUSED, refused=refused))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process = self._take()
            text = process.errorString() if process is not None else ""
            refused = Refused(code="died", text=text)
            self._show(replace(self.view, phase=Phase.REFUSED, refused=refused))
