"""The shape of a model on a hub, without its weights: its config.json and the heads of its files.

Of each weight file two ranges are read at most: the length of its header, and the header.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.planner.folder_reader import (
    CONFIG_BYTES,
    INDEX_BYTES,
    as_gguf,
    check_shape,
    named_by_index,
)
from engine.planner.gguf_reader import shape_of_gguf
from engine.planner.model_shape import ModelShape, ShapeError, TensorInfo
from engine.planner.shape import read_shape
from engine.store.hub.asking import asking, check_names
from engine.store.hub.call import Call, current_call, side_by_side
from engine.store.hub.errors import HubError
from engine.store.hub.repo_files import RepoFiles

INDEX: Final = "model.safetensors.index.json"
SINGLE: Final = "model.safetensors"
MOST_BYTES: Final = 256 * 1024 * 1024  # of all heads of a model
SECONDS: Final = 120.0  # for all of them, however they drip
GGUF_HEAD_BYTES: Final = (1 << 20, 8 << 20, 40 << 20)  # tried in turn: most hold a vocabulary
WORKERS: Final = 6
Report = Callable[[int, int], None]

_NO_CONFIG = words(
    "{name} has no config.json, so it is no model that can be planned for. It may hold GGUF files "
    "only, or an adapter."
)
_NO_SENSE = words("The list of {name}’s weight files makes no sense.")
_INCOMPLETE = words("{name} is incomplete: weight files are missing.")
_NO_FILE = words("There is no {file} in {folder}.")


def shape_call(endpoint: str = "") -> Call:
    """A question for a shape: with the time and the bytes that it may take."""
    return Call(endpoint, seconds=SECONDS, most_bytes=MOST_BYTES)


def fetch_shape(
    model_id: str,
    *,
    revision: str = "main",
    endpoint: str | None = None,
    report: Report | None = None,
    call: Call | None = None,
) -> ModelShape:
    """Ask the hub for the shape of `model_id`.

    Args:
        revision: a branch, a tag or a commit.
        endpoint: of the hub; by default HF_ENDPOINT's, or the public one.
        report: is told how many weight files' heads are read, of how many.
        call: that can be cancelled; of `shape_call`.

    Raises:
        HubError: it could not be had.
    """
    check_names(model_id, revision)
    with asking(call=call or shape_call(endpoint or "")):
        files = RepoFiles(model_id, revision)
        return read_remote_shape(files, report or (lambda _done, _all: None))


def read_remote_shape(files: RepoFiles, report: Report = lambda _done, _all: None) -> ModelShape:
    """The shape of the safetensors of a repository; within a question.

    Raises:
        HubError: it could not be had.
    """
    config = files.json_file("config.json", CONFIG_BYTES)
    if config is None:
        raise HubError("no_config", _NO_CONFIG.format(name=files.repo))
    return shape_with(config, read_headers(files, report), files.repo)


def shape_with(
    config: Mapping[str, Any], headers: Mapping[str, TensorInfo] | None, name: str
) -> ModelShape:
    """The shape that a config.json and heads tell.

    Raises:
        HubError: it is that of nothing.
    """
    return checked(replace(read_shape(config, headers), name=name))


def checked(shape: ModelShape) -> ModelShape:
    """`shape` itself.

    Raises:
        HubError: it is that of nothing.
    """
    try:
        return check_shape(shape)
    except ShapeError as error:
        raise HubError("not_a_model", str(error)) from error


def fetch_gguf_shape(
    model_id: str,
    file: str,
    *,
    revision: str = "main",
    endpoint: str | None = None,
    call: Call | None = None,
) -> ModelShape:
    """The shape of a GGUF file on the hub, by the repository's config.json and the file's size.

    Where there is no config.json: by the file's head.

    Raises:
        HubError: it could not be had.
    """
    check_names(model_id, revision)
    with asking(call=call or shape_call(endpoint or "")):
        files = RepoFiles(model_id, revision)
        size = files.size(file)
        if size is None:
            raise HubError("not_found", _NO_FILE.format(file=file, folder=model_id))
        return read_gguf_shape(files, file, size)


def read_gguf_shape(files: RepoFiles, file: str, size: int) -> ModelShape:
    """The shape of a GGUF file of `size` bytes; within a question.

    Raises:
        HubError: it could not be had.
    """
    config = files.json_file("config.json", CONFIG_BYTES)
    if config is not None:
        shape = gguf_shape_by_config(config, size)
        if shape.layers and shape.hidden and shape.vocab:
            return replace(shape, name=files.repo)
    return replace(_gguf_shape_by_head(files, file, size), name=files.repo)


def gguf_shape_by_config(config: Mapping[str, Any], size: int) -> ModelShape:
    """The shape of a GGUF file of `size` bytes, by what its model's config.json says."""
    # How it is quantised is in the file, whatever the config was made for.
    told = {**config, "quantization_config": {"quant_method": "gguf"}}
    return as_gguf(read_shape(told), size)


def _gguf_shape_by_head(files: RepoFiles, file: str, size: int) -> ModelShape:
    """Its head in a file that is else a hole: the process that looks into such files reads it."""
    problem: ShapeError | None = None
    with tempfile.TemporaryDirectory(prefix="inglenook-head-") as folder:
        for length in GGUF_HEAD_BYTES:
            head = files.start(file, length)
            if head is None:
                raise HubError("not_found", _NO_FILE.format(file=file, folder=files.repo))
            path = Path(folder) / "head.gguf"
            with path.open("wb") as hole:
                hole.write(head)
                hole.truncate(max(size, len(head)))
            try:
                return check_shape(shape_of_gguf(path))
            except ShapeError as error:
                problem = error
                current_call().check()
            if length >= size:
                break
    raise HubError("not_a_model", str(problem)) from problem


def read_headers(
    files: RepoFiles, report: Report = lambda _done, _all: None
) -> dict[str, TensorInfo] | None:
    """The tensors of all weight files as they are usually named; None where there are none.

    Raises:
        HubError: they could not be had.
    """
    index = files.json_file(INDEX, INDEX_BYTES)
    if index is None:
        return files.header(SINGLE) or None
    try:
        names = named_by_index(index)
    except ValueError as error:
        raise HubError("not_a_model", _NO_SENSE.format(name=files.repo)) from error
    return headers_of(files, names, report)


def headers_of(
    files: RepoFiles, names: Sequence[str], report: Report = lambda _done, _all: None
) -> dict[str, TensorInfo]:
    """The tensors of these weight files, several read at once.

    Raises:
        HubError: they could not be had; "no_weights" where one is missing.
    """
    tensors: dict[str, TensorInfo] = {}
    counting = threading.Lock()
    count = 0

    def read(name: str) -> None:
        nonlocal count
        found = files.header(name)
        if found is None:
            raise HubError("no_weights", _INCOMPLETE.format(name=files.repo))
        with counting:
            tensors.update(found)
            count += 1
            report(count, len(names))

    report(0, len(names))
    side_by_side(read, names, WORKERS)
    return tensors
