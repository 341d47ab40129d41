"""Chats into files and out of them: what is asked, the progress, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop.chats.chat import ChatSummary
from desktop.chats.transfer.exporting import Chosen, ExportReport, Format, Job, export
from desktop.chats.transfer.file_names import file_stem
from desktop.chats.transfer.importing import Import, ImportReport, import_chats, keys_of
from desktop.views.sidebar.transfer_progress import TransferDialog
from desktop.views.sidebar.transfer_words import colours

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub


class ExportDialog(TransferDialog):
    """Asks for a format and a place, and writes the chats there."""

    def __init__(
        self,
        hub: SessionHub,
        chats: Sequence[ChatSummary],
        parent: QWidget,
        *,
        all_of_them: bool = False,
    ) -> None:
        super().__init__(hub, parent)
        self._chats = [Chosen(chat.id, chat.title) for chat in chats]
        one = len(chats) == 1
        self.setWindowTitle(self.tr("Export"))
        count = self.tr("%n chat(s)", "", len(chats))
        if one:
            count = self.tr("“{title}”").format(title=" ".join(chats[0].title.split()))
        elif all_of_them:
            count = self.tr("All chats: %n", "", len(chats))
        self.set_lead(count)
        column = QVBoxLayout(self.question)
        column.setContentsMargins(0, 0, 0, 0)
        self.formats: dict[Format, QRadioButton] = {}
        group = QButtonGroup(self)
        for form, name, what in self._formats(one):
            button = QRadioButton(name)
            button.setAccessibleName(name)
            button.setAccessibleDescription(what)
            group.addButton(button)
            self.formats[form] = button
            words = QLabel(what)
            words.setProperty("role", "muted")
            words.setWordWrap(True)
            words.setIndent(button.iconSize().width() + column.spacing())
            column.addWidget(button)
            column.addWidget(words)
        first = self.formats[Format.MARKDOWN if one else Format.JSON]
        first.setChecked(True)
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.go.setText(self.tr("Export…"))
        self.go.setAccessibleName(self.tr("Export…"))
        self.go.setEnabled(bool(chats))
        self.go.clicked.connect(lambda _checked=False: self._ask_where())

    def export_to(self, target: Path) -> None:
        """Write the chats to a file; for several as Markdown or HTML, into this new folder."""
        self._hub.save_progress()  # of answers on their way
        store, words = self._hub.store, self.words
        job = Job(
            self._chats,
            self.chosen_format(),
            target,
            fetch=lambda chat_id: store.export_tree(chat_id).result(),
            progress=lambda done: self.advance(done / max(1, len(self._chats)), done),
            labels=words.labels(),
            colours=colours(),
        )
        self.run(lambda: export(job), self._done, self._progress_text)

    def chosen_format(self) -> Format:
        """The format that is chosen."""
        return next(form for form, button in self.formats.items() if button.isChecked())

    def _formats(self, one: bool) -> list[tuple[Format, str, str]]:
        several = "" if one else " " + self.tr("A folder with one file for each chat.")
        return [
            (
                Format.MARKDOWN,
                self.tr("Markdown"),
                self.tr("To read and to go on writing elsewhere. The branch that is shown.")
                + several,
            ),
            (
                Format.HTML,
                self.tr("HTML"),
                self.tr("To read in a browser, to print or to pass on. The branch that is shown.")
                + several,
            ),
            (
                Format.JSON,
                self.tr("JSON"),
                self.tr(
                    "Everything: all branches, attachments and figures. Can be imported again."
                ),
            ),
        ]

    def _ask_where(self) -> None:
        form = self.chosen_format()
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        today = date.today().isoformat()
        name = self.tr("Inglenook chats {day}").format(day=today)
        dialog = QFileDialog(self, self.tr("Export"), folder)
        if form is not Format.JSON and len(self._chats) != 1:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
            dialog.fileSelected.connect(lambda path: self.export_to(Path(path) / file_stem(name)))
        else:
            title = self._chats[0].title if len(self._chats) == 1 else name
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setNameFilter(f"{self.formats[form].text()} (*{form.value})")
            dialog.setDefaultSuffix(form.value.removeprefix("."))
            dialog.selectFile(file_stem(title) + form.value)
            dialog.fileSelected.connect(lambda path: self.export_to(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _progress_text(self, done: int) -> str:
        numbers = QLocale()
        return self.tr("{done} of {total} chats").format(
            done=numbers.toString(done), total=numbers.toString(len(self._chats))
        )

    def _done(self, report: object) -> None:
        assert isinstance(report, ExportReport)
        self.show_result(self.words.exported(report), self.words.problems(report.problems))


class ImportDialog(TransferDialog):
    """Asks for a file, and takes the chats in it over.

    Signals:
        imported: chats were taken over.
    """

    imported = Signal()

    def __init__(self, hub: SessionHub, folders: Sequence[str], parent: QWidget) -> None:
        super().__init__(hub, parent)
        self.setWindowTitle(self.tr("Import chats"))
        self.set_lead(
            self.tr(
                "A JSON file that Inglenook exported, or a ChatGPT export: the .zip as it was "
                "downloaded, or the conversations.json in it. Nothing is sent anywhere."
            )
        )
        column = QVBoxLayout(self.question)
        column.setContentsMargins(0, 0, 0, 0)
        label = QLabel(self.tr("Put them into the folder:"))
        self.folder = QComboBox()
        self.folder.setEditable(True)
        self.folder.addItems(["", *folders])
        unchanged = self.tr("as in the file")
        self.folder.setItemData(0, unchanged, Qt.ItemDataRole.AccessibleTextRole)
        edit = self.folder.lineEdit()
        if edit is not None:
            edit.setPlaceholderText(unchanged)
            edit.setAccessibleName(label.text())
        self.folder.setAccessibleName(label.text())
        self.folder.view().setAccessibleName(label.text())
        label.setBuddy(self.folder)
        self.copies = QCheckBox(self.tr("Import chats that are here already as copies"))
        self.copies.setAccessibleName(self.copies.text())
        hint = QLabel(
            self.tr("Otherwise a chat with the title and the date of one here is passed over.")
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        for widget in (label, self.folder, self.copies, hint):
            column.addWidget(widget)
        self.go.setFocus(Qt.FocusReason.OtherFocusReason)
        self.go.setText(self.tr("Choose a file…"))
        self.go.setAccessibleName(self.tr("Choose a file…"))
        self.go.clicked.connect(lambda _checked=False: self._ask_which())

    def import_from(self, path: Path) -> None:
        """Take over the chats in a file."""
        store, copies = self._hub.store, self.copies.isChecked()
        folder = " ".join(self.folder.currentText().split()) or None

        def work() -> ImportReport:
            here = store.list_chats(include_archived=True).result()
            return import_chats(
                Import(
                    path,
                    add=store.import_tree,
                    present=frozenset() if copies else keys_of(here),
                    folder=folder,
                    progress=self.advance,
                )
            )

        self.run(work, self._done, self._progress_text)

    def _ask_which(self) -> None:
        downloads = QStandardPaths.StandardLocation.DownloadLocation
        dialog = QFileDialog(
            self, self.tr("Import chats"), QStandardPaths.writableLocation(downloads)
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        chats, everything = self.tr("Chats (*.json *.zip)"), self.tr("All files (*)")
        dialog.setNameFilters([chats, everything])
        dialog.fileSelected.connect(lambda path: self.import_from(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _progress_text(self, done: int) -> str:
        return self.tr("%n chat(s) imported so far", "", done)

    def _done(self, report: object) -> None:
        assert isinstance(report, ImportReport)
        self.show_result(self.words.imported(report), self.words.problems(report.problems))
        self.imported.emit()
