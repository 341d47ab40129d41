"""One end of the socket pair to the engine: frames in, typed messages out."""

from __future__ import annotations

import os
import socket

from PySide6.QtCore import QIODevice, QObject, Signal
from PySide6.QtNetwork import QLocalSocket

from engine.protocol import (
    PROTOCOL_VERSION,
    FrameReader,
    Hello,
    Message,
    ProtocolError,
    decode_from_engine,
    encode,
)


class Connection(QObject):
    """A connection for one engine process; made before it, dropped with it.

    Signals:
        received: an engine.protocol message, after the Hello was checked.
        closed: the engine's end is gone.
        broken: text: the engine sent what is not the protocol, or another version.
    """

    received = Signal(object)
    closed = Signal()
    broken = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        ours, self._theirs = socket.socketpair()
        self._socket = QLocalSocket(self)
        self._socket.setSocketDescriptor(
            ours.detach(),
            QLocalSocket.LocalSocketState.ConnectedState,
            QIODevice.OpenModeFlag.ReadWrite,
        )
        self._frames = FrameReader()
        self._greeted = False
        self._broken = False
        self._socket.readyRead.connect(self._read)
        self._socket.disconnected.connect(self.closed)

    def descriptor_for_child(self) -> int:
        """The other end, inheritable until `child_started`."""
        os.set_inheritable(self._theirs.fileno(), True)
        return self._theirs.fileno()

    def child_started(self) -> None:
        """Close our copy of the child's end: end of file must mean its death."""
        self._theirs.close()
        self.send(Hello(PROTOCOL_VERSION, os.getpid()))

    def send(self, message: Message) -> None:
        """Queue a message; what a dead engine does not read is dropped.

        Raises:
            ProtocolError: the message is too large for a frame, or cannot be encoded.
        """
        frame = encode(message)
        if self._socket.state() is QLocalSocket.LocalSocketState.ConnectedState:
            self._socket.write(frame)

    def flush(self) -> None:
        """Hand what waits to the kernel without a turn of the event loop."""
        self._socket.flush()

    def drain(self) -> None:
        """Deliver what a dead engine had sent before its end."""
        connected = QLocalSocket.LocalSocketState.ConnectedState
        while self._socket.state() is connected and self._socket.waitForReadyRead(0):
            pass
        self._read()

    def drop(self) -> None:
        """Close without another signal."""
        self.blockSignals(True)
        self._theirs.close()
        self._socket.abort()
        self.deleteLater()

    def _read(self) -> None:
        if not self._socket.isOpen():  # Qt closes it when the engine's end is gone
            return
        # Asked for what is there and no more: what Qt asks in turn is closed before this is.
        there = self._socket.bytesAvailable()
        data = bytes(self._socket.read(there).data()) if there else b""
        if self._broken or not data:
            return
        try:
            for body in self._frames.feed(data):
                message = decode_from_engine(body)
                if self._greeted:
                    self.received.emit(message)
                elif isinstance(message, Hello) and message.protocol_version == PROTOCOL_VERSION:
                    self._greeted = True
                else:
                    raise ProtocolError(
                        f"expected Hello of version {PROTOCOL_VERSION}: {message!r:.200}"
                    )
        except ProtocolError as error:
            self._broken = True  # once is enough; nothing after it can be read
            self.broken.emit(str(error))
