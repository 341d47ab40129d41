"""The sockets of the loopback hub: requests are read, answers sent, and every byte counted."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.helpers.hub_answers import Shelf, answer, parse
from tests.helpers.hub_faults import Answer, Fault, Faults, Request
from tests.helpers.hub_files import Disk, pieces

HUB_HOST = "127.0.0.1"
CDN_HOST = "127.0.0.2"  # another host, not merely another port
_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER: what is unsent is dropped


@dataclass
class Record:
    """A request that was answered.

    Attributes:
        target: of the request, as it was sent; `path`: unquoted, without the query.
        file: "owner/name/file" where a file was asked for.
        range: the header as it came.
        token: what it was signed with; "" for nothing.
        sent: bytes of the body.
    """

    host: str
    method: str
    target: str
    path: str
    file: str
    query: dict[str, list[str]]
    range: str
    token: str
    headers: dict[str, str]
    status: int = 0
    sent: int = 0

    def fits(self, glob: str) -> bool:
        """Whether a glob fits the path or the file."""
        names = (self.path, self.path.lstrip("/"), self.file)
        return any(fnmatchcase(name, glob) for name in names if name)


class HubServer:
    """A hub on two loopback ports, answering in threads."""

    def __init__(self, shelf: Shelf, faults: Faults, tls: Path | None = None) -> None:
        self.shelf = shelf
        self.faults = faults
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._came = threading.Condition(self._lock)
        self._records: list[Record] = []
        self._connections: set[socket.socket] = set()
        self._tls = tls
        self._servers: list[tuple[ThreadingHTTPServer, threading.Thread]] = []
        self._ports = {"hub": 0, "cdn": 0}
        self.start()

    def start(self) -> None:
        """Listen; on the same ports as before."""
        for host, address in (("hub", HUB_HOST), ("cdn", CDN_HOST)):
            server = _Server((address, self._ports[host]), _handler(self, host))
            if self._tls:
                _wrap(server, self._tls)
            self._ports[host] = server.server_address[1]
            run = threading.Thread(
                target=server.serve_forever, kwargs={"poll_interval": 0.02}, name=f"loopback-{host}"
            )
            run.start()
            self._servers.append((server, run))
        scheme = "https" if self._tls else "http"
        self.shelf.url = f"{scheme}://{HUB_HOST}:{self._ports['hub']}"
        self.shelf.cdn_url = f"{scheme}://{CDN_HOST}:{self._ports['cdn']}"

    def stop(self) -> None:
        """Refuse connections from now on, and end those that are open with a reset."""
        self.stopping.set()
        for server, run in self._servers:
            server.shutdown()
            server.server_close()
            run.join()
        self._servers.clear()
        self.drop()
        self.stopping = threading.Event()

    def drop(self) -> None:
        """End all open connections with a reset."""
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            reset(connection)
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # wakes the thread that sends or waits

    def records(self) -> list[Record]:
        """All requests since the counts were reset, in the order in which they came."""
        with self._lock:
            return [replace(record) for record in self._records]

    def reset_counts(self) -> None:
        """Forget the requests so far."""
        with self._lock:
            self._records.clear()

    def bytes_sent(self, glob: str) -> int:
        """Bytes of bodies sent of the files or paths that the glob fits."""
        with self._lock:
            return sum(record.sent for record in self._records if record.fits(glob))

    def wait_for(self, glob: str, seconds: float) -> bool:
        """Wait until something that the glob fits is asked for; whether it was."""
        with self._came:
            return self._came.wait_for(
                lambda: any(record.fits(glob) for record in self._records), seconds
            )

    def begin(self, request: Request) -> tuple[Record, Answer]:
        """Note a request; returns the answer that it gets."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        record = Record(
            request.host,
            request.method,
            request.target,
            request.path,
            request.file,
            request.query,
            request.headers.get("range", ""),
            token,
            request.headers,
        )
        with self._came:
            self._records.append(record)
            self._came.notify_all()
        told = spoilt(self.shelf, self.faults.of(request), request)
        record.status = told.status
        return record, told

    def count(self, record: Record, sent: int) -> None:
        """Bytes of a body are under way."""
        with self._lock:
            record.sent += sent

    def opened(self, connection: socket.socket) -> None:
        """A connection is there."""
        with self._lock:
            self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        """It is not any more."""
        with self._lock:
            self._connections.discard(connection)


