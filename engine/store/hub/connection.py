"""How this process talks HTTP: huggingface_hub's client, on connections of ours.

What the library does by itself does not do here: it waits a day when a hub says so, reads an
answer of any size into memory, cannot be stopped, and sends the token wherever a page's `next`
link leads. So it is given a client (`huggingface_hub.set_client_factory`) that
- wakes from a wait when its `Call` is cancelled or its deadline is over,
- counts what comes, packed or not,
- turns every refusal and every failure of the network into a `HubError` at once, which the
  library does not try again,
- sends the token to the hub's own origin alone, and follows no redirect from https to http.

Whoever imports this loads the network's libraries.
"""

from __future__ import annotations

import os
import ssl
import threading
import urllib.request
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

import httpcore2
import httpx2
import huggingface_hub
from huggingface_hub import constants

from engine.store.hub import connection_words as say
from engine.store.hub import network
from engine.store.hub.call import current_call
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line
from engine.store.hub.refusals import refusal
from engine.store.hub.waking import WakingBackend, unpacked

CONNECT_SECONDS: Final = 10.0
SILENT_SECONDS: Final = 15.0  # without a byte
MOST_REDIRECTS: Final = 10
MOST_CONNECTIONS: Final = 16
IDLE_SECONDS: Final = 30.0


def install() -> None:
    """Give huggingface_hub our client; once in a process."""
    global _is_installed
    with _install_lock:
        if _is_installed:
            return
        # Else it looks up at the hub, once a day, what its User-Agent is to say.
        constants.HF_HUB_DISABLE_TELEMETRY = True
        huggingface_hub.set_client_factory(make_client)
        _is_installed = True


_is_installed = False
_install_lock = threading.Lock()


def refuse_offline() -> None:
    """Go on only where the hub may be asked.

    Raises:
        HubError: "offline".
    """
    if network.is_offline() or constants.HF_HUB_OFFLINE:
        raise HubError("offline", say.OFFLINE)


def make_client() -> httpx2.Client:
    """The client: proxies and certificates as the environment has them now."""
    return httpx2.Client(
        transport=_Transport(),
        event_hooks={"request": [_on_request], "response": [_on_response]},
        follow_redirects=True,
        max_redirects=MOST_REDIRECTS,
        timeout=httpx2.Timeout(SILENT_SECONDS, connect=CONNECT_SECONDS),
        headers={"Accept-Encoding": "gzip"},
        trust_env=False,  # what is told there, `_Transport` heeds; of .netrc nothing is wanted
    )


def _on_request(request: httpx2.Request) -> None:
    refuse_offline()
    call = current_call()
    call.check()
    if _origin(str(request.url)) != _origin(call.endpoint):
        request.headers.pop("Authorization", None)
    # The library sets its own time limits, or none.
    request.extensions["timeout"] = {
        "connect": CONNECT_SECONDS,
        "read": SILENT_SECONDS,
        "write": SILENT_SECONDS,
        "pool": SILENT_SECONDS,
    }


def _on_response(response: httpx2.Response) -> None:
    url = str(response.request.url)
    if response.has_redirect_location:
        target = urlsplit(urljoin(url, response.headers["Location"]))
        allowed = {"https"} if url.startswith("https:") else {"https", "http"}
        if target.scheme not in allowed:
            raise HubError("bad_answer", say.ELSEWHERE.format(host=urlsplit(url).netloc))
        return
    if response.status_code >= 400:
        raise refusal(
            response.status_code,
            response.headers,
            url,
            endpoint=current_call().endpoint,
            signed_in="Authorization" in response.request.headers,
        )


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return (
        parts.scheme,
        parts.hostname or "",
        parts.port or (443 if parts.scheme == "https" else 80),
    )


def failure_of(error: Exception, url: str, proxy: str = "") -> HubError:
    """The error for one of the HTTP libraries', or of the system below them."""
    host, cause = urlsplit(url).netloc, _innermost(error)
    reason = one_line(getattr(cause, "strerror", None) or str(cause) or type(cause).__name__, 200)
    shown = network.without_password(proxy)
    if isinstance(cause, ssl.SSLCertVerificationError):
        reason = one_line(cause.verify_message or reason, 200)
        return HubError("certificate", say.CERTIFICATE.format(host=host, reason=reason))
    if isinstance(error, (httpx2.TooManyRedirects,)):
        return HubError("bad_answer", say.CIRCLE.format(host=host))
    if isinstance(error, httpcore2.ProxyError):
        return HubError("proxy", say.PROXY.format(proxy=shown, reason=reason))
    if isinstance(error, (httpcore2.ConnectError, httpcore2.ConnectTimeout)) and proxy:
        return HubError("proxy", say.NO_PROXY.format(proxy=shown, reason=reason))
    if isinstance(error, httpcore2.ConnectError):
        return HubError("unreachable", say.UNREACHABLE.format(host=host, reason=reason))
    if isinstance(error, (httpcore2.TimeoutException, httpx2.TimeoutException)):
        return HubError("timeout", say.SILENT.format(host=host))
    return HubError("unreachable", say.LOST.format(host=host, reason=reason))


