"""Messages in the database: the tree of each chat, read. Runs on the store's thread.

A parent always has a smaller sequence than its children, so the order of a path is the
order of its sequences, and the newest message of a subtree is one of its leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop.chats.chat import Attachment, Chat, Message
from desktop.chats.store import chat_rows, rows

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
        [siblings_of(db, chat_id, found[_PARENT]) for found in end],
        [chat_rows.attachments_to(db, found[0]) for found in end],
    )
    chat = rows.chat_from(row, messages, chat_rows.draft_attachments(db, chat_id))
    return replace(chat, is_whole=len(path) <= count)


def siblings_of(db: Any, chat_id: str, parent_id: str | None) -> tuple[str, ...]:
    """The ids below a message (None: the roots), oldest first; none where there is but one."""
    # Through the index of the smaller of two sets: a message has few children.
    condition, value = "parent_id = ?", parent_id
    if parent_id is None:
        condition, value = "parent_id IS NULL AND chat_id = ?", chat_id
    found = db.execute(
        f"SELECT id FROM messages WHERE {condition} ORDER BY sequence", (value,)
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
    messages = messages_in(shape, shape.path(row[-1]), attachments)
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
    return messages_in(shape, ids, chat_rows.attachments_of(db, chat_id))


def messages_in(
    shape: Shape, ids: Sequence[str], attachments: Mapping[str | None, tuple[Attachment, ...]]
) -> tuple[Message, ...]:
    """The messages `ids`, whose whole rows `shape` holds."""
    return rows.messages_from(
        [shape.rows[id_] for id_ in ids],
        shape.siblings(ids),
        [attachments.get(id_, ()) for id_ in ids],
    )
