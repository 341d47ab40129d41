"""One engine process while it lives: its connection, its signs of life, its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.engine_link.engine_process import EngineCommand, EngineProcess
from desktop.engine_link.log_ring import LogRing
from desktop.engine_link.watchdog import Watchdog
from engine.protocol import FromEngine, Message, Shutdown

if TYPE_CHECKING:
    from desktop.engine_link.connection import Connection

LEAVE_MS = 2000  # for a process whose end of the connection is closed already


class LiveEngine(QObject):
    """See the module. Made for one process, and gone with it.

    Args:
        silence_allowed: how many seconds without a sign of life are one too many now.

    Signals:
        received: an engine.protocol message; none once the process was asked to leave.
        ended: (exit code, or minus the signal's number; the last lines of its log). Comes
            after the last message.
    """

    received = Signal(object)
    ended = Signal(int, str)

    def __init__(
        self,
        command: EngineCommand,
        log: LogRing,
        silence_allowed: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        # Late: QtNetwork is not needed for the first paint.
        from desktop.engine_link.connection import Connection

        self._log = log
        self.is_leaving = False
        self._is_gone = False
        self._watchdog = Watchdog(silence_allowed, self)
        self._watchdog.silent.connect(self._on_silent)
        self._watchdog.overdue.connect(self.kill)
        self._connection: Connection = Connection(self)
        self._connection.received.connect(self._on_message)
        self._connection.broken.connect(self._on_broken)
        self._connection.closed.connect(self._on_closed)
        self._process = EngineProcess(command, log, self)
        self._process.ended.connect(self._on_ended)

    @property
    def pid(self) -> int:
        """Of the process, 0 when it does not run."""
        return self._process.pid

    def start(self) -> None:
        """Start it. `ended` may come within this call, if that fails."""
        self._process.start(self._connection.descriptor_for_child())
        if not self._is_gone:
            self._connection.child_started()
            self._watchdog.start()

    def send(self, message: Message) -> None:
        """Send a message; what a dead engine does not read is dropped.

        Raises:
            ProtocolError: the message is too large for a frame, or cannot be encoded.
        """
        self._connection.send(message)

    def ask_to_leave(self, farewell: Message, grace_ms: int) -> None:
        """Ask it to end, kill it after `grace_ms`. Nothing waits for that here."""
        self.is_leaving = True
        self._connection.send(farewell)
        self._connection.flush()
        self._watchdog.count_down(grace_ms)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def shut_down(self) -> None:
        """End it in order; returns within some 3 s with nothing left of it."""
        self._watchdog.stop()
        self.is_leaving = True
        self._connection.send(Shutdown())
        self._connection.flush()
        self._process.end()
        self._drop()

    def _on_message(self, message: FromEngine) -> None:
        self._watchdog.feed()
        if not self.is_leaving:
            # Else it was on its way when we asked the process to go: a model that is ready
            # now, or a load that failed, is not the one that is wanted any more.
            self.received.emit(message)

    def _on_ended(self, code: int, log: str) -> None:
        if self._is_gone:
            return
        self._connection.drain()  # its last words and tokens may still wait in the kernel
        self._drop()
        self.ended.emit(code, log)

    def _drop(self) -> None:
        if not self._is_gone:
            self._is_gone = True
            self._watchdog.stop()
            self._connection.drop()
            self.deleteLater()

    def _on_broken(self, reason: str) -> None:
        self._log.append(f"window: the engine broke the protocol: {reason}\n".encode())
        self.kill()

    def _on_closed(self) -> None:
        # The process ends next. One that hangs on its way out is not waited for.
        if not (self._is_gone or self._watchdog.is_counting_down):
            self._watchdog.count_down(LEAVE_MS)

    def _on_silent(self, seconds: int) -> None:
        line = f"window: no sign of life for {seconds} s; ending the engine\n"
        self._log.append(line.encode())
        self.kill()
