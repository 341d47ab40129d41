"""The ledger on the screen: sortable, still under the mouse, each chat to be stopped from there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QSizePolicy,
    QTableView,
    QWidget,
)

from desktop import theme
from desktop.models.monitor.ledger import LedgerRow
from desktop.models.monitor.ledger_model import ROW_ROLE, Column, LedgerModel
from desktop.views.icons import icon
from desktop.views.monitor.kv_table import dress_table
from desktop.views.monitor.ledger_delegate import LedgerDelegate

_LEAST_ROWS, _MOST_ROWS = 2, 10
_REST_SECONDS: Final = 5.0  # after a key, in which rows stay where they are
_ARROW: Final = 10  # pixels, of the sign of the order beside a heading
_ORDER_SECONDS: Final = 3.0  # between two times that rows change places by themselves
# The widest that a column's figures become; a column never changes its width by itself.
_WIDEST: Final = {
    Column.BLOCKS: "00,000",
    Column.SPEED: "0,000.0",
    Column.TOKENS: "000,000",
    Column.REREADS: "000,000",
    Column.SHARED: "100 %",
    Column.QUEUE: "000",
    Column.PREEMPTIONS: "000",
}

_MOST_ELIDED: Final = 500


class LedgerView(QTableView):
    """See the module.

    Signals:
        chat_activated: a chat's id. stop_requested: ids of requests, as a tuple.
        row_hovered: the number of the chat that is pointed at; 0: none.
    """

    chat_activated = Signal(str)
    stop_requested = Signal(tuple)
    row_hovered = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ledger = LedgerModel(self)
        self._ordered = 0.0
        self._touched = -_REST_SECONDS
        self._hovered = 0
        self._elided: dict[tuple[str, int], str] = {}
        dress_table(self)
        self.setModel(self._ledger)
        self.setItemDelegate(LedgerDelegate(self))
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.tr("Ledger of the chats in the KV cache"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        header = self.horizontalHeader()
        header.setSortIndicator(Column.CHAT, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(24)
        self.setSortingEnabled(True)
        theme.notifier().changed.connect(self._restyle)
        self._restyle()

    @property
    def ledger(self) -> LedgerModel:
        """Its rows."""
        return self._ledger

    def set_rows(self, rows: Sequence[LedgerRow]) -> None:
        """Show these; none moves while it may be about to be clicked."""
        before = self._ledger.rowCount()
        now = time.monotonic()
        may_move = not self._is_in_use() and (
            now - self._ordered >= _ORDER_SECONDS or len(rows) != before
        )
        if may_move:
            self._ordered = now
        self._ledger.set_rows(rows, may_move=may_move)
        if self._shown_rows(before) != self._shown_rows(len(rows)):
            self.updateGeometry()
        if not before or not rows:
            self.viewport().update()

    def csv_rows(self) -> list[list[str]]:
        """See `LedgerModel.csv_rows`."""
        return self._ledger.csv_rows()

    def _is_in_use(self) -> bool:
        recently = time.monotonic() - self._touched < _REST_SECONDS
        return self.viewport().underMouse() or recently

    # The look.

    def _restyle(self) -> None:
        look = theme.current()
        self._elided.clear()
        self.setFont(look.figure_font())
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + look.space.s)
        header = self.horizontalHeader()
        pad = 2 * look.space.s
        for column in Column:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            if column is Column.STOP:
                width = metrics.height() + look.space.s
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            elif column is Column.CHAT:
                width = self._width_of_names()
            elif column is Column.STATE:
                width = self._width_of_states()
            else:
                figures = metrics.horizontalAdvance(_WIDEST[column])
                heading = metrics.horizontalAdvance(
                    str(self._ledger.headerData(column, Qt.Orientation.Horizontal))
                )
                width = max(figures, heading + _ARROW) + pad
            header.resizeSection(column, width)
        self._share_width()
        self.updateGeometry()

    def _shown_rows(self, rows: int) -> int:
        return max(_LEAST_ROWS, min(_MOST_ROWS, rows))

    def sizeHint(self) -> QSize:
        """As high as its rows, up to ten of them."""
        header = self.horizontalHeader().sizeHint().height()
        row = self.verticalHeader().defaultSectionSize()
        needs_bar = self.horizontalHeader().length() > self.width()
        bar = self.horizontalScrollBar().sizeHint().height() if needs_bar else 0
        return QSize(280, header + bar + row * self._shown_rows(self._ledger.rowCount()))

    def minimumSizeHint(self) -> QSize:
        """It gives way in its width."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns for the new width."""
        super().resizeEvent(event)
        self._share_width()
        self.updateGeometry()

    def _share_width(self) -> None:
        """What is left goes to the chat's name; where little is left, the first columns fill it."""
        header = self.horizontalHeader()
        room = self.viewport().width()
        least = self._width_of_names()
        state = self._width_of_states()
        rest = sum(
            header.sectionSize(column)
            for column in Column
            if column not in (Column.CHAT, Column.STATE)
        )
        header.resizeSection(Column.CHAT, max(least, room - rest - state))
        first = sum(header.sectionSize(column) for column in Column if column < Column.STATE)
        left = room - first
        header.resizeSection(Column.STATE, left if state // 2 < left < state else state)

    def _width_of_names(self) -> int:
        return 14 * self.fontMetrics().averageCharWidth() + 2 * theme.current().space.s

    def _width_of_states(self) -> int:
        longest = self.fontMetrics().horizontalAdvance(self.tr("sent back, waits"))
        return longest + 2 * theme.current().space.s

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows, or why there are none."""
        super().paintEvent(event)
        if self._ledger.rowCount():
            return
        look = theme.current()
        with QPainter(self.viewport()) as painter:
            painter.setPen(look.colour("muted"))
            painter.setFont(look.text_font(look.small))
            painter.drawText(
                self.viewport().rect().adjusted(look.space.s, 0, 0, 0),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                self.tr("No chat has anything in the KV cache"),
            )

    # The mouse.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Bring the chat forward that is pointed at."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self._row(index)
        self._hover(row.owner.number if row is not None else 0)
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor
            if row is not None and self._leads(row, index)
            else Qt.CursorShape.ArrowCursor
        )

    def leaveEvent(self, event: QEvent) -> None:
        """None is pointed at."""
        super().leaveEvent(event)
        self._hover(0)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop the chat, or go to it."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        # Not where the press was elsewhere: the press made its cell the current one.
        if event.button() is Qt.MouseButton.LeftButton and index == self.currentIndex():
            self._activate(index)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with a chat."""
        is_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_key else self.indexAt(event.pos())
        row = self._row(index)
        if row is None:
            return
        menu = self.menu_for(row)
        place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place if is_key else event.globalPos())

    def menu_for(self, row: LedgerRow) -> QMenu:
        """The commands for a chat."""
        menu = QMenu(self)
        go = menu.addAction(icon("chat"), self.tr("Go to the chat"))
        go.setEnabled(bool(row.owner.ref.chat_id))
        go.triggered.connect(lambda: self._go(row))
        stop = menu.addAction(icon("stop"), self.tr("Stop"))
        stop.setEnabled(bool(row.owner.requests))
        stop.triggered.connect(lambda: self._stop(row))
        return menu

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.viewport().update()
            self.row_hovered.emit(number)

    @property
    def current_cell(self) -> tuple[int, int]:
        """Where the keyboard is; (-1, -1): elsewhere."""
        index = self.currentIndex()
        return (index.row(), index.column()) if self.hasFocus() else (-1, -1)

    def elided(self, text: str, width: int) -> str:
        """A text as there is room for it; each is measured once."""
        found = self._elided.get((text, width))
        if found is None:
            if len(self._elided) > _MOST_ELIDED:
                self._elided.clear()
            found = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
            self._elided[text, width] = found
        return found

    @property
    def hovered(self) -> int:
        """The number of the chat that is pointed at; 0: none."""
        return self._hovered

    # The keyboard.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does what a click does; Delete stops."""
        self._touched = time.monotonic()
        key = event.key()
        row = self._row(self.currentIndex())
        if row is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._activate(self.currentIndex())
        elif row is not None and key == Qt.Key.Key_Delete:
            self._stop(row)
        else:
            super().keyPressEvent(event)

    def _row(self, index: QModelIndex) -> LedgerRow | None:
        return index.data(ROW_ROLE) if index.isValid() else None

    def _leads(self, row: LedgerRow, index: QModelIndex) -> bool:
        if index.column() == Column.STOP:
            return bool(row.owner.requests)
        return bool(row.owner.ref.chat_id)

    def _activate(self, index: QModelIndex) -> None:
        row = self._row(index)
        if row is None:
            return
        if index.column() == Column.STOP:
            self._stop(row)
        else:
            self._go(row)

    def _go(self, row: LedgerRow) -> None:
        if row.owner.ref.chat_id:
            self.chat_activated.emit(row.owner.ref.chat_id)

    def _stop(self, row: LedgerRow) -> None:
        if row.owner.requests:
            self.stop_requested.emit(row.owner.requests)
