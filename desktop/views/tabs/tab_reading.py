"""What a tab does with its transcript: show the messages, act on them and on branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QApplication

from desktop.chats.chat import Message, Role
from desktop.models.notice import Notice, NoticeLevel
from desktop.session import Place

if TYPE_CHECKING:
    from desktop.models.session.chat_session import ChatSession
    from desktop.models.session.session_hub import SessionHub
    from desktop.views.tabs.candidates_view import CandidatesView
    from desktop.views.tabs.chat_tab import ChatTab
    from desktop.views.transcript.canvas import ReadingPlace
    from desktop.views.transcript.transcript_view import TranscriptView

DELETED = "message_deleted"  # the code of the notice that offers to undo it


class TabReading(QObject):
    """The transcript's side of a `ChatTab`. It works for the tab's session of the moment."""

    def __init__(self, tab: ChatTab, hub: SessionHub) -> None:
        super().__init__(tab)
        self._tab = tab
        self._hub = hub
        self._transcript: TranscriptView | None = None
        self._candidates: CandidatesView | None = None
        self._place: ReadingPlace | None = None
        self._left_at: Place | None = None  # in an earlier run of the program
        self._sought: tuple[str, tuple[str, ...]] | None = None

    @property
    def _session(self) -> ChatSession:
        return self._tab.session

    def links(self) -> tuple[tuple[SignalInstance, Callable[..., object]], ...]:
        """The session's signals and what answers them."""
        session = self._session
        return (
            (session.messages_reset, self.show_messages),
            (session.message_added, self._on_added),
            (session.message_changed, self._on_changed),
            (session.text_appended, self._on_text),
            (session.reasoning_appended, self._on_reasoning),
            (session.candidates_changed, self._on_candidates),
            (session.message_deleted, self._on_deleted),
            (session.completed, self._seek),
        )

    # --- the transcript ------------------------------------------------------------------

    @property
    def transcript(self) -> TranscriptView:
        """The page of messages, made when the first is shown: an empty chat needs none."""
        if self._transcript is None:
            from desktop.views.transcript.transcript_view import TranscriptView

            view = TranscriptView()
            view.stop_requested.connect(lambda i: self._session.stop(i))
            view.continue_requested.connect(lambda i: self._session.continue_answer(i))
            view.retry_requested.connect(self.answer_again)
            view.edit_requested.connect(self.edit)
            view.quote_requested.connect(self._tab.composer.quote)
            view.delete_requested.connect(lambda i: self._session.delete_message(i))
            view.sibling_requested.connect(lambda i, by: self._session.step_sibling(i, by))
            view.fork_requested.connect(self.fork)
            view.other_model_requested.connect(lambda i: self._tab.model.answer_with(i))
            view.ways_requested.connect(lambda i, n: self._session.answer_ways(i, n))
            view.zoom_requested.connect(self._tab.zoom_requested)
            view.link_activated.connect(self._tab.link_activated)
            view.chat_source = lambda: self._session.chat
            self._tab.add_page(view)
            self._transcript = view
        return self._transcript

    def show_messages(self) -> None:
        """The path is another one."""
        messages = self._session.messages
        if messages or self._transcript is not None:
            self.transcript.set_messages(messages)
        self._on_candidates(self._session.candidates)
        self._reveal_sought()

    def reveal(self, message_id: str, words: tuple[str, ...] = ()) -> None:
        """Go to a message and mark `words` in it, on another branch if need be."""
        self._sought = (message_id, words)
        self._seek()

    def begin_at(self, place: Place | None) -> None:
        """Begin to read here, not at the end; for a tab that was not shown yet."""
        self._left_at = place

    def place_now(self) -> Place | None:
        """Where one is reading; None at the end."""
        if self._left_at is not None or self._transcript is None:
            return self._left_at
        place = self._place or self._transcript.place()
        if place.at_end or not place.message_id:
            return None
        return Place(place.message_id, place.part, place.offset)

    def _go_back(self) -> None:
        """Go where one was reading in an earlier run, once that is read from the store."""
        left_at = self._left_at
        if left_at is None or self._transcript is None or not self._tab.isVisible():
            return
        if self._is_shown(left_at.message_id):
            self._left_at = None
            self._transcript.begin_at(left_at.message_id, left_at.part, left_at.offset)
        elif self._session.is_whole:
            self._left_at = None

    def clear_marks(self) -> None:
        """Mark no words any more."""
        if self._transcript is not None:
            self._transcript.clear_marks()

    def keep_place(self) -> None:
        """The tab is hidden: remember where one was reading."""
        if self._transcript is not None:
            self._place = self._transcript.place()

    def restore_place(self) -> None:
        """The tab is shown again: go back to where one was reading."""
        place, self._place = self._place, None
        if self._transcript is not None and place is not None:
            self._transcript.restore_place(place)
        self._go_back()

    # --- acting ---------------------------------------------------------------------------

    def edit(self, message_id: str) -> None:
        """Change a message, in the composer."""
        message = self._session.path.find(message_id)
        if message is not None and not message.status.is_active:
            self._tab.composing.edit(message)

    def answer_again(self, message_id: str) -> None:
        """Answer a message of the user's, or what an answer answers, beside what is there."""
        message = self._session.path.find(message_id)
        if message is not None and message.role is Role.USER:
            self._session.answer_ways(message_id, 1)
        else:
            self._session.retry(message_id)

    def fork(self, message_id: str) -> None:
        """Copy the chat up to a message into a new one."""
        self._hub.fork_chat(self._session.chat_id, message_id, self._on_forked)

    def target(self, role: Role | None = None) -> str:
        """The message an action is meant for: the focused one, or else the last of `role`."""
        path = self._session.path
        focused = path.find(self._focused())
        if focused is not None and role in (None, focused.role):
            return focused.id
        return next((m.id for m in reversed(path) if role in (None, m.role)), "")

    def branching(self) -> str:
        """The message whose siblings are stepped through: the last one that has any."""
        path = self._session.path
        focused = path.find(self._focused())
        if focused is not None and len(focused.siblings) > 1:
            return focused.id
        return next((m.id for m in reversed(path) if len(m.siblings) > 1), "")

    # --- inside ------------------------------------------------------------------------------

    def _focused(self) -> str:
        """The message that has the keyboard; not one that had it before one wrote on."""
        view, focus = self._transcript, QApplication.focusWidget()
        if view is None or focus is None or not view.isAncestorOf(focus):
            return ""
        return view.current_message()

    def _seek(self) -> None:
        self._go_back()
        if self._sought is None:
            return
        if self._is_shown(self._sought[0]):
            self._reveal_sought()
        elif self._session.is_whole:
            self._session.show_branch(self._sought[0])

    def _reveal_sought(self) -> None:
        if self._sought is None or self._transcript is None:
            return
        message_id, words = self._sought
        if self._is_shown(message_id):
            self._sought = None
            self._transcript.reveal(message_id, words)

    def _is_shown(self, message_id: str) -> bool:
        return message_id in self._session.path

    def _on_added(self, message: Message) -> None:
        self.transcript.append_message(message)
        self._tab.show_page(self.transcript)

    def _on_changed(self, message: Message) -> None:
        if self._candidates is not None and self._session.is_candidate(message.id):
            self._candidates.update_message(message)
        if self._is_shown(message.id):
            self.transcript.update_message(message)

    def _on_text(self, message_id: str, text: str) -> None:
        if self._candidates is not None and self._session.is_candidate(message_id):
            self._candidates.append_text(message_id, text)
        if self._is_shown(message_id):
            self.transcript.append_text(message_id, text)

    def _on_reasoning(self, message_id: str, text: str) -> None:
        if self._candidates is not None and self._session.is_candidate(message_id):
            self._candidates.append_reasoning(message_id, text)
        if self._is_shown(message_id):
            self.transcript.append_reasoning(message_id, text)

    def _on_candidates(self, candidates: tuple[Message, ...]) -> None:
        if candidates:
            if self._candidates is None:
                from desktop.views.tabs.candidates_view import CandidatesView

                self._candidates = CandidatesView()
                self._candidates.picked.connect(self._pick)
                self._candidates.quote_requested.connect(self._tab.composer.quote)
                self._candidates.stop_requested.connect(lambda i: self._session.stop(i))
                self._candidates.quote_requested.connect(self._tab.composer.quote)
                self._candidates.link_activated.connect(self._tab.link_activated)
                self._candidates.zoom_requested.connect(self._tab.zoom_requested)
                self._tab.add_page(self._candidates)
            self._candidates.set_candidates(candidates)
            began = not self._candidates.isVisible()
            self._tab.show_page(self._candidates)
            focus = self._tab.window().focusWidget()
            is_here = focus is not None and self._tab.isAncestorOf(focus)
            if began and is_here and not self._tab.composer.text():  # who is writing goes on
                self._candidates.set_current(0)
        elif self._session.path:
            self._tab.show_page(self.transcript)
        else:
            self._tab.show_page(self._tab.welcome)

    def _on_forked(self, session: ChatSession) -> None:
        if shiboken6.isValid(self._tab):
            self._tab.forked.emit(session)
        else:  # the tab was closed meanwhile: the copy stands in the list
            self._hub.hide(session.chat_id)

    def _pick(self, message_id: str) -> None:
        self._session.pick_candidate(message_id)
        self._tab.focus_composer()  # what one goes on with is a message

    def _on_deleted(self, message: Message) -> None:
        words = " ".join(message.content[:200].split())
        short = f"{words[:40]}…" if len(words) > 40 else words
        text = self.tr("“{words}” was deleted.").format(words=short)
        self._session.notify(NoticeLevel.HINT, text, DELETED)

    def decorate(self, notice: Notice) -> None:
        """A notice is shown: with what can be done about it."""
        if notice.code == DELETED and self._session.can_undo_delete:
            self._tab.notice_bar.add_button(self.tr("Undo"), self._undo_delete)

    def _undo_delete(self) -> None:
        self._session.notify(NoticeLevel.HINT, "")
        self._session.undo_delete_message()
