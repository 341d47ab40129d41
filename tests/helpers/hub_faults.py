"""What can be wrong with the loopback hub's answers.

A fault meets the requests whose path, or whose file ("owner/name/file"), a glob fits. Kinds, and
the details that they take:

    status        an error: status, retry_after (s), code (X-Error-Code), message, headers
    captive       a page of a hotel's network, with status 200
    garbage       JSON that is none
    redirect_loop each answer leads to the next, for ever
    redirect      elsewhere: location
    endless_list  each page of a list is the same, and says that there is another; empty=True:
                  with nothing on it
    etag_change   another ETag of the same form: etag; with commit=True another commit as well
    hostile_etag  an ETag that is a path: etag; with commit=True the commit too
    hostile_name  names in lists that lead out of a folder, or that no disk takes: names
    wrong_sha     the right size, one bit wrong: at (byte; from the end when negative)
    wrong_size    lists and heads tell of `by` bytes more than there are
    no_ranges     whole files, and saying so
    ignore_range  whole files though a range was asked for
    wrong_range   another range than was asked for: shift (bytes)
    range_length  a range that says one length and has `by` bytes less
    gzip          a compressed body, whatever was accepted; bomb=True: of 2 GB of zeros
    chunked       no Content-Length
    endless       a body without an end
    huge_header   a header of `bytes` bytes
    truncate      the connection ends after `at` bytes of the body (default: half)
    reset         the same, with a reset
    hang          nothing is sent after `at` bytes of the body; None: not even a head
    drip          rate bytes a second, a few at a time

Every kind also takes `times` (how many requests it meets; None: all), `skip` (how many it lets
pass first) and `method` ("GET", "HEAD"; "" both).
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from tests.helpers.hub_files import Content, Flipped, Memory

HOSTILE_NAMES = (
    "../evil.safetensors",
    "../../../../tmp/inglenook-evil.json",
    "/tmp/inglenook-evil.json",
    "a/../../evil.json",
    "..\\evil.json",
    "C:\\evil.json",
    ".git/config.json",
    "evil\x00.json",
    "evil\n.json",
    "evil\x1b[2J.json",
    "a//evil.json",
    "./evil.json",
    "evil/",
    "e" * 300 + ".json",
    "/".join("e" * 200 for _ in range(30)) + ".json",
    "manifest.json/evil.json",
)
HOSTILE_ETAG = "../../../../inglenook-evil"


@dataclass(frozen=True)
class Request:
    """What a client asked.

    Attributes:
        host: "hub" or "cdn".
        path: of the URL, unquoted, without the query.
        file: "owner/name/file" where a file is asked for.
        span: the range asked for: first byte, and the byte after the last (None: the end).
    """

    host: str
    method: str
    target: str  # as it was sent
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]  # names in small letters
    file: str = ""
    span: tuple[int, int | None] | None = None


@dataclass(frozen=True)
class Answer:
    """What the hub answers.

    Attributes:
        begin, end: of the content, what the body is; `length`: what Content-Length says.
        at: after how many bytes of the body `ending` comes.
        ending: "" (the body is sent), "close", "reset" or "hang"; "silence": not even a head.
        rate: bytes a second; None: as fast as it goes.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    content: Content = field(default_factory=lambda: Memory(b""))
    begin: int = 0
    end: int = 0
    chunked: bool = False
    endless: bool = False
    at: int | None = None
    ending: str = ""
    rate: float | None = None

    def having(self, **headers: str | None) -> Answer:
        """The same with other headers; underscores are dashes, None takes one away."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        lower = {name.lower() for name in named}
        kept = tuple(item for item in self.headers if item[0].lower() not in lower)
        more = tuple((name, value) for name, value in named.items() if value is not None)
        return replace(self, headers=kept + more)

    def header(self, name: str) -> str:
        """A header's value; "" where there is none."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def holding(self, data: bytes) -> Answer:
        """The same with another body."""
        return replace(self, content=Memory(data), begin=0, end=len(data))


def json_answer(value: object, status: int = 200, **headers: str) -> Answer:
    """An answer of the API."""
    told = Answer(status, (("Content-Type", "application/json; charset=utf-8"),))
    return told.having(**headers).holding(json.dumps(value).encode())


