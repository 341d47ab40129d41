"""What bad disks, bad files and other programs do to the store, and what must hold."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.chats.chat import Attachment, MessageStatus
from desktop.chats.search import SearchQuery
from desktop.chats.store import store_check, store_file
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.migrations import MIGRATIONS
from desktop.chats.store.store_errors import (
    CorruptStoreError,
    DiskFullError,
    FutureVersionError,
    ReadOnlyStoreError,
    StoreError,
    StoreLockedError,
)
from tests.helpers.search_index import index_is_right
from tests.helpers.stores import contents, disk, on_thread, opened


@pytest.fixture
def filled(path: Path) -> Path:
    """A store with one chat called "kept" of 40 messages."""
    with opened(path) as store:
        chat, parent = store.create_chat(title="kept").result(10), None
        for number in range(20):
            _, answer = store.add_exchange(chat.id, parent, f"{number} " * 200).result(10)
            parent = answer.id
    return path


def failure(path: Path, **options: Any) -> StoreError:
    """The error that opening ends with."""
    store = ChatStore(path, **options)
    try:
        error = store.open().exception(10)
        assert isinstance(error, StoreError)
        assert error.cause
        assert error.advice
        if not error.usable:
            assert store.list_chats().exception(10) is error
        return error
    finally:
        store.close()


def titles(path: Path) -> list[str]:
    with opened(path) as store:
        return [chat.title for chat in store.list_chats().result(10)]


# --- permissions -----------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_files_are_private_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with opened(path) as store:
            store.create_chat().result(10)
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(
        ("chats.db", "chats.db-wal", "chats.db-shm", "chats.db.lock"), 0o600
    )
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_an_open_mode_is_tightened(filled: Path) -> None:
    filled.chmod(0o644)
    assert titles(filled) == ["kept"]
    assert stat.S_IMODE(filled.stat().st_mode) == 0o600


# --- the disk --------------------------------------------------------------------


def test_a_full_disk_fails_the_write_and_nothing_else(path: Path) -> None:
    """SQLite's own limit on pages: the same error as a full disk, for any user."""
    with opened(path) as store:
        chat = store.create_chat().result(10)
        user, answer = store.add_exchange(chat.id, None, "kept").result(10)
        store.save_draft(chat.id, "my draft").result(10)
        on_thread(store, lambda db: db.execute("PRAGMA max_page_count = 1").fetchall())
        future = store.add_exchange(chat.id, answer.id, "x" * 1_000_000)
        with pytest.raises(DiskFullError) as error:
            future.result(10)
        assert str(path.parent) in error.value.cause
        kept = store.load_chat(chat.id).result(10)
        assert kept.messages == (user, answer)
        assert kept.draft == "my draft"
        on_thread(store, lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchall())
        store.add_exchange(chat.id, answer.id, "x" * 1_000_000).result(10)
    with opened(path) as store:
        assert len(store.load_chat(chat.id).result(10).messages) == 4


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Any]:
    with disk(tmp_path / "disk") as mounted:
        if mounted is None:
            pytest.skip("only root may mount a disk")
        yield mounted


def test_a_real_full_disk(small: Any) -> None:
    """4 MB, filled while a chat goes on: each write is there or failed, and it recovers."""
    path = small.folder / "data" / "chats.db"
    with opened(path) as store:
        chat = store.create_chat().result(10)
        stored, parent, failures = [], None, 0
        while failures < 5:
            future = store.add_exchange(chat.id, parent, "x" * 100_000)
            error = future.exception(10)
            if error is None:
                user, answer = future.result()
                stored += [user.id, answer.id]
                parent = answer.id
            else:
                assert isinstance(error, DiskFullError), repr(error)
                failures += 1
        assert [m.id for m in store.load_tree(chat.id).result(10)] == stored
    # While it is full: it still opens, and reads.
    with opened(path) as store:
        assert [m.id for m in store.load_tree(chat.id).result(10)] == stored
    small.resize("16m")
    with opened(path) as store:
        store.add_exchange(chat.id, parent, "x" * 100_000).result(10)
        assert len(store.load_tree(chat.id).result(10)) == len(stored) + 2
        assert on_thread(store, lambda db: db.execute("PRAGMA integrity_check").fetchall()) == [
            ("ok",)
        ]


