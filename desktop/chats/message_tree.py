"""Messages in the database: the tree of each chat. Runs on the store's thread.

A parent always has a smaller sequence than its children, so the order of a path is the
order of its sequences, and the newest message of a subtree is one of its leaves.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop.chats import chat_rows, rows, search_index
from desktop.chats.chat import Attachment, Chat, Message, MessageStatus, Role
from desktop.chats.chat_tree import RemovedMessage
from desktop.chats.rows import storable

_PARENT = 1  # its place in `rows.MESSAGE_COLUMNS`


class Shape:
    """The tree of a chat.

    Args:
        found: a row of each message, oldest first: `rows.MESSAGE_COLUMNS`, or just its
            beginning.

    Attributes:
        rows: those rows by the message's id.
    """

    def __init__(self, found: Iterable[Sequence[Any]]) -> None:
        self.rows: dict[str, Sequence[Any]] = {row[0]: row for row in found}

    def parent(self, message_id: str) -> str | None:
        """The id above a message; None above a root."""
        parent: str | None = self.rows[message_id][_PARENT]
        return parent

    def children(self, parent_id: str | None) -> tuple[str, ...]:
        """The ids below a message (None: the roots), oldest first."""
        return tuple(id_ for id_, row in self.rows.items() if row[_PARENT] == parent_id)

    def siblings(self, ids: Iterable[str]) -> list[tuple[str, ...]]:
        """For each message its own id and those beside it; empty where it is alone."""
        parents = [row[_PARENT] for row in self.rows.values()]
        beside: dict[str | None, list[str]] = {}
        if len(set(parents)) < len(parents):  # most chats have few branches, or none
            for parent, count in Counter(parents).items():
                if count > 1:
                    beside[parent] = []
            for id_, parent in zip(self.rows, parents, strict=True):
                if parent in beside:
                    beside[parent].append(id_)
        groups = {parent: tuple(group) for parent, group in beside.items()}
        return [groups.get(self.rows[id_][_PARENT], ()) for id_ in ids]

    def path(self, leaf: str | None) -> list[str]:
        """The ids from the root to `leaf`."""
        path = []
        while leaf is not None and leaf in self.rows:
            path.append(leaf)
            leaf = self.rows[leaf][_PARENT]
        return path[::-1]

    def newest_below(self, message_id: str) -> str:
        """The newest leaf at or below a message."""
        below, newest = {message_id}, message_id
        for id_, row in self.rows.items():
            if row[_PARENT] in below:
                below.add(id_)
                newest = id_
        return newest


def shape_of(db: Any, chat_id: str, columns: str = "id, parent_id") -> Shape:
    """The tree of a chat, without the texts unless `columns` has them."""
    return Shape(
        db.execute(
            f"SELECT {columns} FROM messages WHERE chat_id = ? ORDER BY sequence", (chat_id,)
        )
    )


def require_message(db: Any, chat_id: str, message_id: str | None) -> None:
    """ValueError if there is no such message in the chat; None is always there."""
    if (
        message_id is not None
        and not db.execute(
            "SELECT 1 FROM messages WHERE id = ? AND chat_id = ?", (message_id, chat_id)
        ).fetchone()
    ):
        raise ValueError(f"message {message_id} is not in chat {chat_id}")


# --- reading -------------------------------------------------------------------------


def load(db: Any, chat_id: str) -> Chat:
    """The chat with the path to its active leaf. KeyError if it is in the bin or gone."""
    # All branches are read, one after the other as they lie in the file: that is faster
    # than finding each message of the path by its parent.
    return _chat(db, chat_id, shape_of(db, chat_id, rows.MESSAGE_COLUMNS))


def load_end(db: Any, chat_id: str, count: int) -> Chat:
    """The chat with the last `count` messages of the path to its active leaf.

    KeyError if it is in the bin or gone.
    """
    row = _chat_row(db, chat_id)
    # Ahead of those one more, which tells whether there are more.
    path = db.execute(
        f"""
        WITH RECURSIVE path (id, parent_id, depth) AS (
            SELECT id, parent_id, 0 FROM messages WHERE id = :leaf
            UNION ALL
            SELECT messages.id, messages.parent_id, depth + 1 FROM path
                JOIN messages ON messages.id = path.parent_id WHERE depth < :count
        )
        SELECT {rows.MESSAGE_COLUMNS} FROM messages
        WHERE id IN (SELECT id FROM path) ORDER BY sequence
        """,
        {"leaf": row[-1], "count": count},
    ).fetchall()
    end = path[-count:]
    messages = rows.messages_from(
        end,
        [_siblings_of(db, chat_id, found[_PARENT]) for found in end],
        [chat_rows.attachments_to(db, found[0]) for found in end],
    )
    chat = rows.chat_from(row, messages, chat_rows.draft_attachments(db, chat_id))
    return replace(chat, is_whole=len(path) <= count)


def _siblings_of(db: Any, chat_id: str, parent_id: str | None) -> tuple[str, ...]:
    """The ids below a message (None: the roots), oldest first; none where there is but one."""
    found = db.execute(
        "SELECT id FROM messages WHERE parent_id IS ? AND chat_id = ? ORDER BY sequence",
        (parent_id, chat_id),
    ).fetchall()
    return tuple(id_ for (id_,) in found) if len(found) > 1 else ()


def show(db: Any, chat_id: str, message_id: str) -> Chat:
    """Make the newest leaf below a message the active one; the chat then.

    KeyError if the chat is in the bin or gone; ValueError if the message is not in it.
    """
    chat_rows.require_chat(db, chat_id)
    require_message(db, chat_id, message_id)
    shape = shape_of(db, chat_id, rows.MESSAGE_COLUMNS)
    chat_rows.update(db, chat_id, {"active_leaf": shape.newest_below(message_id)})
    return _chat(db, chat_id, shape)


def _chat(db: Any, chat_id: str, shape: Shape) -> Chat:
    row = _chat_row(db, chat_id)
    attachments = chat_rows.attachments_of(db, chat_id)
    messages = _messages(shape, shape.path(row[-1]), attachments)
    return rows.chat_from(row, messages, attachments.get(None, ()))


def _chat_row(db: Any, chat_id: str) -> Sequence[Any]:
    row: Sequence[Any] | None = db.execute(
        f"SELECT {rows.CHAT_COLUMNS} FROM chats WHERE id = ? AND deleted IS NULL", (chat_id,)
    ).fetchone()
    if row is None:
        raise KeyError(chat_id)
    return row


def load_tree(db: Any, chat_id: str, leaf: str | None = None) -> tuple[Message, ...]:
    """All messages of a chat, or those on the path to `leaf`, oldest first."""
    shape = shape_of(db, chat_id, rows.MESSAGE_COLUMNS)
    ids = list(shape.rows) if leaf is None else shape.path(leaf)
    return _messages(shape, ids, chat_rows.attachments_of(db, chat_id))


def _messages(
    shape: Shape, ids: Sequence[str], attachments: Mapping[str | None, tuple[Attachment, ...]]
) -> tuple[Message, ...]:
    """The messages `ids`, whose whole rows `shape` holds."""
    return rows.messages_from(
        [shape.rows[id_] for id_ in ids],
        shape.siblings(ids),
        [attachments.get(id_, ()) for id_ in ids],
    )


# --- writing -------------------------------------------------------------------------


def add(db: Any, message: Message) -> Message:
    """Insert a message as the newest one, with a sequence and a time; its siblings are not read.

    ValueError if the parent is not in the chat.
    """
    require_message(db, message.chat_id, message.parent_id)
    stored = replace(
        message,
        content=storable(message.content),
        model=storable(message.model),
        error=storable(message.error),
        reasoning=storable(message.reasoning),
        sequence=chat_rows.next_sequence(db),
        created=message.created or time.time(),
    )
    insert(db, stored)
    return stored


def insert(db: Any, message: Message) -> None:
    """Insert a message as it is, with its attachments, and index it.

    Nothing is checked: SQLite sees to it that parents are there.
    """
    db.execute(
        "INSERT INTO messages (sequence, id, chat_id, parent_id, role, status, created, model, "
        "error, statistics, reasoning, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message.sequence,
            message.id,
            message.chat_id,
            message.parent_id,
            message.role.value,
            message.status.value,
            message.created,
            message.model,
            message.error,
            rows.statistics_json(message.statistics),
            message.reasoning,
            message.content,
        ),
    )
    chat_rows.attach(db, message.chat_id, message.id, message.attachments)
    if not message.status.is_active:
        search_index.add(db, message.sequence, message.content)


def _siblings(db: Any, message: Message) -> tuple[str, ...]:
    """The ids below a message's parent; through the index of the smaller of two sets."""
    condition, value = "parent_id = ?", message.parent_id
    if value is None:
        condition, value = "parent_id IS NULL AND chat_id = ?", message.chat_id
    found = db.execute(
        f"SELECT id FROM messages WHERE {condition} ORDER BY sequence", (value,)
    ).fetchall()
    return tuple(id_ for (id_,) in found) if len(found) > 1 else ()


