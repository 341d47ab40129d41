"""One conversation of the terminal's, held over a session hub: questions in, events out.

It runs beside an engine of its own in the terminal's process, and in the window's for a
terminal that handed its question over. Storing, sending and streaming are the session's;
this finds the chat, and tells in plain events how it goes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from desktop import paths
from desktop.chats.chat import (
    DEFAULT_SYSTEM_PROMPT,
    Chat,
    ChatSummary,
    Message,
    MessageStatus,
    Role,
    Statistics,
)
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.chat_session import TAKEN_BACK, ChatSession, SessionState
from desktop.models.engine_text import model_name, stage_text
from desktop.models.notice import Notice as SessionNotice
from desktop.models.notice import NoticeLevel
from desktop.terminal import events
from desktop.terminal.events import ChatRequest, Done, ExitCode, Failed, Progress, Started
from engine.protocol import Failure, FinishReason, Remedy, RemedyAction

if TYPE_CHECKING:
    from desktop.models.session_hub import SessionHub

T = TypeVar("T")

SETUP_COMMAND = "./packaging/run --setup-only"
CANCEL_GRACE_MS = 3000


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
        self._chat_id = ""
        self._is_new = False
        self._is_prepared = False
        self._session: ChatSession | None = None
        self._draft: Callable[[], str] | None = None  # ours, while the chat has no tab
        self._question: str | None = None
        self._committed = False
        self._taken_back = ""
        self._cancelled = False
        self._outcome: Done | Failed | None = None  # to be told once it is stored
        self._progress = ""
        self._grace = QTimer(self, singleShot=True, interval=CANCEL_GRACE_MS)
        self._grace.timeout.connect(self._on_grace_over)
        hub.client.view_changed.connect(self._on_view_changed)
        # After the hub, which hands the failure to the session first.
        hub.client.request_failed.connect(self._on_request_failed)
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
        self._committed = False
        self._cancelled = False
        self._taken_back = ""
        self._outcome = None
        self._progress = ""
        if not self._check_engine(self._hub.client.view):
            return
        if self._hub.is_usable:
            self._find_chat()
        elif self._store_failure:
            self._fail(ExitCode.STORE, "store", self._store_failure)
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
            self._fail_as_cancelled()
        # else: the chat is being found; see `_on_open`

    # --- the chat ------------------------------------------------------------------

    def _find_chat(self) -> None:
        if self._chat_id:
            self._open(self._chat_id)
        elif self._request.chat or self._request.last:
            self._watch(self._hub.store.list_chats(include_archived=True), self._on_listed)
        else:
            system = self._request.system
            created = self._hub.store.create_chat(
                system_prompt=DEFAULT_SYSTEM_PROMPT if system is None else system,
                parameters=dict(self._request.parameters),
            )
            self._watch(created, self._on_created)

    def _on_created(self, chat: Chat) -> None:
        self._is_new = self._is_prepared = True
        self._open(chat.id)

    def _on_listed(self, chats: list[ChatSummary]) -> None:
        if self._request.last:
            self._open_last(iter([chat.id for chat in chats if not chat.archived]))
            return
        wanted = self._request.chat
        found = [chat.id for chat in chats if chat.id.startswith(wanted)]
        if len(found) == 1:
            self._open(found[0])
        elif found:
            self._fail(
                ExitCode.USAGE,
                "chat_ambiguous",
                f"{len(found)} chats have an id that begins with {wanted}. Give more of it.",
            )
        else:
            self._fail(ExitCode.USAGE, "chat_missing", f"There is no chat with the id {wanted}.")

    def _open_last(self, ids: Iterable[str]) -> None:
        """Open the first chat of `ids` in which something was said."""
        remaining = iter(ids)
        chat_id = next(remaining, None)
        if chat_id is None:
            self._fail(
                ExitCode.USAGE, "chat_missing", "There is no chat yet to go on with. Omit --last."
            )
            return

        def loaded(chat: Chat) -> None:
            if chat.messages:
                self._open(chat.id)
            else:
                self._open_last(remaining)

        self._watch(
            self._hub.store.load_chat(chat_id), loaded, lambda _: self._open_last(remaining)
        )

    def _open(self, chat_id: str) -> None:
        self._chat_id = chat_id
        self._hub.open_chat(chat_id, self._on_open, self._on_missing)

    def _on_missing(self, _error: Exception) -> None:
        if shiboken6.isValid(self) and self._question is not None:
            text = "The chat is gone: it was deleted."
            self._fail(ExitCode.USAGE, "chat_missing", text)

    def _on_open(self, session: ChatSession) -> None:
        if not shiboken6.isValid(self) or self._question is None:
            return
        if self._cancelled:
            if self._is_new:
                self._hub.hide(session.chat_id)  # which deletes a blank chat
                self._forget_chat()
            self._fail_as_cancelled()
            return
        if session.state.is_active:
            text = "An answer in this chat is still on its way. Wait for its end, then ask again."
            self._fail(ExitCode.FAILED, "busy", text)
            return
        self._prepare(session)
        if session.draft_source is None:
            # Sending clears the chat's draft, which is no part of what is sent here.
            draft = session.draft
            session.draft_source = self._draft = lambda: draft
        self._session = session
        for signal, slot in self._links(session):
            signal.connect(slot)
        if not session.send(self._question):
            text = session.notice.text or "The question could not be sent."
            self._fail(ExitCode.FAILED, "refused", text)

    def _links(self, session: ChatSession) -> list[tuple[Any, Callable[..., None]]]:
        return [
            (session.text_appended, self._on_text),
            (session.state_changed, self._on_state_changed),
            (session.noticed, self._on_noticed),
            (session.committed, self._on_committed),
            (session.finished, self._on_finished),
            (session.settled, self._on_settled),
            (session.destroyed, self._on_destroyed),
        ]

    def _prepare(self, session: ChatSession) -> None:
        """Give a chat that goes on the options of the command line, once."""
        if self._is_prepared:
            return
        self._is_prepared = True
        request = self._request
        changes: dict[str, object] = {}
        if request.system is not None:
            changes["system_prompt"] = request.system
        if request.parameters:
            changes["parameters"] = {**session.chat.parameters, **request.parameters}
        if changes:
            session.chat = replace(session.chat, **changes)  # type: ignore[arg-type]
            self._hub.store.set_chat(session.chat_id, **changes)  # type: ignore[arg-type]

    def _watch(
        self,
        future: Future[T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        def if_waiting(call: Callable[[Any], None]) -> Callable[[Any], None]:
            return lambda outcome: (
                call(outcome) if shiboken6.isValid(self) and self._question is not None else None
            )

        self._hub.background.watch(
            future, if_waiting(done), if_waiting(failed or self._on_store_failed)
        )

    # --- the store -------------------------------------------------------------------

    def _on_store_opened(self) -> None:
        self._store_failure = ""
        if self._question is not None and self._session is None:
            self._find_chat()

    def _on_store_failed(self, error: Exception) -> None:
        if getattr(error, "usable", False):  # a damaged file was set aside
            self.happened.emit(events.Notice(str(error)))
        else:
            self._store_failure = str(error)
            if self._question is not None:
                self._fail(ExitCode.STORE, "store", str(error))

    # --- the session ------------------------------------------------------------------

    def _on_committed(self) -> None:
        if not self._committed and self._session is not None:
            self._committed = True
            self._session.save_draft()
            self.happened.emit(Started(self._chat_id, self._hub.model_name()))
            self._show_progress()

    def _on_text(self, message_id: str, text: str) -> None:
        session = self._session
        if session is not None and session.messages and session.messages[-1].id == message_id:
            self.happened.emit(events.Text(text))

    def _on_state_changed(self, _state: SessionState) -> None:
        self._show_progress()

    def _on_noticed(self, notice: SessionNotice) -> None:
        if notice.code == TAKEN_BACK:
            self._taken_back = notice.text
            if not self._committed:  # it could not be stored
                self._fail(ExitCode.STORE, "store", notice.text)
            # else: the engine refused it; see `_on_request_failed`
        elif notice.code == "unsaved" and self._outcome is not None:
            self._save_again()
        elif notice.level is NoticeLevel.ERROR and notice.text:
            self.happened.emit(events.Notice(notice.text))

    def _on_request_failed(self, failure: Failure) -> None:
        if not self._taken_back or self._session is None:
            return  # another chat's, or one that the session's own message tells of
        self._fail(
            ExitCode.TOO_LONG,
            failure.code,
            _too_long(failure),
            prompt_tokens=failure.prompt_tokens,
            context=failure.context,
        )

    def _on_finished(self) -> None:
        """The answer has ended; the session stores it next."""
        session = self._session
        if session is None or self._outcome is not None or not session.messages:
            return
        message = session.messages[-1]
        if message.role is Role.ASSISTANT and not message.status.is_active:
            self._outcome = self._outcome_of(message)
            self._grace.start()

    def _on_settled(self) -> None:
        if self._outcome is not None:
            self._conclude(self._outcome)

    def _save_again(self) -> None:
        """The last write failed; try once more, to say why or that it is well after all."""
        session, outcome = self._session, self._outcome
        if session is None or outcome is None:
            return
        message = session.messages[-1]

        def failed(error: Exception) -> None:
            text = f"The answer could not be saved. {error}"
            self._conclude(self._failed(ExitCode.STORE, "store", text, message.content))

        self._watch(
            self._hub.store.update_message(
                message.id,
                content=message.content,
                status=message.status,
                error=message.error,
                statistics=message.statistics,
            ),
            lambda _: self._conclude(outcome),
            failed,
        )

    def _on_destroyed(self) -> None:
        if self._question is not None:
            self._session = None
            text = "The chat was deleted while it was being answered."
            self._conclude(
                self._outcome
                or Failed(ExitCode.FAILED, "chat_deleted", text, chat_id=self._chat_id)
            )

    def _outcome_of(self, message: Message) -> Done | Failed:
        match message.status:
            case MessageStatus.FAILED:
                text = message.error or "The engine could not finish this answer. Try again."
                return self._failed(ExitCode.FAILED, "request_failed", text, message.content)
            case MessageStatus.INTERRUPTED if not self._cancelled:
                text = (
                    "The engine stopped in the middle of the answer. What there is of it is kept; "
                    "ask again, or go on with --last."
                )
                return self._failed(ExitCode.FAILED, "interrupted", text, message.content)
        costs = message.statistics or Statistics()
        stopped = message.status in (MessageStatus.STOPPED, MessageStatus.INTERRUPTED)
        return Done(
            answer=message.content,
            tokens=costs.completion_tokens,
            prompt_tokens=costs.prompt_tokens,
            cached_tokens=costs.cached_tokens,
            tokens_per_second=costs.decode_tps,
            ttft=costs.ttft,
            seconds=costs.seconds,
            kv_blocks=costs.kv_blocks,
            finish_reason=FinishReason.CANCELLED.value if stopped else costs.finish_reason,
            model=message.model or self._hub.model_name(),
            chat_id=self._chat_id if self._request.save else "",
        )

    # --- the engine ---------------------------------------------------------------------

    def _on_view_changed(self, view: EngineView) -> None:
        if self._question is not None and self._outcome is None and self._check_engine(view):
            self._show_progress()

    def _check_engine(self, view: EngineView) -> bool:
        """Fail if no answer can be expected of the engine as it is."""
        wanted = self._request.model
        if view.phase is Phase.FAILED and view.failure is not None:
            code, text = view.failure.code, failure_text(view.failure)
        elif view.phase is Phase.IDLE:
            code = "no_model"
            text = "No model is loaded in the window. Load one there, then ask again."
        elif wanted and view.model and not _is_same_folder(wanted, view.model):
            code = "other_model"
            text = (
                f"The window has the model {model_name(view.model)} loaded, not "
                f"{model_name(wanted)}. Load that in the window, or close the window, or ask "
                "without --model."
            )
        else:
            return True
        self._fail(ExitCode.FAILED, code, text)
        return False

    def _show_progress(self) -> None:
        text = self._progress_text()
        if text and text != self._progress:
            self._progress = text
            self.happened.emit(Progress(text))

    def _progress_text(self) -> str:
        session = self._session
        if session is None or not self._committed or session.state is SessionState.STREAMING:
            return ""
        view = self._hub.client.view
        name = model_name(view.model)
        match view.phase:
            case Phase.LOADING:
                known = f" {view.fraction:.0%}" if view.fraction else ""
                return (
                    f"Loading {name}: {stage_text(view.stage)}{known} · {view.load_elapsed:.0f} s"
                )
            case Phase.RESTARTING:
                return "The engine stopped; starting it again"
            case Phase.READY:
                return "Waiting" if session.state is SessionState.QUEUED else "Reading the question"
        return "Starting the engine"

    # --- the end --------------------------------------------------------------------------

    def _failed(self, code: ExitCode, name: str, text: str, answer: str = "") -> Failed:
        chat_id = self._chat_id if self._request.save and self._committed else ""
        return Failed(int(code), name, text, answer=answer, chat_id=chat_id)

    def _fail_as_cancelled(self) -> None:
        self._fail(ExitCode.CANCELLED, "cancelled", "Stopped before the question was sent.")

    def _fail(
        self,
        code: ExitCode,
        name: str,
        text: str,
        *,
        prompt_tokens: int | None = None,
        context: int | None = None,
    ) -> None:
        failed = Failed(
            int(code),
            name,
            text,
            prompt_tokens,
            context,
            chat_id=self._chat_id if self._request.save and self._committed else "",
        )
        session = self._session
        self._outcome = failed
        if session is not None and session.state.is_active:
            session.stop()  # the last event follows when that is stored
            self._grace.start()
        else:
            self._conclude(failed)

    def _on_grace_over(self) -> None:
        """The engine does not react: keep what there is, and leave."""
        session = self._session
        if session is None:
            self._fail_as_cancelled()
        elif session.state.is_active:
            session.interrupt()
        else:
            self._save_again()

    def _conclude(self, outcome: Done | Failed) -> None:
        self._grace.stop()
        session, self._session = self._session, None
        if session is not None:
            for signal, slot in self._links(session):
                signal.disconnect(slot)
            if self._draft is not None and session.draft_source is self._draft:
                session.draft_source = None
            self._draft = None
            self._clear_up(session, outcome)
        self._question = None
        self._outcome = None
        self.happened.emit(outcome)
        self.idle.emit()

    def _clear_up(self, session: ChatSession, outcome: Done | Failed) -> None:
        """A new chat in which nothing could be said is not left in the list."""
        if self._is_new and isinstance(outcome, Failed) and not session.messages:
            self._forget_chat()
            self._hub.delete_chat(session.chat_id)

    def _forget_chat(self) -> None:
        self._is_prepared = self._is_new = False
        self._chat_id = ""


def failure_text(failure: Failure) -> str:
    """A failure and what to do about it, in words a terminal has commands for."""
    advice = [text for remedy in failure.remedies if (text := _advice(remedy))]
    cause = failure.cause if failure.cause.endswith((".", "!", "?")) else f"{failure.cause}."
    return " ".join([cause, *dict.fromkeys(advice)])


def _advice(remedy: Remedy) -> str:
    match remedy.action:
        case RemedyAction.REBUILD_STARTER:
            return f"Make the starter model again with: {SETUP_COMMAND}"
        case RemedyAction.CHOOSE_MODEL:
            return "Choose another model with --model FOLDER."
        case RemedyAction.RETRY:
            return "Try again."
        case RemedyAction.SHOW_LOG:
            return f"The engine's log says more: {paths.find().logs / 'engine.log'}"
        case RemedyAction.RELOAD_WITH:
            return f"In the window: {remedy.label}."
    return ""


def _too_long(failure: Failure) -> str:
    if failure.prompt_tokens is None or failure.context is None:
        return failure.cause
    return (
        f"The prompt makes {failure.prompt_tokens:,} tokens with its chat; the model reads "
        f"{failure.context:,}. Shorten it."
    )


def _is_same_folder(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
