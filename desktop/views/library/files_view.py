"""The files of a repository: those that a download takes, and those that it leaves, with why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
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
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels([self.tr("File"), self.tr("Size")])
        self.tree.setAccessibleName(self.tr("Files"))
        self.tree.setUniformRowHeights(True)
        self.tree.setRootIsDecorated(True)
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.tree.headerItem().setTextAlignment(1, right)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        column = QVBoxLayout(self)
        column.setContentsMargins(space.l, space.m, space.l, space.l)
        column.setSpacing(space.s)
        column.addWidget(self.lead)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        theme.notifier().changed.connect(self._on_theme)

    def show_choice(self, choice: FileChoice) -> None:
        """Show what a download takes and leaves."""
        if choice == self._shown:
            return
        self._shown = choice
        self.tree.clear()
        count = count_text(len(choice.take))
        self._group(
            self.tr("Will be downloaded: {count}").format(count=count),
            [(file.path, file.size) for file in choice.take],
            choice.total,
        )
        reasons: dict[str, list[tuple[str, int]]] = {}
        for path, size, reason in choice.leave:
            reasons.setdefault(reason, []).append((path, size))
        for reason, files in reasons.items():
            words = self.tr("Left out: {count} ({size}) · {reason}").format(
                count=count_text(len(files)),
                size=size_text(sum(max(0, size) for _, size in files)),
                reason=translated_text(reason),
            )
            # The reason takes the whole width: it is to be read.
            self._group(words.rstrip(". "), files, None).setFirstColumnSpanned(True)
        self.lead.setText(
            self.tr(
                "Weights as safetensors or GGUF, settings, tokenizer and texts: nothing that could "
                "run as a program. Each file is checked before the model counts as installed."
            )
        )

    def _on_theme(self) -> None:
        shown, self._shown = self._shown, None
        if shown is not None:
            self.show_choice(shown)

    def _group(
        self, words: str, files: list[tuple[str, int]], total: int | None
    ) -> QTreeWidgetItem:
        head = self._item(words, size_text(total) if total is not None else "")
        head.setToolTip(0, tip_text(words))
        head.setFont(0, theme.current().text_font(weight=QFont.Weight.Medium))
        self.tree.addTopLevelItem(head)
        for path, size in files[:MOST]:
            item = self._item(shown(path, LONGEST), size_text(size))
            item.setToolTip(0, tip_text(shown(path, 1000)))
            head.addChild(item)
        if len(files) > MOST:
            words = self.tr("and {count} more").format(count=count_text(len(files) - MOST))
            head.addChild(self._item(words, ""))
        head.setExpanded(True)
        return head

    def _item(self, words: str, size: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([words, size])
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFont(1, theme.current().figure_font(theme.current().body))
        return item
