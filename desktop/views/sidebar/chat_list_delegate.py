"""Paints the rows of the sidebar's list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.models.lists.chat_list_model import ChatRole
from desktop.models.lists.chat_list_rows import Row, RowKind
from desktop.models.session.session_state import SessionState
from desktop.views.icons import icon

ROW_HEIGHT = 32
ICON_SIZE = 16
_Index = QModelIndex | QPersistentModelIndex


class ChatDelegate(QStyledItemDelegate):
    """Headings small and quiet, chats with their state in a word at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all rows, so that a long list need not be measured."""
        del index
        height = max(ROW_HEIGHT, option.fontMetrics.height() + theme.current().space.m)
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        row: Row | None = index.data(ChatRole.ROW)
        if row is None:
            return
        painter.save()
        if row.kind is RowKind.HEADING:
            _paint_heading(painter, option.rect, row.text)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_ground(painter, option)
            if row.kind is RowKind.CHAT:
                self._paint_chat(painter, option, index, row)
            else:
                self._paint_container(painter, option, row)
        painter.restore()

    def _paint_chat(
        self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, row: Row
    ) -> None:
        look = theme.current()
        space = look.space
        indent = space.s + (space.m if row.inside else 0)
        area = option.rect.adjusted(indent, 0, -space.s, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        word = index.data(ChatRole.STATE_TEXT)
        if word:
            state = index.data(ChatRole.STATE)
            troubled = state in (SessionState.FAILED, SessionState.INTERRUPTED)
            painter.setFont(look.text_font(look.small))
            painter.setPen(look.colour("warning" if troubled else "accent"))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, word)
            area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(word) - space.s)
        painter.setFont(look.text_font())
        painter.setPen(look.colour("text"))
        _draw_title(painter, area, row.text)

    def _paint_container(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        look = theme.current()
        space = look.space
        area = option.rect.adjusted(space.xs, 0, -space.s, 0)
        mark = QRect(area.left(), area.center().y() - ICON_SIZE // 2, ICON_SIZE, ICON_SIZE)
        sign = "unfolded" if row.is_open else "right"
        icon(sign, "muted").paint(painter, mark)
        mark.translate(ICON_SIZE + space.xs, 0)
        icon("folder" if row.kind is RowKind.FOLDER else "archive", "muted").paint(painter, mark)
        area.setLeft(mark.right() + space.s)
        count = option.locale.toString(row.size)
        painter.setFont(look.figure_font())
        painter.setPen(look.colour("muted"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | middle, count)
        area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(count) - space.s)
        painter.setFont(look.text_font())
        painter.setPen(look.colour("text"))
        _draw_title(painter, area, row.text)


def paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """The ground of a row that is chosen, pointed at, or has the focus."""
    # Late: this class alone takes 4 ms to come, and the first paint shows no row.
    from PySide6.QtWidgets import QStyle

    look = theme.current()
    selected = bool(option.state & QStyle.StateFlag.State_Selected)
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    if selected or hovered or focused:
        painter.setBrush(look.colour("accent_soft" if selected else "hover"))
        pen = QPen(look.colour("accent"), look.ring) if focused else QPen(Qt.PenStyle.NoPen)
        if look.ring > 1 and not focused:  # high contrast: no ground is told by its shade alone
            pen = QPen(look.colour("mark"))
        painter.setPen(pen)
        half = look.ring / 2
        ground = option.rect.toRectF().adjusted(half, half + 1, -half, -half - 1)
        painter.drawRoundedRect(ground, look.radius_small, look.radius_small)


def _paint_heading(painter: QPainter, rect: QRect, text: str) -> None:
    look = theme.current()
    space = look.space
    painter.setFont(look.text_font(look.small, QFont.Weight.Medium))
    painter.setPen(look.colour("muted"))
    area = rect.adjusted(space.s, 0, -space.s, -space.xs)
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)


def _draw_title(painter: QPainter, area: QRect, text: str) -> None:
    """On one line, cut with an ellipsis; read in its own direction, but always at the left."""
    shown = painter.fontMetrics().elidedText(
        " ".join(text.split()), Qt.TextElideMode.ElideRight, area.width()
    )
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    painter.drawText(
        area, flags | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown
    )
