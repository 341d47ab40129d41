"""One open chat: its path of messages, the answer on its way, its draft. No widgets.

A session lives as long as a tab shows it or an answer is on its way, so that closing
a tab never loses an answer: it goes on in the background and is saved.

The order of things that must hold: the user's message is committed before the engine
hears of it; streamed text reaches the store at least once a second and at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.chats.chat import DEFAULT_TITLE, Chat, Message, MessageStatus, Role, new_id, title_from
from desktop.models.answer import (
    STATUS_OF,
    Answer,
    prompt_of,
    sampling_of,
    statistics_of,
)
from desktop.models.message_keeper import MessageKeeper
from desktop.models.notice import NO_NOTICE, Notice, NoticeLevel
from desktop.models.session_services import SessionServices
from desktop.models.session_state import STATE_OF, SessionState, Waiting
from engine.protocol import Failure, FinishReason, Generate, StreamUpdate

DRAFT_DELAY_MS = 500
PROMPT_TOO_LONG = "prompt_too_long"
TAKEN_BACK = "taken_back"


class ChatSession(QObject):
    """One chat that is open or being answered.

    Signals:
        messages_reset: the whole path changed.
        message_added, message_changed: a `Message`.
        text_appended: message id, the text that came; at most one a frame.
        state_changed: a `SessionState`.
        waiting_changed: a `Waiting` while queued, else None.
        draft_replaced: text that goes back into the composer.
        noticed: a `Notice` to show with this chat.
        renamed: the new title.
        committed: something about the chat was stored that the chat list shows.
        finished: no answer is on its way any more.
        settled: all that is shown was stored.
    """

    messages_reset = Signal()
    message_added = Signal(object)
    message_changed = Signal(object)
    text_appended = Signal(str, str)
    state_changed = Signal(object)
    waiting_changed = Signal(object)
    draft_replaced = Signal(str)
    noticed = Signal(object)
    renamed = Signal(str)
    committed = Signal()
    finished = Signal()
    settled = Signal()

    def __init__(
        self, chat: Chat, services: SessionServices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.chat = chat
        self._services = services
        self._messages = list(chat.messages)
        self._answer: Answer | None = None
        self._keeper = MessageKeeper(services, self)
        self._keeper.kept.connect(self._on_kept)
        self._keeper.failed.connect(self._notify_unsaved)
        self._keeper.recovered.connect(self._on_recovered)
        self._deleted = False
        self._state = self._state_now()
        self.notice = NO_NOTICE
        self.waiting: Waiting | None = None
        self._draft = chat.draft
        self.draft_source: Callable[[], str] | None = None
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(DRAFT_DELAY_MS)
        self._draft_timer.timeout.connect(self.save_draft)
        services.buffer.frame.connect(self._on_frame)

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
        if self._answer is None:
            return tuple(self._messages)
        live = replace(self._answer.message, content=self._answer.text)
        return tuple(live if message.id == live.id else message for message in self._messages)

    @property
    def draft(self) -> str:
        """What stands in the composer."""
        return self.draft_source() if self.draft_source is not None else self._draft

    @property
    def is_blank(self) -> bool:
        """Whether nothing was ever written here: such a chat need not be kept."""
        return not self._messages and not self.draft.strip() and self.title == DEFAULT_TITLE

    @property
    def needs_saving(self) -> bool:
        """Whether the store lacks something that is shown, or has not confirmed it."""
        return self._keeper.needs_saving or (self._answer is not None and self._answer.unsaved)

    # --- what the user does ----------------------------------------------------

    def send(self, text: str) -> bool:
        """Ask `text`. False, with a notice, if it cannot be sent: the text stays."""
        if not text.strip():
            self.notify(NoticeLevel.HINT, self.tr("Write a message first, then send it."))
            return False
        if self._is_refused():
            return False
        parent = self._messages[-1].id if self._messages else None
        model = self._services.requests.model_name()
        user = Message(new_id(), self.chat_id, parent, Role.USER, text)
        answer = Message(
            new_id(),
            self.chat_id,
            user.id,
            Role.ASSISTANT,
            "",
            MessageStatus.QUEUED,
            model=model,
        )
        self._draft = ""
        self._draft_timer.stop()
        self.notify(NoticeLevel.HINT, "")
        self._begin(Answer(answer, exchange_text=text, parent_id=parent))
        for message in (user, answer):
            self._messages.append(message)
            self.message_added.emit(message)
        self._update_state()
        stored = self._services.store.add_exchange(
            self.chat_id, parent, text, model=model, user_id=user.id, answer_id=answer.id
        )
        self._keeper.watch(stored, self._on_exchange_stored, self._on_exchange_failed)
        return True

    def stop(self) -> None:
        """Stop the answer on its way; what there is of it is kept."""
        if self._answer is None:
            return
        if self._answer.request_id:
            self._services.requests.cancel(self._answer.request_id)
        else:
            self._answer.stop_requested = True

    def continue_answer(self, message_id: str) -> None:
        """Go on with an answer that was interrupted, stopped or cut by its length."""
        if self._is_refused() or not self._messages or self._messages[-1].id != message_id:
            return
        message = self._messages[-1]
        if message.role is not Role.ASSISTANT:
            return
        queued = replace(message, status=MessageStatus.QUEUED, error="")
        self._begin(Answer(queued, continue_final=bool(message.content)))
        self._replace(queued)
        stored = self._services.store.update_message(
            message_id, status=MessageStatus.QUEUED, error=""
        )
        self._keeper.watch(
            stored, lambda _: self._ask(), lambda error: self._on_reask_failed(message, error)
        )

    def retry(self, message_id: str) -> None:
        """Answer the same message anew, beside the old answer (a branch of the tree)."""
        index = next((i for i, m in enumerate(self._messages) if m.id == message_id), None)
        if index is None or self._messages[index].role is not Role.ASSISTANT or self._is_refused():
            return
        before = list(self._messages)
        answer = Message(
            new_id(),
            self.chat_id,
            self._messages[index].parent_id,
            Role.ASSISTANT,
            "",
            MessageStatus.QUEUED,
            model=self._services.requests.model_name(),
        )
        self._messages[index:] = [answer]
        self._begin(Answer(answer))
        self.messages_reset.emit()
        self._update_state()
        stored = self._services.store.add_message(
            self.chat_id,
            answer.parent_id,
            Role.ASSISTANT,
            "",
            status=MessageStatus.QUEUED,
            model=answer.model,
            message_id=answer.id,
        )

        def failed(error: Exception) -> None:
            self._messages = before
            self._end()
            self.messages_reset.emit()
            self._notify_unsaved(error)

        self._keeper.watch(stored, lambda _: self._ask(), failed)

    def touch_draft(self) -> None:
        """The composer's text changed: it is stored when the user pauses."""
        if not self._draft_timer.isActive():
            self._draft_timer.start()

    def save_draft(self) -> None:
        """Store the draft now if it changed."""
        self._draft_timer.stop()
        draft = self.draft
        if draft == self._draft or not self.chat_id or self._deleted:
            return
        self._draft = draft
        self._keeper.watch(
            self._services.store.save_draft(self.chat_id, draft), None, self._notify_unsaved
        )

    def rename(self, title: str) -> None:
        """Give the chat another title."""
        title = " ".join(title.split())
        if not title or title == self.title or self._deleted:
            return
        self.chat = replace(self.chat, title=title)
        self.renamed.emit(title)
        self._keeper.watch(
            self._services.store.rename_chat(self.chat_id, title),
            lambda _: self.committed.emit(),
            self._notify_unsaved,
        )

    def notify(self, level: NoticeLevel, text: str, code: str = "") -> None:
        """Show a notice with this chat; an empty text takes it away."""
        notice = Notice(level, text, code)
        if notice != self.notice:
            self.notice = notice
            self.noticed.emit(notice)

    # --- what the engine says ----------------------------------------------------

    def apply(self, update: StreamUpdate) -> None:
        """Take what the stream of this session's request produced."""
        answer = self._answer
        if answer is None or update.request_id != answer.request_id:
            return
        if update.running and answer.message.status is MessageStatus.QUEUED:
            self._settle(status=MessageStatus.RUNNING)
        answer.tokens += update.tokens
        if update.text:
            if answer.message.status is not MessageStatus.STREAMING:
                self._settle(status=MessageStatus.STREAMING)
            answer.append(update.text)
            self._services.buffer.append(answer.message.id, update.text)
        if update.finish is not None:
            finish = update.finish
            error = (
                self.tr("The engine could not finish this answer. Try again.")
                if finish.reason is FinishReason.FAILED
                else ""
            )
            before = answer.message.statistics if answer.continue_final else None
            self._finish(
                status=STATUS_OF[finish.reason],
                error=error,
                statistics=statistics_of(finish, before),
            )

    def fail(self, failure: Failure) -> None:
        """The engine refused or lost this session's request."""
        answer = self._answer
        if answer is None or failure.request_id != answer.request_id:
            return
        if failure.code == PROMPT_TOO_LONG and answer.exchange_text is not None:
            self._take_back(self._too_long(failure))
            self._keeper.watch(
                self._services.store.update_message(
                    answer.message.id, status=MessageStatus.FAILED, error=failure.cause
                )
            )
            self._keeper.watch(self._services.store.set_active_leaf(self.chat_id, answer.parent_id))
            return
        text = self._too_long(failure) if failure.code == PROMPT_TOO_LONG else failure.cause
        self._finish(status=MessageStatus.FAILED, error=text)

    def interrupt(self) -> None:
        """The engine or the window goes away: keep what there is, marked."""
        if self._answer is not None:
            self._finish(status=MessageStatus.INTERRUPTED, statistics=self._answer.so_far())

    def abandon(self) -> None:
        """The chat goes to the bin: end the answer, and write nothing from here on."""
        if self._answer is not None:
            self.stop()
        if self._answer is not None:  # one that the engine had not got yet has ended at once
            self._finish(status=MessageStatus.STOPPED)
        self.save_draft()
        self._deleted = True
        self._keeper.stop()

    def set_waiting(self, waiting: Waiting | None) -> None:
        """The hub says where a queued answer stands."""
        if waiting != self.waiting:
            self.waiting = waiting
            self.waiting_changed.emit(waiting)

    def save_progress(self) -> None:
        """Store streamed text, and what could not be stored before."""
        if self._deleted:
            return
        self._keeper.try_again()
        answer = self._answer
        if answer is not None and answer.unsaved:
            answer.unsaved = False
            self._keeper.store(replace(answer.message, content=answer.text))

    # --- inside --------------------------------------------------------------------

    def _is_refused(self) -> bool:
        if self._answer is not None:
            self.notify(
                NoticeLevel.HINT,
                self.tr("The answer is still on its way. Stop it first, or wait for its end."),
            )
            return True
        refusal = self._services.requests.refusal()
        if refusal:
            self.notify(NoticeLevel.ERROR, refusal, "store")
        return bool(refusal) or self._deleted

    def _begin(self, answer: Answer) -> None:
        self._answer = answer

    def _on_exchange_stored(self, stored: tuple[Message, Message]) -> None:
        answer = self._answer
        if answer is None or answer.message.id != stored[1].id or self._deleted:
            return
        positions = {message.id: i for i, message in enumerate(self._messages)}
        for message in stored:
            self._messages[positions[message.id]] = message
        answer.message = replace(answer.message, sequence=stored[1].sequence)
        if self.title == DEFAULT_TITLE and len(self._messages) == 2:
            self.rename(title_from(stored[0].content))
        self.committed.emit()
        self._ask()

    def _on_exchange_failed(self, error: Exception) -> None:
        self._take_back(
            self.tr("Your message was not sent, because it could not be saved: {reason}").format(
                reason=error
            )
        )

    def _on_reask_failed(self, before: Message, error: Exception) -> None:
        self._end()
        self._replace(before)
        self._notify_unsaved(error)

    def _ask(self) -> None:
        """Everything is committed: send the request."""
        answer = self._answer
        if answer is None or self._deleted:
            return
        if answer.stop_requested:
            self._finish(status=MessageStatus.STOPPED)
            return
        answer.request_id = new_id()
        path = self._messages if answer.continue_final else self._messages[:-1]
        self._services.requests.submit(
            self,
            Generate(
                answer.request_id,
                prompt_of(self.chat.system_prompt, path),
                sampling_of(self.chat.parameters),
                chat_id=self.chat_id,
                continue_final=answer.continue_final,
            ),
        )

    def _too_long(self, failure: Failure) -> str:
        if failure.prompt_tokens is None or failure.context is None:
            return failure.cause
        return self.tr(
            "Your message makes {prompt} tokens with this chat; the model reads {context}. "
            "Shorten it, or begin a new chat."
        ).format(prompt=f"{failure.prompt_tokens:,}", context=f"{failure.context:,}")

    def _take_back(self, reason: str) -> None:
        """Undo a send: the user's text goes back to the composer, before what is there now."""
        answer = self._answer
        if answer is None or answer.exchange_text is None:
            return
        gone = {answer.message.id, answer.message.parent_id}
        self._messages = [message for message in self._messages if message.id not in gone]
        newer = self.draft
        text = answer.exchange_text
        draft = f"{text}\n\n{newer}" if newer.strip() else text
        self._end()
        self.messages_reset.emit()
        self.draft_replaced.emit(draft)
        if self.draft_source is None:
            self._draft = draft
            if self.chat_id:
                stored = self._services.store.save_draft(self.chat_id, draft)
                self._keeper.watch(stored, None, self._notify_unsaved)
        else:
            self.save_draft()
        self.notify(NoticeLevel.ERROR, reason, TAKEN_BACK)

    def _settle(self, **changes: object) -> None:
        """Show all text so far, then the message with `changes`."""
        answer = self._answer
        assert answer is not None
        pending = self._services.buffer.flush(answer.message.id)
        if pending:
            self.text_appended.emit(answer.message.id, pending)
        self._replace(answer.settled(**changes))

    def _finish(self, **changes: object) -> None:
        answer = self._answer
        assert answer is not None
        self._settle(**changes)
        self._end()
        self._keeper.store(answer.message)

    def _end(self) -> None:
        self._answer = None
        self.set_waiting(None)
        self._update_state()
        self.finished.emit()

    def _replace(self, message: Message) -> None:
        for index in range(len(self._messages) - 1, -1, -1):
            if self._messages[index].id == message.id:
                self._messages[index] = message
                break
        self.message_changed.emit(message)
        self._update_state()

    def _state_now(self) -> SessionState:
        if not self._messages:
            return SessionState.IDLE
        return STATE_OF.get(self._messages[-1].status, SessionState.IDLE)

    def _update_state(self) -> None:
        state = self._state_now()
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)

    def _on_recovered(self) -> None:
        self.notify(NoticeLevel.HINT, "")

    def _on_kept(self) -> None:
        if not self.needs_saving:
            self.settled.emit()

    def _notify_unsaved(self, error: Exception) -> None:
        if self.notice.code == TAKEN_BACK:
            return  # it says already that nothing can be saved
        self.notify(
            NoticeLevel.ERROR,
            self.tr(
                "This chat could not be saved: {reason} It is kept here and tried again."
            ).format(reason=error),
            "unsaved",
        )

    def _on_frame(self, frame: dict[str, str]) -> None:
        answer = self._answer
        if answer is not None:
            text = frame.get(answer.message.id)
            if text:
                self.text_appended.emit(answer.message.id, text)
