"""What a tab does with files: read them off this thread, attach what is text, say what is not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QDir, QObject, Qt

from desktop.chats.chat import Attachment
from desktop.models.notice import NoticeLevel

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.models.writing.attachment_reader import ReadFile
    from desktop.views.tabs.chat_tab import ChatTab

MOST_SHOWN = 200_000  # characters of a text; more would take the window's time
MOST_REFUSALS = 3  # that are told one by one
REFUSED = "refused"  # the code of a notice that goes with the next key


class TabAttaching(QObject):
    """The attachments of a `ChatTab`'s composer."""

    _folder = ""  # where files were chosen last, in whichever tab

    def __init__(self, tab: ChatTab, hub: SessionHub) -> None:
        super().__init__(tab)
        self._tab = tab
        self._hub = hub
        self._composer = tab.composer
        self._reading: list[Path] = []
        self._refusals: list[str] = []  # of the files that were given together
        self._composer.files_given.connect(self.attach)
        self._composer.refused.connect(self._on_refused)
        self._composer.view_requested.connect(self._show_attachment)
        self._composer.below.attach_requested.connect(self.choose_files)

    def choose_files(self) -> None:
        """Ask for files to attach."""
        from PySide6.QtWidgets import QFileDialog

        folder = TabAttaching._folder or QDir.homePath()
        dialog = QFileDialog(self._tab, self.tr("Attach text files"), folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._on_chosen)
        dialog.open()

    def _on_chosen(self, names: list[str]) -> None:
        paths = [Path(name) for name in names]
        if paths:
            TabAttaching._folder = str(paths[0].parent)
        self.attach(paths)

    def attach(self, paths: Sequence[Path]) -> None:
        """Read these files, off this thread, and attach those that are text."""
        from desktop.background import in_thread
        from desktop.models.writing.attachment_reader import MAX_FILES, read_file

        room = MAX_FILES - len(self._composer.attachments) - len(self._reading)
        if len(paths) > room:
            self._on_refused(
                self.tr("At most {count} texts go with one message.").format(count=MAX_FILES)
            )
            return
        if not self._reading:
            self._refusals = []
        for path in paths:
            self._reading.append(path)
            self._hub.background.watch(
                in_thread(partial(read_file, path), "read attachment"),
                partial(self._on_read, path),
                partial(self._on_unreadable, path),
            )
        self._show_reading()

    # --- inside --------------------------------------------------------------------

    def _on_read(self, path: Path, file: ReadFile) -> None:
        if not shiboken6.isValid(self._composer):
            return  # the tab was closed meanwhile
        self._reading.remove(path)
        self._show_reading()
        if self._composer.row.add(file.attachment) and file.note:
            self._tab.session.notify(NoticeLevel.HINT, file.note, REFUSED)

    def _on_unreadable(self, path: Path, error: Exception) -> None:
        if not shiboken6.isValid(self._composer):
            return
        self._reading.remove(path)
        self._show_reading()
        self._refusals.append(str(error))
        shown = self._refusals[:MOST_REFUSALS]
        more = len(self._refusals) - len(shown)
        if more:
            shown.append(self.tr("And {count} more could not be attached.").format(count=more))
        self._on_refused("\n".join(shown))

    def _show_reading(self) -> None:
        from desktop.models.writing.attachment_reader import shown_name

        self._composer.row.set_reading([shown_name(path.name) for path in self._reading])

    def _on_refused(self, words: str) -> None:
        self._tab.session.notify(NoticeLevel.WARNING, words, REFUSED)

    def _show_attachment(self, attachment: Attachment) -> None:
        from desktop.models.writing.attachment_reader import size_text
        from desktop.views.dialogs import TextDialog

        size = size_text(len(attachment.content))
        if len(attachment.content) > MOST_SHOWN:
            size = self.tr("{size}; the first {shown} are shown").format(
                size=size, shown=size_text(MOST_SHOWN)
            )
        text = attachment.content[:MOST_SHOWN]
        dialog = TextDialog(attachment.name, size, text, self._tab)
        dialog.text.verticalScrollBar().setValue(0)
        dialog.open()
