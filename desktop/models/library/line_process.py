"""A process of ours that is told JSON lines, and tells them: started, written to, ended."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from desktop.engine_link.engine_process import project_root

log = logging.getLogger(__name__)

LONGEST_LINE: Final = 16 << 20  # bytes; whoever writes more without an end is ended
KEPT_WORDS: Final = 4_000  # bytes of its standard error
GRACE_MS: Final = 3_000
_LAST_MS: Final = 1_000  # it was killed: the kernel needs no longer


class LineProcess(QObject):
    """See the module. One run at a time; it can be started again once it has ended.

    Args:
        environment: all of it; None: ours.

    Signals:
        said: a line it wrote, as bytes, without its end.
        ended: it is gone by itself or was killed: its exit code, negative for a signal. Not
            emitted after `kill`.
    """

    said = Signal(bytes)
    ended = Signal(int)

    def __init__(
        self,
        command: tuple[str, ...],
        parent: QObject | None = None,
        *,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._environment = environment
        self._process: QProcess | None = None
        self._unfinished = b""
        self._words = b""
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE_MS)
        self._grace.timeout.connect(self._on_grace_over)

    @property
    def is_running(self) -> bool:
        """Whether it is there."""
        return self._process is not None

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error: for the log."""
        return self._words.decode(errors="replace").strip()

    def start(self) -> None:
        """Start it, unless it is there."""
        if self._process is not None:
            return
        process = QProcess(self)
        # `-m` puts the working directory first on the path: the project, wherever we were started.
        process.setWorkingDirectory(project_root())
        if self._environment is not None:
            environment = QProcessEnvironment()
            for name, value in self._environment.items():
                environment.insert(name, value)
            process.setProcessEnvironment(environment)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read_words)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process, self._unfinished, self._words = process, b"", b""
        process.start(self._command[0], list(self._command[1:]))

    def tell(self, line: bytes) -> None:
        """Write a line to it; lost if it is gone."""
        if self._process is not None:
            self._process.write(line.rstrip(b"\n") + b"\n")

    def end(self, last_line: bytes = b"") -> None:
        """Ask it to end, and see to it within a few seconds; `ended` is emitted then.

        Args:
            last_line: what to tell it before its standard input is closed.
        """
        if self._process is None:
            return
        if last_line:
            self.tell(last_line)
        self._process.closeWriteChannel()
        self._grace.start()

    def kill(self) -> None:
        """End it now; nothing of it is emitted any more."""
        self._grace.stop()
        process = self._take()
        if process is not None:
            process.kill()
            process.waitForFinished(_LAST_MS)

    # --- inside ------------------------------------------------------------------------

    def _take(self) -> QProcess | None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(RuntimeError):
                process.readyReadStandardOutput.disconnect(self._read)
                process.readyReadStandardError.disconnect(self._read_words)
                process.finished.disconnect(self._on_finished)
                process.errorOccurred.disconnect(self._on_error)
            process.deleteLater()
        return process

    def _read(self) -> None:
        process = self._process
        if process is None:
            return
        *lines, self._unfinished = (
            self._unfinished + bytes(process.readAllStandardOutput().data())
        ).split(b"\n")
        for line in lines:
            if self._process is not process:  # what a line led to has ended it
                return
            if line.strip():
                self.said.emit(line)
        if len(self._unfinished) > LONGEST_LINE:
            log.warning("%s writes a line without an end; it is ended", self._command)
            process.kill()

    def _read_words(self) -> None:
        if self._process is not None:
            words = self._words + bytes(self._process.readAllStandardError().data())
            self._words = words[-KEPT_WORDS:]

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._grace.stop()
        self._read()
        self._read_words()
        if self._take() is not None:
            self.ended.emit(-code if status is QProcess.ExitStatus.CrashExit else code)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process = self._take()
            if process is not None:
                self._words = process.errorString().encode()
                self.ended.emit(127)

    def _on_grace_over(self) -> None:
        if self._process is not None:
            self._process.kill()
