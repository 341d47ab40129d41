"""What the loopback hub answers to each request, as huggingface_hub expects it of the real one."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from tests.helpers.hub_faults import Answer, Request, json_answer, refusal
from tests.helpers.hub_files import HubFile
from tests.helpers.hub_repositories import OF_MANY, OF_ONE, Commit, Repository

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_SUFFIXES = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_ID = r"(?P<repo>[^/]+/[^/]+)"
_SORTS = {
    "downloads": "downloads",
    "likes": "likes",
    "lastModified": "updated",
    "createdAt": "created",
    "trendingScore": "trending",
}


@dataclass
class Account:
    """A user, known by a token.

    Attributes:
        access: repositories that are open to the user though gated or private.
        pending: gated ones for which the user has asked.
    """

    name: str
    access: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()


@dataclass
class Shelf:
    """All that a hub has, and how it is set.

    Attributes:
        renamed: old name -> new name of a repository.
        cdn: whether large files are had from another host.
        resolve_cache: whether small files are had by way of a redirect, as on the real hub.
        page_size: the most entries in one page of a list.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    cdn: bool = False
    resolve_cache: bool = False
    page_size: int = 1000
    url: str = ""
    cdn_url: str = ""
    lock: threading.RLock = field(default_factory=threading.RLock)


def parse(host: str, method: str, target: str, headers: Mapping[str, str]) -> Request:
    """A request as it came."""
    parts = urlsplit(target)
    path = unquote(parts.path)
    span = None
    found = _RANGE.fullmatch(headers.get("range", "").strip())
    if found and found.group(1):
        span = (int(found.group(1)), int(found.group(2)) + 1 if found.group(2) else None)
    elif found and found.group(2):
        span = (-int(found.group(2)), None)
    query = parse_qs(parts.query, keep_blank_values=True)
    return Request(host, method, target, path, query, dict(headers), _file_of(path), span)


def _file_of(path: str) -> str:
    for pattern in (_RESOLVE, _CACHED, _CDN):
        found = pattern.fullmatch(path)
        if found:
            return f"{found['repo']}/{found['file']}"
    return ""


def answer(shelf: Shelf, request: Request) -> Answer:
    """The answer of a hub on which nothing is wrong."""
    with shelf.lock:
        if request.host == "cdn":
            return _from_cdn(shelf, request)
        if request.method not in {"GET", "HEAD"}:
            return refusal(405, "", "This hub is only read")
        for pattern, view in _ROUTES:
            found = pattern.fullmatch(request.path)
            if found:
                return _allowed(shelf, request, found, view)
        return refusal(404, "", "Sorry, we can't find the page you are looking for.")


View = Callable[[Shelf, Request, Mapping[str, str]], Answer]


def _allowed(shelf: Shelf, request: Request, found: re.Match[str], view: View) -> Answer:
    """The view's answer, once the client may have it."""
    token = _token(request)
    if token and token not in shelf.accounts:
        return refusal(401, "", "Invalid credentials in Authorization header")
    parts = found.groupdict()
    name = parts.get("repo")
    if name is None:
        return view(shelf, request, parts)
    if name in shelf.renamed:
        new = request.target.replace(quote(name), quote(shelf.renamed[name]), 1)
        return json_answer({"error": "The repository was renamed", "url": new}, 307, Location=new)
    repository = shelf.repositories.get(name)
    account = shelf.accounts.get(token)
    if repository is None or (repository.private and not _may(account, repository)):
        if account is None:
            return refusal(401, "RepoNotFound", "Invalid username or password.")
        return refusal(404, "RepoNotFound", "Repository not found")
    if repository.gated and "file" in parts and not _may(account, repository):
        return _gated(repository, account)
    return view(shelf, request, parts)


