"""Talk to the Inglenook that already runs, without Qt: for a second start and `chat`.

The socket is in the abstract namespace, so it vanishes with its process. That
namespace has no permissions: both sides ask the kernel whose process is at the
other end, and talk to nobody but their own user.

One request a connection: a JSON object on a line, with "op"; the answers are JSON
objects on lines. Closing the connection cancels.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

MAX_LINE: Final = 8 * 1024 * 1024  # bytes; a pasted book fits
_CREDENTIALS: Final = struct.Struct("3i")  # pid, uid, gid


class HandoverError(Exception):
    """The running Inglenook answered something that is not this protocol, or hung up."""


class NotRunningError(HandoverError):
    """No Inglenook of this user's runs with this data folder."""


def socket_name(data_folder: Path) -> str:
    """The name in the abstract namespace, without its leading NUL byte."""
    folder = os.path.realpath(data_folder).encode("utf-8", "surrogateescape")
    # Two checksums tell folders apart well enough; hashlib would load OpenSSL at every start.
    return f"inglenook-{os.getuid()}-{zlib.crc32(folder):08x}{zlib.crc32(folder[::-1]):08x}"


def peer_uid(connection: socket.socket) -> int:
    """The user whose process is at the other end of a unix socket, from the kernel."""
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(data)[1])


class Handover:
    """A connection to the running Inglenook.

    Args:
        data_folder: whose Inglenook.
        timeout: s to wait for the connection, and for room to send.

    Raises:
        NotRunningError: there is none, or what listens there is another user's.
    """

    def __init__(self, data_folder: Path, timeout: float = 5.0) -> None:
        self._timeout = timeout
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect("\0" + socket_name(data_folder))
            if peer_uid(self._socket) != os.getuid():
                raise NotRunningError("another user's process listens there")
        except OSError as error:
            self.close()
            raise NotRunningError(str(error)) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up. What runs for this connection is cancelled."""
        with contextlib.suppress(OSError):
            self._socket.close()

    def send(self, op: str, **payload: object) -> None:
        """Send one request, or a further line that belongs to it.

        Raises:
            ValueError: it is over `MAX_LINE`.
            HandoverError: the other side hung up.
        """
        line = json.dumps({"op": op, **payload}).encode("ascii") + b"\n"
        if len(line) > MAX_LINE:
            raise ValueError(f"a request of {len(line)} bytes is over {MAX_LINE}")
        self._socket.settimeout(self._timeout)
        try:
            self._socket.sendall(line)
        except OSError as error:
            raise HandoverError(f"Inglenook hung up: {error}") from error

    def replies(self, timeout: float | None = None) -> Iterator[dict[str, object]]:
        """The answers until the other side hangs up.

        Args:
            timeout: s to wait for each; None waits for ever.

        Raises:
            TimeoutError: none came in time.
            HandoverError: what came is not this protocol.
        """
        self._socket.settimeout(timeout)
        buffer = bytearray()
        while True:
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                raise HandoverError(f"Inglenook hung up: {error}") from error
            if not data:
                if buffer:
                    raise HandoverError("Inglenook hung up in the middle of an answer")
                return
            buffer += data
            *lines, rest = buffer.split(b"\n")
            buffer = bytearray(rest)
            if len(buffer) > MAX_LINE:
                raise HandoverError(f"an answer of over {MAX_LINE} bytes")
            for line in lines:
                yield decode(bytes(line))


def decode(line: bytes) -> dict[str, object]:
    """The JSON object on a line.

    Raises:
        HandoverError: it is something else.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HandoverError(f"not a line of JSON: {error}") from error
    if not isinstance(value, dict):
        raise HandoverError("not a JSON object")
    return value


def ask_to_raise(data_folder: Path, timeout: float = 5.0) -> bool:
    """Have the running window come to the front; whether it said that it does."""
    try:
        with Handover(data_folder, timeout) as handover:
            # Lets a Wayland compositor hand the focus over to the other process.
            token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
            handover.send("raise", activation_token=token)
            return any(reply.get("ok") is True for reply in handover.replies(timeout))
    except (HandoverError, TimeoutError):
        return False
