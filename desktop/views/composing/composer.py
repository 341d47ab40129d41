"""Where the user writes: plain text, grown to its content, with Send or Stop beside it.

What only some need (attachments, the offer about a large paste, the bar of an edit, the
tools and the token meter) is made when it is first needed: an empty composer is part of the
window's first paint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.chats.chat import Attachment
from desktop.views.composing.composer_editor import (
    HUGE_PASTE,
    SEND_WITH_ENTER,
    Editor,
    cut_long_lines,
)
from desktop.views.composing.composer_row import ComposerRow
from desktop.views.icons import icon

if TYPE_CHECKING:
    from desktop.views.composing.attachment_row import AttachmentRow
    from desktop.views.composing.composer_modes import Draft, EditMode, HistoryWalk
    from desktop.views.composing.paste_offer import PasteOffer

MAX_SHARE = 0.4  # of the tab's height
MIN_LINES = 2
SLACK = 2  # pixels Qt wants below the last line, or it scrolls
ICON_SIZE = 16
# Counting and wrapping every line of a huge text would make typing slow: above this many
# characters the editor has its full height anyhow.
LARGE_TEXT = 50_000


class _Ground(QWidget):
    """The field's rounded ground, its border in the accent while one writes or drops files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._focused = False
        self._dropping = False

    def set_focused(self, focused: bool) -> None:
        """The editor has the keyboard, or not."""
        self._focused = focused
        self.update()

    def set_dropping(self, dropping: bool) -> None:
        """Files are held over the tab, or not."""
        self._dropping = dropping
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(look.colour("accent_soft" if self._dropping else "page"))
            marked = self._focused or self._dropping
            width = look.ring if marked else 1
            painter.setPen(QPen(look.colour("accent" if marked else "line"), width))
            edge = width / 2
            area = self.rect().toRectF().adjusted(edge, edge, -edge, -edge)
            painter.drawRoundedRect(area, look.radius, look.radius)


