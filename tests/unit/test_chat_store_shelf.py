"""Where chats are kept: folders, pins, the archive, the bin; and presets."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.chats.chat import ChatSummary, MessageStatus, Role
from desktop.chats.presets import Preset
from desktop.chats.store.chat_store import ChatStore
from tests.helpers.stores import opened


def make(store: ChatStore, title: str = "x") -> str:
    return store.create_chat(title=title).result(10).id


def listed(store: ChatStore, chat_id: str) -> ChatSummary:
    (found,) = [c for c in store.list_chats(include_archived=True).result(10) if c.id == chat_id]
    return found


def test_folders(store: ChatStore) -> None:
    one, two, three = (make(store) for _ in range(3))
    assert store.list_folders().result(10) == []
    store.set_folder(one, " Work \ud83d").result(10)
    assert listed(store, one).folder == "Work \ufffd"
    store.set_folder(one, "work")
    store.set_folder(two, "Äpfel")
    store.set_folder(three, "Home").result(10)
    assert store.list_folders().result(10) == ["Home", "work", "Äpfel"]
    store.rename_folder("work", "Home").result(10)
    assert [listed(store, id_).folder for id_ in (one, two, three)] == ["Home", "Äpfel", "Home"]
    store.rename_folder("Home", "").result(10)
    store.rename_folder("no such folder", "x").result(10)
    store.set_folder(two, "").result(10)
    assert store.list_folders().result(10) == []


def test_a_renamed_folder_takes_along_what_lies_in_the_bin(store: ChatStore) -> None:
    chat = make(store)
    store.set_folder(chat, "a")
    store.delete_chat(chat)
    store.rename_folder("a", "b")
    assert store.list_folders().result(10) == []
    store.restore_chat(chat).result(10)
    assert listed(store, chat).folder == "b"


def test_pins_and_the_archive(store: ChatStore) -> None:
    chat = make(store)
    store.set_pinned(chat, True)
    store.set_archived(chat, True).result(10)
    assert (listed(store, chat).pinned, listed(store, chat).archived) == (True, True)
    assert store.list_chats().result(10) == []
    store.set_pinned(chat, False)
    store.set_archived(chat, False).result(10)
    assert (listed(store, chat).pinned, listed(store, chat).archived) == (False, False)
    assert len(store.list_chats().result(10)) == 1


def test_none_of_it_moves_a_chat_up(store: ChatStore) -> None:
    one, two = make(store), make(store)
    store.set_folder(one, "a")
    store.set_pinned(one, True)
    store.rename_folder("a", "b")
    assert [chat.id for chat in store.list_chats().result(10)] == [two, one]


def test_the_bin(store: ChatStore) -> None:
    one, two, three = make(store, "one"), make(store, "two"), make(store, "three")
    assert store.list_bin().result(10) == []
    store.delete_chat(one)
    store.delete_chat(two).result(10)
    assert [chat.title for chat in store.list_bin().result(10)] == ["two", "one"]
    store.restore_chat(one).result(10)
    assert [chat.title for chat in store.list_bin().result(10)] == ["two"]
    assert store.empty_bin().result(10) == 1
    assert store.list_bin().result(10) == []
    assert store.empty_bin().result(10) == 0
    assert {chat.id for chat in store.list_chats().result(10)} == {one, three}


def test_what_is_in_the_bin_cannot_be_changed(store: ChatStore) -> None:
    chat = make(store)
    store.delete_chat(chat).result(10)
    for future in (
        store.set_folder(chat, "x"),
        store.set_pinned(chat, True),
        store.set_archived(chat, True),
        store.delete_chat(chat),
        store.export_tree(chat),
        store.add_answers(chat, "x", ["y"]),
        store.save_draft(chat, "x", []),
    ):
        with pytest.raises(KeyError):
            future.result(10)


def test_models_that_have_answered(store: ChatStore) -> None:
    chat = make(store)
    assert store.list_models().result(10) == []
    parent = None
    for model in ("Qwen", "llama", "Qwen", "", "smol"):
        message = store.add_message(chat, parent, Role.ASSISTANT, "x", model=model).result(10)
        parent = message.id
    assert store.list_models().result(10) == ["llama", "Qwen", "smol"]


def test_presets(tmp_path: Path, store: ChatStore) -> None:
    assert store.list_presets().result(10) == []
    brief = Preset("1", "brief", "Be brief.", {"temperature": 0.2, "stop": ["\n"]})
    other = Preset("2", "Äther", "", {})
    last = Preset("3", "Zebra", "Stripes.", {"json_schema": {"type": "object"}})
    for preset in (last, other, brief):
        store.save_preset(preset)
    assert store.list_presets().result(10) == [brief, last, other]
    store.save_preset(Preset("3", "a", "\ud83d", {"x": "\ud83d"}))
    store.delete_preset("1")
    store.delete_preset("no such preset")
    store.close()
    with opened(tmp_path / "data" / "chats.db") as again:
        assert again.list_presets().result(10) == [
            Preset("3", "a", "\ufffd", {"x": "\ufffd"}),
            other,
        ]


def test_a_binned_answer_is_kept_as_far_as_it_had_come(store: ChatStore) -> None:
    chat = make(store)
    _, answer = store.add_exchange(chat, None, "x").result(10)
    store.update_message(answer.id, content="so far", status=MessageStatus.STREAMING)
    store.delete_chat(chat)
    store.update_message(answer.id, content="so far and on", reasoning="hm").result(10)
    store.restore_chat(chat).result(10)
    back = store.load_chat(chat).result(10).messages[-1]
    assert (back.content, back.reasoning) == ("so far", "")
