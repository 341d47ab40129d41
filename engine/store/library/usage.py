"""When each model was used last: one small JSON file in the state folder.

Several programs may write it at once (windows, the terminal): each reads it anew, under a lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.store.private_folder import make_private

FILE_NAME: Final = "models-used.json"
MOST: Final = 2_000  # the ones not used for longest go
_MOST_BYTES: Final = 4 << 20


def last_used(state: Path) -> dict[str, float]:
    """Path -> seconds since 1970. A file that makes no sense is read as far as it does."""
    path = state / FILE_NAME
    try:
        if path.stat().st_size > _MOST_BYTES:
            return {}
        read = json.loads(path.read_text("utf-8", "surrogateescape"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    return {
        name: float(when)
        for name, when in read.items()
        if isinstance(when, (int, float)) and not isinstance(when, bool) and math.isfinite(when)
    }


def note_used(state: Path, model: str, when: float | None = None) -> None:
    """Note that the model at `model` is used now. Where that cannot be kept it is forgotten."""
    _change(state, {model: time.time() if when is None else when})


def forget(state: Path, model: str) -> None:
    """Of a model that is gone for good, or that became another's name."""
    _change(state, {model: None})


def _change(state: Path, changes: dict[str, float | None]) -> None:
    with contextlib.suppress(OSError):
        make_private(state)
        with _locked(state):
            used: dict[str, float] = last_used(state)
            for model, when in changes.items():
                used.pop(model, None)
                if when is not None:
                    used[model] = when
            rows = sorted(used.items(), key=lambda row: row[1])[-MOST:]
            _write(state / FILE_NAME, json.dumps(dict(rows), indent=1))


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(state: Path) -> Iterator[None]:
    descriptor = os.open(state, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
