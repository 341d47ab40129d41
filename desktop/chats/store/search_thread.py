"""The thread that searches: a connection of its own that only reads.

So a search never makes a commit wait, nor a commit a search: SQLite's log lets one reader
see the last commit while the writer goes on. The newest search comes first: what was typed
before matters less. A Future may be cancelled while it waits.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from desktop.chats.search import SearchPage, SearchQuery
from desktop.chats.store import search_index, search_vocabulary, store_errors
from desktop.chats.store.search_run import Search
from desktop.chats.store.search_vocabulary import Vocabulary
from desktop.chats.store.store_file import is_undecodable, lenient_text

log = logging.getLogger(__name__)

_CACHE: Final = -16_000  # KiB of pages kept
_FRESH_SECONDS: Final = 20.0  # for which all words are not read anew, whatever is written
_JOIN_SECONDS: Final = 5.0

_Waiting = tuple[SearchQuery, "Future[SearchPage]"]


class SearchThread:
    """See the module.

    Args:
        path: the database, which must be open already when the first search comes.
        translate: turns an SQLite error into the one that callers get.
        on_damage: called, on the thread, when the index is found to be damaged.
    """

    def __init__(
        self,
        path: Path,
        translate: Callable[[sqlite3.Error], Exception],
        on_damage: Callable[[], None],
    ) -> None:
        self._path = path
        self._translate = translate
        self._on_damage = on_damage
        self._wake = threading.Condition()
        self._waiting: list[_Waiting] = []
        self._thread: threading.Thread | None = None
        self._closing = False
        # The rest is touched by the thread alone.
        self._db: sqlite3.Connection | None = None
        self._vocabulary: Vocabulary | None = None
        self._loading: Iterator[Vocabulary | None] | None = None
        self._version = -1  # of the data that the vocabulary was read from
        self._read_at = -math.inf  # monotonic; of the vocabulary

    def search(self, query: SearchQuery, future: Future[SearchPage]) -> None:
        """Resolve `future` with what is found. A failure is a StoreError."""
        with self._wake:
            if self._closing:
                if future.set_running_or_notify_cancel():
                    future.set_exception(store_errors.closed())
                return
            self._waiting.append((query, future))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._loop, name="chat-store-search", daemon=True
                )
                self._thread.start()
            self._wake.notify()

    def close(self) -> None:
        """Refuse what waits, end the thread and close its connection."""
        with self._wake:
            self._closing = True
            waiting, self._waiting = self._waiting, []
            thread = self._thread
            self._wake.notify()
        for _, future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(store_errors.closed())
        if thread is not None:
            thread.join(_JOIN_SECONDS)

    # --- on the thread -----------------------------------------------------------

    def _loop(self) -> None:
        try:
            while (waiting := self._take()) is not None:
                self._run(*waiting)
                del waiting  # or the last page would stay in memory while idle
        finally:
            self._loading = None
            if self._db is not None:
                self._db.close()

    def _take(self) -> _Waiting | None:
        """The newest search; meanwhile, piece by piece, all words are read."""
        while True:
            with self._wake:
                while not self._waiting and not self._closing and self._loading is None:
                    self._wake.wait()
                if self._closing:
                    return None
                if self._waiting:
                    return self._waiting.pop()
            self._load_on()

    def _run(self, query: SearchQuery, future: Future[SearchPage]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            if self._db is None:
                self._db = _connect(self._path)
            page = self._page(self._db, query)
            self._keep_vocabulary(self._db)
        except sqlite3.Error as error:
            if search_index.is_damage(error):
                self._on_damage()
            log.warning("A search failed: %s", error)
            typed = self._translate(error)
            typed.__cause__ = error
            future.set_exception(typed)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(page)

    def _page(self, db: sqlite3.Connection, query: SearchQuery) -> SearchPage:
        try:
            return Search(db, query, self._vocabulary).run()
        except sqlite3.OperationalError as error:
            if not is_undecodable(error) or db.text_factory is lenient_text:
                raise
            db.text_factory = lenient_text
        return Search(db, query, self._vocabulary).run()

    def _keep_vocabulary(self, db: sqlite3.Connection) -> None:
        """Begin to read all words anew if anything was written since."""
        if self._loading is not None or time.monotonic() - self._read_at < _FRESH_SECONDS:
            return
        (version,) = db.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version, self._read_at = version, time.monotonic()
            self._loading = search_vocabulary.load(db)

    def _load_on(self) -> None:
        assert self._loading is not None
        try:
            vocabulary = next(self._loading)
        except sqlite3.Error as error:
            log.warning("The words for searching cannot be read: %s", error)
            self._loading = None
        else:
            if vocabulary is not None:
                self._vocabulary, self._loading = vocabulary, None


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        for pragma in (f"cache_size = {_CACHE}", "temp_store = MEMORY", "trusted_schema = OFF"):
            db.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        db.close()
        raise
    return db
