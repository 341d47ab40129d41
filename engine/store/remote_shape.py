"""The shape of a model on a hub, without its weights: its config.json and the heads of its files.

Only the user's own asking leads here. Of each weight file two ranges are read at most: the
length of its header, and the header. Nothing is kept. Proxies, a mirror (HF_ENDPOINT), a
signed-in user's token and offline mode are as huggingface_hub has them.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from engine.planner.folder_reader import (
    CONFIG_BYTES,
    INDEX_BYTES,
    as_gguf,
    check_shape,
    named_by_index,
)
from engine.planner.model_shape import ModelShape, ShapeError, TensorInfo
from engine.planner.shape import read_shape
from engine.weight_file import LENGTH_BYTES, header_length, parse_header

INDEX: Final = "model.safetensors.index.json"
SINGLE: Final = "model.safetensors"
FIRST_BYTES: Final = 128 * 1024  # most headers are smaller
MOST_HEADER_BYTES: Final = 32 * 1024 * 1024  # of one file
MOST_BYTES: Final = 256 * 1024 * 1024  # of all of them
TIMEOUT: Final = 15.0  # s without an answer
DEADLINE: Final = 120.0  # s for one request, however it drips
WORKERS: Final = 6
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][\w./-]{0,199}", re.ASCII)
Report = Callable[[int, int], None]


class RemoteError(Exception):
    """The hub does not tell; the text says why and what to do.

    Attributes:
        code: "offline", "sign_in", "gated", "not_found", "no_config", "no_weights",
            "too_many_requests", "hub_broken", "not_a_model", "too_large", "bad_id".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def is_model_id(text: str) -> bool:
    """Whether `text` can name a model on a hub: "owner/name", or a bare "name"."""
    return bool(_ID.fullmatch(text)) and ".." not in text and "--" not in text


def fetch_shape(
    model_id: str,
    *,
    revision: str = "main",
    endpoint: str | None = None,
    report: Report | None = None,
) -> ModelShape:
    """Ask the hub for the shape of `model_id`.

    Args:
        revision: a branch, a tag or a commit.
        endpoint: of the hub; by default HF_ENDPOINT's, or the public one.
        report: is told how many weight files' heads are read, of how many.

    Raises:
        RemoteError: it could not be had.
    """
    if not is_model_id(model_id):
        raise RemoteError(
            "bad_id", f"“{model_id[:80]}” is no model's name; they read “owner/name”."
        )
    if not _REVISION.fullmatch(revision) or ".." in revision:
        raise RemoteError("bad_id", f"“{revision[:80]}” is no branch, tag or commit.")
    hub = _Hub(model_id, revision, endpoint)
    config = hub.json_file("config.json", CONFIG_BYTES)
    if config is None:
        raise RemoteError(
            "no_config",
            f"{model_id} has no config.json, so it is no model that can be planned for. It may "
            "hold GGUF files only, or an adapter.",
        )
    headers = _headers(hub, report or (lambda _done, _all: None))
    shape = replace(read_shape(config, headers), name=model_id)
    try:
        return check_shape(shape)
    except ShapeError as error:
        raise RemoteError("not_a_model", str(error)) from error


def fetch_gguf_shape(
    model_id: str, file: str, *, revision: str = "main", endpoint: str | None = None
) -> ModelShape:
    """The shape of a GGUF file on the hub: by the repository's config.json and the file's size.

    Raises:
        RemoteError: it could not be had.
    """
    shape = fetch_shape(model_id, revision=revision, endpoint=endpoint)
    size = _Hub(model_id, revision, endpoint).size(file)
    if size is None:
        raise RemoteError("not_found", f"There is no {file} in {model_id}.")
    return as_gguf(shape, size)


def _headers(hub: _Hub, report: Report) -> dict[str, TensorInfo] | None:
    index = hub.json_file(INDEX, INDEX_BYTES)
    if index is None:
        found = hub.header(SINGLE)
        return found or None
    try:
        names = named_by_index(index)
    except ValueError as error:
        raise RemoteError(
            "not_a_model", f"The list of {hub.model_id}'s weight files makes no sense."
        ) from error
    tensors: dict[str, TensorInfo] = {}
    report(0, len(names))
    with ThreadPoolExecutor(WORKERS) as pool:
        try:
            for done, found in enumerate(pool.map(hub.header, names), 1):
                if found is None:
                    raise RemoteError(
                        "no_weights", f"{hub.model_id} is incomplete: weight files are missing."
                    )
                tensors.update(found)
                report(done, len(names))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return tensors


def _is_of_the_network(error: Exception) -> bool:
    library = type(error).__module__.partition(".")[0]
    return (
        isinstance(error, OSError)
        or library in {"httpx", "httpx2", "httpcore", "httpcore2"}
        or type(error).__name__ == "OfflineModeIsEnabled"
    )


