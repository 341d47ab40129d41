"""A hub of models on the loopback, for tests that read files by ranges."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class SmallHub:
    """Serves `files` ("owner/name/file" -> bytes); counts what is sent.

    Attributes:
        answers: what to answer for a path instead: (status, headers, body).
        ranges: whether it knows ranges; without, it sends whole files.
        requests: path and Range header of each.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.ranges = True
        self.requests: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.sent = 0
        self.url = ""

    def answer(self, path: str, wanted: str) -> tuple[int, dict[str, str], bytes]:
        """What a GET gets."""
        model, _, rest = path.strip("/").partition("/resolve/")
        _, _, name = rest.partition("/")
        key = f"{model}/{name}"
        if key in self.answers:
            return self.answers[key]
        data = self.files.get(key)
        if data is None:
            known = any(file.startswith(f"{model}/") for file in self.files)
            code = "EntryNotFound" if known else "RepoNotFound"
            return (404 if known else 401), {"X-Error-Code": code}, b""
        if wanted and self.ranges:
            begin, _, end = wanted.removeprefix("bytes=").partition("-")
            part = data[int(begin) : int(end) + 1]
            span = f"bytes {begin}-{int(begin) + len(part) - 1}/{len(data)}"
            return 206, {"Content-Range": span}, part
        return 200, {}, data


@contextmanager
def small_hub() -> Iterator[SmallHub]:
    """A hub that runs."""
    hub = SmallHub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            hub.requests.append((self.path, wanted))
            hub.headers.append(dict(self.headers.items()))
            status, headers, body = hub.answer(self.path, wanted)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for at in range(0, len(body), 65_536):
                part = body[at : at + 65_536]
                try:
                    self.wfile.write(part)
                except OSError:  # the client has what it wants
                    self.close_connection = True
                    return
                hub.sent += len(part)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
