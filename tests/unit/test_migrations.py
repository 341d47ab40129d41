"""Numbered steps, each whole or not at all, with a backup before."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from desktop.chats import store_keeping
from desktop.chats.chat_store import ChatStore
from desktop.chats.migrations import APPLICATION_ID, MIGRATIONS, TABLES, Migration
from desktop.chats.store_errors import CorruptStoreError, DiskFullError, StoreError
from tests.helpers.stores import opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.db"


def step(number: int) -> Migration:
    """A migration that adds a column."""
    return lambda db: db.execute(f"ALTER TABLE chats ADD COLUMN extra{number} TEXT")


def steps(count: int) -> tuple[Migration, ...]:
    return (*MIGRATIONS, *(step(number) for number in range(count)))


def look(path: Path, sql: str) -> Any:
    with sqlite3.connect(path) as db:
        found = db.execute(sql).fetchall()
    db.close()
    return found


def test_a_new_store_has_the_latest_version_and_no_backup(path: Path) -> None:
    with opened(path):
        pass
    assert look(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert look(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    tables = {name for (name,) in look(path, "SELECT name FROM sqlite_master WHERE type='table'")}
    assert tables >= TABLES
    assert store_keeping.backups_of(path) == []


def test_search_can_be_added_by_the_next_migration(path: Path) -> None:
    """`messages.sequence` serves an external-content FTS5 table as its rowid."""

    def add_search(db: Any) -> None:
        db.execute(
            "CREATE VIRTUAL TABLE search USING fts5 "
            "(content, content='messages', content_rowid='sequence')"
        )
        db.execute("INSERT INTO search (search) VALUES ('rebuild')")

    with opened(path) as store:
        chat = store.create_chat().result(10)
        user, _ = store.add_exchange(chat.id, None, "the hearth is warm").result(10)
    with opened(path, migrations=(*MIGRATIONS, add_search)):
        pass
    found = look(
        path,
        "SELECT messages.id FROM search JOIN messages ON messages.sequence = search.rowid "
        "WHERE search MATCH 'hearth'",
    )
    assert found == [(user.id,)]


def test_a_backup_comes_before_a_migration(path: Path) -> None:
    with opened(path) as store:
        store.create_chat(title="before").result(10)
    with opened(path, migrations=steps(1)) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["before"]
    (backup,) = store_keeping.backups_of(path)
    assert backup.parent == path.parent / "backups"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    assert look(backup, "PRAGMA integrity_check") == [("ok",)]
    assert look(backup, "PRAGMA user_version") == [(1,)]
    assert look(backup, "SELECT title FROM chats") == [("before",)]
    assert list(backup.parent.iterdir()) == [backup]


def test_the_last_backups_are_kept(path: Path) -> None:
    for count in range(6):
        with opened(path, migrations=steps(count)):
            pass
    versions = [
        look(backup, "PRAGMA user_version")[0][0] for backup in store_keeping.backups_of(path)
    ]
    assert versions == [3, 4, 5]
    assert len(versions) == store_keeping.KEPT_BACKUPS


def test_a_backup_can_be_put_back(path: Path) -> None:
    with opened(path) as store:
        store.create_chat(title="before").result(10)
    with opened(path, migrations=steps(1)) as store:
        store.create_chat(title="after").result(10)
    path.write_bytes(store_keeping.backups_of(path)[0].read_bytes())
    with opened(path) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["before"]


def test_a_step_that_fails_leaves_the_version_before_it(path: Path) -> None:
    def broken(db: Any) -> None:
        db.execute("ALTER TABLE chats ADD COLUMN half TEXT")
        db.execute("UPDATE chats SET title = 'half'")
        db.execute("SELECT nonsense FROM nowhere")

    with opened(path) as store:
        store.create_chat(title="kept").result(10)
    store = ChatStore(path, migrations=(*steps(1), broken))
    error = store.open().exception(10)
    store.close()
    assert isinstance(error, StoreError)
    assert look(path, "PRAGMA user_version") == [(2,)]
    assert look(path, "SELECT title FROM chats") == [("kept",)]
    with opened(path, migrations=steps(1)) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["kept"]


def test_no_room_for_the_backup_means_no_migration(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as store:
        store.create_chat(title="kept").result(10)

    def connect(*arguments: Any, **options: Any) -> Any:
        connection = sqlite3_connect(*arguments, **options)
        if str(arguments[0]).endswith(".new") and not options:
            connection.execute("PRAGMA max_page_count = 2")
        return connection

    sqlite3_connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)
    store = ChatStore(path, migrations=steps(1))
    error = store.open().exception(10)
    store.close()
    monkeypatch.undo()
    assert isinstance(error, DiskFullError), repr(error)
    assert look(path, "PRAGMA user_version") == [(1,)]
    assert list((path.parent / "backups").iterdir()) == []


def test_damage_names_the_backup(path: Path) -> None:
    with opened(path) as store:
        store.create_chat(title="before").result(10)
    with opened(path, migrations=steps(1)):
        pass
    path.write_bytes(b"")
    store = ChatStore(path, migrations=steps(1))
    error = store.open().exception(10)
    store.close()
    assert isinstance(error, CorruptStoreError)
    assert str(store_keeping.backups_of(path)[-1]) in error.advice


def test_constraints_hold(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        store.add_exchange(chat.id, None, "x").result(10)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA foreign_keys = ON")
        for sql in (
            "UPDATE messages SET role = 'nobody'",
            "UPDATE messages SET status = 'nothing'",
            "UPDATE messages SET parent_id = 'nobody'",
            "UPDATE messages SET chat_id = 'nobody'",
            "INSERT INTO counter (id, value) VALUES (2, 0)",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                db.execute(sql)
        db.execute("DELETE FROM chats")
        assert db.execute("SELECT count(*) FROM messages").fetchone() == (0,)
    db.close()
