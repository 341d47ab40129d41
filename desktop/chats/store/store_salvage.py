"""Takes over from a damaged store what can still be read of it.

The damaged file itself is not touched: a copy is read, row by row in the order in which the
rows lie, jumping over what SQLite cannot read, for a few seconds at most. What was read is
written into the fresh store in one transaction. Messages whose parent is lost go below the
one before them; a chat whose own row is lost comes back under a name of its own.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.chats.chat import MessageStatus, Role
from desktop.chats.store.rows import PRESET_COLUMNS
from desktop.chats.store.store_keeping import remove, wal_of

log = logging.getLogger(__name__)

SECONDS: Final = 5.0  # in which is read what can be
_LARGEST: Final = 1024**3  # bytes of a file that is copied for this
_FARTHEST: Final = 2**40  # how far a jump over what cannot be read goes
_LOST_TITLE: Final = "Recovered chat"

_CHAT: Final = (
    "id, title, sequence, created, updated, deleted, folder, pinned, archived, model, "
    "active_leaf, parameters, system_prompt, draft"
)
_MESSAGE: Final = (
    "id, chat_id, parent_id, role, status, created, model, error, statistics, reasoning, content"
)
_ATTACHMENT: Final = "id, chat_id, message_id, name, content"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How much was taken over."""

    chats: int = 0
    messages: int = 0


def salvage(damaged: Path, store: Path, db: Any) -> Salvaged:
    """Take over what the file `damaged` still holds into the empty store `db` at `store`.

    Never raises for what is wrong with the file, nor for a full disk: then nothing is
    taken over, and the damaged file is still there.
    """
    copy = store.with_name(f"{store.name}.salvage")
    try:
        remove(copy)
        if damaged.stat().st_size > _LARGEST:
            return Salvaged()
        for source, target in ((damaged, copy), (wal_of(damaged), wal_of(copy))):
            if source.exists():
                shutil.copyfile(source, target)
                target.chmod(0o600)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as source_db:
            source_db.text_factory = lambda data: str(data, "utf-8", "replace")
            end = time.monotonic() + SECONDS
            chats = dict(_rows(source_db, "chats", _CHAT, end))
            messages = dict(_rows(source_db, "messages", _MESSAGE, end))
            attachments = dict(_rows(source_db, "attachments", _ATTACHMENT, end))
            presets = dict(_rows(source_db, "presets", PRESET_COLUMNS, end))
        with db.atomic():
            saved = _take_over(db, chats, messages)
            _take_over_others(db, attachments, presets)
        return saved
    except (OSError, sqlite3.Error, ValueError) as error:
        log.warning("Nothing could be taken over from %s: %s", damaged, error)
        return Salvaged()
    finally:
        with contextlib.suppress(OSError):
            remove(copy)


