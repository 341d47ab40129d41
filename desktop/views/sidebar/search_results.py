"""The list of what a search found."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView, QWidget

from desktop.chats.search import SearchHit
from desktop.models.lists.search_model import HitKind, HitRole, SearchModel
from desktop.views.sidebar.search_delegate import SearchDelegate


class SearchResults(QListView):
    """See the module.

    Signals:
        hit_chosen: the `SearchHit` that was clicked, or chosen with Enter.
        more_wanted: show more messages.
        left_top: Up in the first row.
        cleared: Esc.
        typed: a sign that belongs to the field.
    """

    hit_chosen = Signal(object)
    more_wanted = Signal()
    left_top = Signal()
    cleared = Signal()
    typed = Signal(str)

    def __init__(self, model: SearchModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kept: SearchHit | None = None
        self.setModel(model)
        self.setItemDelegate(SearchDelegate(self))
        self.setStyleSheet("QListView { border: none; }")  # rows show the focus
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(self.tr("Results of the search"))
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)

    def enter(self) -> bool:
        """Take the focus, at the first hit. False if there is none."""
        if not self.currentIndex().isValid():
            first = self._model.first_hit()
            if first is None:
                return False
            self.setCurrentIndex(self._model.index(first))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up at the top and letters go to the field; Esc ends the search."""
        first = self._model.first_hit()
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() in (-1, first):
            self.left_top.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.cleared.emit()
        elif event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        hit = index.data(HitRole.HIT)
        if hit is not None:
            self.hit_chosen.emit(hit)
            return
        match index.data(HitRole.KIND):
            case HitKind.MORE:
                self.more_wanted.emit()
            case HitKind.MORE_TITLES:
                self._model.show_all_titles()
                self.setCurrentIndex(self._model.index(index.row()))

    def _keep(self) -> None:
        self._kept = self._model.hit_at(self.currentIndex().row())

    def _restore(self) -> None:
        """Stay at the hit where one was; a new search begins at its top."""
        kept = self._kept
        for row in range(self._model.rowCount()) if kept is not None else ():
            hit = self._model.hit_at(row)
            if hit is not None and kept is not None and _same(hit, kept):
                self.setCurrentIndex(self._model.index(row))
                return
        self.scrollToTop()


def _same(one: SearchHit, other: SearchHit) -> bool:
    return (one.chat_id, one.message_id) == (other.chat_id, other.message_id)