def test_a_disk_that_fills_while_an_answer_streams(small: Any) -> None:
    """Each step fails with the same error or is there; what was there before stays."""
    path = small.folder / "data" / "chats.db"
    with opened(path) as store:
        chat = store.create_chat().result(10)
        user, answer = store.add_exchange(chat.id, None, "the hearth").result(10)
        store.save_draft(chat.id, "my draft").result(10)
        filler = small.folder / "filler"
        filler.write_bytes(b"\0" * (shutil.disk_usage(small.folder).free - 300_000))
        streamed, error = "", None
        while error is None:
            more = streamed + "words " * 10_000
            error = store.update_message(
                answer.id, content=more, status=MessageStatus.STREAMING
            ).exception(10)
            streamed = streamed if error else more
        file = Attachment("a", "notes.txt", "y" * 600_000)
        for future in (
            store.update_message(answer.id, content=streamed + "x" * 600_000),
            store.add_exchange(chat.id, answer.id, "next", attachments=[file]),
            store.save_draft(chat.id, "z" * 600_000),
            store.fork_chat(chat.id, answer.id, "y" * 600_000),
        ):
            error = future.exception(10)
            assert isinstance(error, DiskFullError), repr(error)
            assert "Everything saved before is safe" in error.advice
        kept = store.load_chat(chat.id).result(10)
        assert [message.content for message in kept.messages] == ["the hearth", streamed]
        assert (kept.draft, kept.draft_attachments) == ("my draft", ())
        found = store.search(SearchQuery("hearth")).result(10).hits
        assert [hit.message_id for hit in found] == [user.id]
        filler.unlink()
        store.update_message(answer.id, content=streamed + "end", status=MessageStatus.COMPLETE)
        store.flush().result(10)
        assert on_thread(store, index_is_right)
        assert store.load_chat(chat.id).result(10).messages[-1].content == streamed + "end"


def test_a_full_disk_at_the_first_start(small: Any) -> None:
    small.folder.joinpath("filler").write_bytes(b"\0" * (4 * 1024 * 1024 - 16 * 1024))
    path = small.folder / "data" / "chats.db"
    store = ChatStore(path)
    assert isinstance(store.open().exception(10), DiskFullError)
    assert not path.exists(), "nothing half-made"
    small.folder.joinpath("filler").unlink()
    store.open().result(10)
    store.create_chat().result(10)
    store.close()


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[tuple[Path, Callable[[bool], None]]]:
    """A folder, and what makes it read-only (True) or writable: for root, a disk."""
    with disk(tmp_path / "disk", "16m") as mounted:
        folder = tmp_path / "disk"
        if mounted is None and os.geteuid() == 0:
            pytest.skip("root may write anywhere, and may not mount a disk here")

        def switch(on: bool) -> None:
            if mounted is None:
                for at, _, _ in os.walk(folder):
                    Path(at).chmod(0o500 if on else 0o700)
            elif on:
                mounted.make_read_only()
            else:
                mounted.make_writable()

        yield folder, switch
        if mounted is None:
            switch(False)


@pytest.mark.parametrize("exists", [False, True])
def test_a_read_only_folder(read_only: tuple[Path, Callable[[bool], None]], exists: bool) -> None:
    folder, switch = read_only
    path = folder / "data" / "chats.db"
    if exists:
        with opened(path) as store:
            store.create_chat(title="kept").result(10)
    switch(True)
    store = ChatStore(path)
    error = store.open().exception(10)
    assert isinstance(error, ReadOnlyStoreError)
    assert str(path.parent) in error.cause
    assert "writable" in error.advice
    switch(False)
    store.open().result(10)  # the user repaired it: no restart needed
    assert [c.title for c in store.list_chats().result(10)] == (["kept"] if exists else [])
    store.close()


