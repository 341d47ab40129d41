"""The sidebar's list: chats under date headings, filtered by title."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop.chats.chat import ChatSummary
from desktop.models.session_state import SessionState, state_text

_Index = QModelIndex | QPersistentModelIndex


class ChatRole(IntEnum):
    """The model's own data roles."""

    CHAT_ID = Qt.ItemDataRole.UserRole + 1  # empty for headings
    IS_HEADING = Qt.ItemDataRole.UserRole + 2
    STATE = Qt.ItemDataRole.UserRole + 3  # a SessionState
    STATE_TEXT = Qt.ItemDataRole.UserRole + 4


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a heading has no chat id."""

    chat_id: str
    text: str

    @property
    def is_heading(self) -> bool:
        """Whether the line names a group of chats."""
        return not self.chat_id


class ChatListModel(QAbstractListModel):
    """Chats in the order of their latest change; a clock only chooses the headings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats: list[ChatSummary] = []
        self._states: dict[str, SessionState] = {}
        self._filter = ""
        self._rows: list[Row] = []

    # --- Qt ----------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Headings and chats."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings can be neither chosen nor edited."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self._rows[index.row()].is_heading:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsEditable
            | Qt.ItemFlag.ItemNeverHasChildren
        )

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One line's text, state and id."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        state = self._states.get(row.chat_id, SessionState.IDLE)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return row.text
            case Qt.ItemDataRole.ToolTipRole if not row.is_heading:
                words = state_text(state)
                return f"{row.text}\n{words}" if words else row.text
            case Qt.ItemDataRole.AccessibleTextRole:
                words = state_text(state)
                return f"{row.text}, {words}" if words else row.text
            case ChatRole.CHAT_ID:
                return row.chat_id
            case ChatRole.IS_HEADING:
                return row.is_heading
            case ChatRole.STATE:
                return state
            case ChatRole.STATE_TEXT:
                return state_text(state)
        return None

    # --- content -------------------------------------------------------------------

    def set_chats(self, chats: Sequence[ChatSummary]) -> None:
        """Show these chats, newest change first."""
        self._chats = list(chats)
        self._rebuild()

    def set_filter(self, text: str) -> None:
        """Show only chats whose title holds every word of `text`."""
        words = " ".join(text.casefold().split())
        if words != self._filter:
            self._filter = words
            self._rebuild()

    def set_state(self, chat_id: str, state: SessionState) -> None:
        """Mark a chat that is being answered."""
        if self._states.get(chat_id, SessionState.IDLE) is state:
            return
        if state is SessionState.IDLE:
            self._states.pop(chat_id, None)
        else:
            self._states[chat_id] = state
        row = self.row_of(chat_id)
        if row is not None:
            self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, chat_id: str) -> int | None:
        """The row that shows a chat; None if the filter hides it."""
        return next((i for i, row in enumerate(self._rows) if row.chat_id == chat_id), None)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is set."""
        return bool(self._filter)

    @property
    def chat_count(self) -> int:
        """How many chats there are, shown or not."""
        return len(self._chats)

    def heading_of(self, updated: float, today: date) -> str:
        """The group a time belongs to."""
        day = date.fromtimestamp(updated) if updated > 0 else date.min
        days = (today - day).days
        if days <= 0:
            return self.tr("Today")
        if days == 1:
            return self.tr("Yesterday")
        if days < 7:
            return self.tr("This week")
        if days < 31:
            return self.tr("This month")
        return self.tr("Older")

    def _rebuild(self) -> None:
        today = date.fromtimestamp(time.time())
        words = self._filter.split()
        rows: list[Row] = []
        seen: set[str] = set()
        # The order is the store's sequence. A clock that was set back must not repeat
        # a heading further down, so a heading never goes back to a younger group.
        heading = ""
        for pinned in (True, False):
            for chat in self._chats:
                if chat.pinned is not pinned:
                    continue
                title = chat.title.casefold()
                if not all(word in title for word in words):
                    continue
                group = self.tr("Pinned") if pinned else self.heading_of(chat.updated, today)
                if group != heading and group not in seen:
                    seen.add(group)
                    heading = group
                    rows.append(Row("", group))
                rows.append(Row(chat.id, chat.title))
        if rows == self._rows:
            return
        if [row.chat_id for row in rows] == [row.chat_id for row in self._rows]:
            changed = [i for i, row in enumerate(rows) if row != self._rows[i]]
            self._rows = rows
            for i in changed:
                self.dataChanged.emit(self.index(i), self.index(i))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()
