"""A whole chat as one value: what is exported and imported."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop.chats.chat import Message


@dataclass(frozen=True, slots=True)
class ChatTree:
    """A chat with all its branches.

    Attributes:
        created, updated: seconds since the epoch; shown, never compared.
        messages: oldest first, with their attachments; a parent comes before its children.
        active_leaf: id of the message that the shown branch ends in; None shows none.
    """

    title: str
    system_prompt: str = ""
    model: str = ""
    parameters: dict[str, object] = field(default_factory=dict)
    folder: str = ""
    pinned: bool = False
    archived: bool = False
    created: float = 0.0
    updated: float = 0.0
    messages: tuple[Message, ...] = ()
    active_leaf: str | None = None


@dataclass(frozen=True, slots=True)
class RemovedMessage:
    """A message that was spliced out of its chat, and all that putting it back needs.

    Attributes:
        message: as it was, with its attachments.
        children: ids of the messages below it, which went to its parent; oldest first.
        leaf_before: the chat's active leaf before it was removed.
        leaf_after: the chat's active leaf since: where the leaf itself was removed, the
            newest leaf of those beside it, or its parent where it was alone.
    """

    message: Message
    children: tuple[str, ...] = ()
    leaf_before: str | None = None
    leaf_after: str | None = None
