"""The bin of models: taken back from there, or deleted for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library import installed_words as words
from desktop.models.loading.size_text import size_text
from desktop.models.tip_text import tip_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from desktop.views.library.installed_desk import InstalledDesk

SIZE: Final = (520, 400)
_ENTRY: Final = Qt.ItemDataRole.UserRole


class ModelBinDialog(QDialog):
    """See the module."""

    def __init__(self, desk: InstalledDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._desk = desk
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Deleted models"))
        self.resize(*SIZE)
        self.lead = plain_label()
        self.list = QListWidget()
        self.list.setProperty("role", "field")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.windowTitle())
        self.list.itemSelectionChanged.connect(self._update)
        self.list.itemActivated.connect(lambda _item: self._restore())
        self.restore = push_button(self.tr("Put back"), self._restore)
        self.erase = push_button(self.tr("Delete for good…"), self._ask_erase, "danger")
        self.empty = push_button(self.tr("Empty the bin…"), self._ask_empty, "danger")
        self.close_button = push_button(self.tr("Close"), self.reject)
        foot = QWidget()
        flow = FlowLayout(foot, space.s)
        for button in (self.restore, self.erase, self.empty, self.close_button):
            flow.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(self.lead)
        layout.addWidget(self.list, 1)
        layout.addWidget(foot)
        desk.bin_changed.connect(self._show)
        self._show()

    # --- inside ------------------------------------------------------------------------

    def _show(self) -> None:
        chosen = set(self._chosen())
        self.list.clear()
        line = self.list.fontMetrics().height()
        for entry in self._desk.bin:
            about = self.tr("{size} · deleted on {day}").format(
                size=size_text(entry.frees), day=words.day_text(entry.deleted)
            )
            item = QListWidgetItem(f"{words.title_text(entry.model)}\n{about}")
            item.setData(_ENTRY, entry.entry)
            item.setToolTip(tip_text(entry.model.path))
            item.setSizeHint(QSize(0, 2 * line + 2 * theme.current().space.s))
            self.list.addItem(item)
            item.setSelected(entry.entry in chosen)
        size = size_text(sum(entry.frees for entry in self._desk.bin))
        self.lead.setText(
            self.tr("They can be put back until the bin is emptied, which frees {size}.").format(
                size=size
            )
            if self._desk.bin
            else self.tr("The bin is empty.")
        )
        self._update()

    def _update(self) -> None:
        some = bool(self._chosen())
        self.restore.setEnabled(some)
        self.erase.setEnabled(some)
        self.empty.setEnabled(self.list.count() > 0)
        focus: QWidget | None = self.focusWidget()
        if focus is not None and not focus.isEnabled():
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _chosen(self) -> tuple[str, ...]:
        return tuple(item.data(_ENTRY) for item in self.list.selectedItems())

    def _restore(self) -> None:
        for entry in self._chosen():
            self._desk.work.restore(entry)

    def _ask_erase(self) -> None:
        chosen = self._chosen()
        if chosen:
            text = self.tr("Delete %n model(s) for good?", "", len(chosen))
            self._confirm(text, chosen)

    def _ask_empty(self) -> None:
        text = self.tr("Delete all %n model(s) in the bin for good?", "", self.list.count())
        self._confirm(text, tuple(entry.entry for entry in self._desk.bin))

    def _confirm(self, text: str, entries: tuple[str, ...]) -> None:
        from desktop.views.engine.questions import ask

        frees = sum(entry.frees for entry in self._desk.bin if entry.entry in entries)
        ask(
            self,
            self.tr("Delete for good"),
            text,
            self.tr("This cannot be undone. {size} become free.").format(size=size_text(frees)),
            [(self.tr("Delete"), lambda: self._desk.work.empty(entries))],
        )
