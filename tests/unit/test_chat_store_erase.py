"""Erased for good: no byte of it is left in any file."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from desktop.chats.chat import Attachment, MessageStatus, Role, Statistics
from desktop.chats.search import SearchQuery
from desktop.chats.store import erasure, store_file, store_keeping
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.migrations import MIGRATIONS
from desktop.chats.store.store_errors import DiskFullError, StoreError
from tests.helpers.search_index import index_is_right
from tests.helpers.stores import disk, on_thread, opened

# Letters for the index (which folds case) and for the texts.
SECRET = "zyxwvutsecret"
MARK = SECRET.encode()


def leaks(path: Path) -> list[str]:
    """The files beside the store, and below, that hold the secret.

    A copy is looked at: closing a descriptor of the database itself would drop the locks
    that SQLite holds on it.
    """
    copy = path.parent.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    pid = os.fork()
    if pid == 0:  # its descriptors are its own
        try:
            shutil.copytree(path.parent, copy)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    return sorted(
        file.relative_to(copy).as_posix()
        for file in copy.rglob("*")
        if file.is_file() and MARK in file.read_bytes().lower()
    )


def fill(store: ChatStore, text: str, count: int = 40) -> str:
    """A chat with `text` wherever text may stand; its id."""
    chat = store.create_chat(
        title=f"title {text}", system_prompt=f"prompt {text}", parameters={"stop": [text]}
    ).result(10)
    parent = None
    for number in range(count):
        file = Attachment(f"{number}", f"{text}{number}.txt", f"{number} {text} " * 300)
        user, answer = store.add_exchange(
            chat.id, parent, f"{text}{number} word{number} " * (1 + number), attachments=[file]
        ).result(10)
        for length in (1, 20, 100):
            store.update_message(
                answer.id,
                content=f"{text}{number} " * length,
                reasoning=f"because {text} " * length,
                status=MessageStatus.STREAMING,
                error=text,
                statistics=Statistics(run={"x": text}),
            ).result(10)
        store.update_message(answer.id, status=MessageStatus.COMPLETE)
        parent = user.id if number % 3 else answer.id
    store.save_draft(chat.id, f"draft {text}", [Attachment("d", text, text)])
    store.set_folder(chat.id, f"folder {text}").result(10)
    return chat.id


@pytest.mark.parametrize("binned", [False, True])
def test_no_byte_is_left(path: Path, binned: bool) -> None:
    with opened(path) as store:
        before = fill(store, "before")
        chat = fill(store, SECRET)
        after = fill(store, "after", 10)
        store.back_up_daily().result(10)
        assert store.search(SearchQuery(SECRET)).result(10).hits
        assert set(leaks(path)) >= {"chats.db", "backups/" + store_names(path)[0]}
        if binned:
            store.delete_chat(chat).result(10)
        kept = [store.load_tree(id_).result(10) for id_ in (before, after)]
        store.erase_chat(chat).result(30)
        assert leaks(path) == [], "while it is open"
        assert path.with_name("chats.db-wal").stat().st_size == 0
        assert store.search(SearchQuery(SECRET)).result(10).hits == ()
        assert on_thread(store, index_is_right)
        assert [store.load_tree(id_).result(10) for id_ in (before, after)] == kept
        with pytest.raises(KeyError):
            store.erase_chat(chat).result(10)
        with pytest.raises(KeyError):
            store.restore_chat(chat).result(10)
    assert leaks(path) == [], "after it was closed"
    with opened(path) as store:
        assert [store.load_tree(id_).result(10) for id_ in (before, after)] == kept


@pytest.mark.parametrize("seed", [0, 8, 11, 17])
def test_pages_that_sqlite_has_split_keep_nothing(path: Path, seed: int) -> None:
    """Texts of two chats side by side, growing: overwriting where they stand is not enough.

    With these seeds, erasing without VACUUM leaves some of the text in the file.
    """
    chance = random.Random(seed)
    with opened(path) as store:
        texts = {store.create_chat().result(10).id: text for text in ("kept ", f"{SECRET} ")}
        answers: list[tuple[str, str]] = []
        for _ in range(60):
            for chat, text in texts.items():
                question = text * chance.randint(1, 60)
                _, answer = store.add_exchange(chat, None, question).result(10)
                answers.append((answer.id, text))
                if chance.random() < 0.5:
                    store.save_draft(chat, text * chance.randint(1, 300)).result(10)
            for answer_id, text in chance.sample(answers, min(6, len(answers))):
                store.update_message(
                    answer_id,
                    content=text * chance.randint(1, 400),
                    reasoning=text * chance.randint(0, 100),
                    status=chance.choice((MessageStatus.STREAMING, MessageStatus.COMPLETE)),
                ).result(10)
        store.erase_chat(list(texts)[1]).result(30)
        assert leaks(path) == []


def store_names(path: Path) -> list[str]:
    return [file.name for file in store_keeping.daily_backups_of(path)]


def test_emptying_the_bin_erases_all_of_it(path: Path) -> None:
    with opened(path) as store:
        kept = fill(store, "kept", 5)
        for _ in range(3):
            store.delete_chat(fill(store, SECRET, 5)).result(10)
        assert store.empty_bin().result(30) == 3
        assert leaks(path) == []
        assert [chat.id for chat in store.list_chats().result(10)] == [kept]


def test_several_are_erased_together_or_none(path: Path) -> None:
    with opened(path) as store:
        chats = [fill(store, SECRET, 2) for _ in range(3)]
        with pytest.raises(KeyError):
            store.erase_chats([*chats, "no such chat"]).result(30)
        assert {chat.id for chat in store.list_chats().result(10)} == set(chats)
        store.erase_chats([]).result(10)
        store.erase_chats(chats).result(30)
        assert store.list_chats().result(10) == []
        assert leaks(path) == []


def test_backups_that_hold_it_are_removed_and_others_stay(path: Path) -> None:
    with opened(path, migrations=MIGRATIONS[:1]):
        pass
    with opened(path) as store:  # a backup before the migration: without the chat
        chat = fill(store, SECRET, 3)
        with_it = store.back_up_daily().result(10)
        assert with_it is not None
        (clean,) = store_keeping.backups_of(path)
        store.erase_chat(chat).result(30)
        assert clean.exists()
        assert len(store_keeping.daily_backups_of(path)) == 1, "a fresh one"
        assert leaks(path) == []
        unreadable = clean.with_name("chats-000009-v1.db")
        unreadable.write_bytes(b"who knows")
        store.erase_chat(fill(store, SECRET, 1)).result(30)
        assert not unreadable.exists()


def test_a_stream_that_ends_late_brings_nothing_back(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        _, answer = store.add_exchange(chat.id, None, SECRET).result(10)
        store.update_message(answer.id, content=SECRET, status=MessageStatus.STREAMING)
        erased = store.erase_chat(chat.id)
        store.update_message(answer.id, content=SECRET * 2, status=MessageStatus.COMPLETE)
        store.save_draft(chat.id, SECRET).exception(10)
        erased.result(30)
        store.flush().result(10)
        assert leaks(path) == []


def test_a_removed_message_leaves_with_its_chat(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        message = store.add_message(chat.id, None, Role.USER, SECRET).result(10)
        store.remove_message(message.id).result(10)
        store.erase_chat(chat.id).result(30)
        assert leaks(path) == []


def test_a_crash_in_between_is_made_up_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_db: Any, _path: Path) -> None:
        raise RuntimeError("power cut")

    with opened(path) as store:
        chat = fill(store, SECRET, 5)
        store.back_up_daily().result(10)
        with monkeypatch.context() as patch:
            patch.setattr(erasure, "finish", crash)
            with pytest.raises(RuntimeError):
                store.erase_chat(chat).result(30)
    assert leaks(path)
    with opened(path) as store:
        assert store.list_chats().result(10) == []
        store.back_up_daily().result(30)
        assert leaks(path) == []


def test_no_room_to_write_the_file_anew(path: Path, tmp_path: Path) -> None:
    with disk(tmp_path / "disk", "6m") as small:
        if small is None:
            pytest.skip("only root may mount a disk")
        path = small.folder / "data" / "chats.db"
        with opened(path) as store:
            chat = fill(store, SECRET, 10)
            kept = store.create_chat(title="kept").result(10)
            filler = small.folder / "filler"
            filler.write_bytes(b"\0" * (shutil.disk_usage(small.folder).free - 64 * 1024))
            with pytest.raises(DiskFullError) as error:
                store.erase_chat(chat).result(30)
            assert error.value.advice
            assert [c.id for c in store.list_chats().result(10)] == [kept.id] or chat in {
                c.id for c in store.list_chats().result(10)
            }
            filler.unlink()
            store.erase_chat(chat).exception(30)
            store.back_up_daily().result(30)
            assert leaks(path) == []
            assert [c.id for c in store.list_chats().result(10)] == [kept.id]


def test_another_program_that_reads_the_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "_BUSY_SECONDS", 0.05)
    with opened(path) as store:
        chat = fill(store, SECRET, 3)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM chats").fetchone()
        with pytest.raises(StoreError) as error:
            store.erase_chat(chat).result(30)
        assert "another program" in error.value.cause
        assert "next start" in error.value.advice
        other.execute("COMMIT")
        other.close()
        store.back_up_daily().result(30)
        assert leaks(path) == []


def test_a_damaged_file_set_aside_that_holds_it_is_named(path: Path) -> None:
    with opened(path) as store:
        chat = fill(store, SECRET, 3)
        aside = path.with_name("chats.db.damaged-20260101-000000")
        aside.write_bytes(b"\0" * (1024 * 1024 - 10) + chat.encode() + b"\0" * 100)
        path.with_name("chats.db.damaged-20260101-000001").write_bytes(b"another")
        with pytest.raises(StoreError) as error:
            store.erase_chat(chat).result(30)
        assert str(aside) in error.value.cause
        assert "000001" not in error.value.cause
        assert aside.exists()
        assert store.list_chats().result(10) == []
        assert leaks(path) == []
