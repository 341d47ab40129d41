"""Chats on disk: what the rest of the program asks of the store.

Every method returns at once with a Future that the store's one thread resolves; its
callbacks run on that thread. Futures fail with a `StoreError`, with `KeyError` where
a chat is not there (any more), with `ValueError` where the call makes no sense. What
a Future has confirmed survives kill -9 and a power cut.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

from desktop.chats import rows, store_errors, store_file
from desktop.chats.chat import (
    DEFAULT_SYSTEM_PROMPT,
    DEFAULT_TITLE,
    Chat,
    ChatSummary,
    Message,
    MessageStatus,
    Role,
    Statistics,
)
from desktop.chats.chat import (
    new_id as fresh_id,
)
from desktop.chats.migrations import MIGRATIONS, Migration
from desktop.chats.rows import storable
from desktop.chats.write_queue import WriteQueue

log = logging.getLogger(__name__)

# Written out rather than bound, so that SQLite sees the partial index's condition.
_ACTIVE: Final = "status IN ('queued', 'running', 'streaming')"
_PATH: Final = """
    WITH RECURSIVE path (id, parent_id) AS (
        SELECT id, parent_id FROM messages WHERE id = :leaf
        UNION
        SELECT messages.id, messages.parent_id FROM messages JOIN path
            ON messages.id = path.parent_id
    )
