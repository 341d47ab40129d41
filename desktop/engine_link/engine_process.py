"""One engine subprocess: start it, keep its log, end it and all below it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from desktop.engine_link.log_ring import LogRing

TERMINATE_MS = 1500
KILL_MS = 1500


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """How to start an engine process."""

    backend: str = "vllm"  # or "scripted"
    script: str = ""  # for the scripted backend
    log_folder: Path | None = None
    log_name: str = "engine.log"  # of its own for each engine that runs beside others
    python: str = sys.executable
    environment: dict[str, str] = field(default_factory=dict)  # added to ours

    def arguments(self, descriptor: int) -> list[str]:
        """The arguments after the Python executable."""
        script = ["--script", self.script] if self.script else []
        return [
            *("-m", "engine", "--socket", str(descriptor)),
            *("--parent", str(os.getpid()), "--backend", self.backend),
            *script,
        ]


def project_root() -> str:
    """The folder that holds the `engine` package, found without importing it."""
    spec = importlib.util.find_spec("engine")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the engine package is missing")
    return str(Path(spec.origin).parents[1])


class EngineProcess(QObject):
    """A QProcess that leads its own process group.

    Signals:
        ended: (exit code, or minus the signal's number; the last lines of its log).
    """

    ended = Signal(int, str)

    def __init__(self, command: EngineCommand, log: LogRing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self._log = log
        self._pid = 0
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read_log)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def pid(self) -> int:
        """The engine's process id, and its group's; 0 when it does not run."""
        return self._pid

    def start(self, descriptor: int) -> None:
        """Start the process; it inherits `descriptor`, its end of the socket pair."""
        environment = QProcessEnvironment.systemEnvironment()
        for name, value in self._command.environment.items():
            environment.insert(name, value)
        self._process.setProcessEnvironment(environment)
        # `-m` puts the working directory first on the path: the project, wherever we were started.
        self._process.setWorkingDirectory(project_root())
        self._process.setProgram(self._command.python)
        self._process.setArguments(self._command.arguments(descriptor))
        self._process.setStandardInputFile("/dev/null")
        self._process.start()
        self._pid = int(self._process.processId() or 0)

    def kill(self) -> None:
        """SIGKILL to the whole group: workers below the engine hold VRAM too."""
        self._signal_group(signal.SIGKILL)

    def end(self) -> None:
        """Wait for an orderly end, then SIGTERM, then SIGKILL; at most some 3 s."""
        if self._process.state() is QProcess.ProcessState.NotRunning:
            return
        if not self._process.waitForFinished(TERMINATE_MS):
            self._signal_group(signal.SIGTERM)
            if not self._process.waitForFinished(KILL_MS // 3):
                self._signal_group(signal.SIGKILL)
                self._process.waitForFinished(KILL_MS)

    def _signal_group(self, number: signal.Signals) -> None:
        if not self._pid:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # Until the child has called setsid it is in our own group, which must live.
            if os.getpgid(self._pid) == self._pid:
                os.killpg(self._pid, number)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._pid, number)

    def _read_log(self) -> None:
        self._log.append(bytes(self._process.readAllStandardOutput().data()))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_log()
        if self._pid:  # group 0 would be our own
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pid, signal.SIGKILL)  # what it left below it
        self._pid = 0
        crashed = status is QProcess.ExitStatus.CrashExit
        self.ended.emit(-code if crashed else code, self._log.tail(40))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.ended.emit(127, self._process.errorString())
