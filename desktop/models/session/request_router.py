"""Which request belongs to whom, and which engine it goes to.

A request that names a model goes to the engine that has it, and only while that is ready: it
is kept here until then, so that no other model ever answers it in silence. One that names none
goes to the window's own engine, which keeps it until it is ready.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from desktop.engine_link.engine_pool import same_folder
from desktop.engine_link.engine_state import Phase
from desktop.models.session.conversation import Conversation
from desktop.models.session.session_state import SessionState, Waiting

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool
    from engine.protocol import Failure, Generate, StreamUpdate, TokenBatch


class Route(Protocol):
    """Who asked: a chat's session, or what makes titles."""

    def apply(self, update: StreamUpdate) -> None:
        """What the stream of a request produced."""

    def fail(self, failure: Failure) -> None:
        """The engine refused or lost a request."""

    def interrupt(self, request_id: str) -> None:
        """A request died with the engine."""


@dataclass(slots=True)
class _Asked:
    """A request that has not ended.

    Attributes:
        model: folder of the model that is to answer; "": the window's own.
        request: while it is kept here; None once an engine has it.
        engine: who has it.
    """

    route: Route
    model: str
    request: Generate | None
    engine: EngineClient | None = None


class RequestRouter(QObject):
    """See the module. A request that nobody waits for any more is heard by nobody."""

    def __init__(self, pool: EnginePool, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._asked: dict[str, _Asked] = {}
        pool.token_batch.connect(self._on_token_batch)
        pool.request_failed.connect(self._on_request_failed)
        pool.interrupted.connect(self._on_interrupted)
        pool.views_changed.connect(self._on_views_changed)

    @property
    def is_busy(self) -> bool:
        """Whether a chat's answer is on its way."""
        return any(isinstance(asked.route, Conversation) for asked in self._asked.values())

    def is_busy_beside(self, route: Route) -> bool:
        """Whether an answer of another chat than `route` is on its way."""
        return any(
            isinstance(asked.route, Conversation) and asked.route is not route
            for asked in self._asked.values()
        )

    def is_ready(self, model: str = "") -> bool:
        """Whether the model answers now."""
        return self._pool.view_for(model).phase is Phase.READY

    def submit(self, route: Route, request: Generate, model: str = "") -> None:
        """Have `request` answered by a model; what comes of it goes to `route` alone."""
        self._asked[request.request_id] = asked = _Asked(route, model, request)
        self._send(asked)
        self._update_waiting()

    def cancel(self, request_id: str) -> None:
        """Stop a request."""
        asked = self._asked.get(request_id)
        if asked is not None and asked.request is not None:
            self._on_token_batch(_cancelled(request_id))
        else:
            engine = asked.engine if asked is not None else None
            (engine or self._pool.primary).cancel(request_id)

    def redirect(self, route: Route, old: str, new: str) -> None:
        """What `route` wants of model `old`, and no engine has yet, is for model `new` now."""
        for asked in list(self._asked.values()):  # one that cannot be sent fails, and goes
            if asked.route is route and asked.model == old and asked.request is not None:
                asked.model = new
                self._send(asked)
        self._update_waiting()

    def kept_for(self, model: str) -> int:
        """How many requests are kept here until this model is ready."""
        wanted = same_folder(model)
        return sum(
            asked.request is not None and same_folder(asked.model) == wanted
            for asked in self._asked.values()
        )

    def answering(self, engine: EngineClient) -> set[Route]:
        """Whose requests this engine has."""
        return {asked.route for asked in self._asked.values() if asked.engine is engine}

    def forget(self, route: Route) -> None:
        """Nothing goes to `route` any more."""
        for request_id in [key for key, asked in self._asked.items() if asked.route is route]:
            del self._asked[request_id]
        self._update_waiting()

    def clear(self) -> None:
        """Nothing goes to anybody any more."""
        self._asked.clear()

    # --- to the engines -----------------------------------------------------------------

    def _send(self, asked: _Asked) -> None:
        """Hand it on if its engine can take it."""
        engine = self._pool.client_for(asked.model)
        if engine is None or asked.request is None:
            return
        if asked.model and engine.view.phase is not Phase.READY:
            if engine.view.phase is Phase.SLEEPING:
                engine.wake()
            return
        request, asked.request, asked.engine = asked.request, None, engine
        engine.generate(request)

    def _on_views_changed(self) -> None:
        for asked in list(self._asked.values()):
            if asked.request is not None:
                self._send(asked)
        self._update_waiting()

    # --- from the engines ----------------------------------------------------------------

    def _on_token_batch(self, batch: TokenBatch) -> None:
        started = False
        for update in batch.updates:
            asked = self._asked.get(update.request_id)
            if asked is None:
                continue
            started = started or update.running or update.finish is not None
            if update.finish is not None:
                del self._asked[update.request_id]
            asked.route.apply(update)
        if started:
            self._update_waiting()

    def _on_request_failed(self, failure: Failure) -> None:
        asked = self._asked.pop(failure.request_id, None)
        if asked is not None:
            asked.route.fail(failure)
            self._update_waiting()

    def _on_interrupted(self, request_ids: tuple[str, ...]) -> None:
        for request_id in request_ids:
            asked = self._asked.pop(request_id, None)
            if asked is not None:
                asked.route.interrupt(request_id)

    # --- who waits ---------------------------------------------------------------------

    def _update_waiting(self) -> None:
        lines: dict[str, list[Conversation]] = {}  # by model
        seen: set[Conversation] = set()
        for asked in list(self._asked.values()):
            route = asked.route
            if not isinstance(route, Conversation) or route in seen:
                continue
            seen.add(route)
            if route.state is SessionState.QUEUED:
                lines.setdefault(asked.model, []).append(route)
            else:
                route.set_waiting(None)
        for model, line in lines.items():
            ready = self.is_ready(model)
            missing = bool(model) and self._pool.client_for(model) is None
            for index, conversation in enumerate(line):
                conversation.set_waiting(Waiting(index + 1, len(line), ready, model, missing))


def _cancelled(request_id: str) -> TokenBatch:
    """The end of a request that no engine has seen, as an engine would tell it."""
    from engine.protocol import Finish, FinishReason, StreamUpdate, TokenBatch

    finish = Finish(FinishReason.CANCELLED, 0, 0, 0.0, None)
    return TokenBatch((StreamUpdate(request_id, finish=finish),))