def test_a_store_that_turns_read_only_in_mid_chat(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat(title="kept").result(10)
        on_thread(store, lambda db: db.execute("PRAGMA query_only = ON").fetchall())
        with pytest.raises(ReadOnlyStoreError):
            store.add_exchange(chat.id, None, "x").result(10)
        on_thread(store, lambda db: db.execute("PRAGMA query_only = OFF").fetchall())
        store.add_exchange(chat.id, None, "x").result(10)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    error = failure(tmp_path / "data" / "chats.db")
    assert str(tmp_path / "data") in error.cause


def test_a_folder_where_the_file_should_be(path: Path) -> None:
    path.mkdir(parents=True)
    failure(path)
    assert path.is_dir()


# --- other programs --------------------------------------------------------------


def test_a_second_inglenook_is_told_about_the_first(filled: Path) -> None:
    with opened(filled):
        error = failure(filled)
    assert isinstance(error, StoreLockedError)
    assert "already running" in error.cause
    assert str(os.getpid()) in error.cause
    assert str(filled.with_name("chats.db.lock")) in error.cause
    assert titles(filled) == ["kept"]


def test_the_lock_goes_with_its_process(filled: Path) -> None:
    store = ChatStore(filled)
    store.open().result(10)
    second = ChatStore(filled)
    assert isinstance(second.open().exception(10), StoreLockedError)
    store.close()
    second.open().result(10)
    second.close()


def test_a_database_browser_that_writes(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "_BUSY_SECONDS", 0.05)
    with opened(filled) as store:
        chat = store.create_chat(title="new").result(10)
        other = sqlite3.connect(filled, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLockedError) as error:
            store.rename_chat(chat.id, "renamed").result(10)
        assert "Another program" in error.value.cause
        other.execute("ROLLBACK")
        other.close()
        store.rename_chat(chat.id, "renamed").result(10)


# --- versions --------------------------------------------------------------------


def second_version(db: Any) -> None:
    db.execute("ALTER TABLE chats ADD COLUMN colour TEXT")


def test_a_store_from_the_future_is_left_alone(path: Path) -> None:
    with opened(path, migrations=(*MIGRATIONS, second_version)) as store:
        store.create_chat(title="kept").result(10)
    before = contents(path.parent)
    error = failure(path)
    assert isinstance(error, FutureVersionError)
    assert "newer Inglenook" in error.cause
    assert contents(path.parent) == before
    with opened(path, migrations=(*MIGRATIONS, second_version)) as store:
        assert [chat.title for chat in store.list_chats().result(10)] == ["kept"]


def test_a_future_that_stands_in_the_log_only(filled: Path, tmp_path: Path) -> None:
    """The newer Inglenook was killed right after its migration."""
    killed = tmp_path / "killed"
    killed.mkdir()
    with opened(filled, migrations=(*MIGRATIONS, second_version)):
        for name in ("chats.db", "chats.db-wal", "chats.db-shm"):
            shutil.copy2(filled.with_name(name), killed / name)
    before = contents(killed)
    version = int.from_bytes(before["chats.db"][0][60:64], "big")
    assert version == len(MIGRATIONS), "the file itself says this version"
    assert isinstance(failure(killed / "chats.db"), FutureVersionError)
    assert contents(killed) == before


# --- damage ----------------------------------------------------------------------


def assert_replaced(path: Path, damaged: bytes) -> CorruptStoreError:
    """The damaged file was set aside unchanged, and a fresh store works."""
    store = ChatStore(path)
    try:
        error = store.open().exception(10)
        assert isinstance(error, CorruptStoreError)
        assert error.usable
        assert error.quarantine is not None
        assert str(error.quarantine) in error.cause
        assert error.quarantine.read_bytes() == damaged
        assert stat.S_IMODE(error.quarantine.stat().st_mode) == 0o600
        saved = [chat.title for chat in store.list_chats().result(10)]
        assert bool(saved) == ("could be read" in error.cause and "Nothing" not in error.cause)
        assert not list(path.parent.glob("*.salvage*"))
        store.create_chat(title="fresh").result(10)
    finally:
        store.close()
    assert titles(path) == ["fresh", *saved]
    return error


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="zero length"),
        pytest.param(lambda _: b"SQLite", id="a few bytes"),
        pytest.param(lambda _: b"<html>not a database</html>" * 1000, id="another file"),
        pytest.param(lambda data: b"\0" * len(data), id="zeroed"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut in half"),
        pytest.param(lambda data: data[:4096] + b"\xff" * (len(data) - 4096), id="overwritten"),
        pytest.param(lambda data: data[:16] + b"\xff" * 84 + data[100:], id="header"),
        pytest.param(lambda data: data[:100] + b"\xff" * 3996 + data[4096:], id="schema"),
    ],
)
def test_a_damaged_file_is_set_aside(filled: Path, damage: Callable[[bytes], bytes]) -> None:
    filled.chmod(0o600)
    damaged = damage(filled.read_bytes())
    filled.write_bytes(damaged)
    assert_replaced(filled, damaged)


def test_a_damaged_file_on_a_full_disk_stays_until_there_is_room(small: Any) -> None:
    path = small.folder / "data" / "chats.db"
    path.parent.mkdir()
    path.write_bytes(b"damaged")
    filler = small.folder / "filler"
    filler.write_bytes(b"\0" * (4 * 1024 * 1024 - 24 * 1024))
    assert isinstance(failure(path), DiskFullError)
    assert path.read_bytes() == b"damaged"
    filler.unlink()
    path.chmod(0o600)
    assert_replaced(path, b"damaged")


