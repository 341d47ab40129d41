"""Work in a process of its own, which tells its progress line by line and can be stopped."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QProcess, Signal

from desktop.engine_link.engine_process import project_root

KEPT_LINES: Final = 40


class HelperProcess(QObject):
    """See the module. One run at a time.

    Attributes:
        shows_unfinished: whether a line is progress before its end has come: the set-up writes
            what it does, and when that is done how long it took.

    Signals:
        progress: the last line it printed, as `words_of` it.
        finished: empty when all went well, else why not. Not emitted after `cancel`.
    """

    shows_unfinished = True
    progress = Signal(str)
    finished = Signal(str)

    def __init__(self, command: tuple[str, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self._process: QProcess | None = None
        self._lines: list[str] = []
        self._unfinished = b""

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self._process is not None

    @property
    def lines(self) -> list[str]:
        """The last that it said, in order."""
        return list(self._lines)

    @property
    def last_line(self) -> str:
        """What it said last; "": nothing."""
        return self._lines[-1] if self._lines else ""

    def start(self) -> None:
        """Begin, unless it is at work already."""
        if self._process is not None:
            return
        self._lines, self._unfinished = [], b""
        process = QProcess(self)
        # `-m` puts the working directory first on the path: the project, wherever we were started.
        process.setWorkingDirectory(project_root())
        process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process = process
        process.start(self._command[0], list(self._command[1:]))

    def cancel(self) -> None:
        """End it. What it had begun is left for the next try to repair."""
        process = self._take()
        if process is not None:
            process.kill()
            process.waitForFinished(1000)

    def words_of(self, line: str) -> str:
        """What the user reads for a line it printed; here the line itself."""
        return line

    def _take(self) -> QProcess | None:
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._on_finished)
            process.errorOccurred.disconnect(self._on_error)
            process.deleteLater()
        return process

    def _read(self) -> None:
        if self._process is None:
            return
        output = self._unfinished + bytes(self._process.readAllStandardOutput().data())
        *ended, self._unfinished = output.split(b"\n")
        lines = [line for line in map(_text, ended) if line]
        self._lines = (self._lines + lines)[-KEPT_LINES:]
        unfinished = _text(self._unfinished) if self.shows_unfinished else ""
        if unfinished or lines:
            self.progress.emit(self.words_of(unfinished or lines[-1]))

    def _on_finished(self, code: int) -> None:
        self._read()
        if last := _text(self._unfinished):
            self._lines.append(last)
        self._take()
        silent = self.tr("it ended with code {code}").format(code=code)
        self.finished.emit("" if code == 0 else self.words_of(self.last_line) or silent)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process = self._take()
            self.finished.emit(process.errorString() if process is not None else "")


def _text(line: bytes) -> str:
    """A line as it stands in the end: a progress bar writes over itself."""
    return line.decode(errors="replace").rstrip("\r\n ").rsplit("\r", 1)[-1].strip()
