"""A proxy on the loopback: hands on requests and tunnels, and says what went through it."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Proxy:
    """A proxy that runs.

    Attributes:
        seen: "GET http://..." or "CONNECT host:port" of each request.
    """

    url: str = ""
    seen: list[str] = field(default_factory=list)


@contextmanager
def loopback_proxy(port: int = 0) -> Iterator[Proxy]:
    """A proxy for http (requests in full) and for https (tunnels)."""
    proxy = Proxy()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_CONNECT(self) -> None:
            proxy.seen.append(f"CONNECT {self.path}")
            host, _, port = self.path.rpartition(":")
            self.close_connection = True
            with socket.create_connection((host, int(port)), 5) as far:
                self.send_response(200, "Connection established")
                self.end_headers()
                back = threading.Thread(target=_pump, args=(far, self.connection))
                back.start()
                _pump(self.connection, far)
                back.join()

        def do_GET(self) -> None:
            proxy.seen.append(f"{self.command} {self.path}")
            parts = urlsplit(self.path)
            far = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=30)
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            headers = {k: v for k, v in self.headers.items() if not k.lower().startswith("proxy-")}
            far.request(self.command, target, headers=headers | {"Connection": "close"})
            answer = far.getresponse()
            self.close_connection = True
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            with contextlib.suppress(OSError):
                while self.command != "HEAD" and (piece := answer.read(1 << 16)):
                    self.wfile.write(piece)
            far.close()

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    proxy.url = f"http://127.0.0.1:{server.server_address[1]}"
    run = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    run.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        run.join()


def _pump(near: socket.socket, far: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := near.recv(1 << 16):
            far.sendall(data)
    with contextlib.suppress(OSError):
        far.shutdown(socket.SHUT_WR)
