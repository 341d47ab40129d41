"""`doctor` in a process of its own, for the window: a finding at a time, and it can be stopped."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QProcess, Signal

from desktop.engine_link.engine_process import project_root

COMMAND: Final = (sys.executable, "-m", "desktop", "doctor", "--json", "--stream")
KILL_MS: Final = 300  # the window waits for it


@dataclass(frozen=True, slots=True)
class Found:
    """One finding, see `desktop.terminal.doctoring.findings.Finding`."""

    name: str
    state: str
    text: str
    advice: str


class MachineCheck(QObject):
    """See the module.

    Signals:
        found: a `Found`, as soon as it is there.
        ended: whether all was looked at; else it was not to be.
    """

    found = Signal(object)
    ended = Signal(bool)

    def __init__(
        self, parent: QObject | None = None, *, command: tuple[str, ...] = COMMAND
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._rest = b""
        self._complete = False
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        # `-m` puts the working directory first on the path: the project, wherever we were started.
        self._process.setWorkingDirectory(project_root())
        self._process.setStandardInputFile("/dev/null")
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def start(self, *, full: bool = False) -> None:
        """Begin. `full`: a model is loaded too."""
        program, *arguments = self._command
        self._process.start(program, [*arguments, *(["--full"] if full else [])])

    def stop(self) -> None:
        """End it; nothing is told any more."""
        self._process.blockSignals(True)
        if self.is_running:
            self._process.terminate()
            if not self._process.waitForFinished(KILL_MS):
                self._process.kill()
                self._process.waitForFinished(KILL_MS)

    def _on_output(self) -> None:
        *lines, self._rest = (self._rest + self._process.readAllStandardOutput().data()).split(
            b"\n"
        )
        for line in lines:
            try:
                told = json.loads(line)
                if "findings" in told:
                    self._complete = True
                else:
                    names = ("name", "state", "text", "advice")
                    self.found.emit(Found(*(str(told[name]) for name in names)))
            except (ValueError, KeyError, TypeError):
                continue  # what a library prints

    def _on_finished(self) -> None:
        self._on_output()
        self.ended.emit(self._complete)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.ended.emit(False)
