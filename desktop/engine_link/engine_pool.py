"""Several engines at once: each its own process, log, restarts and failures.

The first one is there from the start and is the window's own: chats that name no model are
answered by it. Others are opened beside it, for a model each, and closed again; what happens
to one of them leaves the rest alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.engine_link.engine_state import EngineView, Phase

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from engine.protocol import LoadSettings, Telemetry

PRIMARY = 1  # the key of the window's own engine


@dataclass(frozen=True, slots=True)
class EngineReading:
    """A reading of one of the engines."""

    key: int
    telemetry: Telemetry


class EnginePool(QObject):
    """See the module.

    Args:
        make: makes the client of another engine, given its number (from 2 on); None: there
            can be no other.

    Signals:
        view_changed: the `EngineClient` whose view changed.
        views_changed: any view, or which engines there are.
        opened, closed: the `EngineClient` that came or went.
        token_batch, request_failed, interrupted, token_counted: as those of an `EngineClient`,
            of all engines. Requests' ids are unique, so they need not say whose.
        telemetry: an `EngineReading`.
    """

    view_changed = Signal(object)
    views_changed = Signal()
    opened = Signal(object)
    closed = Signal(object)
    token_batch = Signal(object)
    request_failed = Signal(object)
    interrupted = Signal(object)
    token_counted = Signal(object)
    telemetry = Signal(object)

    def __init__(
        self,
        primary: EngineClient,
        make: Callable[[int], EngineClient] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._make = make
        self._clients: dict[int, EngineClient] = {}
        self._leaving: list[EngineClient] = []
        self._add(PRIMARY, primary)

    @classmethod
    def of(cls, engines: EngineClient | EnginePool, parent: QObject) -> EnginePool:
        """`engines` if it is a pool; else one of that engine alone."""
        return engines if isinstance(engines, cls) else cls(engines, parent=parent)  # type: ignore[arg-type]

    # --- which there are -------------------------------------------------------------

    @property
    def primary(self) -> EngineClient:
        """The window's own engine."""
        return self._clients[PRIMARY]

    @property
    def can_open(self) -> bool:
        """Whether another engine could be made at all."""
        return self._make is not None

    def clients(self) -> list[EngineClient]:
        """All of them, the window's own first."""
        return list(self._clients.values())

    def others(self) -> list[EngineClient]:
        """All but the window's own."""
        return self.clients()[1:]

    def key_of(self, client: EngineClient) -> int:
        """Its number; 0: it is none of these (any more)."""
        return next((key for key, one in self._clients.items() if one is client), 0)

    def client_for(self, model: str) -> EngineClient | None:
        """The engine that has the model in this folder, loads it, or sleeps with it.

        "" is the window's own engine, whatever it has. None: no engine has the model.
        """
        if not model:
            return self.primary
        wanted = same_folder(model)
        return next(
            (one for one in self.clients() if same_folder(model_of(one)) == wanted),
            None,
        )

    def view_for(self, model: str) -> EngineView:
        """What a chat of this model meets; of a model that no engine has: no model is there."""
        client = self.client_for(model)
        return client.view if client is not None else EngineView(Phase.IDLE, model)

    # --- what the window asks ----------------------------------------------------------

    def open(self, model: str, settings: LoadSettings | None = None) -> EngineClient:
        """Load a model beside those there are; the engine that has it already, if one does.

        Raises:
            RuntimeError: no other engine can be made.
        """
        there = self.client_for(model)
        if there is not None:
            if there.view.phase is Phase.SLEEPING:
                there.wake()
            return there
        if self._make is None:
            raise RuntimeError("no other engine can be made")
        key = max(self._clients) + 1
        client = self._make(key)
        self._add(key, client)
        client.start()
        client.load(model, settings)
        self.opened.emit(client)
        self.views_changed.emit()
        return client

    def close(self, client: EngineClient) -> None:
        """End an engine that was opened beside; nothing waits for it here.

        The window's own engine only gives its model back.
        """
        key = self.key_of(client)
        if key == PRIMARY:
            client.unload()
        elif key:
            del self._clients[key]
            self._leaving.append(client)
            client.gone.connect(partial(self._on_gone, client))
            client.retire()
            self.closed.emit(client)
            self.views_changed.emit()

    def shutdown(self) -> None:
        """End all engines in order; returns with nothing left of them."""
        for client in [*self._leaving, *reversed(self.clients())]:
            client.shutdown()

    # --- inside ----------------------------------------------------------------------

    def _add(self, key: int, client: EngineClient) -> None:
        self._clients[key] = client
        client.token_batch.connect(self.token_batch)
        client.request_failed.connect(self.request_failed)
        client.interrupted.connect(self.interrupted)
        client.token_counted.connect(self.token_counted)
        client.telemetry.connect(lambda reading: self._on_telemetry(key, reading))
        client.view_changed.connect(lambda _view: self._on_view(client))

    def _on_view(self, client: EngineClient) -> None:
        if client in self._clients.values():
            self.view_changed.emit(client)
            self.views_changed.emit()

    def _on_telemetry(self, key: int, reading: Telemetry) -> None:
        if key in self._clients:
            self.telemetry.emit(EngineReading(key, reading))

    def _on_gone(self, client: EngineClient) -> None:
        if client in self._leaving:
            self._leaving.remove(client)
            client.deleteLater()


def model_of(client: EngineClient) -> str:
    """The folder of the model that an engine has, loads, or will have; "": none."""
    return client.view.model


@lru_cache(maxsize=256)
def same_folder(model: str) -> str:
    """A name that two paths of one folder have in common; "" for none.

    Links are followed: a chat remembers the path it was given, an engine the one it loads. Looked
    up once: it is asked for with each change of an engine, and the disk may be a slow one.
    """
    return os.path.realpath(model) if model else ""
