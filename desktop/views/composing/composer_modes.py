"""What else the composer's field shows than a new message: an earlier text, or an old message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop.chats.chat import Attachment
from desktop.models.notice import Notice, NoticeLevel
from desktop.models.writing.composer_history import ComposerHistory
from desktop.views.tabs.notice_bar import NoticeBar

if TYPE_CHECKING:
    from desktop.views.composing.composer import Composer


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in a composer, or would if no message were being edited."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()


class HistoryWalk(QObject):
    """Up and Down in an empty field go through earlier texts, until one is edited."""

    def __init__(self, composer: Composer, sent_texts: Callable[[], Sequence[str]]) -> None:
        super().__init__(composer)
        self._composer = composer
        self._sent_texts = sent_texts
        self._history = ComposerHistory()
        self._showing = False

    def older(self) -> None:
        """Up."""
        self._show(self._history.older(self._composer.text(), self._sent_texts()))

    def newer(self) -> None:
        """Down."""
        self._show(self._history.newer(self._composer.text()))

    def on_edited(self) -> None:
        """The text changed: unless we did it, it is the user's from now on."""
        if not self._showing:
            self.leave()

    def leave(self) -> None:
        """The next Up begins anew."""
        self._history.leave()
        self._composer.editor.walks_history = False

    def keep(self, text: str) -> None:
        """A text that is thrown away unsent: Up finds it again."""
        self._history.keep_draft(text)

    def _show(self, text: str | None) -> None:
        if text is not None:
            self._showing = True
            self._composer.set_text(text)
            self._showing = False
        self._composer.editor.walks_history = self._history.is_walking


class EditMode(QObject):
    """An old message is in the field; the draft waits aside.

    Attributes:
        message_id: of the message; "" while none is edited.
    """

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self.message_id = ""
        self.aside: Draft | None = None
        self.bar = NoticeBar(closable=False)

    def begin(self, message_id: str, draft: Draft, words: str) -> None:
        """Put `draft` into the field, to become another form of the message."""
        composer = self._composer
        if self.aside is None:
            self.aside = Draft(composer.text(), composer.attachments)
        self.message_id = message_id
        self.bar.show_notice(Notice(NoticeLevel.HINT, words))
        self.bar.add_button(self.tr("Cancel"), self.leave)
        composer.editor.takes_escape = True
        composer.set_text(draft.text)
        composer.set_attachments(draft.attachments)
        composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self, *, restore: bool = True) -> None:
        """It was sent, or given up: the draft comes back."""
        aside, self.aside = self.aside, None
        if aside is None:
            return
        self.message_id = ""
        self._composer.editor.takes_escape = False
        self.bar.hide()
        if restore:
            self._composer.set_text(aside.text)
            self._composer.set_attachments(aside.attachments)

    def leave(self) -> None:
        """Give it up; what was written is found again with Up."""
        self._composer.walk.keep(self._composer.text())
        self.end()
