"""The menus of the sidebar's rows, and the small questions they ask."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QInputDialog, QMenu, QWidget

from desktop.chats.chat import ChatSummary
from desktop.models.lists.chat_list_rows import Row, RowKind
from desktop.views.icons import icon

if TYPE_CHECKING:
    from desktop.views.sidebar.chat_list import ChatList
    from desktop.views.sidebar.chat_list_desk import ChatListDesk

_NAME_WIDTH = 420


class ChatMenu(QMenu):
    """The menu of a row: of all chosen chats, where it is one of them."""

    def __init__(
        self, chat_list: ChatList, desk: ChatListDesk | None, row: Row, selected: Sequence[str]
    ) -> None:
        super().__init__(chat_list)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._list = chat_list
        if row.kind is RowKind.FOLDER:
            if desk is not None:
                self._add_folder(desk, row.text)
        elif row.kind is RowKind.ARCHIVE:
            place = chat_list.model.rows().index(row)
            words = self.tr("Close the archive") if row.is_open else self.tr("Open the archive")
            self.addAction(words, lambda: chat_list.model.set_open(place, not row.is_open))
        else:
            ids = selected if row.chat_id in selected else [row.chat_id]
            found = (chat_list.model.summary(chat_id) for chat_id in ids)
            self._add_chats(desk, [chat for chat in found if chat is not None])

    def _add_chats(self, desk: ChatListDesk | None, chats: Sequence[ChatSummary]) -> None:
        if len(chats) == 1:
            chat = chats[0]
            self.addAction(self.tr("Open"), lambda: self._list.chosen.emit(chat.id))
            self.addAction(self.tr("Rename…"), lambda: self._list.rename(chat.id, chat.title))
            if desk is not None:
                self.addAction(self.tr("Duplicate"), lambda: desk.duplicate(chat))
            self.addSeparator()
        if desk is not None and chats:
            self._add_shelf(desk, chats)
        self.addSeparator()
        words = self.tr("Delete")
        if len(chats) > 1:
            words = self.tr("Delete %n chat(s)", "", len(chats))
        self.addAction(icon("trash"), words, lambda: self._list.delete([c.id for c in chats]))

    def _add_shelf(self, desk: ChatListDesk, chats: Sequence[ChatSummary]) -> None:
        pinned = all(chat.pinned for chat in chats)
        words = self.tr("Unpin") if pinned else self.tr("Pin to the top")
        self.addAction(icon("pin"), words, lambda: desk.toggle_pins(chats))
        folders = self.addMenu(icon("folder"), self.tr("Move to a folder"))
        for name in desk.folders():
            action = folders.addAction(name.replace("&", "&&"), partial(desk.move, chats, name))
            action.setCheckable(True)
            action.setChecked(all(chat.folder == name for chat in chats))
        if folders.actions():
            folders.addSeparator()
        folders.addAction(self.tr("New folder…"), lambda: desk.ask_folder(chats))
        if any(chat.folder for chat in chats):
            folders.addAction(self.tr("Out of the folder"), lambda: desk.move(chats, ""))
        archived = all(chat.archived for chat in chats)
        words = self.tr("Take out of the archive") if archived else self.tr("Archive")
        self.addAction(icon("archive"), words, lambda: desk.toggle_archived(chats))
        self.addAction(self.tr("Export…"), lambda: desk.export(chats))

    def _add_folder(self, desk: ChatListDesk, name: str) -> None:
        self.addAction(self.tr("Rename the folder…"), lambda: desk.ask_folder_name(name))
        self.addAction(self.tr("Export its chats…"), lambda: desk.export(desk.in_folder(name)))
        self.addSeparator()
        self.addAction(
            self.tr("Dissolve the folder, keep its chats"), lambda: desk.rename_folder(name, "")
        )


def ask_name(
    parent: QWidget, title: str, label: str, text: str, choices: Sequence[str] = ()
) -> str:
    """Ask for a name: one of `choices`, or another. Empty if none was given."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    if choices:
        dialog.setComboBoxItems(list(choices))
        dialog.setComboBoxEditable(True)
    dialog.setTextValue(text)
    dialog.resize(_NAME_WIDTH, dialog.sizeHint().height())
    for child in dialog.findChildren(QWidget):
        if child.focusPolicy() != Qt.FocusPolicy.NoFocus and not child.accessibleName():
            words = child.text() if isinstance(child, QAbstractButton) else label
            child.setAccessibleName(words.replace("&", ""))
    accepted = dialog.exec()
    dialog.deleteLater()
    return " ".join(dialog.textValue().split()) if accepted else ""
