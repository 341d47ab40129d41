"""A conversation of a ChatGPT export (conversations.json) as a chat of ours.

The export is a tree of nodes, many of which a person never saw: hidden system nodes,
tool calls, searches. What was seen is kept, on all branches; a run of an assistant's
and its tools' nodes becomes one answer. Pictures, sounds and files are not in the
JSON: they are named where they stood.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from desktop.chats.chat import Message, Role, new_id, title_from
from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer import chatgpt_content, times
from desktop.chats.transfer.chatgpt_content import Content
from desktop.chats.transfer.limits import LIMITS
from desktop.chats.transfer.tree_check import in_order
from desktop.chats.transfer.trouble import TransferError, Trouble

_SPEAKERS: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.ASSISTANT}
_TITLE_LENGTH: Final = 300


@dataclass(frozen=True, slots=True)
class Converted:
    """A chat, and how many pictures and files of it the export does not hold."""

    tree: ChatTree
    left_out: int


@dataclass(slots=True)
class _Kept:
    """What becomes one message: a node, or a run of an assistant's nodes."""

    id: str
    parent: str | None  # the id of another `_Kept`
    role: Role
    created: float
    model: str = ""
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)


def convert(conversation: dict[str, Any]) -> Converted:
    """The chat.

    Raises:
        TransferError: WRONG_TYPE, MISSING, TOO_MANY_PARTS, NO_PARENT, CIRCLE, NO_MESSAGES.
    """
    nodes = conversation.get("mapping")
    if nodes is None:
        raise TransferError(Trouble.MISSING, where="mapping")
    _require(isinstance(nodes, dict), "mapping")
    assert isinstance(nodes, dict)
    if len(nodes) > LIMITS.messages:
        raise TransferError(Trouble.TOO_MANY_PARTS, most=LIMITS.messages)
    order = _order(nodes)
    reader = _Reader(nodes)
    for id_ in order:
        reader.read(id_)
    messages = tuple(_message(kept, place) for place, kept in enumerate(reader.kept.values(), 1))
    if not messages:
        raise TransferError(Trouble.NO_MESSAGES)
    current = conversation.get("current_node")
    leaf = reader.stands_for.get(current) if isinstance(current, str) else None
    created = times.sane(conversation.get("create_time"))
    return Converted(
        ChatTree(
            title=_title(conversation.get("title"), messages),
            system_prompt="",
            model="",
            parameters={},
            folder="",
            pinned=conversation.get("is_starred") is True,
            archived=conversation.get("is_archived") is True,
            created=created,
            updated=times.sane(conversation.get("update_time")) or created,
            messages=messages,
            active_leaf=leaf or messages[-1].id,
        ),
        reader.left_out,
    )


def title_of(conversation: object) -> str:
    """Its title, as far as it has one: for a report."""
    title = conversation.get("title") if isinstance(conversation, dict) else None
    return title[:_TITLE_LENGTH] if isinstance(title, str) else ""


def _title(title: object, messages: tuple[Message, ...]) -> str:
    words = " ".join(title.split())[:_TITLE_LENGTH] if isinstance(title, str) else ""
    first = next((m.content for m in messages if m.role is Role.USER), messages[0].content)
    return words or title_from(first)


def _order(nodes: dict[str, Any]) -> list[str]:
    parents: dict[str, str | None] = {}
    children: dict[str, list[str]] = {}
    for id_, node in nodes.items():
        _require(isinstance(node, dict), id_)
        parent = node.get("parent")
        _require(parent is None or isinstance(parent, str), f"{id_}: parent")
        parents[id_] = parent
        below = node.get("children")
        _require(below is None or isinstance(below, list), f"{id_}: children")
        children[id_] = [child for child in below or () if isinstance(child, str)]
    return in_order(parents, children)


class _Reader:
    """Takes the nodes in order, parents first."""

    def __init__(self, nodes: dict[str, Any]) -> None:
        self._nodes = nodes
        self.kept: dict[str, _Kept] = {}  # in order, by the id of the message
        self.stands_for: dict[str, str | None] = {}  # node -> the message it went into
        self.left_out = 0
        self._branches: dict[str, int] = {}
        self._straight: dict[str, bool] = {}  # no branch between a node and its message's first
        for node in nodes.values():
            parent = node.get("parent")
            if parent is not None:
                self._branches[parent] = self._branches.get(parent, 0) + 1

    def read(self, id_: str) -> None:
        node = self._nodes[id_]
        parent = node.get("parent")
        above = self.stands_for.get(parent) if parent is not None else None
        self.stands_for[id_] = above
        before = self.kept.get(above) if above is not None else None
        straight = self._straight.get(parent, True) if parent is not None else True
        alone = self._branches.get(id_, 0) <= 1
        self._straight[id_] = straight and alone
        message = node.get("message")
        if message is None:
            return
        _require(isinstance(message, dict), f"{id_}: message")
        role = _role(message, id_)
        content = chatgpt_content.read(message, id_)
        self.left_out += content.left_out
        if role is None or content.is_empty:
            return
        both_answer = before is not None and before.role is role is Role.ASSISTANT
        if before is not None and both_answer and straight:
            _add(before, content, message)
            return
        kept = _Kept(new_id(), above, role, times.sane(message.get("create_time")))
        _add(kept, content, message)
        self.kept[kept.id] = kept
        self.stands_for[id_] = kept.id
        self._straight[id_] = alone


def _add(kept: _Kept, content: Content, message: dict[str, Any]) -> None:
    if content.text:
        kept.texts.append(content.text)
    if content.thought:
        kept.thoughts.append(content.thought)
    metadata = message.get("metadata")
    model = metadata.get("model_slug") if isinstance(metadata, dict) else None
    if isinstance(model, str) and model and kept.role is Role.ASSISTANT:
        kept.model = model


def _message(kept: _Kept, sequence: int) -> Message:
    return Message(
        id=kept.id,
        chat_id="",
        parent_id=kept.parent,
        role=kept.role,
        content="\n\n".join(kept.texts),
        reasoning="\n\n".join(kept.thoughts),
        sequence=sequence,
        model=kept.model,
        created=kept.created,
    )


def _role(message: dict[str, Any], id_: str) -> Role | None:
    """Who speaks; None for what nobody saw."""
    author = message.get("author")
    _require(isinstance(author, dict), f"{id_}: author")
    assert isinstance(author, dict)
    role = author.get("role")
    _require(isinstance(role, str), f"{id_}: role")
    assert isinstance(role, str)
    metadata = message.get("metadata")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation") is True:
        return None
    return _SPEAKERS.get(role)


def _require(holds: bool, where: str) -> None:
    if not holds:
        raise TransferError(Trouble.WRONG_TYPE, where=where)
