"""Whether the disk has room for a download, before it and all the time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from engine.failure_words import in_gib, words
from engine.store.download.store_folder import StoreFolder
from engine.store.hub.errors import HubError

MOST_RESERVE: Final = 256 << 20  # bytes that are left for everybody else
RESERVE_SHARE: Final = 64  # of a small disk: one part in so many
WORTH_WHILE: Final = 16 << 20  # bytes of room for which it goes on

_FULL = words(
    "The disk of {folder} is full: {missing} GiB are still to come, {free} GiB are free. Free some "
    "space."
)


class Room:
    """See the module."""

    def __init__(
        self,
        folder: StoreFolder,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._seconds = seconds
        self._clock = clock
        self._looked = -seconds

    def check(self, missing: int) -> None:
        """Before anything is fetched.

        Raises:
            HubError: "disk_full": `missing` bytes have no room.
        """
        free, size = self._folder.free()
        if missing and free < missing + _reserve(size):
            raise self.error(missing)

    def look(self, missing: int, *, is_full: bool) -> HubError | None:
        """Whether to stop, or to go on waiting; looks at the disk now and then.

        Args:
            is_full: what the last look found.
        """
        now = self._clock()
        if now - self._looked < self._seconds:
            return self.error(missing) if is_full else None
        self._looked = now
        free, size = self._folder.free()
        wanted = min(missing, WORTH_WHILE) if is_full else 0
        return self.error(missing) if free < wanted + _reserve(size) else None

    def error(self, missing: int) -> HubError:
        """The words for it."""
        free, _ = self._folder.free()
        folder = self._folder.target.parent
        text = _FULL.format(folder=folder, missing=in_gib(missing), free=in_gib(free))
        return HubError("disk_full", text)


def _reserve(size: int) -> int:
    return min(MOST_RESERVE, size // RESERVE_SHARE)
