"""Paints an installed model as a row: what it is at the left, size and state at the right.

All rows have one height, so that a long list need not be measured.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.engine_link.engine_state import Phase
from desktop.models.library.installed_model import FACTS, InstalledRole, InstalledRow
from desktop.views.composing.model_button import DOT, draw_mark
from desktop.views.icons import icon
from desktop.views.sidebar.chat_list_delegate import paint_ground

_Index = QModelIndex | QPersistentModelIndex
ICON: Final = 16
NARROW: Final = 440  # pixels of a row; below it when the model was used is left out
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class InstalledDelegate(QStyledItemDelegate):
    """See the module."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: theme.Theme | None = None  # that the faces are of
        self._name = self._small = self._figure = QFont()
        self._name_metrics = self._small_metrics = self._figure_metrics = QFontMetrics(QFont())

    def _faces(self) -> theme.Theme:
        look = theme.current()
        if look is not self._look:
            self._look = look
            self._name = look.text_font(weight=QFont.Weight.Medium)
            self._small = look.text_font(look.small)
            self._figure = look.figure_font()
            self._name_metrics = QFontMetrics(self._name)
            self._small_metrics = QFontMetrics(self._small)
            self._figure_metrics = QFontMetrics(self._figure)
        return look

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Two lines and some air."""
        del option, index
        look = self._faces()
        lines = self._name_metrics.height() + self._small_metrics.height() + look.space.xs
        return QSize(0, lines + 2 * look.space.s + look.space.xs)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
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
        first.setHeight(self._name_metrics.height())
        second = QRect(area)
        second.setTop(first.bottom() + 1 + space.xs)
        first.setRight(first.right() - self._paint_state(painter, first, row))
        painter.setFont(self._name)
        painter.setPen(look.colour("text"))
        title = self._name_metrics.elidedText(
            row.title, Qt.TextElideMode.ElideMiddle, first.width()
        )
        painter.drawText(first, _LEFT | Qt.TextFlag.TextSingleLine, title)
        figures = row.size
        if row.used and option.rect.width() >= NARROW:
            figures = " · ".join(part for part in (row.size, row.used) if part)
        painter.setFont(self._figure)
        painter.setPen(look.colour("muted"))
        painter.drawText(second, _RIGHT, figures)
        taken = self._figure_metrics.horizontalAdvance(figures)
        second.setRight(second.right() - taken - space.m)
        painter.setFont(self._small)
        facts = self._fitting(row.facts, second.width())
        painter.drawText(second, _LEFT | Qt.TextFlag.TextSingleLine, facts)
        painter.restore()

    # --- inside ------------------------------------------------------------------------

    def _fitting(self, facts: str, room: int) -> str:
        """As many of the facts as there is room for: one cut in the middle reads like another."""
        while self._small_metrics.horizontalAdvance(facts) > room and FACTS in facts:
            facts = facts.rpartition(FACTS)[0]
        return self._small_metrics.elidedText(facts, Qt.TextElideMode.ElideRight, room)

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
        room = max(0, area.width() * 3 // 5)
        words = self._small_metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.setFont(self._small)
        painter.setPen(look.colour(colour))
        painter.drawText(area, _RIGHT, words)
        width = self._small_metrics.horizontalAdvance(words) + space.xs
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
