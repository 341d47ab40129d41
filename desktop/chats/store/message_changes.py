"""Changes of the messages in the database: added, changed, taken out, put back.

Runs on the store's thread, as `message_tree` does, which reads them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desktop.chats.chat import Attachment, Message, MessageStatus, Role
from desktop.chats.chat_tree import RemovedMessage
from desktop.chats.store import chat_rows, rows, search_index
from desktop.chats.store.message_tree import messages_in, require_message, shape_of, siblings_of
from desktop.chats.store.rows import storable


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


def with_siblings(db: Any, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages just added beside each other, each with all of its siblings."""
    siblings = siblings_of(db, messages[0].chat_id, messages[0].parent_id)
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
    (message,) = messages_in(shape, [message_id], chat_rows.attachments_of(db, chat_id))
    (leaf,) = db.execute("SELECT active_leaf FROM chats WHERE id = ?", (chat_id,)).fetchone()
    children = shape.children(message_id)
    after = leaf
    if leaf == message_id:
        # Those beside it are shown then: below their parent alone nothing would lead to them.
        beside = {*shape.children(message.parent_id), *children} - {message_id}
        others = [id_ for id_ in shape.rows if id_ in beside]
        after = shape.newest_below(others[-1]) if others else message.parent_id
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
