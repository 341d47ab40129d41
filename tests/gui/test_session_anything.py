"""Whatever is done to a chat, in whatever order: what is shown is what is stored, and all of it."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pytestqt.qtbot import QtBot

from desktop.background import Background
from desktop.chats.chat import Attachment, Message, MessageStatus, OverflowPolicy, Role
from desktop.chats.store.chat_store import ChatStore
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.overflow import OverflowChoice
from desktop.models.session.session_hub import SessionHub
from engine.protocol import FinishReason, StreamUpdate, TokenBatch
from tests.gui.conftest import WAIT_MS, stored
from tests.gui.fake_client import FakeClient

_numbers = itertools.count()
PLACES = st.integers(0, 30)
PIECES = st.sampled_from(["a", " b", "\n", "<think>", "</think>", "<thi", "nk>", "é"])


class SessionMachine(RuleBasedStateMachine):
    """Does to one session all that a user, an engine and a slow disk may do."""

    bot: ClassVar[QtBot]
    folder: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.client = FakeClient()
        self.background = Background()
        store = ChatStore(self.folder / f"{next(_numbers)}.db")
        self.hub = SessionHub(store, self.client.as_client, self.background)
        with self.bot.waitSignal(self.hub.store_opened, timeout=WAIT_MS):
            self.hub.open_store()
        sessions: list[ChatSession] = []
        self.hub.create_chat(sessions.append)
        self.bot.waitUntil(lambda: bool(sessions), timeout=WAIT_MS)
        self.session = sessions[0]
        self.hub.show(self.session.chat_id)
        self.deleted: set[str] = set()
        self.known: dict[str, Message] = {}
        self.open: list[str] = []  # requests that the engine works on
        self.taken = 0
        self.session.message_deleted.connect(lambda message: self.deleted.add(message.id))
        self.drafts: list[str] = []
        self.session.draft_replaced.connect(self.drafts.append)

    # --- the user

    def at(self, place: int) -> Message | None:
        messages = self.session.messages
        return messages[place % len(messages)] if messages else None

    @rule(text=st.sampled_from(["", "one", "two\nlines", "/three"]), attach=st.booleans())
    def send(self, text: str, attach: bool) -> None:
        files = (Attachment(f"f{next(_numbers)}", "notes.txt", "some notes"),) if attach else ()
        self.session.send(text, files)

    @rule(place=PLACES, text=st.sampled_from(["other", "words"]))
    def edit(self, place: int, text: str) -> None:
        message = self.at(place)
        if message is not None:
            self.session.edit(message.id, text)

    @rule(place=PLACES)
    def retry(self, place: int) -> None:
        message = self.at(place)
        if message is not None:
            self.session.retry(message.id)

    @rule()
    def go_on(self) -> None:
        message = self.at(-1)
        if message is not None:
            self.session.continue_answer(message.id)

    @rule(place=PLACES, by=st.sampled_from([-1, 1]))
    def step(self, place: int, by: int) -> None:
        message = self.at(place)
        if message is not None:
            self.session.step_sibling(message.id, by)

    @rule(place=PLACES)
    def delete(self, place: int) -> None:
        message = self.at(place)
        if message is not None:
            self.session.delete_message(message.id)

    @rule()
    def undo(self) -> None:
        self.session.undo_delete_message()

    @rule(place=PLACES, count=st.integers(1, 3))
    def ways(self, place: int, count: int) -> None:
        message = self.at(place)
        if message is not None:
            self.session.answer_ways(message.id, count)

    @rule(place=PLACES)
    def pick(self, place: int) -> None:
        candidates = self.session.candidates
        if candidates:
            self.session.pick_candidate(candidates[place % len(candidates)].id)

    @rule(place=PLACES)
    def delete_candidate(self, place: int) -> None:
        candidates = self.session.candidates
        if candidates:
            self.session.delete_message(candidates[place % len(candidates)].id)

    @rule()
    def stop(self) -> None:
        self.session.stop()

    @rule(
        choice=st.sampled_from(list(OverflowChoice)),
        remember=st.booleans(),
    )
    def resolve(self, choice: OverflowChoice, remember: bool) -> None:
        self.session.resolve_overflow(choice, remember)

    @rule()
    def ask_about_overflows(self) -> None:
        self.session.set_parameters({"overflow": OverflowPolicy.ASK.value})

    # --- the engine

    def take_requests(self) -> None:
        fresh = self.client.requests[self.taken :]
        self.taken += len(fresh)
        self.open += [request.request_id for request in fresh]

    def request(self, place: int) -> str:
        self.take_requests()
        return self.open[place % len(self.open)]

    def is_asked(self) -> bool:
        self.take_requests()
        return bool(self.open)

    @precondition(is_asked)
    @rule(place=PLACES, text=PIECES)
    def write(self, place: int, text: str) -> None:
        self.client.write(self.request(place), text, running=True)

    @precondition(is_asked)
    @rule(place=PLACES)
    def open_reasoning(self, place: int) -> None:
        update = StreamUpdate(self.request(place), prompt_tokens=9, opens_reasoning="<think>")
        self.client.token_batch.emit(TokenBatch((update,)))

    @precondition(is_asked)
    @rule(place=PLACES, reason=st.sampled_from(list(FinishReason)))
    def finish(self, place: int, reason: FinishReason) -> None:
        request = self.request(place)
        self.open.remove(request)
        self.client.finish(request, reason)

    @precondition(is_asked)
    @rule(place=PLACES)
    def fail(self, place: int) -> None:
        request = self.request(place)
        self.open.remove(request)
        self.client.fail(request, "The model stopped with an error.")

    @precondition(is_asked)
    @rule(place=PLACES, keep=st.none() | st.integers(0, 5), tokens=st.sampled_from([70, 90]))
    def overflow(self, place: int, keep: int | None, tokens: int) -> None:
        request = self.request(place)
        self.open.remove(request)
        more: dict[str, Any] = {"prompt_tokens": tokens, "context": 80, "keep_from": keep}
        self.client.fail(request, "too long", code="prompt_too_long", **more)

    @precondition(is_asked)
    @rule()
    def die(self) -> None:
        self.take_requests()
        lost, self.open = tuple(self.open), []
        self.client.interrupted.emit(lost)

    @rule()
    def obey(self) -> None:
        """The engine ends what it was asked to end."""
        self.take_requests()
        for request in [r for r in self.open if r in self.client.cancelled]:
            self.open.remove(request)
            self.client.finish(request, FinishReason.CANCELLED)

    # --- and what must hold

    def is_quiet(self) -> bool:
        session = self.session
        waits = [a for a in session.answers.values() if not a.request_id and a.overflow is None]
        return session._branching.is_idle and not (waits or session.keeper.needs_saving)

    def wait(self) -> None:
        self.hub.save_progress()
        self.bot.waitUntil(self.is_quiet, timeout=WAIT_MS)
        stored(self.hub.store.flush())

    @rule()
    def settle(self) -> None:
        self.wait()
        session = self.session
        chat = stored(self.hub.store.load_chat(session.chat_id))
        shown = session.messages
        assert [m.id for m in chat.messages] == [m.id for m in shown]
        assert chat.active_leaf == (shown[-1].id if shown else None)
        assert chat.draft == session.draft
        assert chat.draft_attachments == session.draft_attachments
        assert chat.parameters == session.chat.parameters
        for kept, seen in zip(chat.messages, shown, strict=True):
            same(kept, seen)
        for parent, child in itertools.pairwise((None, *shown)):
            assert child is not None
            assert child.parent_id == (parent.id if parent is not None else None)
            assert child.id in (child.siblings or (child.id,))
        tree = {m.id: m for m in stored(self.hub.store.load_tree(session.chat_id))}
        for message_id, before in self.known.items():
            if message_id in self.deleted and message_id not in tree:
                continue
            assert message_id in tree, "a message was lost"
            after = tree[message_id]
            assert after.content.startswith(before.content)
            assert after.reasoning.startswith(before.reasoning)
        for candidate in session.candidates:
            same(tree[candidate.id], candidate)
        on_the_way = {m.id for m in tree.values() if m.status.is_active}
        assert on_the_way == set(session.answers), "an answer is on its way that nobody awaits"
        self.known = {
            message_id: message
            for message_id, message in tree.items()
            # A question that the engine has not taken yet may be taken back as a whole.
            if not (message.status.is_active or self.is_being_asked(message_id))
        }
        assert {a.id for a in session.answers.values()} <= set(tree)

    def is_being_asked(self, message_id: str) -> bool:
        return any(
            answer.question is not None and answer.question.message_id == message_id
            for answer in self.session.answers.values()
        )

    def teardown(self) -> None:
        self.settle()
        chat_id, path = self.session.chat_id, self.hub.store.path
        self.hub.close()
        store = ChatStore(path)
        stored(store.open())
        try:
            assert stored(store.recover_interrupted()) == 0  # each end was written
            tree = {m.id for m in stored(store.load_tree(chat_id))}
            assert set(self.known) <= tree
        finally:
            store.close()
        for item in (self.hub, self.background):
            item.deleteLater()


def same(kept: Message, seen: Message) -> None:
    """The same message in the store and on the screen."""
    names = ["id", "parent_id", "role", "content", "reasoning", "siblings", "attachments", "error"]
    if seen.status.is_active:
        assert kept.status.is_active
    else:
        names += ["status", "statistics"]
    for name in names:
        assert getattr(kept, name) == getattr(seen, name), name
    assert seen.role is Role.ASSISTANT or seen.status is MessageStatus.COMPLETE


def test_whatever_is_done_to_a_chat(qtbot: QtBot, tmp_path: Path) -> None:
    class Machine(SessionMachine):
        bot = qtbot
        folder = tmp_path

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=int(os.environ.get("SESSION_EXAMPLES", "40")),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
