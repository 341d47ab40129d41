"""Whatever somebody gives as a name: one line of sound text that steers nothing around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.chats.chat import DEFAULT_TITLE
from desktop.chats.chat_tree import ChatTree
from desktop.chats.names import LONGEST, name_from
from desktop.chats.presets import Preset
from desktop.chats.transfer.importing import key_of
from desktop.models.engine_text import model_name
from engine.store.folders import name_of
from tests.helpers.stores import SECONDS, opened

HOSTILE = "a\u202egpj.exe\n\0b\u2028\u2066c" + "x" * 1_000_000
STEERING = "\0\n\r\t\x1b\x85\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2069"


@given(st.text() | st.text(st.sampled_from(STEERING + "ab ")))
def test_it_is_one_line_that_steers_nothing(text: str) -> None:
    name = name_from(text)
    assert len(name) <= LONGEST
    assert not set(name) & set(STEERING)
    assert name_from(name) == name


@pytest.mark.parametrize(
    "name", ["R & D <b>", "\U0001f468\u200d\U0001f469", "שלום", "C++", "100 %"]
)
def test_what_is_a_name_stays(name: str) -> None:
    assert name_from(name) == name


def test_every_way_into_the_store(tmp_path: Path) -> None:
    with opened(tmp_path / "chats.db") as store:
        sound = name_from(HOSTILE)
        made = store.create_chat(title=HOSTILE).result(SECONDS)
        store.set_folder(made.id, HOSTILE).result(SECONDS)
        tree = ChatTree(HOSTILE, folder=HOSTILE, updated=5.0)
        taken = store.import_tree(tree).result(SECONDS)
        chats = store.list_chats().result(SECONDS)
        assert {(chat.title, chat.folder) for chat in chats} == {(sound, sound)}
        # or the same file would come in twice
        assert key_of(taken.title, taken.updated) == key_of(tree.title, tree.updated)
        store.rename_folder(sound, "B\n" + HOSTILE).result(SECONDS)
        assert store.list_folders().result(SECONDS) == [name_from("B\n" + HOSTILE)]
        store.rename_chat(made.id, " \u202e\n").result(SECONDS)
        assert store.load_chat(made.id).result(SECONDS).title == DEFAULT_TITLE
        store.save_preset(Preset("p", HOSTILE)).result(SECONDS)
        assert [preset.name for preset in store.list_presets().result(SECONDS)] == [sound]


def test_a_conversion_is_called_like_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "converted" / "Tea.Q4_1-747cb1f01955"
    folder.mkdir(parents=True)
    assert name_of(folder) == "Tea.Q4_1"
    assert model_name(str(folder)) == "Tea.Q4_1"
    # What is not ours keeps its name.
    assert name_of(tmp_path / folder.name) == folder.name
    assert name_of(folder.with_name("Tea.Q4_1")) == "Tea.Q4_1"
    assert name_of(tmp_path / "none" / "converted" / folder.name) == "Tea.Q4_1"


def test_conversions_that_would_be_called_the_same_keep_their_marks(tmp_path: Path) -> None:
    folders = [tmp_path / "converted" / f"Tea-{mark * 12}" for mark in "ab"]
    for folder in folders:
        folder.mkdir(parents=True)
    assert [name_of(folder) for folder in folders] == ["Tea-aaaaaaaaaaaa", "Tea-bbbbbbbbbbbb"]
