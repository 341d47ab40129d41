"""A chat as Markdown that people read and other programs open."""

from __future__ import annotations

import json

from desktop.chats.chat import Message, Role
from desktop.chats.chat_tree import ChatTree
from desktop.chats.transfer.fences import fenced, self_contained
from desktop.chats.transfer.labels import Labels, model_of, shown_path
from desktop.chats.transfer.times import day_and_minute


def to_markdown(tree: ChatTree, labels: Labels) -> str:
    """The branch that is shown, with a front matter that says what it is."""
    messages = shown_path(tree)
    head = {
        "title": tree.title,
        "model": model_of(tree, messages),
        "date": day_and_minute(tree.created),
        "folder": tree.folder,
    }
    lines = ["---"]
    # A JSON string is a YAML one, whatever a title holds.
    lines += [f"{key}: {json.dumps(v, ensure_ascii=False)}" for key, v in head.items() if v]
    lines += ["---", "", f"# {_one_line(tree.title)}", ""]
    if tree.system_prompt.strip():
        lines += [f"## {labels.instructions}", "", fenced(tree.system_prompt, "text"), ""]
    for message in messages:
        lines += _message(message, labels)
    return "\n".join(lines).rstrip() + "\n"


def _message(message: Message, labels: Labels) -> list[str]:
    lines = [f"## {_one_line(labels.speaker(message))}", ""]
    date = day_and_minute(message.created)
    if date:
        lines += [f"*{date}*", ""]
    for attachment in message.attachments:
        name = _one_line(labels.attached.format(name=attachment.name))
        lines += [f"**{name}**", "", fenced(attachment.content), ""]
    if message.reasoning.strip():
        inside = [f"**{labels.reasoning}**", "", *self_contained(message.reasoning).splitlines()]
        lines += [*(f"> {line}".rstrip() for line in inside), ""]
    if message.content.strip():
        lines += [self_contained(message.content), ""]
    if message.role is Role.ASSISTANT and message.status.value in ("interrupted", "failed"):
        lines += [f"*{labels.unfinished}*", ""]
    return lines


def _one_line(text: str) -> str:
    """For a heading: what would be markup in it means itself."""
    line = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#" else sign for sign in line)
