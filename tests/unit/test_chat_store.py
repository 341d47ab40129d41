"""Chats in the store: the tree, the order, the bin, drafts, the queue."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, rule

from desktop.chats.chat import (
    DEFAULT_SYSTEM_PROMPT,
    DEFAULT_TITLE,
    Chat,
    MessageStatus,
    Role,
    Statistics,
)
from desktop.chats.names import name_from
from desktop.chats.store.chat_store import ChatStore
from desktop.chats.store.store_errors import StoreClosedError
from tests.helpers.stores import held_up, on_thread, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.db"


@pytest.fixture
def store(path: Path) -> Iterator[ChatStore]:
    with opened(path) as store:
        yield store


def reopened(path: Path, chat_id: str) -> Chat:
    with opened(path) as store:
        return store.load_chat(chat_id).result(10)


# --- chats and messages ----------------------------------------------------------


def test_a_new_chat_has_the_defaults(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    assert chat.title == DEFAULT_TITLE
    assert chat.system_prompt == DEFAULT_SYSTEM_PROMPT
    assert chat.messages == ()
    assert chat.active_leaf is None
    assert store.load_chat(chat.id).result(10) == chat


def test_everything_comes_back_after_a_restart(path: Path) -> None:
    statistics = Statistics(prompt_tokens=9, completion_tokens=3, ttft=0.25, finish_reason="stop")
    with opened(path) as store:
        chat = store.create_chat(title="Paris", model="/m", parameters={"top_k": 3}).result(10)
        user, answer = store.add_exchange(chat.id, None, "Where?", model="/m").result(10)
        store.update_message(
            answer.id, content="There.", status=MessageStatus.COMPLETE, statistics=statistics
        )
        store.save_draft(chat.id, "And then?")
        store.set_chat(chat.id, system_prompt="Be brief.", model="/n", parameters={"seed": 1})
        store.rename_chat(chat.id, "Where is Paris?")
    chat = reopened(path, chat.id)
    assert (chat.title, chat.system_prompt) == ("Where is Paris?", "Be brief.")
    assert (chat.model, chat.parameters, chat.draft) == ("/n", {"seed": 1}, "And then?")
    first, second = chat.messages
    assert first == user
    assert second.content == "There."
    assert second.parent_id == user.id
    assert second.model == "/m"
    assert second.statistics == statistics
    assert chat.active_leaf == second.id


def test_an_exchange_is_all_or_nothing(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user, answer = store.add_exchange(chat.id, None, "one", answer_id="a").result(10)
    assert (user.role, user.status) == (Role.USER, MessageStatus.COMPLETE)
    assert (answer.role, answer.status) == (Role.ASSISTANT, MessageStatus.QUEUED)
    store.save_draft(chat.id, "two")
    with pytest.raises(ValueError, match="refused"):
        store.add_exchange(chat.id, answer.id, "two", user_id="u", answer_id="a").result(10)
    kept = store.load_chat(chat.id).result(10)
    assert kept.messages == (user, answer)
    assert kept.draft == "two"
    store.add_exchange(chat.id, answer.id, "two").result(10)
    assert store.load_chat(chat.id).result(10).draft == ""


def test_regenerate_and_edit_make_branches(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    user, first = store.add_exchange(chat.id, None, "Hi").result(10)
    second = store.add_message(chat.id, user.id, Role.ASSISTANT, "again").result(10)
    assert second.siblings == (first.id, second.id)
    assert store.load_chat(chat.id).result(10).messages == (user, second)
    edited, third = store.add_exchange(chat.id, None, "Hello").result(10)
    assert edited.siblings == (user.id, edited.id)
    assert store.load_chat(chat.id).result(10).messages == (edited, third)
    store.set_active_leaf(chat.id, first.id).result(10)
    first = replace(first, siblings=second.siblings)
    user = replace(user, siblings=edited.siblings)
    assert store.load_chat(chat.id).result(10).messages == (user, first)
    assert store.load_tree(chat.id).result(10) == (user, first, second, edited, third)
    store.set_active_leaf(chat.id, None).result(10)
    assert store.load_chat(chat.id).result(10).messages == ()


def test_a_parent_of_another_chat_is_refused(store: ChatStore) -> None:
    one, two = store.create_chat().result(10), store.create_chat().result(10)
    stranger, _ = store.add_exchange(one.id, None, "Hi").result(10)
    for future in (
        store.add_message(two.id, stranger.id, Role.USER, "x"),
        store.add_exchange(two.id, stranger.id, "x"),
        store.set_active_leaf(two.id, stranger.id),
        store.set_active_leaf(two.id, "no such message"),
    ):
        with pytest.raises(ValueError, match="is not in chat"):
            future.result(10)
    assert store.load_tree(two.id).result(10) == ()


def test_a_chat_that_is_not_there(store: ChatStore) -> None:
    for future in (
        store.load_chat("x"),
        store.load_tree("x"),
        store.rename_chat("x", "y"),
        store.delete_chat("x"),
        store.restore_chat("x"),
        store.add_message("x", None, Role.USER, "y"),
        store.add_exchange("x", None, "y"),
        store.save_draft("x", "y"),
        store.set_active_leaf("x", None),
        store.set_chat("x", model="y"),
        store.set_chat("x"),
    ):
        with pytest.raises(KeyError):
            future.result(10)
    store.update_message("x", content="y").result(10)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("a\0b", "a\0b"),
        ("é😀\r\n\u2028", "é😀\r\n\u2028"),
        ("'; DROP TABLE chats; --", "'; DROP TABLE chats; --"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83d", "a\ufffd"),
        ("x" * 1_000_000, "x" * 1_000_000),
    ],
)
def test_any_text_is_kept(store: ChatStore, text: str, kept: str) -> None:
    chat = store.create_chat(title=text, system_prompt=text, parameters={"stop": [text]}).result(10)
    _, answer = store.add_exchange(chat.id, None, text).result(10)
    store.update_message(answer.id, content=text, error=text).result(10)
    store.save_draft(chat.id, text).result(10)
    back = store.load_chat(chat.id).result(10)
    assert back.title == (name_from(kept) or DEFAULT_TITLE)
    assert (back.system_prompt, back.draft) == (kept, kept)
    assert [message.content for message in back.messages] == [kept, kept]
    assert back.messages[1].error == kept


# --- order -----------------------------------------------------------------------


def test_order_does_not_depend_on_the_clock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes back a year, then forward two."""
    now = time.time()
    year = 365 * 86_400
    with opened(path) as store:
        titles, parent = [], None
        talk = store.create_chat(title="talk").result(10)
        for number, offset in enumerate((0, -year, +2 * year, -year, 0)):
            monkeypatch.setattr(time, "time", lambda offset=offset: now + offset)
            titles.append(store.create_chat(title=str(number)).result(10).title)
            _, answer = store.add_exchange(talk.id, parent, str(number)).result(10)
            parent = answer.id
    with opened(path) as store:
        listed = store.list_chats().result(10)
        assert [chat.title for chat in listed] == ["talk", *reversed(titles)]
        messages = store.load_chat(talk.id).result(10).messages
        assert [m.content for m in messages if m.role is Role.USER] == list("01234")
        assert [m.sequence for m in messages] == sorted(m.sequence for m in messages)