class _Hub:
    """One model on one hub."""

    def __init__(self, model_id: str, revision: str, endpoint: str | None) -> None:
        from huggingface_hub import constants
        from huggingface_hub.utils import (  # type: ignore[attr-defined]
            build_hf_headers,
            get_session,
        )

        if constants.HF_HUB_OFFLINE:
            raise RemoteError(
                "offline",
                "Offline mode is on (HF_HUB_OFFLINE), so the hub is not asked. Unset it, or name "
                "a folder.",
            )
        base = endpoint or os.environ.get("HF_ENDPOINT") or constants.ENDPOINT
        self.model_id = model_id
        self._base = f"{base.rstrip('/')}/{model_id}/resolve/{quote(revision, safe='')}"
        # A compressed body would be counted after it is unpacked, and ranges would not fit.
        self._headers = {**build_hf_headers(), "Accept-Encoding": "identity"}
        self._session = get_session()
        self._read = 0

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

    def header(self, name: str) -> dict[str, TensorInfo] | None:
        """The tensors of a weight file; None where there is no file."""
        start = self._range(name, 0, FIRST_BYTES)
        if start is None:
            return None
        try:
            length = header_length(start[:LENGTH_BYTES])
            if length > MOST_HEADER_BYTES:
                raise RemoteError("too_large", f"The head of {name} is too large to be read.")
            end = LENGTH_BYTES + length
            if len(start) < end:
                rest = self._range(name, len(start), end) or b""
                start += rest
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
            skip = 0 if answer.status_code == 206 else begin
            return self._body(answer, skip + end - begin, name, cut=True)[skip:]

    def _body(self, answer: Any, limit: int, name: str, *, cut: bool = False) -> bytes:
        body = bytearray()
        deadline = time.monotonic() + DEADLINE
        for part in answer.iter_bytes():
            body += part
            if len(body) >= limit and cut:
                break
            if len(body) > limit:
                raise RemoteError("too_large", f"{name} of {self.model_id} is too large.")
            if time.monotonic() > deadline:
                raise RemoteError("offline", f"The hub is too slow: {name} did not come in time.")
        del body[limit:]
        self._read += len(body)
        if self._read > MOST_BYTES:
            raise RemoteError("too_large", f"The heads of {self.model_id}'s files are too large.")
        return bytes(body)

    @contextmanager
    def _get(self, name: str, more: Mapping[str, str] | None = None) -> Iterator[Any]:
        """The hub's answer for a file, its body unread; None where there is no such file."""
        url = f"{self._base}/{quote(name)}"
        try:
            with self._session.stream(
                "GET",
                url,
                headers={**self._headers, **(more or {})},
                timeout=TIMEOUT,
                follow_redirects=True,
            ) as answer:
                yield None if self._is_missing(answer, name) else answer
        except RemoteError:
            raise
        except Exception as error:  # of the HTTP library, whichever the hub's client uses
            if not _is_of_the_network(error):
                raise
            host = url.split("/")[2]
            raise RemoteError(
                "offline",
                f"The hub ({host}) cannot be reached: {type(error).__name__}. Check the network, "
                "or name a folder on this computer.",
            ) from error

    def _is_missing(self, answer: Any, name: str) -> bool:
        status = answer.status_code
        if status in {200, 206}:
            return False
        if status == 416:  # an empty file has no first byte
            raise self._nonsense(name)
        told = answer.headers.get("X-Error-Code", "")
        if status == 404 and told in {"EntryNotFound", ""} and name != "config.json":
            return True
        if status == 404 and told == "EntryNotFound":
            return True
        raise self._refusal(status, told, answer.headers)

    def _refusal(self, status: int, told: str, headers: Any) -> RemoteError:
        model = self.model_id
        if told == "GatedRepo" or status == 403:
            return RemoteError(
                "gated",
                f"{model} is gated: its page on the hub asks you to accept its licence first, and "
                "then to sign in here (hf auth login, or HF_TOKEN).",
            )
        if status == 404 and told == "RevisionNotFound":
            return RemoteError("not_found", f"{model} has no such branch, tag or commit.")
        if status == 401:
            return RemoteError(
                "sign_in",
                f"The hub shows no {model} to everybody: the name is mistyped, or the model is "
                "private and you must sign in (hf auth login, or HF_TOKEN).",
            )
        if status == 404:
            return RemoteError("not_found", f"There is no model {model} on the hub.")
        if status == 429:
            wait = str(headers.get("Retry-After", ""))
            soon = f"in {wait} s" if wait.isdecimal() and len(wait) < 7 else "later"
            return RemoteError(
                "too_many_requests", f"The hub wants fewer requests. Try again {soon}."
            )
        return RemoteError("hub_broken", f"The hub answers with an error ({status}). Try later.")

    def _nonsense(self, name: str) -> RemoteError:
        return RemoteError(
            "not_a_model", f"{name} of {self.model_id} is not what its name says, or damaged."
        )
