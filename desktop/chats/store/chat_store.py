"""Chats on disk: what the rest of the program asks of the store.

Every method returns at once with a Future that the store's one writing thread resolves (a
search: a reading one); its callbacks run on that thread. Futures fail with a `StoreError`,
with `KeyError` where a chat or message is not there (any more), with `ValueError` where the
call makes no sense. What a Future has confirmed survives kill -9 and a power cut.

The calls are grouped by what they are about: `message_calls` (messages, branches),
`shelf_calls` (folders, the bin, presets), and here chats as a whole, search and the file.
What is seldom called is imported when it is: the first chat waits for the imports here.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.chats.chat import (
    DEFAULT_SYSTEM_PROMPT,
    DEFAULT_TITLE,
    Attachment,
    Chat,
    ChatSummary,
)
from desktop.chats.chat import (
    new_id as fresh_id,
)
from desktop.chats.names import name_from
from desktop.chats.store import (
    chat_rows,
    message_tree,
    rows,
    search_index,
    store_errors,
    store_file,
    store_keeping,
)
from desktop.chats.store.message_calls import MessageCalls
from desktop.chats.store.migrations import MIGRATIONS, Migration
from desktop.chats.store.rows import storable
from desktop.chats.store.shelf_calls import ShelfCalls
from desktop.chats.store.write_queue import WriteQueue

if TYPE_CHECKING:
    from desktop.chats.chat_tree import ChatTree
    from desktop.chats.search import SearchPage, SearchQuery
    from desktop.chats.store.search_thread import SearchThread

log = logging.getLogger(__name__)


class ChatStore(MessageCalls, ShelfCalls):
    """All chats of one user in one SQLite file.

    Args:
        path: the database. Its folder is made when missing.
        migrations: the schema's steps; tests pass their own.
    """

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.path = path
        self._queue = WriteQueue(
            lambda: store_file.open_store(path, migrations),
            self._typed,
            self._mended,
        )
        self._search: SearchThread | None = None  # once something is searched for
        self._search_lock = threading.Lock()
        self._was_open = False
        self._is_closed = False

    def _typed(self, error: sqlite3.Error) -> Exception:
        if store_errors.is_damage(error) and not search_index.is_damage(error):
            store_file.suspect(self.path)
        return store_errors.from_sqlite(error, self.path)

    def _mended(self, error: sqlite3.Error, db: Any) -> bool:
        """Whether what made a call fail is out of the way; on the store's thread."""
        if store_file.is_undecodable(error) and db.conn.text_factory is str:
            log.warning("A text in the store is damaged: %s", error)
            db.conn.text_factory = store_file.lenient_text
            return True
        if search_index.is_damage(error):
            # Nobody loses a message because of an index.
            log.warning("The search index is damaged and is made anew: %s", error)
            with db.atomic():
                search_index.make_anew(db)
            self._index_on()
            return True
        return False

    def open(self) -> Future[None]:
        """Open the file, or make it. May be called again after it failed.

        Fails with a `StoreError`. One whose `usable` is true (a `CorruptStoreError`)
        tells of a damaged file that was set aside: the store is open, with what could still
        be read from that file.
        """
        opening = self._queue.open()
        opening.add_done_callback(lambda _: self._index_on())
        return opening

    def _index_on(self, _done: Future[bool] | None = None) -> None:
        """Index a piece of what an older version left unindexed, then the next."""
        if _done is None or (_done.exception() is None and _done.result()):
            self._write(search_index.work_off).add_done_callback(self._index_on)

    # --- chats -------------------------------------------------------------------

    def create_chat(
        self,
        *,
        title: str = DEFAULT_TITLE,
        system_prompt: str = DEFAULT_SYSTEM_PROMPT,
        model: str = "",
        parameters: dict[str, object] | None = None,
    ) -> Future[Chat]:
        """Make an empty chat."""
        chat_id = fresh_id()
        copied = dict(parameters or {})

        def run(db: Any) -> Chat:
            chat_rows.create(
                db,
                chat_id,
                title,
                system_prompt=system_prompt,
                model=model,
                parameters=copied,
            )
            return message_tree.load(db, chat_id)

        return self._write(run)

    def rename_chat(self, chat_id: str, title: str) -> Future[None]:
        """Give a chat another title."""
        return self._set(chat_id, {"title": name_from(storable(title)) or DEFAULT_TITLE})

    def set_chat(
        self,
        chat_id: str,
        *,
        system_prompt: str | None = None,
        model: str | None = None,
        parameters: dict[str, object] | None = None,
    ) -> Future[None]:
        """Change what is not None."""
        columns = {
            "system_prompt": None if system_prompt is None else storable(system_prompt),
            "model": None if model is None else storable(model),
            "parameters": None if parameters is None else rows.parameters_json(parameters),
        }
        return self._set(chat_id, {name: v for name, v in columns.items() if v is not None})

    def save_draft(
        self, chat_id: str, text: str, attachments: Sequence[Attachment] | None = None
    ) -> Future[None]:
        """Keep what the user has typed but not sent. Merges with one that still waits.

        Args:
            attachments: what hangs on it; None leaves that as it is.
        """
        values: dict[str, Any] = {"text": text}
        if attachments is not None:
            values["attachments"] = tuple(attachments)

        def run(db: Any, merged: dict[str, Any]) -> None:
            chat_rows.set_draft(db, chat_id, merged["text"], merged.get("attachments"))

        return self._queue.merge(("draft", chat_id), values, run)

    def fork_chat(self, chat_id: str, message_id: str, title: str) -> Future[Chat]:
        """Copy the path from the root to a message into a new chat; that chat.

        KeyError if the chat is gone; ValueError if the message is not in it.
        """

        def run(db: Any) -> Chat:
            from desktop.chats.store import chat_copies

            return chat_copies.fork(db, chat_id, message_id, title)

        return self._write(run)

    def export_tree(self, chat_id: str) -> Future[ChatTree]:
        """The whole chat with all its branches. KeyError if gone."""

        def run(db: Any) -> ChatTree:
            from desktop.chats.store import chat_copies

            return chat_copies.export(db, chat_id)

        return self._read(run)

    def import_tree(self, tree: ChatTree) -> Future[ChatSummary]:
        """Make a chat of `tree`, with new ids, at the head of the list.

        ValueError, and no chat, where a parent comes after its child or is not there.
        """

        def run(db: Any) -> ChatSummary:
            from desktop.chats.store import chat_copies

            return chat_copies.bring_in(db, tree)

        return self._write(run)

    # --- search ------------------------------------------------------------------

    def search(self, query: SearchQuery) -> Future[SearchPage]:
        """The best hits of a query; whatever is typed, it is no error.

        It sees all that was confirmed before. The newest search comes first, and one that
        is not wanted any more can be cancelled: `Future.cancel`.
        """
        future: Future[SearchPage] = Future()

        def hand_over(opened: Future[Any]) -> None:
            error = opened.exception()
            if error is None:
                self._was_open = True
                self._search_thread().search(query, future)
            elif future.set_running_or_notify_cancel():
                future.set_exception(error)

        if self._was_open:
            self._search_thread().search(query, future)
        else:
            self.flush().add_done_callback(hand_over)
        return future

    def _search_thread(self) -> SearchThread:
        with self._search_lock:
            if self._search is None:
                # Late: most never search.
                from desktop.chats.store.search_thread import SearchThread

                self._search = SearchThread(self.path, self._typed, self._mend_index)
                if self._is_closed:
                    self._search.close()
            return self._search

    def _mend_index(self) -> None:
        """Have the index made anew: a search met damage in it."""
        self._write(search_index.make_anew).add_done_callback(lambda _: self._index_on())

    # --- the file ----------------------------------------------------------------

    def back_up_daily(self) -> Future[Path | None]:
        """Copy the store beside it unless that was done today (None); keeps seven days.

        First finishes what an erasure left undone. Fails with a `StoreError` where there is
        no room; earlier backups are all there.
        """

        def run(db: Any) -> Path | None:
            from desktop.chats.store import erasure

            erasure.finish(db, self.path)
            return store_keeping.back_up_daily(db, self.path)

        return self._queue.alone(run)

    def back_up_now(self) -> Future[Path]:
        """Copy the store beside it, whatever was done today; counts as a daily one."""

        def run(db: Any) -> Path:
            from desktop.chats.store import erasure

            erasure.finish(db, self.path)
            return store_keeping.back_up_now(db, self.path)

        return self._queue.alone(run)

    def flush(self) -> Future[None]:
        """Resolves when all that was submitted before is on disk."""
        return self._read(lambda _db: None)

    def close(self, timeout: float = 5.0) -> None:
        """Write what was submitted, then close. Waits `timeout` seconds at most."""
        # First the reader: the last connection to close folds the log in.
        with self._search_lock:
            self._is_closed = True
            search = self._search
        if search is not None:
            search.close()
        if not self._queue.close(timeout):
            log.warning("The store was still writing after %.1f s", timeout)
