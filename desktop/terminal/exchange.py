"""One conversation of the terminal's, held over a session hub: questions in, events out.

It runs beside an engine of its own in the terminal's process, and in the window's for a
terminal that handed its question over. Storing, sending and streaming are the session's;
this tells in plain events how it goes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from desktop.chats.chat import Message
from desktop.engine_link.engine_pool import same_folder
from desktop.engine_link.engine_state import EngineView
from desktop.models.notice import Notice as SessionNotice
from desktop.models.notice import NoticeLevel
from desktop.models.session.chat_session import TAKEN_BACK, ChatSession
from desktop.models.session.session_state import SessionState
from desktop.terminal import events, wording
from desktop.terminal.chat_finder import ChatFinder
from desktop.terminal.events import ChatRequest, Done, ExitCode, Failed, Progress, Started
from desktop.terminal.outcomes import failed_with, outcome_of
from engine.protocol import Failure

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub

CANCEL_GRACE_MS = 3000
TICK_MS = 1000  # a stage that tells nothing must not look like a standstill


class Exchange(QObject):
    """See the module.

    Args:
        store_failure: why the hub's store cannot be used, if that is known already.

    Signals:
        happened: an `events.Event`. The last one of a question is a Done or a Failed, and
            comes when all of the answer is stored.
        idle: that last event has been emitted; another question may be asked.
    """

    happened = Signal(object)
    idle = Signal()

    def __init__(
        self,
        hub: SessionHub,
        request: ChatRequest,
        parent: QObject | None = None,
        *,
        store_failure: str = "",
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._request = request
        self._store_failure = store_failure
        self._finder = ChatFinder(hub, request, self._on_found, self._on_not_found)
        self._question: str | None = None
        self._session: ChatSession | None = None  # while it answers
        self._answer_id = ""
        self._draft: Callable[[], str] | None = None  # ours, while the chat has no tab
        self._committed = False
        self._taken_back = False
        self._cancelled = False
        self._is_thinking = False
        self._outcome: Done | Failed | None = None  # to be told once it is stored
        self._progress = ""
        self._grace = QTimer(self, singleShot=True, interval=CANCEL_GRACE_MS)
        self._grace.timeout.connect(self._on_grace_over)
        self._view_came = time.monotonic()
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._show_progress)
        hub.pool.views_changed.connect(self._on_views_changed)
        # After the hub, which hands the failure to the session first.
        hub.pool.request_failed.connect(self._on_request_failed)
        hub.store_opened.connect(self._on_store_opened)
        hub.store_failed.connect(self._on_store_failed)

    @property
    def is_active(self) -> bool:
        """Whether a question is being answered."""
        return self._question is not None

    def ask(self, question: str) -> None:
        """Ask, in the chat of the question before. Not while `is_active`."""
        if self._question is not None:
            raise RuntimeError("the answer before is still on its way")
        self._question = question
        self._answer_id = ""
        self._committed = self._taken_back = self._cancelled = self._is_thinking = False
        self._outcome = None
        self._progress = ""
        problem = self._problem()
        if problem is not None:
            self._fail(problem)
        elif self._hub.is_usable:
            self._finder.find()
        elif self._store_failure:
            self._fail(Failed(int(ExitCode.STORE), "store", self._store_failure))
        # else: the store is being opened

    def cancel(self) -> None:
        """Stop the answer; what there is of it is kept. Ends with a Done or a Failed."""
        if self._question is None or self._cancelled:
            return
        self._cancelled = True
        self._grace.start()
        if self._session is not None:
            self._session.stop()
        elif not self._hub.is_usable:
            self._fail_unsent()
        # else: the chat is being found; see `_on_found`

    # --- the chat and its session ----------------------------------------------------

    def _on_not_found(self, failed: Failed) -> None:
        if shiboken6.isValid(self) and self._question is not None:
            self._fail(failed)

    def _on_found(self, session: ChatSession) -> None:
        if not shiboken6.isValid(self) or self._question is None:
            return
        if self._cancelled:
            if self._finder.is_new:
                self._hub.hide(session.chat_id)  # which deletes a blank chat
                self._finder.forget()
            self._fail_unsent()
            return
        if session.state.is_active:
            text = "An answer in this chat is still on its way. Wait for its end, then ask again."
            self._fail(Failed(int(ExitCode.FAILED), "busy", text))
            return
        self._take_model(session)
        problem = wording.engine_problem(
            self._hub.view_of(session), self._request.model, session.chat.model
        )
        if problem is not None:
            self._fail(problem)
            return
        if session.draft_source is None:
            # Sending clears the chat's draft, which is no part of what is sent here.
            draft = session.draft
            session.draft_source = self._draft = lambda: draft
        self._session = session
        for signal, slot in self._links(session):
            signal.connect(slot)
        if session.send(self._question):
            self._answer_id = session.messages[-1].id
        else:
            text = session.notice.text or "The question could not be sent."
            self._fail(Failed(int(ExitCode.FAILED), "refused", text))

    def _links(self, session: ChatSession) -> list[tuple[Any, Callable[..., None]]]:
        return [
            (session.text_appended, self._on_text),
            (session.reasoning_appended, self._on_reasoning),
            (session.overflowed, self._on_overflowed),
            (session.state_changed, self._on_state_changed),
            (session.noticed, self._on_noticed),
            (session.committed, self._on_committed),
            (session.finished, self._on_finished),
            (session.settled, self._on_settled),
            (session.destroyed, self._on_destroyed),
        ]

    def _on_committed(self) -> None:
        if not self._committed and self._session is not None:
            self._committed = True
            self._session.save_draft()
            self.happened.emit(Started(self._kept_id(), self._model_name()))
            self._show_progress()
            self._tick.start()

    def _on_text(self, message_id: str, text: str) -> None:
        if message_id == self._answer_id:
            self._is_thinking = False
            self.happened.emit(events.Text(text))

    def _on_reasoning(self, message_id: str, _text: str) -> None:
        """The answer proper is what is printed; that it thinks is a line on the way to it."""
        if message_id == self._answer_id and not self._is_thinking:
            self._is_thinking = True
            self._show_progress()

    def _on_overflowed(self, _overflow: object) -> None:
        """Nobody can be asked here: the question is refused with both counts."""
        from desktop.models.session.overflow import OverflowChoice  # late: seldom needed

        if self._session is not None:
            self._session.resolve_overflow(OverflowChoice.STOP)

    def _on_state_changed(self, _state: SessionState) -> None:
        self._show_progress()

    def _on_noticed(self, notice: SessionNotice) -> None:
        if notice.code == TAKEN_BACK:
            self._taken_back = True
            if not self._committed:  # it could not be stored
                self._fail(Failed(int(ExitCode.STORE), "store", notice.text))
            # else: the engine refused it; see `_on_request_failed`
        elif notice.code == "unsaved" and self._outcome is not None:
            self._save_again()
        elif notice.level is NoticeLevel.ERROR and notice.text:
            self.happened.emit(events.Notice(notice.text))

    def _on_finished(self) -> None:
        """The answer has ended; the session stores it next."""
        message = self._answer()
        if message is not None and self._outcome is None and not message.status.is_active:
            dropped = message.statistics.dropped_messages if message.statistics else 0
            if dropped:
                self.happened.emit(events.Notice(wording.dropped_text(dropped)))
            self._outcome = outcome_of(
                message,
                cancelled=self._cancelled,
                model=message.model or self._model_name(),
                chat_id=self._kept_id(),
            )
            self._grace.start()

    def _on_settled(self) -> None:
        if self._outcome is not None:
            self._conclude(self._outcome)

    def _on_destroyed(self) -> None:
        self._session = None
        if self._question is not None:
            text = "The chat was deleted while it was being answered."
            self._conclude(self._outcome or Failed(int(ExitCode.FAILED), "chat_deleted", text))

    def _answer(self) -> Message | None:
        """The answer as it is now; None once it was taken back."""
        messages = self._session.messages if self._session is not None else ()
        return messages[-1] if messages and messages[-1].id == self._answer_id else None

    def _save_again(self) -> None:
        """The last write failed; try once more, to say why or that it is well after all."""
        message, outcome = self._answer(), self._outcome
        if outcome is None:
            return
        if message is None:
            self._conclude(outcome)
            return

        def conclude(with_: Done | Failed) -> None:
            if shiboken6.isValid(self) and self._outcome is outcome:
                self._conclude(with_)

        def failed(error: Exception) -> None:
            text = f"The answer could not be saved. {error}"
            conclude(failed_with(message, "store", text, ExitCode.STORE))

        self._hub.background.watch(
            self._hub.store.update_message(
                message.id,
                content=message.content,
                status=message.status,
                error=message.error,
                statistics=message.statistics,
                reasoning=message.reasoning,
            ),
            lambda _: conclude(outcome),
            failed,
        )

    # --- the store and the engine -----------------------------------------------------

    def _on_store_opened(self) -> None:
        self._store_failure = ""
        if self._question is not None and self._session is None:
            self._finder.find()

    def _on_store_failed(self, error: Exception) -> None:
        if getattr(error, "usable", False):  # a damaged file was set aside
            self.happened.emit(events.Notice(str(error)))
            return
        self._store_failure = str(error)
        if self._question is not None and self._session is None:
            self._fail(Failed(int(ExitCode.STORE), "store", str(error)))

    def _view(self) -> EngineView:
        """The engine that answers, as it is now."""
        if self._session is not None:
            return self._hub.view_of(self._session)
        client = self._hub.pool.client_for(self._request.model)
        return (client or self._hub.client).view

    def _problem(self) -> Failed | None:
        """Why no answer can be expected."""
        own = self._session.chat.model if self._session is not None else ""
        return wording.engine_problem(self._view(), self._request.model, own)

    def _take_model(self, session: ChatSession) -> None:
        """Have the chat answered by the model that was named, if another one would do it."""
        named = self._request.model
        if named and self._hub.pool.client_for(named) is not None:
            answers = same_folder(self._hub.view_of(session).model)
            if answers != same_folder(named):
                session.set_model(named)

    def _on_views_changed(self) -> None:
        self._view_came = time.monotonic()
        if self._question is None or self._outcome is not None:
            return
        problem = self._problem()
        if problem is not None:
            self._fail(problem)
        else:
            self._show_progress()

    def _on_request_failed(self, failure: Failure) -> None:
        # The session has just been told: only a question of its own is taken back.
        if self._taken_back and self._session is not None:
            self._fail(wording.too_long(failure))

    def _show_progress(self) -> None:
        session = self._session
        if session is None or not self._committed:
            return
        since = time.monotonic() - self._view_came
        text = wording.progress_text(self._view(), session.state, since)
        if self._is_thinking and session.state is SessionState.STREAMING:
            text = wording.THINKING
        if text and text != self._progress:
            self._progress = text
            self.happened.emit(Progress(text))

    # --- the end --------------------------------------------------------------------------

    def _model_name(self) -> str:
        return self._hub.model_name(self._session.chat.model if self._session else "")

    def _kept_id(self) -> str:
        return self._finder.chat_id if self._request.save else ""

    def _fail_unsent(self) -> None:
        text = "Stopped before the question was sent."
        self._fail(Failed(int(ExitCode.CANCELLED), "cancelled", text))

    def _fail(self, failed: Failed) -> None:
        """End with `failed`; an answer on its way is stopped and stored first."""
        self._outcome = failed
        if self._session is not None and self._session.state.is_active:
            self._grace.start()
            self._session.stop()
        else:
            self._conclude(failed)

    def _on_grace_over(self) -> None:
        """The engine or the store does not react: keep what there is, and leave."""
        if self._session is None:
            self._fail_unsent()
        elif self._session.state.is_active:
            self._session.interrupt()
        else:
            self._save_again()

    def _conclude(self, outcome: Done | Failed) -> None:
        self._grace.stop()
        self._tick.stop()
        session, self._session = self._session, None
        if session is not None:
            for signal, slot in self._links(session):
                signal.disconnect(slot)
            if self._draft is not None and session.draft_source is self._draft:
                session.draft_source = None
            if not session.messages and self._finder.is_new:
                # Nothing could be said in it: it is not left in the list.
                self._finder.forget()
                self._hub.delete_chat(session.chat_id)
            self._finder.is_new = False
        if isinstance(outcome, Failed) and session is not None and session.messages:
            outcome = msgspec.structs.replace(outcome, chat_id=self._kept_id())
        self._draft = None
        self._question = None
        self._outcome = None
        self.happened.emit(outcome)
        self.idle.emit()
