"""`doctor` in a process of its own, for the window: a finding at a time, and it can be stopped."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.models.line_process import Errors, LineProcess

COMMAND: Final = (sys.executable, "-m", "desktop", "doctor", "--json", "--stream")
KILL_MS: Final = 300  # the window waits for it


@dataclass(frozen=True, slots=True)
class Found:
    """One finding in the user's language, see `desktop.terminal.doctoring.findings.Finding`."""

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
        self._complete = False
        self._process = LineProcess(command, self, errors=Errors.OURS)
        self._process.said.connect(self._on_line)
        self._process.ended.connect(self._on_ended)

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self._process.is_running

    def start(self, *, full: bool = False) -> None:
        """Begin. `full`: a model is loaded too."""
        self._complete = False
        self._process.start(*(["--full"] if full else []))
        self._process.close_input()

    def stop(self) -> None:
        """End it; nothing is told any more."""
        self._process.stop(KILL_MS)

    # --- inside ------------------------------------------------------------------------

    def _on_line(self, line: bytes) -> None:
        try:
            told = json.loads(line)
            if "findings" in told:
                self._complete = True
            else:
                self.found.emit(_found(told))
        except (ValueError, KeyError, TypeError):
            return  # what a library prints

    def _on_ended(self, _code: int) -> None:
        self.ended.emit(self._complete)


def _found(told: Mapping[str, object]) -> Found:
    from desktop.models.failure_text import translated_text  # late: it loads all the texts

    name, text, advice = (translated_text(str(told[each])) for each in ("name", "text", "advice"))
    return Found(name, str(told["state"]), text, advice)
