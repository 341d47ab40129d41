"""Branches: siblings, answers side by side, taking messages out and putting them back, copies."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from desktop.chats.chat import Attachment, Chat, Message, MessageStatus, Role, Statistics
from desktop.chats.chat_tree import ChatTree, RemovedMessage
from desktop.chats.search import SearchQuery
from desktop.chats.store.chat_store import ChatStore
from tests.helpers.search_index import index_is_right
from tests.helpers.stores import held_up, on_thread, opened

FILE = Attachment("f", "notes.txt", "a line\nand a \0 and 日本")
PASTE = Attachment("p", "", "x" * 200_000)
COMPARED = ("role", "content", "status", "model", "error", "reasoning", "statistics", "created")


def load(store: ChatStore, chat: Chat) -> Chat:
    return store.load_chat(chat.id).result(10)


def ids(chat: Chat) -> list[str]:
    return [message.id for message in chat.messages]


def talk(store: ChatStore, chat: Chat, count: int = 2) -> list[Message]:
    """Exchanges, one below the other."""
    messages: list[Message] = []
    for number in range(count):
        parent = messages[-1].id if messages else None
        messages += store.add_exchange(chat.id, parent, f"question {number}").result(10)
    return messages


# --- siblings --------------------------------------------------------------------


def test_siblings_are_told_in_order(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user, first = store.add_exchange(chat.id, None, "Hi").result(10)
    assert [message.siblings for message in load(store, chat).messages] == [(), ()]
    second = store.add_message(chat.id, user.id, Role.ASSISTANT, "two").result(10)
    third = store.add_message(chat.id, user.id, Role.ASSISTANT, "three").result(10)
    assert third.siblings == (first.id, second.id, third.id)
    shown = store.show_branch(chat.id, second.id).result(10)
    assert shown == load(store, chat)
    assert shown.messages[-1].id == second.id
    assert shown.messages[-1].siblings == third.siblings


def test_show_branch_goes_down_to_the_newest_leaf(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b, c, d = talk(store, chat)
    other = store.add_message(chat.id, b.id, Role.USER, "another").result(10)
    assert ids(store.show_branch(chat.id, b.id).result(10)) == [a.id, b.id, other.id]
    assert ids(store.show_branch(chat.id, c.id).result(10)) == [a.id, b.id, c.id, d.id]
    edited, answer = store.add_exchange(chat.id, None, "edited").result(10)
    assert ids(store.show_branch(chat.id, a.id).result(10)) == [a.id, b.id, other.id]
    assert ids(store.show_branch(chat.id, edited.id).result(10)) == [edited.id, answer.id]
    with pytest.raises(ValueError, match="not in chat"):
        store.show_branch(chat.id, "x").result(10)
    with pytest.raises(KeyError):
        store.show_branch("x", a.id).result(10)


def test_answers_side_by_side(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user = store.add_message(chat.id, None, Role.USER, "Hi").result(10)
    answers = store.add_answers(chat.id, user.id, ["a", "b", "c"], model="m").result(10)
    assert [message.id for message in answers] == ["a", "b", "c"]
    for message in answers:
        assert message.siblings == ("a", "b", "c")
        assert (message.role, message.status) == (Role.ASSISTANT, MessageStatus.QUEUED)
        assert (message.parent_id, message.model, message.content) == (user.id, "m", "")
    assert load(store, chat).messages == (user, answers[0])
    with pytest.raises(ValueError, match="refused"):
        store.add_answers(chat.id, user.id, ["d", "a"]).result(10)
    assert len(store.load_tree(chat.id).result(10)) == 4
    with pytest.raises(ValueError, match="not in chat"):
        store.add_answers(chat.id, "x", ["d"]).result(10)
    with pytest.raises(ValueError, match="no ids"):
        store.add_answers(chat.id, user.id, [])


# --- attachments and reasoning ---------------------------------------------------


def test_attachments_come_back_and_leave_the_draft_when_sent(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        store.save_draft(chat.id, "read", [FILE, PASTE]).result(10)
        store.save_draft(chat.id, "read this").result(10)
        kept = load(store, chat)
        assert (kept.draft, kept.draft_attachments) == ("read this", (FILE, PASTE))
        store.save_draft(chat.id, "read this", [PASTE]).result(10)
        assert load(store, chat).draft_attachments == (PASTE,)
        user, answer = store.add_exchange(
            chat.id, None, "read this", attachments=[FILE, PASTE]
        ).result(10)
        assert user.attachments == (FILE, PASTE)
        # Edited, with the same file beside the first.
        edited = store.add_message(chat.id, None, Role.USER, "or this", attachments=[FILE])
        assert edited.result(10).attachments == (FILE,)
        store.set_active_leaf(chat.id, answer.id).result(10)
    with opened(path) as store:
        back = load(store, chat)
        assert (back.draft, back.draft_attachments) == ("", ())
        assert back.messages[0].attachments == (FILE, PASTE)
        assert back.messages[1].attachments == ()


def test_drafts_merge_and_keep_their_attachments(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    with held_up(store):
        store.save_draft(chat.id, "a", [FILE])
        store.save_draft(chat.id, "ab")
        assert store._queue.waiting == 1
    kept = load(store, chat)
    assert (kept.draft, kept.draft_attachments) == ("ab", (FILE,))


def test_an_exchange_that_fails_keeps_the_draft_and_what_hangs_on_it(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    store.save_draft(chat.id, "mine", [FILE])
    store.add_exchange(chat.id, "nobody", "mine", attachments=[FILE]).exception(10)
    kept = load(store, chat)
    assert (kept.draft, kept.draft_attachments, kept.messages) == ("mine", (FILE,), ())


def test_a_broken_name_of_a_file_is_kept_as_it_can_be(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    broken = Attachment("x", "\udcff.txt", "\ud83d")
    user, _ = store.add_exchange(chat.id, None, "see", attachments=[broken]).result(10)
    assert user.attachments == load(store, chat).messages[0].attachments
    assert user.attachments[0].name == "\ufffd.txt"


def test_reasoning_and_statistics_come_back(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    _, answer = store.add_exchange(chat.id, None, "x").result(10)
    run: dict[str, object] = {"model": "m", "seed": 3, "nested": {"a": [1.5, None, True, "é"]}}
    statistics = Statistics(completion_tokens=3, reasoning_seconds=1.5, stop_string="END", run=run)
    store.update_message(answer.id, reasoning="hm\ud83d", statistics=statistics).result(10)
    back = load(store, chat).messages[-1]
    assert (back.reasoning, back.statistics) == ("hm\ufffd", statistics)
    for text, expected in (
        ('{"completion_tokens": 3, "new": 1}', Statistics(completion_tokens=3)),
        ('{"seconds": "long", "run": {}}', Statistics(seconds="long")),  # type: ignore[arg-type]
        ("nonsense", Statistics()),
        ("[]", Statistics()),
    ):
        sql = f"UPDATE messages SET statistics = '{text}'"
        on_thread(store, methodcaller("execute", sql))
        assert load(store, chat).messages[-1].statistics == expected


# --- out and in again ------------------------------------------------------------


def test_a_message_in_the_middle_is_spliced_out_and_put_back(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b, c, d = talk(store, chat)
    store.update_message(b.id, content="so", status=MessageStatus.COMPLETE).result(10)
    before = load(store, chat), store.load_tree(chat.id).result(10)
    removed = store.remove_message(b.id).result(10)
    assert removed.message == before[1][1]
    assert removed.children == (c.id,)
    after = load(store, chat)
    assert ids(after) == [a.id, c.id, d.id]
    assert after.messages[1].parent_id == a.id
    store.put_back(removed).result(10)
    assert (load(store, chat), store.load_tree(chat.id).result(10)) == before
    store.put_back(removed).result(10)
    assert (load(store, chat), store.load_tree(chat.id).result(10)) == before


def test_taking_out_the_last_message_shows_what_is_before_it(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b, c, d = talk(store, chat)
    last = store.remove_message(d.id).result(10)
    assert (last.leaf_before, last.leaf_after) == (d.id, c.id)
    assert ids(load(store, chat)) == [a.id, b.id, c.id]
    store.put_back(last).result(10)
    assert ids(load(store, chat)) == [a.id, b.id, c.id, d.id]


def test_taking_out_a_root_shows_the_other_one(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b = talk(store, chat, 1)
    root = store.add_message(chat.id, None, Role.USER, "edited").result(10)
    removed = store.remove_message(root.id).result(10)
    assert removed.leaf_after == b.id
    assert ids(load(store, chat)) == [a.id, b.id]
    everything = [store.remove_message(m.id).result(10) for m in (a, b)]
    assert load(store, chat).messages == ()
    for one in (*reversed(everything), removed):
        store.put_back(one).result(10)
    assert ids(load(store, chat)) == [root.id]
    assert len(store.load_tree(chat.id).result(10)) == 3


def test_where_one_of_several_answers_goes_another_is_shown(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    question = store.add_message(chat.id, None, Role.USER, "?").result(10)
    answers = [
        store.add_message(chat.id, question.id, Role.ASSISTANT, text).result(10) for text in "abc"
    ]
    store.show_branch(chat.id, answers[1].id).result(10)
    removed = store.remove_message(answers[1].id).result(10)
    assert removed.leaf_after == answers[2].id
    shown = store.load_chat(chat.id).result(10)
    assert shown.messages[-1].siblings == (answers[0].id, answers[2].id)
    store.put_back(removed).result(10)
    assert store.load_chat(chat.id).result(10).messages[-1].id == answers[1].id


def test_putting_back_after_the_chat_went_on(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b, c, d = talk(store, chat)
    removed = store.remove_message(d.id).result(10)
    newer = store.add_message(chat.id, c.id, Role.ASSISTANT, "again").result(10)
    store.put_back(removed).result(10)
    shown = load(store, chat)
    assert ids(shown) == [a.id, b.id, c.id, newer.id], "what was said since stays in view"
    assert shown.messages[-1].siblings == (d.id, newer.id), "in the order of writing"


def test_putting_back_where_nothing_is_left(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    a, b, *_ = talk(store, chat)
    second = store.remove_message(b.id).result(10)
    first = store.remove_message(a.id).result(10)
    with pytest.raises(ValueError, match="not in chat"):
        store.put_back(second).result(10)
    store.put_back(first).result(10)
    store.put_back(second).result(10)
    store.delete_chat(chat.id).result(10)
    for future in (store.put_back(first), store.remove_message(a.id), store.remove_message("x")):
        with pytest.raises(KeyError):
            future.result(10)


def test_a_message_taken_out_while_it_streams_stays_out(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user, answer = store.add_exchange(chat.id, None, "Hi").result(10)
    store.update_message(answer.id, content="Hel", status=MessageStatus.STREAMING)
    removed = store.remove_message(answer.id)
    store.update_message(answer.id, content="Hello", status=MessageStatus.COMPLETE).result(10)
    assert load(store, chat).messages == (user,)
    store.put_back(removed.result(10)).result(10)
    back = load(store, chat).messages[-1]
    assert (back.content, back.status) == ("Hel", MessageStatus.INTERRUPTED)


def test_attachments_go_and_come_with_their_message(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user, _ = store.add_exchange(chat.id, None, "see", attachments=[FILE, PASTE]).result(10)
    removed = store.remove_message(user.id).result(10)
    count = "SELECT count(*) FROM attachments"
    assert on_thread(store, lambda db: db.execute(count).fetchone()) == (0,)
    store.put_back(removed).result(10)
    assert load(store, chat).messages[0] == user


# --- copies ----------------------------------------------------------------------


def plain(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Messages without their ids and places: the parent by its index."""
    places = {message.id: index for index, message in enumerate(messages)}
    return [
        {
            "parent": places.get(message.parent_id or "", -1),
            "siblings": [places[id_] for id_ in message.siblings if id_ in places],
            "attachments": [(a.name, a.content) for a in message.attachments],
            **{name: getattr(message, name) for name in COMPARED},
        }
        for message in messages
    ]


