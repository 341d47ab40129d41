"""A large paste reads better as an attachment: offered, and done at once where it is huge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from desktop.chats.chat import Attachment, new_id
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.writing.attachment_reader import MAX_TOTAL, size_text
from desktop.views.composing.composer_editor import cut_long_lines, without_soft_breaks
from desktop.views.tabs.notice_bar import NoticeBar

if TYPE_CHECKING:
    from desktop.views.composing.composer import Composer

# A text this large cannot be edited without a wait on every key.
MAX_IN_MESSAGE: Final = 1_000_000  # characters


class PasteOffer(QObject):
    """One offer at a time, about the newest paste.

    Attributes:
        bar: the words and the buttons; hidden while there is no offer.
    """

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self._pasted: QTextCursor | None = None
        self._attachment: Attachment | None = None
        self.bar = NoticeBar()
        self.bar.dismissed.connect(self.forget)

    def offer(self, start: int) -> None:
        """A large text was just pasted: it begins at `start`, and the cursor is at its end."""
        editor = self._composer.editor
        # The cursor's two ends move along with whatever is typed before and after.
        cursor = editor.textCursor()
        end = cursor.position()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.setKeepPositionOnInsert(True)
        self._pasted, self._attachment = cursor, None
        size = size_text(end - start)
        self._say(self.tr("You pasted {size}.").format(size=size))
        self.bar.add_button(self.tr("Attach as text file"), self._attach_pasted)
        self.bar.add_button(self.tr("Keep in the message"), self.forget)

    def attach(self, text: str) -> None:
        """A huge text was pasted: it becomes an attachment at once."""
        if len(text) > MAX_TOTAL:
            self._composer.refused.emit(
                self.tr("What you pasted is too large for a message: {size}.").format(
                    size=size_text(len(text))
                )
            )
            return
        attachment = self._named(text)
        if not self._composer.row.add(attachment):
            return
        self._pasted, self._attachment = None, attachment
        self._say(
            self.tr("What you pasted ({size}) was attached as a text.").format(
                size=size_text(len(text))
            )
        )
        if len(text) <= MAX_IN_MESSAGE:
            self.bar.add_button(self.tr("Put it into the message instead"), self._put_back)
        else:
            self.bar.add_button(self.tr("Undo"), self._take_away)

    def forget(self) -> None:
        """The offer is over."""
        self._pasted = self._attachment = None
        self.bar.show_notice(NO_NOTICE)

    # --- inside ------------------------------------------------------------------------

    def _say(self, words: str) -> None:
        self.bar.show_notice(Notice(NoticeLevel.HINT, words))

    def _attach_pasted(self) -> None:
        cursor = self._pasted
        if cursor is None or not cursor.hasSelection():
            self.forget()
            return
        text = without_soft_breaks(cursor.selection().toPlainText())
        if self._composer.row.add(self._named(text)):
            cursor.removeSelectedText()
        self.forget()
        self._composer.editor.setFocus()

    def _put_back(self) -> None:
        attachment = self._attachment
        self.forget()
        if attachment is not None and attachment in self._composer.attachments:
            self._composer.row.remove(attachment.id)
            self._composer.editor.insertPlainText(cut_long_lines(attachment.content))
        self._composer.editor.setFocus()

    def _take_away(self) -> None:
        if self._attachment is not None:
            self._composer.row.remove(self._attachment.id)
        self.forget()
        self._composer.editor.setFocus()

    def _named(self, text: str) -> Attachment:
        """With a name that no other attachment has."""
        taken = {attachment.name for attachment in self._composer.attachments}
        number = 1
        while (name := self._name(number)) in taken:
            number += 1
        return Attachment(new_id(), name, text)

    def _name(self, number: int) -> str:
        if number == 1:
            return self.tr("Pasted text.txt")
        return self.tr("Pasted text {number}.txt").format(number=number)