def refusal(status: int, code: str, message: str, **headers: str) -> Answer:
    """An error, as the hub words it."""
    told = json_answer({"error": message}, status, **headers)
    return told.having(X_Error_Code=code or None, X_Error_Message=message)


@dataclass
class Fault:
    """One thing that is wrong. See the module's text."""

    number: int
    glob: str
    kind: str
    times: int | None = None
    skip: int = 0
    method: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    met: int = 0  # requests that it spoilt

    def meets(self, request: Request) -> bool:
        """Whether it spoils this request; counts it if so. The caller holds a lock."""
        if self.method not in {"", request.method}:
            return False
        names = (request.path, request.path.lstrip("/"), request.file)
        if not any(fnmatchcase(name, self.glob) for name in names if name):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None and self.met >= self.times:
            return False
        self.met += 1
        return True

    def before(self, request: Request) -> Request:
        """The request as the hub takes it."""
        if self.kind in {"no_ranges", "ignore_range"}:
            return replace(request, span=None)
        if self.kind == "wrong_range" and request.span is not None:
            begin, end = request.span
            shift = self.details.get("shift", -1 if begin else 1)
            return replace(request, span=(begin + shift, end if end is None else end + shift))
        return request

    def after(self, request: Request, answer: Answer) -> Answer:
        """The answer, spoilt."""
        change = _CHANGES.get(self.kind)
        return change(self.details, request, answer) if change else answer


