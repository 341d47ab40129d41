"""Whole chats out of the store and into it, and copies. Runs on the store's thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desktop.chats.chat import Chat, ChatSummary, Message, MessageStatus, new_id
from desktop.chats.chat_tree import ChatTree
from desktop.chats.names import name_from
from desktop.chats.store import chat_rows, message_changes, message_tree, rows
from desktop.chats.store.rows import storable


def fork(db: Any, chat_id: str, message_id: str, title: str) -> Chat:
    """Copy the path from the root to a message into a new chat, in the same folder."""
    chat_rows.require_chat(db, chat_id)
    message_tree.require_message(db, chat_id, message_id)
    system_prompt, model, parameters, folder = db.execute(
        "SELECT system_prompt, model, parameters, folder FROM chats WHERE id = ?", (chat_id,)
    ).fetchone()
    copy = new_id()
    chat_rows.create(
        db,
        copy,
        title,
        system_prompt=system_prompt,
        model=model,
        parameters=rows.object_from(parameters),
        folder=folder,
    )
    _fill(db, copy, message_tree.load_tree(db, chat_id, message_id), message_id)
    return message_tree.load(db, copy)


def export(db: Any, chat_id: str) -> ChatTree:
    """A chat with all its branches. KeyError if it is in the bin or gone."""
    chat_rows.require_chat(db, chat_id)
    title, system_prompt, model, parameters, folder, pinned, archived, created, updated, leaf = (
        db.execute(
            "SELECT title, system_prompt, model, parameters, folder, pinned, archived, created, "
            "updated, active_leaf FROM chats WHERE id = ?",
            (chat_id,),
        ).fetchone()
    )
    return ChatTree(
        title=title,
        system_prompt=system_prompt,
        model=model,
        parameters=rows.object_from(parameters),
        folder=folder,
        pinned=bool(pinned),
        archived=bool(archived),
        created=created,
        updated=updated,
        messages=message_tree.load_tree(db, chat_id),
        active_leaf=leaf,
    )


def bring_in(db: Any, tree: ChatTree) -> ChatSummary:
    """Make a chat of a tree; all ids are new. ValueError if it is no tree."""
    chat_id = new_id()
    chat_rows.create(
        db,
        chat_id,
        tree.title,
        system_prompt=tree.system_prompt,
        model=tree.model,
        parameters=tree.parameters,
        folder=name_from(storable(tree.folder)),
        pinned=int(tree.pinned),
        archived=int(tree.archived),
    )
    _fill(db, chat_id, tree.messages, tree.active_leaf)
    dates = {"created": tree.created, "updated": tree.updated}
    chat_rows.update(db, chat_id, {name: when for name, when in dates.items() if when})
    return chat_rows.summary(db, chat_id)


def _fill(db: Any, chat_id: str, messages: Sequence[Message], leaf: str | None) -> None:
    """Put copies of `messages` into a chat, whose active leaf becomes the copy of `leaf`."""
    ids: dict[str | None, str | None] = {None: None}
    sequence = chat_rows.next_sequence(db, len(messages)) - len(messages)
    now = time.time()
    for message in messages:
        if message.parent_id not in ids:
            raise ValueError(f"message {message.id} comes before its parent")
        if message.id in ids:
            raise ValueError(f"message {message.id} is there twice")
        ids[message.id] = copy_id = new_id()
        sequence += 1
        status = message.status
        copy = Message(
            id=copy_id,
            chat_id=chat_id,
            parent_id=ids[message.parent_id],
            role=message.role,
            content=storable(message.content),
            status=MessageStatus.INTERRUPTED if status.is_active else status,
            sequence=sequence,
            model=storable(message.model),
            error=storable(message.error),
            reasoning=storable(message.reasoning),
            statistics=message.statistics,
            created=message.created or now,
            attachments=tuple(replace(a, id=new_id()) for a in message.attachments),
        )
        message_changes.insert(db, copy)
    if leaf not in ids:
        raise ValueError(f"the active leaf {leaf} is no message of the chat")
    chat_rows.update(db, chat_id, {"active_leaf": ids[leaf]})
