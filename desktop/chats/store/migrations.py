"""The store's schema, as numbered migrations.

`PRAGMA user_version` holds the number of the last migration applied. A migration
that has been released is never edited: a change is a new one at the end.

Choices that later migrations build on:

- `messages.sequence` is the INTEGER PRIMARY KEY, so it is stable under VACUUM and
  can serve as the rowid of an external-content FTS5 table.
- Order comes from `counter`, never from a clock; `created`, `updated` and `deleted`
  are seconds since the epoch and only ever shown.
- Columns that may be large stand last, so that listing reads no overflow pages.
- No STRICT tables and no RETURNING: SQLite 3.34 is still what some distributions
  give their Python 3.11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

# "Ingl", shown by file(1); not a version.
APPLICATION_ID: Final = 0x496E676C

Migration = Callable[[Any], None]

# The index of all words, without a copy of the texts. Prefix indices would make it two and
# a half times as large and as slow to write, and save a few milliseconds at most.
CREATE_INDEX: Final = (
    "CREATE VIRTUAL TABLE message_index USING fts5 "
    "(content, content = '', tokenize = 'unicode61 remove_diacritics 2')"
)

_FIRST: Final = (
    """
    CREATE TABLE counter (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        value INTEGER NOT NULL
    )
    """,
    "INSERT INTO counter (id, value) VALUES (1, 0)",
    """
    CREATE TABLE chats (
        id TEXT NOT NULL PRIMARY KEY,
        title TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        deleted REAL,
        folder TEXT NOT NULL DEFAULT '',
        pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
        archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
        model TEXT NOT NULL DEFAULT '',
        active_leaf TEXT REFERENCES messages (id)
            ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        parameters TEXT NOT NULL DEFAULT '{}',
        system_prompt TEXT NOT NULL DEFAULT '',
        draft TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX chats_by_change ON chats (sequence)",
    "CREATE INDEX chats_by_leaf ON chats (active_leaf)",
    """
    CREATE TABLE messages (
        sequence INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
        parent_id TEXT REFERENCES messages (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
        status TEXT NOT NULL CHECK (status IN (
            'queued', 'running', 'streaming', 'complete', 'stopped', 'interrupted', 'failed'
        )),
        created REAL NOT NULL,
        model TEXT NOT NULL DEFAULT '',
        error TEXT NOT NULL DEFAULT '',
        statistics TEXT,
        reasoning TEXT NOT NULL DEFAULT '',
        content TEXT NOT NULL
    )
    """,
    "CREATE INDEX messages_of_chat ON messages (chat_id)",
    "CREATE INDEX messages_by_parent ON messages (parent_id)",
    # Finds what a crash left half-done without reading 100,000 rows.
    """
    CREATE INDEX answers_on_their_way ON messages (chat_id)
        WHERE status IN ('queued', 'running', 'streaming')
    """,
)


def _first(db: Any) -> None:
    for statement in _FIRST:
        db.execute(statement)


_SECOND: Final = (
    # Of a message, or of the chat's draft where `message_id` is NULL. The same one may hang on
    # two messages: an edited question takes along what hung on it.
    """
    CREATE TABLE attachments (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
        message_id TEXT REFERENCES messages (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        content TEXT NOT NULL
    )
    """,
    "CREATE INDEX attachments_of_chat ON attachments (chat_id)",
    "CREATE INDEX attachments_of_message ON attachments (message_id) WHERE message_id IS NOT NULL",
    """
    CREATE TABLE presets (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        parameters TEXT NOT NULL DEFAULT '{}',
        system_prompt TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX messages_by_model ON messages (model) WHERE model <> ''",
    # For the filters of the search; nothing is ordered by it.
    "CREATE INDEX messages_by_date ON messages (created)",
    # Work that a crash must not forget: see `erasure`.
    "CREATE TABLE erasures (chat_id TEXT NOT NULL PRIMARY KEY)",
    # Messages up to this sequence are still to be put into the index: see `search_index`.
    """
    CREATE TABLE search_backlog (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        sequence INTEGER NOT NULL
    )
    """,
    "INSERT INTO search_backlog (id, sequence) SELECT 1, coalesce(max(sequence), 0) FROM messages",
    CREATE_INDEX,
)


def _second(db: Any) -> None:
    for statement in _SECOND:
        db.execute(statement)


# MIGRATIONS[n - 1] leads from version n - 1 to version n.
MIGRATIONS: Final[tuple[Migration, ...]] = (_first, _second)

_TABLES: Final = (
    frozenset({"counter", "chats", "messages"}),
    frozenset({"attachments", "presets", "erasures", "search_backlog", "message_index"}),
)
TABLES: Final = frozenset().union(*_TABLES)


def tables_of(version: int) -> frozenset[str]:
    """The tables that a store of this version has at least."""
    return frozenset().union(*_TABLES[:version])


def version_of(db: Any) -> int:
    """The number of the last migration applied to `db`."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: Any, migrations: Sequence[Migration]) -> None:
    """Apply what is missing, each step in a transaction of its own.

    A step and its number are committed together: after a crash the store is at one
    version or the next, never between.

    Args:
        db: a `sqlite_utils.Database` in autocommit mode.
        migrations: all of them, from the first.
    """
    for number in range(version_of(db) + 1, len(migrations) + 1):
        with db.atomic():
            migrations[number - 1](db)
            db.execute(f"PRAGMA user_version = {number}")
