"""Reads small files of a repository, and the heads of large ones by ranges. Nothing is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote

from engine.failure_words import words
from engine.planner.model_shape import TensorInfo
from engine.store.hub.asking import known_headers, nonsense
from engine.store.hub.call import current_call
from engine.store.hub.errors import HubError
from engine.store.hub.refusals import NoSuchFileError
from engine.store.hub_names import COMMIT
from engine.weight_file import LENGTH_BYTES, header_length, parse_header

FIRST_BYTES: Final = 128 * 1024  # most headers are smaller
MOST_HEADER_BYTES: Final = 32 * 1024 * 1024  # of one file
_SPAN: Final = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15}|\*)", re.ASCII)

_TOO_LARGE = words("{file} of {name} is too large.")
_HEAD_TOO_LARGE = words("The head of {file} is too large to be read.")
_NOT_WHAT = words("{file} of {name} is not what its name says, or damaged.")
_OTHER_RANGE = words("it sends another part of {file} than was asked for")


class RepoFiles:
    """The files of one repository at one revision; within a question (`asking`).

    Attributes:
        commit: that the answers so far were of; "" where none has told. Once it is known, all
            that follows is of it.
    """

    def __init__(self, repo: str, revision: str) -> None:
        from huggingface_hub import get_session

        self.repo = repo
        self.commit = ""
        self._base = f"{current_call().endpoint}/{repo}/resolve"
        self._revision = revision
        # A packed body would be counted after it is unpacked, and ranges would not fit.
        self._headers = {**known_headers(), "Accept-Encoding": "identity"}
        self._session = get_session()

    def json_file(self, name: str, limit: int) -> Mapping[str, Any] | None:
        """An object from a JSON file of at most `limit` bytes; None where there is no file."""
        with self._get(name) as answer:
            if answer is None:
                return None
            body = self._body(answer, limit, name)
        try:
            value = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise self._nonsense(name) from error
        if not isinstance(value, dict):
            raise self._nonsense(name)
        return value

    def start(self, name: str, length: int) -> bytes | None:
        """The first `length` bytes of a file, or all of it; None where there is no file."""
        return self._range(name, 0, length)

    def header(self, name: str) -> dict[str, TensorInfo] | None:
        """The tensors of a weight file; None where there is no file."""
        start = self._range(name, 0, FIRST_BYTES)
        if start is None:
            return None
        try:
            length = header_length(start[:LENGTH_BYTES])
            if length > MOST_HEADER_BYTES:
                raise HubError("too_large", _HEAD_TOO_LARGE.format(file=name))
            end = LENGTH_BYTES + length
            if len(start) < end:
                start += self._range(name, len(start), end) or b""
            if len(start) < end:
                raise ValueError("it is cut off")
            return parse_header(start[LENGTH_BYTES:end])[0]
        except ValueError as error:
            raise self._nonsense(name) from error

    def size(self, name: str) -> int | None:
        """The size of a file; None where there is none."""
        with self._get(name, {"Range": "bytes=0-0"}) as answer:
            if answer is None:
                return None
            told = answer.headers.get("Content-Range", "").rpartition("/")[2]
            told = told or answer.headers.get("Content-Length", "")
            if not told.isdecimal() or len(told) > 15:
                raise self._nonsense(name)
            return int(told)

    def _range(self, name: str, begin: int, end: int) -> bytes | None:
        """Bytes from `begin` up to `end` or the file's end; a hub may send more than was asked."""
        with self._get(name, {"Range": f"bytes={begin}-{end - 1}"}) as answer:
            if answer is None:
                return None
            skip = begin
            if answer.status_code == 206:
                span = _SPAN.fullmatch(answer.headers.get("Content-Range", "").strip())
                if span is not None and int(span[1]) != begin:
                    raise nonsense(_OTHER_RANGE.format(file=name))
                skip = 0
            return self._body(answer, skip + end - begin, name, cut=True)[skip:]

    def _body(self, answer: Any, limit: int, name: str, *, cut: bool = False) -> bytes:
        body = bytearray()
        for part in answer.iter_bytes():
            body += part
            if len(body) >= limit and cut:
                break
            if len(body) > limit:
                raise HubError("too_large", _TOO_LARGE.format(file=name, name=self.repo))
        del body[limit:]
        return bytes(body)

    @contextmanager
    def _get(self, name: str, more: Mapping[str, str] | None = None) -> Iterator[Any]:
        """The hub's answer for a file, its body unread; None where there is no such file."""
        revision = quote(self.commit or self._revision, safe="")
        url = f"{self._base}/{revision}/{quote(name)}"
        headers = {**self._headers, **(more or {})}
        try:
            stream = self._session.stream("GET", url, headers=headers)
            answer = stream.__enter__()
        except NoSuchFileError:
            yield None
            return
        try:
            # A file may be had from elsewhere; the hub tells its commit where it sends us there.
            for each in (answer, *answer.history):
                told = each.headers.get("X-Repo-Commit", "")
                if not self.commit and COMMIT.fullmatch(told):
                    self.commit = told
            yield answer
        finally:
            stream.__exit__(None, None, None)

    def _nonsense(self, name: str) -> HubError:
        return HubError("not_a_model", _NOT_WHAT.format(file=name, name=self.repo))