def _rows(
    db: sqlite3.Connection, table: str, columns: str, end: float
) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The rows that can be read, by their rowid, until the monotonic time `end`."""
    at, jump = 0, 1
    db.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    while jump < _FARTHEST and time.monotonic() < end:
        try:
            for rowid, *values in db.execute(
                f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid",
                (at,),
            ):
                at, jump = rowid, 1
                yield rowid, tuple(values)
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            at, jump = at + jump, jump * 2
        else:
            return


def _take_over(
    db: Any, chats: dict[int, tuple[Any, ...]], messages: dict[int, tuple[Any, ...]]
) -> Salvaged:
    known: dict[str, str | None] = {}
    for values in chats.values():
        row = dict(zip(_CHAT.split(", "), values, strict=True))
        if not _is_id(row["id"]) or row["id"] in known:
            continue
        leaf = row.pop("active_leaf")
        known[row["id"]] = leaf if _is_id(leaf) else None
        _insert_chat(db, row)
    places: dict[str, tuple[str, int]] = {}  # of each message: its chat and its sequence
    newest: dict[str, str] = {}  # message of each chat
    for sequence, values in sorted(messages.items()):
        row = dict(zip(_MESSAGE.split(", "), values, strict=True))
        chat_id = row["chat_id"]
        if not (_is_id(row["id"]) and _is_id(chat_id)) or row["id"] in places or sequence < 1:
            continue
        if chat_id not in known:
            known[chat_id] = None
            _insert_chat(db, {"id": chat_id, "title": _LOST_TITLE, "sequence": sequence})
        if row["parent_id"] is not None and (
            not _is_id(row["parent_id"]) or places.get(row["parent_id"], ("", 0))[0] != chat_id
        ):
            row["parent_id"] = newest.get(chat_id)
        _insert_message(db, sequence, row)
        places[row["id"]] = chat_id, sequence
        newest[chat_id] = row["id"]
    for chat_id, leaf in known.items():
        shown = leaf if leaf and places.get(leaf, ("", 0))[0] == chat_id else newest.get(chat_id)
        db.execute("UPDATE chats SET active_leaf = ? WHERE id = ?", (shown, chat_id))
    last = max(
        [0, *messages, *(int(values[2]) for values in chats.values() if _is_number(values[2]))]
    )
    db.execute("UPDATE counter SET value = max(value, ?)", (min(last, _FARTHEST),))
    db.execute(
        "UPDATE search_backlog SET sequence = (SELECT coalesce(max(sequence), 0) FROM messages)"
    )
    return Salvaged(len(known), len(places))


def _take_over_others(
    db: Any, attachments: dict[int, tuple[Any, ...]], presets: dict[int, tuple[Any, ...]]
) -> None:
    """Attachments whose message or draft was taken over, and presets."""
    for id_, chat_id, message_id, name, content in attachments.values():
        table, owner = ("chats", chat_id) if message_id is None else ("messages", message_id)
        found = db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (owner,)).fetchone()
        if found and _is_id(id_) and _is_id(chat_id):
            db.execute(
                f"INSERT OR IGNORE INTO attachments ({_ATTACHMENT}) VALUES (?, ?, ?, ?, ?)",
                (id_, chat_id, message_id, _text(name), _text(content)),
            )
    for id_, *values in presets.values():
        if _is_id(id_):
            db.execute(
                f"INSERT OR IGNORE INTO presets ({PRESET_COLUMNS}) VALUES (?, ?, ?, ?)",
                (id_, *map(_text, values)),
            )


def _insert_chat(db: Any, row: dict[str, Any]) -> None:
    now = time.time()
    db.execute(
        "INSERT INTO chats (id, title, sequence, created, updated, deleted, folder, pinned, "
        "archived, model, parameters, system_prompt, draft) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row["id"],
            _text(row.get("title")) or _LOST_TITLE,
            int(row["sequence"]) if _is_number(row.get("sequence")) else 0,
            _number(row.get("created"), now),
            _number(row.get("updated"), now),
            _number(row.get("deleted"), None),
            _text(row.get("folder")),
            int(row.get("pinned") == 1),
            int(row.get("archived") == 1),
            _text(row.get("model")),
            _text(row.get("parameters")) or "{}",
            _text(row.get("system_prompt")),
            _text(row.get("draft")),
        ),
    )


def _insert_message(db: Any, sequence: int, row: dict[str, Any]) -> None:
    status = row["status"]
    active = {status.value for status in MessageStatus if status.is_active}
    if status not in {known.value for known in MessageStatus} or status in active:
        status = MessageStatus.INTERRUPTED.value
    role = row["role"] if row["role"] in {role.value for role in Role} else Role.USER.value
    db.execute(
        "INSERT INTO messages (sequence, id, chat_id, parent_id, role, status, created, model, "
        "error, statistics, reasoning, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            sequence,
            row["id"],
            row["chat_id"],
            row["parent_id"],
            role,
            status,
            _number(row["created"], 0.0),
            _text(row["model"]),
            _text(row["error"]),
            row["statistics"] if isinstance(row["statistics"], str) else None,
            _text(row["reasoning"]),
            _text(row["content"]),
        ),
    )


def _is_id(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < _FARTHEST


def _number(value: object, otherwise: float | None) -> float | None:
    return float(value) if isinstance(value, int | float) else otherwise


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
