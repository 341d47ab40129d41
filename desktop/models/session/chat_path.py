"""The messages that a chat shows: one path through its tree, root first. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from desktop.chats.chat import Message


class ChatPath:
    """A list of messages that finds one by its id at once.

    Attributes:
        generation: grows whenever the path is set anew, so that who waited for something
            can tell whether the path is still the one it knew.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self.generation = 0
        self.set(messages)

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def __reversed__(self) -> Iterator[Message]:
        return reversed(self._messages)

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._places

    @property
    def last(self) -> Message | None:
        """The message at the end."""
        return self._messages[-1] if self._messages else None

    @property
    def has_branches(self) -> bool:
        """Whether anything stands beside one of the messages."""
        return any(len(message.siblings) > 1 for message in self._messages)

    def find(self, message_id: str) -> Message | None:
        """The message with this id."""
        place = self._places.get(message_id)
        return None if place is None else self._messages[place]

    def set(self, messages: Iterable[Message]) -> None:
        """Show other messages."""
        self._messages = list(messages)
        self._places = {message.id: place for place, message in enumerate(self._messages)}
        self.generation += 1

    def prepend(self, messages: Iterable[Message]) -> None:
        """Add what stands before; the path is still the one that it was."""
        self._messages = [*messages, *self._messages]
        self._places = {message.id: place for place, message in enumerate(self._messages)}

    def append(self, message: Message) -> None:
        """Add a message at the end."""
        self._places[message.id] = len(self._messages)
        self._messages.append(message)

    def replace(self, message: Message) -> bool:
        """Put `message` in the place of the one with its id; whether there was one."""
        place = self._places.get(message.id)
        if place is not None:
            self._messages[place] = message
        return place is not None

    def until(self, message_id: str | None) -> list[Message]:
        """The path up to and with this message; None: nothing."""
        return self._messages[: self._places[message_id] + 1] if message_id is not None else []

    def ahead_of(self, message_id: str) -> list[Message]:
        """The path before this message."""
        return self._messages[: self._places[message_id]]

    def without(self, *message_ids: str) -> list[Message]:
        """The path without these."""
        return [message for message in self._messages if message.id not in message_ids]

    def sibling_of(self, message_id: str) -> Message | None:
        """The message of the path that is this one or stands in its place."""
        found = self.find(message_id)
        if found is not None:
            return found
        return next((m for m in self._messages if message_id in m.siblings), None)


def joined_by(message: Message, *new_ids: str) -> tuple[str, ...]:
    """The siblings of `message` and of the new ones beside it."""
    return (*(message.siblings or (message.id,)), *new_ids)


def placed_as(message: Message, stored: Message) -> Message:
    """`message` with its place in the tree as the store has it."""
    return replace(
        message,
        parent_id=stored.parent_id,
        siblings=stored.siblings,
        sequence=stored.sequence,
        created=stored.created,
        attachments=stored.attachments,
    )
