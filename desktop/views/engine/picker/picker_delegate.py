"""Paints the picker's rows: the state's mark, the name, its state; below, what it is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.models.library.fit_book import NO
from desktop.models.library.picker_model import (
    PickerRole,
    PickerRow,
    RowKind,
    second_line,
    state_of,
)
from desktop.views.composing.model_button import DOT, state_icon
from desktop.views.found_text import draw_found
from desktop.views.icons import icon
from desktop.views.sidebar.chat_list_delegate import paint_ground

ICON_SIZE: Final = 16
_ICONS: Final = {RowKind.FIND: "discover", RowKind.FOLDER: "folder", RowKind.FILE: "file"}
_Index = QModelIndex | QPersistentModelIndex


class PickerDelegate(QStyledItemDelegate):
    """See the module. All rows have one height, so that three hundred need not be measured."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Two lines."""
        del option, index
        look = theme.current()
        name = QFontMetrics(look.text_font()).height()
        facts = QFontMetrics(look.text_font(look.small)).height()
        return QSize(0, name + facts + 2 * look.space.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        row = index.data(PickerRole.ROW)
        if not isinstance(row, PickerRow):
            return
        space = theme.current().space
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option)
        if row.kind is RowKind.FIND and index.row():
            _paint_rule(painter, option.rect)
        area = option.rect.adjusted(space.s, space.s, -space.s, -space.s)
        name = QFontMetrics(theme.current().text_font()).height()
        top = QRect(area.left(), area.top(), area.width(), name)
        if row.kind is not RowKind.MODEL:
            top.moveTop(area.top() + (area.height() - name) // 2)
        _paint_mark(painter, QRect(top.left(), top.top(), ICON_SIZE, name), row)
        top.setLeft(top.left() + ICON_SIZE + space.s)
        below = QRect(top.left(), top.bottom() + 1, top.width(), area.bottom() - top.bottom())
        self._paint_state(painter, top, row)
        draw_found(painter, top, row.name, set(index.data(PickerRole.PLACES) or ()))
        self._paint_facts(painter, below, row)
        painter.restore()

    def _paint_state(self, painter: QPainter, area: QRect, row: PickerRow) -> None:
        """At the right; the name has what is left."""
        look = theme.current()
        painter.setFont(look.figure_font())
        painter.setPen(look.colour("accent" if row.is_current else "muted"))
        _paint_right(painter, area, state_of(row))

    def _paint_facts(self, painter: QPainter, area: QRect, row: PickerRow) -> None:
        """What it is gives way to whether it fits."""
        look = theme.current()
        facts, fit = second_line(row)
        too_big = row.fit is not None and row.fit.in_place.fits == NO
        painter.setFont(look.figure_font())
        painter.setPen(look.colour("warning" if too_big else "muted"))
        _paint_right(painter, area, fit)
        painter.setPen(look.colour("warning" if row.problem else "muted"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        shown = painter.fontMetrics().elidedText(
            " ".join(facts.split()), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, flags | Qt.TextFlag.TextSingleLine, shown)


def _paint_right(painter: QPainter, area: QRect, words: str) -> None:
    """Draw `words` at the right, and take their room from `area`."""
    if words:
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, flags | Qt.TextFlag.TextSingleLine, words)
        wide = painter.fontMetrics().horizontalAdvance(words)
        area.setRight(area.right() - wide - theme.current().space.m)


def _paint_mark(painter: QPainter, area: QRect, row: PickerRow) -> None:
    """The engine's state as the model button has it; a warning; the command's sign."""
    edge = ICON_SIZE
    box = QRect(area.left(), area.center().y() - edge // 2 + 1, edge, edge)
    if row.kind is not RowKind.MODEL:
        icon(_ICONS[row.kind], "muted").paint(painter, box)
    elif row.engine is not None:
        dot = QRect(0, 0, DOT, DOT)
        dot.moveCenter(box.center())
        state_icon(row.engine.view).paint(painter, dot)
    elif row.problem:
        icon("warning", "warning").paint(painter, box)


def _paint_rule(painter: QPainter, rect: QRect) -> None:
    look = theme.current()
    painter.setPen(look.colour("line"))
    painter.drawLine(
        rect.left() + look.space.s, rect.top(), rect.right() - look.space.s, rect.top()
    )
