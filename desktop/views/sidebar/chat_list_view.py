"""The list in the sidebar: keys, drags, and a place that is kept when the rows change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QListView, QWidget

from desktop.models.lists.chat_list_model import ChatListModel
from desktop.models.lists.chat_list_rows import Row, RowKind
from desktop.views.sidebar.chat_list_delegate import ChatDelegate

_Index = QModelIndex | QPersistentModelIndex
_Key = tuple[RowKind, str, bool]


class ChatListView(QListView):
    """See the module.

    Signals:
        opened: id of a chat that was clicked, or chosen with Enter.
        rename_pressed: F2.
        delete_pressed: Delete.
        left_top: Up in the first row.
    """

    opened = Signal(str)
    rename_pressed = Signal()
    delete_pressed = Signal()
    left_top = Signal()

    def __init__(self, model: ChatListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kept: tuple[set[_Key], _Key | None, int, int] = (set(), None, -1, 0)
        self.setModel(model)
        self.setItemDelegate(ChatDelegate(self))
        self.setUniformItemSizes(True)
        self.setStyleSheet("QListView { border: none; }")  # rows show the focus
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.setDragDropOverwriteMode(True)  # chats are dropped onto rows, never between
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setAccessibleName(self.tr("Chats"))
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)

    # --- what is chosen -------------------------------------------------------------

    def current_row(self) -> Row | None:
        """The row that the keyboard is at."""
        return self._model.row_at(self.currentIndex().row())

    def selected_ids(self) -> list[str]:
        """Ids of the chosen chats, from the top."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        found = (self._model.row_at(row) for row in rows)
        return [row.chat_id for row in found if row is not None and row.chat_id]

    def go_to(self, row: int | None) -> None:
        """Choose one row, or none."""
        if row is None:
            self.clearSelection()
        else:
            # Not the view's own: that adds to what is chosen while Ctrl is held, as for Ctrl+W.
            self.selectionModel().setCurrentIndex(
                self._model.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    def enter(self) -> None:
        """Take the focus; at the first row if none is chosen."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.currentIndex().isValid():
            self.go_to(self._near(0))

    # --- Qt --------------------------------------------------------------------------

    def dataChanged(
        self,
        topLeft: _Index,  # noqa: N803
        bottomRight: _Index,  # noqa: N803
        roles: Sequence[int] = (),
    ) -> None:
        """Paint the rows again, and no more: Qt would lay out the whole list anew.

        All rows have one height whatever they say.
        """
        del roles
        rect = self.visualRect(topLeft).united(self.visualRect(bottomRight))
        self.viewport().update(rect)

    def event(self, event: QEvent) -> bool:
        """F2 and Delete mean the row here, not the chat of the tab in front."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete)
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
            and self.current_row() is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2, Delete, Left and Right for folders, Up at the top."""
        row = self.current_row()
        match event.key():
            case Qt.Key.Key_F2 if row is not None:
                self.rename_pressed.emit()
            case Qt.Key.Key_Delete if row is not None:
                self.delete_pressed.emit()
            case Qt.Key.Key_Left | Qt.Key.Key_Right if row is not None:
                self._fold(row, is_open=event.key() == Qt.Key.Key_Right)
            case Qt.Key.Key_Up if self.currentIndex().row() == self._near(0):
                self.left_top.emit()
            case _:
                super().keyPressEvent(event)

    # --- inside -----------------------------------------------------------------------

    def _fold(self, row: Row, *, is_open: bool) -> None:
        place = self.currentIndex().row()
        if row.kind in (RowKind.FOLDER, RowKind.ARCHIVE):
            if row.is_open is not is_open:
                self._model.set_open(place, is_open)
            return
        if row.inside and not is_open:  # from a chat to the folder that it stands in
            while place > 0 and (above := self._model.row_at(place)) is not None:
                if above.kind in (RowKind.FOLDER, RowKind.ARCHIVE):
                    self.go_to(place)
                    return
                place -= 1

    def _on_clicked(self, index: QModelIndex) -> None:
        several = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if not QGuiApplication.keyboardModifiers() & several:
            self._on_activated(index)

    def _on_activated(self, index: QModelIndex) -> None:
        row = self._model.row_at(index.row())
        if row is None:
            return
        if row.chat_id:
            self.opened.emit(row.chat_id)
        elif row.kind is not RowKind.HEADING:
            self._model.set_open(index.row(), not row.is_open)

    def _keep(self) -> None:
        current = self.current_row()
        rows = (self._model.row_at(index.row()) for index in self.selectedIndexes())
        self._kept = (
            {row.key for row in rows if row is not None},
            current.key if current is not None else None,
            self.currentIndex().row(),
            self.verticalScrollBar().value(),
        )

    def _restore(self) -> None:
        """Choose what was chosen; where the row is gone, the keyboard goes to its neighbour."""
        selected, current, place, scrolled = self._kept
        chooser = self.selectionModel()
        rows = self._model.rows()
        found = {row.key: i for i, row in enumerate(rows)} if selected or current else {}
        for key in selected & found.keys():
            chooser.select(self._model.index(found[key]), QItemSelectionModel.SelectionFlag.Select)
        where = found.get(current) if current is not None else None
        if where is None and place >= 0:
            where = self._near(place)
        if where is not None:
            chooser.setCurrentIndex(
                self._model.index(where), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        # The list is not scrolled by what changes in it.
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(scrolled)

    def _near(self, place: int) -> int | None:
        """The row nearest to a place that can be chosen; below it first."""
        rows = self._model.rows()
        after = range(min(place, len(rows)), len(rows))
        before = range(min(place, len(rows)) - 1, -1, -1)
        choosable = (row for row in (*after, *before) if rows[row].kind is not RowKind.HEADING)
        return next(choosable, None)
