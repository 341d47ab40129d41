"""A model folder that this program makes: whole or not there, with a list of what is in it.

It is written into a folder of another name beside its place, and that is renamed when all is
on the disk. Whoever is killed leaves at most such a folder, which the next one clears away.

Standard library only: the set-up calls this before anything is installed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.failure_words import words

MANIFEST = "manifest.json"
PARTIAL = ".partial"  # at the end of the hidden name of what is not finished
_BLOCK = 1 << 20
_FULL = words("The disk of {folder} is full. Free some space and try again.")
_CLOSED = words(
    "The folder {folder} cannot be written. Make it writable for you, or set INGLENOOK_HOME to a "
    "folder that is."
)
_MISSING = words("{file} is missing")
_UNREADABLE = words("{file} cannot be read")
_UNLISTED = words("{list} does not list {file}")
_NOT_WHOLE = words("{file} is not whole")
_AWAY = words("The disk of {folder} is not there: it is a link to {target}. Connect it.")


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest as it was written; `files` of it has {name: {"size", "sha256"}}.

    Raises:
        FileNotFoundError: there is none.
        OSError, ValueError, KeyError, TypeError, AttributeError: it cannot be read.
    """
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    files = {
        str(name): {"size": int(entry["size"]), "sha256": str(entry["sha256"])}
        for name, entry in manifest["files"].items()
    }
    return {**manifest, "files": files}


def damage(folder: Path, needed: tuple[str, ...] = ()) -> str:
    """What is wrong with a made folder, by names and sizes; "" when nothing is.

    Args:
        needed: files without which it is of no use.
    """
    try:
        files = manifest_of(folder)["files"]
    except FileNotFoundError:
        return _MISSING.format(file=MANIFEST)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _UNREADABLE.format(file=MANIFEST)
    for name in (*needed, *files):
        try:
            size = (folder / name).stat().st_size
        except OSError:
            return _MISSING.format(file=name)
        if name not in files:
            return _UNLISTED.format(list=MANIFEST, file=name)
        if size != files[name]["size"]:
            return _NOT_WHOLE.format(file=name)
    return ""


def changed(folder: Path) -> str:
    """The first file whose contents are not those of the manifest; "" for none. Reads all."""
    for name, entry in manifest_of(folder)["files"].items():
        if sha256(folder / name) != entry["sha256"]:
            return str(name)
    return ""


def partial_of(folder: Path) -> Path:
    """Where `folder` is written."""
    return folder.with_name(f".{folder.name}{PARTIAL}")


@contextlib.contextmanager
def making(folder: Path) -> Iterator[Path]:
    """An empty folder to write into; it is cleared away in the end, unless `put_in_place` came.

    To be used with `alone`: what others left half done is cleared away first.
    """
    for remains in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(remains)
    partial = partial_of(folder)
    partial.mkdir(mode=0o700)
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def seal(
    folder: Path,
    origin: Mapping[str, Any],
    report: Callable[[int], None] = lambda _bytes: None,
) -> None:
    """Put all files of `folder` on the disk and list them in its manifest.

    Args:
        origin: what the folder was made from, for the manifest.
        report: is told of bytes that were read, as they are.
    """
    files = {}
    for path in sorted(folder.iterdir()):
        if path.stat().st_nlink == 1:  # the mode of a hard link is another's, too
            with contextlib.suppress(PermissionError):  # FAT has no modes
                path.chmod(0o600)
        sync(path)
        files[path.name] = {"size": path.stat().st_size, "sha256": sha256(path, report)}
    (folder / MANIFEST).write_text(manifest_text(origin, files), encoding="utf-8")
    sync(folder / MANIFEST)
    sync(folder)


def manifest_text(origin: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> str:
    """What stands in a manifest; `files`: as `manifest_of` has them."""
    return _json({"origin": dict(origin), "files": {name: dict(files[name]) for name in files}})


def put_in_place(folder: Path) -> None:
    """Make the partial folder the real one, over what may lie there."""
    # A folder cannot be renamed over one with files in it. A kill between these two leaves
    # no model, which `damage` tells; never half of one.
    old = folder.with_name(f".{folder.name}.old")
    if os.path.lexists(folder):
        _clear(old)
        folder.rename(old)
    partial_of(folder).rename(folder)
    sync(folder.parent)
    _clear(old)


def _clear(folder: Path) -> None:
    """Take a folder away, or the link that lies in its place."""
    with contextlib.suppress(OSError):
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def alone(folder: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold `folder` against other processes that make something in it.

    Args:
        waiting: called when another one is at it, which is then waited for.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def disk_text(error: OSError, folder: Path) -> str:
    """What an error of the disk means and what to do; "" for one that is no such error."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _FULL.format(folder=folder)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _CLOSED.format(folder=error.filename or folder)
    # The store was moved to a disk that is not connected: its own place is a link to nothing.
    for place in (folder, *folder.parents):
        if place.is_symlink() and not place.exists():
            return _AWAY.format(folder=place, target=place.readlink())
    return ""


def sha256(path: Path, report: Callable[[int], None] = lambda _bytes: None) -> str:
    """The SHA-256 of a file's contents, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            report(len(block))
    return digest.hexdigest()


def write_json(path: Path, value: object) -> None:
    """Write a small file for people to read, too."""
    path.write_text(_json(value), encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True) + "\n"


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
