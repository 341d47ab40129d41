"""What the sidebar's menus do: between the list, the shelf, the bin and the files.

Built when the chats can be used, long after the first paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from desktop.chats.chat import DEFAULT_TITLE, Chat, ChatSummary
from desktop.chats.chat_tree import ChatTree
from desktop.models.lists.chat_shelf import ChatShelf, ShelfAct, ShelfChange

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.sidebar.chat_list import ChatList
    from desktop.views.sidebar.search_panel import SearchPanel
    from desktop.views.tabs.tab_keeper import TabKeeper

_MOST_SUSPECTS: Final = 20


class ChatListDesk(QObject):
    """See the module."""

    def __init__(self, chat_list: ChatList, hub: SessionHub, tabs: TabKeeper) -> None:
        super().__init__(chat_list)
        self._list = chat_list
        self._hub = hub
        self._tabs = tabs
        self._blank: set[str] = set()  # chats that nobody has written in
        self._looked_at: set[str] = set()
        self.shelf = ChatShelf(hub, self)
        self.shelf.changed.connect(self._on_changed)
        self.shelf.archived_listed.connect(chat_list.model.set_archived)
        chat_list.model.dropped.connect(self._on_dropped)
        chat_list.model.archive_dropped.connect(self._on_archive_dropped)
        hub.chat_deleted.connect(lambda _id, _title: self.shelf.list_archived())
        hub.chats_listed.connect(self._on_listed)
        tabs.changed.connect(self._hide_blank)
        self.shelf.list_archived()

    # --- chats -------------------------------------------------------------------------

    def toggle_pins(self, chats: Sequence[ChatSummary]) -> None:
        """Pin these chats; unpin them if all are pinned."""
        self.shelf.pin(chats, not all(chat.pinned for chat in chats))

    def toggle_archived(self, chats: Sequence[ChatSummary]) -> None:
        """Archive these chats; take them back if all are archived."""
        self.shelf.archive(chats, not all(chat.archived for chat in chats))

    def move(self, chats: Sequence[ChatSummary], folder: str) -> None:
        """Put chats into a folder; "" takes them out."""
        self.shelf.move(chats, folder)

    def ask_folder(self, chats: Sequence[ChatSummary]) -> None:
        """Ask for a folder, which may be new, and put chats into it."""
        if not chats:
            return
        from desktop.views.sidebar.chat_list_menu import ask_name

        folders = self.folders()
        here = chats[0].folder
        name = ask_name(
            self._list.window(), self.tr("Move to a folder"), self.tr("Folder:"), here, folders
        )
        if name:
            self.shelf.move(chats, name)

    def folders(self) -> list[str]:
        """The names of all folders."""
        return self._list.model.folders()

    def in_folder(self, name: str) -> list[ChatSummary]:
        """The chats in a folder, archived ones left out."""
        chats = self._list.model.everything()
        return [chat for chat in chats if chat.folder == name and not chat.archived]

    def ask_folder_name(self, folder: str) -> None:
        """Ask for another name of a folder."""
        from desktop.views.sidebar.chat_list_menu import ask_name

        title = self.tr("Rename the folder")
        name = ask_name(self._list.window(), title, self.tr("Name:"), folder)
        if name:
            self.rename_folder(folder, name)

    def rename_folder(self, old: str, new: str) -> None:
        """Rename a folder; "" dissolves it and keeps its chats."""
        self.shelf.rename_folder(old, new, self._list.model.everything())

    def duplicate(self, chat: ChatSummary) -> None:
        """Make a copy of a chat with all its branches, and show it."""

        def exported(tree: ChatTree) -> None:
            title = self.tr("{title} (copy)").format(title=tree.title)
            copy = replace(tree, title=title, pinned=False, updated=0.0, created=0.0)
            self._hub.background.watch(self._hub.store.import_tree(copy), imported)

        def imported(summary: ChatSummary) -> None:
            self._hub.refresh()
            self._list.chosen.emit(summary.id)

        self._hub.background.watch(self._hub.store.export_tree(chat.id), exported)

    # --- files -------------------------------------------------------------------------

    def export(self, chats: Sequence[ChatSummary]) -> None:
        """Ask how and where to export chats, and do it."""
        if chats:
            from desktop.views.sidebar.transfer_dialogs import ExportDialog

            ExportDialog(self._hub, chats, self._list.window()).open()

    def export_all(self) -> None:
        """Export all chats, those in the archive too."""

        def listed(chats: list[ChatSummary]) -> None:
            from desktop.views.sidebar.transfer_dialogs import ExportDialog

            ExportDialog(self._hub, chats, self._list.window(), all_of_them=True).open()

        self._hub.background.watch(self._hub.store.list_chats(include_archived=True), listed)

    def import_chats(self) -> None:
        """Ask for a file of chats and take them over."""
        from desktop.views.sidebar.transfer_dialogs import ImportDialog

        dialog = ImportDialog(self._hub, self.folders(), self._list.window())
        dialog.imported.connect(self._on_imported)
        dialog.open()

    def show_bin(self) -> None:
        """Show the deleted chats."""
        from desktop.views.sidebar.bin_dialog import BinDialog

        BinDialog(self.shelf, self._list.window()).open()

    # --- search ------------------------------------------------------------------------

    def equip(self, panel: SearchPanel) -> None:
        """Let a search find messages."""
        panel.serve(self._hub.store.search, self._hub.background)
        self.prepare_search(panel)

    def prepare_search(self, panel: SearchPanel) -> None:
        """Tell what the search's limits can be."""

        def listed(models: list[str]) -> None:
            panel.bar.models = models

        current = self._list.current
        session = self._hub.session(current)
        panel.bar.chat_in_front = (current, session.title if session is not None else "")
        self._hub.background.watch(self._hub.store.list_models(), listed)

    # --- inside ------------------------------------------------------------------------

    def _on_imported(self) -> None:
        self._hub.refresh()
        self.shelf.list_archived()

    def _on_dropped(self, chat_ids: Sequence[str], folder: str) -> None:
        chats = self._chats(chat_ids)
        self.shelf.archive([chat for chat in chats if chat.archived], False)
        self.shelf.move(chats, folder)

    def _on_archive_dropped(self, chat_ids: Sequence[str]) -> None:
        self.shelf.archive(self._chats(chat_ids), True)

    def _chats(self, chat_ids: Sequence[str]) -> list[ChatSummary]:
        found = (self._list.model.summary(chat_id) for chat_id in chat_ids)
        return [chat for chat in found if chat is not None]

    def _on_changed(self, change: ShelfChange) -> None:
        words = self._words(change)
        whole = words
        if len(change.chats) == 1:
            whole = f"{change.chats[0].title}: {words}"
        self._list.undo_bar.offer(words, whole, lambda: self.shelf.undo(change))

    def _words(self, change: ShelfChange) -> str:
        count = len(change.chats)
        match change.act:
            case ShelfAct.PINNED:
                return self.tr("%n chat(s) pinned", "", count)
            case ShelfAct.UNPINNED:
                return self.tr("%n chat(s) unpinned", "", count)
            case ShelfAct.ARCHIVED:
                return self.tr("%n chat(s) archived", "", count)
            case ShelfAct.TAKEN_BACK:
                return self.tr("%n chat(s) taken out of the archive", "", count)
            case ShelfAct.MOVED if change.folder:
                return self.tr("%n chat(s) moved to “{folder}”", "", count).format(
                    folder=change.folder
                )
            case ShelfAct.MOVED:
                return self.tr("%n chat(s) taken out of the folder", "", count)
            case _ if change.folder:
                return self.tr("Folder renamed to “{folder}”").format(folder=change.folder)
        return self.tr("Folder “{folder}” dissolved").format(folder=change.old_folder)

    # Chats that were made and never written in stay in the store after a crash. They are
    # not listed, unless a tab shows them.

    def _on_listed(self, chats: Sequence[ChatSummary]) -> None:
        suspects = [chat.id for chat in chats if chat.title == DEFAULT_TITLE]
        self._blank &= set(suspects)
        # A crash leaves a few, and lately; an import can bring hundreds of that title.
        for chat_id in set(suspects[:_MOST_SUSPECTS]) - self._looked_at:
            self._looked_at.add(chat_id)
            self._hub.background.watch(
                self._hub.store.load_chat(chat_id), self._on_looked_at, lambda _error: None
            )
        self._hide_blank()

    def _on_looked_at(self, chat: Chat) -> None:
        if not chat.messages and not chat.draft.strip() and not chat.draft_attachments:
            self._blank.add(chat.id)
            self._hide_blank()

    def _hide_blank(self) -> None:
        shown = set(self._tabs.open_tabs()[0])
        self._list.model.hide(self._blank - shown)
