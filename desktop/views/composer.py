"""Where the user writes: plain text, grown to its content, with Send or Stop beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.views.icons import icon

# Qt lays a whole paragraph out again on each key, in quadratic time for one long word: a
# megabyte without a line break would block for a minute. So long lines are cut into
# paragraphs for show; the invisible mark before the break says that it is none of the
# user's, and it is taken out of everything that leaves the editor.
LONG_LINE = 2000
SOFT_MARK = "\u2063\u2064\u2063"
SOFT_BREAK = f"{SOFT_MARK}\n"
MAX_SHARE = 0.4  # of the tab's height
MIN_LINES = 2
SLACK = 2  # pixels Qt wants below the last line, or it scrolls
ICON_SIZE = 16
# Counting and wrapping every line of a huge text would make typing slow: above this many
# characters the editor has its full height anyhow.
LARGE_TEXT = 50_000
# A rough measure until the engine counts: English has about four characters a token.
CHARACTERS_A_TOKEN = 4
SEND_WITH_ENTER = "enter"
SEND_WITH_CTRL_ENTER = "ctrl+enter"


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


def _unified(text: str) -> str:
    """With line feeds for line breaks, whatever the clipboard's owner uses."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _pieces(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > LONG_LINE:
        space = line.rfind(" ", start, start + LONG_LINE)
        end = space + 1 if space >= start + LONG_LINE // 2 else start + LONG_LINE
        yield line[start:end]
        start = end
    yield line[start:]


class Editor(QPlainTextEdit):
    """The text field. Emits `submitted` for the key that sends.

    Signals:
        submitted: the user pressed the key that sends.
        focused: keyboard focus came or went.
    """

    submitted = Signal()
    focused = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.send_with = SEND_WITH_ENTER
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # The frame around it draws ground and border.
        self.setStyleSheet("QPlainTextEdit { border: none; background: transparent; padding: 0; }")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter or Ctrl+Enter, as the user chose."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            ctrl = modifiers == Qt.KeyboardModifier.ControlModifier
            plain = modifiers == Qt.KeyboardModifier.NoModifier
            if ctrl or (plain and self.send_with == SEND_WITH_ENTER):
                self.submitted.emit()
                return
            if plain or modifiers == Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
                self.ensureCursorVisible()
                return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text only, without its look."""
        if source.hasText():
            self.insertPlainText(cut_long_lines(_unified(source.text())))
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy what the user wrote, without our breaks."""
        data = QMimeData()
        selected = self.textCursor().selection().toPlainText()
        data.setText(without_soft_breaks(selected))
        return data

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard came."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard went."""
        super().focusOutEvent(event)
        self.focused.emit(False)


