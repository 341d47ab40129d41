"""Engine clients for tests: over the scripted engine, and what they say written down."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import shiboken6
from pytestqt.qtbot import QtBot

from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.restart_policy import RestartPolicy
from engine.protocol import (
    ChatMessage,
    Failure,
    FinishReason,
    Generate,
    TokenBatch,
    TokenCount,
)
from tests.helpers import processes

WAIT_MS = 20_000
QUICK = (0.01,) * 5


class Heard:
    """All that a client said."""

    def __init__(self, client: EngineClient) -> None:
        self.texts: dict[str, str] = {}
        self.tokens: dict[str, int] = {}
        self.finishes: dict[str, FinishReason] = {}
        self.failures: list[Failure] = []
        self.interrupted: list[str] = []
        self.views: list[EngineView] = []
        self.counts: list[TokenCount] = []
        client.token_batch.connect(self._on_batch)
        client.request_failed.connect(self.failures.append)
        client.interrupted.connect(self.interrupted.extend)
        client.view_changed.connect(self.views.append)
        client.token_counted.connect(self.counts.append)

    @property
    def phases(self) -> list[Phase]:
        """Without repetitions."""
        found: list[Phase] = []
        for view in self.views:
            if not found or found[-1] is not view.phase:
                found.append(view.phase)
        return found

    def _on_batch(self, batch: TokenBatch) -> None:
        for update in batch.updates:
            key = update.request_id
            self.texts[key] = self.texts.get(key, "") + update.text
            self.tokens[key] = self.tokens.get(key, 0) + update.tokens
            if update.finish is not None:
                self.finishes[key] = update.finish.reason


Made = tuple[EngineClient, Heard]
Make = Callable[..., Made]


def clients_in(logs: Path) -> Iterator[Make]:
    """Makes clients; in the end nothing of them is left."""
    clients: list[EngineClient] = []
    pids: set[int] = set()

    def make_client(
        script: str = "tokens_per_second=2000 load_seconds=0.05",
        *,
        python: str = sys.executable,
        policy: RestartPolicy | None = None,
        silent_ticks: tuple[int, int] = (10, 60),
    ) -> Made:
        command = EngineCommand("scripted", script, logs, python=python)
        client = EngineClient(
            command, policy=policy or RestartPolicy(QUICK), silent_ticks=silent_ticks
        )
        client.view_changed.connect(lambda _view: pids.add(client.pid))
        clients.append(client)
        return client, Heard(client)

    yield make_client
    for client in clients:
        if not shiboken6.isValid(client):  # a pool has closed it
            continue
        client.shutdown()
        assert client.view.phase is Phase.STOPPED
        client.deleteLater()
    for pid in pids - {0}:
        assert processes.wait_until_none(partial(processes.members, pid)) == []
    assert processes.zombies_of(os.getpid()) == []


def ask(key: str, text: str = "/long 20") -> Generate:
    return Generate(key, (ChatMessage("user", text),))


def start(made: Made, folder: Path, qtbot: QtBot) -> None:
    client, _ = made
    client.start()
    client.load(str(folder))
    wait_for(client, Phase.READY, qtbot)


def wait_for(client: EngineClient, phase: Phase, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: client.view.phase is phase, timeout=WAIT_MS)
