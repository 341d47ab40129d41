"""What the parts of a chat session share: its messages, its answers, its signals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.chats.chat import Chat, Message
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.session.chat_path import ChatPath, placed_as
from desktop.models.session.message_keeper import MessageKeeper
from desktop.models.session.session_services import SessionServices
from desktop.models.session.session_state import STATE_OF, SessionState, Waiting
from desktop.models.session.stream_buffer import thought_key

if TYPE_CHECKING:
    from desktop.models.session.answer import Answer

TAKEN_BACK = "taken_back"  # a notice's code: a question went back to the composer
PROMPT_TOO_LONG = "prompt_too_long"  # an engine failure's code


class Conversation(QObject):
    """One chat: the path that is shown, and the answers on their way, shown or not.

    Attributes:
        chat: all about it but its messages.
        path: the messages shown, as they were last settled; see `messages`.
        answers: those on their way, by their message's id.
        ends: ids of messages where a branch was left, and of the last one it showed then.
        is_whole: the path begins at its root; a long chat is shown from its end first.
        title_is_automatic: the title was made of the first message, by nobody's wish.
        is_watched: somebody looks at it: what streams is shown at each frame.

    Signals:
        messages_reset: the whole path changed.
        message_added, message_changed: a `Message`.
        text_appended: message id, the text that came; at most one a frame.
        reasoning_appended: message id, the thought that came; at most one a frame.
        candidates_changed: tuple of the `Message`s that stand side by side; empty: none.
        message_deleted: the `Message`; `undo_delete_message` brings it back.
        overflowed: an `Overflow` that waits for `resolve_overflow`.
        overflow_settled: the question was answered, or is pointless now.
        parameters_changed: parameters or the system prompt.
        model_changed: the chat's model.
        state_changed: a `SessionState`.
        waiting_changed: a `Waiting` while queued, else None.
        draft_replaced: text that goes back into the composer.
        attachments_replaced: tuple of the `Attachment`s that go back with it.
        noticed: a `Notice` to show with this chat.
        renamed: the new title.
        committed: something about the chat was stored that the chat list shows.
        answer_ended: the `Message` of an answer that is not on its way any more.
        finished: no answer is on its way any more.
        settled: all that is shown was stored.
        completed: the path is whole now.
    """

    messages_reset = Signal()
    message_added = Signal(object)
    message_changed = Signal(object)
    text_appended = Signal(str, str)
    reasoning_appended = Signal(str, str)
    candidates_changed = Signal(object)
    message_deleted = Signal(object)
    overflowed = Signal(object)
    overflow_settled = Signal()
    parameters_changed = Signal()
    model_changed = Signal()
    state_changed = Signal(object)
    waiting_changed = Signal(object)
    draft_replaced = Signal(str)
    attachments_replaced = Signal(object)
    noticed = Signal(object)
    renamed = Signal(str)
    committed = Signal()
    answer_ended = Signal(object)
    finished = Signal()
    settled = Signal()
    completed = Signal()

    def __init__(
        self, chat: Chat, services: SessionServices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.chat = chat
        self.services = services
        self.path = ChatPath(chat.messages)
        self.is_whole = chat.is_whole
        self.answers: dict[str, Answer] = {}
        self.ends: dict[str, str] = {}
        self.keeper = MessageKeeper(services, self)
        self.is_deleted = False
        self.title_is_automatic = False
        self.is_watched = True
        self.notice = NO_NOTICE
        self.waiting: Waiting | None = None
        self._candidates: dict[str, Message] = {}
        self._state = self._state_now()

    # --- what it is ------------------------------------------------------------

    @property
    def chat_id(self) -> str:
        """The chat's id in the store."""
        return self.chat.id

    @property
    def title(self) -> str:
        """The chat's title."""
        return self.chat.title

    @property
    def state(self) -> SessionState:
        """What the tab shows."""
        return self._state

    @property
    def messages(self) -> tuple[Message, ...]:
        """The path from the first message to the last, with all text so far."""
        return tuple(map(self.live, self.path)) if self.answers else tuple(self.path)

    @property
    def candidates(self) -> tuple[Message, ...]:
        """The answers that stand side by side until one is picked, with all text so far."""
        return tuple(map(self.live, self._candidates.values()))

    @property
    def needs_saving(self) -> bool:
        """Whether the store lacks something that is shown, or has not confirmed it."""
        return self.keeper.needs_saving or any(a.unsaved for a in self.answers.values())

    def live(self, message: Message) -> Message:
        """The message with all text so far."""
        answer = self.answers.get(message.id)
        return message if answer is None else answer.live(message)

    def is_candidate(self, message_id: str) -> bool:
        """Whether the message stands side by side with others."""
        return message_id in self._candidates

    def is_shown(self, message_id: str) -> bool:
        """Whether the message is on the path or stands side by side with others."""
        return message_id in self.path or message_id in self._candidates

    def find(self, message_id: str) -> Message | None:
        """A message that is shown, with all text so far."""
        found = self._candidates.get(message_id) or self.path.find(message_id)
        return None if found is None else self.live(found)

    # --- what changes -----------------------------------------------------------

    def show(self, message: Message) -> None:
        """Show what a message now is, if it is one of those shown."""
        on_path = self.path.replace(message)
        if message.id in self._candidates:
            self._candidates[message.id] = message
        elif not on_path:
            self.update_state()
            return
        self.message_changed.emit(message)
        self.update_state()

    def tell(self, message_id: str, thought: str, text: str) -> None:
        """Hand on what streamed, if the message is one of those shown."""
        if not self.is_shown(message_id):
            return
        if thought:
            self.reasoning_appended.emit(message_id, thought)
        if text:
            self.text_appended.emit(message_id, text)

    def watch(self, watched: bool) -> None:
        """Whether somebody looks at it from now on."""
        self.is_watched = watched
        if watched:
            self.flush()

    def flush(self) -> None:
        """Hand on the text that waits for its frame.

        `messages` and `candidates` have it already: who shows those next would get it twice.
        """
        buffer = self.services.buffer
        for message_id in tuple(self.answers):
            thought = buffer.flush(thought_key(message_id))
            self.tell(message_id, thought, buffer.flush(message_id))

    def place(self, stored: Message) -> None:
        """The store gave a message its place in the tree and in the order of everything."""
        answer = self.answers.get(stored.id)
        if answer is not None:
            answer.message = placed_as(answer.message, stored)
        shown = self.path.find(stored.id)
        if shown is not None:
            self.path.replace(placed_as(shown, stored))
        if stored.id in self._candidates:
            self._candidates[stored.id] = placed_as(self._candidates[stored.id], stored)
        if shown is not None and shown.siblings != stored.siblings:
            self.flush()
            self.message_changed.emit(self.live(placed_as(shown, stored)))

    def add(self, *messages: Message) -> None:
        """Show more messages at the end of the path."""
        for message in messages:
            self.path.append(message)
            self.message_added.emit(message)
        self.update_state()

    def show_path(self, messages: Iterable[Message]) -> None:
        """Show another path."""
        self.flush()
        new = list(messages)
        self._remember_end(new)
        self.path.set(new)
        self.messages_reset.emit()
        self.update_state()

    def complete(self, chat: Chat) -> None:
        """Take what stands before the messages that were shown so far.

        Args:
            chat: as it was when `self.chat` was read, but whole.
        """
        if self.is_whole:  # another path has been adopted meanwhile
            return
        self.is_whole = True
        self.flush()
        self.path.prepend(chat.messages[: len(chat.messages) - len(self.chat.messages)])
        self.messages_reset.emit()
        self.completed.emit()

    def adopt(self, chat: Chat) -> None:
        """Show the path that the store now has, with what it does not have yet.

        What was typed, and the title, are newer here than they may be there.
        """
        path = [self._newest(message) for message in chat.messages]
        self._place_candidates(path)
        was_whole, self.is_whole = self.is_whole, True
        self.show_path(path)
        if not was_whole:
            self.completed.emit()

    def set_candidates(self, messages: Iterable[Message]) -> None:
        """Show these side by side; none ends that."""
        candidates = {message.id: message for message in messages}
        if candidates != self._candidates:
            self.flush()
            self._candidates = candidates
            self.candidates_changed.emit(self.candidates)

    def notify(self, level: NoticeLevel, text: str, code: str = "") -> None:
        """Show a notice with this chat; an empty text takes it away."""
        notice = Notice(level, text, code)
        if notice != self.notice:
            self.notice = notice
            self.noticed.emit(notice)

    def notify_unsaved(self, error: Exception) -> None:
        """Tell that something of this chat could not be stored."""
        if self.notice.code == TAKEN_BACK:
            return  # it says already that nothing can be saved
        self.notify(
            NoticeLevel.ERROR,
            self.tr(
                "This chat could not be saved: {reason} It is kept here and tried again."
            ).format(reason=error),
            "unsaved",
        )

    def set_waiting(self, waiting: Waiting | None) -> None:
        """The hub says where a queued answer stands."""
        if waiting != self.waiting:
            self.waiting = waiting
            self.waiting_changed.emit(waiting)

    def update_state(self) -> None:
        """Tell what the chat does, if that changed."""
        state = self._state_now()
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)

    def _remember_end(self, new: list[Message]) -> None:
        """Where one was, for when one steps back to the branch that is left now."""
        last = self.path.last
        pairs = zip_longest(self.path, new)
        left = next(
            (old for old, other in pairs if not old or not other or old.id != other.id), None
        )
        if left is not None and last is not None:
            self.ends[left.id] = last.id

    def _place_candidates(self, path: list[Message]) -> None:
        """Those beside the one on the path hang where it does."""
        if not self._candidates:
            return
        shown = next((m for m in path if m.id in self._candidates), None)
        if shown is None:
            self.set_candidates(())
            return
        for message in tuple(self._candidates.values()):
            placed = replace(message, parent_id=shown.parent_id, siblings=shown.siblings)
            self._candidates[message.id] = placed
            answer = self.answers.get(message.id)
            if answer is not None:
                answer.message = replace(
                    answer.message, parent_id=shown.parent_id, siblings=shown.siblings
                )

    def _newest(self, stored: Message) -> Message:
        """A message as the store has it, with what it does not have yet."""
        answer = self.answers.get(stored.id)
        if answer is not None:
            answer.message = placed_as(answer.message, stored)
            return answer.message
        written = self.keeper.latest(stored.id)
        return stored if written is None else placed_as(written, stored)

    def _state_now(self) -> SessionState:
        active = {STATE_OF.get(answer.message.status) for answer in self.answers.values()}
        for state in (SessionState.STREAMING, SessionState.READING, SessionState.QUEUED):
            if state in active:
                return state
        last = self.path.last
        return SessionState.IDLE if last is None else STATE_OF.get(last.status, SessionState.IDLE)
