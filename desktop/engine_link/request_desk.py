"""The requests of all chats: those that wait for a model, and those under way."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from engine.protocol import Finish, FinishReason, Generate, StreamUpdate, TokenBatch


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked: what is known of a request that has not ended."""

    chat_id: str
    priority: int


class RequestDesk:
    """Keeps what must not be lost when an engine dies. No Qt."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Generate] = OrderedDict()
        self._running: dict[str, Asked] = {}

    @property
    def held(self) -> int:
        """How many wait for a model."""
        return len(self._held)

    def hold(self, request: Generate) -> None:
        """Keep `request` until a model is ready."""
        self._held[request.request_id] = request

    def release(self) -> list[Generate]:
        """All that was held, in the order in which it came; nothing is held then."""
        held, self._held = list(self._held.values()), OrderedDict()
        return held

    def drop_held(self, request_id: str) -> TokenBatch | None:
        """Give up a request that is held; its end, as an engine would tell it."""
        if self._held.pop(request_id, None) is None:
            return None
        finish = Finish(FinishReason.CANCELLED, 0, 0, 0.0, None)
        return TokenBatch((StreamUpdate(request_id, finish=finish),))

    @property
    def asked(self) -> dict[str, Asked]:
        """All of them by their ids, those that the engine has first."""
        held = {
            key: Asked(request.chat_id, request.priority) for key, request in self._held.items()
        }
        return {**self._running, **held}

    @property
    def running(self) -> tuple[str, ...]:
        """Those that the engine has."""
        return tuple(self._running)

    def is_running(self, request_id: str) -> bool:
        """Whether the engine has it."""
        return request_id in self._running

    def sent(self, request: Generate) -> None:
        """The engine has it."""
        self._running[request.request_id] = Asked(request.chat_id, request.priority)

    def failed(self, request_id: str) -> None:
        """The engine will not finish it."""
        self._running.pop(request_id, None)

    def ended_in(self, batch: TokenBatch) -> None:
        """Some may end with this batch."""
        for update in batch.updates:
            if update.finish is not None:
                self._running.pop(update.request_id, None)

    def lose_running(self) -> tuple[str, ...]:
        """The engine is gone, and these with it."""
        lost, self._running = tuple(self._running), {}
        return lost
