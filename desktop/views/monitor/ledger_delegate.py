"""Paints the ledger's cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.models.monitor.ledger import LedgerRow, State
from desktop.models.monitor.ledger_model import TEXTS, Column
from desktop.views.icons import icon
from desktop.views.monitor.chat_badge import paint_badge

if TYPE_CHECKING:
    from desktop.views.monitor.ledger_view import LedgerView

Index = QModelIndex | QPersistentModelIndex
_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class LedgerDelegate(QStyledItemDelegate):
    """Paints cells without the style: a hundred of them four times a second."""

    def __init__(self, view: LedgerView) -> None:
        super().__init__(view)
        self._view = view
        self._stop = icon("stop", "muted")
        self._stop_now = icon("stop", "danger")
        theme.notifier().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take the theme's colours, once for all cells."""
        self._look = look = theme.current()
        self._text = look.colour("text")
        self._muted = look.colour("muted")
        self._warning = look.colour("warning")
        self._chosen = look.colour("accent_soft")
        self._hover = look.colour("hover")
        self._ring = QPen(look.colour("mark" if look.ring > 1 else "accent"), look.ring)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell."""
        view = self._view
        row = view.ledger.row(index.row())
        column = index.column()
        place: QRect = option.rect
        is_hovered = row.owner.number == view.hovered
        current = view.current_cell  # (-1, -1) without the focus
        if index.row() == current[0]:
            painter.fillRect(place, self._chosen)
        elif is_hovered:
            painter.fillRect(place, self._hover)
        is_current = (index.row(), column) == current
        if column == Column.STOP:
            if row.owner.requests:
                edge = min(place.height(), place.width()) - 2
                spot = QRect(QPoint(0, 0), QSize(edge, edge))
                spot.moveCenter(place.center())
                (self._stop_now if is_hovered or is_current else self._stop).paint(painter, spot)
        else:
            self._paint_text(painter, place, row, Column(column))
        if is_current:
            painter.setPen(self._ring)
            painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_text(self, painter: QPainter, place: QRect, row: LedgerRow, column: Column) -> None:
        space = self._look.space
        view = self._view
        is_over = row.state is State.OVER
        if column is Column.CHAT:
            text = place.adjusted(space.xs, 0, -space.s, 0)
            height = view.fontMetrics().height() + 1
            width = paint_badge(painter, text, row.owner.number, height, is_faint=is_over)
            text.setLeft(text.left() + width + space.xs + 2)
        else:
            text = place.adjusted(space.s, 0, -space.xs if column in TEXTS else -space.s, 0)
        words = view.ledger.text(row, column)
        if is_over or words == "–":
            painter.setPen(self._muted)
        elif column is Column.STATE and row.state is State.SENT_BACK:
            painter.setPen(self._warning)
        else:
            painter.setPen(self._text)
        painter.setFont(view.font())
        if column in TEXTS:
            words = view.elided(words, text.width())
        painter.drawText(text, _LEFT if column in TEXTS else _RIGHT, words)
