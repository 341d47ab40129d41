"""The process that asks the hub: started when something is asked, one for all that is shown.

The window itself never talks to the network. What it wants to know goes to the process as a
line, and what comes back is matched by its number. A process that dies is an answer too: all
that was waited for has failed, in words, and the next question starts another.
"""

from __future__ import annotations

import itertools
import logging
import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.models.line_process import LineProcess

if TYPE_CHECKING:
    from engine.store.hub.messages import Answer, Request
    from engine.store.hub.network import NetworkSettings

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "engine.store.hub")
DIED: Final = "process"  # the code of what a dead process could not answer
IDLE_MS: Final = 300_000  # nobody has asked for so long: it need not be there


class HubLink(QObject):
    """See the module.

    Args:
        settings: which hub is asked, by which way.
        command: of the process; another one for tests.

    Signals:
        answered: an answer of `engine.store.hub.messages` to what was asked.
        failed: a `Failed`, likewise; not for what was cancelled.
        settings_changed: another hub, or offline now: what was shown may not hold any more.
        account_changed: an `Account`: somebody signed in or out, or it is known now.
    """

    answered = Signal(object)
    failed = Signal(object)
    settings_changed = Signal()
    account_changed = Signal(object)

    def __init__(
        self,
        settings: NetworkSettings,
        parent: QObject | None = None,
        *,
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._command = command
        self._numbers = itertools.count(1)
        self._waiting: dict[int, bool] = {}  # by number; whether it is cancelled
        self._process: LineProcess | None = None
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self._on_idle)

    @property
    def settings(self) -> NetworkSettings:
        """Which hub is asked."""
        return self._settings

    @property
    def is_offline(self) -> bool:
        """Whether the user wants no network."""
        return self._settings.offline

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.is_running

    @property
    def is_busy(self) -> bool:
        """Whether an answer is waited for."""
        return any(not cancelled for cancelled in self._waiting.values())

    def ask(self, request: Request) -> int:
        """Ask this; the number that its answers will carry (the request's own is not used)."""
        import msgspec

        from engine.store.hub.messages import to_line

        number = next(self._numbers)
        process = self._started()
        self._waiting[number] = False
        self._idle.stop()
        process.tell(to_line(msgspec.structs.replace(request, id=number)))
        return number

    def cancel(self, number: int) -> None:
        """Its answer is not wanted any more; nothing of it is told after this."""
        from engine.store.hub.messages import Cancel, to_line

        if self._waiting.get(number) is False:
            self._waiting[number] = True
            if self._process is not None:
                self._process.tell(to_line(Cancel(id=number)))

    def set_settings(self, settings: NetworkSettings) -> None:
        """Ask another hub, or by another way: what is under way comes to nothing."""
        if settings == self._settings:
            return
        self._settings = settings
        self.restart()
        self.settings_changed.emit()

    def restart(self) -> None:
        """End the process; the next question starts another. Nothing is told of what was asked."""
        self._waiting.clear()
        self._drop()

    def close(self) -> None:
        """The window goes."""
        self.restart()

    # --- inside ------------------------------------------------------------------------

    def _started(self) -> LineProcess:
        process = self._process
        if process is None:
            process = LineProcess(self._command, self, environment=self._settings.environment())
            process.said.connect(self._on_said)
            process.ended.connect(self._on_ended)
            self._process = process
        process.start()
        return process

    def _drop(self) -> None:
        process, self._process = self._process, None
        self._idle.stop()
        if process is not None:
            process.kill()
            process.deleteLater()

    def _on_said(self, line: bytes) -> None:
        import msgspec

        from engine.store.hub.messages import Verdict, read_answer

        try:
            answer = read_answer(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            log.warning("the hub's process said what is no answer: %s", error)
            return
        cancelled = self._waiting.get(answer.id)
        if not isinstance(answer, Verdict):  # of these there are several
            self._waiting.pop(answer.id, None)
            if not self._waiting:
                self._idle.start()
        if cancelled is None or cancelled:
            return
        self._tell(answer)

    def _tell(self, answer: Answer) -> None:
        from engine.store.hub.messages import Account, Failed

        if isinstance(answer, Failed):
            self.failed.emit(answer)
            return
        if isinstance(answer, Account):
            self.account_changed.emit(answer)
        self.answered.emit(answer)

    def _on_ended(self, code: int) -> None:
        from engine.store.hub.messages import Failed

        words = self._process.last_words if self._process is not None else ""
        log.warning("the hub's process ended (%s): %s", code, words)
        waiting = [number for number, cancelled in self._waiting.items() if not cancelled]
        self._waiting.clear()
        self._drop()
        text = self.tr("The program that asks the hub has ended unexpectedly. Try again.")
        for number in waiting:
            self.failed.emit(Failed(id=number, code=DIED, text=text))

    def _on_idle(self) -> None:
        if not self._waiting:
            self._drop()
