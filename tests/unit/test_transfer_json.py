"""Our JSON: what goes out comes back, and nothing else gets in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.chats.chat import Attachment, Message, MessageStatus, Role, Statistics
from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer import our_json
from desktop.chats.transfer.exporting import Chosen, Format, Job, export
from desktop.chats.transfer.importing import Import, import_chats, keys_of
from desktop.chats.transfer.limits import Limits
from desktop.chats.transfer.pieces import Cutter, Kind
from desktop.chats.transfer.trouble import TransferError, Trouble
from tests.helpers.stores import SECONDS, opened
from tests.helpers.transfers import imported, importing, tree, write_json

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
TIMES = st.floats(0, 2e9)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
STATISTICS = st.builds(
    Statistics,
    prompt_tokens=st.integers(0, 10**9),
    ttft=st.none() | st.floats(0, 1e6),
    seconds=st.floats(0, 1e6),
    stop_string=TEXT,
    run=st.dictionaries(TEXT, JSON_VALUES, max_size=3),
)
SETTLED = st.sampled_from([status for status in MessageStatus if not status.is_active])


@st.composite
def trees(draw: st.DrawFn) -> ChatTree:
    """A chat with branches, and everything that a chat can have."""
    messages: list[Message] = []
    for number in range(draw(st.integers(1, 8))):
        parent = draw(st.sampled_from([None, *[m.id for m in messages]]))
        names = draw(st.lists(TEXT, max_size=2))
        messages.append(
            Message(
                id=f"m{number}",
                chat_id="",
                parent_id=parent,
                role=draw(st.sampled_from(Role)),
                content=draw(TEXT),
                status=draw(SETTLED),
                sequence=number + 1,
                model=draw(TEXT),
                error=draw(TEXT),
                reasoning=draw(TEXT),
                statistics=draw(st.none() | STATISTICS),
                created=draw(TIMES),
                attachments=tuple(
                    Attachment(f"a{number}.{i}", name, draw(TEXT)) for i, name in enumerate(names)
                ),
            )
        )
    return ChatTree(
        title=draw(TEXT),
        system_prompt=draw(TEXT),
        model=draw(TEXT),
        parameters=draw(st.dictionaries(TEXT, JSON_VALUES, max_size=3)),
        folder=draw(TEXT),
        pinned=draw(st.booleans()),
        archived=draw(st.booleans()),
        created=draw(TIMES),
        updated=draw(TIMES),
        messages=tuple(messages),
        active_leaf=draw(st.sampled_from([None, *[m.id for m in messages]])),
    )


@given(trees())
@settings(deadline=None)
def test_a_chat_comes_back_as_it_went(chat: ChatTree) -> None:
    assert our_json.decode(our_json.encode(chat)) == chat


@given(st.lists(trees(), max_size=3), st.integers(1, 40))
@settings(deadline=None)
def test_a_file_is_cut_into_the_chats_it_was_made_of(chats: list[ChatTree], step: int) -> None:
    data = our_json.beginning(1.5)
    data += b",\n".join(our_json.encode(chat) for chat in chats) + our_json.END
    cutter = Cutter()
    pieces = [p for i in range(0, len(data), step) for p in cutter.feed(data[i : i + step])]
    assert cutter.is_complete
    assert [our_json.decode(p.data) for p in pieces if p.kind is Kind.CHAT] == chats
    head: dict[str, Any] = {}
    for piece in pieces:
        if piece.kind is Kind.MEMBER:
            head |= json.loads(piece.data)
    assert head == {"format": "inglenook-chats", "version": 1, "exported": 1.5}


@given(JSON_VALUES, st.integers(1, 7))
@settings(deadline=None)
def test_the_cutter_agrees_with_the_parser(value: Any, step: int) -> None:
    data = json.dumps([value, value], ensure_ascii=False, indent=1).encode()
    cutter = Cutter()
    pieces = [p for i in range(0, len(data), step) for p in cutter.feed(data[i : i + step])]
    assert [json.loads(piece.data) for piece in pieces] == [value, value]


def same(chat: ChatTree) -> ChatTree:
    """Without what its place in a store is known by."""
    return replace(chat, messages=tuple(replace(m, sequence=0, chat_id="") for m in chat.messages))


def test_out_and_in_through_a_file(tmp_path: Path) -> None:
    first = replace(tree("one"), pinned=True, folder="Work", parameters={"temperature": 0.5})
    second = replace(tree("two"), archived=True)
    chats = {"1": first, "2": second}
    target = tmp_path / "all.json"
    report = export(
        Job([Chosen("1", "one"), Chosen("2", "two")], Format.JSON, target, chats.__getitem__)
    )
    assert (report.written, report.problems) == (2, ())
    assert target.stat().st_mode & 0o777 == 0o600
    assert json.loads(target.read_bytes())["version"] == 1
    back, outcome = imported(target)
    assert outcome.imported == 2
    assert [same(chat) for chat in back] == [same(first), same(second)]
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


GOOD = {"title": "good", "messages": [{"id": "a", "role": "user", "content": "hello"}]}


@pytest.mark.parametrize(
    ("change", "trouble", "word"),
    [
        ({"messages": "none"}, Trouble.WRONG_TYPE, "messages"),
        ({"title": 3}, Trouble.WRONG_TYPE, "title"),
        ({"messages": [{"id": "a", "role": "user"}]}, Trouble.MISSING, "content"),
        ({"messages": [{"id": "a", "role": "king", "content": ""}]}, Trouble.WRONG_TYPE, "role"),
        ({"messages": GOOD["messages"] * 2}, Trouble.TWICE, "a"),  # type: ignore[operator]
        (
            {"messages": [{"id": "a", "role": "user", "content": "", "parent": "x"}]},
            Trouble.NO_PARENT,
            "a",
        ),
        (
            {"messages": [{"id": "a", "role": "user", "content": "", "parent": "a"}]},
            Trouble.CIRCLE,
            "a",
        ),
        ({"active_leaf": "zz"}, Trouble.MISSING, "active_leaf"),
        (
            {
                "messages": [
                    {"id": "a", "role": "user", "content": "", "statistics": {"seconds": "x"}}
                ]
            },
            Trouble.WRONG_TYPE,
            "seconds",
        ),
    ],
)
def test_a_bad_chat_is_named_and_loses_no_other(
    tmp_path: Path, change: dict[str, object], trouble: Trouble, word: str
) -> None:
    path = write_json(tmp_path, [{**GOOD, "title": "first"}, {**GOOD, **change}, GOOD])
    chats, report = imported(path)
    assert [chat.title for chat in chats] == ["first", "good"]
    assert report.failed == 1
    (problem,) = report.problems
    assert problem.number == 2
    assert problem.trouble is trouble
    assert word in str(problem.facts)


def test_children_that_stand_before_their_parents_are_put_in_order(tmp_path: Path) -> None:
    messages = [
        {"id": "b", "role": "assistant", "content": "second", "parent": "a"},
        {"id": "a", "role": "user", "content": "first"},
    ]
    chats, _ = imported(write_json(tmp_path, [{**GOOD, "messages": messages}]))
    assert [message.content for message in chats[0].messages] == ["first", "second"]


def test_times_that_no_calendar_has_are_unknown(tmp_path: Path) -> None:
    chats, _ = imported(write_json(tmp_path, [{**GOOD, "updated": 1e300, "created": -5}]))
    assert (chats[0].updated, chats[0].created) == (0.0, 0.0)


def test_an_answer_that_was_on_its_way_is_interrupted(tmp_path: Path) -> None:
    messages = [{"id": "a", "role": "assistant", "content": "so f", "status": "streaming"}]
    chats, _ = imported(write_json(tmp_path, [{**GOOD, "messages": messages}]))
    assert chats[0].messages[0].status is MessageStatus.INTERRUPTED


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TransferError) as error:
        imported(write_json(tmp_path, [GOOD], version=2))
    assert error.value.trouble is Trouble.NEWER_FORMAT


@pytest.mark.parametrize(
    "content", [b"", b"   ", b"hello", b"<html>", b"\xff\xfe{", b"]", b"{}", b"[]"]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble is Trouble.NOT_CHATS


def test_a_file_that_ends_in_the_middle_gives_what_it_has(tmp_path: Path) -> None:
    path = write_json(tmp_path, [GOOD, {**GOOD, "title": "cut"}])
    path.write_bytes(path.read_bytes()[:-40])
    chats, report = imported(path)
    assert [chat.title for chat in chats] == ["good"]
    assert [problem.trouble for problem in report.problems] == [Trouble.CUT_OFF]


@pytest.mark.parametrize(
    ("limits", "trouble"),
    [
        (Limits(chat_bytes=1000), Trouble.CHAT_TOO_LARGE),
        (Limits(depth=5), Trouble.TOO_DEEP),
        (Limits(containers=50), Trouble.TOO_MANY_PARTS),
    ],
)
def test_a_chat_over_the_caps_is_never_parsed(
    tmp_path: Path, limits: Limits, trouble: Trouble
) -> None:
    deep: object = 1
    for _ in range(60):
        deep = [deep]
    big = {**GOOD, "title": "big", "parameters": {"x": deep, "y": "z" * 2000}}
    chats, report = imported(write_json(tmp_path, [GOOD, big, GOOD]), limits=limits)
    assert [chat.title for chat in chats] == ["good", "good"]
    assert report.failed == 1
    assert report.problems[0].trouble is trouble


@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b'{"a":' * 200_000, b'[{"mapping":' + b"[" * 150_000]
)
def test_a_tower_of_brackets_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(TransferError) as error:
        imported(path)
    assert error.value.trouble is Trouble.TOO_DEEP


def test_a_file_over_the_cap_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(TransferError) as error:
        imported(write_json(tmp_path, [GOOD]), limits=Limits(file_bytes=10))
    assert error.value.trouble is Trouble.FILE_TOO_LARGE
    chats, report = imported(write_json(tmp_path, [GOOD, GOOD]), limits=Limits(chats=1))
    assert len(chats) == 1
    assert report.problems[0].trouble is Trouble.TOO_MANY_CHATS


def test_a_second_import_takes_nothing_twice(tmp_path: Path) -> None:
    path = write_json(
        tmp_path, [{**GOOD, "updated": 12.25}, {**GOOD, "title": "other", "updated": 12.25}]
    )
    with importing() as store:
        assert store.run(path).imported == 2
        again = store.run(path)
        assert (again.imported, again.present) == (0, 2)
        copies = store.run(path, present=frozenset(), folder="Copies")
        assert copies.imported == 2
        assert store.trees[-1].folder == "Copies"


def test_it_can_be_cancelled_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = write_json(
        tmp_path, [{**GOOD, "title": str(n), "system_prompt": "x" * 400_000} for n in range(20)]
    )
    chats, report = imported(path, progress=lambda share, _count: share < 0.5)
    assert report.cancelled
    assert 0 < len(chats) < 20
    assert report.imported == len(chats)


def test_a_store_that_refuses_a_chat_is_reported(tmp_path: Path) -> None:
    path = write_json(tmp_path, [{**GOOD, "title": "bad"}, GOOD])
    with importing(refuse="bad") as store:
        report = store.run(path)
    assert (report.imported, report.failed) == (1, 1)
    assert report.problems[0].trouble is Trouble.NOT_STORED
    assert store.most_waiting <= 4


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_are_cut_or_refused(data: bytes) -> None:
    cutter = Cutter(Limits(depth=3, containers=10, chat_bytes=100))
    try:
        for piece in cutter.cut(iter_reader(data)):
            assert len(piece.data) <= 102
    except TransferError:
        pass


def iter_reader(data: bytes) -> Any:
    chunks = iter([data[:7], data[7:9], data[9:]])
    return lambda _count: next((chunk for chunk in chunks if chunk), b"")


FIELDS = st.sampled_from(
    [
        "title",
        "messages",
        "id",
        "role",
        "content",
        "parent",
        "status",
        "created",
        "statistics",
        "attachments",
        "name",
        "folder",
        "active_leaf",
        "parameters",
        "pinned",
        "reasoning",
    ]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["user", "a", "b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6),
    max_leaves=20,
)


@given(st.fixed_dictionaries({"title": ANYTHING, "messages": st.lists(ANYTHING)}) | ANYTHING)
@settings(deadline=None, max_examples=300)
def test_any_json_is_a_chat_or_an_error(value: Any) -> None:
    try:
        chat = our_json.decode(json.dumps(value).encode())
    except TransferError:
        return
    seen: set[str | None] = {None}
    for message in chat.messages:
        assert message.parent_id in seen
        seen.add(message.id)
    assert chat.active_leaf in seen


@given(trees())
@settings(deadline=None, max_examples=15)
def test_from_one_store_to_another(
    tmp_path_factory: pytest.TempPathFactory, chat: ChatTree
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    target = folder / "all.json"
    with opened(folder / "a.sqlite3") as first, opened(folder / "b.sqlite3") as second:
        chat_id = first.import_tree(chat).result(SECONDS).id
        stored = first.export_tree(chat_id).result(SECONDS)
        job = Job(
            [Chosen(chat_id, "")], Format.JSON, target, lambda id_: first.export_tree(id_).result()
        )
        assert export(job).written == 1
        report = import_chats(Import(target, second.import_tree))
        assert (report.imported, report.problems) == (1, ())
        (there,) = second.list_chats(include_archived=True).result(SECONDS)
        assert shape(second.export_tree(there.id).result(SECONDS)) == shape(stored)
        again = import_chats(Import(target, second.import_tree, keys_of([there])))
        assert again.present == (1 if there.updated else 0)


def shape(chat: ChatTree) -> ChatTree:
    """With ids that depend on the place alone, as a store gives its own."""
    ids = {m.id: str(place) for place, m in enumerate(chat.messages)}
    messages = tuple(
        replace(
            m,
            id=ids[m.id],
            chat_id="",
            parent_id=ids[m.parent_id] if m.parent_id else None,
            sequence=0,
            siblings=tuple(ids[id_] for id_ in m.siblings),
            attachments=tuple(replace(a, id="") for a in m.attachments),
        )
        for m in chat.messages
    )
    return replace(
        chat, messages=messages, active_leaf=ids[chat.active_leaf] if chat.active_leaf else None
    )