class Composer(QWidget):
    """See the module.

    Attributes:
        below: the row with the tools and the token meter.
        sent_texts: the chat's messages of the user, newest first; set by the tab.

    Signals:
        send_requested: the whole text; the composer keeps it until `clear` is called.
        stop_requested: the user pressed Stop.
        edited: the text or the attachments changed.
        files_given: list of `Path` to be attached.
        refused: in the user's words, why something was not taken.
        view_requested: an `Attachment` to show.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    edited = Signal()
    files_given = Signal(object)
    refused = Signal(str)
    view_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._active = False
        self._room = 640  # pixels: the tab's height
        self._noted = ""  # the text as last asked for
        self._row: AttachmentRow | None = None
        self._walk: HistoryWalk | None = None
        self._offer: PasteOffer | None = None
        self._edit: EditMode | None = None
        self.sent_texts: Callable[[], Sequence[str]] = tuple
        self.editor = Editor()
        self.editor.setAccessibleName(self.tr("Message"))
        self.editor.setPlaceholderText(self.tr("Write a message"))
        self._connect_editor()

        self.button = QPushButton()
        self.button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.button.clicked.connect(self._on_button)

        self._ground = _Ground()
        self.editor.focused.connect(self._ground.set_focused)
        self._ground.setCursor(Qt.CursorShape.IBeamCursor)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        field = QHBoxLayout(self._ground)
        field.setContentsMargins(space.m, space.s, space.s, space.s)
        field.setSpacing(space.s)
        field.addWidget(self.editor, 1)
        field.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self.below = ComposerRow()

        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(space.xs)
        self._layout.addWidget(self._ground)
        self._layout.addWidget(self.below)
        self.setFocusProxy(self.editor)
        self.set_send_with(SEND_WITH_ENTER)
        self.set_active(False)
        self._fit()
        theme.notifier().changed.connect(self._on_theme_changed)

    # --- content -----------------------------------------------------------------

    def text(self) -> str:
        """What is written."""
        text = self.editor.text()
        if text.strip():
            self._noted = text
        return text

    def set_text(self, text: str) -> None:
        """Replace what is written, with the cursor at its end. Undo brings the old back."""
        cursor = self.editor.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(cut_long_lines(text))
        self.editor.setTextCursor(cursor)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The texts that go with it."""
        return self._row.attachments if self._row is not None else ()

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Attach these and no others."""
        if self._row is not None or attachments:
            self.row.set_attachments(attachments)

    def length(self) -> int:
        """Characters written and attached."""
        return self.editor.length() + sum(len(a.content) for a in self.attachments)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to send."""
        return self.editor.length() == 0 and not self.attachments

    def clear(self) -> None:
        """Empty the field: what was in it was sent."""
        self._noted = ""
        if self._walk is not None:
            self._walk.leave()
        if self._offer is not None:
            self._offer.forget()
        self.editor.clear()
        self.set_attachments(())

    def quote(self, text: str) -> None:
        """Begin a reply to these words."""
        if len(text) > HUGE_PASTE:
            self.offer.attach(text)
            return
        lines = "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))
        cursor = self.editor.textCursor()
        if not cursor.atBlockStart():
            lines = f"\n\n{lines}"
        cursor.insertText(cut_long_lines(f"{lines}\n\n"))
        self.editor.setTextCursor(cursor)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

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
        self.below.set_keys(
            self.tr("Enter sends · Shift+Enter starts a new line")
            if key == SEND_WITH_ENTER
            else self.tr("Ctrl+Enter sends · Enter starts a new line")
        )

    def set_dropping(self, dropping: bool) -> None:
        """Files are held over the tab, or not: show where they go."""
        self._ground.set_dropping(dropping)

    # --- parts made when first needed --------------------------------------------------

    @property
    def row(self) -> AttachmentRow:
        """The attachments."""
        if self._row is None:
            from desktop.views.composing.attachment_row import AttachmentRow

            self._row = AttachmentRow()
            self._row.changed.connect(self._on_changed)
            self._row.refused.connect(self.refused)
            self._row.view_requested.connect(self.view_requested)
            self._layout.insertWidget(self._layout.indexOf(self._ground), self._row)
        return self._row

    @property
    def offer(self) -> PasteOffer:
        """What is offered about a large paste."""
        if self._offer is None:
            from desktop.views.composing.paste_offer import PasteOffer

            self._offer = PasteOffer(self)
            self._layout.insertWidget(0, self._offer.bar)
        return self._offer

    @property
    def walk(self) -> HistoryWalk:
        """What Up brings back."""
        if self._walk is None:
            from desktop.views.composing.composer_modes import HistoryWalk

            self._walk = HistoryWalk(self, lambda: self.sent_texts())
        return self._walk

    @property
    def edit(self) -> EditMode:
        """Editing a message."""
        if self._edit is None:
            from desktop.views.composing.composer_modes import EditMode

            self._edit = EditMode(self)
            self._layout.insertWidget(0, self._edit.bar)
        return self._edit

    @property
    def edited_id(self) -> str:
        """The message that is being edited; "" while none is."""
        return self._edit.message_id if self._edit is not None else ""

    def draft(self) -> Draft:
        """What is to be kept for later: not what is being edited, but what was put aside."""
        from desktop.views.composing.composer_modes import Draft

        aside = self._edit.aside if self._edit is not None else None
        return aside or Draft(self.text(), self.attachments)

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

    def _connect_editor(self) -> None:
        editor = self.editor
        editor.submitted.connect(self._submit)
        editor.textChanged.connect(self._on_edited)
        editor.large_pasted.connect(lambda start: self.offer.offer(start))
        editor.huge_pasted.connect(lambda text: self.offer.attach(text))
        editor.files_given.connect(self.files_given)
        editor.picture_given.connect(self._on_picture)
        editor.older_wanted.connect(lambda: self.walk.older())
        editor.newer_wanted.connect(lambda: self.walk.newer())
        editor.left.connect(lambda: self.edit.leave())

    def _on_edited(self) -> None:
        if self._walk is not None:
            self._walk.on_edited()
        if not self.editor.length() and self._noted:
            self.walk.keep(self._noted)
            self._noted = ""
        self._fit()
        self._on_changed()

    def _on_changed(self) -> None:
        self._set_button_state()
        self.edited.emit()

    def _on_button(self) -> None:
        if self._active:
            self.stop_requested.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        self.send_requested.emit(self.text())

    def _on_picture(self) -> None:
        self.refused.emit(self.tr("This is a picture. Models are given text only here."))

    def _set_button_state(self) -> None:
        self.button.setEnabled(self._active or not self.is_empty)

    def _fit(self) -> None:
        # Lines are as high as the layout makes them, not as the font says.
        layout = self.editor.document().firstBlock().layout()
        line = self.editor.fontMetrics().lineSpacing()
        if layout.lineCount():
            line = max(line, math.ceil(layout.lineAt(0).height()))
        margin = 2 * round(self.editor.document().documentMargin()) + SLACK
        most = max(MIN_LINES, int(self._room * MAX_SHARE) // line)
        lines = most
        if self.editor.length() < LARGE_TEXT:
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
        self.set_active(self._active)
        self._fit()
