"""One Inglenook a user and data folder: the others hand over to it and leave.

The counterpart, and the protocol, is `handover.py`.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop import handover

log = logging.getLogger(__name__)

MAX_CONNECTIONS: Final = 32
MAX_UNSENT: Final = 16 * 1024 * 1024  # bytes for a client that does not read
PATIENCE_MS: Final = 10_000  # for a request to come, or the last answer to be read


class Conversation(QObject):
    """One connection of another process of this user's. The handler's side of it.

    Signals:
        line_received: a further JSON object (dict) after the request.
        closed: the other side hung up, or `finish` is done. Emitted once; what runs
            for this conversation should stop.
    """

    line_received = Signal(object)
    closed = Signal()
    # Private: the first line has come.
    request_received = Signal(object)

    def __init__(self, connection: QLocalSocket, parent: QObject) -> None:
        super().__init__(parent)
        self._socket = connection
        self._buffer = bytearray()
        self._answering = False
        self._finished = False
        self._is_open = True
        connection.setParent(self)
        connection.setReadBufferSize(1024 * 1024)
        connection.readyRead.connect(self._read)
        connection.disconnected.connect(self._on_disconnected)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self.abort)
        self._patience.start(PATIENCE_MS)

    @property
    def is_open(self) -> bool:
        """Whether the other side still listens."""
        return self._is_open

    def start(self) -> None:
        """Read what has arrived already."""
        self._read()

    def reply(self, answer: dict[str, object]) -> None:
        """Send one line. Without effect once the other side is gone."""
        if not self._is_open or self._finished:
            return
        self._socket.write(json.dumps(answer).encode("ascii") + b"\n")
        if self._socket.bytesToWrite() > MAX_UNSENT:
            log.warning("A client does not read its answers; hanging up")
            self.abort()

    def finish(self) -> None:
        """Send what is left, then hang up; what still comes in is dropped."""
        if self._is_open and not self._finished:
            self._finished = True
            self._buffer.clear()
            self._patience.start(PATIENCE_MS)
            self._socket.disconnectFromServer()

    def abort(self) -> None:
        """Hang up at once."""
        if self._is_open:
            self._socket.abort()
            self._on_disconnected()

    def _read(self) -> None:
        data = self._socket.readAll().data()
        if self._finished:
            return
        self._buffer += data
        while not self._finished and self._is_open and (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._take(line)
        if len(self._buffer) > handover.MAX_LINE:
            self._refuse(f"a line of over {handover.MAX_LINE} bytes")

    def _take(self, line: bytes) -> None:
        if len(line) > handover.MAX_LINE:
            self._refuse(f"a line of over {handover.MAX_LINE} bytes")
            return
        try:
            value = handover.decode(line)
        except handover.HandoverError as error:
            self._refuse(str(error))
            return
        if self._answering:
            self.line_received.emit(value)
        else:
            self._answering = True
            self._patience.stop()
            self.request_received.emit(value)

    def _refuse(self, why: str) -> None:
        log.warning("A client was refused: %s", why)
        self.reply({"ok": False, "error": why})
        self.finish()

    def _on_disconnected(self) -> None:
        if self._is_open:
            self._is_open = False
            self._patience.stop()
            self._buffer.clear()
            self.closed.emit()
            self.deleteLater()


Handler = Callable[[dict[str, object], Conversation], None]


class SingleInstance(QObject):
    """Listens for later starts of the program.

    Signals:
        raise_requested: the user started Inglenook again; show the window. Carries
            the XDG activation token (str, may be "") of that start.
    """

    raise_requested = Signal(str)

    def __init__(self, data_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = handover.socket_name(data_folder)
        self._handlers: dict[str, Handler] = {"raise": self._raise}
        self._conversations: set[Conversation] = set()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.AbstractNamespaceOption)
        self._server.newConnection.connect(self._on_new_connection)

    def listen(self) -> bool:
        """Become the one that others hand over to. False: there is one already.

        Then `handover.ask_to_raise` reaches it; where that fails too, somebody else
        took the name, and the program runs without this service. The store's own
        lock still keeps two windows off one set of chats.
        """
        if self._server.listen(self._name):
            return True
        log.info("Not listening on %s: %s", self._name, self._server.errorString())
        return False

    def register(self, op: str, handler: Handler) -> None:
        """Have `handler(payload, conversation)` answer requests with this "op".

        It calls `conversation.reply` any number of times, then `conversation.finish`.
        """
        self._handlers[op] = handler

    def close(self) -> None:
        """Stop listening and hang up on everyone."""
        self._server.close()
        for conversation in tuple(self._conversations):
            conversation.abort()

    def _on_new_connection(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            if not _is_own(connection) or len(self._conversations) >= MAX_CONNECTIONS:
                log.warning("A connection was refused")
                connection.abort()
                connection.deleteLater()
                continue
            conversation = Conversation(connection, self)
            self._conversations.add(conversation)
            conversation.request_received.connect(
                lambda payload, conversation=conversation: self._dispatch(payload, conversation)
            )
            conversation.closed.connect(
                lambda conversation=conversation: self._conversations.discard(conversation)
            )
            conversation.start()

    def _dispatch(self, payload: dict[str, object], conversation: Conversation) -> None:
        op = payload.get("op")
        handler = self._handlers.get(op) if isinstance(op, str) else None
        if handler is None:
            conversation.reply({"ok": False, "error": f"unknown op {op!r:.50}"})
            conversation.finish()
            return
        try:
            handler(payload, conversation)
        except Exception as error:
            log.exception("The handler of %s failed", op)
            conversation.reply({"ok": False, "error": f"{type(error).__name__}: {error}"})
            conversation.finish()

    def _raise(self, payload: dict[str, object], conversation: Conversation) -> None:
        token = payload.get("activation_token")
        self.raise_requested.emit(token if isinstance(token, str) else "")
        conversation.reply({"ok": True, "pid": os.getpid()})
        conversation.finish()


def _is_own(connection: QLocalSocket) -> bool:
    """Whether this user's process is at the other end."""
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as copy:
            return handover.peer_uid(copy) == os.getuid()
    except OSError:
        return False