"""


class ChatStore:
    """All chats of one user in one SQLite file.

    Args:
        path: the database. Its folder is made when missing.
        migrations: the schema's steps; tests pass their own.
    """

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.path = path
        self._queue = WriteQueue(
            lambda: store_file.open_store(path, migrations),
            self._typed,
        )

    def _typed(self, error: sqlite3.Error) -> Exception:
        if store_errors.is_damage(error):
            store_file.suspect(self.path)
        return store_errors.from_sqlite(error, self.path)

    def open(self) -> Future[None]:
        """Open the file, or make it. May be called again after it failed.

        Fails with a `StoreError`. One whose `usable` is true (a `CorruptStoreError`)
        tells of a damaged file that was set aside: the store is open and empty.
        """
        return self._queue.open()

    # --- chats -------------------------------------------------------------------

    def list_chats(self, include_archived: bool = False) -> Future[list[ChatSummary]]:
        """All chats outside the bin, the one changed last first.

        A change is a new message or a new chat; renaming, drafts and streamed text
        do not move a chat about in the list.
        """
        archived = "" if include_archived else "AND archived = 0"

        def run(db: Any) -> list[ChatSummary]:
            cursor = db.execute(
                f"SELECT {rows.SUMMARY_COLUMNS} FROM chats WHERE deleted IS NULL {archived} "
                "ORDER BY sequence DESC"
            )
            return [rows.summary_from(row) for row in cursor]

        return self._queue.read(run)

    def create_chat(
        self,
        *,
        title: str = DEFAULT_TITLE,
        system_prompt: str = DEFAULT_SYSTEM_PROMPT,
        model: str = "",
        parameters: dict[str, object] | None = None,
    ) -> Future[Chat]:
        """Make an empty chat."""
        chat_id = fresh_id()
        parameters_text = rows.parameters_json(parameters or {})

        def run(db: Any) -> Chat:
            now = time.time()
            db.execute(
                "INSERT INTO chats (id, title, sequence, created, updated, model, parameters, "
                "system_prompt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    chat_id,
                    storable(title),
                    _next(db),
                    now,
                    now,
                    storable(model),
                    parameters_text,
                    storable(system_prompt),
                ),
            )
            return _load(db, chat_id)

        return self._queue.write(run)

    def load_chat(self, chat_id: str) -> Future[Chat]:
        """The chat with its messages from the root to the active leaf. KeyError if gone."""
        return self._queue.read(lambda db: _load(db, chat_id))

    def load_tree(self, chat_id: str) -> Future[tuple[Message, ...]]:
        """All messages of a chat on all branches, oldest first. KeyError if gone."""

        def run(db: Any) -> tuple[Message, ...]:
            _require_chat(db, chat_id)
            cursor = db.execute(
                f"SELECT {rows.MESSAGE_COLUMNS} FROM messages WHERE chat_id = ? ORDER BY sequence",
                (chat_id,),
            )
            return tuple(rows.message_from(row) for row in cursor)

        return self._queue.read(run)

    def rename_chat(self, chat_id: str, title: str) -> Future[None]:
        """Give a chat another title."""
        return self._set(chat_id, {"title": storable(title)})

    def set_chat(
        self,
        chat_id: str,
        *,
        system_prompt: str | None = None,
        model: str | None = None,
        parameters: dict[str, object] | None = None,
    ) -> Future[None]:
        """Change what is not None."""
        columns = {
            "system_prompt": None if system_prompt is None else storable(system_prompt),
            "model": None if model is None else storable(model),
            "parameters": None if parameters is None else rows.parameters_json(parameters),
        }
        return self._set(chat_id, {name: v for name, v in columns.items() if v is not None})

    def save_draft(self, chat_id: str, text: str) -> Future[None]:
        """Keep what the user has typed but not sent. Merges with one that still waits."""

        def run(db: Any, values: dict[str, Any]) -> None:
            _update_chat(db, chat_id, values)

        return self._queue.merge(("draft", chat_id), {"draft": storable(text)}, run)

    def delete_chat(self, chat_id: str) -> Future[None]:
        """Put a chat into the bin. Answers on their way count as interrupted there."""

        def run(db: Any) -> None:
            _update_chat(db, chat_id, {"deleted": time.time()})
            db.execute(
                f"UPDATE messages SET status = 'interrupted' WHERE chat_id = ? AND {_ACTIVE}",
                (chat_id,),
            )

        return self._queue.write(run)

    def restore_chat(self, chat_id: str) -> Future[None]:
        """Take a chat out of the bin. KeyError if it is not there at all."""

        def run(db: Any) -> None:
            cursor = db.execute("UPDATE chats SET deleted = NULL WHERE id = ?", (chat_id,))
            if not cursor.rowcount:
                raise KeyError(chat_id)

        return self._queue.write(run)

    def set_active_leaf(self, chat_id: str, message_id: str | None) -> Future[None]:
        """Show the branch that ends in this message; None shows none."""

        def run(db: Any) -> None:
            _require_message(db, chat_id, message_id)
            _update_chat(db, chat_id, {"active_leaf": message_id})

        return self._queue.write(run)

    def _set(self, chat_id: str, columns: dict[str, Any]) -> Future[None]:
        return self._queue.write(lambda db: _update_chat(db, chat_id, columns))

    # --- messages ----------------------------------------------------------------

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
    ) -> Future[Message]:
        """Add a message below `parent_id` (None: a root) and make it the active leaf.

        KeyError if the chat is gone; ValueError if the parent is not in it or the id
        is taken.
        """
        new_id = message_id or fresh_id()

        def run(db: Any) -> Message:
            _require_chat(db, chat_id)
            _require_message(db, chat_id, parent_id)
            message = _insert(db, chat_id, parent_id, role, content, status, model, new_id)
            _changed(db, message)
            return message

        return self._queue.write(run)

    def add_exchange(
        self,
        chat_id: str,
        parent_id: str | None,
        user_text: str,
        *,
        model: str = "",
        user_id: str | None = None,
        answer_id: str | None = None,
    ) -> Future[tuple[Message, Message]]:
        """The user's message, an empty QUEUED answer below it, the draft cleared: all or nothing.

        Fails like `add_message`; the draft is then still there.
        """
        first_id, second_id = user_id or fresh_id(), answer_id or fresh_id()

        def run(db: Any) -> tuple[Message, Message]:
            _require_chat(db, chat_id)
            _require_message(db, chat_id, parent_id)
            user = _insert(
                db, chat_id, parent_id, Role.USER, user_text, MessageStatus.COMPLETE, "", first_id
            )
            answer = _insert(
                db, chat_id, user.id, Role.ASSISTANT, "", MessageStatus.QUEUED, model, second_id
            )
            _changed(db, answer)
            _update_chat(db, chat_id, {"draft": ""})
            return user, answer

        return self._queue.write(run)

    def update_message(
        self,
        message_id: str,
        *,
        content: str | None = None,
        status: MessageStatus | None = None,
        error: str | None = None,
        statistics: Statistics | None = None,
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
        }

        def run(db: Any, merged: dict[str, Any]) -> None:
            if merged:
                columns = ", ".join(f"{name} = :{name}" for name in merged)
                db.execute(
                    f"UPDATE messages SET {columns} WHERE id = :message_id AND EXISTS (SELECT 1 "
                    "FROM chats WHERE chats.id = messages.chat_id AND chats.deleted IS NULL)",
                    {**merged, "message_id": message_id},
                )

        return self._queue.merge(
            ("message", message_id), {name: v for name, v in values.items() if v is not None}, run
        )

    def recover_interrupted(self) -> Future[int]:
        """Mark answers that a crash left on their way as INTERRUPTED; how many there were."""

        def run(db: Any) -> int:
            cursor = db.execute(f"UPDATE messages SET status = 'interrupted' WHERE {_ACTIVE}")
            return int(cursor.rowcount)

        return self._queue.write(run)

    # --- the end -----------------------------------------------------------------

    def flush(self) -> Future[None]:
        """Resolves when all that was submitted before is on disk."""
        return self._queue.read(lambda _db: None)

    def close(self, timeout: float = 5.0) -> None:
        """Write what was submitted, then close. Waits `timeout` seconds at most."""
        if not self._queue.close(timeout):
            log.warning("The store was still writing after %.1f s", timeout)


# --- on the store's thread ---------------------------------------------------------


def _next(db: Any) -> int:
    """The next place in the order of everything; never given twice."""
    db.execute("UPDATE counter SET value = value + 1 WHERE id = 1")
    return int(db.execute("SELECT value FROM counter WHERE id = 1").fetchone()[0])


def _require_chat(db: Any, chat_id: str) -> None:
    if not db.execute(
        "SELECT 1 FROM chats WHERE id = ? AND deleted IS NULL", (chat_id,)
    ).fetchone():
        raise KeyError(chat_id)


def _require_message(db: Any, chat_id: str, message_id: str | None) -> None:
    if (
        message_id is not None
        and not db.execute(
            "SELECT 1 FROM messages WHERE id = ? AND chat_id = ?", (message_id, chat_id)
        ).fetchone()
    ):
        raise ValueError(f"message {message_id} is not in chat {chat_id}")


def _update_chat(db: Any, chat_id: str, columns: dict[str, Any]) -> None:
    """Set columns of a chat that is not in the bin. KeyError if it is gone."""
    _require_chat(db, chat_id)
    if columns:
        assignments = ", ".join(f"{name} = :{name}" for name in columns)
        db.execute(
            f"UPDATE chats SET {assignments} WHERE id = :chat_id", {**columns, "chat_id": chat_id}
        )


def _changed(db: Any, leaf: Message) -> None:
    """The chat got `leaf`: it shows it, and goes to the head of the list."""
    _update_chat(
        db,
        leaf.chat_id,
        {"active_leaf": leaf.id, "sequence": leaf.sequence, "updated": leaf.created},
    )


def _insert(
    db: Any,
    chat_id: str,
    parent_id: str | None,
    role: Role,
    content: str,
    status: MessageStatus,
    model: str,
    message_id: str,
) -> Message:
    message = Message(
        id=message_id,
        chat_id=chat_id,
        parent_id=parent_id,
        role=role,
        content=storable(content),
        status=status,
        sequence=_next(db),
        model=storable(model),
        created=time.time(),
    )
    db.execute(
        "INSERT INTO messages (sequence, id, chat_id, parent_id, role, status, created, model, "
        "content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message.sequence,
            message.id,
            chat_id,
            parent_id,
            role.value,
            status.value,
            message.created,
            message.model,
            message.content,
        ),
    )
    return message


def _load(db: Any, chat_id: str) -> Chat:
    row = db.execute(
        f"SELECT {rows.CHAT_COLUMNS} FROM chats WHERE id = ? AND deleted IS NULL", (chat_id,)
    ).fetchone()
    if row is None:
        raise KeyError(chat_id)
    # A parent is always older than its child, so the path's order is the sequence's.
    cursor = db.execute(
        f"{_PATH} SELECT {rows.MESSAGE_COLUMNS} FROM messages WHERE id IN (SELECT id FROM path) "
        "ORDER BY sequence",
        {"leaf": row[-1]},
    )
    return rows.chat_from(row, tuple(rows.message_from(found) for found in cursor))
