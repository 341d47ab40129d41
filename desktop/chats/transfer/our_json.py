"""Inglenook's own file of chats: JSON that loses nothing.

    {"format": "inglenook-chats", "version": 1, "exported": seconds, "chats": [...]}

A chat holds all its messages on all branches, oldest first, with reasoning, statistics
and attachments. Fields that a reader does not know it leaves out; one that it needs to
know raises the version.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any, Final

import msgspec

from desktop.chats.chat import Attachment, Message, MessageStatus, Role, Statistics, new_id
from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer import times
from desktop.chats.transfer.limits import LIMITS
from desktop.chats.transfer.tree_check import in_order, require_unique
from desktop.chats.transfer.trouble import TransferError, Trouble

FORMAT: Final = "inglenook-chats"
VERSION: Final = 1
END: Final = b"\n]}\n"


class _Attachment(msgspec.Struct):
    name: str
    content: str
    id: str = ""


class _Message(msgspec.Struct, omit_defaults=True):
    id: str
    role: Role
    content: str
    parent: str | None = None
    status: MessageStatus = MessageStatus.COMPLETE
    created: float = 0.0
    model: str = ""
    error: str = ""
    reasoning: str = ""
    statistics: dict[str, Any] | None = None
    attachments: list[_Attachment] = []


class _Chat(msgspec.Struct, omit_defaults=True):
    title: str
    messages: list[_Message]
    system_prompt: str = ""
    model: str = ""
    parameters: dict[str, Any] = {}
    folder: str = ""
    pinned: bool = False
    archived: bool = False
    created: float = 0.0
    updated: float = 0.0
    active_leaf: str | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Chat)


def beginning(exported: float) -> bytes:
    """What stands before the first chat. `exported`: seconds since the epoch."""
    head = {"format": FORMAT, "version": VERSION, "exported": exported}
    return _encoder.encode(head)[:-1] + b',"chats":['


def encode(tree: ChatTree) -> bytes:
    """One chat. Between two of them stands a comma; `END` follows the last."""
    return _encoder.encode(
        _Chat(
            title=tree.title,
            system_prompt=tree.system_prompt,
            model=tree.model,
            parameters=tree.parameters,
            folder=tree.folder,
            pinned=tree.pinned,
            archived=tree.archived,
            created=times.sane(tree.created),
            updated=times.sane(tree.updated),
            active_leaf=tree.active_leaf,
            messages=[_written(message) for message in tree.messages],
        )
    )


def check_header(members: dict[str, Any]) -> None:
    """Raises TransferError unless these members say that the file is one of ours.

    NOT_CHATS: it is something else; NEWER_FORMAT: this version cannot read it.
    """
    if members.get("format") != FORMAT:
        raise TransferError(Trouble.NOT_CHATS)
    version = members.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TransferError(Trouble.NOT_CHATS)
    if version > VERSION:
        raise TransferError(Trouble.NEWER_FORMAT, version=version)


def decode(data: bytes) -> ChatTree:
    """One chat, as `encode` wrote it.

    Raises:
        TransferError: NOT_JSON, WRONG_TYPE, MISSING, TOO_MANY_PARTS, TWICE, NO_PARENT, CIRCLE.
    """
    try:
        chat = _decoder.decode(data)
    except msgspec.ValidationError as error:
        raise _wrong(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TransferError(Trouble.NOT_JSON, reason=str(error)) from error
    if len(chat.messages) > LIMITS.messages:
        raise TransferError(Trouble.TOO_MANY_PARTS, most=LIMITS.messages)
    require_unique(message.id for message in chat.messages)
    by_id = {message.id: message for message in chat.messages}
    in_order({id_: message.parent for id_, message in by_id.items()}, {})
    places = {id_: place for place, id_ in enumerate(by_id)}
    if any(m.parent is not None and places[m.parent] > places[m.id] for m in chat.messages):
        # Not as we write it, but still a tree: told from the root on.
        order = in_order({id_: message.parent for id_, message in by_id.items()}, {})
        chat.messages = [by_id[id_] for id_ in order]
    if chat.active_leaf is not None and chat.active_leaf not in by_id:
        raise TransferError(Trouble.MISSING, where="active_leaf")
    return ChatTree(
        title=chat.title,
        system_prompt=chat.system_prompt,
        model=chat.model,
        parameters=chat.parameters,
        folder=chat.folder,
        pinned=chat.pinned,
        archived=chat.archived,
        created=times.sane(chat.created),
        updated=times.sane(chat.updated),
        messages=tuple(_read(message, place) for place, message in enumerate(chat.messages, 1)),
        active_leaf=chat.active_leaf,
    )


def _written(message: Message) -> _Message:
    return _Message(
        id=message.id,
        parent=message.parent_id,
        role=message.role,
        content=message.content,
        status=message.status,
        created=times.sane(message.created),
        model=message.model,
        error=message.error,
        reasoning=message.reasoning,
        statistics=None if message.statistics is None else _finite(asdict(message.statistics)),
        attachments=[_Attachment(a.name, a.content, a.id) for a in message.attachments],
    )


def _read(message: _Message, sequence: int) -> Message:
    # An answer that was on its way when it was written is not on its way here.
    status = MessageStatus.INTERRUPTED if message.status.is_active else message.status
    return Message(
        id=message.id,
        chat_id="",
        parent_id=message.parent,
        role=message.role,
        content=message.content,
        status=status,
        sequence=sequence,
        model=message.model,
        error=message.error,
        reasoning=message.reasoning,
        statistics=_statistics(message.statistics, message.id),
        created=times.sane(message.created),
        attachments=tuple(
            Attachment(part.id or new_id(), part.name, part.content) for part in message.attachments
        ),
    )


def _statistics(values: dict[str, Any] | None, where: str) -> Statistics | None:
    if values is None:
        return None
    try:
        return msgspec.convert(values, Statistics)  # fields that it does not know are left out
    except msgspec.ValidationError as error:
        raise TransferError(Trouble.WRONG_TYPE, where=f"{where}: {error}") from error


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """Without figures that JSON has no word for."""
    return {
        name: value
        for name, value in values.items()
        if not (isinstance(value, float) and not math.isfinite(value))
    }


def _wrong(error: msgspec.ValidationError) -> TransferError:
    text = str(error)
    if text.startswith("Object missing required field"):
        return TransferError(Trouble.MISSING, where=text.partition("field ")[2])
    return TransferError(Trouble.WRONG_TYPE, where=text)