class _Ground(QWidget):
    """The field's rounded ground, its border in the accent while one writes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._focused = False

    def set_focused(self, focused: bool) -> None:
        """The editor has the keyboard, or not."""
        self._focused = focused
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(look.colour("page"))
            painter.setPen(QPen(look.colour("accent" if self._focused else "line"), 1))
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)


class Composer(QWidget):
    """See the module.

    Signals:
        send_requested: the whole text; the composer keeps it until `clear` is called.
        stop_requested: the user pressed Stop.
        edited: the text changed.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._active = False
        self._context = 0
        self.editor = Editor()
        self.editor.setAccessibleName(self.tr("Message"))
        self.editor.setPlaceholderText(self.tr("Write a message"))
        self.editor.submitted.connect(self._submit)
        self.editor.textChanged.connect(self._on_edited)

        self.button = QPushButton()
        self.button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.button.clicked.connect(self._on_button)

        self._keys = QLabel()
        self._keys.setProperty("role", "muted")
        self._size = QLabel()
        self._size.setProperty("role", "muted")
        self._size.setFont(theme.current().figure_font())

        self._ground = _Ground()
        self.editor.focused.connect(self._ground.set_focused)
        self._ground.setCursor(Qt.CursorShape.IBeamCursor)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        field = QHBoxLayout(self._ground)
        field.setContentsMargins(space.m, space.s, space.s, space.s)
        field.setSpacing(space.s)
        field.addWidget(self.editor, 1)
        field.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)

        below = QHBoxLayout()
        below.setContentsMargins(space.m, 0, space.m, 0)
        below.addWidget(self._keys)
        below.addStretch(1)
        below.addWidget(self._size)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space.xs)
        layout.addWidget(self._ground)
        layout.addLayout(below)
        self.setFocusProxy(self.editor)
        self.set_send_with(SEND_WITH_ENTER)
        self.set_active(False)
        self._fit()
        theme.notifier().changed.connect(self._on_theme_changed)

    # --- content -----------------------------------------------------------------

    def text(self) -> str:
        """What is written."""
        return without_soft_breaks(self.editor.toPlainText())

    def set_text(self, text: str) -> None:
        """Replace what is written, with the cursor at its end. Undo brings the old back."""
        cursor = self.editor.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(cut_long_lines(text))
        self.editor.setTextCursor(cursor)

    def clear(self) -> None:
        """Empty the field."""
        self.editor.clear()

    # --- state -------------------------------------------------------------------

    @property
    def is_active(self) -> bool:
        """Whether the button is Stop."""
        return self._active

    def set_active(self, active: bool) -> None:
        """An answer is on its way: the button stops it. Else it sends."""
        self._active = active
        label = self.tr("Stop") if active else self.tr("Send")
        self.button.setText(label)
        self.button.setAccessibleName(
            self.tr("Stop the answer") if active else self.tr("Send the message")
        )
        self.button.setProperty("kind", "" if active else "primary")
        # Before its first show the style sheet has not been applied yet.
        if self.button.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)
        self.button.setIcon(icon("stop") if active else icon("send", "on_accent"))
        self._set_button_state()

    def set_send_with(self, key: str) -> None:
        """Choose which key sends: "enter" or "ctrl+enter"."""
        self.editor.send_with = key
        self._keys.setText(
            self.tr("Enter sends · Shift+Enter starts a new line")
            if key == SEND_WITH_ENTER
            else self.tr("Ctrl+Enter sends · Enter starts a new line")
        )

    def set_context(self, tokens: int) -> None:
        """How much the model reads, for the note about long texts; 0: unknown."""
        if tokens != self._context:
            self._context = tokens
            self._note_size()

    def size_note(self) -> str:
        """The words about the text's size; empty for ordinary ones."""
        return self._size.text()

    # --- Qt ------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """Another text size needs another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def fit_into(self, height: int) -> None:
        """The tab has this height in pixels: the field may take its share."""
        self._room = height
        self._fit()

    # --- inside --------------------------------------------------------------------

    _room = 640

    def _length(self) -> int:
        return self.editor.document().characterCount() - 1

    def _on_edited(self) -> None:
        self._fit()
        self._note_size()
        self._set_button_state()
        self.edited.emit()

    def _on_button(self) -> None:
        if self._active:
            self.stop_requested.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        self.send_requested.emit(self.text())

    def _set_button_state(self) -> None:
        self.button.setEnabled(self._active or self._length() > 0)

    def _note_size(self) -> None:
        length = self._length()
        tokens = length // CHARACTERS_A_TOKEN
        text = ""
        if self._context and tokens > self._context:
            text = self.tr("About {tokens} tokens; the model reads {context}").format(
                tokens=f"{tokens:,}", context=f"{self._context:,}"
            )
        elif length >= 1000:
            text = self.tr("{characters} characters").format(characters=f"{length:,}")
        self._size.setText(text)

    def _fit(self) -> None:
        # Lines are as high as the layout makes them, not as the font says.
        layout = self.editor.document().firstBlock().layout()
        line = self.editor.fontMetrics().lineSpacing()
        if layout.lineCount():
            line = max(line, math.ceil(layout.lineAt(0).height()))
        margin = 2 * round(self.editor.document().documentMargin()) + SLACK
        most = max(MIN_LINES, int(self._room * MAX_SHARE) // line)
        lines = most
        if self._length() < LARGE_TEXT:
            lines = min(max(MIN_LINES, self._line_count(most)), most)
        self.editor.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if lines < most
            else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        height = lines * line + margin
        if height != self.editor.height():
            self.editor.setFixedHeight(height)

    def _line_count(self, most: int) -> int:
        """Visual lines, counted no further than needed."""
        lines = 0
        block = self.editor.document().begin()
        while block.isValid() and lines < most:
            # A block that was not laid out yet has no lines: it has one at least.
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

    def _on_theme_changed(self) -> None:
        self._size.setFont(theme.current().figure_font())
        self.set_active(self._active)
        self._fit()
