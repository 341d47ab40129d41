"""The ledger as a table: sorted as the user wants it, and still while its figures change."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop.models.monitor.kv_words import owner_name, percent
from desktop.models.monitor.ledger import LedgerRow, State
from desktop.models.number_text import decimal, whole

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROW_ROLE: Final = int(Role.UserRole) + 1  # the LedgerRow


class Column(IntEnum):
    """The ledger's columns, from the left; what matters most first."""

    STOP = 0
    CHAT = 1
    BLOCKS = 2
    SPEED = 3
    STATE = 4
    TOKENS = 5
    REREADS = 6
    SHARED = 7
    QUEUE = 8
    PREEMPTIONS = 9


TEXTS: Final = frozenset({Column.CHAT, Column.STATE})


class LedgerModel(QAbstractTableModel):
    """See the module. Rows of chats that are over stand below the others, however it is sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[LedgerRow] = []
        self._column, self._falling = Column.CHAT, False
        self._headings = {
            Column.STOP: "",
            Column.CHAT: self.tr("Chat"),
            Column.BLOCKS: self.tr("Blocks"),
            Column.SPEED: self.tr("Tokens/s"),
            Column.STATE: self.tr("State"),
            Column.TOKENS: self.tr("Tokens"),
            Column.REREADS: self.tr("Read again"),
            Column.SHARED: self.tr("Shared"),
            Column.QUEUE: self.tr("Queue"),
            Column.PREEMPTIONS: self.tr("Sent back"),
        }
        self._tips = {
            Column.STOP: self.tr("Stop what the chat is doing"),
            Column.CHAT: self.tr("The chat, with its number in the map"),
            Column.BLOCKS: self.tr("KV blocks that it holds"),
            Column.SPEED: self.tr("Tokens a second of its answers, over the last two seconds"),
            Column.STATE: self.tr("What it is at"),
            Column.TOKENS: self.tr("Tokens of its prompt and answer together"),
            Column.REREADS: self.tr(
                "Tokens of it that are in no full block: its next reply must read them again, "
                "and what is new"
            ),
            Column.SHARED: self.tr("The share of its blocks that others hold, too"),
            Column.QUEUE: self.tr("Its place in the queue"),
            Column.PREEMPTIONS: self.tr(
                "How often it was sent back to the queue because blocks ran out; what it had read "
                "is computed again"
            ),
        }

    @property
    def rows(self) -> tuple[LedgerRow, ...]:
        """As they stand."""
        return tuple(self._rows)

    def set_rows(self, rows: Sequence[LedgerRow], *, may_move: bool = True) -> None:
        """Show these.

        Args:
            may_move: put them in order again. Else those that are there stay where they are,
                with new figures, and new ones come last.
        """
        fresh = {row.key: row for row in rows}
        for at in range(len(self._rows) - 1, -1, -1):
            if self._rows[at].key not in fresh:
                self.beginRemoveRows(QModelIndex(), at, at)
                del self._rows[at]
                self.endRemoveRows()
        self._update([fresh.pop(old.key) for old in self._rows])
        if fresh:
            end = len(self._rows)
            self.beginInsertRows(QModelIndex(), end, end + len(fresh) - 1)
            self._rows += fresh.values()
            self.endInsertRows()
        if may_move:
            self._put_in_order()

    def _update(self, rows: list[LedgerRow]) -> None:
        """Other figures of the same chats; of each column only what changed is told."""
        changed: dict[Column, tuple[int, int]] = {}
        for at, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
            if new is old or new == old:
                continue
            before, after = self._cells(old), self._cells(new)
            for column in Column:
                if before[column] != after[column]:
                    changed[column] = (changed.get(column, (at, at))[0], at)
        self._rows = rows
        for column, (first, last) in changed.items():
            self.dataChanged.emit(self.index(first, column), self.index(last, column))

    def _cells(self, row: LedgerRow) -> tuple[object, ...]:
        """What the columns show, before it is text."""
        owner = row.owner
        return (
            bool(owner.requests),
            (owner.ref.title, row.state is State.OVER),
            row.blocks,
            row.tps,
            (row.state, owner.tokens if row.state is State.OVER else 0),
            owner.context,
            owner.rereads,
            row.shared_share,
            owner.position,
            owner.preemptions,
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, now and from now on."""
        if not 0 <= column < len(Column):
            return
        self._column = Column(column)
        self._falling = order is Qt.SortOrder.DescendingOrder
        self._put_in_order()

    def _put_in_order(self) -> None:
        rows = sorted(self._rows, key=lambda row: row.key)
        rows.sort(key=lambda row: _rank(row, self._column), reverse=self._falling)
        rows.sort(key=lambda row: row.state is State.OVER)
        if [row.key for row in rows] == [row.key for row in self._rows]:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        places = {row.key: at for at, row in enumerate(rows)}
        after = [self.index(places[self._rows[one.row()].key], one.column()) for one in before]
        self._rows = rows
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Chats."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """See `Column`."""
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """What a cell says."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], Column(index.column())
        if role == Role.DisplayRole:
            return self.text(row, column)
        if role == ROW_ROLE:
            return row
        if role == Role.TextAlignmentRole:
            return _side(column)
        if role == Role.ToolTipRole:
            return self._tip(row, column)
        if role == Role.AccessibleTextRole:
            if column is Column.STOP:
                return self._stop_text(row)
            text = self.text(row, column) or "–"
            is_over = column is Column.STATE and row.state is State.OVER
            return self.tr("over, {state}").format(state=text) if is_over else text
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """The headings, and what they mean."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        column = Column(section)
        if role == Role.DisplayRole:
            return self._headings[column]
        if role == Role.ToolTipRole:
            return self._tips[column]
        if role == Role.AccessibleTextRole:
            return self._headings[column] or self._tips[column]
        if role == Role.TextAlignmentRole:
            return _side(column)
        return None

    def csv_rows(self) -> list[list[str]]:
        """For a file: a head row with units, then the rows as they stand."""
        head = [
            "number",
            "chat",
            "state",
            "blocks held",
            "shared (%)",
            "tokens in context",
            "tokens to read again",
            "speed (tokens/s)",
            "place in the queue",
            "times sent back",
        ]
        return [head, *(_plain(row) for row in self._rows)]

    def row(self, at: int) -> LedgerRow:
        """A row as it stands."""
        return self._rows[at]

    def text(self, row: LedgerRow, column: Column) -> str:
        """What a cell of a row says."""
        owner = row.owner
        is_over = row.state is State.OVER
        match column:
            case Column.CHAT:
                return owner_name(owner.ref)
            case Column.BLOCKS:
                return "–" if is_over else whole(row.blocks)
            case Column.SPEED:
                return "–" if row.tps is None else decimal(row.tps)
            case Column.STATE:
                return self.state_text(row)
            case Column.TOKENS:
                return whole(owner.context)
            case Column.REREADS:
                return whole(owner.rereads)
            case Column.SHARED:
                return percent(row.shared_share, 0)
            case Column.QUEUE:
                return whole(owner.position) if owner.position else "–"
            case Column.PREEMPTIONS:
                return whole(owner.preemptions) if owner.preemptions else "–"
        return ""

    def state_text(self, row: LedgerRow) -> str:
        """What a chat is at, in words; of one that is over, what it would find again."""
        owner = row.owner
        match row.state:
            case State.ANSWERS:
                return self.tr("answers")
            case State.READS:
                return self.tr("reads its prompt")
            case State.WAITS:
                return self.tr("waits")
            case State.SENT_BACK:
                return self.tr("sent back, waits")
        if not owner.tokens:
            return self.tr("none cached")
        return self.tr("{found} cached").format(found=whole(owner.tokens))

    def _stop_text(self, row: LedgerRow) -> str:
        if not row.owner.requests:
            return "–"
        return self.tr("Stop {chat}").format(chat=owner_name(row.owner.ref))

    def _tip(self, row: LedgerRow, column: Column) -> str:
        if column is Column.STOP:
            return self._stop_text(row) if row.owner.requests else ""
        if column is Column.CHAT:
            return f"{row.owner.number} {owner_name(row.owner.ref)}"
        if column is Column.STATE and row.state is State.OVER:
            return self.tr(
                "Its answer is over. {found} of its {all} tokens would be found in the cache, if "
                "it went on now."
            ).format(found=whole(row.owner.tokens), all=whole(row.owner.context))
        return f"{self._headings[column]}: {self.text(row, column)}\n{self._tips[column]}"


def _side(column: Column) -> Qt.AlignmentFlag:
    left = column in TEXTS
    side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _rank(row: LedgerRow, column: Column) -> float:
    """What a row is sorted by."""
    owner = row.owner
    match column:
        case Column.CHAT:
            return float(owner.number)
        case Column.STATE:
            return float(list(State).index(row.state))
        case Column.STOP:
            return float(not owner.requests)
    number = {
        Column.BLOCKS: row.blocks,
        Column.SPEED: -1.0 if row.tps is None else row.tps,
        Column.TOKENS: owner.context,
        Column.REREADS: owner.rereads,
        Column.SHARED: -1.0 if row.shared_share is None else row.shared_share,
        Column.QUEUE: owner.position,
        Column.PREEMPTIONS: owner.preemptions,
    }[column]
    return float(number)


def _plain(row: LedgerRow) -> list[str]:
    owner, share = row.owner, row.shared_share
    return [
        str(owner.number),
        owner_name(owner.ref),
        row.state.value,
        str(row.blocks),
        "" if share is None else f"{100 * share:.1f}",
        str(owner.context),
        str(owner.rereads),
        "" if row.tps is None else f"{row.tps:.1f}",
        str(owner.position or ""),
        str(owner.preemptions),
    ]
