"""What stands in a chat's composer: kept when the user pauses, and when the tab goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from desktop.chats.chat import Attachment

if TYPE_CHECKING:
    from desktop.models.session.conversation import Conversation

DRAFT_DELAY_MS = 500


class Drafting:
    """See the module.

    Attributes:
        source: tells what the composer holds, while there is one.
        attachments_source: likewise, the files attached to it.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._stored = conversation.chat.draft
        self._stored_attachments = tuple(conversation.chat.draft_attachments)
        self.source: Callable[[], str] | None = None
        self.attachments_source: Callable[[], Sequence[Attachment]] | None = None
        self._timer = QTimer(conversation)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAFT_DELAY_MS)
        self._timer.timeout.connect(self.save)

    @property
    def text(self) -> str:
        """What stands in the composer."""
        return self.source() if self.source is not None else self._stored

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """What is attached to it."""
        if self.attachments_source is not None:
            return tuple(self.attachments_source())
        return self._stored_attachments

    def touch(self) -> None:
        """It changed: it is stored when the user pauses."""
        if not self._timer.isActive():
            self._timer.start()

    def save(self) -> None:
        """Store it now if it changed."""
        self._timer.stop()
        text, attachments = self.text, self.attachments
        if text != self._stored or attachments != self._stored_attachments:
            self._write(text, attachments)

    def store_again(self) -> None:
        """The store's draft was cleared by what was sent, but this one was not part of it."""
        text, attachments = self.text, self.attachments
        self.cleared()
        if text or attachments:
            self._write(text, attachments)

    def cleared(self) -> None:
        """It was sent: the store clears its own together with that."""
        self._timer.stop()
        self._stored = ""
        self._stored_attachments = ()

    def give_back(self, text: str, attachments: Sequence[Attachment]) -> None:
        """What was sent goes back into the composer, before what is there now."""
        newer, newer_attachments = self.text, self.attachments
        draft = f"{text}\n\n{newer}" if newer.strip() else text
        both = (*attachments, *newer_attachments)
        if attachments:
            self._conversation.attachments_replaced.emit(both)
        self._conversation.draft_replaced.emit(draft)
        if self.source is None:
            self._write(draft, both)
        else:
            self.save()

    def _write(self, text: str, attachments: tuple[Attachment, ...]) -> None:
        conversation = self._conversation
        if not conversation.chat_id or conversation.is_deleted:
            if self.source is None:
                self._stored, self._stored_attachments = text, attachments
            return
        store = conversation.services.store
        if attachments == self._stored_attachments:
            stored = store.save_draft(conversation.chat_id, text)
        else:
            stored = store.save_draft(conversation.chat_id, text, attachments)
        self._stored, self._stored_attachments = text, attachments
        conversation.keeper.watch(stored, None, conversation.notify_unsaved)
