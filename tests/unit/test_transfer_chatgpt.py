"""ChatGPT exports: the tree, what was seen of it, and the zip around it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.chats.chat import Role
from desktop.chats.transfer import chatgpt
from desktop.chats.transfer.limits import Limits
from desktop.chats.transfer.trouble import TransferError, Trouble
from tests.helpers.transfers import imported


def node(
    parent: str | None, role: str = "", content: Any = None, *children: str, **more: Any
) -> dict[str, Any]:
    """One node; `content` is a text, or a whole content."""
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    message = {"author": {"role": role}, "content": content, "create_time": 5.0, **more}
    return {"parent": parent, "children": list(children), "message": message if role else None}


def conversation(mapping: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "title": "A talk",
        "create_time": 100.5,
        "update_time": 200.25,
        "mapping": mapping,
        **more,
    }


BRANCHED = {
    "root": node(None, "", None, "sys"),
    "sys": node("root", "system", "", "u"),
    "u": node("sys", "user", "Why is the sky blue?", "a1", "a2"),
    "a1": node("u", "assistant", "Because.", metadata={"model_slug": "gpt-4o"}),
    "a2": node("u", "assistant", "Scattering.", "u2", metadata={"model_slug": "gpt-4o"}),
    "u2": node("a2", "user", "Thanks"),
}


def test_branches_and_the_shown_one_are_kept() -> None:
    chat = chatgpt.convert(conversation(BRANCHED, current_node="a1")).tree
    assert [m.content for m in chat.messages] == [
        "Why is the sky blue?",
        "Because.",
        "Scattering.",
        "Thanks",
    ]
    ask, first, second, thanks = chat.messages
    assert (ask.parent_id, first.parent_id, second.parent_id) == (None, ask.id, ask.id)
    assert thanks.parent_id == second.id
    assert chat.active_leaf == first.id
    assert (first.model, first.role, first.created) == ("gpt-4o", Role.ASSISTANT, 5.0)
    assert (chat.title, chat.created, chat.updated) == ("A talk", 100.5, 200.25)


def test_a_run_of_nodes_is_one_answer() -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    mapping = {
        "u": node(None, "user", "Plot it"),
        "h": node("u", "user", "memory", metadata=hidden),
        "t": node(
            "h",
            "assistant",
            {
                "content_type": "thoughts",
                "thoughts": [{"summary": "Planning", "content": "First the data."}],
            },
        ),
        "c": node(
            "t", "assistant", {"content_type": "code", "language": "python", "text": "print(`1`)"}
        ),
        "o": node("c", "tool", {"content_type": "execution_output", "text": "1\n```"}),
        "r": node("o", "assistant", {"content_type": "reasoning_recap", "content": "Thought"}),
        "a": node("r", "assistant", "Here it is.\ue200cite\ue202turn0\ue201", end_turn=True),
    }
    chat = chatgpt.convert(conversation(mapping, current_node="a")).tree
    ask, answer = chat.messages
    assert answer.reasoning == "**Planning**\n\nFirst the data."
    assert answer.content == ("```python\nprint(`1`)\n```\n\n````text\n1\n```\n````\n\nHere it is.")
    assert chat.active_leaf == answer.id
    assert answer.parent_id == ask.id


def test_pictures_are_named_and_counted() -> None:
    parts = [
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
        "What is this?",
        {"content_type": "audio_transcription", "text": "said aloud"},
    ]
    mapping = {"u": node(None, "user", {"content_type": "multimodal_text", "parts": parts})}
    result = chatgpt.convert(conversation(mapping))
    assert result.left_out == 1
    assert result.tree.messages[0].content == (
        "*[picture: not in the export]*\n\nWhat is this?\n\nsaid aloud"
    )


def test_files_are_named_and_counted() -> None:
    files = [
        {"name": "report.pdf", "mime_type": "application/pdf"},
        {"name": "photo.png", "mime_type": "image/png"},  # is a part of its own
        {"name": 5},
        None,
    ]
    mapping = {"u": node(None, "user", "Read this", metadata={"attachments": files})}
    result = chatgpt.convert(conversation(mapping))
    assert result.left_out == 1
    assert result.tree.messages[0].content == "*[report.pdf: not in the export]*\n\nRead this"


def test_a_chat_without_title_or_times_is_taken_all_the_same() -> None:
    mapping = {"u": node(None, "user", "Hello there", create_time=None)}
    chat = chatgpt.convert({"mapping": mapping, "title": None, "is_archived": True}).tree
    assert (chat.title, chat.created, chat.archived) == ("Hello there", 0.0, True)
    assert chat.active_leaf == chat.messages[0].id


@pytest.mark.parametrize(
    ("value", "trouble", "word"),
    [
        ({}, Trouble.MISSING, "mapping"),
        ({"mapping": []}, Trouble.WRONG_TYPE, "mapping"),
        ({"mapping": {"a": 1}}, Trouble.WRONG_TYPE, "a"),
        ({"mapping": {"a": {"parent": 1}}}, Trouble.WRONG_TYPE, "a: parent"),
        ({"mapping": {"a": {"parent": "x"}}}, Trouble.NO_PARENT, "a"),
        ({"mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}}, Trouble.CIRCLE, "a"),
        ({"mapping": {"a": {"parent": None, "message": 3}}}, Trouble.WRONG_TYPE, "a: message"),
        ({"mapping": {"a": {"message": {"author": {}}}}}, Trouble.WRONG_TYPE, "a: role"),
        (
            {"mapping": {"a": node(None, "user", {"content_type": "text", "parts": "x"})}},
            Trouble.WRONG_TYPE,
            "a: parts",
        ),
        ({"mapping": {"a": node(None)}}, Trouble.NO_MESSAGES, ""),
    ],
)
def test_what_is_wrong_is_named(value: Any, trouble: Trouble, word: str) -> None:
    with pytest.raises(TransferError) as error:
        chatgpt.convert(value)
    assert error.value.trouble is trouble
    assert word in str(error.value.facts)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "mapping",
                    "message",
                    "parent",
                    "children",
                    "author",
                    "role",
                    "content",
                    "parts",
                    "content_type",
                    "text",
                    "thoughts",
                    "metadata",
                    "create_time",
                    "a",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)
IDS = st.sampled_from(["a", "b", "c", None])
NODES = st.dictionaries(
    st.sampled_from("abcd"),
    st.fixed_dictionaries(
        {"parent": IDS, "children": st.lists(IDS, max_size=3)},
        optional={
            "message": st.fixed_dictionaries(
                {
                    "author": st.fixed_dictionaries(
                        {"role": st.sampled_from(["user", "assistant", "tool", "system", "x"])}
                    ),
                    "content": st.fixed_dictionaries(
                        {
                            "content_type": st.sampled_from(
                                ["text", "code", "thoughts", "multimodal_text", "x"]
                            ),
                        },
                        optional={"parts": st.lists(JUNK, max_size=3), "text": JUNK},
                    ),
                }
            )
        },
    ),
)


@given(JUNK.filter(lambda value: isinstance(value, dict)) | st.builds(conversation, NODES))
@settings(deadline=None, max_examples=300)
def test_anything_is_a_tree_or_an_error(value: Any) -> None:
    try:
        chat = chatgpt.convert(value).tree
    except TransferError:
        return
    seen: set[str] = set()
    for message in chat.messages:
        assert message.parent_id is None or message.parent_id in seen
        seen.add(message.id)
    assert chat.active_leaf in seen


def test_a_chain_of_a_hundred_thousand_nodes_is_quick_and_flat() -> None:
    mapping: dict[str, Any] = {}
    for number in range(20_000):
        parent = str(number - 1) if number else None
        mapping[str(number)] = node(parent, "assistant" if number else "user", "x")
    chat = chatgpt.convert(conversation(mapping)).tree
    assert len(chat.messages) == 2


def export_file(folder: Path, conversations: Any, name: str = "conversations.json") -> Path:
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.html", "<script>")
        archive.writestr(name, json.dumps(conversations))
        archive.writestr("../../escape.png", b"x")
    return path


@pytest.mark.parametrize(
    "name", ["conversations.json", "export/conversations.json", "conversations-001.json"]
)
def test_the_zip_is_read_without_unpacking(tmp_path: Path, name: str) -> None:
    path = export_file(tmp_path, [conversation(BRANCHED), conversation({})], name)
    chats, report = imported(path)
    assert [chat.title for chat in chats] == ["A talk"]
    assert (report.imported, report.empty) == (1, 1)
    assert [file.name for file in tmp_path.iterdir()] == ["export.zip"]


def test_the_json_alone_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([conversation(BRANCHED)]).encode())
    chats, _ = imported(path)
    assert len(chats) == 1
    path.write_text(json.dumps(conversation(BRANCHED)))  # one conversation by itself
    chats, _ = imported(path)
    assert len(chats[0].messages) == 4


def test_a_bad_conversation_is_named_by_its_title(tmp_path: Path) -> None:
    bad = conversation({"a": {"parent": "gone"}}, title="The bad one")
    path = export_file(tmp_path, [conversation(BRANCHED), bad, 7, conversation(BRANCHED)])
    chats, report = imported(path)
    assert len(chats) == 2
    assert [(p.number, p.title, p.trouble) for p in report.problems] == [
        (2, "The bad one", Trouble.NO_PARENT),
        (3, "", Trouble.WRONG_TYPE),
    ]


def test_a_key_that_comes_twice_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text('[{"mapping": {"a": {"parent": null}, "a": {"parent": null}}}]')
    _, report = imported(path)
    assert report.problems[0].trouble is Trouble.TWICE


def test_bad_zips(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    bomb = Limits(zip_free=1000, zip_ratio=20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 1_000_000 + b"]")
    for limits, trouble in (
        (bomb, Trouble.ZIP_BOMB),
        (Limits(file_bytes=10), Trouble.FILE_TOO_LARGE),
        (Limits(zip_directory=10), Trouble.ZIP_BOMB),
    ):
        with pytest.raises(TransferError) as error:
            imported(path, limits=limits)
        assert error.value.trouble is trouble
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("picture.png", b"x")
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble is Trouble.NO_CHATS_IN_ZIP


@pytest.mark.parametrize("keep", [2, 30, 100, 200])
def test_a_zip_that_was_cut_off(tmp_path: Path, keep: int) -> None:
    path = export_file(tmp_path, [conversation(BRANCHED)])
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble is Trouble.BAD_ZIP


@given(place=st.integers(0, 2000), value=st.integers(0, 255))
@settings(deadline=None, max_examples=200)
def test_a_flipped_byte_in_a_zip(
    tmp_path_factory: pytest.TempPathFactory, place: int, value: int
) -> None:
    path = export_file(tmp_path_factory.getbasetemp(), [conversation(BRANCHED)] * 2)
    data = bytearray(path.read_bytes())
    data[place % len(data)] = value
    path.write_bytes(data)
    try:
        chats, report = imported(path)
    except TransferError:
        return
    assert len(chats) == report.imported <= 2


def test_an_entry_that_needs_a_password(tmp_path: Path) -> None:
    path = export_file(tmp_path, [conversation(BRANCHED)])
    data = bytearray(path.read_bytes())
    place = 0
    while (place := data.find(b"PK\x01\x02", place)) >= 0:
        data[place + 8] |= 1
        place += 4
    path.write_bytes(data)
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble is Trouble.LOCKED_ZIP


@pytest.mark.parametrize("kind", ["gone", "folder"])
def test_a_path_that_is_no_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "gone" if kind == "gone" else tmp_path
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble in (Trouble.NOT_FOUND, Trouble.UNREADABLE)
