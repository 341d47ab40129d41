"""Numbered steps, each whole or not at all, with a backup before."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from desktop.chats.search import SearchQuery
from desktop.chats.store import store_keeping
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.migrations import APPLICATION_ID, MIGRATIONS, TABLES, Migration
from desktop.chats.store.store_errors import CorruptStoreError, DiskFullError, StoreError
from tests.helpers.search_index import index_is_right, indexed
from tests.helpers.stores import on_thread, opened


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


def test_chats_of_the_first_version_are_found_after_its_migration(path: Path) -> None:
    """The index is filled after the opening; deleting and changing work meanwhile."""
    with opened(path, migrations=MIGRATIONS[:1]) as store:
        on_thread(store, first_version_chat)
    with opened(path) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["old"]
        chat = store.load_chat("c").result(10)
        assert [message.content for message in chat.messages] == ["the hearth is warm", ""]
        store.update_message("m1", content="the hearth is cold").result(10)
        indexed(store)
        for word, expected in (("hearth", ["m1"]), ("cold", ["m1"]), ("warm", []), ("on", ["m3"])):
            page = store.search(SearchQuery(word)).result(10)
            assert [hit.message_id for hit in page.hits] == expected
        assert on_thread(store, index_is_right)


def first_version_chat(db: Any) -> None:
    """A chat as the first version wrote it; its last answer is on its way."""
    with db.atomic():
        db.execute(
            "INSERT INTO chats (id, title, sequence, created, updated) VALUES ('c','old',4,0,0)"
        )
        for sequence, parent, role, status, content in (
            (1, None, "user", "complete", "the hearth is warm"),
            (2, "m1", "assistant", "streaming", ""),
            (3, None, "user", "complete", "go on"),
        ):
            db.execute(
                "INSERT INTO messages (sequence, id, chat_id, parent_id, role, status, created, "
                "content) VALUES (?, ?, 'c', ?, ?, ?, 0, ?)",
                (sequence, f"m{sequence}", parent, role, status, content),
            )
        db.execute("UPDATE chats SET active_leaf = 'm2'")
        db.execute("UPDATE counter SET value = 4")


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
    assert look(backup, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert look(backup, "SELECT title FROM chats") == [("before",)]
    assert list(backup.parent.iterdir()) == [backup]


def test_the_last_backups_are_kept(path: Path) -> None:
    for count in range(6):
        with opened(path, migrations=steps(count)):
            pass
    versions = [
        look(backup, "PRAGMA user_version")[0][0] for backup in store_keeping.backups_of(path)
    ]
    assert versions == [len(MIGRATIONS) + count for count in (2, 3, 4)]
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
    assert look(path, "PRAGMA user_version") == [(len(MIGRATIONS) + 1,)]
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
    assert look(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
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
