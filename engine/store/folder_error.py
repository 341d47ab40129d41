"""A model folder that cannot be loaded, said in words, and small files read without surprises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.failure_words import words
from engine.protocol import Failure, Remedy, RemedyAction, Scope

JSON_BYTES = 16 * 1024 * 1024  # of a config; a tokenizer may have more, and is not parsed

CHOOSE = Remedy(words("Choose another model"), RemedyAction.CHOOSE_MODEL)
_REBUILD = Remedy(words("Rebuild the starter model"), RemedyAction.REBUILD_STARTER)
# Why a file cannot be read.
_NO_FILE = words("it is no file")
_LARGE = words("it is too large")
_DEEP = words("it is nested too deep")
_NO_OBJECT = words("it is not a JSON object")


class ModelFolderError(Exception):
    """A folder that cannot be loaded; `failure` says why and what to do."""

    def __init__(self, code: str, cause: str, *remedies: Remedy) -> None:
        cause = printable(cause)
        super().__init__(cause)
        self.failure = Failure(Scope.LOAD, cause, code=code, remedies=(*remedies, CHOOSE))


def printable(text: str) -> str:
    """`text` without what cannot be sent or shown: names of files may be any bytes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


def starter_remedy(folder: Path) -> tuple[Remedy, ...]:
    """The starter model is made again from what is installed."""
    return (_REBUILD,) if "starter" in folder.parts else ()


def read_object(path: Path) -> dict[str, Any]:
    """A small JSON file that holds an object.

    Raises:
        OSError: it cannot be read.
        ValueError: it is something else, or larger than `JSON_BYTES`.
    """
    if not path.is_file():  # neither a folder nor a pipe, which would block
        raise ValueError(_NO_FILE)
    if path.stat().st_size > JSON_BYTES:
        raise ValueError(_LARGE)
    try:
        value = json.loads(path.read_text("utf-8"))
    except RecursionError as error:
        raise ValueError(_DEEP) from error
    if not isinstance(value, dict):
        raise ValueError(_NO_OBJECT)
    return value