def test_fork_copies_the_path_and_the_settings(store: ChatStore) -> None:
    chat = store.create_chat(system_prompt="Be brief.", model="m", parameters={"seed": 1}).result(
        10
    )
    a, b, c, d = talk(store, chat)
    edited, _ = store.add_exchange(chat.id, b.id, "edited", attachments=[FILE]).result(10)
    store.set_folder(chat.id, "Work")
    store.update_message(b.id, content="so", status=MessageStatus.COMPLETE).result(10)
    fork = store.fork_chat(chat.id, edited.id, "A fork").result(10)
    assert (fork.title, fork.system_prompt) == ("A fork", "Be brief.")
    assert (fork.model, fork.parameters) == ("m", {"seed": 1})
    assert [m.content for m in fork.messages] == ["question 0", "so", "edited"]
    assert fork.active_leaf == fork.messages[-1].id
    assert fork.messages[-1].attachments[0].content == FILE.content
    assert not set(ids(fork)) & {a.id, b.id, c.id, d.id, edited.id}
    head = store.list_chats().result(10)[0]
    assert (head.id, head.folder) == (fork.id, "Work")
    hits = store.search(SearchQuery("edited", chat_id=fork.id)).result(10).hits
    assert [hit.message_id for hit in hits] == [fork.messages[-1].id]
    # An answer on its way is interrupted in the copy.
    assert store.fork_chat(chat.id, d.id, "x").result(10).messages[-1].status is (
        MessageStatus.INTERRUPTED
    )
    with pytest.raises(ValueError, match="not in chat"):
        store.fork_chat(chat.id, "x", "x").result(10)
    with pytest.raises(KeyError):
        store.fork_chat("x", a.id, "x").result(10)


