"""What all groups of the store's calls build on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from desktop.chats.store import chat_rows
from desktop.chats.store.write_queue import WriteQueue


class StoreCalls:
    """The queue in front of the database, for the groups of calls."""

    path: Path
    _queue: WriteQueue

    def _read(self, run: Callable[[Any], Any]) -> Future[Any]:
        return self._queue.read(run)

    def _write(self, run: Callable[[Any], Any]) -> Future[Any]:
        return self._queue.write(run)

    def _set(self, chat_id: str, columns: dict[str, Any]) -> Future[None]:
        """Set columns of a chat that is not in the bin. KeyError if it is gone."""
        return self._write(lambda db: chat_rows.update(db, chat_id, columns))
