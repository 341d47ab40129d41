"""A backup a day: whole, private, seven of them."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from desktop.chats.store import store_keeping
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.migrations import MIGRATIONS
from desktop.chats.store.store_errors import CorruptStoreError, DiskFullError
from tests.helpers.stores import disk, opened


def on_day(monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    monkeypatch.setattr(store_keeping, "_today", lambda: f"202601{day:02d}")


def titles(backup: Path) -> set[str]:
    with sqlite3.connect(backup) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found = {title for (title,) in db.execute("SELECT title FROM chats")}
    db.close()
    return found


def test_one_a_day(store: ChatStore, path: Path) -> None:
    store.create_chat(title="mine").result(10)
    backup = store.back_up_daily().result(10)
    assert backup is not None
    assert backup.parent == path.parent / "backups"
    assert time.strftime("%Y%m%d") in backup.name
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    assert titles(backup) == {"mine"}
    assert list(backup.parent.iterdir()) == [backup]
    assert store.back_up_daily().result(10) is None
    assert store_keeping.backups_of(path) == [], "they are not those before migrations"


def test_one_whenever_it_is_asked_for(store: ChatStore, path: Path) -> None:
    first, second = store.back_up_now().result(10), store.back_up_now().result(10)
    assert store_keeping.daily_backups_of(path) == [first, second]
    assert store.back_up_daily().result(10) is None


def test_seven_days_are_kept(store: ChatStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(1, 11):
        on_day(monkeypatch, day)
        store.create_chat(title=str(day)).result(10)
        assert store.back_up_daily().result(10)
    backups = store_keeping.daily_backups_of(path)
    assert [backup.stem[-2:] for backup in backups] == [f"{day:02d}" for day in range(4, 11)]
    assert len(backups) == store_keeping.KEPT_DAILY
    assert titles(backups[0]) == {"1", "2", "3", "4"}


def test_a_clock_that_was_wrong_costs_no_newer_backup(
    store: ChatStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_day(monkeypatch, 28)
    store.back_up_daily().result(10)
    for day in range(1, 9):
        on_day(monkeypatch, day)
        newest = store.back_up_daily().result(10)
    assert store_keeping.daily_backups_of(path)[-1] == newest


def test_a_backup_can_be_put_back(path: Path) -> None:
    with opened(path) as store:
        store.create_chat(title="before").result(10)
        backup = store.back_up_daily().result(10)
        assert backup is not None
        store.create_chat(title="after").result(10)
    path.write_bytes(backup.read_bytes())
    with opened(path) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["before"]


def test_damage_names_the_newest_backup_of_either_kind(path: Path) -> None:
    def step(db: Any) -> None:
        db.execute("ALTER TABLE chats ADD COLUMN extra TEXT")

    with opened(path) as store:
        store.create_chat(title="x").result(10)
    with opened(path, migrations=(*MIGRATIONS, step)) as store:
        daily = store.back_up_daily().result(10)
        assert len(store_keeping.backups_of(path)) == 1
    path.write_bytes(b"")
    store = ChatStore(path, migrations=(*MIGRATIONS, step))
    error = store.open().exception(10)
    store.close()
    assert isinstance(error, CorruptStoreError)
    assert str(daily) in error.advice


def test_no_room_for_it_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with disk(tmp_path / "disk") as small:
        if small is None:
            pytest.skip("only root may mount a disk")
        path = small.folder / "data" / "chats.db"
        with opened(path) as store:
            chat = store.create_chat(title="mine").result(10)
            on_day(monkeypatch, 1)
            first = store.back_up_daily().result(10)
            store.add_exchange(chat.id, None, "x" * 400_000).result(10)
            filler = small.folder / "filler"
            filler.write_bytes(b"\0" * (shutil.disk_usage(small.folder).free - 200_000))
            on_day(monkeypatch, 2)
            with pytest.raises(DiskFullError) as error:
                store.back_up_daily().result(10)
            assert error.value.advice
            assert list((path.parent / "backups").iterdir()) == [first]
            # And the chat goes on.
            store.rename_chat(chat.id, "still mine").result(10)
            small.resize("16m")
            assert store.back_up_daily().result(10)