def test_a_tree_goes_out_and_comes_back(store: ChatStore, tmp_path: Path) -> None:
    chat = store.create_chat(title="T", system_prompt="S", model="m", parameters={"a": [1]})
    chat_id = chat.result(10).id
    _, b, c, d = talk(store, chat.result(10))
    for message in (b, d):
        store.update_message(
            message.id,
            content="so",
            status=MessageStatus.COMPLETE,
            reasoning="hm",
            statistics=Statistics(run={"x": 1}),
        )
    store.add_message(chat_id, b.id, Role.USER, "other", attachments=[FILE])
    store.set_active_leaf(chat_id, d.id)
    store.set_folder(chat_id, "F")
    store.set_pinned(chat_id, True)
    store.set_archived(chat_id, True)
    tree = store.export_tree(chat_id).result(10)
    assert (tree.title, tree.folder, tree.pinned, tree.archived) == ("T", "F", True, True)
    assert tree.active_leaf == d.id
    assert [m.id for m in tree.messages][:4] == [tree.messages[0].id, b.id, c.id, d.id]
    with opened(tmp_path / "other" / "chats.db") as other:
        for target in (store, other):
            summary = target.import_tree(tree).result(10)
            back = target.export_tree(summary.id).result(10)
            assert plain(back.messages) == plain(tree.messages)
            assert replace(back, messages=(), active_leaf=None) == replace(
                tree, messages=(), active_leaf=None
            )
            assert target.load_chat(summary.id).result(10).messages[-1].content == "so"
            assert summary == target.list_chats(include_archived=True).result(10)[0]
            assert on_thread(target, index_is_right)


