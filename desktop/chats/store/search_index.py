"""Keeps the index of all words in step with the messages.

The rule: a message is in the index, with the text it has now, if it has any, is not being
written (what streams is indexed once, when it ends), and lies beyond the backlog. Chats in
the bin stay in; a search leaves them out.

The backlog is what was there before there was an index, or what a damaged index left:
sequences up to `search_backlog.sequence`. It is worked off from its newest end in short
pieces, so that opening a large store does not wait for it.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from desktop.chats.store.migrations import CREATE_INDEX

# Written out rather than bound, so that SQLite sees the partial index's condition.
ACTIVE: Final = "status IN ('queued', 'running', 'streaming')"

_CORRUPT_VTAB: Final = 267  # an extended result code of SQLite's
_PIECE_MESSAGES: Final = 400
_PIECE_CHARACTERS: Final = 400_000


def add(db: Any, sequence: int, content: str | None = None) -> None:
    """Put a message in. `content`: its text, where it is at hand."""
    _change(db, sequence, content, "INSERT INTO message_index (rowid, content) VALUES (?, ?)")


def drop(db: Any, sequence: int) -> None:
    """Take a message out; it must still have the text it was put in with."""
    _change(
        db,
        sequence,
        None,
        "INSERT INTO message_index (message_index, rowid, content) VALUES ('delete', ?, ?)",
    )


def _change(db: Any, sequence: int, content: str | None, statement: str) -> None:
    if sequence <= backlog(db):
        return
    if content is None:
        (content,) = db.execute(
            "SELECT content FROM messages WHERE sequence = ?", (sequence,)
        ).fetchone()
    if not content:
        return
    db.execute(statement, (sequence, _indexed(content)))


def _indexed(content: str) -> str:
    from desktop.chats.store.search_terms import spaced  # late: opening a chat needs none of it

    return spaced(content)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the index itself is broken.

    What FTS5 cannot read is SQLITE_CORRUPT_VTAB. Where it misreads it, it writes over what
    is there, and one of its own tables refuses that without naming any column.
    """
    code = getattr(error, "sqlite_errorcode", 0)
    return code == _CORRUPT_VTAB or str(error) == "constraint failed"


def backlog(db: Any) -> int:
    """The newest sequence that is still to be indexed; 0 if there is none."""
    row = db.execute("SELECT sequence FROM search_backlog WHERE id = 1").fetchone()
    return int(row[0]) if row else 0


def make_anew(db: Any) -> None:
    """Throw the index away and have everything indexed again."""
    db.execute("DROP TABLE IF EXISTS message_index")
    db.execute(CREATE_INDEX)
    db.execute(
        "INSERT OR REPLACE INTO search_backlog (id, sequence) "
        "SELECT 1, coalesce(max(sequence), 0) FROM messages"
    )


def work_off(db: Any) -> bool:
    """Index a piece of the backlog, some 30 ms of work; whether there is more."""
    end = backlog(db)
    if not end:
        return False
    piece: list[tuple[int, str]] = []
    size, start = 0, 0
    rows = db.execute(
        "SELECT sequence, CASE WHEN " + ACTIVE + " THEN '' ELSE content END FROM messages "
        "WHERE sequence <= ? ORDER BY sequence DESC LIMIT ?",
        (end, _PIECE_MESSAGES),
    )
    for sequence, content in rows:
        piece.append((sequence, content))
        size += len(content)
        if size >= _PIECE_CHARACTERS:
            break
    if piece:
        start = piece[-1][0] - 1
    rows.close()
    for sequence, content in reversed(piece):  # FTS5 writes growing rowids in one go
        if content:
            db.execute(
                "INSERT INTO message_index (rowid, content) VALUES (?, ?)",
                (sequence, _indexed(content)),
            )
    db.execute("UPDATE search_backlog SET sequence = ? WHERE id = 1", (start,))
    return start > 0
