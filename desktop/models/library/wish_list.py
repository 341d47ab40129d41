"""Which downloads the user wants, kept on the disk: they go on after a restart or a crash."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from desktop import json_file
from desktop.models.library.download_view import (
    MOST_PARTS,
    DownloadState,
    DownloadView,
    key_of,
)
from engine.store.hub_names import is_repo

FILE: Final = "downloads.json"  # in the state folder
VERSION: Final = 1
MOST: Final = 500  # downloads
LONGEST: Final = 1_000  # characters of any text
_WHAT: Final = "list of downloads"
_TEXTS: Final = ("revision", "variant", "code", "text", "url", "folder")


def read(path: Path) -> tuple[list[DownloadView], str]:
    """The downloads in the file, in their order, and a warning for the user ("": all is well).

    Those that ran are queued: they go on. An entry that makes no sense is left out.
    """
    content, warning = json_file.read(path, _WHAT, VERSION)
    entries = content.get("downloads")
    found: dict[str, DownloadView] = {}
    for entry in entries[:MOST] if isinstance(entries, list) else ():
        view = _view(entry)
        if view is not None:
            found.setdefault(view.key, view)
    return list(found.values()), warning


def write(path: Path, views: Sequence[DownloadView]) -> str:
    """Write them; a warning for the user if that failed, else ""."""
    content: dict[str, object] = {
        "version": VERSION,
        "downloads": [_entry(view) for view in views[:MOST]],
    }
    # A kill loses nothing of it; the disk is not waited for, as this is the window's thread.
    return json_file.write(path, content, _WHAT, sync=False)


def _entry(view: DownloadView) -> dict[str, object]:
    entry: dict[str, object] = {
        "repo": view.repo,
        "state": view.state.value,
        "done": view.done,
        "can_retry": view.can_retry,
    }
    for name in ("total", "files", "files_done", "ended"):
        if value := getattr(view, name):
            entry[name] = value
    for name in _TEXTS:
        if value := getattr(view, name):
            entry[name] = value[:LONGEST]
    return entry


def _view(entry: object) -> DownloadView | None:
    if not isinstance(entry, dict):
        return None
    repo, state = entry.get("repo"), entry.get("state")
    texts = {name: entry.get(name, "") for name in _TEXTS}
    if (
        not isinstance(repo, str)
        or not is_repo(repo)
        or not isinstance(state, str)
        or state not in set(DownloadState)
        or not all(isinstance(text, str) and len(text) <= LONGEST for text in texts.values())
    ):
        return None
    state = DownloadState(state)
    ended = entry.get("ended", 0.0)
    return DownloadView(
        key=key_of(repo, texts["variant"]),
        repo=repo,
        revision=texts.pop("revision") or "main",
        state=DownloadState.QUEUED if state is DownloadState.RUNNING else state,
        done=_count(entry.get("done")),
        total=_count(entry.get("total")) or None,
        files=_count(entry.get("files")),
        files_done=_count(entry.get("files_done")),
        can_retry=entry.get("can_retry", True) is not False,
        ended=float(ended) if isinstance(ended, (int, float)) and 0 <= ended < 2**40 else 0.0,
        **texts,
    )


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= MOST_PARTS else 0
