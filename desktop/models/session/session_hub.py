"""All open chats: opens and closes sessions, routes each token to the chat it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, DEFAULT_TITLE, Chat, OverflowPolicy
from desktop.chats.names import name_from
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name
from desktop.models.session.answer_news import AnswerEnded, AnswerNews
from desktop.models.session.chat_opening import ChatOpening
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.progress_saver import ProgressSaver
from desktop.models.session.request_router import RequestRouter
from desktop.models.session.session_services import SessionServices
from desktop.models.session.session_state import SessionState
from desktop.models.session.store_opening import StoreOpening
from desktop.models.session.stream_buffer import StreamBuffer
from desktop.models.session.title_text import shown_title

if TYPE_CHECKING:
    from desktop.background import Background
    from desktop.chats.store.chat_store import ChatStore
    from desktop.engine_link.engine_client import EngineClient
    from desktop.models.session.conversation import Conversation
    from desktop.models.session.titler import SuggestedTitle
    from engine.protocol import Generate, Loaded

__all__ = ["AnswerEnded", "ChatState", "SessionHub"]

# Lower goes first; see `engine.protocol.Generate`. Titles come after all of these.
FOREGROUND_PRIORITY = 0
BACKGROUND_PRIORITY = 1


@dataclass(frozen=True, slots=True)
class ChatState:
    """A chat's state changed, whether a tab shows it or not."""

    chat_id: str
    state: SessionState