def test_a_huge_file_is_checked_only_on_suspicion(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float | None] = []
    monkeypatch.setattr(store_file, "check", lambda _db, limit: limits.append(limit))
    monkeypatch.setattr(store_file, "_CHECK_BYTES", 1024)
    titles(filled)
    store_file.suspect(filled)
    titles(filled)
    titles(filled)
    assert limits == [0.0, None, 0.0]


def test_damage_met_in_use_has_the_whole_file_checked_next(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file too big for the check at the start: its damage shows in use."""
    data = bytearray(filled.read_bytes())
    with sqlite3.connect(filled) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name='messages'").fetchone()
    db.close()
    data[(page - 1) * 4096 : (page - 1) * 4096 + 64] = b"\xff" * 64
    filled.write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(store_file, "check", lambda _db, limit: None)
        with opened(filled) as store:
            (chat,) = store.list_chats().result(10)
            with pytest.raises(CorruptStoreError) as error:
                store.load_tree(chat.id).result(10)
            assert not error.value.usable
            assert "start Inglenook again" in error.value.advice
    limits: list[float | None] = []

    def check(db: Any, limit: float | None) -> None:
        limits.append(limit)
        store_check.check(db, limit)

    monkeypatch.setattr(store_file, "check", check)
    assert isinstance(failure(filled), CorruptStoreError)
    assert limits == [None]
    assert titles(filled) == ["kept"], "its row could still be read"
    assert limits == [None, store_file._CHECK_SECONDS]


def test_another_programs_database_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    path.chmod(0o600)
    assert_replaced(path, path.read_bytes())


def test_a_missing_table_is_damage_whichever_version_brought_it(filled: Path) -> None:
    with sqlite3.connect(filled) as other:
        other.execute("DROP TABLE attachments")
    other.close()
    error = failure(filled)
    assert isinstance(error, CorruptStoreError)
    assert "tables are missing" in error.cause
    assert error.saved_messages == 40
    assert titles(filled) == ["kept"]


def test_damage_twice_in_a_second_keeps_both(filled: Path) -> None:
    for content in (b"first", b"second"):
        filled.write_bytes(content)
        assert_replaced(filled, content)
    assert len(list(filled.parent.glob("*.damaged-*"))) == 2


def test_a_lost_database_does_not_get_an_old_log(filled: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with opened(filled) as store:
        store.create_chat(title="in the log").result(10)
        shutil.copy2(filled.with_name("chats.db-wal"), killed / "chats.db-wal")
    path = killed / "chats.db"
    assert titles(path) == []
    assert list(killed.glob("*.damaged-*-wal"))


@pytest.mark.parametrize("seed", range(8))
def test_flipped_bits_never_crash_it(filled: Path, seed: int) -> None:
    """Each flip is found, or harmless, or costs characters: the store always opens."""
    random_ = random.Random(seed)
    sound = filled.read_bytes()
    for _ in range(12):
        flipped = bytearray(sound)
        for _ in range(random_.choice((1, 1, 8))):
            flipped[random_.randrange(len(flipped))] ^= 1 << random_.randrange(8)
        for file in filled.parent.iterdir():
            file.unlink()
        filled.write_bytes(flipped)
        store = ChatStore(filled)
        try:
            error = store.open().exception(10)
            assert error is None or isinstance(error, CorruptStoreError | FutureVersionError)
            if isinstance(error, FutureVersionError):
                assert filled.read_bytes() == flipped
                continue
            if error is not None:
                assert error.usable
                assert error.quarantine is not None
                assert error.quarantine.read_bytes() == flipped
            for chat in store.list_chats().result(10):
                found = store.load_tree(chat.id).exception(10)
                assert found is None or isinstance(found, StoreError), repr(found)
            new = store.create_chat().exception(10)
            assert new is None or isinstance(new, StoreError), repr(new)
        finally:
            store.close()


def test_an_unknown_status_does_not_lock_a_chat_away(filled: Path) -> None:
    """A flipped bit that the check was too late for."""
    with opened(filled) as store:
        (chat,) = store.list_chats().result(10)
        on_thread(
            store,
            lambda db: (
                db.execute("PRAGMA ignore_check_constraints = ON").fetchall(),
                db.execute("UPDATE messages SET status = 'streamimg', statistics = '{'"),
            ),
        )
        messages = store.load_chat(chat.id).result(10).messages
        assert {message.status for message in messages} == {MessageStatus.INTERRUPTED}
