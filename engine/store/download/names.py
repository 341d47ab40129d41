"""Where a download comes to lie, and which names of files are taken: they are anyone's words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from engine.failure_words import words
from engine.store import made_folder
from engine.store.folders import HUB
from engine.store.hub.errors import HubError
from engine.store.hub.plain_text import one_line
from engine.store.hub.records import RepoFile
from engine.store.hub_names import COMMIT, GIT_HASH, SHA256, is_model_id

MOST_FILES: Final = 10_000
MOST_DEPTH: Final = 4
MOST_NAME_BYTES: Final = 200
MOST_SIZE: Final = 1 << 44  # 16 TiB
_VARIANT: Final = re.compile(r"\w[\w.+-]{0,79}", re.ASCII)

_NO_MODEL = words("“{name}” is no model’s name; they read “owner/name”.")
_NO_VARIANT = words("“{name}” is no name of a variant.")
_HOSTILE_NAME = words(
    "The hub names a file “{name}”. Such a name is not taken; nothing is fetched."
)
_TWICE = words("The hub lists the file “{name}” twice. Nothing is fetched.")
_NO_HASH = words("The hub tells no checksum of {name}, so it could not be checked.")
_NO_COMMIT = words("The hub tells no commit of {name} that could be relied on.")
_TOO_MANY = words("The hub lists more files of {name} than any model has.")
_NO_SIZE = words("The hub tells a size of {name} that makes no sense.")


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that is to be fetched.

    Attributes:
        path: in the repository. name: relative to the model's folder.
        sha256: 64 hex digits, or "" and `blob` has git's 40.
    """

    path: str
    name: str
    size: int
    sha256: str = ""
    blob: str = ""

    @property
    def identity(self) -> str:
        """Its hash, whichever there is."""
        return self.sha256 or self.blob


def folder_name(repo: str, variant: str = "") -> str:
    """What the folder of a model is called.

    Raises:
        HubError: "bad_id".
    """
    if not is_model_id(repo):
        raise HubError("bad_id", _NO_MODEL.format(name=one_line(repo, 80)))
    if variant and (not _VARIANT.fullmatch(variant) or ".." in variant or "--" in variant):
        raise HubError("bad_id", _NO_VARIANT.format(name=one_line(variant, 80)))
    return "--".join(filter(None, (*repo.split("/"), variant)))


def hub_folder(models: Path) -> Path:
    """Where downloads lie in a store, which may be a link itself: it can be moved."""
    return Path(os.path.realpath(models)) / HUB


def target_of(models: Path, repo: str, variant: str = "") -> Path:
    """The folder that a model comes to lie in.

    Raises:
        HubError: "bad_id".
    """
    return hub_folder(models) / folder_name(repo, variant)


def check_commit(commit: str, repo: str) -> None:
    """Raises HubError "bad_answer" unless `commit` is one in full."""
    if not COMMIT.fullmatch(commit):
        raise HubError("bad_answer", _NO_COMMIT.format(name=one_line(repo, 80)))


def parts_of(files: Iterable[RepoFile], repo: str) -> tuple[Part, ...]:
    """The files to fetch, the small ones first, with their names on this disk.

    GGUF files lie beside their configuration, whatever folder of the repository they are from.

    Raises:
        HubError: "bad_answer": names, sizes or hashes that are not taken.
    """
    found: dict[str, Part] = {}
    folders: set[str] = set()
    for file in files:
        _check(file)
        name = file.path
        if name.lower().endswith(".gguf"):
            name = name.rpartition("/")[2]
        if name in found:
            raise HubError("bad_answer", _TWICE.format(name=one_line(file.path, 80)))
        found[name] = Part(file.path, name, file.size, file.sha256, file.blob)
        folders.update("/".join(name.split("/")[:depth]) for depth in range(1, name.count("/") + 1))
        if len(found) > MOST_FILES:
            raise HubError("bad_answer", _TOO_MANY.format(name=one_line(repo, 80)))
    if both := folders.intersection(found):
        raise HubError("bad_answer", _TWICE.format(name=one_line(min(both), 80)))
    return tuple(sorted(found.values(), key=lambda part: (part.size > 1 << 24, part.name)))


def _check(file: RepoFile) -> None:
    pieces = file.path.split("/")
    if (
        len(pieces) > MOST_DEPTH
        or any(not _is_plain(piece) for piece in pieces)
        or pieces[0].lower() == made_folder.MANIFEST
    ):
        raise HubError("bad_answer", _HOSTILE_NAME.format(name=one_line(file.path, 80)))
    if not 0 <= file.size <= MOST_SIZE:
        raise HubError("bad_answer", _NO_SIZE.format(name=one_line(file.path, 80)))
    if not (SHA256.fullmatch(file.sha256) if file.sha256 else GIT_HASH.fullmatch(file.blob)):
        raise HubError("bad_answer", _NO_HASH.format(name=one_line(file.path, 80)))


def _is_plain(piece: str) -> bool:
    try:
        size = len(piece.encode())
    except UnicodeEncodeError:  # half of a character
        return False
    return (
        0 < size <= MOST_NAME_BYTES
        and not piece.startswith(".")
        and "\\" not in piece
        and piece.isprintable()
        and piece == piece.strip()
    )