class Faults:
    """All that is wrong now; may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []
        self._last = 0

    def add(self, glob: str, kind: str, **how: Any) -> int:
        """Begin one; returns its number.

        Raises:
            ValueError: there is no such kind.
        """
        if kind not in KINDS:
            raise ValueError(f"no fault is called {kind!r}")
        plain = {name: how.pop(name) for name in ("times", "skip", "method") if name in how}
        with self._lock:
            self._last += 1
            self._faults.append(Fault(self._last, glob, kind, details=how, **plain))
            return self._last

    def end(self, number: int | None = None) -> None:
        """End one, or all."""
        with self._lock:
            self._faults = [f for f in self._faults if number is not None and f.number != number]

    def met(self, number: int) -> int:
        """How many requests a fault has spoilt."""
        with self._lock:
            return sum(fault.met for fault in self._faults if fault.number == number)

    def of(self, request: Request) -> list[Fault]:
        """Those that spoil this request."""
        with self._lock:
            return [fault for fault in self._faults if fault.meets(request)]


Change = Callable[[dict[str, Any], Request, Answer], Answer]


def _status(details: dict[str, Any], _request: Request, _answer: Answer) -> Answer:
    status = int(details.get("status", 500))
    message = details.get("message", f"The loopback hub was told to answer {status}")
    told = refusal(status, details.get("code", ""), message)
    if "retry_after" in details:
        told = told.having(Retry_After=str(details["retry_after"]))
    return told.having(**details.get("headers", {}))


def _captive(_details: dict[str, Any], _request: Request, _answer: Answer) -> Answer:
    page = b"<!doctype html><title>Welcome</title><p>Accept the terms to use this network.</p>"
    return Answer(200, (("Content-Type", "text/html"),)).holding(page)


def _garbage(_details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return answer.holding(b'{"id": [\xff\xfe')


def _redirect_loop(_details: dict[str, Any], request: Request, _answer: Answer) -> Answer:
    turn = int(request.query.get("turn", ["0"])[0]) + 1
    return Answer(302).having(Location=f"{request.target.partition('?')[0]}?turn={turn}")


def _endless_list(details: dict[str, Any], request: Request, answer: Answer) -> Answer:
    turn = int(request.query.get("turn", ["0"])[0]) + 1
    address = f"http://{request.headers['host']}{request.path}?turn={turn}"
    told = answer.having(Link=f'<{address}>; rel="next"')
    return told.holding(b"[]") if details.get("empty") else told


def _redirect(details: dict[str, Any], _request: Request, _answer: Answer) -> Answer:
    return Answer(302).having(Location=details["location"])


def _etag(value: str, details: dict[str, Any], answer: Answer, commit: str) -> Answer:
    names = [name for name in ("ETag", "X-Linked-Etag") if answer.header(name)]
    told = answer.having(**dict.fromkeys(names, f'"{value}"'))
    if details.get("commit") and answer.header("X-Repo-Commit"):
        told = told.having(X_Repo_Commit=commit)
    if details.get("commit") and answer.header("Content-Type").startswith("application/json"):
        told = _edited(told, lambda found: found | {"sha": commit} if "sha" in found else found)
    return told


def _etag_change(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    told = answer.header("X-Linked-Etag") or answer.header("ETag")
    other = details.get("etag", "".join(f"{15 - int(c, 16):x}" for c in told.strip('"')))
    return _etag(other, details, answer, "c0ffee" + "0" * 34)


def _hostile_etag(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    value = details.get("etag", HOSTILE_ETAG)
    return _etag(value, details, answer, value)


def _edited(answer: Answer, edit: Callable[[Any], Any]) -> Answer:
    """The answer with another value in its JSON."""
    try:
        value = json.loads(answer.content.read(answer.begin, answer.end))
    except ValueError:
        return answer
    return answer.holding(json.dumps(edit(value)).encode())


def _hostile_name(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    names = details.get("names", HOSTILE_NAMES)
    sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    def edit(value: Any) -> Any:
        if isinstance(value, dict) and "siblings" in value:
            lfs = {"sha256": sha, "size": 4, "pointerSize": 100}
            more = [{"rfilename": n, "size": 4, "blobId": "0" * 40, "lfs": lfs} for n in names]
            return value | {"siblings": value["siblings"] + more}
        if isinstance(value, list) and value and "oid" in value[0]:
            return value + [{"type": "file", "path": n, "size": 4, "oid": "0" * 40} for n in names]
        return value

    if answer.header("Content-Type").startswith("application/json"):
        return _edited(answer, edit)
    return answer


def _wrong_sha(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    if answer.status not in {200, 206}:
        return answer
    return replace(answer, content=Flipped(answer.content, details.get("at", -1)))


def _wrong_size(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    more = details.get("by", 1)

    def edit(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: edit(v) if k != "size" or not isinstance(v, int) else v + more
                    for k, v in value.items()}  # fmt: skip
        return [edit(item) for item in value] if isinstance(value, list) else value

    if answer.header("Content-Type").startswith("application/json"):
        return _edited(answer, edit)
    linked = answer.header("X-Linked-Size")
    return answer.having(X_Linked_Size=str(int(linked) + more)) if linked else answer


def _no_ranges(_details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return answer.having(Accept_Ranges="none")


def _range_length(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    if answer.status != 206:
        return answer
    return replace(answer, end=max(answer.begin, answer.end - details.get("by", 1)))


def _gzip(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    if answer.status not in {200, 206}:
        return answer
    body = answer.content.read(answer.begin, answer.end)
    data = _bomb() if details.get("bomb") else gzip.compress(body, 1)
    return replace(answer.having(Content_Encoding="gzip").holding(data), chunked=True)


@cache
def _bomb() -> bytes:
    return gzip.compress(bytes(16 << 20)) * 128  # members of a stream may follow each other


def _chunked(_details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return replace(answer, chunked=True)


def _endless(_details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return replace(answer, chunked=True, endless=True)


def _huge_header(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return answer.having(X_Huge="x" * details.get("bytes", 1 << 20))


def _ending(ending: str) -> Change:
    def change(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
        at = details.get("at", None if ending == "hang" else (answer.end - answer.begin) // 2)
        return replace(answer, at=at, ending="silence" if at is None else ending)

    return change


def _drip(details: dict[str, Any], _request: Request, answer: Answer) -> Answer:
    return replace(answer, rate=float(details.get("rate", 1024)))


_CHANGES: dict[str, Change] = {
    "status": _status,
    "captive": _captive,
    "garbage": _garbage,
    "redirect_loop": _redirect_loop,
    "redirect": _redirect,
    "endless_list": _endless_list,
    "etag_change": _etag_change,
    "hostile_etag": _hostile_etag,
    "hostile_name": _hostile_name,
    "wrong_sha": _wrong_sha,
    "wrong_size": _wrong_size,
    "no_ranges": _no_ranges,
    "range_length": _range_length,
    "gzip": _gzip,
    "chunked": _chunked,
    "endless": _endless,
    "huge_header": _huge_header,
    "truncate": _ending("close"),
    "reset": _ending("reset"),
    "hang": _ending("hang"),
    "drip": _drip,
}
KINDS = frozenset(_CHANGES) | {"ignore_range", "wrong_range"}
