"""Erasing chats for good. Runs on the store's thread, outside of transactions.

`secure_delete` overwrites what is deleted where it stands, but a text may have stood
elsewhere before: in a page that SQLite has split since, in the write-ahead log, in the
segments of the search index (which notes deletions beside the words until it merges them;
FTS5's own secure-delete needs SQLite 3.42), and in backups. So, after the deletion:

1. the search index is merged into one segment, which leaves out what is deleted;
2. VACUUM writes the file anew from what is still there;
3. the log is folded in and cut to nothing;
4. backups that hold the chat are removed, and a new one is made from the clean file.

The ids of what is being erased stand in `erasures` until all of that is done, so that a
crash or a full disk in between is made up for later, see `finish`.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from desktop.chats.store import search_index, store_keeping
from desktop.chats.store.store_errors import StoreError, from_os

log = logging.getLogger(__name__)

_TRUNCATE_TRIES: Final = 3  # each waits for readers as long as the connection's timeout


def erase(db: Any, path: Path, chat_ids: Sequence[str]) -> None:
    """Erase chats, in the bin or not. KeyError if one is gone, and then none is erased.

    Raises:
        StoreError: they are gone, but traces of them are left.
    """
    with db.atomic():
        for chat_id in chat_ids:
            _delete(db, chat_id)
    if chat_ids:
        finish(db, path)


def empty_bin(db: Any, path: Path) -> int:
    """Erase all chats in the bin; how many there were."""
    binned = [id_ for (id_,) in db.execute("SELECT id FROM chats WHERE deleted IS NOT NULL")]
    erase(db, path, binned)
    return len(binned)


def _delete(db: Any, chat_id: str) -> None:
    if not db.execute("SELECT 1 FROM chats WHERE id = ?", (chat_id,)).fetchone():
        raise KeyError(chat_id)
    found = db.execute(
        f"SELECT sequence FROM messages WHERE chat_id = ? AND NOT ({search_index.ACTIVE}) "
        "ORDER BY sequence",
        (chat_id,),
    ).fetchall()
    for (sequence,) in found:
        search_index.drop(db, sequence)
    # Parents first would delete their children by a cascade as deep as the chat is long,
    # and SQLite allows a depth of 1,000.
    db.execute("UPDATE chats SET active_leaf = NULL WHERE id = ?", (chat_id,))
    db.execute("UPDATE messages SET parent_id = NULL WHERE chat_id = ?", (chat_id,))
    db.execute("DELETE FROM messages WHERE chat_id = ?", (chat_id,))
    db.execute("DELETE FROM chats WHERE id = ?", (chat_id,))
    db.execute("INSERT OR IGNORE INTO erasures (chat_id) VALUES (?)", (chat_id,))


def finish(db: Any, path: Path) -> None:
    """Remove the traces of what was erased, if any are left.

    Raises:
        StoreError: what could not be cleaned; it stays noted.
    """
    chat_ids = [id_ for (id_,) in db.execute("SELECT chat_id FROM erasures")]
    if not chat_ids:
        return
    try:
        _clean(db)
        if store_keeping.remove_backups_of(path, chat_ids):
            store_keeping.back_up_now(db, path)
        with db.atomic():
            db.execute("DELETE FROM erasures")
        _truncate(db)
    except OSError as error:
        raise from_os(error, path) from error
    damaged = store_keeping.damaged_with(path, chat_ids)
    if damaged:
        files = ", ".join(str(file) for file in damaged)
        raise StoreError(
            f"The chat is erased, but a damaged file that was set aside earlier still holds "
            f"it: {files}.",
            "Delete that file if you need nothing else from it.",
            usable=True,
        )


def _clean(db: Any) -> None:
    try:
        db.execute("INSERT INTO message_index (message_index) VALUES ('optimize')")
    except sqlite3.Error as error:
        if not search_index.is_damage(error):
            raise
        with db.atomic():
            search_index.make_anew(db)
    # In memory the copy would be as large as the store; the file holds what is kept only.
    db.execute("PRAGMA temp_store = FILE")
    try:
        db.execute("VACUUM")
    finally:
        with contextlib.suppress(sqlite3.Error):
            db.execute("PRAGMA temp_store = MEMORY")
    _truncate(db)


def _truncate(db: Any) -> None:
    """Fold the log into the file and cut it to nothing."""
    for _ in range(_TRUNCATE_TRIES):
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
    raise StoreError(
        "The chat is deleted, but another program reads the file of your chats, so traces of "
        "it are still in its log.",
        "Close that program (a database browser, a backup program). Inglenook tries again at "
        "its next start.",
        usable=True,
    )
