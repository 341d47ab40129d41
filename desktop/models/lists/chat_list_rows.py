"""Which rows the sidebar's list has: pins, folders, dates and the archive. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import NamedTuple

from desktop.chats.chat import ChatSummary
from desktop.models.session.title_text import shown_title


class RowKind(IntEnum):
    """What a row is."""

    HEADING = 0  # a group's name
    FOLDER = 1  # can be opened and closed
    CHAT = 2
    ARCHIVE = 3  # can be opened and closed


class Row(NamedTuple):
    """One row. A tuple: a thousand of them are made and compared at each change.

    Attributes:
        text: a chat's title, a folder's or a group's name.
        inside: whether it stands within a folder or the archive.
        size: chats in a folder or the archive.
        is_open: whether those are shown.
    """

    kind: RowKind
    text: str
    chat: ChatSummary | None = None
    inside: bool = False
    size: int = 0
    is_open: bool = False

    @property
    def key(self) -> tuple[RowKind, str, bool]:
        """What the row stands for, whatever it says now."""
        return self.kind, self.chat.id if self.chat is not None else self.text, self.inside

    @property
    def chat_id(self) -> str:
        """The chat's id; empty for the other rows."""
        return self.chat.id if self.chat is not None else ""


@dataclass(frozen=True, slots=True)
class Groups:
    """The names of the groups, in the user's language."""

    pinned: str
    folders: str
    archive: str
    by_date: Callable[[date], str]


def rows_of(
    chats: Sequence[ChatSummary],
    archived: Sequence[ChatSummary],
    closed: Collection[str],
    archive_open: bool,
    groups: Groups,
    today: date,
) -> list[Row]:
    """The rows, from the top: pinned chats, folders, the others by date, the archive.

    Args:
        chats: the newest change first.
        archived: likewise; pins and folders make no difference to them.
        closed: folders that do not show their chats.
    """
    rows: list[Row] = []
    pinned = [chat for chat in chats if chat.pinned]
    if pinned:
        rows.append(Row(RowKind.HEADING, groups.pinned))
        rows += [Row(RowKind.CHAT, shown_title(chat.title), chat) for chat in pinned]
    folders: dict[str, list[ChatSummary]] = {}
    for chat in chats:
        if chat.folder:
            folders.setdefault(chat.folder, [])
            if not chat.pinned:
                folders[chat.folder].append(chat)
    if folders:
        rows.append(Row(RowKind.HEADING, groups.folders))
    for name in sorted(folders, key=lambda name: (name.casefold(), name)):
        inside, is_open = folders[name], name not in closed
        rows.append(Row(RowKind.FOLDER, name, size=len(inside), is_open=is_open))
        if is_open:
            rows += [
                Row(RowKind.CHAT, shown_title(chat.title), chat, inside=True) for chat in inside
            ]
    rows += _by_date([c for c in chats if not c.pinned and not c.folder], groups, today)
    if archived:
        rows.append(Row(RowKind.ARCHIVE, groups.archive, size=len(archived), is_open=archive_open))
        if archive_open:
            rows += [
                Row(RowKind.CHAT, shown_title(chat.title), chat, inside=True) for chat in archived
            ]
    return rows


def day_of(updated: float, today: date) -> date:
    """The day of a change; a clock that was ahead cannot put it later than today."""
    try:
        return min(date.fromtimestamp(updated), today) if updated > 0 else date.min
    except (OverflowError, OSError, ValueError):
        return date.min


def _by_date(chats: Sequence[ChatSummary], groups: Groups, today: date) -> list[Row]:
    # Days choose the group, so that imported chats stand where they belong; within a day
    # the order is the store's sequence, which no clock can turn round.
    days = [(day_of(chat.updated, today), chat) for chat in chats]
    days.sort(key=lambda item: item[0], reverse=True)
    rows: list[Row] = []
    heading = ""
    last: date | None = None
    for day, chat in days:
        if day != last:
            last = day
            group = groups.by_date(day)
            if group != heading:
                heading = group
                rows.append(Row(RowKind.HEADING, group))
        rows.append(Row(RowKind.CHAT, shown_title(chat.title), chat))
    return rows
