"""What the hub's refusals mean: from a status and its headers to an error in plain words."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from engine.failure_words import words
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line

LONGEST_WAIT: Final = 100 * 24 * 3600.0  # s; a longer Retry-After is nonsense

_PENDING = words(
    "You have asked for access to {repo}; its authors have not answered yet. They see to it on "
    "their own time; try again later."
)
_GATED = words(
    "{repo} is gated: accept its licence on its page on the hub, with the account that you are "
    "signed in with here, and then try again."
)
_GATED_SIGN_IN = words(
    "{repo} is gated: accept its licence on its page on the hub, then sign in here with a token "
    "of that account."
)
_FORBIDDEN = words(
    "Your token does not permit this ({path}). Make one that may read all the repositories that "
    "your account can read."
)
_TOKEN_REFUSED = words(
    "The hub does not know your token: it is mistyped, has run out or was withdrawn. Sign in again."
)
_SIGN_IN = words(
    "The hub shows no {repo} to everybody: the name is mistyped, or the model is private and you "
    "must sign in."
)
_SIGN_IN_FIRST = words("The hub wants you to sign in for this.")
_NO_REVISION = words("{repo} has no such branch, tag or commit.")
_NO_FILE = words("{repo} has no such file.")
_SHORT = words("{file} of {repo} is empty, or shorter than it must be.")
_NO_REPO = words("There is no model {repo} on the hub.")
_NOTHING_THERE = words("The hub ({host}) has nothing at {path}. Is it the address of a hub?")
_DISABLED = words("{repo} has been closed by the hub; nobody gets its files.")
_MANY_SECONDS = words("The hub wants fewer requests. Try again in {count} seconds.")
_MANY_MINUTES = words("The hub wants fewer requests. Try again in {count} minutes.")
_MANY_HOURS = words("The hub wants fewer requests. Try again in {count} hours.")
_MANY = words("The hub wants fewer requests. Try again later.")
_PROXY = words("The proxy wants a user’s name and password, or has other ones (407).")
_BROKEN = words("The hub ({host}) answers with an error ({status}). Try again later.")

_REPO = re.compile(r"^/(?:api/models/)?(?P<repo>[^/]+/[^/]+)(?:/(?P<rest>.*))?$")


class NoSuchFileError(HubError):
    """The repository is there, the file is not."""


def refusal(
    status: int,
    headers: Mapping[str, str],
    url: str,
    *,
    endpoint: str,
    signed_in: bool,
) -> HubError:
    """The error for an answer of `status` (400 and above).

    Args:
        headers: of the answer; looked up without regard to case.
        url: that was asked for. endpoint: of the hub.
        signed_in: whether a token went along.
    """
    told = {name.lower(): value for name, value in headers.items()}
    code, message = told.get("x-error-code", ""), told.get("x-error-message", "")
    parts = urlsplit(url)
    path = parts.path.removeprefix(urlsplit(endpoint).path.rstrip("/"))
    repo = _repo_of(path)
    page = f"{endpoint}/{repo}" if repo else ""
    if status == 407:
        return HubError("proxy", _PROXY)
    if status == 429:
        return _too_many(told)
    if status in {401, 403}:
        return _not_for_you(status, code, message, repo, page, path, signed_in=signed_in)
    if "is disabled" in message and repo:
        return HubError("not_found", _DISABLED.format(repo=repo), url=page)
    if status in {404, 410}:
        return _not_there(code, repo, path, parts.netloc)
    if status == 416:
        name = one_line(parts.path.rpartition("/")[2], 100)
        return HubError("not_a_model", _SHORT.format(file=name, repo=repo))
    return HubError("hub_broken", _BROKEN.format(host=parts.netloc, status=status))


def _not_for_you(
    status: int, code: str, message: str, repo: str, page: str, path: str, *, signed_in: bool
) -> HubError:
    gated = code == "GatedRepo" or "gated" in message.lower()
    if status == 401:
        if gated and repo and not signed_in:
            return HubError("sign_in", _GATED_SIGN_IN.format(repo=repo), url=page)
        if signed_in and (not repo or "credentials" in message.lower()):
            return HubError("sign_in", _TOKEN_REFUSED)
        return HubError("sign_in", _SIGN_IN.format(repo=repo) if repo else _SIGN_IN_FIRST)
    if "awaiting" in message.lower() and repo:
        return HubError("gated_pending", _PENDING.format(repo=repo), url=page)
    if repo and (gated or not signed_in or "authorized list" in message.lower()):
        return HubError("gated", _GATED.format(repo=repo), url=page)
    return HubError("gated", _FORBIDDEN.format(path=one_line(path, 100)), url=page)


def _not_there(code: str, repo: str, path: str, host: str) -> HubError:
    if code == "RevisionNotFound":
        return HubError("not_found", _NO_REVISION.format(repo=repo))
    # Of mirrors that tell no code: each model has a config.json, all other files are not sure.
    file = path.partition("/resolve/")[2]
    if code == "EntryNotFound" or (not code and file and not file.endswith("/config.json")):
        return NoSuchFileError("not_found", _NO_FILE.format(repo=repo))
    if code == "RepoNotFound" or repo:
        return HubError("not_found", _NO_REPO.format(repo=repo))
    return HubError("not_found", _NOTHING_THERE.format(host=host, path=one_line(path, 100)))


def _too_many(told: Mapping[str, str]) -> HubError:
    wait = retry_after(told)
    if wait is None:
        return HubError("too_many_requests", _MANY)
    return HubError("too_many_requests", _wait_text(wait), retry_after=wait)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """When the hub wants to be asked again, in seconds from now; None: it does not say.

    By Retry-After (seconds or a date), or the hub's own RateLimit header.
    """
    told = {name.lower(): value for name, value in headers.items()}
    said = told.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,12}", said, re.ASCII):
        return min(float(said), LONGEST_WAIT)
    if said:
        try:
            when = email.utils.parsedate_to_datetime(said).timestamp()
        except (ValueError, TypeError, OverflowError):
            return None
        return min(max(0.0, when - time.time()), LONGEST_WAIT)
    limit = re.search(r";\s*r=0\s*;\s*t=(\d{1,9})", told.get("ratelimit", ""), re.ASCII)
    return min(float(limit[1]), LONGEST_WAIT) if limit else None


def _wait_text(seconds: float) -> str:
    if seconds < 90:
        return _MANY_SECONDS.format(count=max(1, round(seconds)))
    if seconds < 90 * 60:
        return _MANY_MINUTES.format(count=round(seconds / 60))
    return _MANY_HOURS.format(count=round(seconds / 3600))


def _repo_of(path: str) -> str:
    """The repository that a path of the hub's is about; "" for none."""
    found = _REPO.match(path)
    repo = found["repo"] if found else ""
    return "" if repo.startswith("api/") else one_line(repo, 200)
