"""Shapes that were asked for once, on the disk by commit: a commit never changes.

What cannot be had for good (no config.json, no model) is kept as well. Bounded: the least used go.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

import msgspec

from engine.environment import cache_folder
from engine.planner.model_shape import ModelShape
from engine.store.private_folder import make_private

FOLDER: Final = "hub"
FORM: Final = "1"  # of the files; others are not found
MOST_FILES: Final = 3000
MOST_IN_MEMORY: Final = 2000
PRUNE_EVERY: Final = 100  # writes
MOST_BYTES: Final = 256 * 1024  # of a file
# Of a commit for good; all other errors may pass.
LASTING: Final = frozenset({"no_config", "no_weights", "not_a_model", "too_large"})


class Known(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one commit.

    Attributes:
        shape: None where it cannot be had; `code` and `text` say why.
        method: of its quantisation, as its config calls it. own_code: its config names some.
        variant: of a repository of GGUF files: which one the shape is of.
    """

    commit: str
    shape: ModelShape | None = None
    code: str = ""
    text: str = ""
    method: str = ""
    own_code: bool = False
    variant: str = ""


class KnownShapes:
    """See the module. May be used by several threads; several processes share the folder.

    Args:
        folder: where the files are; by default in the user's cache.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder(os.environ) / FOLDER
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()
        self._written = 0

    def find(self, endpoint: str, repo: str, commit: str) -> Known | None:
        """What is known; None: nothing yet."""
        if not commit:
            return None
        key = _key(endpoint, repo, commit)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        path = self._folder / f"{key}.json"
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
            known = msgspec.json.decode(content, type=Known)
        except (OSError, ValueError):  # msgspec's errors are ValueErrors
            return None
        with contextlib.suppress(OSError):  # a cache that may only be read
            os.utime(path)  # the least used go first
        if known.commit != commit:
            return None
        self._remember(key, known)
        return known

    def keep(self, endpoint: str, repo: str, known: Known) -> None:
        """Keep it, on the disk if that is possible."""
        if not known.commit or (known.shape is None and known.code not in LASTING):
            return
        key = _key(endpoint, repo, known.commit)
        self._remember(key, known)
        path = self._folder / f"{key}.json"
        partial = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.new")
        with contextlib.suppress(OSError):
            make_private(self._folder)
            content = msgspec.json.encode(known)
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            partial.replace(path)
        with self._lock:
            self._written += 1
            is_time = self._written % PRUNE_EVERY == 1
        if is_time:
            self._prune()

    def _remember(self, key: str, known: Known) -> None:
        with self._lock:
            self._known[key] = known
            self._known.move_to_end(key)
            while len(self._known) > MOST_IN_MEMORY:
                self._known.popitem(last=False)

    def _prune(self) -> None:
        with contextlib.suppress(OSError):
            found = [
                (entry.stat(follow_symlinks=False).st_mtime, entry.path)
                for entry in os.scandir(self._folder)
                if entry.name.endswith((".json", ".new"))
            ]
            for _, path in sorted(found)[: max(0, len(found) - MOST_FILES)]:
                with contextlib.suppress(OSError):
                    Path(path).unlink()


def _key(endpoint: str, repo: str, commit: str) -> str:
    told = "\n".join((FORM, endpoint, repo, commit))
    return hashlib.sha256(told.encode()).hexdigest()[:40]
