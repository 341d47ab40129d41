"""Whole chats out of the store and into it, and copies. Runs on the store's thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from desktop.chats import chat_rows, message_tree, rows
from desktop.chats.chat import Chat, ChatSummary, Message, MessageStatus, new_id
from desktop.chats.chat_tree import ChatTree
from desktop.chats.rows import storable


def fork(db: Any, chat_id: str, message_id: str, title: str) -> Chat:
    """Copy the path from the root to a message into a new chat, in the same folder."""
    chat = message_tree.load(db, chat_id)
    message_tree.require_message(db, chat_id, message_id)
    path = set(message_tree.shape_of(db, chat_id).path(message_id))
    messages = [m for m in message_tree.load_tree(db, chat_id) if m.id in path]
    copy = new_id()
    chat_rows.create(
        db,
        copy,
        title,
        system_prompt=chat.system_prompt,
        model=chat.model,
        parameters=chat.parameters,
        folder=chat_rows.summary(db, chat_id).folder,
    )
    _fill(db, copy, messages, message_id)
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
        folder=storable(tree.folder.strip()),
        pinned=int(tree.pinned),
        archived=int(tree.archived),
    )
    _fill(db, chat_id, tree.messages, tree.active_leaf)
    dates = {"created": tree.created, "updated": tree.updated}
    chat_rows.update(db, chat_id, {name: when for name, when in dates.items() if when})
    return chat_rows.summary(db, chat_id)


def _fill(db: Any, chat_id: str, messages: Iterable[Message], leaf: str | None) -> None:
    """Put copies of `messages` into a chat, whose active leaf becomes the copy of `leaf`."""
    ids: dict[str | None, str | None] = {None: None}
    for message in messages:
        if message.parent_id not in ids:
            raise ValueError(f"message {message.id} comes before its parent")
        if message.id in ids:
            raise ValueError(f"message {message.id} is there twice")
        ids[message.id] = new_id()
        status = message.status
        message_tree.add(
            db,
            replace(
                message,
                id=ids[message.id] or "",
                chat_id=chat_id,
                parent_id=ids[message.parent_id],
                status=MessageStatus.INTERRUPTED if status.is_active else status,
                attachments=tuple(replace(a, id=new_id()) for a in message.attachments),
            ),
        )
    if leaf not in ids:
        raise ValueError(f"the active leaf {leaf} is no message of the chat")
    chat_rows.update(db, chat_id, {"active_leaf": ids[leaf]})
