"""Between rows of the store and the values of `chat.py`."""

from __future__ import annotations

import dataclasses
import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import repeat
from typing import Any, Final

import msgspec

from desktop.chats.chat import (
    Attachment,
    Chat,
    ChatSummary,
    Message,
    MessageStatus,
    Role,
    Statistics,
)
from desktop.chats.presets import Preset

MESSAGE_COLUMNS: Final = (
    "id, parent_id, chat_id, role, content, status, sequence, model, error, reasoning, "
    "statistics, created"
)
CHAT_COLUMNS: Final = "id, title, system_prompt, model, parameters, draft, active_leaf"
PRESET_COLUMNS: Final = "id, name, system_prompt, parameters"
SUMMARY_COLUMNS: Final = "id, title, sequence, updated, folder, pinned, archived"

_ROLES: Final = {role.value: role for role in Role}
_STATUSES: Final = {status.value: status for status in MessageStatus}
_COLUMNS: Final = MESSAGE_COLUMNS.split(", ")
_SLOTS: Final = {field.name: getattr(Message, field.name).__set__ for field in fields(Message)}
_STATISTICS_FIELDS: Final = frozenset(field.name for field in fields(Statistics))


def storable(text: str) -> str:
    """`text` as SQLite can hold it: lone surrogates (a broken paste) become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def messages_from(
    rows: Sequence[Sequence[Any]],
    siblings: Sequence[tuple[str, ...]],
    attachments: Sequence[tuple[Attachment, ...]],
) -> tuple[Message, ...]:
    """Messages from rows of `MESSAGE_COLUMNS`, with what else belongs to each.

    Each field is set in all messages at once, by its slot: 10,000 calls of a frozen
    dataclass's constructor take three times as long, and a long chat waits for this.
    """
    if not rows:
        return ()
    messages = tuple(map(object.__new__, repeat(Message, len(rows))))
    columns: dict[str, Iterable[Any]] = dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True))
    columns["role"] = map(role_from, columns["role"])
    columns["status"] = map(status_from, columns["status"])
    columns["statistics"] = map(statistics_from, columns["statistics"])
    columns["siblings"] = siblings
    columns["attachments"] = attachments
    for name, set_field in _SLOTS.items():
        deque(map(set_field, messages, columns[name]), maxlen=0)
    return messages


def role_from(text: str) -> Role:
    """The role; one that a flipped bit made senseless must not lock the chat away."""
    return _ROLES.get(text, Role.USER)


def status_from(text: str) -> MessageStatus:
    """The status; one that makes no sense reads as INTERRUPTED."""
    return _STATUSES.get(text, MessageStatus.INTERRUPTED)


def chat_from(
    row: Sequence[Any],
    messages: tuple[Message, ...],
    draft_attachments: tuple[Attachment, ...] = (),
) -> Chat:
    """A chat from a row of `CHAT_COLUMNS`."""
    id_, title, system_prompt, model, parameters, draft, active_leaf = row
    return Chat(
        id=id_,
        title=title,
        system_prompt=system_prompt,
        model=model,
        parameters=object_from(parameters),
        draft=draft,
        draft_attachments=draft_attachments,
        active_leaf=active_leaf,
        messages=messages,
    )


def summary_from(row: Sequence[Any]) -> ChatSummary:
    """A summary from a row of `SUMMARY_COLUMNS`."""
    id_, title, sequence, updated, folder, pinned, archived = row
    return ChatSummary(id_, title, sequence, updated, folder, bool(pinned), bool(archived))


def preset_from(row: Sequence[Any]) -> Preset:
    """A preset from a row of `PRESET_COLUMNS`."""
    id_, name, system_prompt, parameters = row
    return Preset(id_, name, system_prompt, object_from(parameters))


def statistics_from(text: str | None) -> Statistics | None:
    """The statistics written as JSON; fields that this version does not know are left out."""
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=Statistics)
    except (ValueError, RecursionError):
        known = {name: v for name, v in object_from(text).items() if name in _STATISTICS_FIELDS}
        return Statistics(**known)  # type: ignore[arg-type]


def statistics_json(statistics: Statistics | None) -> str | None:
    """The statistics as JSON."""
    return None if statistics is None else json.dumps(dataclasses.asdict(statistics))


def parameters_json(parameters: dict[str, object]) -> str:
    """Sampling parameters as JSON."""
    return storable(json.dumps(parameters, ensure_ascii=False))


def object_from(text: str) -> dict[str, object]:
    """A JSON object; anything else reads as an empty one, so that a chat still opens."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
