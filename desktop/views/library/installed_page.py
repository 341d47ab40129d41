"""The library's page of installed models: found by typing, sorted, each with all of its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QHideEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library.installed_deeds import Deed, deeds_for
from desktop.models.library.installed_model import (
    InstalledList,
    InstalledRole,
    InstalledRow,
)
from desktop.models.loading.size_text import size_text
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.views.dialog_parts import push_button
from desktop.views.dropped_model import dropped_model
from desktop.views.icons import icon
from desktop.views.library.installed_desk import InstalledDesk
from desktop.views.library.installed_details import InstalledDetails
from desktop.views.library.installed_head import InstalledHead
from desktop.views.library.installed_view import InstalledView
from desktop.views.library.move_store_dialog import MoveStoreDialog
from desktop.views.library.state_panel import Skeleton, StatePanel
from desktop.views.library.undo_notice import UndoNotice
from desktop.views.library.unfinished_move import UnfinishedMove
from desktop.views.tabs.notice_bar import NoticeBar

if TYPE_CHECKING:
    from desktop.engine_link.engine_pool import EnginePool
    from desktop.models.library.download_desk import DownloadDesk
    from desktop.models.library.shelf import Shelf
    from desktop.paths import Folders
    from engine.store.library.move_journal import MoveState

WIDE: Final = 760  # pixels; below it the details stand under the list
DETAILS_WIDTH: Final = 340


class InstalledPage(QWidget):
    """See the module.

    Signals:
        load_requested, load_beside_requested, unload_requested, settings_requested,
        quantise_requested, convert_requested: the path of a model.
        link_requested: an address to open.
        find_requested: look for a model on the hub.
        folder_added: a folder that is to be looked into, too.
        settings_page_requested: the settings of network and models.
    """

    load_requested = Signal(str)
    load_beside_requested = Signal(str)
    unload_requested = Signal(str)
    settings_requested = Signal(str)
    quantise_requested = Signal(str)
    convert_requested = Signal(str)
    link_requested = Signal(str)
    find_requested = Signal()
    folder_added = Signal(str)
    settings_page_requested = Signal()

    def __init__(
        self,
        shelf: Shelf,
        pool: EnginePool,
        downloads: DownloadDesk,
        folders: Folders,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shelf = shelf
        self._pool = pool
        self._folders = folders
        self._chosen = ""  # path of the model that is shown
        self.models = InstalledList(pool, self)
        self.desk = InstalledDesk(shelf, self.models, downloads, folders.models, self)
        self.setAcceptDrops(True)
        self._build()
        self._connect()
        self._show_bin()
        self._on_models()

    def show_model(self, path: str) -> None:
        """Choose a model in the list, whatever the filter."""
        if self.models.row_of(path) < 0:
            self.filter.clear()
        self._choose(path)

    def import_from(self, source: str) -> None:
        """Take a folder, or a .gguf file, into the library."""
        from desktop.views.library.import_dialog import open_import

        dialog = open_import(source, self._shelf, self._folders, self.window())
        dialog.imported.connect(self._show_soon)
        dialog.load_requested.connect(self.load_requested)
        dialog.folder_added.connect(self.folder_added)

    def move_store(self, begun: MoveState | None = None) -> None:
        """Move all models to another place, or go on with a move that was broken off."""
        self.unfinished.show_state(None)
        dialog = MoveStoreDialog(self._folders.models, self._shelf, self.window(), begun=begun)
        dialog.show()
        dialog.finished.connect(lambda _code: self.unfinished.look())

    def close_work(self) -> None:
        """The program ends."""
        self.desk.close()

    # --- building ----------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.head = InstalledHead()
        self.filter = self.head.filter
        self.problems, self.notice = NoticeBar(), UndoNotice()
        bars = QVBoxLayout()
        bars.setContentsMargins(space.xl, 0, space.xl, 0)
        bars.setSpacing(space.s)
        self.unfinished = UnfinishedMove(self._folders.models)
        bars.addWidget(self.unfinished)
        bars.addWidget(self.problems)
        bars.addWidget(self.notice)
        self.view = InstalledView(self.models)
        self.details = InstalledDetails()
        self.body = QSplitter(Qt.Orientation.Horizontal)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(self.view)
        self.body.addWidget(self.details)
        self.body.setStretchFactor(0, 1)
        self.empty = StatePanel()
        self.waiting = Skeleton(self.tr("Looking for models…"))
        self.bin_button = push_button("", self._open_bin, "quiet")
        self.bin_button.setIcon(icon("trash", "muted"))
        foot = QHBoxLayout()
        foot.setContentsMargins(space.l, 0, space.l, space.xs)
        foot.addWidget(self.bin_button)
        foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space.xs)
        layout.addWidget(self.head)
        layout.addLayout(bars)
        layout.addWidget(self.body, 1)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self.waiting, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self._shelf.changed.connect(lambda _models: self._on_models())
        self._shelf.failed.connect(self.notice.warn)
        self.filter.textChanged.connect(self._on_filter)
        self.filter.cleared.connect(self.filter.clear)
        self.filter.left.connect(self.view.enter)
        self.filter.returnPressed.connect(self.view.enter)
        head = self.head
        head.sort_chosen.connect(self.models.set_sort)
        head.find_requested.connect(self.find_requested)
        head.import_requested.connect(self.import_from)
        head.folder_added.connect(self.folder_added)
        head.move_requested.connect(lambda: self.move_store())
        self.unfinished.go_on_wanted.connect(self.move_store)
        head.settings_requested.connect(self.settings_page_requested)
        self.view.chosen.connect(self._show_row)
        self.view.activated_row.connect(self._on_activated)
        self.view.delete_wanted.connect(lambda row: self._do_if_possible(Deed.DELETE, row))
        self.view.menu_wanted.connect(self._open_menu)
        self.view.typed.connect(self.filter.type_on)
        self.details.wanted.connect(self._do)
        self.models.dataChanged.connect(lambda *_which: self._refresh_row())
        self.models.modelReset.connect(self._after_reset)
        self.empty.other_chosen.connect(self._on_empty_button)
        desk = self.desk
        desk.said.connect(self.notice.say)
        self.notice.undone.connect(lambda: self.view.setFocus(Qt.FocusReason.OtherFocusReason))
        desk.warned.connect(self.notice.warn)
        desk.bin_changed.connect(self._show_bin)
        desk.work.changed.connect(self._refresh_row)
        for name in (
            "load_requested",
            "load_beside_requested",
            "unload_requested",
            "settings_requested",
            "quantise_requested",
            "convert_requested",
            "link_requested",
        ):
            getattr(desk, name).connect(getattr(self, name))
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.filter.setFocus)
        refresh = QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self)
        refresh.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        refresh.activated.connect(self._shelf.refresh)

    # --- Qt ----------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """What changes on the disk is seen while it is shown."""
        super().showEvent(event)
        self._shelf.watch(True)
        self.desk.look_into_bin()
        if self.window().findChild(MoveStoreDialog) is None:  # which may be at it now
            self.unfinished.look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._shelf.watch(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The details stand beside the list, or under it."""
        super().resizeEvent(event)
        self._turn()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A folder or a .gguf file may be dropped here."""
        if dropped_model(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the model into the library."""
        source = dropped_model(event.mimeData())
        if source is not None:
            event.acceptProposedAction()
            self.import_from(str(source))

    # --- the list ----------------------------------------------------------------------

    def _turn(self) -> None:
        beside = max(DETAILS_WIDTH, self.details.least_width())
        wide = self.width() >= max(WIDE, 2 * beside)
        self.details.setMinimumWidth(beside if wide else 0)
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.body.orientation() is not orientation or not any(self.body.sizes()):
            self.body.setOrientation(orientation)
            whole = self.width() if wide else self.body.height() or self.height()
            details = beside if wide else whole // 2
            self.body.setSizes([whole - details, details])

    def _on_models(self) -> None:
        self.models.set_models(self._shelf.models)
        problems = " ".join(problem.text for problem in self._shelf.problems)
        if problems != self.problems.notice.text:
            level = NoticeLevel.WARNING
            self.problems.show_notice(Notice(level, problems) if problems else NO_NOTICE)
        self._update()
        if not self._chosen and self.models.rowCount():
            self._choose(self.models.index(0).data(InstalledRole.PATH))

    def _on_filter(self, text: str) -> None:
        self.models.set_filter(text)
        self._update()

    def _after_reset(self) -> None:
        """The same model stays chosen; else the first one that is shown is."""
        if self.models.row_of(self._chosen) >= 0:
            self._choose(self._chosen)
        elif self.models.rowCount():
            self._choose(self.models.index(0).data(InstalledRole.PATH))
        self._update()

    def _show_soon(self, path: str) -> None:
        """Choose a model that the next scan finds."""
        self._chosen = path
        self.show_model(path)

    def _choose(self, path: str) -> None:
        row = self.models.row_of(path)
        if row >= 0:
            self.view.setCurrentIndex(self.models.index(row))
            self.view.scrollTo(self.models.index(row))

    def _update(self) -> None:
        everything, count = self.models.models(), self.models.rowCount()
        is_read = self._shelf.is_read
        self.head.show_count(count, everything)
        self.waiting.setVisible(not is_read)
        self.body.setVisible(is_read and count > 0)
        self.empty.setVisible(is_read and count == 0)
        if is_read and not everything:
            self.empty.show_words(
                "shelf",
                self.tr("No model is installed yet"),
                self.tr(
                    "Find one that fits this machine, or drop a model's folder or a .gguf file "
                    "here."
                ),
                self.tr("Find a model…"),
            )
        elif is_read and count == 0:
            self.empty.show_words(
                "search",
                self.tr("No installed model is like this"),
                self.tr("Names, formats, licences and places are searched."),
                self.tr("Show all"),
            )

    def _on_empty_button(self) -> None:
        if self.models.models():
            self.filter.clear()
            self.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.find_requested.emit()

    # --- the model that is chosen ------------------------------------------------------

    def _deeds(self, row: InstalledRow) -> tuple[Deed, ...]:
        return deeds_for(
            row,
            can_beside=self._pool.can_open,
            is_verified_now=self.desk.work.verification(row.model.path) is not None,
        )

    def _show_row(self, row: InstalledRow) -> None:
        self._chosen = row.model.path
        task = self.desk.work.verification(self._chosen)
        progress = task.progress if task is not None else None
        self.details.show_row(row, self._deeds(row), progress)

    def _refresh_row(self) -> None:
        row = self.models.row_for(self._chosen)
        if row is not None:
            self._show_row(row)

    def _do(self, deed: Deed) -> None:
        if self.details.row is not None:
            self.desk.do(deed, self.details.row)

    def _do_if_possible(self, deed: Deed, row: InstalledRow) -> None:
        if deed in self._deeds(row):
            self.desk.do(deed, row)

    def _on_activated(self, row: InstalledRow) -> None:
        """Enter, or a double click: load it; where that cannot be, say why."""
        if Deed.LOAD in self._deeds(row):
            self.desk.do(Deed.LOAD, row)
        elif row.problem:
            self.notice.warn(row.problem)

    def _open_menu(self, row: InstalledRow, place: QPoint) -> None:
        self._show_row(row)
        self.details.menu(self._deeds(row), self).popup(place)

    # --- the bin -----------------------------------------------------------------------

    def _show_bin(self) -> None:
        entries = self.desk.bin
        size = size_text(sum(entry.frees for entry in entries))
        text = self.tr("%n model(s) in the bin · {size}", "", len(entries)).format(size=size)
        self.bin_button.setText(text)
        self.bin_button.setAccessibleName(text)
        self.bin_button.setVisible(bool(entries))

    def _open_bin(self) -> None:
        from desktop.views.library.model_bin_dialog import ModelBinDialog

        ModelBinDialog(self.desk, self.window()).open()
