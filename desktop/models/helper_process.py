"""Work in a process of its own, which tells its progress line by line and can be stopped."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.models.line_process import NO_START, Errors, LineProcess

KEPT_LINES: Final = 40
CANCEL_MS: Final = 300  # the window waits for it


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
        self._lines: list[str] = []
        self._fresh = ""
        self._process = LineProcess(command, self, errors=Errors.LINES)
        self._process.said.connect(self._on_line)
        self._process.drained.connect(self._on_drained)
        self._process.ended.connect(self._on_ended)

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self._process.is_running

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
        if not self._process.is_running:
            self._lines, self._fresh = [], ""
            self._process.start()

    def cancel(self) -> None:
        """End it and what it has started. What it had begun is left for the next try to repair."""
        self._process.stop(CANCEL_MS)

    def words_of(self, line: str) -> str:
        """What the user reads for a line it printed; here the line itself."""
        return line

    # --- inside ------------------------------------------------------------------------

    def _on_line(self, line: bytes) -> None:
        if text := _text(line):
            self._lines = [*self._lines, text][-KEPT_LINES:]
            self._fresh = text

    def _on_drained(self) -> None:
        unfinished = _text(self._process.unfinished) if self.shows_unfinished else ""
        shown, self._fresh = unfinished or self._fresh, ""
        if shown:
            self.progress.emit(self.words_of(shown))

    def _on_ended(self, code: int) -> None:
        if code == NO_START and self._process.last_words:
            self.finished.emit(self._process.last_words)
            return
        self._on_line(self._process.unfinished)
        silent = self.tr("it ended with code {code}").format(code=code)
        self.finished.emit("" if code == 0 else self.words_of(self.last_line) or silent)


def _text(line: bytes) -> str:
    """A line as it stands in the end: a progress bar writes over itself."""
    return line.decode(errors="replace").rstrip("\r\n ").rsplit("\r", 1)[-1].strip()
