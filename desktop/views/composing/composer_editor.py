"""The composer's text field: keys, pastes and drops, and very long lines made harmless."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop.views.dropped_model import dropped_model

# Qt lays a whole paragraph out again on each key, in quadratic time for one long word: a
# megabyte without a line break would block for a minute. So long lines are cut into
# paragraphs for show; the invisible mark before the break says that it is none of the
# user's, and it is taken out of everything that leaves the editor.
LONG_LINE = 2000
SOFT_MARK = "\u2063\u2064\u2063"
SOFT_BREAK = f"{SOFT_MARK}\n"
SEND_WITH_ENTER = "enter"
# A paste of this size reads better as an attachment: it is offered.
LARGE_PASTE = 8_000  # characters
LARGE_PASTE_LINES = 200
# One of this size would make every key slow: it becomes an attachment at once.
HUGE_PASTE = 200_000  # characters


def cut_long_lines(text: str) -> str:
    """`text` with soft breaks where a line is very long, at spaces if there are any."""
    if len(text) <= LONG_LINE:
        return text
    return "\n".join(
        SOFT_BREAK.join(_pieces(line)) if len(line) > LONG_LINE else line
        for line in text.split("\n")
    )


def without_soft_breaks(text: str) -> str:
    """What `cut_long_lines` was given, with the user's changes since."""
    return text.replace(SOFT_BREAK, "").replace(SOFT_MARK, "")


def local_files(data: QMimeData) -> list[Path]:
    """The files of this computer that are dragged or were copied; empty if it is no such list."""
    if not data.hasUrls():
        return []
    urls = data.urls()
    if not all(url.isLocalFile() for url in urls):
        return []
    return [Path(url.toLocalFile()) for url in urls]


def _unified(text: str) -> str:
    """With line feeds for line breaks, whatever the clipboard's owner uses."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _pieces(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > LONG_LINE:
        space = line.rfind(" ", start, start + LONG_LINE)
        end = space + 1 if space >= start + LONG_LINE // 2 else start + LONG_LINE
        yield line[start:end]
        start = end
    yield line[start:]


class Editor(QPlainTextEdit):
    """The text field.

    Signals:
        submitted: the user pressed the key that sends.
        focused: keyboard focus came or went.
        large_pasted: a large text was pasted; where it begins in the document.
        huge_pasted: a text that is too large to be edited here; it was not inserted.
        files_given: list of `Path`, pasted or dropped.
        picture_given: a picture was pasted or dropped.
        older_wanted, newer_wanted: Up or Down where the cursor can go no further.
        left: the user pressed Escape.
    """

    submitted = Signal()
    focused = Signal(bool)
    large_pasted = Signal(int)
    huge_pasted = Signal(object)  # a str: as such it would be copied to Qt's and back
    files_given = Signal(object)
    picture_given = Signal()
    older_wanted = Signal()
    newer_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.send_with = SEND_WITH_ENTER
        self.takes_escape = False  # while there is something that Escape leaves
        self.walks_history = False  # while Up and Down go through earlier texts
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # The frame around it draws ground and border.
        self.setStyleSheet("QPlainTextEdit { border: none; background: transparent; padding: 0; }")

    def length(self) -> int:
        """Characters written."""
        return self.document().characterCount() - 1

    def text(self) -> str:
        """What is written, without our breaks."""
        return without_soft_breaks(self.toPlainText())

    # --- Qt ------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter or Ctrl+Enter, as the user chose; walk through earlier texts."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = modifiers == Qt.KeyboardModifier.NoModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            ctrl = modifiers == Qt.KeyboardModifier.ControlModifier
            if ctrl or (plain and self.send_with == SEND_WITH_ENTER):
                self.submitted.emit()
                return
            if plain or modifiers == Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
                self.ensureCursorVisible()
                return
        if plain and (self.walks_history or not self.length()):
            if event.key() == Qt.Key.Key_Up:
                self.older_wanted.emit()
                return
            if event.key() == Qt.Key.Key_Down and self.walks_history:
                self.newer_wanted.emit()
                return
        if plain and event.key() == Qt.Key.Key_Escape and self.takes_escape:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim Escape before the window's own use of it, while there is something to leave."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.takes_escape
        ):
            event.accept()
            return True
        return super().event(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Texts, files, and pictures (to say why not); not a model, which is the window's."""
        if dropped_model(source) is not None:
            return False
        return source.hasText() or source.hasUrls() or source.hasImage()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text only, without its look; files are attached."""
        files = local_files(source)
        if files:
            self.files_given.emit(files)
            return
        if not source.hasText():
            if source.hasImage():
                self.picture_given.emit()
            return
        text = _unified(source.text())
        if len(text) > HUGE_PASTE:
            self.huge_pasted.emit(text)
            return
        start = self.textCursor().selectionStart()
        self.insertPlainText(cut_long_lines(text))
        self.ensureCursorVisible()
        if len(text) > LARGE_PASTE or text.count("\n") >= LARGE_PASTE_LINES:
            self.large_pasted.emit(start)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy what the user wrote, without our breaks."""
        # Qt's own object, emptied: one that Python made would call Python back when the
        # clipboard lets go of it, which may be after Python has ended.
        data = super().createMimeDataFromSelection()
        text = without_soft_breaks(data.text())
        data.clear()
        data.setText(text)
        return data

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard came."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard went."""
        super().focusOutEvent(event)
        self.focused.emit(False)
