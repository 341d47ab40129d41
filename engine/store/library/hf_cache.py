"""The Hugging Face cache as it lies on the disk: refs, snapshots of links, blobs.

It belongs to other programs too: it is read where it is, and nothing in it is ever changed but by
deleting a model that the user asked to delete.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.store.folders import SNAPSHOTS, absolute
from engine.store.hub_names import COMMIT, GIT_HASH, SHA256

PREFIX: Final = "models--"
UNFINISHED: Final = ".incomplete"
SHARED: Final = "blobs"  # in the cache itself: what several repositories share
MOST_BLOBS: Final = 5_000
MOST_REPOSITORIES: Final = 5_000
_REF_BYTES: Final = 200
_PART: Final = re.compile(r"[\w.-]{1,100}")


def cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where it lies, as huggingface_hub finds it: HF_HUB_CACHE, else below HF_HOME."""
    env = os.environ if environ is None else environ
    user = env.get("HOME") or str(Path.home())
    named = env.get("HF_HUB_CACHE") or env.get("HUGGINGFACE_HUB_CACHE")
    if not named:
        base = env.get("XDG_CACHE_HOME") or f"{user}/.cache"
        named = f"{env.get('HF_HOME') or f'{base}/huggingface'}/hub"
    for name in ("HOME", "XDG_CACHE_HOME", "HF_HOME"):  # they may be named in one another
        if value := env.get(name):
            named = named.replace(f"${{{name}}}", value).replace(f"${name}", value)
    if named == "~" or named.startswith("~/"):
        named = user + named[1:]
    return absolute(named)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One revision of a repository.

    Attributes:
        repository: its folder in the cache.
        refs: the names by which it is known ("main").
        unfinished: files of the repository whose download was broken off.
    """

    repository: Path
    repo: str
    commit: str
    refs: tuple[str, ...]
    unfinished: int = 0

    @property
    def path(self) -> Path:
        """Where its files are."""
        return self.repository / SNAPSHOTS / self.commit


def repo_of(folder_name: str) -> str:
    """The repository ("owner/name") of a folder's name; "" for one that is of no model."""
    if not folder_name.startswith(PREFIX):
        return ""
    parts = folder_name.removeprefix(PREFIX).split("--")
    # Names may not hold "--", so that there are one or two parts.
    if not 1 <= len(parts) <= 2 or not all(_PART.fullmatch(part) for part in parts):
        return ""
    return "/".join(parts)


def is_snapshot(folder: Path) -> bool:
    """Whether `folder` is called as the snapshots of a cache are, by where it lies."""
    return (
        folder.parent.name == SNAPSHOTS
        and COMMIT.fullmatch(folder.name) is not None
        and bool(repo_of(folder.parent.parent.name))
    )


def repositories(cache: Path) -> list[Path]:
    """The folders of models, in order.

    Raises:
        OSError: the cache cannot be read.
    """
    with os.scandir(cache) as entries:
        found = [
            entry.path
            for entry in entries
            # Not through a link: what it names is not the cache's.
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False)
        ]
    return [Path(path) for path in sorted(found)[:MOST_REPOSITORIES]]


def snapshots(repository: Path) -> Iterator[Snapshot]:
    """The revisions in a repository's folder; none where it cannot be read."""
    repo = repo_of(repository.name)
    if not repo:
        return
    try:
        with os.scandir(repository / SNAPSHOTS) as entries:
            commits = sorted(
                entry.name
                for entry in entries
                if COMMIT.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return
    refs = refs_of(repository)
    unfinished = sum(1 for name in _blob_names(repository) if name.endswith(UNFINISHED))
    for commit in commits:
        named = tuple(sorted(name for name, target in refs.items() if target == commit))
        yield Snapshot(repository, repo, commit, named, unfinished)


def refs_of(repository: Path) -> dict[str, str]:
    """Name -> commit of a repository's refs; a name may hold slashes ("refs/pr/1")."""
    found: dict[str, str] = {}
    base = repository / "refs"
    waiting = [base]
    while waiting and len(found) < MOST_BLOBS:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    with open(entry.path, "rb") as file:  # noqa: PTH123 - it is known to be plain
                        commit = file.read(_REF_BYTES).decode("ascii", "replace").strip()
                    if COMMIT.fullmatch(commit):
                        found[os.path.relpath(entry.path, base)] = commit
            except OSError:
                continue
    return found


def blobs_of(snapshot: Path) -> dict[str, Path]:
    """File -> blob of a snapshot's links, as far as they lead into its own repository.

    Others, and files that are no links, are not in it. The blob may not be there.
    """
    blobs = snapshot.parent.parent / "blobs"
    found: dict[str, Path] = {}
    for folder, folders, files in os.walk(snapshot):
        for name in (*files, *folders):
            path = Path(folder, name)
            if not path.is_symlink():
                continue
            try:
                target = Path(os.path.normpath(path.parent / path.readlink()))
            except OSError:
                continue
            if target.parent == blobs and _is_hash(target.name):
                found[str(path.relative_to(snapshot))] = target
        if len(found) > MOST_BLOBS:
            break
    return found


def own_blobs(snapshot: Path) -> list[Path]:
    """The blobs that no other snapshot of the repository uses; all of them are there."""
    mine = set(blobs_of(snapshot).values())
    try:
        others = [path for path in snapshot.parent.iterdir() if path.name != snapshot.name]
    except OSError:
        others = []
    for other in others:
        mine -= set(blobs_of(other).values())
    return sorted(blob for blob in mine if os.path.lexists(blob))


def is_alone(snapshot: Path) -> bool:
    """Whether the repository has no other snapshot: then all of it goes with this one."""
    try:
        return all(path.name == snapshot.name for path in snapshot.parent.iterdir())
    except OSError:
        return False


def shared_blob_of(blob: Path, link: str) -> Path | None:
    """Where a blob lies that several repositories share (huggingface_hub 2.4); else None.

    Args:
        blob: where it is called by its hash, in a repository.
        link: what the link there names.
    """
    target = Path(os.path.normpath(blob.parent / link))
    shared = blob.parent.parent.parent / SHARED
    name = target.name
    inside = target.parent.parent == shared and target.parent.name == name[:2]
    return target if inside and SHA256.fullmatch(name) else None


def _is_hash(name: str) -> bool:
    """Small files are called by git's hash, large ones by their own."""
    return bool(GIT_HASH.fullmatch(name) or SHA256.fullmatch(name))


def _blob_names(repository: Path) -> list[str]:
    try:
        with os.scandir(repository / "blobs") as entries:
            return [entry.name for entry, _ in zip(entries, range(MOST_BLOBS), strict=False)]
    except OSError:
        return []
