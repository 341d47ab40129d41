"""Branches of a chat: stepping between them, deleting with undo, texts in another wording."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import Chat, Message, MessageStatus, Role, new_id
from desktop.models.notice import NoticeLevel
from desktop.models.session.chat_path import joined_by
from desktop.models.session.step_line import StepLine

if TYPE_CHECKING:
    from desktop.chats.store.chat_store import ChatStore
    from desktop.models.session.answering import Answering
    from desktop.models.session.conversation import Conversation

MAX_UNDO = 20


class Branching:
    """See the module. Each step is shown when the store has taken it."""

    def __init__(self, conversation: Conversation, answering: Answering) -> None:
        self._conversation = conversation
        self._answering = answering
        self._line = StepLine(conversation.keeper, self._on_failed)
        self._removed: list[tuple[Message, Any]] = []

    @property
    def is_busy(self) -> bool:
        """Whether a step is under way after which the path may be another."""
        return self._line.is_busy

    @property
    def is_idle(self) -> bool:
        """Whether no step at all is under way."""
        return self._line.is_idle

    @property
    def can_undo(self) -> bool:
        """Whether a deleted message can be brought back."""
        return bool(self._removed)

    def step(self, message_id: str, by: int) -> None:
        """Show the branch `by` siblings further on (back, if negative)."""
        conversation = self._conversation

        def start() -> Future[Chat] | None:
            # Of two quick presses the second means the sibling that the first one showed.
            message = conversation.path.sibling_of(message_id)
            if message is None:
                return None
            siblings = message.siblings or (message.id,)
            place = siblings.index(message.id) + by
            if by == 0 or not 0 <= place < len(siblings):
                return None
            conversation.set_candidates(())
            wanted = siblings[place]
            # Where one was when one left it, else at its newest end.
            end = conversation.ends.get(wanted, wanted)
            return self._store.show_branch(conversation.chat_id, end)

        self._line.add(start, conversation.adopt)

    def show(self, message_id: str) -> None:
        """Show the branch that a message stands on."""

        def start() -> Future[Chat]:
            self._conversation.set_candidates(())
            return self._store.show_branch(self._conversation.chat_id, message_id)

        self._line.add(start, self._conversation.adopt)

    def pick(self, message_id: str) -> None:
        """Go on with one of the candidates; the others stop, and stay as its siblings."""
        conversation = self._conversation

        def start() -> Future[None] | None:
            candidates = {message.id: message for message in conversation.candidates}
            picked = candidates.get(message_id)
            shown = next((m for m in conversation.path if m.id in candidates), None)
            if picked is None or shown is None:
                return None
            for answer in tuple(conversation.answers.values()):
                if answer.id in candidates and answer.id != message_id:
                    self._answering.stop(answer)
            conversation.set_candidates(())
            answer_picked = conversation.answers.get(message_id)
            settled = answer_picked.message if answer_picked is not None else picked
            conversation.show_path([*conversation.path.ahead_of(shown.id), settled])
            return self._store.set_active_leaf(conversation.chat_id, message_id)

        self._line.add(start, quiet=True)  # it shows at once

    def reword(self, message: Message, text: str) -> None:
        """Put `text` beside an answer, as a branch that the model takes for its own words."""
        conversation = self._conversation

        def start() -> Future[Message] | None:
            if message.id not in conversation.path:
                return None
            conversation.set_candidates(())
            return self._store.add_message(
                conversation.chat_id,
                message.parent_id,
                Role.ASSISTANT,
                text,
                status=MessageStatus.COMPLETE,
                model=message.model,
                message_id=new_id(),
            )

        def done(stored: Message) -> None:
            if message.id in conversation.path:
                shown = replace(stored, siblings=joined_by(message, stored.id))
                conversation.show_path([*conversation.path.ahead_of(message.id), shown])
            self._reload_next()
            conversation.committed.emit()

        self._line.add(start, done)

    def delete(self, message_id: str) -> None:
        """Take a message out; what hangs below it goes on. An answer on its way stops."""
        conversation = self._conversation

        def start() -> Future[Any] | None:
            message = conversation.find(message_id)
            if message is None:
                return None
            answer = conversation.answers.get(message_id)
            if answer is not None:
                message = self._answering.discard(answer)
            for asked in conversation.answers.values():
                if asked.question is not None and asked.question.message_id == message_id:
                    asked.question = None  # it is gone already: nothing to take back
            conversation.keeper.forget(message_id)
            deleted.append(message)
            return self._store.remove_message(message_id)

        def done(removed: Any) -> None:
            ends = conversation.ends
            for branch in [b for b, end in ends.items() if message_id in (b, end)]:
                del ends[branch]
            del self._removed[: -MAX_UNDO + 1]
            self._removed.append((deleted[0], removed))
            candidates = [m for m in conversation.candidates if m.id != message_id]
            conversation.set_candidates(candidates if len(candidates) > 1 else ())
            self._reload_next()
            conversation.message_deleted.emit(deleted[0])

        def failed(error: Exception) -> None:
            conversation.keeper.remember(message_id)
            if deleted:
                conversation.keeper.store(deleted[0])  # it ended, whatever came of deleting it
            self._on_failed(error)

        deleted: list[Message] = []
        self._line.add(start, done, failed)

    def undo_delete(self) -> None:
        """Bring back the message that was deleted last."""
        conversation = self._conversation

        def start() -> Future[None] | None:
            if not self._removed:
                return None
            taken.append(self._removed.pop())
            return self._store.put_back(taken[0][1])

        def done(_result: None) -> None:
            message_id = taken[0][0].id
            conversation.keeper.remember(message_id)
            self._line.add(
                lambda: self._store.load_chat(conversation.chat_id),
                lambda chat: self._show_again(chat, message_id),
                next_one=True,
            )

        def failed(error: Exception) -> None:
            if taken and not isinstance(error, KeyError | ValueError):
                self._removed.append(taken[0])
            self._on_failed(error)

        taken: list[tuple[Message, Any]] = []
        self._line.add(start, done, failed)

    def remove_exchange(self, answer_id: str, user_id: str, *, show: str) -> None:
        """Take a question that was taken back out of the store.

        Args:
            show: the message whose branch is shown instead; "": the path as it is now.
        """
        conversation = self._conversation

        quiet = not show

        def remove() -> Future[Any]:
            # In one go: what is sent next must not find one of them there.
            self._store.remove_message(answer_id)
            return self._store.remove_message(user_id)

        def show_before() -> Future[Any]:
            if show and show in conversation.path:
                return self._store.show_branch(conversation.chat_id, show)
            last = conversation.path.last
            leaf = last.id if last is not None else None
            return self._store.set_active_leaf(conversation.chat_id, leaf)

        def shown(result: Any) -> None:
            if isinstance(result, Chat):
                conversation.adopt(result)

        def show_again(_outcome: object) -> None:  # one that is gone already is no failure
            self._line.add(
                show_before,
                shown,
                lambda _error: self._reload_next(),
                next_one=True,
                quiet=quiet,
            )

        self._line.add(remove, show_again, show_again, quiet=quiet)

    def stop(self) -> None:
        """The chat is deleted."""
        self._line.stop()

    def reload(self) -> None:
        """Show what the store has."""
        self._line.add(self._load, self._conversation.adopt)

    # --- inside ------------------------------------------------------------------------

    @property
    def _store(self) -> ChatStore:
        return self._conversation.services.store

    def _load(self) -> Future[Chat]:
        return self._store.load_chat(self._conversation.chat_id)

    def _reload_next(self) -> None:
        self._line.add(self._load, self._conversation.adopt, next_one=True)

    def _show_again(self, chat: Chat, message_id: str) -> None:
        if any(message.id == message_id for message in chat.messages):
            self._conversation.adopt(chat)
            return
        self._line.add(
            lambda: self._store.show_branch(self._conversation.chat_id, message_id),
            self._conversation.adopt,
            next_one=True,
        )

    def _on_failed(self, error: Exception) -> None:
        text = str(error) if not isinstance(error, KeyError | ValueError) else ""
        self._conversation.notify(
            NoticeLevel.ERROR,
            QCoreApplication.translate("ChatSession", "The chat could not be changed. {reason}")
            .format(reason=text)
            .strip(),
            "unchanged",
        )
