"""The bin: deleted chats, to take back or to erase for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import ChatSummary
from desktop.models.lists.chat_shelf import ChatShelf
from desktop.models.tip_text import tip_text

_SIZE = QSize(560, 460)
_ID = Qt.ItemDataRole.UserRole


class BinDialog(QDialog):
    """See the module. It lists anew whenever the shelf does."""

    def __init__(self, shelf: ChatShelf, parent: QWidget) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._shelf = shelf
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Deleted chats"))
        self.resize(_SIZE)
        self.lead = QLabel()
        self.lead.setWordWrap(True)
        self.list = QListWidget()
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setProperty("role", "field")
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setAccessibleName(self.tr("Deleted chats"))
        self.list.itemSelectionChanged.connect(self._update)
        self.list.itemActivated.connect(lambda _item: self._restore())
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(self.tr("Chats are being erased"))
        self.busy.hide()
        self.restore = self._button(self.tr("Restore"), self._restore)
        self.erase = self._button(self.tr("Erase for good…"), self._ask_erase, "danger")
        self.empty = self._button(self.tr("Empty the bin…"), self._ask_empty, "danger")
        actions = QHBoxLayout()
        actions.setSpacing(space.s)
        for action in (self.restore, self.erase, self.empty):
            actions.addWidget(action)
        actions.addStretch(1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in close.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        close.rejected.connect(self.reject)
        actions.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(self.lead)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.busy)
        layout.addLayout(actions)
        shelf.bin_listed.connect(self._show)
        shelf.busy_changed.connect(self._update)
        shelf.erase_failed.connect(self._on_failed)
        self.failure = QLabel()
        self.failure.setProperty("role", "danger")
        self.failure.setWordWrap(True)
        self.failure.setTextFormat(Qt.TextFormat.PlainText)
        self.failure.hide()
        layout.insertWidget(1, self.failure)
        self.lead.setText(self.tr("Looking into the bin…"))
        self._update()
        shelf.list_bin()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, and none that has not."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QPushButton):
            focus.click()
            return
        super().keyPressEvent(event)

    def _button(self, words: str, slot: Callable[[], None], kind: str = "") -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.setAccessibleName(words)
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(lambda _checked=False: slot())
        return button

    def _show(self, chats: Sequence[ChatSummary]) -> None:
        row = self.list.currentRow()
        chosen = set(self._chosen())
        self.list.clear()
        places = QLocale()
        for chat in chats:
            item = QListWidgetItem(" ".join(chat.title.split()))
            item.setData(_ID, chat.id)
            when = QDateTime.fromSecsSinceEpoch(int(max(0.0, min(chat.updated, 2**40))))
            changed = places.toString(when, QLocale.FormatType.ShortFormat)
            words = self.tr("{title}\nChanged {when}").format(title=chat.title, when=changed)
            item.setToolTip(tip_text(words))
            self.list.addItem(item)
            if chat.id in chosen:
                item.setSelected(True)
        if chats and row >= 0 and not self._chosen():
            self.list.setCurrentRow(min(row, len(chats) - 1))
        self.lead.setText(
            self.tr("%n deleted chat(s). They stay here until they are erased.", "", len(chats))
            if chats
            else self.tr("The bin is empty.")
        )
        self._update()

    def _on_failed(self, error: Exception) -> None:
        words = str(error)
        if isinstance(error, KeyError):
            words = self.tr("One of these chats is gone already. Choose again.")
        self.failure.setText(words)
        self.failure.show()

    def _update(self, _busy: object = None) -> None:
        busy, any_chosen = self._shelf.is_busy, bool(self.list.selectedItems())
        focus = self.focusWidget()
        self.busy.setVisible(busy)
        self.restore.setEnabled(any_chosen and not busy)
        self.erase.setEnabled(any_chosen and not busy)
        self.empty.setEnabled(self.list.count() > 0 and not busy)
        if focus is not None and not focus.isEnabled():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _chosen(self) -> list[str]:
        return [item.data(_ID) for item in self.list.selectedItems()]

    def _restore(self) -> None:
        chosen = self._chosen()
        if chosen and not self._shelf.is_busy:
            self._shelf.restore(chosen)

    def _ask_erase(self) -> None:
        chosen = self._chosen()
        titles = [item.text() for item in self.list.selectedItems()]
        words = (
            self.tr("Erase “{title}” for good?").format(title=titles[0])
            if len(titles) == 1
            else self.tr("Erase %n chat(s) for good?", "", len(titles))
        )
        self.failure.hide()
        self._confirm(words, lambda: self._shelf.erase(chosen))

    def _ask_empty(self) -> None:
        words = self.tr("Erase all %n chat(s) in the bin for good?", "", self.list.count())
        self._confirm(words, self._shelf.empty_bin)

    def _confirm(self, words: str, go: Callable[[], None]) -> None:
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Erase for good"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(words)
        box.setInformativeText(
            self.tr(
                "This cannot be undone. Every trace goes from this computer's store of chats, "
                "and the backups that hold them are removed as well."
            )
        )
        erase = box.addButton(self.tr("Erase"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(keep)
        for button in (erase, keep):
            button.setAccessibleName(button.text().replace("&", ""))
        erase.clicked.connect(lambda _checked=False: go())
        box.open()
