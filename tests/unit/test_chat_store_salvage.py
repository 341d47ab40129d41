"""A damaged store: what can still be read of it is taken over into the fresh one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.chats.chat import Attachment
from desktop.chats.presets import Preset
from desktop.chats.store import store_salvage
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.store_errors import CorruptStoreError
from tests.helpers.search_index import index_is_right, indexed
from tests.helpers.stores import disk, on_thread, opened


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A store with one chat called "kept" of 40 messages."""
    path = tmp_path / "data" / "chats.db"
    with opened(path) as store:
        chat, parent = store.create_chat(title="kept").result(10), None
        for number in range(20):
            _, answer = store.add_exchange(chat.id, parent, f"{number} " * 200).result(10)
            parent = answer.id
    return path


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Any]:
    with disk(tmp_path / "disk") as mounted:
        if mounted is None:
            pytest.skip("only root may mount a disk")
        yield mounted


def failure(path: Path) -> CorruptStoreError:
    """The error that opening ends with."""
    store = ChatStore(path)
    try:
        error = store.open().exception(10)
    finally:
        store.close()
    assert isinstance(error, CorruptStoreError)
    return error


def titles(path: Path) -> list[str]:
    with opened(path) as store:
        return [chat.title for chat in store.list_chats().result(10)]


def pages_of(path: Path, table: str) -> list[int]:
    """The numbers of the pages that hold the rows of a table, in their order."""
    with sqlite3.connect(path) as db:
        found = db.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (table,)
        )
        pages = [page for (page,) in found]
    db.close()
    return pages


def test_what_can_be_read_is_taken_over(filled: Path) -> None:
    with opened(filled) as store:
        (chat,) = store.list_chats().result(10)
        before = {m.id: m for m in store.load_tree(chat.id).result(10)}
        store.set_folder(chat.id, "Home")
        preset, file = Preset("p", "brief", "Be brief.", {"seed": 1}), Attachment("a", "n", "c")
        store.save_preset(preset)
        store.save_draft(chat.id, "draft", [file]).result(10)
    data = bytearray(filled.read_bytes())
    page = pages_of(filled, "messages")[2]
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    filled.write_bytes(data)
    store = ChatStore(filled)
    error = store.open().exception(10)
    try:
        assert isinstance(error, CorruptStoreError)
        assert 10 < error.saved_messages < len(before)
        assert f"{error.saved_messages} messages in 1 chat could be read" in error.cause
        (listed,) = store.list_chats().result(10)
        assert (listed.id, listed.title, listed.folder) == (chat.id, "kept", "Home")
        tree = store.load_tree(chat.id).result(10)
        assert len(tree) == error.saved_messages
        assert all(m.content == before[m.id].content for m in tree)
        assert [m.sequence for m in tree] == [before[m.id].sequence for m in tree]
        assert store.list_presets().result(10) == [preset]
        shown = store.load_chat(chat.id).result(10)
        assert (shown.draft, shown.draft_attachments) == ("draft", (file,))
        assert len(shown.messages) == len(tree), "what lost its parent goes below the one before"
        _, answer = store.add_exchange(chat.id, shown.active_leaf, "go on").result(10)
        assert answer.sequence > max(m.sequence for m in tree)
        indexed(store)
        assert on_thread(store, index_is_right)
    finally:
        store.close()


def test_a_chat_that_lost_its_row_comes_back_under_another_name(filled: Path) -> None:
    data = bytearray(filled.read_bytes())
    with sqlite3.connect(filled) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name='chats'").fetchone()
    db.close()
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    filled.write_bytes(data)
    error = failure(filled)
    assert error.saved_messages == 40
    assert titles(filled) == ["Recovered chat"]


def test_salvage_does_not_take_for_ever(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_salvage, "SECONDS", 0.0)
    data = filled.read_bytes()
    filled.write_bytes(data[:-4096])
    error = failure(filled)
    assert error.saved_messages == 0


def test_no_room_for_the_salvage_still_opens(small: Any) -> None:
    path = small.folder / "data" / "chats.db"
    with opened(path) as store:
        chat = store.create_chat().result(10)
        store.add_exchange(chat.id, None, "x" * 1_200_000).result(10)
    path.write_bytes(path.read_bytes()[:-4096])
    filler = small.folder / "filler"
    filler.write_bytes(b"\0" * (shutil.disk_usage(small.folder).free - 700_000))
    error = failure(path)
    assert error.quarantine is not None
    assert error.quarantine.exists()
    assert error.saved_messages == 0
