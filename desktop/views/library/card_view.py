"""A model's card: by the renderer of the chats, which fetches nothing and opens nothing itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop import theme
from desktop.chats.chat import Message, MessageStatus, Role
from desktop.models.library.hub_words import repo_owner
from desktop.views.library.state_panel import StatePanel
from desktop.views.transcript.transcript_view import TranscriptView

_ID = "card"


class CardView(QStackedWidget):
    """See the module. HTML has been taken out before (`card_text`); pictures are never shown.

    Signals:
        link_activated: an address that was followed; ask before it is opened.
    """

    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = TranscriptView()
        self.view.offer_only(frozenset())
        self.view.offers_jump = False  # a text to read, not a chat that goes on
        self.view.setAccessibleName(self.tr("What its author says of it"))
        self.view.link_activated.connect(self.link_activated)
        self.nothing = StatePanel()
        self.addWidget(self.view)
        self.addWidget(self.nothing)
        self.setFocusProxy(self.view)

    def show_card(
        self, repo: str, text: str, *, is_cut: bool = False, is_gated: bool = False
    ) -> None:
        """Show a card from its beginning. There is none: `is_gated` says why that may be."""
        if not text.strip():
            words = (
                self.tr("The hub shows it to those whom its owner lets in.")
                if is_gated
                else self.tr("Its author has written nothing about this model.")
            )
            self.nothing.show_words("file", self.tr("No description"), words)
            self.setCurrentWidget(self.nothing)
            return
        if is_cut:
            text += "\n\n---\n\n*" + self.tr("The rest of this description is too long.") + "*"
        message = Message(
            id=_ID,
            chat_id=repo,
            parent_id=None,
            role=Role.ASSISTANT,
            content=text,
            status=MessageStatus.COMPLETE,
            model=self.tr("{owner} writes").format(owner=repo_owner(repo) or repo),
        )
        self.view.set_messages(())
        self.view.set_messages((message,))
        self.view.begin_at(_ID, -1, -theme.current().space.xxl)  # with all that is above it
        self.setCurrentWidget(self.view)

    def clear(self) -> None:
        """Show nothing."""
        self.view.set_messages(())
        self.setCurrentWidget(self.view)
