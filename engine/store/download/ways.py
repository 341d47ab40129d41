"""By which way a host is reached: directly or over a proxy, and whose certificates are trusted.

As the environment says, which `engine.store.hub.network` has set for this process.
"""

from __future__ import annotations

import base64
import http.client
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import (  # type: ignore[attr-defined]
    getproxies_environment,
    proxy_bypass_environment,
)

from engine.store.download import texts
from engine.store.hub.errors import HubError
from engine.store.hub.network import without_password
from engine.store.hub.plain_text import one_line

_PORTS: Final = {"http": 80, "https": 443}


class ProxyGoneError(HubError):
    """The proxy cannot be reached, or reaches nobody: where it could before, it may again."""


class Origin(NamedTuple):
    """Who answers: tokens and connections are for one of these only."""

    scheme: str
    host: str
    port: int


def origin_of(url: str) -> Origin:
    """The origin of an http or https URL.

    Raises:
        HubError: "bad_answer": it is no such URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        raise HubError("bad_answer", texts.NO_ADDRESS.format(text=one_line(url, 80)))
    return Origin(parts.scheme, parts.hostname, port or _PORTS[parts.scheme])


@dataclass(frozen=True, slots=True)
class _Proxy:
    host: str
    port: int
    headers: Mapping[str, str]


class Ways:
    """See the module."""

    def __init__(self, timeout: float, environ: Mapping[str, str] | None = None) -> None:
        self._timeout = timeout
        self._proxies = getproxies_environment() if environ is None else _proxies(environ)
        self._context: ssl.SSLContext | None = None

    def proxy_for(self, origin: Origin) -> _Proxy | None:
        """The proxy over which `origin` is reached; None: directly.

        Raises:
            HubError: "proxy": it is none that can be used.
        """
        url = self._proxies.get(origin.scheme) or self._proxies.get("all")
        host = f"[{origin.host}]" if ":" in origin.host else origin.host
        if not url or proxy_bypass_environment(f"{host}:{origin.port}", dict(self._proxies)):
            return None
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            port = parts.port or 80
        except ValueError:
            port = 0
        if parts.scheme != "http" or not parts.hostname or not port:
            text = one_line(without_password(url), 80)
            raise HubError("proxy", texts.NO_HTTP_PROXY.format(text=text))
        headers = {}
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            code = base64.b64encode(pair.encode()).decode()
            headers["Proxy-Authorization"] = f"Basic {code}"
        return _Proxy(parts.hostname, port, headers)

    def connection(self, origin: Origin) -> http.client.HTTPConnection:
        """One to `origin` that is not open yet."""
        proxy = self.proxy_for(origin)
        host, port = (origin.host, origin.port) if proxy is None else (proxy.host, proxy.port)
        if origin.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout)
        result = http.client.HTTPSConnection(
            host, port, timeout=self._timeout, context=self._trust()
        )
        if proxy is not None:
            result.set_tunnel(origin.host, origin.port, dict(proxy.headers))
        return result

    def _trust(self) -> ssl.SSLContext:
        if self._context is None:
            from engine.store.hub.connection import ssl_context

            self._context = ssl_context()
        return self._context


def _proxies(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name.lower()[:-6]: value
        for name, value in sorted(environ.items())  # lower case comes last, and counts
        if name.lower().endswith("_proxy") and value
    }
