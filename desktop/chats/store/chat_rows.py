"""Chats in the database: making, changing, listing. Runs on the store's thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from desktop.chats.chat import DEFAULT_TITLE, Attachment, ChatSummary
from desktop.chats.names import name_from
from desktop.chats.store import rows
from desktop.chats.store.rows import storable


def next_sequence(db: Any, count: int = 1) -> int:
    """The next place in the order of everything, or the last of `count`; never given twice."""
    db.execute("UPDATE counter SET value = value + ? WHERE id = 1", (count,))
    return int(db.execute("SELECT value FROM counter WHERE id = 1").fetchone()[0])


def require_chat(db: Any, chat_id: str) -> None:
    """KeyError if the chat is in the bin or gone."""
    if not db.execute(
        "SELECT 1 FROM chats WHERE id = ? AND deleted IS NULL", (chat_id,)
    ).fetchone():
        raise KeyError(chat_id)


def create(
    db: Any,
    chat_id: str,
    title: str,
    *,
    system_prompt: str = "",
    model: str = "",
    parameters: dict[str, object] | None = None,
    **columns: Any,
) -> None:
    """Make an empty chat. `columns`: further ones, as they are."""
    now = time.time()
    values = {
        "id": chat_id,
        "title": name_from(storable(title)) or DEFAULT_TITLE,
        "sequence": next_sequence(db),
        "created": now,
        "updated": now,
        "model": storable(model),
        "parameters": rows.parameters_json(parameters or {}),
        "system_prompt": storable(system_prompt),
        **columns,
    }
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    db.execute(f"INSERT INTO chats ({names}) VALUES ({places})", values)


def update(db: Any, chat_id: str, columns: dict[str, Any]) -> None:
    """Set columns of a chat that is not in the bin. KeyError if it is gone."""
    require_chat(db, chat_id)
    if columns:
        assignments = ", ".join(f"{name} = :{name}" for name in columns)
        db.execute(
            f"UPDATE chats SET {assignments} WHERE id = :chat_id", {**columns, "chat_id": chat_id}
        )


def summaries(db: Any, condition: str, order: str = "sequence DESC") -> list[ChatSummary]:
    """The chats for which `condition` holds."""
    cursor = db.execute(
        f"SELECT {rows.SUMMARY_COLUMNS} FROM chats WHERE {condition} ORDER BY {order}"
    )
    return [rows.summary_from(row) for row in cursor]


def summary(db: Any, chat_id: str) -> ChatSummary:
    """One chat as a list shows it."""
    row = db.execute(
        f"SELECT {rows.SUMMARY_COLUMNS} FROM chats WHERE id = ?", (chat_id,)
    ).fetchone()
    return rows.summary_from(row)


def attach(
    db: Any, chat_id: str, message_id: str | None, attachments: Sequence[Attachment]
) -> None:
    """Hang attachments on a message, or on the chat's draft (None)."""
    for attachment in attachments:
        db.execute(
            "INSERT INTO attachments (id, chat_id, message_id, name, content) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                storable(attachment.id),
                chat_id,
                message_id,
                storable(attachment.name),
                storable(attachment.content),
            ),
        )


def set_draft(
    db: Any, chat_id: str, text: str, attachments: Sequence[Attachment] | None = None
) -> None:
    """Keep a draft; attachments of None stay as they are. KeyError if the chat is gone."""
    update(db, chat_id, {"draft": storable(text)})
    if attachments is not None:
        db.execute("DELETE FROM attachments WHERE chat_id = ? AND message_id IS NULL", (chat_id,))
        attach(db, chat_id, None, attachments)


def attachments_of(db: Any, chat_id: str) -> dict[str | None, tuple[Attachment, ...]]:
    """What hangs on the messages of a chat, by the message's id, and on its draft (None)."""
    found: dict[str | None, tuple[Attachment, ...]] = {}
    for message_id, *row in db.execute(
        "SELECT message_id, id, name, content FROM attachments WHERE chat_id = ? ORDER BY position",
        (chat_id,),
    ):
        found[message_id] = (*found.get(message_id, ()), Attachment(*row))
    return found


def attachments_to(db: Any, message_id: str) -> tuple[Attachment, ...]:
    """What hangs on one message."""
    found = db.execute(
        "SELECT id, name, content FROM attachments WHERE message_id = ? ORDER BY position",
        (message_id,),
    )
    return tuple(Attachment(*row) for row in found)


def draft_attachments(db: Any, chat_id: str) -> tuple[Attachment, ...]:
    """What hangs on the chat's draft."""
    found = db.execute(
        "SELECT id, name, content FROM attachments WHERE chat_id = ? AND message_id IS NULL "
        "ORDER BY position",
        (chat_id,),
    )
    return tuple(Attachment(*row) for row in found)
