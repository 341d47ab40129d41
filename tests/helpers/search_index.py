"""Whether the search index has what it should have, looked at from outside."""

from __future__ import annotations

from typing import Any

from desktop.chats.store import search_index
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.migrations import CREATE_INDEX
from desktop.chats.store.search_terms import spaced
from tests.helpers.stores import on_thread


def indexed(store: ChatStore) -> None:
    """Have the backlog worked off."""
    while on_thread(store, _work_off):
        pass


def _work_off(db: Any) -> bool:
    with db.atomic():
        return search_index.work_off(db)


def index_is_right(db: Any) -> bool:
    """Whether the index is sound, and word for word what a new one would be."""
    db.execute("INSERT INTO message_index (message_index) VALUES ('integrity-check')")
    found = _words(db, "message_index")
    with db.atomic():
        db.execute(CREATE_INDEX.replace("message_index", "fresh_index"))
        for sequence, content in db.execute(
            f"SELECT sequence, content FROM messages WHERE NOT ({search_index.ACTIVE}) "
            "AND content <> '' ORDER BY sequence"
        ).fetchall():
            db.execute(
                "INSERT INTO fresh_index (rowid, content) VALUES (?, ?)",
                (sequence, spaced(content)),
            )
    try:
        return found == _words(db, "fresh_index")
    finally:
        db.execute("DROP TABLE fresh_index")


def _words(db: Any, index: str) -> list[tuple[Any, ...]]:
    db.execute(f"CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, {index}, instance)")
    try:
        return sorted(db.execute("SELECT term, doc, offset FROM temp.seen").fetchall())
    finally:
        db.execute("DROP TABLE temp.seen")