def test_a_tree_that_is_none_is_refused_whole(store: ChatStore) -> None:
    one = Message("1", "", None, Role.USER, "x")
    two = Message("2", "", "1", Role.ASSISTANT, "y", MessageStatus.STREAMING)
    for messages, leaf, why in (
        ((two, one), None, "before its parent"),
        ((one, one), None, "twice"),
        ((one,), "2", "no message"),
        ((replace(one, parent_id="1"),), None, "before its parent"),
    ):
        with pytest.raises(ValueError, match=why):
            store.import_tree(ChatTree("x", messages=messages, active_leaf=leaf)).result(10)
    assert store.list_chats().result(10) == []
    summary = store.import_tree(ChatTree("x", messages=(one, two), active_leaf="2")).result(10)
    back = store.load_chat(summary.id).result(10)
    assert back.messages[-1].status is MessageStatus.INTERRUPTED
    assert back.messages[0].created > 0


def test_a_chat_of_ten_thousand_messages(store: ChatStore) -> None:
    """Deeper than SQLite lets triggers go."""
    messages = tuple(
        Message(str(n), "", str(n - 1) if n else None, Role.USER, f"message {n}")
        for n in range(10_000)
    )
    chat = store.import_tree(ChatTree("x", messages=messages, active_leaf="9999")).result(30)
    shown = store.load_chat(chat.id).result(30)
    assert [m.content for m in shown.messages] == [m.content for m in messages]
    removed = store.remove_message(shown.messages[0].id).result(30)
    store.put_back(removed).result(30)
    assert store.load_chat(chat.id).result(30) == shown
    store.erase_chat(chat.id).result(60)
    assert on_thread(store, lambda db: db.execute("SELECT count(*) FROM messages").fetchone()) == (
        0,
    )


# --- random operations -----------------------------------------------------------


