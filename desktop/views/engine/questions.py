"""Questions about engines that are asked before something happens that cannot be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

Way = tuple[str, Callable[[], object]]


def ask(window: QWidget, title: str, text: str, more: str, ways: Sequence[Way]) -> QMessageBox:
    """Ask which way to go; Cancel, the default, is none of them.

    Args:
        ways: labels of buttons and what they do.
    """
    box = QMessageBox(window)
    box.setWindowTitle(title)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):  # a folder's name is no markup
        label.setTextFormat(Qt.TextFormat.PlainText)
    for words, go in ways:
        button = box.addButton(words.replace("&", "&&"), QMessageBox.ButtonRole.AcceptRole)
        button.clicked.connect(lambda _checked=False, go=go: go())
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.finished.connect(box.deleteLater)
    box.open()
    return box
