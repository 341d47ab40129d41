"""What the process keeps between two questions: commits, shapes, searches that can go on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.store.hub.known_shapes import KnownShapes

if TYPE_CHECKING:
    from engine.store.hub.search import Trail

MOST_COMMITS: Final = 20_000
MOST_TRAILS: Final = 12


class Memory:
    """See the module. May be used by several threads.

    Attributes:
        shapes: by commit, on the disk.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.shapes = KnownShapes(folder)
        self._commits: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._trails: OrderedDict[str, Trail] = OrderedDict()
        self._lock = threading.Lock()
        self._number = 0

    def note_commit(self, endpoint: str, repo: str, commit: str) -> None:
        """The newest commit of a model, as a list told it."""
        if commit:
            with self._lock:
                self._commits[endpoint, repo] = commit
                self._commits.move_to_end((endpoint, repo))
                while len(self._commits) > MOST_COMMITS:
                    self._commits.popitem(last=False)

    def commit_of(self, endpoint: str, repo: str) -> str:
        """The newest commit that is known of; "" for none."""
        with self._lock:
            return self._commits.get((endpoint, repo), "")

    def put_trail(self, trail: Trail) -> str:
        """Keep a search that can go on; the key to it."""
        with self._lock:
            self._number += 1
            key = str(self._number)
            self._trails[key] = trail
            while len(self._trails) > MOST_TRAILS:
                self._trails.popitem(last=False)
            return key

    def take_trail(self, key: str) -> Trail | None:
        """A search that goes on; None where it has been forgotten, or goes on already."""
        with self._lock:
            return self._trails.pop(key, None)


_memory: Memory | None = None
_memory_lock = threading.Lock()


def the_memory() -> Memory:
    """That of this process."""
    global _memory
    with _memory_lock:
        _memory = _memory or Memory()
        return _memory
