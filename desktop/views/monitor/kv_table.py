"""The KV map as tables: of the chats, and of the runs of blocks. For keyboard and screen reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop import theme
from desktop.models.monitor.kv_books import FREE, SHARED, KvPicture, Owner
from desktop.models.monitor.kv_words import known_owners, names_text, owner_name
from desktop.models.number_text import whole

CHAT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
MOST_RUNS: Final = 5000

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what its cells say, and the chat that it leads to ("": none)."""

    cells: tuple[str, ...]
    chat_id: str = ""


class LinesModel(QAbstractTableModel):
    """Lines below fixed headings. The first column is text, the others figures on the right.

    Args:
        headings: of the columns. texts: columns that are text.
    """

    def __init__(
        self, headings: Sequence[str], texts: Sequence[int] = (0,), parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._headings = tuple(headings)
        self._texts = frozenset(texts)
        self._lines: list[Line] = []

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show these; rows that stay in their place are only updated."""
        before, now = len(self._lines), len(lines)
        if now < before:
            self.beginRemoveRows(QModelIndex(), now, before - 1)
            del self._lines[now:]
            self.endRemoveRows()
        changed = [at for at, old in enumerate(self._lines) if old != lines[at]]
        if changed:
            self._lines[:] = lines[: len(self._lines)]
            last = len(self._headings) - 1
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], last))
        if now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
            self._lines += lines[before:]
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Lines."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Headings."""
        return 0 if parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says."""
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return line.cells[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft
                if index.column() in self._texts
                else Qt.AlignmentFlag.AlignRight
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == CHAT_ROLE:
            return line.chat_id
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The headings, above their columns as the figures stand."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._headings):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            left = section in self._texts
            side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class LinesView(QTableView):
    """A table of lines. Enter, or a double click, goes to the line's chat.

    Signals:
        chat_activated: a chat's id.
    """

    chat_activated = Signal(str)

    def __init__(self, model: LinesModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        dress_table(self)
        self.doubleClicked.connect(self._open)
        theme.notifier().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        look = theme.current()
        self.setFont(look.figure_font())
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + look.space.s)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the chat."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        chat = index.data(CHAT_ROLE) if index.isValid() else ""
        if chat:
            self.chat_activated.emit(chat)


def dress_table(table: QTableView) -> None:
    """The look and the manners of the monitor's tables."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setProperty("role", "small")
    table.setCornerWidget(QWidget())


def chat_lines(picture: KvPicture) -> list[Line]:
    """A line for each chat that holds blocks, and for each that would be found in the cache."""
    holders = sorted(picture.holders, key=lambda one: one.number)
    lines = [
        Line(
            (
                f"{one.number} {owner_name(one.ref)}",
                whole(len(one.blocks)),
                whole(one.shared),
                whole(one.tokens),
            ),
            one.ref.chat_id,
        )
        for one in holders
    ]
    lines += [
        Line((f"{one.number} {owner_name(one.ref)}", "0", "0", whole(one.tokens)), one.ref.chat_id)
        for one in picture.remembered
        if one.tokens
    ]
    return lines


def run_lines(picture: KvPicture, words: Callable[[int], str]) -> list[Line]:
    """A line for each run of blocks that are alike; the first `MOST_RUNS`. 10,000 blocks: 3 ms.

    Args:
        words: a kind's name.
    """
    owners = known_owners(picture)
    sharers: dict[int, tuple[Owner, ...]] = {}
    for holder in picture.holders if picture.shared else ():
        for block in holder.blocks:
            if picture.kinds[block] == SHARED:
                sharers[block] = (*sharers.get(block, ()), holder)
    lines: list[Line] = []
    start = 0
    alike = zip(picture.kinds, picture.owners, map(sharers.get, range(picture.total)), strict=True)
    for (kind, number, holders), run in groupby(alike):
        count = sum(1 for _ in run)
        owner = owners.get(number) if kind != FREE else None
        whose = holders or ((owner,) if owner is not None else ())
        last = start + count - 1
        blocks = whole(start) if count == 1 else f"{whole(start)}–{whole(last)}"
        lines.append(
            Line(
                (blocks, words(kind), names_text(whose), whole(count)),
                owner.ref.chat_id if owner is not None else "",
            )
        )
        if len(lines) == MOST_RUNS:
            break
        start += count
    return lines
