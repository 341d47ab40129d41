"""Where the user writes: plain text, grown to its content, with Send or Stop beside it.

What only some need (attachments, the offer about a large paste, the bar of an edit, the
tools and the token meter) is made when it is first needed: an empty composer is part of the
window's first paint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.chats.chat import Attachment
from desktop.views.composer_editor import SEND_WITH_ENTER, Editor, cut_long_lines
from desktop.views.icons import icon

if TYPE_CHECKING:
    from desktop.models.composer_history import ComposerHistory
    from desktop.models.token_meter import MeterReading
    from desktop.views.attachment_row import AttachmentRow
    from desktop.views.composer_tools import ComposerTools, MeterView
    from desktop.views.notice_bar import NoticeBar
    from desktop.views.paste_offer import PasteOffer

MAX_SHARE = 0.4  # of the tab's height
MIN_LINES = 2
SLACK = 2  # pixels Qt wants below the last line, or it scrolls
ICON_SIZE = 16
# Counting and wrapping every line of a huge text would make typing slow: above this many
# characters the editor has its full height anyhow.
LARGE_TEXT = 50_000
HINT_ROOM = 620  # pixels; a narrower composer leaves out what the keys do


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the composer, or would if no message were being edited."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()


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
        edited: the text or the attachments changed.
        files_given: list of `Path` to be attached.
        refused: in the user's words, why something was not taken.
        view_requested: an `Attachment` to show.
        attach_requested, settings_requested: the tools' buttons.
        edit_left: the user gave up editing a message.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    edited = Signal()
    files_given = Signal(object)
    refused = Signal(str)
    view_requested = Signal(object)
    attach_requested = Signal()
    settings_requested = Signal()
    edit_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._active = False
        self._row: AttachmentRow | None = None
        self._tools: ComposerTools | None = None
        self._meter: MeterView | None = None
        self._warning: QLabel | None = None
        self._history: ComposerHistory | None = None
        self._offer: PasteOffer | None = None
        self._edit_bar: NoticeBar | None = None
        self._aside: Draft | None = None
        self.edited_id = ""  # the message being edited
        self.sent_texts: Callable[[], Sequence[str]] = tuple  # newest first
        self.editor = Editor()
        self.editor.setAccessibleName(self.tr("Message"))
        self.editor.setPlaceholderText(self.tr("Write a message"))
        self.editor.submitted.connect(self._submit)
        self.editor.textChanged.connect(self._on_edited)
        self.editor.large_pasted.connect(lambda start: self.offer.offer(start))
        self.editor.huge_pasted.connect(lambda text: self.offer.attach(text))
        self.editor.files_given.connect(self.files_given)
        self.editor.picture_given.connect(self._on_picture)
        self.editor.older_wanted.connect(self._show_older)
        self.editor.newer_wanted.connect(self._show_newer)
        self.editor.left.connect(self._leave)

        self.button = QPushButton()
        self.button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.button.clicked.connect(self._on_button)

        self._keys = QLabel()
        self._keys.setProperty("role", "muted")

        self._ground = _Ground()
        self.editor.focused.connect(self._ground.set_focused)
        self._ground.setCursor(Qt.CursorShape.IBeamCursor)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        field = QHBoxLayout(self._ground)
        field.setContentsMargins(space.m, space.s, space.s, space.s)
        field.setSpacing(space.s)
        field.addWidget(self.editor, 1)
        field.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)

        self._below = QHBoxLayout()
        self._below.setContentsMargins(space.m, 0, space.m, 0)
        self._below.setSpacing(space.m)
        self._below.addWidget(self._keys)
        self._below.addStretch(1)

        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(space.xs)
        self._layout.addWidget(self._ground)
        self._layout.addLayout(self._below)
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

    def draft(self) -> Draft:
        """What is to be kept for later: not what is being edited, but what was put aside."""
        return self._aside or Draft(self.text(), self.attachments)

    def clear(self) -> None:
        """Empty the field: what was in it was sent."""
        self._noted = ""
        if self._history is not None:
            self._history.leave()
            self.editor.walks_history = False
        if self._offer is not None:
            self._offer.forget()
        self.editor.clear()
        self.set_attachments(())

    def quote(self, text: str) -> None:
        """Begin a reply to these words."""
        lines = "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))
        cursor = self.editor.textCursor()
        if not cursor.atBlockStart():
            lines = f"\n\n{lines}"
        cursor.insertText(cut_long_lines(f"{lines}\n\n"))
        self.editor.setTextCursor(cursor)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- editing a message ---------------------------------------------------------

    def begin_edit(
        self, message_id: str, text: str, attachments: Sequence[Attachment], words: str
    ) -> None:
        """Show a message to be changed; the draft is put aside. `words`: what is edited."""
        if self._aside is None:
            self._aside = Draft(self.text(), self.attachments)
        self.edited_id = message_id
        self._show_edit_bar(words)
        self.editor.takes_escape = True
        self.set_text(text)
        self.set_attachments(attachments)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def end_edit(self, *, restore: bool = True) -> None:
        """The edit was sent, or given up: the draft comes back."""
        aside, self._aside = self._aside, None
        if aside is None:
            return
        self.edited_id = ""
        self.editor.takes_escape = False
        if self._edit_bar is not None:
            self._edit_bar.hide()
        if restore:
            self.set_text(aside.text)
            self.set_attachments(aside.attachments)

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

    def equip(self) -> ComposerTools:
        """Show the tools: the chat is one that has settings."""
        if self._tools is None:
            from desktop.views.composer_tools import ComposerTools, MeterView

            self._tools = ComposerTools()
            self._tools.attach_requested.connect(self.attach_requested)
            self._tools.settings_requested.connect(self.settings_requested)
            self._below.insertWidget(0, self._tools)
            space = theme.current().space
            self._below.setContentsMargins(space.xs, 0, space.m, 0)
            self._meter = MeterView()
            self._below.addWidget(self._meter)
            self._fit_tools()
        return self._tools

    def set_reading(self, reading: MeterReading) -> None:
        """Show what the token meter says."""
        from desktop.models.meter_text import meter_warning

        self.equip()
        if self._meter is not None:
            self._meter.show_reading(reading)
        words = meter_warning(reading)
        if words and self._warning is None:
            self._warning = QLabel()
            self._warning.setProperty("role", "warning")
            self._warning.setWordWrap(True)
            self._warning.setTextFormat(Qt.TextFormat.PlainText)
            space = theme.current().space
            self._warning.setContentsMargins(space.m, 0, space.m, 0)
            self._layout.addWidget(self._warning)
        if self._warning is not None:
            self._warning.setText(words)
            self._warning.setVisible(bool(words))

    def meter_words(self) -> str:
        """All that the token meter says; empty while it says nothing."""
        return self._meter.accessibleName() if self._meter is not None else ""

    # --- Qt ------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """Another text size needs another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow composer leaves the hints out."""
        super().resizeEvent(event)
        self._fit_tools()

    def fit_into(self, height: int) -> None:
        """The tab has this height in pixels: the field may take its share."""
        self._room = height
        self._fit()

    # --- parts made when first needed --------------------------------------------------

    @property
    def row(self) -> AttachmentRow:
        """The attachments."""
        if self._row is None:
            from desktop.views.attachment_row import AttachmentRow

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
            from desktop.views.paste_offer import PasteOffer

            self._offer = PasteOffer(self)
            self._layout.insertWidget(0, self._offer.bar)
        return self._offer

    @property
    def history(self) -> ComposerHistory:
        """What Up brings back."""
        if self._history is None:
            from desktop.models.composer_history import ComposerHistory

            self._history = ComposerHistory()
        return self._history

    def _show_edit_bar(self, words: str) -> None:
        from desktop.models.notice import Notice, NoticeLevel
        from desktop.views.notice_bar import NoticeBar

        if self._edit_bar is None:
            self._edit_bar = NoticeBar(closable=False)
            self._layout.insertWidget(0, self._edit_bar)
        self._edit_bar.show_notice(Notice(NoticeLevel.HINT, words))
        self._edit_bar.add_button(self.tr("Cancel"), self._leave)

    # --- inside --------------------------------------------------------------------

    _room = 640  # pixels: the tab's height
    _noted = ""  # the text as last asked for
    _walking = False

    def _on_edited(self) -> None:
        if self.editor.walks_history and not self._walking:
            self.history.leave()  # it is the user's text from now on
            self.editor.walks_history = False
        if not self.editor.length() and self._noted:
            self.history.keep_draft(self._noted)
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

    def _leave(self) -> None:
        self.history.keep_draft(self.text())
        self.end_edit()
        self.edit_left.emit()

    def _on_picture(self) -> None:
        self.refused.emit(self.tr("This is a picture. Models are given text only here."))

    def _show_older(self) -> None:
        self._walk_to(self.history.older(self.text(), self.sent_texts()))

    def _show_newer(self) -> None:
        self._walk_to(self.history.newer(self.text()))

    def _walk_to(self, text: str | None) -> None:
        """Show an earlier text; None: there is none."""
        if text is not None:
            self._walking = True
            self.set_text(text)
            self._walking = False
        self.editor.walks_history = self.history.is_walking

    def _set_button_state(self) -> None:
        self.button.setEnabled(self._active or not self.is_empty)

    def _fit_tools(self) -> None:
        wide = self.width() >= HINT_ROOM or self._tools is None
        self._keys.setVisible(wide)
        if self._tools is not None:
            self._tools.fit(self.width() // (4 if wide else 3))

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
