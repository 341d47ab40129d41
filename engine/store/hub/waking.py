"""Connections whose waits end with their call, and packed bodies that cannot swell without end."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import httpcore2

from engine.store.hub.call import current_call


def unpacked(parts: Iterable[bytes], step: int = 256 * 1024) -> Iterator[bytes]:
    """What is packed in `parts`, never more than `step` bytes at once, however it swells."""
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    for part in parts:
        waiting = part
        while waiting and not inflater.eof:
            piece = inflater.decompress(waiting, step)
            waiting = inflater.unconsumed_tail
            yield piece
    if not inflater.eof:
        raise zlib.error("it is cut off")


class WakingBackend(httpcore2.SyncBackend):
    """Connections whose waits end with their call."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection; as long as the call may last at most."""
        call = current_call()
        patience = call.patience(timeout)
        stream = super().connect_tcp(host, port, patience, local_address, socket_options)
        call.check()
        return _Stream(stream)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        call = current_call()
        with call.waiting_on(self._stream.get_extra_info("socket")):
            return self._stream.read(max_bytes, call.patience(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        call = current_call()
        with call.waiting_on(self._stream.get_extra_info("socket")):
            self._stream.write(buffer, call.patience(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        call = current_call()
        patience = call.patience(timeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, patience))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
