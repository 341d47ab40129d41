"""Deletes for good, and nothing but what is named: links go as links."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.store.library import hf_cache
from engine.store.library.bin_notes import Note
from engine.store.library.listing import weigh
from engine.store.library.records import Source


def erase(paths: Sequence[Path]) -> int:
    """Delete `paths`, in order; the bytes that are free now."""
    freed = 0
    shared: list[tuple[Path, Path]] = []
    for path in paths:
        shared += _shared_at(path, path)
        if path.is_dir() and not path.is_symlink():
            freed += weigh(str(path)).frees
            remove(path)
        else:
            status = path.lstat()
            freed += status.st_size if status.st_nlink == 1 else 0
            path.unlink()
    sweep(shared)
    return freed


def remove(path: Path) -> None:
    """A folder with all in it, links as links; folders without rights are given them first."""

    def retry(function: Callable[..., Any], name: str, failure: Any) -> None:
        error = failure[1]
        if isinstance(error, FileNotFoundError):
            return
        if not isinstance(error, PermissionError):
            raise error
        for place in (os.path.dirname(name), name):  # noqa: PTH120 - as `rmtree` gives it
            status = os.lstat(place)
            if stat.S_ISDIR(status.st_mode):
                os.chmod(place, 0o700)  # noqa: PTH101
        if os.path.isdir(name) and not os.path.islink(name):  # noqa: PTH112, PTH114
            shutil.rmtree(name)
        else:
            function(name)

    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path, onerror=retry)


def shared_in(folder: Path, note: Note | None) -> list[tuple[Path, Path]]:
    """Of what came from the Hugging Face cache: the blobs that it shared with other models."""
    if note is None or note.model.source is not Source.HF_CACHE:
        return []
    found = []
    for place, name in note.moves:
        found += _shared_at(folder / name, Path(place))
    return found


def _shared_at(path: Path, place: Path) -> list[tuple[Path, Path]]:
    """(shared blob, cache) for each link to one, at or below `path`, which lay at `place`."""
    found = []
    inner = [path] if path.is_symlink() else path.glob("blobs/*") if path.is_dir() else []
    for blob in inner:
        was = place if blob == path else place / "blobs" / blob.name
        with contextlib.suppress(OSError):
            target = (
                hf_cache.shared_blob_of(was, str(blob.readlink())) if blob.is_symlink() else None
            )
            if target is not None:
                found.append((target, target.parent.parent.parent))
    return found


def sweep(shared: Sequence[tuple[Path, Path]]) -> None:
    """Let the cache's own library delete shared blobs that no model uses any more.

    Where it cannot, they stay: bytes are lost to nobody's harm.
    """
    if not shared:
        return
    with contextlib.suppress(Exception):
        from huggingface_hub.utils import _shared_blobs

        for blob, cache in dict.fromkeys(shared):
            with contextlib.suppress(Exception):
                _shared_blobs.sweep_shared_blob(blob, cache_dir=cache)