class SessionHub(QObject):
    """Owns the sessions and their way to the store and the engine.

    Attributes:
        pool: the engines that answer.
        foreground: id of the chat in front, whose requests go first; "": none is.
        default_overflow: the policy of chats that have none of their own.
        default_system_prompt: of new chats; "" for none.

    Signals:
        store_opened: the store can be used.
        store_failed: the exception that says why it cannot.
        chats_listed: list of `ChatSummary`, newest change first.
        chat_state: a `ChatState`.
        answer_ended: an `AnswerEnded`.
        chat_deleted: id and title of a chat that went to the bin.
        failed: an exception of the store that belongs to no chat.
    """

    store_opened = Signal()
    store_failed = Signal(object)
    chats_listed = Signal(object)
    chat_state = Signal(object)
    answer_ended = Signal(object)
    chat_deleted = Signal(str, str)
    failed = Signal(object)

    def __init__(
        self,
        store: ChatStore | Callable[[], ChatStore],
        engines: EngineClient | EnginePool,
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self.pool = EnginePool.of(engines, self)
        self.background = background
        self.buffer = StreamBuffer(self)
        self._services = SessionServices(background, self.buffer, self)
        self._sessions: dict[str, ChatSession] = {}
        self._shown: set[str] = set()
        self._router = RequestRouter(self.pool, self)
        self._news = AnswerNews(self._router, self)
        self._news.ended.connect(self.answer_ended)
        self._news.titled.connect(self._on_titled)
        self.foreground = ""
        self.default_overflow = OverflowPolicy.ASK
        self.default_system_prompt = DEFAULT_SYSTEM_PROMPT
        self._opening = ChatOpening(self, self._add)
        self._chats = StoreOpening(lambda: self.store, background, self)
        self._chats.opened.connect(self.store_opened)
        self._chats.failed.connect(self.store_failed)
        self._chats.listed.connect(self.chats_listed)
        self._chats.listing_failed.connect(self.failed)
        self._saver = ProgressSaver(self._sessions.values, lambda: self._router.is_busy, self)
        background.failed.connect(self.failed)

    # --- the store -------------------------------------------------------------

    @property
    def store(self) -> ChatStore:
        """Where chats are kept; made when first asked for, if a maker was given."""
        if callable(self._store):
            self._store = self._store()
        return self._store

    @property
    def is_usable(self) -> bool:
        """Whether chats can be read and written."""
        return self._chats.is_usable

    @property
    def has_failed(self) -> bool:
        """Whether the store was found to be unusable."""
        return bool(self._chats.reason)

    def open_store(self) -> None:
        """Open the store, mark answers a crash cut off, list the chats."""
        self._chats.open()

    # --- chats -----------------------------------------------------------------

    @property
    def titles(self) -> str:
        """Who makes them: "first_words", or "model" (of the first exchange)."""
        return self._news.titles

    @titles.setter
    def titles(self, maker: str) -> None:
        self._news.titles = maker

    def refresh(self) -> None:
        """List the chats again; calls while one listing is under way make one more."""
        self._chats.refresh()

    def create_chat(
        self, ready: Callable[[ChatSession], None], refused: Callable[[], None] | None = None
    ) -> None:
        """Make a new chat and open it. `refused` is called if that fails, after `failed`."""
        self._opening.create(ready, refused)

    def open_chat(
        self,
        chat_id: str,
        ready: Callable[[ChatSession], None],
        missing: Callable[[Exception], None] | None = None,
        *,
        whole: bool = True,
    ) -> None:
        """Open a chat; at once if a session of it lives (an answer goes on unseen).

        Args:
            whole: False: the end of a long chat will do, its beginning follows.
        """
        self._opening.open(chat_id, ready, missing, whole=whole)

    def session(self, chat_id: str) -> ChatSession | None:
        """The living session of a chat."""
        return self._sessions.get(chat_id)

    def sessions(self) -> list[ChatSession]:
        """All living sessions, in the order in which they were opened."""
        return list(self._sessions.values())

    def title_of(self, chat_id: str) -> str:
        """A chat's title; "" where no such chat is known here."""
        session = self._sessions.get(chat_id)
        return session.title if session is not None else self._chats.titles.get(chat_id, "")

    def unsaved_session(self) -> ChatSession:
        """A session without a chat: keeps what is typed while the store cannot be used."""
        return ChatSession(Chat("", DEFAULT_TITLE), self._services, self)

    def show(self, chat_id: str) -> None:
        """A tab shows the chat: its session is kept."""
        self._shown.add(chat_id)

    def hide(self, chat_id: str) -> None:
        """The tab is closed. An answer on its way goes on and is saved."""
        self._shown.discard(chat_id)
        session = self._sessions.get(chat_id)
        if session is None:
            return
        if session.is_blank:
            self._drop(session)
            self.background.watch(self.store.delete_chat(chat_id), lambda _: self.refresh())
            return
        session.save_draft()
        self.drop_if_idle(session)

    def rename_chat(self, chat_id: str, title: str) -> None:
        """Give a chat another title."""
        session = self._sessions.get(chat_id)
        if session is not None:
            session.rename(title)
            return
        title = name_from(title)
        if title:
            self._news.forget(chat_id)
            self.background.watch(self.store.rename_chat(chat_id, title), lambda _: self.refresh())

    def delete_chat(self, chat_id: str) -> None:
        """Move a chat to the bin; an answer on its way is stopped first."""
        session = self._sessions.get(chat_id)
        title = session.title if session is not None else self._chats.titles.get(chat_id, "")
        if session is not None:
            session.abandon()
            self._drop(session)
        self._news.forget(chat_id)
        self._shown.discard(chat_id)
        self._opening.forget(chat_id)

        def done(_result: object) -> None:
            self.chat_deleted.emit(chat_id, title)
            self.refresh()

        self.background.watch(self.store.delete_chat(chat_id), done)

    def restore_chat(self, chat_id: str, done: Callable[[], None] | None = None) -> None:
        """Take a chat out of the bin."""

        def restored(_result: object) -> None:
            self.refresh()
            if done is not None:
                done()

        self.background.watch(self.store.restore_chat(chat_id), restored)

    def fork_chat(
        self,
        chat_id: str,
        message_id: str,
        ready: Callable[[ChatSession], None],
        title: str = "",
    ) -> None:
        """Copy a chat up to a message into a new one, and open that.

        An answer that is on its way there is copied with what there is of it, as one that
        was interrupted: it goes on in its own chat alone.
        """
        session = self._sessions.get(chat_id)
        if session is not None:
            session.save_progress()
        if not title:
            title = session.title if session is not None else self._chats.titles.get(chat_id, "")
            # The word comes first: where room is short, titles lose their end.
            named = self.tr("Branch of {title}")
            if not title.startswith(named.partition("{title}")[0]):
                title = named.format(title=shown_title(title))
        self._opening.fork(chat_id, message_id, title, ready)

    # --- requests (see session_services.Requests) ------------------------------------

    @property
    def client(self) -> EngineClient:
        """The window's own engine."""
        return self.pool.primary

    def loaded(self, model: str = "") -> Loaded | None:
        """The model in this folder ("": the window's own), if it answers now."""
        view = self.pool.view_for(model)
        return view.loaded if view.phase is Phase.READY else None

    def view_of(self, session: Conversation) -> EngineView:
        """The engine as this chat meets it."""
        return self.pool.view_for(session.chat.model)

    def complete(self, session: Conversation) -> None:
        """Read the beginning of a chat of which only the end is shown."""
        self._opening.read_rest(session)

    def submit(self, session: ChatSession, request: Generate, model: str = "") -> None:
        """Have `request` answered by a model; its tokens go to `session` alone."""
        self._news.give_way()
        self._saver.start()
        self._router.submit(session, request, model)

    def redirect(self, session: ChatSession, old: str, new: str) -> None:
        """What the session wants of a model, and no engine has yet, is for another one now."""
        self._router.redirect(session, old, new)

    def kept_for(self, model: str) -> int:
        """How many requests are kept until this model is ready, and no engine has yet."""
        return self._router.kept_for(model)

    def answered_by(self, engine: EngineClient) -> int:
        """How many chats wait for this engine's answers, or get them now."""
        return sum(isinstance(route, ChatSession) for route in self._router.answering(engine))

    def cancel(self, request_id: str) -> None:
        """Stop a request."""
        self._router.cancel(request_id)

    def priority_of(self, chat_id: str) -> int:
        """The priority of the chat's requests; lower goes first."""
        return FOREGROUND_PRIORITY if chat_id == self.foreground else BACKGROUND_PRIORITY

    def model_name(self, model: str = "") -> str:
        """The name of the model in this folder; "": of the window's own, if it has one."""
        return model_name(model or self.client.view.model)

    def refusal(self) -> str:
        """Why nothing can be sent; empty if it can."""
        return self._chats.refusal()

    @property
    def active_count(self) -> int:
        """How many answers are on their way."""
        return sum(session.state.is_active for session in self._sessions.values())

    def save_progress(self) -> None:
        """Store what streamed since the last time; by itself each second while anything does."""
        self._saver.save_all()

    def close(self) -> None:
        """The window goes away: drafts and partial answers are written, then the store ends."""
        self._saver.stop()
        for session in self.sessions():
            session.save_draft()
            session.interrupt()
        self._router.clear()
        self.store.close()

    def drop_if_idle(self, session: ChatSession) -> None:
        """Let go of a session that no tab shows and that has nothing to do."""
        if session.chat_id not in self._sessions or session.chat_id in self._shown:
            return
        if session.state.is_active or session.needs_saving:
            return
        if not self._opening.is_reading(session.chat_id):
            self._drop(session)

    # --- inside ---------------------------------------------------------------------

    def _add(self, chat: Chat) -> ChatSession:
        session = ChatSession(chat, self._services, self)
        self._sessions[chat.id] = session
        session.committed.connect(self.refresh)
        session.state_changed.connect(
            lambda state: self.chat_state.emit(ChatState(session.chat_id, state))
        )
        session.finished.connect(lambda: self._on_finished(session))
        self._news.watch(session, lambda: session.chat_id == self.foreground)
        session.settled.connect(lambda: self.drop_if_idle(session))
        return session

    def _drop(self, session: ChatSession) -> None:
        self._sessions.pop(session.chat_id, None)
        session.deleteLater()

    def _on_finished(self, session: ChatSession) -> None:
        self._router.forget(session)
        if session.chat_id in self._sessions:
            self.refresh()

    def _on_titled(self, suggestion: SuggestedTitle) -> None:
        session = self._sessions.get(suggestion.chat_id)
        if session is not None:
            session.suggest_title(suggestion.title, suggestion.instead_of)
        elif self._chats.titles.get(suggestion.chat_id) == suggestion.instead_of:
            self.rename_chat(suggestion.chat_id, suggestion.title)
