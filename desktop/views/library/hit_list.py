"""The list of the hub's models: only what is seen is painted, and only that is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QListView, QWidget

from desktop import theme
from desktop.models.library.discover_model import DiscoverModel
from desktop.views.library.hit_delegate import NARROW, HitDelegate
from desktop.views.library.long_list import LongList
from desktop.views.library.widths import at_size

if TYPE_CHECKING:
    from engine.store.hub.messages import Hit


class HitList(LongList):
    """See the module.

    Signals:
        chosen: the `Hit` that was clicked, or chosen with Enter.
        seen: the models that are in sight: a list of `Hit`.
        left_top: Up in the first row.
        cleared: Esc.
        typed: a sign that belongs to the field.
    """

    chosen = Signal(object)
    seen = Signal(object)
    left_top = Signal()
    cleared = Signal()
    typed = Signal(str)

    def __init__(self, model: DiscoverModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits = model
        self._delegate = HitDelegate(self)
        self._said: list[str] = []
        self._unfolds = False  # the press under way
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setStyleSheet("QListView { border: none; }")  # rows show the focus
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setAccessibleName(name)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.verticalScrollBar().valueChanged.connect(self.tell_seen)
        model.row_changed.connect(self._on_row)
        model.modelAboutToBeReset.connect(self._on_about_to_reset)
        model.modelReset.connect(self._on_reset)
        # Queued: what is in sight is known when the rows are laid out, and the view lays them out
        # once, after the last change. Asked for at once it would do so for each.
        model.rowsInserted.connect(self.tell_seen, Qt.ConnectionType.QueuedConnection)
        model.rowsRemoved.connect(self.tell_seen, Qt.ConnectionType.QueuedConnection)
        theme.notifier().changed.connect(self._on_theme)
        self.setUniformItemSizes(not model.is_starter)

    def enter(self) -> bool:
        """Take the focus, at the first model. False if there is none."""
        if not self.currentIndex().isValid():
            first = self._hits.first_model()
            if first is None:
                return False
            self.setCurrentIndex(self._hits.index(first))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def tell_seen(self, *_ignored: object) -> None:
        """Say what is in sight, where that is something else than before."""
        if not self.isVisible():
            return
        hits = self.hits_in_sight()
        repos = [hit.repo for hit in hits]
        if repos != self._said:
            self._said = repos
            self.seen.emit(hits)

    def hits_in_sight(self) -> list[Hit]:
        """The models that are in sight, from the top."""
        view = self.viewport().rect()
        first = self.indexAt(QPoint(view.left() + 1, view.top() + 1))
        last = self.indexAt(QPoint(view.left() + 1, view.bottom() - 1))
        end = last.row() if last.isValid() else self._hits.rowCount() - 1
        start = max(0, first.row())
        return self._hits.hits_in(start, end) + self._hits.builds_behind(start, end)

    def forget_seen(self) -> None:
        """What was said of them does not hold any more: say it again."""
        self._said = []
        self.tell_seen()

    # --- Qt ----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Right unfolds builds, Left folds them; Up at the top and letters go to the field."""
        number = self.currentIndex().row()
        row = self._hits.row_at(number)
        key = event.key()
        if key == Qt.Key.Key_Up and number in (-1, self._hits.first_model()):
            self.left_top.emit()
        elif key == Qt.Key.Key_Escape:
            self.cleared.emit()
        elif key == Qt.Key.Key_Right and row is not None and row.children and not row.is_open:
            self._hits.set_open(number, is_open=True)
        elif key == Qt.Key.Key_Left and row is not None and (row.level or row.is_open):
            lead = number
            while lead > 0 and self._level(lead):
                lead -= 1
            self._hits.set_open(lead, is_open=False)
            self.setCurrentIndex(self._hits.index(lead))
        elif event.text().isprintable() and event.text().strip():
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The sign that unfolds does that, and chooses nothing."""
        point = event.position().toPoint()
        index = self.indexAt(point)
        row = self._hits.row_at(index.row())
        self._unfolds = (
            event.button() is Qt.MouseButton.LeftButton
            and row is not None
            and bool(row.children)
            and not row.level
            and self._delegate.fold_rect(self.visualRect(index)).contains(point)
        )
        if self._unfolds:
            self._hits.toggle(index.row())
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """See `mousePressEvent`."""
        if self._unfolds:
            self._unfolds = False
        else:
            super().mouseReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the rows' form changes, so does their height."""
        narrow = at_size(NARROW)
        if (event.size().width() < narrow) != (event.oldSize().width() < narrow):
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)
        self.tell_seen()

    def showEvent(self, event: QShowEvent) -> None:
        """It may have been filled while it was hidden."""
        super().showEvent(event)
        self.forget_seen()

    # --- inside ------------------------------------------------------------------------

    def _level(self, number: int) -> int:
        row = self._hits.row_at(number)
        return row.level if row is not None else 0

    def _choose(self, index: QModelIndex) -> None:
        hit = self._hits.hit_at(index.row())
        if hit is not None:
            self.chosen.emit(hit)

    def _on_row(self, number: int) -> None:
        if number < 0:
            self.viewport().update()
        else:
            self.update(self._hits.index(number))

    def _on_about_to_reset(self) -> None:
        self._said = []

    def _on_reset(self) -> None:
        # The starter list has headings, which are lower; all else has rows of one height.
        self.setUniformItemSizes(not self._hits.is_starter)
        self.scrollToTop()
        self.tell_seen()

    def _on_theme(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