def _innermost(error: BaseException) -> BaseException:
    for _ in range(10):
        below = error.__cause__ or error.__context__
        if below is None or isinstance(error, ssl.SSLError):
            break
        error = below
    return error


class _Transport(httpx2.BaseTransport):
    """Sends over pools of connections: for each proxy, and for each scheme."""

    def __init__(self) -> None:
        self._pools: dict[tuple[str, str], httpcore2.ConnectionPool] = {}
        self._lock = threading.Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        proxy = _proxy_for(url)
        sent = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        pool = self._pool(proxy, request.url.scheme)
        try:
            try:
                got = pool.handle_request(sent)
            except _LOST:
                # The hub may close a connection that has idled in the moment it is used again.
                if request.method not in {"GET", "HEAD"}:
                    raise
                current_call().check()
                got = pool.handle_request(sent)
        except _NETWORK as error:
            raise failure_of(error, url, proxy) from error
        headers = [(name, value) for name, value in got.headers if name.lower() not in _BODY_FORM]
        packed = _header(got.headers, b"content-encoding")
        if packed not in {"", "identity", "gzip"}:
            got.close()
            raise HubError("bad_answer", say.PACKED.format(host=request.url.host))
        if packed != "gzip":
            headers = list(got.headers)
        return httpx2.Response(
            status_code=got.status,
            headers=headers,
            stream=_Body(got, url, proxy, unpack=packed == "gzip"),
            extensions=got.extensions,
        )

    def close(self) -> None:
        with self._lock:
            pools, self._pools = self._pools, {}
        for pool in pools.values():
            pool.close()

    def _pool(self, proxy: str, scheme: str) -> httpcore2.ConnectionPool:
        key = proxy, scheme
        with self._lock:
            if key not in self._pools:
                self._pools[key] = _make_pool(proxy, encrypted="https" in {scheme, proxy[:5]})
            return self._pools[key]


# With these a packed body says how it is packed, and how long it is then.
_BODY_FORM: Final = {b"content-encoding", b"content-length"}
_LOST: Final = (
    httpcore2.ReadError,
    httpcore2.WriteError,
    httpcore2.RemoteProtocolError,
)
_NETWORK: Final = (
    httpcore2.NetworkError,
    httpcore2.TimeoutException,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
    OSError,
)


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    for name, value in headers:
        if name.lower() == wanted:
            return value.decode("latin-1").strip().lower()
    return ""


def _make_pool(proxy: str, *, encrypted: bool) -> httpcore2.ConnectionPool:
    common: dict[str, Any] = {
        "ssl_context": ssl_context() if encrypted else None,
        "max_connections": MOST_CONNECTIONS,
        "max_keepalive_connections": MOST_CONNECTIONS,
        "keepalive_expiry": IDLE_SECONDS,
        "network_backend": WakingBackend(),
    }
    if not proxy:
        return httpcore2.ConnectionPool(**common)
    parts = urlsplit(proxy)
    if parts.scheme not in {"http", "https"}:
        raise HubError("proxy", network.SOCKS.format(text=network.without_password(proxy)))
    auth = None
    if parts.username is not None:
        auth = (unquote(parts.username), unquote(parts.password or ""))
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
    return httpcore2.HTTPProxy(proxy_url=address, proxy_auth=auth, **common)


def _proxy_for(url: str) -> str:
    """The proxy that the environment names for `url`; "" for none."""
    parts = urlsplit(url)
    if urllib.request.proxy_bypass_environment(parts.netloc):  # type: ignore[attr-defined]
        return ""
    proxies = urllib.request.getproxies_environment()
    found = proxies.get(parts.scheme) or proxies.get("all") or ""
    return found if not found or "://" in found else f"http://{found}"


def ssl_context() -> ssl.SSLContext:
    """What is trusted: the system's certificates and certifi's, or those of SSL_CERT_FILE too.

    Raises:
        HubError: "certificate"; the file that is named cannot be read.
    """
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        path = os.environ.get(name, "")
        if not path:
            continue
        try:
            context.load_verify_locations(path)
        except OSError as error:  # of which ssl.SSLError is one
            reason = one_line(error.strerror or str(error), 100)
            raise HubError("certificate", say.CA.format(path=path, reason=reason)) from error
    return context


class _Body(httpx2.SyncByteStream):
    """The body of an answer: counted, unpacked where it is packed, its failures in our words."""

    def __init__(self, got: httpcore2.Response, url: str, proxy: str, *, unpack: bool) -> None:
        self._got, self._url, self._proxy = got, url, proxy
        self._unpack = unpack

    def __iter__(self) -> Iterator[bytes]:
        call = current_call()
        try:
            parts = self._got.iter_stream()
            for part in unpacked(parts) if self._unpack else parts:
                call.take(len(part))
                yield part
        except (*_NETWORK, zlib.error) as error:
            raise failure_of(error, self._url, self._proxy) from error

    def close(self) -> None:
        self._got.close()
