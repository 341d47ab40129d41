"""The words of an exported file; the views give them in the user's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.chats.chat import Message, Role
from desktop.chats.chat_tree import ChatTree


@dataclass(frozen=True, slots=True)
class Labels:
    """What stands in an export beside the texts of the chat."""

    user: str = "You"
    assistant: str = "Assistant"
    system: str = "System"
    instructions: str = "System prompt"
    reasoning: str = "Reasoning"
    attached: str = "Attached: {name}"
    model: str = "Model"
    date: str = "Date"
    chats: str = "Chats"
    unfinished: str = "This answer was not finished."
    language: str = "en"

    def speaker(self, message: Message) -> str:
        """Who wrote a message: the model by its name, where it is known."""
        if message.role is Role.USER:
            return self.user
        if message.role is Role.SYSTEM:
            return self.system
        return message.model or self.assistant


def shown_path(tree: ChatTree) -> tuple[Message, ...]:
    """The messages of the branch that is shown, from the root to the active leaf."""
    by_id = {message.id: message for message in tree.messages}
    path: list[Message] = []
    current = by_id.get(tree.active_leaf) if tree.active_leaf is not None else None
    while current is not None and len(path) <= len(by_id):
        path.append(current)
        current = by_id.get(current.parent_id) if current.parent_id is not None else None
    return tuple(reversed(path))


def model_of(tree: ChatTree, messages: Sequence[Message]) -> str:
    """The models that answered, in the order in which they first did."""
    names = dict.fromkeys(m.model for m in messages if m.model and m.role is Role.ASSISTANT)
    return ", ".join(names) or tree.model
