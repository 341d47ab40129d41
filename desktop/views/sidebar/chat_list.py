"""The sidebar: all chats by folder and date, a search over every message, undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import ChatSummary
from desktop.models.lists.chat_list_model import ChatListModel
from desktop.models.lists.chat_list_rows import RowKind
from desktop.views.icons import icon
from desktop.views.sidebar.chat_list_search import ChatListSearch
from desktop.views.sidebar.chat_list_view import ChatListView
from desktop.views.sidebar.undo_bar import UndoBar

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.sidebar.chat_list_desk import ChatListDesk
    from desktop.views.sidebar.search_panel import SearchPanel
    from desktop.views.tabs.tab_keeper import TabKeeper

ICON_SIZE: Final = 16
MIN_WIDTH: Final = 208


class ChatList(QFrame):
    """See the module.

    Signals:
        new_requested: make a new chat.
        chosen: id of a chat to show.
        hit_chosen: a `SearchHit`: show its chat, at that message.
        search_ended: nothing is searched for any more.
        rename_requested: id and the new title.
        delete_requested: id.
        undo_requested: id of a chat deleted last.
    """

    new_requested = Signal()
    chosen = Signal(str)
    hit_chosen = Signal(object)
    search_ended = Signal()
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "sidebar")
        self._current = ""
        self._desk: ChatListDesk | None = None
        self.model = ChatListModel(self)

        name = QLabel(self.tr("Inglenook"))
        name.setProperty("role", "title")
        self.new_button = QPushButton(self.tr("New chat"))
        self.new_button.setIcon(icon("plus"))
        self.new_button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.new_button.setAccessibleName(self.tr("New chat"))
        self.new_button.clicked.connect(lambda _checked=False: self.new_requested.emit())
        head = QHBoxLayout()
        head.addWidget(name, 1)
        head.addWidget(self.new_button)

        self._search = ChatListSearch(self.model, self)
        self.filter = self._search.field
        self._search.panel_built.connect(self._place_panel)
        self._search.changed.connect(self._show_which)
        self._search.list_wanted.connect(self._enter_list)
        self._search.chat_chosen.connect(self.chosen)
        self._search.hit_chosen.connect(self.hit_chosen)
        self._search.ended.connect(self.search_ended)

        self.view = ChatListView(self.model)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.opened.connect(self._choose)
        self.view.rename_pressed.connect(self._rename_row)
        self.view.delete_pressed.connect(lambda: self.delete(self.view.selected_ids()))
        self.view.left_top.connect(lambda: self.filter.setFocus(Qt.FocusReason.OtherFocusReason))

        self.empty = QLabel(self.tr("Your chats will stand here."))
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.undo_bar = UndoBar()
        self.undo_bar.restore_requested.connect(self.undo_requested)
        self.undo_bar.focus_left.connect(self._enter_list)

        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space.m, space.m, space.m, space.m)
        self._column.setSpacing(space.s)
        self._column.addLayout(head)
        self._column.addLayout(self._search.row)
        self._column.addWidget(self.empty)
        self._column.addWidget(self.view, 1)
        self._column.addWidget(self.undo_bar)
        self.model.modelReset.connect(self._on_reset)
        self._on_reset()
        theme.notifier().changed.connect(self._on_theme_changed)

    def serve(self, hub: SessionHub, tabs: TabKeeper) -> None:
        """The chats can be used: search messages, and do what the menus offer."""
        if self._desk is None:
            from desktop.views.sidebar.chat_list_desk import ChatListDesk

            self._desk = ChatListDesk(self, hub, tabs)
            self._search.serve(self._desk)

    # --- what the window says ------------------------------------------------------

    def set_chats(self, chats: list[ChatSummary]) -> None:
        """Show these chats."""
        self.model.set_chats(chats)
        self._search.refresh_titles()

    def set_current(self, chat_id: str) -> None:
        """Mark the chat of the tab in front."""
        if chat_id != self._current:
            self._current = chat_id
            self._select_current()

    @property
    def current(self) -> str:
        """Id of the chat of the tab in front; empty if there is none."""
        return self._current

    def show_deleted(self, chat_id: str, title: str) -> None:
        """Offer to take a deleted chat back; chats deleted together are taken back together."""
        self.undo_bar.offer_restore(chat_id, title)

    def undo(self) -> None:
        """Undo what was done last, while that is offered."""
        self.undo_bar.undo()

    # --- search --------------------------------------------------------------------

    def search(self) -> None:
        """Go to the search field; Esc there leads back to where one was."""
        self._search.begin()

    def end_search(self) -> None:
        """Show the list again, and go back to where one was."""
        self._search.end()

    def search_panel(self) -> SearchPanel:
        """What shows the results; built when the field is first used."""
        return self._search.panel()

    # --- actions -------------------------------------------------------------------

    def pin_chat(self, chat_id: str) -> None:
        """Pin a chat or unpin it; the chosen ones if the list has the focus."""
        if self._desk is not None:
            self._desk.toggle_pins(self._meant(chat_id))

    def archive_chat(self, chat_id: str) -> None:
        """Archive a chat or take it back; the chosen ones if the list has the focus."""
        if self._desk is not None:
            self._desk.toggle_archived(self._meant(chat_id))

    def move_to_folder(self, chat_id: str) -> None:
        """Ask for a folder for a chat; for the chosen ones if the list has the focus."""
        if self._desk is not None:
            self._desk.ask_folder(self._meant(chat_id))

    def export_chat(self, chat_id: str) -> None:
        """Ask how to export a chat; the chosen ones if the list has the focus."""
        if self._desk is not None:
            self._desk.export(self._meant(chat_id))

    def export_all(self) -> None:
        """Ask how to export all chats."""
        if self._desk is not None:
            self._desk.export_all()

    def import_chats(self) -> None:
        """Ask for a file of chats and take them over."""
        if self._desk is not None:
            self._desk.import_chats()

    def show_bin(self) -> None:
        """Show the deleted chats."""
        if self._desk is not None:
            self._desk.show_bin()

    def rename(self, chat_id: str, title: str) -> None:
        """Ask for another title of a chat."""
        from desktop.views.sidebar.chat_list_menu import ask_name

        name = ask_name(self, self.tr("Rename the chat"), self.tr("Title:"), title)
        if name:
            self.rename_requested.emit(chat_id, name)

    def delete(self, chat_ids: Sequence[str]) -> None:
        """Put chats into the bin; they can be taken back together."""
        self.undo_bar.expect(chat_ids)
        for chat_id in chat_ids:
            self.delete_requested.emit(chat_id)

    # --- Qt ------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        """No narrower than its head, which grows with the text size."""
        least = super().minimumSizeHint()
        return QSize(max(MIN_WIDTH, least.width()), least.height())

    # --- inside --------------------------------------------------------------------

    def _meant(self, chat_id: str) -> list[ChatSummary]:
        chosen = self.view.selected_ids() if self.view.hasFocus() else []
        found = (self.model.summary(id_) for id_ in chosen or [chat_id])
        return [chat for chat in found if chat is not None]

    def _on_theme_changed(self) -> None:
        self.view.scheduleDelayedItemsLayout()
        self.view.viewport().update()

    def _choose(self, chat_id: str) -> None:
        self.chosen.emit(chat_id)
        self._select_current()

    def _place_panel(self, panel: QWidget) -> None:
        self._column.insertWidget(self._column.indexOf(self.view), panel, 1)

    def _show_which(self) -> None:
        searching = self._search.is_on
        nothing = self.model.rowCount() == 0
        had_focus = self.view.hasFocus()
        self.view.setVisible(not nothing and not searching)
        self.empty.setVisible(nothing and not searching)
        self._column.setStretchFactor(self.empty, 1 if nothing else 0)
        if had_focus and nothing:  # the last row is gone
            self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_reset(self) -> None:
        self._show_which()
        if not self.view.selectedIndexes():
            self._select_current()

    def _select_current(self) -> None:
        row = self.model.row_of(self._current)
        if row is not None or not self.view.hasFocus():
            self.view.go_to(row)

    def _enter_list(self) -> None:
        if not self.view.isHidden():
            self.view.enter()

    def _rename_row(self) -> None:
        row = self.view.current_row()
        if row is None:
            return
        if row.chat is not None:
            self.rename(row.chat.id, row.chat.title)
        elif row.kind is RowKind.FOLDER and self._desk is not None:
            self._desk.ask_folder_name(row.text)

    def _show_menu(self, position: QPoint) -> None:
        index: QModelIndex = self.view.indexAt(position)
        row = self.model.row_at(index.row())
        if row is None or row.kind is RowKind.HEADING:
            return  # beside the rows
        from desktop.views.sidebar.chat_list_menu import ChatMenu

        menu = ChatMenu(self, self._desk, row, self.view.selected_ids())
        menu.popup(self.view.viewport().mapToGlobal(position))
