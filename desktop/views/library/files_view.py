"""The files of a repository: those that a download takes, and those that it leaves, with why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.failure_text import translated_text
from desktop.models.library.hub_words import shown
from desktop.models.loading.size_text import count_text, size_text
from desktop.models.tip_text import tip_text
from desktop.views.dialog_parts import plain_label

if TYPE_CHECKING:
    from engine.store.hub.records import FileChoice

MOST: Final = 500  # rows of either kind
LONGEST: Final = 200  # characters of a path


class FilesView(QWidget):
    """See the module."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._shown: FileChoice | None = None
        self.lead = plain_label("", "muted")
        self.tree = QTreeWidget()
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels([self.tr("File"), self.tr("Size"), self.tr("Why not")])
        self.tree.setAccessibleName(self.tr("Files"))
        self.tree.setUniformRowHeights(True)
        self.tree.setRootIsDecorated(True)
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(64)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.m, space.l, space.l)
        column.setSpacing(space.s)
        column.addWidget(self.lead)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)

    def show_choice(self, choice: FileChoice) -> None:
        """Show what a download takes and leaves."""
        if choice == self._shown:
            return
        self._shown = choice
        self.tree.clear()
        left = sum(max(0, one.size) for one in choice.leave)
        taken = self._head(
            self.tr("Will be downloaded: {count}").format(count=count_text(len(choice.take))),
            choice.total,
        )
        for file in choice.take[:MOST]:
            self._row(taken, file.path, file.size, "")
        self._rest(taken, len(choice.take))
        taken.setExpanded(True)
        if choice.leave:
            rest = self._head(
                self.tr("Left out: {count}").format(count=count_text(len(choice.leave))), left
            )
            for path, size, reason in choice.leave[:MOST]:
                self._row(rest, path, size, translated_text(reason))
            self._rest(rest, len(choice.leave))
            rest.setExpanded(True)
        self.lead.setText(
            self.tr(
                "Weights as safetensors or GGUF, settings, tokenizer and texts: nothing that could "
                "run as a program. Each file is checked before the model counts as installed."
            )
        )
        self._widen()

    def _head(self, words: str, size: int) -> QTreeWidgetItem:
        item = QTreeWidgetItem([words, size_text(size), ""])
        font = theme.current().text_font(weight=theme.current().text_font().Weight.Medium)
        item.setFont(0, font)
        self.tree.addTopLevelItem(item)
        self._align(item)
        return item

    def _row(self, parent: QTreeWidgetItem, path: str, size: int, reason: str) -> None:
        item = QTreeWidgetItem([shown(path, LONGEST), size_text(size), reason])
        item.setToolTip(0, tip_text(shown(path, 1000)))
        if reason:
            item.setToolTip(2, tip_text(reason))
        parent.addChild(item)
        self._align(item)

    def _rest(self, parent: QTreeWidgetItem, count: int) -> None:
        if count > MOST:
            words = self.tr("and {count} more").format(count=count_text(count - MOST))
            parent.addChild(QTreeWidgetItem([words, "", ""]))

    def _align(self, item: QTreeWidgetItem) -> None:
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFont(1, theme.current().figure_font(theme.current().body))

    def _widen(self) -> None:
        wanted = self.tree.sizeHintForColumn(0) + theme.current().space.l
        has_reasons = self._shown is not None and bool(self._shown.leave)
        most = self.tree.viewport().width() * (0.5 if has_reasons else 0.75)
        self.tree.setColumnWidth(0, int(min(wanted, max(180, most))))
