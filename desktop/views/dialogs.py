"""The small dialogs: a link's full address, the engine's log, a fault of the program."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.views.transcript.link_facts import LinkFacts, facts_of


class TextDialog(QDialog):
    """A text to read and copy, in the face for code."""

    def __init__(self, title: str, lead: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 480)
        head = QLabel(lead)
        head.setWordWrap(True)
        head.setTextFormat(Qt.TextFormat.PlainText)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.current().mono_font())
        self.text.setAccessibleName(title)
        self.text.setPlainText(text)
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton(self.tr("Copy all"))
        copy.clicked.connect(
            lambda _checked=False: QGuiApplication.clipboard().setText(self.text.toPlainText())
        )
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.m)
        layout.addWidget(head)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)


class LinkDialog(QMessageBox):
    """Shows where a link leads, whole, before the browser opens it."""

    def __init__(
        self,
        address: str,
        parent: QWidget | None = None,
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._url = QUrl(address, QUrl.ParsingMode.StrictMode)
        self._open_url = open_url
        self.setWindowTitle(self.tr("Open a link"))
        facts = facts_of(address)
        self.opens = facts.opens
        if self.opens:
            question = self.tr("Open a page of {host} in your browser?").format(host=facts.host)
            notes = self._notes(facts)
            self.setText("\n\n".join([question, *notes]))
            self.setInformativeText(facts.shown)
            if notes:
                self.setIcon(QMessageBox.Icon.Warning)
            button = self.addButton(
                self.tr("Open in the browser"), QMessageBox.ButtonRole.AcceptRole
            )
            button.clicked.connect(lambda _checked=False: self._open_url(self._url))
            self.setDefaultButton(self.addButton(QMessageBox.StandardButton.Cancel))
        else:
            self.setText(self.tr("Only web addresses (http, https) are opened. This one is not:"))
            self.setInformativeText(address)
            self.addButton(QMessageBox.StandardButton.Close)
        for label in self.findChildren(QLabel):
            # Else Qt would take an address with angle brackets for its own markup.
            label.setTextFormat(Qt.TextFormat.PlainText)

    def _notes(self, facts: LinkFacts) -> list[str]:
        """What one should know before following it."""
        notes: list[str] = []
        if facts.user:
            notes.append(
                self.tr("“{user}” is only a user name here: the page is one of {host}.").format(
                    user=facts.user, host=facts.host
                )
            )
        if facts.written:
            notes.append(
                self.tr(
                    "The name is written in other letters ({name}), which may look like those "
                    "of a name you know."
                ).format(name=facts.written)
            )
        if facts.is_near:
            notes.append(self.tr("It leads to this computer or to your own network."))
        return notes


def show_log(parent: QWidget, text: str, detail: str = "") -> TextDialog:
    """Open the engine's log."""
    lead = QCoreApplication.translate(
        "TextDialog", "The last lines the engine wrote. They hold no text of your chats."
    )
    if detail:
        text = f"{text}\n\n{detail}".strip()
    nothing = QCoreApplication.translate("TextDialog", "The engine has written nothing yet.")
    dialog = TextDialog(
        QCoreApplication.translate("TextDialog", "Engine log"), lead, text or nothing, parent
    )
    dialog.open()
    return dialog
