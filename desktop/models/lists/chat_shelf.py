"""What is done with whole chats: pins, folders, the archive and the bin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.chats.chat import ChatSummary

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub


class ShelfAct(Enum):
    """What was done."""

    PINNED = auto()
    UNPINNED = auto()
    ARCHIVED = auto()
    TAKEN_BACK = auto()  # out of the archive
    MOVED = auto()
    FOLDER_RENAMED = auto()


@dataclass(frozen=True, slots=True)
class ShelfChange:
    """What was done, and all that undoing it needs.

    Attributes:
        chats: as they were before.
        folder: where they are now (MOVED), or the folder's new name.
        old_folder: the folder's old name (FOLDER_RENAMED).
    """

    act: ShelfAct
    chats: tuple[ChatSummary, ...]
    folder: str = ""
    old_folder: str = ""


class ChatShelf(QObject):
    """Changes chats in the store; the list follows by itself.

    Signals:
        changed: a `ShelfChange` that is done and can be undone.
        archived_listed: list of `ChatSummary` in the archive, newest change first.
        bin_listed: list of `ChatSummary` in the bin, newest change first.
        busy_changed: whether chats are being erased, which takes a second or two.
        erase_failed: an exception that says what could not be erased.
    """

    changed = Signal(object)
    archived_listed = Signal(object)
    bin_listed = Signal(object)
    busy_changed = Signal(bool)
    erase_failed = Signal(object)

    def __init__(self, hub: SessionHub, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._busy = False

    @property
    def is_busy(self) -> bool:
        """Whether chats are being erased."""
        return self._busy

    # --- the list ------------------------------------------------------------------

    def pin(self, chats: Iterable[ChatSummary], pinned: bool) -> None:
        """Keep chats at the top of the list, or do so no more."""
        changed = tuple(chat for chat in chats if chat.pinned is not pinned)
        act = ShelfAct.PINNED if pinned else ShelfAct.UNPINNED
        store = self._hub.store
        futures = [store.set_pinned(chat.id, pinned) for chat in changed]
        self._after(futures, ShelfChange(act, changed))

    def archive(self, chats: Iterable[ChatSummary], archived: bool) -> None:
        """Put chats out of the way, or take them back."""
        changed = tuple(chat for chat in chats if chat.archived is not archived)
        act = ShelfAct.ARCHIVED if archived else ShelfAct.TAKEN_BACK
        store = self._hub.store
        futures = [store.set_archived(chat.id, archived) for chat in changed]
        self._after(futures, ShelfChange(act, changed))

    def move(self, chats: Iterable[ChatSummary], folder: str) -> None:
        """Put chats into a folder, which need not exist; "" takes them out of any."""
        folder = " ".join(folder.split())
        changed = tuple(chat for chat in chats if chat.folder != folder)
        futures = [self._hub.store.set_folder(chat.id, folder) for chat in changed]
        self._after(futures, ShelfChange(ShelfAct.MOVED, changed, folder))

    def rename_folder(self, old: str, new: str, chats: Iterable[ChatSummary]) -> None:
        """Rename a folder; one of the new name takes up its chats, "" dissolves it.

        `chats`: all that are in it, so that it can be undone.
        """
        new = " ".join(new.split())
        if new == old:
            return
        inside = tuple(chat for chat in chats if chat.folder == old)
        change = ShelfChange(ShelfAct.FOLDER_RENAMED, inside, new, old)
        self._after([self._hub.store.rename_folder(old, new)], change)

    def undo(self, change: ShelfChange) -> None:
        """Make it as it was before."""
        store = self._hub.store
        futures: list[Future[None]] = []
        for chat in change.chats:
            match change.act:
                case ShelfAct.PINNED | ShelfAct.UNPINNED:
                    futures.append(store.set_pinned(chat.id, chat.pinned))
                case ShelfAct.ARCHIVED | ShelfAct.TAKEN_BACK:
                    futures.append(store.set_archived(chat.id, chat.archived))
                case _:
                    futures.append(store.set_folder(chat.id, chat.folder))
        self._after(futures)

    def list_archived(self) -> None:
        """Ask for what is in the archive."""

        def done(chats: list[ChatSummary]) -> None:
            self.archived_listed.emit([chat for chat in chats if chat.archived])

        self._hub.background.watch(self._hub.store.list_chats(include_archived=True), done)

    # --- the bin -------------------------------------------------------------------

    def list_bin(self) -> None:
        """Ask for what is in the bin."""
        self._hub.background.watch(self._hub.store.list_bin(), self.bin_listed.emit)

    def restore(self, chat_ids: Sequence[str]) -> None:
        """Take chats out of the bin."""
        futures = [self._hub.store.restore_chat(chat_id) for chat_id in chat_ids]
        self._all(futures, lambda _done: self._refresh(with_bin=True))

    def erase(self, chat_ids: Sequence[str]) -> None:
        """Erase chats for good, all or none."""
        self._erasing(self._hub.store.erase_chats(chat_ids))

    def empty_bin(self) -> None:
        """Erase all that is in the bin for good."""
        self._erasing(self._hub.store.empty_bin())

    # --- inside --------------------------------------------------------------------

    def _erasing(self, future: Future[Any]) -> None:
        self._set_busy(True)

        def done(_result: object) -> None:
            self._set_busy(False)
            self._refresh(with_bin=True)

        def failed(error: Exception) -> None:
            # A StoreError tells what is left of them; a KeyError that one is gone already.
            self._set_busy(False)
            self._refresh(with_bin=True)
            self.erase_failed.emit(error)
            self._hub.failed.emit(error)

        self._hub.background.watch(future, done, failed)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)

    def _after(self, futures: Sequence[Future[None]], change: ShelfChange | None = None) -> None:
        def done(results: list[Any]) -> None:
            self._refresh()
            if change is not None and results:
                self.changed.emit(change)

        if futures:
            self._all(futures, done)

    def _refresh(self, *, with_bin: bool = False) -> None:
        self._hub.refresh()
        self.list_archived()
        if with_bin:
            self.list_bin()

    def _all(self, futures: Sequence[Future[Any]], done: Callable[[list[Any]], None]) -> None:
        """Call `done` with the results, once all are there. Failures go to the hub, each once.

        A chat that is gone (KeyError) is no failure: there is nothing left to change.
        """
        left = len(futures)
        results: list[Any] = []
        told: set[str] = set()

        def one(result: object) -> None:
            nonlocal left
            left -= 1
            results.append(result)
            if not left:
                done(results)

        def failed(error: Exception) -> None:
            nonlocal left
            left -= 1
            if not isinstance(error, KeyError) and str(error) not in told:
                told.add(str(error))
                self._hub.failed.emit(error)
            if not left:
                done(results)

        for future in futures:
            self._hub.background.watch(future, one, failed)
        if not futures:
            done(results)