def spoilt(shelf: Shelf, faults: list[Fault], request: Request) -> Answer:
    """The answer with all that is wrong with it."""
    asked = request
    for fault in faults:
        asked = fault.before(asked)
    told = answer(shelf, asked)
    for fault in faults:
        told = fault.after(request, told)
    return told


def reset(connection: socket.socket) -> None:
    """Let it end, when it is closed, as a machine does that has forgotten the connection."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def shutdown_request(self, request: Any) -> None:
        """Close; without an orderly end where there shall be none."""
        try:
            orderly = request.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8) != _AT_ONCE
        except OSError:
            orderly = False
        if orderly:
            super().shutdown_request(request)
        else:
            self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave are what is tested."""


def _wrap(server: ThreadingHTTPServer, certificate: Path) -> None:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    # The handshake is each connection's own: one that never comes does not stop the others.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )


def _handler(hub: HubServer, host: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            hub.opened(self.connection)

        def finish(self) -> None:
            hub.closed(self.connection)
            with contextlib.suppress(OSError):
                super().finish()

        def do_GET(self) -> None:
            self._answer()

        def do_HEAD(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def do_PUT(self) -> None:
            self._answer()

        def do_DELETE(self) -> None:
            self._answer()

        def _answer(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = parse(host, self.command, self.path, headers)
            record, told = hub.begin(request)
            if self.command not in {"GET", "HEAD"}:
                self.close_connection = True  # its body is not read
            try:
                _send(self.connection, request, told, lambda n: hub.count(record, n), hub.stopping)
            except OSError:
                self.close_connection = True
            if told.ending or headers.get("connection", "").lower() == "close":
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def _send(
    connection: socket.socket,
    request: Request,
    told: Answer,
    count: Callable[[int], None],
    stopping: threading.Event,
) -> None:
    if told.ending == "silence":
        _wait_for_end(connection, stopping)
        return
    length = told.end - told.begin
    framing = ("Transfer-Encoding", "chunked") if told.chunked else ("Content-Length", str(length))
    bodiless = request.method == "HEAD"
    headers = [*told.headers, framing]
    lines = [f"HTTP/1.1 {told.status} {responses.get(told.status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in headers]
    connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1", "replace"))
    if bodiless:
        return
    stop = told.end if told.at is None else min(told.begin + told.at, told.end)
    if told.chunked:
        _send_chunks(connection, told, stop, count, stopping)
    elif told.rate is not None:
        _drip(connection, told, stop, count, stopping)
    elif isinstance(told.content, Disk):
        _send_file(connection, told.content.path, told.begin, stop, count)
    else:
        for piece in pieces(told.content, told.begin, stop):
            count(len(piece))
            connection.sendall(piece)
    if told.ending == "reset":
        reset(connection)
    elif told.ending == "hang":
        _wait_for_end(connection, stopping)


# Bytes are counted before they are sent: whoever has got them all finds them counted.


def _send_file(
    connection: socket.socket, path: Path, begin: int, end: int, count: Callable[[int], None]
) -> None:
    with path.open("rb") as file:
        at = begin
        while at < end:
            wanted = min(end - at, 4 << 20)
            count(wanted)
            file.seek(at)
            try:
                connection.sendfile(file, at, wanted)
            finally:
                count(file.tell() - at - wanted)  # where it stands is how far it came
            if file.tell() == at:
                raise ConnectionAbortedError("the file is shorter than it was")
            at = file.tell()


def _send_chunks(
    connection: socket.socket,
    told: Answer,
    stop: int,
    count: Callable[[int], None],
    stopping: threading.Event,
) -> None:
    while True:
        for piece in pieces(told.content, told.begin, stop):
            count(len(piece))
            connection.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        if not told.endless or stop <= told.begin or stopping.is_set():
            break
    if not told.ending and not told.endless:
        connection.sendall(b"0\r\n\r\n")


def _drip(
    connection: socket.socket,
    told: Answer,
    stop: int,
    count: Callable[[int], None],
    stopping: threading.Event,
) -> None:
    assert told.rate is not None
    step = max(int(told.rate / 20), 1)
    for at in range(told.begin, stop, step):
        piece = told.content.read(at, min(at + step, stop))
        count(len(piece))
        connection.sendall(piece)
        if stopping.wait(step / told.rate):
            raise ConnectionAbortedError("the hub ends")


def _wait_for_end(connection: socket.socket, stopping: threading.Event) -> None:
    """Until the client leaves, or the hub does."""
    connection.settimeout(0.05)
    while not stopping.is_set():
        try:
            if not connection.recv(4096):
                return
        except TimeoutError:
            continue
