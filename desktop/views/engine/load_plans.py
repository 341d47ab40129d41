"""The loads that are planned before they begin: with what is there, and without what will go."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop.engine_link.engine_state import CPU, Phase

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool
    from desktop.models.loading.load_book import LoadBook, Prepared


class LoadPlans:
    """See the module. The latest load that is wanted of an engine is the one that counts.

    Attributes:
        book: plans loads and remembers them; None: loads are not planned here.
    """

    def __init__(self, pool: EnginePool) -> None:
        self.book: LoadBook | None = None
        self._pool = pool
        self._numbers = itertools.count()
        self._pending: dict[EngineClient, int] = {}

    def drop(self, client: EngineClient) -> None:
        """What is being planned for this engine is not wanted any more."""
        self._pending.pop(client, None)

    def load(self, client: EngineClient, model: str) -> None:
        """Have an engine load a model in place of the one it has, as remembered and planned."""
        self.drop(client)
        book = self.book
        if book is None or client.loads_any_folder:
            client.load(model)
            return
        number = self._pending[client] = next(self._numbers)

        def ready(prepared: Prepared) -> None:
            if self._pending.get(client) == number:
                self.drop(client)
                book.started(prepared)
                client.load(model, prepared.settings())

        self.suppose(client)
        book.prepare(model, ready)

    def prepare_beside(self, model: str, ready: Callable[[Prepared], None]) -> None:
        """Plan a load beside all that is loaded. There must be a book."""
        assert self.book is not None
        self.suppose(None)
        self.book.prepare(model, ready)

    def suppose(self, client: EngineClient | None) -> None:
        """The next plan is for a load into this engine; None: beside all there are."""
        if self.book is None:
            return
        stay = [one for one in self._pool.clients() if one is not client]
        freed = frozenset({client.pid} - {0}) if client is not None else frozenset[int]()
        self.book.ours = lambda: freed
        self.book.promised = lambda: sum(map(set_aside, stay))


def holds_model(client: EngineClient) -> bool:
    """Whether this engine has a model, or is about to."""
    return client.view.phase in (Phase.READY, Phase.LOADING, Phase.SLEEPING)


def set_aside(client: EngineClient) -> int:
    """Bytes of the host's memory that an engine on the CPU keeps for its chats."""
    loaded = client.view.loaded
    if loaded is not None:
        return loaded.kv_cache_bytes if loaded.device == CPU else 0
    wanted = client.wanted[1] if client.wanted is not None else None
    if wanted is None or wanted.devices or client.view.phase is not Phase.LOADING:
        return 0
    return wanted.kv_cache_bytes or 0
