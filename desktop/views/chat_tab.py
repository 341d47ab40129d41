"""One tab: a chat's transcript, its notices and its composer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop import theme
from desktop.chats.chat import Message
from desktop.engine_link.engine_state import EngineView
from desktop.models.chat_session import ChatSession
from desktop.models.notice import Notice, NoticeLevel
from desktop.models.session_state import SessionState, Waiting
from desktop.views.composer import Composer
from desktop.views.notice_bar import NoticeBar
from desktop.views.welcome import Welcome

if TYPE_CHECKING:
    from desktop.views.transcript_view import TranscriptView

# As the transcript measures its column: the composer stands exactly below it.
MEASURE = 75  # characters
BLEED = 16  # pixels its grounds reach out of the column
_SAMPLE = "The quick brown fox jumps over the lazy dog, and nobody minds at all. "


class ChatTab(QWidget):
    """Shows one session; several tabs may stream at once.

    Signals:
        link_activated: an address in the transcript that the user wants to see.
    """

    link_activated = Signal(str)

    def __init__(self, session: ChatSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.session = session
        self._transcript: TranscriptView | None = None
        self.welcome = Welcome()
        self.notice_bar = NoticeBar()
        self.composer = Composer()
        self.waiting = QLabel()
        self.waiting.setProperty("role", "muted")
        self.waiting.setTextFormat(Qt.TextFormat.PlainText)
        self.waiting.hide()

        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._column = QWidget()
        inside = QVBoxLayout(self._column)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(space.s)
        inside.addWidget(self.notice_bar)
        inside.addWidget(self.waiting)
        inside.addWidget(self.composer)
        centred = QHBoxLayout()
        centred.setContentsMargins(space.m, 0, space.m, space.s)  # as in the transcript
        centred.addStretch(1)
        centred.addWidget(self._column, 1000)
        centred.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space.s)
        layout.addWidget(self._pages, 1)
        layout.addLayout(centred)

        self.composer.set_text(session.draft)
        session.draft_source = self.composer.text
        self._connect()
        self._connect_views()
        self._show_session()
        self._on_theme_changed()
        theme.notifier().changed.connect(self._on_theme_changed)

    # --- what the window says --------------------------------------------------------

    @property
    def transcript(self) -> TranscriptView:
        """The page of messages, made when the first is shown: an empty chat needs none."""
        if self._transcript is None:
            from desktop.views.transcript_view import TranscriptView

            view = TranscriptView()
            view.stop_requested.connect(lambda _id: self.session.stop())
            view.continue_requested.connect(lambda i: self.session.continue_answer(i))
            view.retry_requested.connect(lambda i: self.session.retry(i))
            view.link_activated.connect(self.link_activated)
            self._pages.addWidget(view)
            self._transcript = view
        return self._transcript

    def set_view(self, view: EngineView) -> None:
        """The engine's state changed."""
        self.welcome.set_view(view)
        self.composer.set_context(view.loaded.context if view.loaded is not None else 0)

    def adopt(self, session: ChatSession) -> None:
        """Show another session and keep what is in the composer (it may be all there is)."""
        text = self.composer.text()
        self.release()
        self.session = session
        session.draft_source = self.composer.text
        self._connect()
        if not text:
            self.composer.set_text(session.draft)
        self._show_session()
        session.save_draft()

    def release(self) -> None:
        """The tab goes away: the session lives on its own."""
        self.session.save_draft()
        self.session.draft_source = None
        for signal, slot in self._links():
            signal.disconnect(slot)

    def focus_composer(self) -> None:
        """Put the cursor where one writes."""
        self.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- Qt --------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The composer may take its share of the new height."""
        super().resizeEvent(event)
        self.composer.fit_into(self.height())

    # --- inside ------------------------------------------------------------------------

    def _connect(self) -> None:
        for signal, slot in self._links():
            signal.connect(slot)

    def _links(self) -> tuple[tuple[SignalInstance, Callable[..., object]], ...]:
        session = self.session
        return (
            (session.messages_reset, self._on_reset),
            (session.message_added, self._on_added),
            (session.message_changed, self._on_changed),
            (session.text_appended, self._on_text),
            (session.state_changed, self._on_state),
            (session.waiting_changed, self._on_waiting),
            (session.draft_replaced, self._on_draft_replaced),
            (session.noticed, self._on_noticed),
        )

    def _show_session(self) -> None:
        self._on_reset()
        self._on_state(self.session.state)
        self._on_waiting(self.session.waiting)
        self.notice_bar.show_notice(self.session.notice)

    def _connect_views(self) -> None:
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(lambda: self.session.stop())
        self.composer.edited.connect(self._on_edited)
        self.welcome.suggestion_chosen.connect(self._on_suggestion)
        self.notice_bar.dismissed.connect(lambda: self.session.notify(NoticeLevel.HINT, ""))

    def _on_send(self, text: str) -> None:
        if self.session.send(text):
            self.composer.clear()
            self.transcript.scroll_to_end()

    def _on_edited(self) -> None:
        if self.session.notice.level is NoticeLevel.HINT:
            self.session.notify(NoticeLevel.HINT, "")
        self.session.touch_draft()

    def _on_suggestion(self, text: str) -> None:
        if not self.composer.text().strip():
            self.composer.set_text(text)
        self.focus_composer()

    def _on_reset(self) -> None:
        messages = self.session.messages
        if messages or self._transcript is not None:
            self.transcript.set_messages(messages)
        self._pages.setCurrentIndex(1 if messages else 0)

    def _on_added(self, message: Message) -> None:
        self.transcript.append_message(message)
        self._pages.setCurrentIndex(1)

    def _on_changed(self, message: Message) -> None:
        self.transcript.update_message(message)

    def _on_text(self, message_id: str, text: str) -> None:
        self.transcript.append_text(message_id, text)

    def _on_state(self, state: SessionState) -> None:
        self.composer.set_active(state.is_active)

    def _on_waiting(self, waiting: Waiting | None) -> None:
        if waiting is None:
            self.waiting.hide()
            return
        what = (
            self.tr("Waiting for a place at the model…")
            if waiting.ready
            else self.tr("Waiting for the model…")
        )
        where = (
            self.tr("Number {position} of {total} in line.").format(
                position=waiting.position, total=waiting.total
            )
            if waiting.total > 1
            else ""
        )
        self.waiting.setText(f"{what} {where}".strip())
        self.waiting.show()

    def _on_draft_replaced(self, text: str) -> None:
        self.composer.set_text(text)
        self.focus_composer()

    def _on_noticed(self, notice: Notice) -> None:
        self.notice_bar.show_notice(notice)

    def _on_theme_changed(self) -> None:
        metrics = QFontMetricsF(theme.current().text_font())
        sign = metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE)
        self._column.setMaximumWidth(round(sign * MEASURE) + 2 * BLEED)