def with_siblings(db: Any, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages just added beside each other, each with all of its siblings."""
    siblings = _siblings(db, messages[0])
    return tuple(replace(message, siblings=siblings) for message in messages)


def changed(db: Any, leaf: Message, newest: Message | None = None) -> None:
    """The chat shows `leaf`, and goes to the head of the list for its `newest` message."""
    newest = newest or leaf
    chat_rows.update(
        db,
        leaf.chat_id,
        {"active_leaf": leaf.id, "sequence": newest.sequence, "updated": newest.created},
    )


def update(db: Any, message_id: str, columns: dict[str, Any]) -> None:
    """Set columns of a message; nothing if it is gone or its chat is in the bin."""
    row = db.execute(
        "SELECT messages.sequence, messages.status FROM messages JOIN chats "
        "ON chats.id = messages.chat_id WHERE messages.id = ? AND chats.deleted IS NULL",
        (message_id,),
    ).fetchone()
    if row is None or not columns:
        return
    sequence, status = row
    was_indexed = not _is_active(status)
    will_be = not _is_active(columns.get("status", status))
    moves = was_indexed != will_be or (will_be and "content" in columns)
    if moves and was_indexed:
        search_index.drop(db, sequence)
    assignments = ", ".join(f"{name} = :{name}" for name in columns)
    db.execute(
        f"UPDATE messages SET {assignments} WHERE sequence = :at", {**columns, "at": sequence}
    )
    if moves and will_be:
        search_index.add(db, sequence)


def _is_active(status: str) -> bool:
    return rows.status_from(status).is_active


def interrupt(db: Any, chat_id: str | None = None) -> int:
    """Mark answers on their way, of one chat or of all, as interrupted; how many."""
    condition = search_index.ACTIVE
    values: tuple[str, ...] = ()
    if chat_id is not None:
        condition, values = f"chat_id = ? AND {condition}", (chat_id,)
    found = db.execute(f"SELECT sequence FROM messages WHERE {condition}", values).fetchall()
    db.execute(f"UPDATE messages SET status = 'interrupted' WHERE {condition}", values)
    for (sequence,) in found:
        search_index.add(db, sequence)
    return len(found)


# --- out and in again ------------------------------------------------------------------


def remove(db: Any, message_id: str) -> RemovedMessage:
    """Splice a message out: its children go to its parent. KeyError if it is gone."""
    row = db.execute("SELECT chat_id FROM messages WHERE id = ?", (message_id,)).fetchone()
    if row is None:
        raise KeyError(message_id)
    (chat_id,) = row
    chat_rows.require_chat(db, chat_id)
    shape = shape_of(db, chat_id, rows.MESSAGE_COLUMNS)
    (message,) = _messages(shape, [message_id], chat_rows.attachments_of(db, chat_id))
    (leaf,) = db.execute("SELECT active_leaf FROM chats WHERE id = ?", (chat_id,)).fetchone()
    children = shape.children(message_id)
    after = leaf
    if leaf == message_id:
        after = message.parent_id
        if after is None:
            roots = {*shape.children(None), *children} - {message_id}
            others = [id_ for id_ in shape.rows if id_ in roots]
            after = shape.newest_below(others[-1]) if others else None
    for child in children:
        _move(db, child, message.parent_id)
    chat_rows.update(db, chat_id, {"active_leaf": after})
    if not message.status.is_active:
        search_index.drop(db, message.sequence)
    db.execute("DELETE FROM messages WHERE id = ?", (message_id,))
    return RemovedMessage(message, children, leaf, after)


def put_back(db: Any, removed: RemovedMessage) -> None:
    """Undo `remove`, exactly; what was said since stays. Nothing if it is there already.

    KeyError if its chat is gone; ValueError if its parent is (undo in reverse order).
    """
    message = removed.message
    chat_rows.require_chat(db, message.chat_id)
    if db.execute("SELECT 1 FROM messages WHERE id = ?", (message.id,)).fetchone():
        return
    require_message(db, message.chat_id, message.parent_id)
    if message.status.is_active:  # what wrote it is long gone
        message = replace(message, status=MessageStatus.INTERRUPTED)
    insert(db, message)
    shape = shape_of(db, message.chat_id)
    for child in removed.children:
        if child in shape.rows and shape.parent(child) == message.parent_id:
            _move(db, child, message.id)
    (leaf,) = db.execute(
        "SELECT active_leaf FROM chats WHERE id = ?", (message.chat_id,)
    ).fetchone()
    before = removed.leaf_before
    if leaf == removed.leaf_after and before in shape.rows:
        chat_rows.update(db, message.chat_id, {"active_leaf": before})


def _move(db: Any, message_id: str, parent_id: str | None) -> None:
    db.execute("UPDATE messages SET parent_id = ? WHERE id = ?", (parent_id, message_id))


def new_message(
    message_id: str,
    chat_id: str,
    parent_id: str | None,
    role: Role,
    content: str,
    *,
    status: MessageStatus = MessageStatus.COMPLETE,
    model: str = "",
    attachments: Sequence[Attachment] = (),
) -> Message:
    """A message that is yet to be added."""
    return Message(
        id=message_id,
        chat_id=chat_id,
        parent_id=parent_id,
        role=role,
        content=content,
        status=status,
        model=model,
        attachments=tuple(
            Attachment(storable(a.id), storable(a.name), storable(a.content)) for a in attachments
        ),
    )
