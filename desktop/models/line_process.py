"""A process of ours that tells lines: started, written to, ended with all below it."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from desktop import paths
from desktop.engine_link.engine_process import project_root

log = logging.getLogger(__name__)

LONGEST_LINE: Final = 16 << 20  # bytes; whoever writes more without an end is ended
KEPT_WORDS: Final = 4_000  # bytes of its standard error
GRACE_MS: Final = 3_000
NO_START: Final = 127  # as a shell says it
_LAST_MS: Final = 1_000  # it was killed: the kernel needs no longer


class Errors(Enum):
    """Where its standard error goes, if not to a file."""

    WORDS = auto()  # kept, their end at least: `last_words`
    LINES = auto()  # among the lines it tells
    OURS = auto()  # to our own
    NOWHERE = auto()  # lost


class LineProcess(QObject):
    """See the module. One run at a time; it can be started again once it has ended.

    It leads a session of its own, so that what it starts ends with it: a set-up's installer is
    not left at work by a cancel.

    Attributes:
        command: what a run starts.
        unfinished: what it wrote after the end of its last line.

    Args:
        environment: all of it; None: ours.
        errors: where its standard error goes; a path is a file for us alone, made anew by each
            run. Where it cannot be made, what it would hold is lost.

    Signals:
        said: a line it wrote, as bytes, without its end.
        drained: all that has come so far was told; what has no end yet is `unfinished`.
        ended: it is gone by itself or was killed: its exit code, negative for a signal;
            `NO_START`: it could not be started, `last_words` say why. Not emitted after `kill`
            and `stop`.
    """

    said = Signal(bytes)
    drained = Signal()
    ended = Signal(int)

    def __init__(
        self,
        command: tuple[str, ...],
        parent: QObject | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        errors: Errors | Path = Errors.WORDS,
    ) -> None:
        super().__init__(parent)
        self.command = command
        self._environment = environment
        self._errors = errors
        self._process: QProcess | None = None
        self._group = 0
        self._words = b""
        self.unfinished = b""
        self._grace = QTimer(self)
        self._grace.setSingleShot(True)
        self._grace.setInterval(GRACE_MS)
        self._grace.timeout.connect(self._on_grace_over)

    @property
    def is_running(self) -> bool:
        """Whether it is there."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its process id; 0: it is not there."""
        return int(self._process.processId() or 0) if self._process is not None else 0

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error: for the log."""
        return self._words.decode(errors="replace").strip()

    def start(self, *more: str) -> None:
        """Start it, unless it is there. `more`: further arguments of this run."""
        if self._process is not None:
            return
        process = QProcess(self)
        # `-m` puts the working directory first on the path: the project, wherever we were started.
        process.setWorkingDirectory(project_root())
        session = QProcess.UnixProcessParameters()
        session.flags = QProcess.UnixProcessFlag.CreateNewSession
        process.setUnixProcessParameters(session)
        if self._environment is not None:
            environment = QProcessEnvironment()
            for name, value in self._environment.items():
                environment.insert(name, value)
            process.setProcessEnvironment(environment)
        if isinstance(self._errors, Path):
            process.setStandardErrorFile(_made_anew(self._errors))
        elif self._errors is Errors.NOWHERE:
            process.setStandardErrorFile(QProcess.nullDevice())
        elif self._errors is Errors.LINES:
            process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        elif self._errors is Errors.OURS:
            process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._on_output)
        process.readyReadStandardError.connect(self._read_words)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process, self.unfinished, self._words = process, b"", b""
        process.start(self.command[0], [*self.command[1:], *more])
        self._group = int(process.processId() or 0)

    def tell(self, line: bytes) -> None:
        """Write a line to it; lost if it is gone."""
        if self._process is not None:
            self._process.write(line.rstrip(b"\n") + b"\n")

    def close_input(self) -> None:
        """Nothing more is told to it."""
        if self._process is not None:
            self._process.closeWriteChannel()

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

    def stop(self, patience_ms: int) -> None:
        """End it by SIGTERM, and if that takes too long by force; nothing of it is emitted."""
        self._end_now(patience_ms)

    def kill(self) -> None:
        """End it now, and all it has started; nothing of it is emitted any more."""
        self._end_now(0)

    # --- inside ------------------------------------------------------------------------

    def _end_now(self, patience_ms: int) -> None:
        self._grace.stop()
        process = self._take()
        if process is None:
            return
        if patience_ms:
            process.terminate()
            process.waitForFinished(patience_ms)
        self._kill_group()
        process.kill()
        process.waitForFinished(_LAST_MS)

    def _kill_group(self) -> None:
        """What it has started ends too. The group's number is free only once all are gone."""
        group, self._group = self._group, 0
        if group:
            # Before it has called setsid there is no such group.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)

    def _take(self) -> QProcess | None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(RuntimeError):
                process.readyReadStandardOutput.disconnect(self._on_output)
                process.readyReadStandardError.disconnect(self._read_words)
                process.finished.disconnect(self._on_finished)
                process.errorOccurred.disconnect(self._on_error)
            process.deleteLater()
        return process

    def _on_output(self) -> None:
        process = self._process
        if process is not None and (output := bytes(process.readAllStandardOutput().data())):
            self._take_in(output)

    def _take_in(self, output: bytes) -> None:
        process = self._process
        *lines, self.unfinished = (self.unfinished + output).split(b"\n")
        for line in lines:
            if self._process is not process:  # what a line led to has ended it
                return
            if line.strip():
                self.said.emit(line)
        if self._process is process:
            self.drained.emit()
        if process is not None and process is self._process and len(self.unfinished) > LONGEST_LINE:
            log.warning("%s writes a line without an end; it is ended", self.command)
            process.kill()

    def _read_words(self) -> None:
        if self._process is not None and self._errors is Errors.WORDS:
            words = self._words + bytes(self._process.readAllStandardError().data())
            self._words = words[-KEPT_WORDS:]

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._grace.stop()
        self._on_output()
        self._read_words()
        if self._take() is not None:
            self._kill_group()
            self.ended.emit(-code if status is QProcess.ExitStatus.CrashExit else code)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._grace.stop()
            process = self._take()
            if process is not None:
                self._words = process.errorString().encode()
                self.ended.emit(NO_START)

    def _on_grace_over(self) -> None:
        if self._process is not None:
            self._process.kill()


def _made_anew(file: Path) -> str:
    with contextlib.suppress(OSError):
        paths.make_private_file(file)
        return str(file)
    return QProcess.nullDevice()
