"""Searches as one types: after a short rest, one at a time, and only the newest counts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.chats.search import SearchPage, SearchQuery

if TYPE_CHECKING:
    from desktop.background import Background

DEBOUNCE_MS: Final = 80


class Searching(QObject):
    """See the module.

    Signals:
        found: the `SearchQuery` and its `SearchPage`; never of a query that is not wanted
            any more.
        failed: an exception of the store.
        busy_changed: whether a result is still to come.
    """

    found = Signal(object, object)
    failed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(
        self,
        search: Callable[[SearchQuery], Future[SearchPage]],
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._search = search
        self._background = background
        self._wanted: SearchQuery | None = None
        self._running: Future[SearchPage] | None = None
        self._busy = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(DEBOUNCE_MS)
        self._rest.timeout.connect(self._start)

    @property
    def is_busy(self) -> bool:
        """Whether a result is still to come."""
        return self._busy

    def want(self, query: SearchQuery | None, *, now: bool = False) -> None:
        """Search for this, and for nothing that was wanted before; None: for nothing.

        Args:
            query: what to search for.
            now: do not wait for the next key.
        """
        if query == self._wanted:
            return
        self._wanted = query
        if self._running is not None:
            # It costs nothing if it still waits; if it runs, its result is dropped.
            self._running.cancel()
            self._running = None
        if query is None:
            self._rest.stop()
            self._set_busy(False)
            return
        self._set_busy(True)
        if now:
            self._rest.stop()
            self._start()
        else:
            self._rest.start()

    def forget(self) -> None:
        """What was found may be out of date: the next `want` searches again."""
        self._wanted = None

    def _start(self) -> None:
        query = self._wanted
        if query is None:
            return
        future = self._running = self._search(query)

        def done(page: SearchPage) -> None:
            if self._over(future):
                self.found.emit(query, page)

        def failed(error: Exception) -> None:
            if self._over(future):
                self.failed.emit(error)

        self._background.watch(future, done, failed)

    def _over(self, future: Future[SearchPage]) -> bool:
        """Whether this is the search that is waited for."""
        if future is not self._running:
            return False
        self._running = None
        self._set_busy(False)
        return True

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)