def _token(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ").strip()


def _may(account: Account | None, repository: Repository) -> bool:
    return account is not None and (
        repository.name in account.access or account.name == repository.author
    )


def _gated(repository: Repository, account: Account | None) -> Answer:
    name = repository.name
    if account is None:
        text = f"Access to model {name} is restricted. You must have access to it and be "
        return refusal(401, "GatedRepo", text + "authenticated to access it. Please log in.")
    if name in account.pending:
        text = f"Your request to access model {name} is awaiting a review from the repo authors."
        return refusal(403, "GatedRepo", text)
    text = f"Access to model {name} is restricted and you are not in the authorized list. Visit "
    return refusal(403, "GatedRepo", text + f"the page of {name} to ask for access.")


def _commit(
    shelf: Shelf, parts: Mapping[str, str], revision: str | None
) -> tuple[Repository, Commit] | Answer:
    repository = shelf.repositories[parts["repo"]]
    commit = repository.at(revision or "main")
    if commit is None:
        return refusal(404, "RevisionNotFound", f"Invalid rev id: {revision}")
    return repository, commit


def _list(shelf: Shelf, request: Request, _parts: Mapping[str, str]) -> Answer:
    query = request.query
    expand = _expanded(query)
    if not OF_MANY.issuperset(expand):
        return _no_such_key(expand, OF_MANY)
    account = shelf.accounts.get(_token(request))
    found = [r for r in shelf.repositories.values() if _wanted(r, query, account)]
    key = _SORTS.get(_first(query, "sort"), "trending")
    found.sort(key=lambda r: (getattr(r, key), r.name), reverse=_first(query, "direction") != "1")
    begin = int(_first(query, "cursor") or 0)
    count = min(int(_first(query, "limit") or shelf.page_size), shelf.page_size)
    entries = [
        repository.listed(
            full=_flag(query, "full"),
            config=_flag(query, "config"),
            card=_flag(query, "cardData"),
            expand=expand,
        )
        for repository in found[begin : begin + count]
    ]
    return _page(shelf, request, entries, begin + count, len(found))


def _page(shelf: Shelf, request: Request, entries: list[Any], end: int, total: int) -> Answer:
    told = json_answer(entries)
    if end >= total:
        return told
    query = urlencode(request.query | {"cursor": [str(end)]}, doseq=True)
    return told.having(Link=f'<{shelf.url}{quote(request.path)}?{query}>; rel="next"')


def _wanted(r: Repository, query: Mapping[str, list[str]], account: Account | None) -> bool:
    if r.private and not _may(account, r):
        return False
    if any(word not in r.name.lower() for word in _first(query, "search").lower().split()):
        return False
    if _first(query, "author") not in {"", r.author}:
        return False
    if _first(query, "pipeline_tag") not in {"", r.pipeline}:
        return False
    gated = _first(query, "gated").lower()
    if gated and (gated == "true") != bool(r.gated):
        return False
    asked = [tag for item in query.get("filter", []) for tag in item.split(",")]
    if asked and not set(asked) <= set(r.all_tags(r.head)):
        return False
    limits = _first(query, "num_parameters")
    return not limits or _within(r, limits)


def _within(repository: Repository, limits: str) -> bool:
    counted = repository.head.safetensors or repository.head.gguf
    if not counted or "total" not in counted:
        return False
    for part in limits.split(","):
        side, _, text = part.partition(":")
        limit = float(text.rstrip("KMBT")) * _SUFFIXES[text[-1:] if text[-1:].isalpha() else ""]
        if (counted["total"] < limit) if side == "min" else (counted["total"] > limit):
            return False
    return True


def _first(query: Mapping[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0]


def _flag(query: Mapping[str, list[str]], name: str) -> bool:
    return _first(query, name).lower() in {"true", "1"}


def _info(shelf: Shelf, request: Request, parts: Mapping[str, str]) -> Answer:
    found = _commit(shelf, parts, parts.get("revision"))
    if isinstance(found, Answer):
        return found
    repository, commit = found
    expand = _expanded(request.query)
    if not OF_ONE.issuperset(expand):
        return _no_such_key(expand, OF_ONE)
    blobs = _flag(request.query, "blobs")
    return json_answer(repository.info(commit, blobs=blobs, expand=expand))


def _expanded(query: Mapping[str, list[str]]) -> list[str]:
    return query.get("expand", []) + query.get("expand[]", [])


def _no_such_key(asked: list[str], known: frozenset[str]) -> Answer:
    odd = ", ".join(sorted(set(asked) - known))
    return refusal(400, "", f"Invalid option for expand: {odd}")


def _tree(shelf: Shelf, request: Request, parts: Mapping[str, str]) -> Answer:
    found = _commit(shelf, parts, parts["revision"])
    if isinstance(found, Answer):
        return found
    repository, commit = found
    folder = (parts.get("folder") or "").strip("/")
    entries = repository.tree(commit, folder, recursive=_flag(request.query, "recursive"))
    if folder and not entries:
        return refusal(404, "EntryNotFound", f"{folder} does not exist on {parts['revision']}")
    begin = int(_first(request.query, "cursor") or 0)
    end = begin + shelf.page_size
    return _page(shelf, request, entries[begin:end], end, len(entries))


def _refs(shelf: Shelf, _request: Request, parts: Mapping[str, str]) -> Answer:
    branches = shelf.repositories[parts["repo"]].branches
    told = [
        {"name": name, "ref": f"refs/heads/{name}", "targetCommit": sha}
        for name, sha in branches.items()
    ]
    return json_answer({"branches": told, "converts": [], "tags": []})


def _whoami(shelf: Shelf, request: Request, _parts: Mapping[str, str]) -> Answer:
    account = shelf.accounts.get(_token(request))
    if account is None:
        return refusal(401, "", "Invalid username or password.")
    told = {"type": "user", "id": "0" * 24, "name": account.name, "fullname": account.name}
    token = {"displayName": "tests", "role": "read"}
    return json_answer(told | {"orgs": [], "auth": {"type": "access_token", "accessToken": token}})


def _page_of(shelf: Shelf, _request: Request, parts: Mapping[str, str]) -> Answer:
    text = f"<!doctype html><title>{parts['repo']}</title><p>The page of a model."
    return Answer(200, (("Content-Type", "text/html"),)).holding(text.encode())


def _resolve(shelf: Shelf, request: Request, parts: Mapping[str, str]) -> Answer:
    found = _commit(shelf, parts, parts["revision"])
    if isinstance(found, Answer):
        return found
    _, commit = found
    file = commit.files.get(parts["file"])
    if file is None:
        told = refusal(404, "EntryNotFound", "Entry not found")
        return told.having(X_Repo_Commit=commit.sha)
    told = Answer(200).having(X_Repo_Commit=commit.sha)
    if file.large:
        told = told.having(X_Linked_Etag=f'"{file.etag}"', X_Linked_Size=str(file.size))
        if shelf.cdn:
            path = f"/cdn/{parts['repo']}/{file.sha256}/{file.path}"
            where = f"{shelf.cdn_url}{quote(path)}?signature={commit.sha[:12]}"
            # The length of a redirect's own body is no length of the file.
            return Answer(302, told.headers).having(Location=where)
    elif shelf.resolve_cache and not request.path.startswith("/api/resolve-cache/"):
        path = f"/api/resolve-cache/models/{parts['repo']}/{commit.sha}/{file.path}"
        told = told.having(ETag=f'"{file.etag}"', Location=quote(path))
        return Answer(307, told.headers)
    return served(file, request, told)


def _from_cdn(shelf: Shelf, request: Request) -> Answer:
    if "authorization" in request.headers:
        return Answer(400).holding(b"Only one auth mechanism allowed")
    found = _CDN.fullmatch(request.path)
    if not found or "signature" not in request.query:
        return Answer(403).holding(b"Missing Key-Pair-Id query parameter or cookie value")
    repository = shelf.repositories.get(found["repo"])
    for commit in repository.commits.values() if repository else ():
        file = commit.files.get(found["file"])
        if file and file.sha256 == found["sha"]:
            return served(file, request, Answer(200))
    return Answer(404)


def served(file: HubFile, request: Request, told: Answer) -> Answer:
    """A file, or the range of it that is asked for."""
    told = told.having(ETag=f'"{file.etag}"', Accept_Ranges="bytes")
    told = told.having(Content_Type="application/octet-stream")
    begin, end = 0, file.size
    if request.span is not None and _same(request, file):
        begin, stop = request.span
        begin = max(file.size + begin, 0) if begin < 0 else begin
        end = file.size if stop is None else min(stop, file.size)
        if begin >= end:
            return Answer(416, told.headers).having(Content_Range=f"bytes */{file.size}")
        span = f"bytes {begin}-{end - 1}/{file.size}"
        told = Answer(206, told.having(Content_Range=span).headers)
    return Answer(told.status, told.headers, file.content, begin, end)


def _same(request: Request, file: HubFile) -> bool:
    """Whether a range is wanted of this state of the file."""
    wanted = request.headers.get("if-range", "")
    return not wanted or wanted == f'"{file.etag}"'


_RESOLVE = re.compile(rf"/{_ID}/resolve/(?P<revision>refs/[^/]+/[^/]+|[^/]+)/(?P<file>.+)", re.S)
_CACHED = re.compile(
    rf"/api/resolve-cache/models/{_ID}/(?P<revision>[0-9a-f]{{40}})/(?P<file>.+)", re.S
)
_CDN = re.compile(rf"/cdn/{_ID}/(?P<sha>[0-9a-f]{{64}})/(?P<file>.+)", re.S)
_ROUTES: tuple[tuple[re.Pattern[str], View], ...] = (
    (re.compile(r"/api/models"), _list),
    (re.compile(r"/api/whoami-v2"), _whoami),
    (_CACHED, _resolve),
    (re.compile(rf"/api/models/{_ID}"), _info),
    (re.compile(rf"/api/models/{_ID}/revision/(?P<revision>.+)"), _info),
    (re.compile(rf"/api/models/{_ID}/refs"), _refs),
    (
        re.compile(rf"/api/models/{_ID}/tree/(?P<revision>[^/]+)(?P<folder>/.*)?", re.S),
        _tree,
    ),
    (_RESOLVE, _resolve),
    (re.compile(rf"/{_ID}"), _page_of),
)