class Branches(RuleBasedStateMachine):
    """Random trees, random splices: what was taken out last goes back exactly."""

    @initialize()
    def begin(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.store = ChatStore(Path(self.temporary.name) / "chats.db")
        self.store.open().result(10)
        self.chat = self.store.create_chat().result(10)
        self.undo: list[tuple[RemovedMessage, tuple[Any, ...]]] = []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.temporary.cleanup()

    def state(self) -> tuple[Any, ...]:
        tree = self.store.load_tree(self.chat.id).result(10)
        return load(self.store, self.chat), tree

    def pick(self, data: st.DataObject) -> str:
        tree = self.store.load_tree(self.chat.id).result(10)
        return data.draw(st.sampled_from([message.id for message in tree]))

    def has_messages(self) -> bool:
        return hasattr(self, "store") and bool(self.store.load_tree(self.chat.id).result(10))

    @rule(text=st.text(max_size=10), data=st.data(), files=st.sampled_from([(), (FILE,)]))
    def say(self, text: str, data: st.DataObject, files: tuple[Attachment, ...]) -> None:
        parents = [None, *(m.id for m in self.store.load_tree(self.chat.id).result(10))]
        parent = data.draw(st.sampled_from(parents))
        self.store.add_message(self.chat.id, parent, Role.USER, text, attachments=files).result(10)
        self.undo.clear()

    @precondition(has_messages)
    @rule(data=st.data(), count=st.integers(1, 3))
    def answer(self, data: st.DataObject, count: int) -> None:
        new = [f"{len(self.undo)}-{n}-{id(object())}" for n in range(count)]
        if len(set(new)) == count:
            self.store.add_answers(self.chat.id, self.pick(data), new).exception(10)
            self.undo.clear()

    @precondition(has_messages)
    @rule(data=st.data(), text=st.text(max_size=10), status=st.sampled_from(MessageStatus))
    def stream(self, data: st.DataObject, text: str, status: MessageStatus) -> None:
        self.store.update_message(self.pick(data), content=text, status=status).result(10)
        self.undo.clear()

    @precondition(has_messages)
    @rule(data=st.data())
    def show(self, data: st.DataObject) -> None:
        message = self.pick(data)
        shown = self.store.show_branch(self.chat.id, message).result(10)
        assert message in ids(shown)
        tree = self.store.load_tree(self.chat.id).result(10)
        assert shown.active_leaf not in {m.parent_id for m in tree}
        self.undo.clear()

    @precondition(has_messages)
    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        self.store.set_active_leaf(self.chat.id, self.pick(data)).result(10)
        self.undo.clear()

    @precondition(has_messages)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        before = self.state()
        message = self.pick(data)
        removed = self.store.remove_message(message).result(10)
        if removed.message.status.is_active:
            self.undo.clear()
        else:
            self.undo.append((removed, before))
        tree = self.store.load_tree(self.chat.id).result(10)
        assert message not in {m.id for m in tree}
        assert len(tree) == len(before[1]) - 1

    @precondition(lambda self: bool(getattr(self, "undo", None)))
    @rule()
    def put_back(self) -> None:
        removed, before = self.undo.pop()
        self.store.put_back(removed).result(10)
        assert self.state() == before

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = ChatStore(self.store.path)
        self.store.open().result(10)

    @invariant()
    def the_end_is_the_end_of_the_whole(self) -> None:
        whole = self.store.load_chat(self.chat.id).result(10)
        for count in (1, 3):
            end = self.store.load_chat_end(self.chat.id, count).result(10)
            assert end.is_whole is (len(whole.messages) <= count)
            assert replace(end, is_whole=True) == replace(whole, messages=whole.messages[-count:])

    @invariant()
    def the_path_ends_at_the_leaf(self) -> None:
        if not hasattr(self, "store"):
            return
        chat, tree = self.state()
        assert (chat.messages[-1].id if chat.messages else None) == chat.active_leaf
        by_id = {message.id: message for message in tree}
        for before, message in zip((None, *chat.messages), chat.messages, strict=False):
            assert message.parent_id == (before.id if before else None)
            assert message == by_id[message.id]
        for message in tree:
            beside = tuple(m.id for m in tree if m.parent_id == message.parent_id)
            assert message.siblings == (beside if len(beside) > 1 else ())
            assert message.parent_id is None or by_id[message.parent_id].sequence < message.sequence
        assert on_thread(self.store, index_is_right)


TestBranches = Branches.TestCase
TestBranches.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
