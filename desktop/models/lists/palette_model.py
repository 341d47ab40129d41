"""What the command palette lists: commands and chats, the likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop import fuzzy

MAX_ROWS: Final = 100
_Index = QModelIndex | QPersistentModelIndex
_NO_INDEX: Final = QModelIndex()
_COMMANDS_FIRST: Final = 4  # points: of two that fit alike the command comes first


class EntryKind(StrEnum):
    """What choosing an entry does."""

    ACTION = "action"  # triggers the action named by its id
    CHAT = "chat"  # shows the chat of its id


@dataclass(frozen=True, slots=True)
class Entry:
    """One row.

    Attributes:
        id: name of an action, or id of a chat.
        text: what is searched and shown.
        detail: where it belongs: a menu's title, a chat's folder.
        keys: its keys as the user reads them; "" for none.
        checked: of a switch: whether it is on.
    """

    kind: EntryKind
    id: str
    text: str
    detail: str = ""
    keys: str = ""
    checked: bool = False


class PaletteRole(IntEnum):
    """Data of a row beside its text."""

    ENTRY = Qt.ItemDataRole.UserRole + 1
    PLACES = Qt.ItemDataRole.UserRole + 2  # indexes of the letters found


class PaletteModel(QAbstractListModel):
    """The entries that fit what was typed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[tuple[Entry, str]] = []
        self._rows: list[tuple[Entry, tuple[int, ...]]] = []
        self._used: list[str] = []  # ids of what was chosen, the latest first

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Offer these, in this order while nothing is typed."""
        self._entries = [(entry, fuzzy.folded(entry.text)) for entry in entries]
        self.set_query("")

    def set_query(self, query: str) -> None:
        """Show what fits `query`; what was chosen lately comes before its like."""
        words = fuzzy.folded(query).split()
        found: list[tuple[int, int, Entry, tuple[int, ...]]] = []
        for order, (entry, text) in enumerate(self._entries):
            match = fuzzy.find_folded(words, text)
            if match is not None:
                score = match.score if words else 0
                if entry.kind is EntryKind.ACTION:
                    score += _COMMANDS_FIRST
                found.append((-score - self._bonus(entry.id), order, entry, match.places))
        found.sort(key=lambda item: item[:2])
        self.beginResetModel()
        self._rows = [(entry, places) for _, _, entry, places in found[:MAX_ROWS]]
        self.endResetModel()

    def entry(self, row: int) -> Entry | None:
        """The entry of a row."""
        return self._rows[row][0] if 0 <= row < len(self._rows) else None

    def note_use(self, entry: Entry) -> None:
        """It was chosen; next time it stands further up."""
        self._used = [entry.id, *(i for i in self._used if i != entry.id)][:8]

    # --- Qt --------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _NO_INDEX) -> int:
        """How many fit."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A row's text, entry, or what a screen reader says."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        entry, places = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == PaletteRole.ENTRY:
            return entry
        if role == PaletteRole.PLACES:
            return places
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = QCoreApplication.translate("PaletteModel", "on") if entry.checked else ""
            return ", ".join(part for part in (entry.text, state, entry.detail, entry.keys) if part)
        return None

    def _bonus(self, entry_id: str) -> int:
        return 8 - self._used.index(entry_id) if entry_id in self._used else 0