def test_only_new_messages_move_a_chat_up(store: ChatStore) -> None:
    one, two = store.create_chat().result(10), store.create_chat().result(10)
    _, answer = store.add_exchange(one.id, None, "x").result(10)
    assert [chat.id for chat in store.list_chats().result(10)] == [one.id, two.id]
    store.add_exchange(two.id, None, "x").result(10)
    store.rename_chat(one.id, "renamed")
    store.save_draft(one.id, "draft")
    store.update_message(answer.id, content="late")
    assert [chat.id for chat in store.list_chats().result(10)] == [two.id, one.id]


# --- the bin ---------------------------------------------------------------------


def test_a_deleted_chat_never_comes_back_by_itself(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    _, answer = store.add_exchange(chat.id, None, "Hi").result(10)
    store.update_message(answer.id, content="Hel", status=MessageStatus.STREAMING)
    store.delete_chat(chat.id)
    store.update_message(answer.id, content="Hello", status=MessageStatus.COMPLETE).result(10)
    assert store.list_chats(include_archived=True).result(10) == []
    with pytest.raises(KeyError):
        store.load_chat(chat.id).result(10)
    store.restore_chat(chat.id).result(10)
    back = store.load_chat(chat.id).result(10).messages[-1]
    assert (back.content, back.status) == ("Hel", MessageStatus.INTERRUPTED)


def test_archived_chats_are_listed_on_request(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    on_thread(store, lambda db: db.execute("UPDATE chats SET archived = 1"))
    assert store.list_chats().result(10) == []
    (listed,) = store.list_chats(include_archived=True).result(10)
    assert listed.id == chat.id
    assert listed.archived


def test_what_a_crash_left_is_marked(path: Path) -> None:
    with opened(path) as store:
        chat = store.create_chat().result(10)
        ids = {}
        for status in MessageStatus:
            message = store.add_message(
                chat.id, None, Role.ASSISTANT, "partial", status=status
            ).result(10)
            ids[message.id] = status
    with opened(path) as store:
        assert store.recover_interrupted().result(10) == 3
        assert store.recover_interrupted().result(10) == 0
        for message in store.load_tree(chat.id).result(10):
            before = ids[message.id]
            assert message.status is (MessageStatus.INTERRUPTED if before.is_active else before)
            assert message.content == "partial"


# --- the queue -------------------------------------------------------------------


def test_waiting_updates_of_a_message_merge(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    answers = [store.add_exchange(chat.id, None, "x").result(10)[1] for _ in range(4)]
    with held_up(store):
        for number in range(5_000):
            for answer in answers:
                store.update_message(answer.id, content=f"{answer.id} {number}")
        last = store.update_message(answers[0].id, status=MessageStatus.COMPLETE)
        assert store._queue.waiting == len(answers)
        assert not last.cancel(), "what was submitted is written"
    last.result(10)
    store.flush().result(10)
    tree = {message.id: message for message in store.load_tree(chat.id).result(10)}
    for answer in answers:
        assert tree[answer.id].content == f"{answer.id} 4999"
    assert tree[answers[0].id].status is MessageStatus.COMPLETE
    assert tree[answers[1].id].status is MessageStatus.QUEUED


def test_merging_keeps_the_order(store: ChatStore) -> None:
    """A draft typed after sending is not cleared by the sending before it."""
    chat = store.create_chat().result(10)
    with held_up(store):
        store.save_draft(chat.id, "first")
        store.add_exchange(chat.id, None, "first")
        store.save_draft(chat.id, "sec")
        store.save_draft(chat.id, "second")
    assert store.load_chat(chat.id).result(10).draft == "second"
    with held_up(store):
        store.save_draft(chat.id, "third")
        store.add_exchange(chat.id, None, "third")
    assert store.load_chat(chat.id).result(10).draft == ""


def test_nothing_merges_across_an_erasure(store: ChatStore) -> None:
    chat, other = store.create_chat().result(10), store.create_chat().result(10)
    with held_up(store):
        store.save_draft(chat.id, "before")
        erased = store.erase_chat(other.id)
        store.save_draft(chat.id, "after")
        assert store._queue.waiting == 3
    erased.result(10)
    assert store.load_chat(chat.id).result(10).draft == "after"


def test_one_bad_write_does_not_harm_its_neighbours(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    with held_up(store):
        good = [store.add_message(chat.id, None, Role.USER, str(n)) for n in range(3)]
        bad = store.add_message(chat.id, "nobody", Role.USER, "bad")
        good += [store.add_message(chat.id, None, Role.USER, str(n)) for n in range(3, 6)]
    with pytest.raises(ValueError, match="not in chat"):
        bad.result(10)
    messages = [future.result(10) for future in good]
    tree = store.load_tree(chat.id).result(10)
    assert [message.id for message in tree] == [message.id for message in messages]


def test_neighbouring_writes_share_a_commit(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    statements: list[str] = []
    on_thread(store, lambda db: db.conn.set_trace_callback(statements.append))
    with held_up(store):
        futures = [store.add_exchange(chat.id, None, str(n)) for n in range(20)]
    for future in futures:
        future.result(10)
    assert statements.count("COMMIT") == 1


def test_calls_come_from_any_thread(store: ChatStore) -> None:
    chat = store.create_chat().result(10)

    def talk(name: str) -> None:
        parent = None
        for number in range(20):
            _, answer = store.add_exchange(chat.id, parent, f"{name}{number}").result(10)
            parent = answer.id

    threads = [threading.Thread(target=talk, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    tree = store.load_tree(chat.id).result(10)
    assert len(tree) == 4 * 40
    assert len({message.sequence for message in tree}) == len(tree)


# --- open and close --------------------------------------------------------------


def test_close_writes_what_was_submitted(path: Path) -> None:
    store = ChatStore(path)
    store.open()
    chat = store.create_chat()
    for number in range(200):
        store.add_message(chat.result(10).id, None, Role.USER, str(number))
    store.close()
    with opened(path) as store:
        tree = store.load_tree(chat.result(10).id).result(10)
    assert [message.content for message in tree] == [str(number) for number in range(200)]


def test_after_close_every_call_says_so(path: Path) -> None:
    store = ChatStore(path)
    store.close()
    store = ChatStore(path)
    store.open().result(10)
    store.close()
    store.close()
    for future in (store.list_chats(), store.save_draft("x", "y"), store.open(), store.flush()):
        with pytest.raises(StoreClosedError) as error:
            future.result(10)
        assert error.value.advice


def test_before_open_every_call_says_so(path: Path) -> None:
    store = ChatStore(path)
    with pytest.raises(StoreClosedError):
        store.list_chats().result(10)
    assert not path.exists()
    store.close()


def test_close_does_not_wait_for_ever(path: Path) -> None:
    store = ChatStore(path)
    store.open().result(10)
    with held_up(store):
        start = time.monotonic()
        store.close(timeout=0.05)
        assert time.monotonic() - start < 5
    store.close()


def test_opening_twice_is_harmless(store: ChatStore) -> None:
    chat = store.create_chat().result(10)
    store.open().result(10)
    assert store.load_chat(chat.id).result(10) == chat


def test_commits_are_synced_and_erased_bytes_are_gone(store: ChatStore) -> None:
    def pragmas(db: Any) -> dict[str, object]:
        return {
            name: db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        }

    assert on_thread(store, pragmas) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
    }


def test_the_plans_use_the_indices(store: ChatStore) -> None:
    def plan(sql: str, db: Any) -> str:
        rows = db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
        return " | ".join(row[-1] for row in rows)

    active = "status IN ('queued', 'running', 'streaming')"
    for sql, index in (
        (f"UPDATE messages SET status = 'x' WHERE {active}", "answers_on_their_way"),
        (f"UPDATE messages SET status = 'x' WHERE chat_id = 'a' AND {active}", "answers_on"),
        ("SELECT * FROM messages WHERE chat_id = 'a'", "messages_of_chat"),
        ("SELECT * FROM chats ORDER BY sequence DESC", "chats_by_change"),
    ):
        assert index in on_thread(store, partial(plan, sql))


# --- the tree against a model ----------------------------------------------------


class Model:
    """What a chat should be, in plain Python."""

    def __init__(self) -> None:
        self.parents: dict[str, str | None] = {}
        self.contents: dict[str, str] = {}
        self.leaf: str | None = None
        self.draft = ""
        self.deleted = False

    def path(self) -> list[tuple[str, str]]:
        path, at = [], self.leaf
        while at is not None:
            path.append((at, self.contents[at]))
            at = self.parents[at]
        return path[::-1]


class Tree(RuleBasedStateMachine):
    """Random talk, branching, deleting and restarting."""

    chats: Bundle[str] = Bundle("chats")
    folder: Path

    @initialize()
    def begin(self) -> None:
        import tempfile

        self.temporary = tempfile.TemporaryDirectory()
        self.store_path = Path(self.temporary.name) / "chats.db"
        self.models: dict[str, Model] = {}
        self.changes: list[str] = []
        self.open()

    def open(self) -> None:
        self.store = ChatStore(self.store_path)
        self.store.open().result(10)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.everything_is_as_expected()
            self.store.close()
            self.temporary.cleanup()

    def moved(self, chat: str) -> None:
        self.changes = [c for c in self.changes if c != chat] + [chat]

    @rule(target=chats)
    def create(self) -> str:
        chat = self.store.create_chat().result(10).id
        self.models[chat] = Model()
        self.moved(chat)
        return chat

    @rule(chat=chats, text=st.text(max_size=20), data=st.data())
    def say(self, chat: str, text: str, data: st.DataObject) -> None:
        model = self.models[chat]
        parent = data.draw(st.sampled_from([None, model.leaf, *model.parents]))
        future = self.store.add_exchange(chat, parent, text)
        if model.deleted:
            with pytest.raises(KeyError):
                future.result(10)
            return
        user, answer = future.result(10)
        model.parents |= {user.id: parent, answer.id: user.id}
        model.contents |= {user.id: text, answer.id: ""}
        model.leaf, model.draft = answer.id, ""
        self.moved(chat)

    @rule(chat=chats, texts=st.lists(st.text(max_size=20), min_size=1), data=st.data())
    def stream(self, chat: str, texts: list[str], data: st.DataObject) -> None:
        model = self.models[chat]
        if model.parents:
            message = data.draw(st.sampled_from(list(model.parents)))
            for text in texts:
                self.store.update_message(message, content=text)
            if not model.deleted:
                model.contents[message] = texts[-1]

    @rule(chat=chats, data=st.data())
    def show(self, chat: str, data: st.DataObject) -> None:
        model = self.models[chat]
        if not model.deleted:
            model.leaf = data.draw(st.sampled_from([None, *model.parents]))
            self.store.set_active_leaf(chat, model.leaf)

    @rule(chat=chats, text=st.text(max_size=20))
    def type(self, chat: str, text: str) -> None:
        self.store.save_draft(chat, text)
        if not self.models[chat].deleted:
            self.models[chat].draft = text

    @rule(chat=chats)
    def delete(self, chat: str) -> None:
        self.store.delete_chat(chat)
        self.models[chat].deleted = True

    @rule(chat=chats)
    def restore(self, chat: str) -> None:
        self.store.restore_chat(chat)
        self.models[chat].deleted = False

    @rule(chat=consumes(chats))
    def forget(self, chat: str) -> None:
        """Leave a chat alone from here on."""

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.open()

    @rule()
    def everything_is_as_expected(self) -> None:
        listed = [chat.id for chat in self.store.list_chats().result(10)]
        assert listed == [c for c in reversed(self.changes) if not self.models[c].deleted]
        for chat_id in listed:
            model, chat = self.models[chat_id], self.store.load_chat(chat_id).result(10)
            assert [(m.id, m.content) for m in chat.messages] == model.path()
            assert chat.active_leaf == model.leaf
            assert chat.draft == model.draft
            tree = self.store.load_tree(chat_id).result(10)
            assert {m.id: m.parent_id for m in tree} == model.parents
            assert [m.id for m in tree] == list(model.parents), "in the order of writing"


TestTree = Tree.TestCase
TestTree.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
