"""The sidebar's list: pinned chats, folders, chats under date headings, the archive."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from datetime import date
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.chats.chat import ChatSummary
from desktop.models.lists.chat_list_rows import Groups, Row, RowKind, rows_of
from desktop.models.session.session_state import SessionState, state_text
from desktop.models.tip_text import tip_text

_Index = QModelIndex | QPersistentModelIndex
CHATS_MIME = "application/x-inglenook-chats"


class ChatRole(IntEnum):
    """The model's own data roles."""

    CHAT_ID = Qt.ItemDataRole.UserRole + 1  # empty for all but chats
    IS_HEADING = Qt.ItemDataRole.UserRole + 2
    STATE = Qt.ItemDataRole.UserRole + 3  # a SessionState
    STATE_TEXT = Qt.ItemDataRole.UserRole + 4
    ROW = Qt.ItemDataRole.UserRole + 5  # the `Row`


class ChatListModel(QAbstractListModel):
    """Chats in the order of their latest change; a clock only chooses the day they stand under.

    Signals:
        dropped: tuple of chat ids, and the folder that they were dropped on ("": out of any).
        archive_dropped: tuple of chat ids that were dropped on the archive.
        folded: a folder was opened or closed.
    """

    dropped = Signal(object, str)
    archive_dropped = Signal(object)
    folded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats: list[ChatSummary] = []
        self._archived: list[ChatSummary] = []
        self._hidden: frozenset[str] = frozenset()
        self._states: dict[str, SessionState] = {}
        self._unseen: set[str] = set()  # chats whose latest answer ended while nobody looked
        self._closed: set[str] = set()
        self._archive_open = False
        self._rows: list[Row] = []
        self._places: dict[str, int] = {}

    # --- Qt ----------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """All rows that are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings are passed over; chats can be dragged to folders."""
        if not index.isValid() or index.row() >= len(self._rows):
            return Qt.ItemFlag.NoItemFlags
        row = self._rows[index.row()]
        flags = Qt.ItemFlag.ItemNeverHasChildren
        if row.kind is RowKind.HEADING:
            return flags
        flags |= Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        flags |= Qt.ItemFlag.ItemIsDropEnabled
        if row.kind is RowKind.CHAT:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One row's text, state and id."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return row.text
            case Qt.ItemDataRole.ToolTipRole if row.kind is not RowKind.HEADING:
                return tip_text("\n".join(filter(None, (row.text, self._state_text(row)))))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case ChatRole.CHAT_ID:
                return row.chat_id
            case ChatRole.IS_HEADING:
                return row.kind is RowKind.HEADING
            case ChatRole.STATE:
                return self._state(row)
            case ChatRole.STATE_TEXT:
                return self._state_text(row)
            case ChatRole.ROW:
                return row
        return None

    def mimeTypes(self) -> list[str]:
        """Chats by their ids."""
        return [CHATS_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The chats among these rows."""
        data = QMimeData()
        ids = [self._rows[index.row()].chat_id for index in indexes if index.isValid()]
        data.setData(CHATS_MIME, json.dumps([id_ for id_ in ids if id_]).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        """Chats are moved, never copied."""
        return Qt.DropAction.MoveAction

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: _Index
    ) -> bool:
        """Folders, chats that stand in or outside of one, and the archive take chats."""
        del action, row, column
        return data.hasFormat(CHATS_MIME) and parent.isValid()

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: _Index
    ) -> bool:
        """Ask for the move; the list follows when the store has done it."""
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        try:
            ids = tuple(json.loads(bytes(data.data(CHATS_MIME).data())))
        except ValueError:
            return False
        target = self._rows[parent.row()]
        archived = target.chat is not None and target.chat.archived
        if target.kind is RowKind.ARCHIVE or archived:
            self.archive_dropped.emit(ids)
        elif target.kind is RowKind.FOLDER:
            self.dropped.emit(ids, target.text)
        elif target.chat is not None:
            self.dropped.emit(ids, target.chat.folder)
        return False  # or the view would take the rows out itself

    # --- content -------------------------------------------------------------------

    def set_chats(self, chats: Sequence[ChatSummary]) -> None:
        """Show these chats, newest change first."""
        self._chats = list(chats)
        self._rebuild()

    def set_archived(self, chats: Sequence[ChatSummary]) -> None:
        """These stand in the archive, newest change first."""
        self._archived = list(chats)
        self._rebuild()

    def hide(self, chat_ids: Iterable[str]) -> None:
        """Do not list these: nobody has written in them, and no tab shows them."""
        hidden = frozenset(chat_ids)
        if hidden != self._hidden:
            self._hidden = hidden
            self._rebuild()

    def set_open(self, row: int, is_open: bool) -> None:
        """Show or hide what is in a folder or the archive."""
        which = self._rows[row]
        if which.kind is RowKind.ARCHIVE:
            self._archive_open = is_open
        elif which.kind is RowKind.FOLDER:
            (self._closed.discard if is_open else self._closed.add)(which.text)
        self._rebuild()
        self.folded.emit()

    @property
    def closed_folders(self) -> tuple[str, ...]:
        """The folders that do not show their chats."""
        return tuple(sorted(self._closed))

    def close_folders(self, names: Iterable[str]) -> None:
        """Show the chats of all folders but these."""
        self._closed = set(names)
        self._rebuild()

    def set_state(self, chat_id: str, state: SessionState) -> None:
        """Mark a chat that is being answered."""
        if self._states.get(chat_id, SessionState.IDLE) is state:
            return
        if state is SessionState.IDLE:
            self._states.pop(chat_id, None)
        else:
            self._states[chat_id] = state
        self._on_chat_changed(chat_id)

    def set_unseen(self, chat_id: str, unseen: bool) -> None:
        """Mark a chat whose answer ended while nobody looked, or no longer."""
        if unseen:
            self._unseen.add(chat_id)
        else:
            self._unseen.discard(chat_id)
        self._on_chat_changed(chat_id)

    def row_of(self, chat_id: str) -> int | None:
        """The row that shows a chat; None if a closed folder hides it."""
        return self._places.get(chat_id)

    def row_at(self, row: int) -> Row | None:
        """What stands there."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rows(self) -> Sequence[Row]:
        """All rows that are shown."""
        return self._rows

    def reveal(self, chat_id: str) -> int | None:
        """Open what hides a chat; its row."""
        if chat_id in self._places:
            return self._places[chat_id]
        chat = self.summary(chat_id)
        if chat is None:
            return None
        if chat.archived:
            self._archive_open = True
        else:
            self._closed.discard(chat.folder)
        self._rebuild()
        self.folded.emit()
        return self._places.get(chat_id)

    def summary(self, chat_id: str) -> ChatSummary | None:
        """A chat that is listed or archived."""
        return next((chat for chat in self.everything() if chat.id == chat_id), None)

    def everything(self) -> list[ChatSummary]:
        """All chats, those in the archive last."""
        return [*self._chats, *self._archived]

    def folders(self) -> list[str]:
        """The names of all folders."""
        names = {chat.folder for chat in self.everything() if chat.folder}
        return sorted(names, key=lambda name: (name.casefold(), name))

    # --- inside --------------------------------------------------------------------

    def _on_chat_changed(self, chat_id: str) -> None:
        row = self.row_of(chat_id)
        if row is not None:
            self.dataChanged.emit(self.index(row), self.index(row))

    def _state(self, row: Row) -> SessionState:
        return self._states.get(row.chat_id, SessionState.IDLE)

    def _state_text(self, row: Row) -> str:
        return state_text(self._state(row), unseen=row.chat_id in self._unseen)

    def _spoken(self, row: Row) -> str:
        if row.kind in (RowKind.FOLDER, RowKind.ARCHIVE):
            count = self.tr("%n chat(s)", "", row.size)
            how = self.tr("open") if row.is_open else self.tr("closed")
            kind = self.tr("Folder {name}") if row.kind is RowKind.FOLDER else "{name}"
            return f"{kind.format(name=row.text)}, {count}, {how}"
        words = [row.text, self._state_text(row)]
        if row.chat is not None and row.chat.pinned:
            words.append(self.tr("pinned"))
        return ", ".join(filter(None, words))

    def _group_of(self, day: date, today: date) -> str:
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
        groups = Groups(
            pinned=self.tr("Pinned"),
            folders=self.tr("Folders"),
            archive=self.tr("Archived"),
            by_date=lambda day: self._group_of(day, today),
        )
        chats = self._chats
        if self._hidden:
            chats = [chat for chat in chats if chat.id not in self._hidden]
        rows = rows_of(chats, self._archived, self._closed, self._archive_open, groups, today)
        if rows == self._rows:
            return
        if len(rows) == len(self._rows) and all(
            new.key == old.key for new, old in zip(rows, self._rows, strict=True)
        ):
            changed = [i for i, row in enumerate(rows) if row != self._rows[i]]
            self._take(rows)
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
            return
        self.beginResetModel()
        self._take(rows)
        self.endResetModel()

    def _take(self, rows: list[Row]) -> None:
        self._rows = rows
        self._places = {row.chat.id: i for i, row in enumerate(rows) if row.chat is not None}
