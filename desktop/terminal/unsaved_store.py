"""Chats that are not kept: what a session needs of `ChatStore`, in memory alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from desktop.chats.chat import (
    DEFAULT_SYSTEM_PROMPT,
    DEFAULT_TITLE,
    Attachment,
    Chat,
    ChatSummary,
    Message,
    MessageStatus,
    Role,
    Statistics,
    new_id,
)
from desktop.chats.chat_tree import RemovedMessage

T = TypeVar("T")


class UnsavedStore:
    """See the module. The Futures are resolved when they are returned."""

    def __init__(self) -> None:
        self._chats: dict[str, Chat] = {}
        self._sequence = 0

    def open(self) -> Future[None]:
        """Nothing to open."""
        return _resolved(lambda: None)

    def recover_interrupted(self) -> Future[int]:
        """Nothing to recover."""
        return _resolved(lambda: 0)

    def list_chats(self, include_archived: bool = False) -> Future[list[ChatSummary]]:
        """No list shows these chats."""
        del include_archived
        return _resolved(list)

    def create_chat(
        self,
        *,
        title: str = DEFAULT_TITLE,
        system_prompt: str = DEFAULT_SYSTEM_PROMPT,
        model: str = "",
        parameters: dict[str, object] | None = None,
    ) -> Future[Chat]:
        """Make an empty chat."""
        chat = Chat(new_id(), title, system_prompt, model, parameters or {})
        self._chats[chat.id] = chat
        return _resolved(lambda: chat)

    def load_chat(self, chat_id: str) -> Future[Chat]:
        """The chat as it is now."""
        return _resolved(lambda: self._chats[chat_id])

    def load_chat_end(self, chat_id: str, count: int) -> Future[Chat]:
        """The chat as it is now, all of it."""
        del count
        return self.load_chat(chat_id)

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
        """The user's message and an empty QUEUED answer below it."""

        def run() -> tuple[Message, Message]:
            chat = self._chats[chat_id]
            now = time.time()
            user = Message(
                user_id or new_id(),
                chat_id,
                parent_id,
                Role.USER,
                user_text,
                sequence=self._sequence + 1,
                created=now,
                attachments=tuple(attachments),
            )
            answer = Message(
                answer_id or new_id(),
                chat_id,
                user.id,
                Role.ASSISTANT,
                "",
                MessageStatus.QUEUED,
                sequence=self._sequence + 2,
                model=model,
                created=now,
            )
            self._sequence += 2
            self._chats[chat_id] = replace(
                chat, active_leaf=answer.id, messages=(*chat.messages, user, answer)
            )
            return user, answer

        return _resolved(run)

    def update_message(
        self,
        message_id: str,
        *,
        content: str | None = None,
        status: MessageStatus | None = None,
        error: str | None = None,
        statistics: Statistics | None = None,
        reasoning: str | None = None,
    ) -> Future[None]:
        """Change what is not None."""
        given = {
            "content": content,
            "status": status,
            "error": error,
            "statistics": statistics,
            "reasoning": reasoning,
        }
        changes = {name: value for name, value in given.items() if value is not None}

        def run() -> None:
            for chat in self._chats.values():
                messages = tuple(
                    replace(message, **changes) if message.id == message_id else message  # type: ignore[arg-type]
                    for message in chat.messages
                )
                self._chats[chat.id] = replace(chat, messages=messages)

        return _resolved(run)

    def remove_message(self, message_id: str) -> Future[RemovedMessage]:
        """Take a message out: a question that was taken back leaves nothing behind."""

        def run() -> RemovedMessage:
            for chat in self._chats.values():
                for message in chat.messages:
                    if message.id == message_id:
                        return self._remove(chat, message)
            raise KeyError(message_id)

        return _resolved(run)

    def set_active_leaf(self, chat_id: str, message_id: str | None) -> Future[None]:
        """End the chat with this message."""

        def run() -> None:
            chat = self._chats[chat_id]
            ids = [message.id for message in chat.messages]
            end = ids.index(message_id) + 1 if message_id is not None else 0
            self._chats[chat_id] = replace(
                chat, active_leaf=message_id, messages=chat.messages[:end]
            )

        return _resolved(run)

    def rename_chat(self, chat_id: str, title: str) -> Future[None]:
        """Give a chat another title."""
        return self._change(chat_id, title=title)

    def set_chat(
        self,
        chat_id: str,
        *,
        system_prompt: str | None = None,
        model: str | None = None,
        parameters: dict[str, object] | None = None,
    ) -> Future[None]:
        """Change what is not None."""
        given = {"system_prompt": system_prompt, "model": model, "parameters": parameters}
        return self._change(
            chat_id, **{n: value for n, value in given.items() if value is not None}
        )

    def save_draft(
        self, chat_id: str, text: str, attachments: Sequence[Attachment] | None = None
    ) -> Future[None]:
        """Drafts are kept by the session itself."""
        del chat_id, text, attachments
        return _resolved(lambda: None)

    def delete_chat(self, chat_id: str) -> Future[None]:
        """Forget a chat."""
        self._chats.pop(chat_id, None)
        return _resolved(lambda: None)

    def back_up_daily(self) -> Future[Path | None]:
        """Nothing to back up."""
        return _resolved(lambda: None)

    def close(self, timeout: float = 5.0) -> None:
        """Forget all."""
        del timeout
        self._chats.clear()

    def _remove(self, chat: Chat, message: Message) -> RemovedMessage:
        left = [one for one in chat.messages if one.id != message.id]
        children = tuple(one.id for one in left if one.parent_id == message.id)
        messages = tuple(
            replace(one, parent_id=message.parent_id) if one.id in children else one for one in left
        )
        leaf = messages[-1].id if messages else None
        self._chats[chat.id] = replace(chat, active_leaf=leaf, messages=messages)
        return RemovedMessage(message, children, chat.active_leaf, leaf)

    def _change(self, chat_id: str, **changes: object) -> Future[None]:
        def run() -> None:
            self._chats[chat_id] = replace(self._chats[chat_id], **changes)  # type: ignore[arg-type]

        return _resolved(run)


def _resolved(run: Callable[[], T]) -> Future[T]:
    """A Future that holds what `run` returned or raised."""
    future: Future[T] = Future()
    try:
        future.set_result(run())
    except (KeyError, ValueError) as error:
        future.set_exception(error)
    return future
