"""Opens the store and lists what is in it, for the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.background import Background
    from desktop.chats.chat import ChatSummary
    from desktop.chats.store.chat_store import ChatStore


class StoreOpening(QObject):
    """Whether chats can be read and written, why not, and which there are.

    Args:
        store: the store; it is made by the first call.

    Attributes:
        titles: of all chats listed, by id.

    Signals:
        opened: the store can be used.
        failed: the exception that says why it cannot; or that a damaged file was set aside.
        listed: list of `ChatSummary`, newest change first.
        listing_failed: the exception.
    """

    opened = Signal()
    failed = Signal(object)
    listed = Signal(object)
    listing_failed = Signal(object)

    def __init__(
        self, store: Callable[[], ChatStore], background: Background, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._background = background
        self.titles: dict[str, str] = {}
        self.is_usable = False
        self.reason = ""  # why it cannot be used, once that is known
        self._listing = False
        self._list_again = False

    def open(self) -> None:
        """Open the store, mark answers a crash cut off, list the chats."""
        self.reason = ""
        self._background.watch(self._store().open(), self._on_open, self.fail)

    def refresh(self) -> None:
        """List the chats again; calls while one listing is under way make one more."""
        if not self.is_usable:
            return
        if self._listing:
            self._list_again = True
            return
        self._listing = True
        self._background.watch(self._store().list_chats(), self._on_listed, self._on_list_failed)

    def refusal(self) -> str:
        """Why nothing can be sent; empty if it can."""
        if self.is_usable:
            return ""
        translate = QCoreApplication.translate
        if not self.reason:
            return translate(
                "SessionHub", "Your chats are still being opened. Send it again in a moment."
            )
        return (
            translate("SessionHub", "Chats cannot be saved, so nothing is sent. {reason}")
            .format(reason=self.reason)
            .strip()
        )

    def fail(self, error: Exception) -> None:
        """The store cannot be used; or it can, since a damaged file was set aside."""
        if getattr(error, "usable", False):
            self.failed.emit(error)
            self._on_recovered(0)
            return
        self.is_usable = False
        self.reason = str(error)
        self.failed.emit(error)

    def _on_open(self, _result: object) -> None:
        self._background.watch(self._store().recover_interrupted(), self._on_recovered, self.fail)

    def _on_recovered(self, _count: object) -> None:
        self.is_usable = True
        self.opened.emit()
        self.refresh()

    def _on_listed(self, chats: list[ChatSummary]) -> None:
        self._listing = False
        self.titles = {chat.id: chat.title for chat in chats}
        self.listed.emit(chats)
        if self._list_again:
            self._list_again = False
            self.refresh()

    def _on_list_failed(self, error: Exception) -> None:
        self._listing = False
        self.listing_failed.emit(error)
