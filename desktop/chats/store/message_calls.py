"""The store's calls about messages and the tree that they make."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from desktop.chats.chat import (
    Attachment,
    Chat,
    Message,
    MessageStatus,
    Role,
    Statistics,
)
from desktop.chats.chat import new_id as fresh_id
from desktop.chats.chat_tree import RemovedMessage
from desktop.chats.store import chat_rows, message_changes, message_tree, rows
from desktop.chats.store.message_changes import new_message
from desktop.chats.store.rows import storable
from desktop.chats.store.store_calls import StoreCalls


class MessageCalls(StoreCalls):
    """See the module; a part of `ChatStore`."""

    def load_chat(self, chat_id: str) -> Future[Chat]:
        """The chat with its messages from the root to the active leaf. KeyError if gone."""
        return self._read(lambda db: message_tree.load(db, chat_id))

    def load_chat_end(self, chat_id: str, count: int) -> Future[Chat]:
        """The chat with the last `count` messages of its path: see `Chat.is_whole`.

        KeyError if gone.
        """
        return self._read(lambda db: message_tree.load_end(db, chat_id, count))

    def load_tree(self, chat_id: str) -> Future[tuple[Message, ...]]:
        """All messages of a chat on all branches, oldest first. KeyError if gone."""

        def run(db: Any) -> tuple[Message, ...]:
            chat_rows.require_chat(db, chat_id)
            return message_tree.load_tree(db, chat_id)

        return self._read(run)

    def set_active_leaf(self, chat_id: str, message_id: str | None) -> Future[None]:
        """Show the branch that ends in this message; None shows none."""

        def run(db: Any) -> None:
            message_tree.require_message(db, chat_id, message_id)
            chat_rows.update(db, chat_id, {"active_leaf": message_id})

        return self._write(run)

    def show_branch(self, chat_id: str, message_id: str) -> Future[Chat]:
        """Show the branch through this message, down to its newest leaf; the chat then.

        KeyError if the chat is gone; ValueError if the message is not in it.
        """
        return self._write(lambda db: message_tree.show(db, chat_id, message_id))

    def add_message(
        self,
        chat_id: str,
        parent_id: str | None,
        role: Role,
        content: str,
        *,
        status: MessageStatus = MessageStatus.COMPLETE,
        model: str = "",
        message_id: str | None = None,
        attachments: Sequence[Attachment] = (),
    ) -> Future[Message]:
        """Add a message below `parent_id` (None: a root) and make it the active leaf.

        KeyError if the chat is gone; ValueError if the parent is not in it or the id
        is taken.
        """
        message = new_message(
            message_id or fresh_id(),
            chat_id,
            parent_id,
            role,
            content,
            status=status,
            model=model,
            attachments=attachments,
        )

        def run(db: Any) -> Message:
            chat_rows.require_chat(db, chat_id)
            added = message_changes.add(db, message)
            message_changes.changed(db, added)
            return message_changes.with_siblings(db, [added])[0]

        return self._write(run)

    def add_exchange(
        self,
        chat_id: str,
        parent_id: str | None,
        user_text: str,
        *,
        model: str = "",
        user_id: str | None = None,
        answer_id: str | None = None,
        attachments: Sequence[Attachment] = (),
    ) -> Future[tuple[Message, Message]]:
        """The user's message, an empty QUEUED answer below it, no draft: all or nothing.

        Fails like `add_message`; the draft and what hangs on it are then still there.
        """
        question = new_message(
            user_id or fresh_id(),
            chat_id,
            parent_id,
            Role.USER,
            user_text,
            attachments=attachments,
        )
        reply = new_message(
            answer_id or fresh_id(),
            chat_id,
            question.id,
            Role.ASSISTANT,
            "",
            status=MessageStatus.QUEUED,
            model=model,
        )

        def run(db: Any) -> tuple[Message, Message]:
            chat_rows.require_chat(db, chat_id)
            user, answer = message_changes.add(db, question), message_changes.add(db, reply)
            message_changes.changed(db, answer)
            chat_rows.set_draft(db, chat_id, "", ())
            return message_changes.with_siblings(db, [user])[0], answer

        return self._write(run)

    def add_answers(
        self, chat_id: str, parent_id: str, ids: Sequence[str], *, model: str = ""
    ) -> Future[tuple[Message, ...]]:
        """Empty QUEUED answers beside each other; the first is the active leaf.

        Fails like `add_message`, and then adds none.
        """
        if not ids:
            raise ValueError("no ids")
        planned = [
            new_message(
                id_,
                chat_id,
                parent_id,
                Role.ASSISTANT,
                "",
                status=MessageStatus.QUEUED,
                model=model,
            )
            for id_ in ids
        ]

        def run(db: Any) -> tuple[Message, ...]:
            chat_rows.require_chat(db, chat_id)
            added = [message_changes.add(db, message) for message in planned]
            message_changes.changed(db, added[0], newest=added[-1])
            return message_changes.with_siblings(db, added)

        return self._write(run)

    def update_message(
        self,
        message_id: str,
        *,
        content: str | None = None,
        status: MessageStatus | None = None,
        error: str | None = None,
        statistics: Statistics | None = None,
        reasoning: str | None = None,
        model: str | None = None,
    ) -> Future[None]:
        """Change what is not None. Merges with an update of this message that still waits.

        Does nothing for a message that is gone or whose chat is in the bin: a stream
        that ends late never brings a chat back.
        """
        values = {
            "content": None if content is None else storable(content),
            "status": None if status is None else status.value,
            "error": None if error is None else storable(error),
            "statistics": rows.statistics_json(statistics),
            "reasoning": None if reasoning is None else storable(reasoning),
            "model": None if model is None else storable(model),
        }

        def run(db: Any, merged: dict[str, Any]) -> None:
            message_changes.update(db, message_id, merged)

        return self._queue.merge(
            ("message", message_id), {name: v for name, v in values.items() if v is not None}, run
        )

    def remove_message(self, message_id: str) -> Future[RemovedMessage]:
        """Splice a message out of its chat: its children go to its parent.

        What comes is for `put_back`. A message that is still being answered may be removed:
        what its stream says later is ignored. KeyError if it is gone or its chat is.
        """
        return self._write(lambda db: message_changes.remove(db, message_id))

    def put_back(self, removed: RemovedMessage) -> Future[None]:
        """Undo `remove_message`, to the letter; what was said since stays.

        KeyError if the chat is gone; ValueError if the message's parent is: the last one
        removed goes back first.
        """
        return self._write(lambda db: message_changes.put_back(db, removed))

    def recover_interrupted(self) -> Future[int]:
        """Mark answers that a crash left on their way as INTERRUPTED; how many there were."""
        return self._write(message_changes.interrupt)
