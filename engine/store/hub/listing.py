"""What a repository holds at one commit, by huggingface_hub; nothing is believed unchecked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from engine.failure_words import words
from engine.store.hub.asking import api, asking, check_commit, check_names, nonsense
from engine.store.hub.plain_text import one_line
from engine.store.hub.records import Listing, RepoFile
from engine.store.hub_names import GIT_HASH, SHA256, is_model_id, is_repo

__all__ = ["Listing", "RepoFile", "fetch_listing", "is_plain_path"]

MOST_FILES: Final = 20_000
MOST_SIZE: Final = 1 << 50
MOST_TAGS: Final = 200

_BAD_NAME = words("it names a file “{name}”, which no folder here may hold")
_BAD_SIZE = words("it does not tell the size of {name}")
_BAD_HASH = words("it names a checksum of {name} that is none")
_TWICE = words("it names {name} twice")
_MANY = words("it names more files than any model has")
_OTHER = words("it is about another model")


def fetch_listing(repo: str, revision: str = "main", endpoint: str = "") -> Listing:
    """Ask the hub what `repo` holds at `revision` (a branch, a tag or a commit).

    Raises:
        HubError: it could not be had, or makes no sense: "bad_answer".
    """
    check_names(repo, revision)
    with asking(endpoint):
        info = api().model_info(repo, revision=revision, files_metadata=True)
        files = checked_files(info.siblings or [])
        name = info.id
        if not isinstance(name, str) or not is_model_id(name):
            raise nonsense(_OTHER)
        card: dict[str, Any] = vars(info.card_data) if info.card_data is not None else {}
        tags = plain_tags(info.tags)
        return Listing(
            repo=name,
            commit=check_commit(info.sha),
            files=files,
            gated=gating(info.gated),
            private=info.private is True,
            licence=licence_of(card, tags),
            licence_url=licence_url(card, name, info_endpoint=api().endpoint, files=files),
            base_model=base_model_of(card, tags),
            tags=tags,
            updated=info.last_modified.isoformat() if info.last_modified else "",
            downloads=count(info.downloads),
            likes=count(info.likes),
            storage=count(info.used_storage) or None,
        )


def checked_files(siblings: Any) -> tuple[RepoFile, ...]:
    """The files that an answer lists.

    Raises:
        HubError: "bad_answer"; one has a name, size or checksum that none has.
    """
    if len(siblings) > MOST_FILES:
        raise nonsense(_MANY)
    found: dict[str, RepoFile] = {}
    for each in siblings:
        path = each.rfilename
        if not is_plain_path(path):
            raise nonsense(_BAD_NAME.format(name=one_line(str(path), 80)))
        if path in found:
            raise nonsense(_TWICE.format(name=one_line(path, 80)))
        found[path] = _checked(path, each)
    parts = {path.rpartition("/")[0] for path in found}
    for above in parts & found.keys():  # a file and a folder of one name
        raise nonsense(_TWICE.format(name=one_line(above, 80)))
    return tuple(found.values())


def _checked(path: str, each: Any) -> RepoFile:
    lfs = each.lfs
    size = lfs.size if lfs is not None else each.size
    if type(size) is not int or not 0 <= size < MOST_SIZE:
        raise nonsense(_BAD_SIZE.format(name=one_line(path, 80)))
    if lfs is not None:
        if not (isinstance(lfs.sha256, str) and SHA256.fullmatch(lfs.sha256)):
            raise nonsense(_BAD_HASH.format(name=one_line(path, 80)))
        return RepoFile(path, size, sha256=lfs.sha256)
    if not (isinstance(each.blob_id, str) and GIT_HASH.fullmatch(each.blob_id)):
        raise nonsense(_BAD_HASH.format(name=one_line(path, 80)))
    return RepoFile(path, size, blob=each.blob_id)


def is_plain_path(path: Any) -> bool:
    """Whether a file may be called so below any folder: it cannot lead out of it."""
    if not isinstance(path, str) or not 0 < len(path.encode(errors="replace")) <= 1000:
        return False
    if "\\" in path or one_line(path, 1000) != path:
        return False
    parts = path.split("/")
    if any(part in {"", ".", "..", ".git"} for part in parts) or re.match(r"[A-Za-z]:", path):
        return False
    return all(len(part.encode()) <= 255 for part in parts)


def gating(told: Any) -> str:
    """One of "auto", "manual", and "" for what everybody gets."""
    if isinstance(told, str):
        return told if told in {"auto", "manual"} else ""
    return "auto" if told is True else ""


def count(told: Any) -> int:
    """A number that is one; else 0."""
    return told if type(told) is int and 0 <= told < MOST_SIZE else 0


def plain_tags(told: Any) -> tuple[str, ...]:
    """Tags that are texts, made fit to be shown."""
    if not isinstance(told, (list, tuple)):
        return ()
    tags = (one_line(tag, 120) for tag in told[:MOST_TAGS])
    return tuple(tag for tag in tags if tag)


def licence_of(card: Mapping[str, Any], tags: tuple[str, ...]) -> str:
    """The licence's name: the hub's, or for others the author's own."""
    told = card.get("license")
    if isinstance(told, list):
        told = told[0] if told else ""
    name = one_line(told, 60)
    tagged = next((tag.partition(":")[2] for tag in tags if tag.startswith("license:")), "")
    name = name or tagged
    return (one_line(card.get("license_name"), 60) or name) if name in {"", "other"} else name


def licence_url(
    card: Mapping[str, Any], repo: str, *, info_endpoint: str, files: tuple[RepoFile, ...]
) -> str:
    """Where it can be read: as the author says, or its text in the repository; "" for nowhere."""
    told = one_line(card.get("license_link"), 500)
    if re.match(r"https?://[^\s@]+$", told):
        return told
    for file in files:
        if re.fullmatch(r"(licen[cs]e|copying)(\.\w+)?", file.path, re.I):
            return f"{info_endpoint}/{repo}/blob/main/{file.path}"
    return ""


def base_model_of(card: Mapping[str, Any], tags: tuple[str, ...]) -> str:
    """What it was made from, "owner/name"; "" where it is not told."""
    told = card.get("base_model")
    names = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    names += [tag.rpartition(":")[2] for tag in tags if tag.startswith("base_model:")]
    for name in names:
        if isinstance(name, str) and is_repo(name):
            return name
    return ""
