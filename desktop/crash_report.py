"""Uncaught exceptions: logged, shown once, never a silent death.

An exception in a slot must not end the program and must not pass unseen either.
The hooks log the traceback and hand a `CrashReport` to the main thread, where
one dialog shows it. A second fault while the dialog is open is logged only: a
fault in a paint event would otherwise open dialogs without end.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, qVersion

from desktop.version import VERSION

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What happened: one line for people, all of it for a bug report."""

    summary: str
    details: str


def report_of(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> CrashReport:
    """Make a report of an exception. It holds no text of any chat beyond the error's own."""
    lines = "".join(traceback.format_exception(kind, error, trace))
    machine = os.uname()
    python = sys.version.split()[0]
    system = (
        f"Inglenook {VERSION}, Python {python}, Qt {qVersion()}, "
        f"{machine.sysname} {machine.release} {machine.machine}"
    )
    return CrashReport(f"{kind.__name__}: {error}".strip(": "), f"{system}\n\n{lines}")


class CrashReporter(QObject):
    """Owns the process's exception hooks."""

    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fault_log: IO[str] | None = None
        self._showing = False
        self._show: Callable[[CrashReport], None] | None = None
        self._caught.connect(self._on_caught, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take over `sys.excepthook` and threads' hook."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_thread

    def keep_faults(self, fault_log: Path) -> None:
        """Write native faults (a crash in Qt or a driver) to the file `fault_log`."""
        try:
            self._fault_log = fault_log.open("a", encoding="utf-8")
        except OSError as error:
            log.warning("no log of native faults: %s", error)
        else:
            faulthandler.enable(self._fault_log)

    def show_with(self, show: Callable[[CrashReport], None]) -> None:
        """Call `show(report)`, which may open a dialog and return when it is closed."""
        self._show = show

    def uninstall(self) -> None:
        """Give the hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        if self._fault_log is not None:
            faulthandler.disable()
            self._fault_log.close()
            self._fault_log = None

    def handle(
        self,
        kind: type[BaseException],
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """`sys.excepthook`."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error or kind(), trace)
            return
        report = report_of(kind, error, trace)
        log.error("uncaught exception\n%s", report.details)
        if shiboken6.isValid(self):
            self._caught.emit(report)

    def _handle_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_type is not SystemExit:
            self.handle(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    def _on_caught(self, report: CrashReport) -> None:
        if self._show is None or self._showing:
            return
        self._showing = True
        try:
            self._show(report)
        finally:
            self._showing = False
