"""Files of the hub over HTTP: by ranges, along redirects, into a buffer that is there already.

The standard library's client. Of what is there for Python it is the one that reads into our own
memory, and whose socket is at hand: a read that hangs ends at once when it is shut down. It is
also the fastest (`python -m tests.bench.download --clients`).

The token goes to the hub's own origin and to nobody else; where a redirect leads elsewhere it
stays here.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urljoin, urlsplit

from engine.store.download import texts
from engine.store.download.patience import Patience
from engine.store.download.ways import Origin, ProxyGoneError, Ways, origin_of
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line

MOST_REDIRECTS: Final = 8
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SMALL: Final = 64 * 1024  # bytes of a body that is read to its end to keep the connection
_RANGE: Final = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.ASCII)
_AGENT: Final = "inglenook"


@dataclass(slots=True)
class Answer:
    """An answer, its body unread.

    Attributes:
        url: of the last request. is_hub: whether the hub itself answered it.
        told: headers in lower case; what the hub said of the file before it redirected counts
            more than what the place says where it lies.
    """

    status: int
    headers: http.client.HTTPMessage
    url: str
    is_hub: bool
    told: Mapping[str, str]
    _response: http.client.HTTPResponse = field(repr=False)
    _line: Line = field(repr=False)
    _origin: Origin = field(repr=False)

    @property
    def length(self) -> int | None:
        """Bytes of the body; None where it is not told."""
        text = self.headers.get("Content-Length", "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None

    @property
    def span(self) -> tuple[int, int, int | None] | None:
        """First byte, byte after the last and size of the file; None: not told, or nonsense."""
        found = _RANGE.fullmatch(self.headers.get("Content-Range", "").strip())
        if found is None:
            return None
        first, last, size = found.groups()
        return int(first), int(last) + 1, None if size == "*" else int(size)

    def read_into(self, view: memoryview) -> int:
        """Read what is there, or wait for the first of it; 0 at the end, or where it is cut off.

        Raises:
            HubError: "timeout", "unreachable", "bad_answer".
        """
        response = self._response
        with self._line.faults(self._origin):
            if response.isclosed():
                return 0
            if response.chunked:
                return response.readinto(view[:_SMALL])
            # `HTTPResponse.readinto` waits until the view is full, however slowly it drips.
            count: int = response.fp.readinto1(view)
            return count

    def close(self, *, whole: bool = False) -> None:
        """Done with it. `whole`: the body was read to its end, the connection can go on."""
        with contextlib.suppress(OSError, ValueError):
            self._response.close()
        if not whole or self._response.will_close:
            self._line.drop(self._origin)


class Web:
    """Where files are fetched: one hub, and what it redirects to."""

    def __init__(
        self,
        endpoint: str,
        headers: Mapping[str, str],
        patience: Patience,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.endpoint = endpoint.rstrip("/")
        self.home = origin_of(self.endpoint)
        self.patience = patience
        self.ways = Ways(patience.connect, environ)
        given = {name.lower(): value for name, value in headers.items()}
        self._token = given.pop("authorization", "")
        self._headers = {
            "User-Agent": given.get("user-agent", _AGENT),
            # What is compressed on the way has no ranges.
            "Accept-Encoding": "identity",
            "Accept": "*/*",
        }

    @property
    def is_signed_in(self) -> bool:
        """Whether the hub gets a token."""
        return bool(self._token)

    def address(self, repo: str, commit: str, path: str) -> str:
        """Where the hub has a file."""
        return f"{self.endpoint}/{quote(repo)}/resolve/{quote(commit, safe='')}/{quote(path)}"

    def headers_for(self, origin: Origin) -> dict[str, str]:
        """Of a request; with the token for the hub itself."""
        if self._token and origin == self.home:
            return {**self._headers, "Authorization": self._token}
        return dict(self._headers)


class Line:
    """The connections of one worker, kept open between requests: one to each origin."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._open: dict[Origin, http.client.HTTPConnection] = {}
        self._sockets: dict[Origin, socket.socket] = {}

    def get(self, url: str, span: tuple[int, int] | None = None) -> Answer:
        """Ask for a file, or for its bytes from `span[0]` to before `span[1]`.

        Raises:
            HubError: there is no answer; what an answer's status means is for the caller.
        """
        told: dict[str, str] = {}
        for _ in range(MOST_REDIRECTS):
            origin = origin_of(url)
            headers = self._web.headers_for(origin)
            if span is not None:
                headers["Range"] = f"bytes={span[0]}-{span[1] - 1}"
            response = self._send(origin, url, headers)
            is_hub = origin == self._web.home
            # The hub's own words of a file; a mirror may redirect within itself.
            for name, value in response.getheaders() if is_hub or not told else ():
                told.setdefault(name.lower(), value)
            answer = Answer(
                response.status, response.msg, url, is_hub, told, response, self, origin
            )
            target = response.headers.get("Location", "")
            if response.status not in _REDIRECTS or not target:
                return answer
            self._skip(answer)
            url = _follow(url, target, origin)
        raise HubError("bad_answer", texts.CIRCLE.format(host=self._web.home.host))

    def abort(self) -> None:
        """End what hangs, from another thread."""
        for each in list(self._sockets.values()):
            with contextlib.suppress(OSError):
                # Not SSLSocket's: after that a read would give what is still encrypted.
                socket.socket.shutdown(each, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close all."""
        for origin in tuple(self._open):
            self.drop(origin)

    def drop(self, origin: Origin) -> None:
        """Close the one to `origin`."""
        self._sockets.pop(origin, None)
        connection = self._open.pop(origin, None)
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.close()

    @contextlib.contextmanager
    def faults(self, origin: Origin) -> Any:
        """What the network throws becomes a HubError, and the connection is closed."""
        try:
            yield
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.drop(origin)
            raise self._named(error, origin) from error

    def _send(self, origin: Origin, url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        with self.faults(origin):
            kept = origin in self._open
            try:
                return self._send_once(origin, url, headers)
            except (http.client.RemoteDisconnected, ConnectionError, ssl.SSLError):
                # The other side may close a connection that was idle, just as it is used again.
                if not kept:
                    raise
                self.drop(origin)
                return self._send_once(origin, url, headers)

    def _send_once(
        self, origin: Origin, url: str, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        connection = self._open.get(origin)
        if connection is None:
            connection = self._open[origin] = self._web.ways.connection(origin)
            connection.connect()
            connection.sock.settimeout(self._web.patience.silence)
        self._sockets[origin] = connection.sock
        proxy = self._web.ways.proxy_for(origin) if origin.scheme == "http" else None
        if proxy is not None:  # it is asked for the whole address
            connection.request("GET", url, headers={**headers, **proxy.headers})
        else:
            parts = urlsplit(url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        if response.status == 407:
            raise HubError("proxy", texts.PROXY.format(host=connection.host, reason="407"))
        return response

    def _skip(self, answer: Answer) -> None:
        """Read the rest of a small body, so that the connection can go on."""
        length = answer.length
        left = memoryview(bytearray(length if length is not None and length <= _SMALL else 0))
        whole = length is not None and length <= _SMALL
        try:
            while left:
                count = answer.read_into(left)
                if not count:
                    whole = False
                    break
                left = left[count:]
        except HubError:
            whole = False
        answer.close(whole=whole)

    def _named(self, error: Exception, origin: Origin) -> HubError:
        host, reason = origin.host, _reason(error)
        proxy = self._web.ways.proxy_for(origin)
        if isinstance(error, ssl.SSLCertVerificationError):
            why = one_line(error.verify_message, 120)
            return HubError("certificate", texts.CERTIFICATE.format(host=host, reason=why))
        if isinstance(error, OSError) and str(error).startswith("Tunnel connection failed"):
            reason = one_line(str(error).partition(": ")[2], 80)
            kind = ProxyGoneError if reason.startswith("5") else HubError
            return kind("proxy", texts.PROXY.format(host=proxy and proxy.host, reason=reason))
        if isinstance(error, ConnectionRefusedError) and proxy is not None:
            return ProxyGoneError("proxy", texts.NO_PROXY.format(host=proxy.host, port=proxy.port))
        if isinstance(error, TimeoutError):
            seconds = f"{self._web.patience.silence:.0f}"
            return HubError("timeout", texts.SILENT.format(host=host, seconds=seconds))
        if isinstance(error, (http.client.RemoteDisconnected, ConnectionResetError)):
            return HubError("unreachable", texts.WEB_CUT.format(host=host))
        if isinstance(error, OSError):
            return HubError("unreachable", texts.UNREACHABLE.format(host=host, reason=reason))
        return HubError("bad_answer", texts.NONSENSE.format(host=host))


def _follow(url: str, target: str, origin: Origin) -> str:
    """Where a redirect leads.

    Raises:
        HubError: to no place to go to.
    """
    try:
        # As browsers do: what has no place in an address is encoded, the rest left as it is.
        found = urljoin(url, quote(target.strip(), safe="!#$%&'()*+,/:;=?@[]~"))
    except ValueError:
        found = ""
    place = origin_of(found)
    if origin.scheme == "https" and place.scheme == "http":
        raise HubError("bad_answer", texts.DOWNGRADE.format(host=origin.host))
    return found.partition("#")[0]


def _reason(error: Exception) -> str:
    """In the words of the system or of the TLS library, which are all there is."""
    if isinstance(error, ssl.SSLError):
        return one_line(str(error.reason or "TLS").replace("_", " ").lower(), 80)
    return one_line(getattr(error, "strerror", None), 120) or texts.NO_CONNECTION
