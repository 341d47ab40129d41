"""Which request belongs to whom: tokens, failures and places in line go to their owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from desktop.engine_link.engine_state import Phase
from desktop.models.session.conversation import Conversation
from desktop.models.session.session_state import SessionState, Waiting

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from engine.protocol import Failure, Generate, StreamUpdate, TokenBatch


class Route(Protocol):
    """Who asked: a chat's session, or what makes titles."""

    def apply(self, update: StreamUpdate) -> None:
        """What the stream of a request produced."""

    def fail(self, failure: Failure) -> None:
        """The engine refused or lost a request."""

    def interrupt(self, request_id: str) -> None:
        """A request died with the engine."""


class RequestRouter(QObject):
    """See the module. A request that nobody waits for any more is heard by nobody."""

    def __init__(self, client: EngineClient, parent: QObject) -> None:
        super().__init__(parent)
        self._client = client
        self._routes: dict[str, Route] = {}
        client.token_batch.connect(self._on_token_batch)
        client.request_failed.connect(self._on_request_failed)
        client.interrupted.connect(self._on_interrupted)
        client.view_changed.connect(self._update_waiting)

    @property
    def is_busy(self) -> bool:
        """Whether a chat's answer is on its way."""
        return any(isinstance(route, Conversation) for route in self._routes.values())

    def is_busy_beside(self, route: Route) -> bool:
        """Whether an answer of another chat than `route` is on its way."""
        return any(
            isinstance(other, Conversation) and other is not route
            for other in self._routes.values()
        )

    @property
    def is_ready(self) -> bool:
        """Whether the model answers now."""
        return self._client.view.phase is Phase.READY

    def submit(self, route: Route, request: Generate) -> None:
        """Send `request`; what comes of it goes to `route` alone."""
        self._routes[request.request_id] = route
        self._client.generate(request)
        self._update_waiting()

    def cancel(self, request_id: str) -> None:
        """Stop a request."""
        self._client.cancel(request_id)

    def forget(self, route: Route) -> None:
        """Nothing goes to `route` any more."""
        for request_id in [key for key, owner in self._routes.items() if owner is route]:
            del self._routes[request_id]
        self._update_waiting()

    def clear(self) -> None:
        """Nothing goes to anybody any more."""
        self._routes.clear()

    def _on_token_batch(self, batch: TokenBatch) -> None:
        started = False
        for update in batch.updates:
            route = self._routes.get(update.request_id)
            if route is None:
                continue
            started = started or update.running or update.finish is not None
            if update.finish is not None:
                del self._routes[update.request_id]
            route.apply(update)
        if started:
            self._update_waiting()

    def _on_request_failed(self, failure: Failure) -> None:
        route = self._routes.pop(failure.request_id, None)
        if route is not None:
            route.fail(failure)
            self._update_waiting()

    def _on_interrupted(self, request_ids: tuple[str, ...]) -> None:
        for request_id in request_ids:
            route = self._routes.pop(request_id, None)
            if route is not None:
                route.interrupt(request_id)

    def _update_waiting(self, _view: object = None) -> None:
        queued: list[Conversation] = []
        for route in dict.fromkeys(self._routes.values()):
            if not isinstance(route, Conversation):
                continue
            if route.state is SessionState.QUEUED:
                queued.append(route)
            else:
                route.set_waiting(None)
        for index, conversation in enumerate(queued):
            conversation.set_waiting(Waiting(index + 1, len(queued), self.is_ready))
