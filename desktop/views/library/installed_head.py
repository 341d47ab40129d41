"""The head of the installed models: how many there are, the filter, the order, what is added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.library import installed_words as words
from desktop.models.library.installed_model import SortBy
from desktop.views.dialog_parts import plain_label
from desktop.views.icons import icon
from desktop.views.sidebar.search_field import SearchField

if TYPE_CHECKING:
    from engine.store.library.records import InstalledModel

FILTER_WIDTH = 360
LEAST_FILTER = 120


class InstalledHead(QWidget):
    """See the module.

    Signals:
        sort_chosen: a `SortBy`.
        find_requested: look for a model on the hub.
        import_requested: a folder or a .gguf file to take into the library.
        folder_added: a folder that is to be looked into, too.
        move_requested: the store is to be moved.
        settings_requested: the settings of network and models.
    """

    sort_chosen = Signal(object)
    find_requested = Signal()
    import_requested = Signal(str)
    folder_added = Signal(str)
    move_requested = Signal()
    settings_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.title = QLabel(self.tr("Installed models"))
        self.title.setProperty("role", "title")
        self.count = plain_label(role="muted")
        self.filter = SearchField()
        self.filter.setPlaceholderText(self.tr("Filter by name, format, licence…"))
        self.filter.setAccessibleName(self.tr("Filter the installed models"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(LEAST_FILTER)
        self.filter.setMaximumWidth(FILTER_WIDTH)
        self.sort = QComboBox()
        self.sort.setAccessibleName(self.tr("Order of the models"))
        for by, label in (
            (SortBy.USED, self.tr("Last used first")),
            (SortBy.NAME, self.tr("By name")),
            (SortBy.SIZE, self.tr("Largest first")),
            (SortBy.CONTEXT, self.tr("Longest context first")),
            (SortBy.FORMAT, self.tr("By format")),
        ):
            self.sort.addItem(label, by)
        self.sort.activated.connect(
            lambda _index: self.sort_chosen.emit(SortBy(self.sort.currentData()))
        )
        self.add = QPushButton(self.tr("Add"))
        self.add.setIcon(icon("plus"))
        self.add.setAccessibleName(self.tr("Add models"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(lambda _checked=False: self._open_add())
        tools = QHBoxLayout()
        tools.setSpacing(space.s)
        tools.addWidget(self.filter, 1000)  # as wide as it may be
        tools.addWidget(self.sort)
        tools.addWidget(self.add)
        tools.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.xl, space.l, space.xl, space.s)
        layout.setSpacing(space.xs)
        layout.addWidget(self.title)
        layout.addWidget(self.count)
        layout.addSpacing(space.xs)
        layout.addLayout(tools)

    def show_count(self, shown: int, models: Sequence[InstalledModel]) -> None:
        """So many of all models are shown."""
        self.count.setText(words.count_text(shown, models) if models else "")
        for tool in (self.filter, self.sort):
            tool.setEnabled(bool(models))

    def menu(self) -> QMenu:
        """The ways to add models, and where they lie."""
        menu = QMenu(self.add)
        menu.setAccessibleName(self.tr("Add models"))
        menu.aboutToHide.connect(menu.deleteLater)
        entries: tuple[tuple[str, Callable[[], object]] | None, ...] = (
            (self.tr("Find on the hub…"), self.find_requested.emit),
            (self.tr("Import a folder…"), lambda: self._ask(self.import_requested.emit)),
            (
                self.tr("Import a GGUF file…"),
                lambda: self._ask(self.import_requested.emit, is_file=True),
            ),
            (
                self.tr("Look into another folder, too…"),
                lambda: self._ask(self.folder_added.emit),
            ),
            None,
            (self.tr("Move the models to another disk…"), self.move_requested.emit),
            (self.tr("Network and models…"), self.settings_requested.emit),
        )
        for entry in entries:
            if entry is None:
                menu.addSeparator()
                continue
            label, slot = entry
            menu.addAction(label).triggered.connect(lambda _checked=False, slot=slot: slot())
        return menu

    # --- inside ------------------------------------------------------------------------

    def _open_add(self) -> None:
        self.menu().popup(self.add.mapToGlobal(self.add.rect().bottomLeft()))

    def _ask(self, then: Callable[[str], object], *, is_file: bool = False) -> None:
        title = self.tr("Choose a GGUF file") if is_file else self.tr("Choose a folder")
        dialog = QFileDialog(self.window(), title)
        if is_file:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilter(self.tr("GGUF models (*.gguf *.GGUF)"))
        else:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.fileSelected.connect(lambda path: then(path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
