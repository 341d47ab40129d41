"""Whether an answer is what was asked for: the right file, the right bytes of it, unpacked."""

from __future__ import annotations

import re
from typing import Final

from engine.store.download import texts
from engine.store.download.task import FileTask, Span
from engine.store.download.ways import origin_of
from engine.store.download.web import Answer, Web
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line
from engine.store.hub.refusals import refusal
from engine.store.hub_names import COMMIT

_ETAG: Final = re.compile(r'(?:W/)?"?([0-9A-Za-z_+=:.-]{1,120})"?', re.ASCII)


class ChangedError(HubError):
    """A file is not what it was; `task` is the one."""

    def __init__(self, task: FileTask) -> None:
        super().__init__("changed", texts.CHANGED.format(name=task.part.name))
        self.task = task


class WrongRangeError(HubError):
    """The server knows ranges, but gets them wrong."""

    def __init__(self, name: str) -> None:
        super().__init__("bad_answer", texts.WRONG_RANGE.format(name=name))


class WholeFileError(Exception):
    """All of the file comes although a part was asked for; the server knows no ranges."""


def check(web: Web, task: FileTask, span: Span, commit: str, url: str, answer: Answer) -> int:
    """Where the bytes of the answer's body end that may be taken; they begin at `span.begin`.

    Args:
        url: that was asked for, before redirects.

    Raises:
        HubError: it is another answer than was asked for.
        WholeFileError: see there.
    """
    name = task.part.name
    asked_hub = origin_of(url) == web.home
    if answer.status not in {200, 206}:
        raise _refused(web, task, answer, asked_hub=asked_hub)
    if asked_hub:
        _check_file(task, commit, answer)
    packed = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if packed not in {"", "identity"}:
        raise HubError("bad_answer", texts.PACKED.format(name=name, text=one_line(packed, 40)))
    if answer.status == 206:
        return _check_range(task, span, answer)
    if not is_whole(span):
        raise WholeFileError
    if answer.length not in {None, task.part.size}:
        if "x-repo-commit" in answer.told:
            raise ChangedError(task)
        raise HubError("bad_answer", texts.WRONG_LENGTH.format(name=name))
    return span.end


def is_whole(span: Span) -> bool:
    """Whether it is all of a file, so that no range need be asked for."""
    return (span.begin, span.end) == (0, span.task.part.size)


def _check_range(task: FileTask, span: Span, answer: Answer) -> int:
    told = answer.span
    if told is None or is_whole(span):
        raise WrongRangeError(task.part.name)
    begin, end, size = told
    if size not in {None, task.part.size}:
        raise ChangedError(task)
    if begin != span.begin or not begin < end <= span.end:
        raise WrongRangeError(task.part.name)
    return end


def _check_file(task: FileTask, commit: str, answer: Answer) -> None:
    """By what the hub says of the file itself."""
    name = task.part.name
    told = answer.told.get("x-repo-commit", commit).strip()
    if not COMMIT.fullmatch(told):
        raise HubError("bad_answer", texts.HOSTILE.format(name=name, text=one_line(told, 40)))
    size = answer.told.get("x-linked-size", "").strip()
    if told != commit or (size and size != str(task.part.size)):
        raise ChangedError(task)
    text = (answer.told.get("x-linked-etag") or answer.told.get("etag", "")).strip()
    if not text:
        return
    found = _ETAG.fullmatch(text)
    if found is None or ".." in text:
        raise HubError("bad_answer", texts.HOSTILE.format(name=name, text=one_line(text, 40)))
    etag, identity = found[1], task.part.identity
    known = task.map.etag
    if not known and len(etag) == len(identity):
        known = identity  # the hub calls files by their hashes; another server may not
    if known and known != etag and task.minds_etag:
        raise ChangedError(task)
    if etag != task.map.etag:
        task.map.etag = etag
        task.map.note()


def _refused(web: Web, task: FileTask, answer: Answer, *, asked_hub: bool) -> HubError:
    status = answer.status
    if status == 416:
        return ChangedError(task)
    hub_says = answer.is_hub and asked_hub
    if hub_says or status == 429 or status >= 500:
        return refusal(
            status,
            dict(answer.headers.items()),
            answer.url,
            endpoint=web.endpoint,
            signed_in=hub_says and web.is_signed_in,
        )
    host = origin_of(answer.url).host
    return HubError(
        "hub_broken",
        texts.PLACE.format(name=task.part.name, host=host, status=status),
    )
