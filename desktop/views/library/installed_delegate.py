"""Paints an installed model as a row: what it is at the left, size and state at the right.

All rows have one height, so that a long list need not be measured.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.engine_link.engine_state import Phase
from desktop.models.library.installed_model import FACTS, InstalledRole, InstalledRow
from desktop.views.composing.model_button import DOT, draw_mark
from desktop.views.icons import icon
from desktop.views.library.long_list import LongList
from desktop.views.library.row_text import Face, Inks
from desktop.views.sidebar.chat_list_delegate import paint_ground

_Index = QModelIndex | QPersistentModelIndex
ICON: Final = 16
NARROW: Final = 440  # pixels of a row; below it when the model was used is left out


class InstalledDelegate(QStyledItemDelegate):
    """See the module."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: theme.Theme | None = None  # that the faces are of
        self._inks = Inks(theme.current())
        self._name = self._small = self._figure = Face(QFont())

    def _faces(self) -> theme.Theme:
        look = theme.current()
        if look is not self._look:
            self._look = look
            self._inks = Inks(look)
            self._name = Face(look.text_font(weight=QFont.Weight.Medium))
            self._small = Face(look.text_font(look.small))
            self._figure = Face(look.figure_font())
        return look

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Two lines and some air."""
        del option, index
        look = self._faces()
        lines = self._name.height + self._small.height + look.space.xs
        return QSize(0, lines + 2 * look.space.s + look.space.xs)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        view = option.widget
        if isinstance(view, LongList) and not view.is_due(option.rect):
            return
        row = index.data(InstalledRole.ROW)
        if not isinstance(row, InstalledRow):
            return
        look = self._faces()
        space = look.space
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option)
        area = option.rect.adjusted(space.m, space.s, -space.m, -space.s)
        first = QRect(area)
        first.setHeight(self._name.height)
        second = QRect(area)
        second.setTop(first.bottom() + 1 + space.xs)
        first.setRight(first.right() - self._paint_state(painter, first, row))
        painter.setPen(self._inks["text"])
        title = self._name.fitted(row.title, first.width(), Qt.TextElideMode.ElideMiddle)
        self._name.draw(painter, first, title.text)
        figures = row.size
        if row.used and option.rect.width() >= NARROW:
            figures = " · ".join(part for part in (row.size, row.used) if part)
        painter.setPen(self._inks["muted"])
        taken = self._figure.width(figures)
        self._figure.draw(painter, second.adjusted(second.width() - taken, 0, 0, 0), figures)
        room = second.width() - taken - space.m
        facts = self._small.joined(row.facts.split(FACTS), FACTS, room)
        self._small.draw(painter, second, facts.text)
        painter.restore()

    # --- inside ------------------------------------------------------------------------

    def _paint_state(self, painter: QPainter, area: QRect, row: InstalledRow) -> int:
        """At the right: what is done with it, whether it is loaded, or what is wrong; its width."""
        look = theme.current()
        space = look.space
        if row.work:
            words, colour = row.work, "muted"
        elif row.state:
            words, colour = row.state, "accent" if row.phase is Phase.READY else "muted"
        elif row.problem:
            words, colour = self.tr("Cannot be loaded"), "warning"
        else:
            return 0
        words, width = self._small.fitted(words, area.width() * 3 // 5)
        painter.setPen(self._inks[colour])
        self._small.draw(painter, area.adjusted(area.width() - width, 0, 0, 0), words)
        width += space.xs
        mark = area.right() - width
        if row.work:
            return width + space.s
        if row.state and row.phase is not None:
            painter.save()
            painter.translate(mark - DOT, area.center().y() - DOT // 2)
            draw_mark(painter, row.phase)
            painter.restore()
            return width + DOT + space.m
        icon("warning", "warning").paint(
            painter, QRect(mark - ICON, area.center().y() - ICON // 2, ICON, ICON)
        )
        return width + ICON + space.m
