"""The list of installed models: keys and the mouse say what is wanted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop import theme
from desktop.models.library.installed_model import InstalledList, InstalledRow
from desktop.views.library.installed_delegate import InstalledDelegate
from desktop.views.library.long_list import LongList

_Index = QModelIndex | QPersistentModelIndex


class InstalledView(LongList):
    """See the module.

    Signals:
        chosen: the `InstalledRow` that is current now.
        activated_row: the row on which Enter or a double click came.
        delete_wanted: the row on which Delete came.
        menu_wanted: the row, and the place on the screen.
        typed: letters that are meant for the filter.
    """

    chosen = Signal(object)
    activated_row = Signal(object)
    delete_wanted = Signal(object)
    menu_wanted = Signal(object, QPoint)
    typed = Signal(str)

    def __init__(self, models: InstalledList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._models = models
        self.setAccessibleName(self.tr("Installed models"))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setViewportMargins(space.m, 0, space.xs, 0)
        self.setItemDelegate(InstalledDelegate(self))
        self.setModel(models)
        self.doubleClicked.connect(self._on_double_click)
        theme.notifier().changed.connect(self._on_theme)

    def enter(self) -> None:
        """Take the focus."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.currentIndex().isValid() and self._models.rowCount():
            self.setCurrentIndex(self._models.index(0))

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        """Another model is chosen."""
        super().currentChanged(current, previous)
        row = self._models.row_at(current)
        if row is not None:
            self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter loads, Delete deletes, letters filter; Up leads out at the top."""
        row = self._row()
        text = event.text()
        modifiers = event.modifiers()
        if row is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activated_row.emit(row)
        elif row is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit(row)
        elif (
            text.isprintable()
            and text.strip()
            and not modifiers & ~(Qt.KeyboardModifier.ShiftModifier)
        ):
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """A menu for the row under the mouse, or for the one that is chosen."""
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            index, place = self.indexAt(event.pos()), event.globalPos()
        else:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        row = self._models.row_at(index)
        if row is not None:
            self.setCurrentIndex(index)
            self.menu_wanted.emit(row, place)

    def viewportEvent(self, event: QEvent) -> bool:
        """Nothing is left painted as pointed at when the mouse is gone."""
        if event.type() is QEvent.Type.Leave:
            self.viewport().update()
        return super().viewportEvent(event)

    # --- inside ------------------------------------------------------------------------

    def _row(self) -> InstalledRow | None:
        return self._models.row_at(self.currentIndex())

    def _on_double_click(self, index: QModelIndex) -> None:
        row = self._models.row_at(index)
        if row is not None:
            self.activated_row.emit(row)

    def _on_theme(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
