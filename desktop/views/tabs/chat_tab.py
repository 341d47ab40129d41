"""One tab: a chat's transcript, its notices and its composer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFontMetricsF,
    QHideEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop import theme
from desktop.chats.chat import Role
from desktop.models.engine_text import model_name
from desktop.models.notice import Notice, NoticeLevel
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_state import SessionState, Waiting
from desktop.views.composing.composer import Composer
from desktop.views.composing.composer_editor import local_files
from desktop.views.dropped_model import dropped_model
from desktop.views.tabs.tab_attaching import TabAttaching
from desktop.views.tabs.tab_composing import TabComposing
from desktop.views.tabs.tab_model import TabModel
from desktop.views.tabs.tab_reading import TabReading
from desktop.views.tabs.welcome import Welcome

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.settings.chat_settings import ChatSettings
    from desktop.views.tabs.notice_bar import NoticeBar
    from desktop.views.transcript.transcript_view import TranscriptView

# As the transcript measures its column: the composer stands exactly below it.
MEASURE = 75  # characters
BLEED = 16  # pixels its grounds reach out of the column
_SAMPLE = "The quick brown fox jumps over the lazy dog, and nobody minds at all. "
MOST_WAYS = 4


class ChatTab(QWidget):
    """Shows one session; several tabs may stream at once.

    Signals:
        link_activated: an address in the transcript that the user wants to see.
        forked: the `ChatSession` of a copy, to be opened in a tab.
        zoom_requested: by how many points the text shall grow.
        model_menu_requested: id of the message to be answered again ("": the chat's model is
            to be chosen), and the widget at which the menu opens.
        model_load_requested: folder of the model that a question waits for.
        models_wanted: better models than the starter's are looked for.
    """

    link_activated = Signal(str)
    forked = Signal(object)
    zoom_requested = Signal(int)
    model_menu_requested = Signal(str, object)
    model_load_requested = Signal(str)
    models_wanted = Signal()

    def __init__(
        self, session: ChatSession, hub: SessionHub, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        self.session = session
        self._hub = hub
        self._settings: ChatSettings | None = None
        self.welcome = Welcome()
        self.composer = Composer()
        self._notice_bar: NoticeBar | None = None
        self._waiting: QLabel | None = None

        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._column = QWidget()
        self._inside = QVBoxLayout(self._column)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(space.s)
        self._inside.addWidget(self.composer)
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

        self.reading = TabReading(self, hub)
        self.attaching = TabAttaching(self, hub)
        self.composing = TabComposing(self, hub)
        self.model = TabModel(self, hub)
        self.composer.below.model_requested.connect(self.model.open_menu)
        self.composer.below.settings_requested.connect(self.show_chat_settings)
        self.welcome.suggestion_chosen.connect(self._on_suggestion)
        self.welcome.models_wanted.connect(self.models_wanted)
        self._connect()
        self._show_session()
        self._on_theme_changed()
        theme.notifier().changed.connect(self._on_theme_changed)

    # --- what the window says --------------------------------------------------------

    @property
    def transcript(self) -> TranscriptView:
        """The page of messages."""
        return self.reading.transcript

    @property
    def notice_bar(self) -> NoticeBar:
        """What there is to say about the chat; made for the first notice."""
        if self._notice_bar is None:
            from desktop.views.tabs.notice_bar import NoticeBar

            self._notice_bar = NoticeBar()
            self._notice_bar.dismissed.connect(lambda: self.session.notify(NoticeLevel.HINT, ""))
            self._notice_bar.focus_left.connect(self.focus_composer)
            self._inside.insertWidget(0, self._notice_bar)
        return self._notice_bar

    @property
    def waiting(self) -> QLabel:
        """What an answer waits for; made when the first one waits."""
        if self._waiting is None:
            self._waiting = QLabel()
            self._waiting.setProperty("role", "muted")
            self._waiting.setTextFormat(Qt.TextFormat.PlainText)
            self._waiting.hide()
            self._inside.insertWidget(self._inside.count() - 1, self._waiting)
        return self._waiting

    def refresh_model(self) -> None:
        """An engine's state changed."""
        self.model.refresh()

    def adopt(self, session: ChatSession) -> None:
        """Show another session and keep what is in the composer (it may be all there is)."""
        self.release()
        self.session = session
        self._connect()
        self._show_session()

    def release(self) -> None:
        """The tab goes away: the session lives on its own."""
        self.composing.release()
        if self._settings is not None:
            self._settings.close()
        for signal, slot in self._links():
            signal.disconnect(slot)

    def settle(self) -> None:
        """The window closes: what was just set in the chat's settings is taken over."""
        if self._settings is not None:
            self._settings.settle()

    def focus_composer(self) -> None:
        """Put the cursor where one writes."""
        self.composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def reveal(self, message_id: str, words: tuple[str, ...] = ()) -> None:
        """Go to a message, on another branch if need be, and mark `words` in it."""
        self.reading.reveal(message_id, words)

    # --- actions, by their names ------------------------------------------------------------

    def regenerate(self) -> None:
        """Answer again what the focused or last answer answers, or a question without one."""
        self.reading.answer_again(self.reading.target())

    def choose_model(self) -> None:
        """Choose the model of this chat."""
        self.model.open_menu()

    def answer_with(self) -> None:
        """Answer the focused or last answer again, with a model to be chosen."""
        self.model.answer_with(self.reading.target(Role.ASSISTANT))

    def continue_answer(self) -> None:
        """Go on with the last answer."""
        self.session.continue_answer(self.reading.target(Role.ASSISTANT))

    def edit_last(self) -> None:
        """Edit the focused message, or the last one the user wrote."""
        self.reading.edit(self.reading.target(Role.USER))

    def answer_ways(self, count: int = MOST_WAYS) -> None:
        """Answer the same message several times over, side by side."""
        self.session.answer_ways(self.reading.target(), count)

    def delete_last(self) -> None:
        """Delete the focused or last message; it can be undone."""
        self.session.delete_message(self.reading.target())

    def fork_chat(self) -> None:
        """Copy the chat up to the focused or last message into a new tab."""
        message_id = self.reading.target()
        if message_id:
            self.reading.fork(message_id)

    def previous_sibling(self) -> None:
        """Show the branch before."""
        self.session.step_sibling(self.reading.branching(), -1)

    def next_sibling(self) -> None:
        """Show the next branch."""
        self.session.step_sibling(self.reading.branching(), 1)

    def message_details(self) -> None:
        """Show what the focused or last answer cost and how it was made."""
        message_id = self.reading.target(Role.ASSISTANT)
        if message_id:
            self.transcript.show_details(message_id)

    def quote_selection(self) -> None:
        """Begin a reply to what is selected, or else to the focused or last answer."""
        if self.session.path:
            message_id = self.reading.target(Role.ASSISTANT)
            text = self.transcript.selected_text()
            if not text and message_id:
                text = self.transcript.message_text(message_id)
            if text.strip():
                self.composer.quote(text)

    def attach_file(self) -> None:
        """Choose files that go with the next message."""
        self.attaching.choose_files()

    def show_chat_settings(self) -> None:
        """Open the settings of this chat."""
        if not self.session.chat_id:
            return
        if self._settings is None:
            from desktop.models.lists.preset_shelf import PresetShelf
            from desktop.views.settings.chat_settings import ChatSettings

            hub = self._hub
            self._settings = ChatSettings(
                self.session, hub.client, PresetShelf.of(hub), hub.default_overflow, self
            )
            self._settings.destroyed.connect(self._on_settings_gone)
        self._settings.show()
        self._settings.activateWindow()

    # --- what its parts say -------------------------------------------------------------------

    def add_page(self, page: QWidget) -> None:
        """Another thing that may stand above the composer."""
        self._pages.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Show this one."""
        self._pages.setCurrentWidget(page)

    # --- Qt --------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The composer may take its share of the new height."""
        super().resizeEvent(event)
        self.composer.fit_into(self.height())

    def showEvent(self, event: QShowEvent) -> None:
        """The tab came to the front."""
        super().showEvent(event)
        self.session.watch(True)
        self.composing.set_shown(True)
        self.reading.restore_place()

    def hideEvent(self, event: QHideEvent) -> None:
        """Another tab came to the front."""
        super().hideEvent(event)
        self.session.watch(False)
        self.composing.set_shown(False)
        self.reading.keep_place()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere in the tab; what is a model is the window's."""
        if dropped_model(event.mimeData()) is not None:
            event.ignore()
        elif local_files(event.mimeData()):
            event.acceptProposedAction()
            self.composer.set_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They go elsewhere."""
        super().dragLeaveEvent(event)
        self.composer.set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Attach them."""
        self.composer.set_dropping(False)
        files = local_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.attaching.attach(files)

    # --- inside ------------------------------------------------------------------------

    def _connect(self) -> None:
        self.session.flush()
        for signal, slot in self._links():
            signal.connect(slot)

    def _links(self) -> tuple[tuple[SignalInstance, Callable[..., object]], ...]:
        session, composing = self.session, self.composing
        return (
            *self.reading.links(),
            (session.messages_reset, composing.refresh),
            (session.state_changed, self._on_state),
            (session.waiting_changed, self._on_waiting),
            (session.attachments_replaced, composing.take_back_attachments),
            (session.draft_replaced, composing.take_back),
            (session.overflowed, composing.on_overflowed),
            (session.overflow_settled, composing.on_overflow_settled),
            (session.parameters_changed, composing.on_parameters),
            (session.model_changed, self.model.refresh),
            (session.noticed, self._on_noticed),
        )

    def _show_session(self) -> None:
        self.reading.show_messages()
        self.composing.show_draft()
        self.model.refresh()
        self._on_state(self.session.state)
        self._on_waiting(self.session.waiting)
        self._on_noticed(self.session.notice)
        if self.isVisible():
            self.composing.set_shown(True)

    def _on_suggestion(self, text: str) -> None:
        if not self.composer.text().strip():
            self.composer.set_text(text)
        self.focus_composer()

    def _on_state(self, state: SessionState) -> None:
        self.composer.set_active(state.is_active)
        self.composing.refresh()

    def _on_waiting(self, waiting: Waiting | None) -> None:
        self.model.on_waiting(waiting)
        # One answer that waits for a place says so itself, below its question.
        if waiting is None or waiting.is_missing or (waiting.ready and waiting.total <= 1):
            if self._waiting is not None:
                self._waiting.hide()
            return
        if waiting.ready:
            what = self.tr("Waiting for a place at the model…")
        elif waiting.model:
            what = self.tr("Waiting for {model}…").format(model=model_name(waiting.model))
        else:
            what = self.tr("Waiting for the model…")
        where = (
            self.tr("Number {position} of {total} in line.").format(
                position=waiting.position, total=waiting.total
            )
            if waiting.total > 1
            else ""
        )
        self.waiting.setText(f"{what} {where}".strip())
        self.waiting.show()

    def _on_noticed(self, notice: Notice) -> None:
        if notice.text or self._notice_bar is not None:
            self.notice_bar.show_notice(notice)
            self.reading.decorate(notice)
            self.model.decorate(notice)

    def _on_settings_gone(self) -> None:
        self._settings = None

    def _on_theme_changed(self) -> None:
        metrics = QFontMetricsF(theme.current().text_font())
        sign = metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE)
        self._column.setMaximumWidth(round(sign * MEASURE) + 2 * BLEED)
