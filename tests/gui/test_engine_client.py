"""The window's link to the engine, over a real scripted engine process."""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.engine_link import engine_client
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.restart_policy import RestartPolicy
from engine import protocol
from engine.protocol import (
    ChatMessage,
    CountTokens,
    Failure,
    FinishReason,
    Generate,
    Loaded,
    RemedyAction,
    Scope,
    TokenBatch,
    TokenCount,
)
from engine.scripted_backend import _words
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


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Make]:
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
        command = EngineCommand("scripted", script, tmp_path / "logs", python)
        client = EngineClient(
            command, policy=policy or RestartPolicy(QUICK), silent_ticks=silent_ticks
        )
        client.view_changed.connect(lambda _view: pids.add(client.pid))
        clients.append(client)
        return client, Heard(client)

    yield make_client
    for client in clients:
        client.shutdown()
        assert client.view.phase is Phase.STOPPED
        client.deleteLater()
    for pid in pids - {0}:
        assert processes.wait_until_none(lambda group=pid: processes.members(group)) == []  # type: ignore[misc]
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


def test_requests_wait_for_the_model_and_go_in_order(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make("tokens_per_second=2000 load_seconds=0.05 max_running=1")
    keys = [f"r{i}" for i in range(6)]
    client.generate(ask(keys[0]))
    client.start()
    client.generate(ask(keys[1]))
    client.load(str(tmp_path))
    for key in keys[2:]:
        client.generate(ask(key))
    assert client.view.queued == 6
    qtbot.waitUntil(lambda: len(heard.finishes) == 6, timeout=WAIT_MS)
    assert list(heard.finishes) == keys
    assert set(heard.finishes.values()) == {FinishReason.STOP}
    assert heard.tokens == dict.fromkeys(keys, 20)
    assert client.view.queued == 0
    assert heard.phases == [Phase.STOPPED, Phase.STARTING, Phase.LOADING, Phase.READY]
    loaded = client.view.loaded
    assert loaded is not None
    assert loaded.model == str(tmp_path)


def test_a_held_request_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = make()
    client.generate(ask("gone"))
    client.generate(ask("kept"))
    client.cancel("gone")
    assert heard.finishes == {"gone": FinishReason.CANCELLED}
    assert client.view.queued == 1
    start((client, heard), tmp_path, qtbot)
    qtbot.waitUntil(lambda: "kept" in heard.finishes, timeout=WAIT_MS)
    assert heard.tokens["gone"] == 0
    client.cancel("never heard of")


def test_a_running_request_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make("tokens_per_second=100 load_seconds=0.05")
    start(made, tmp_path, qtbot)
    client.generate(ask("a", "/long 4000"))
    qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    client.cancel("a")
    qtbot.waitUntil(lambda: heard.finishes.get("a") is FinishReason.CANCELLED, timeout=WAIT_MS)


def test_a_hanging_load_can_be_cancelled(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = make("hang_load=1")
    client.start()
    client.load(str(tmp_path))
    client.generate(ask("held"))
    qtbot.waitUntil(lambda: client.view.fraction is not None, timeout=WAIT_MS)
    before, began = client.pid, time.monotonic()
    client.cancel_load()
    wait_for(client, Phase.IDLE, qtbot)
    assert time.monotonic() - began < 5
    assert processes.ended(before, 5)
    assert client.pid not in (0, before)
    assert client.view.queued == 1  # waits for a model
    assert client.view.failure is None
    assert heard.interrupted == []


def test_cancelling_while_it_restarts_leaves_an_engine_without_a_model(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, _ = made = make(policy=RestartPolicy((0.3,)))
    start(made, tmp_path, qtbot)
    os.kill(client.pid, signal.SIGKILL)
    wait_for(client, Phase.RESTARTING, qtbot)
    client.cancel_load()
    wait_for(client, Phase.IDLE, qtbot)
    assert client.pid
    client.load(str(tmp_path))
    wait_for(client, Phase.READY, qtbot)


def test_after_a_load_that_failed_another_model_can_be_loaded(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make()
    client.start()
    client.load(str(tmp_path / "gone"))
    client.generate(ask("held"))
    wait_for(client, Phase.FAILED, qtbot)
    failure = client.view.failure
    assert failure is not None
    assert failure.scope is Scope.LOAD
    assert failure.remedies
    assert client.view.restarts == 0  # a load that fails is no crash
    client.load(str(tmp_path))
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.failure is None


def test_a_load_that_failed_can_be_tried_again(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, _ = make()
    client.start()
    client.load(str(tmp_path / "late"))
    wait_for(client, Phase.FAILED, qtbot)
    (tmp_path / "late").mkdir()
    client.restart()
    wait_for(client, Phase.READY, qtbot)


def test_a_crash_interrupts_restarts_and_loads_again(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = made = make(
        "tokens_per_second=100 load_seconds=0.05", policy=RestartPolicy((0.3,))
    )
    start(made, tmp_path, qtbot)
    before = client.pid
    client.generate(ask("other", "/long 4000"))
    client.generate(ask("crash", "/crash 10"))
    wait_for(client, Phase.RESTARTING, qtbot)
    assert sorted(heard.interrupted) == ["crash", "other"]
    assert heard.tokens["crash"] == 10  # what it sent before its end arrives
    assert client.view.restarts == 1
    client.generate(ask("held"))
    wait_for(client, Phase.READY, qtbot)
    assert client.pid != before
    assert client.view.model == str(tmp_path)
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)


def test_too_many_deaths_in_a_row_end_in_a_notice_with_a_way_on(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make("crash_load=1 load_seconds=0.02")
    client.start()
    client.load(str(tmp_path))
    client.generate(ask("held"))
    wait_for(client, Phase.FAILED, qtbot)
    assert client.view.restarts == 6
    assert {v.restarts for v in heard.views if v.phase is Phase.RESTARTING} == {1, 2, 3, 4, 5}
    failure = client.view.failure
    assert failure is not None
    assert failure.scope is Scope.ENGINE
    assert f"signal {signal.SIGABRT.value}" in failure.cause
    assert RemedyAction.RETRY in [remedy.action for remedy in failure.remedies]
    assert client.view.queued == 1  # nothing is lost meanwhile
    assert client.pid == 0
    client.restart()
    assert client.view.phase is Phase.LOADING
    assert client.view.failure is None
    qtbot.waitUntil(lambda: client.view.restarts == 1, timeout=WAIT_MS)


def test_a_stable_life_clears_the_count(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, _ = made = make(policy=RestartPolicy(QUICK, stable_seconds=0.0))
    start(made, tmp_path, qtbot)
    for _ in range(7):
        victim = client.pid
        os.kill(victim, signal.SIGKILL)
        qtbot.waitUntil(lambda pid=victim: client.pid not in (0, pid), timeout=WAIT_MS)  # type: ignore[misc]
        assert client.view.restarts == 1
        wait_for(client, Phase.READY, qtbot)


def test_unload_gives_everything_back(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make("tokens_per_second=100 load_seconds=0.05 children=2")
    start(made, tmp_path, qtbot)
    client.generate(ask("a", "/long 4000"))
    qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    before = client.pid
    client.unload()
    assert heard.interrupted == ["a"]
    wait_for(client, Phase.IDLE, qtbot)
    assert client.view.model == ""
    assert client.view.loaded is None
    assert processes.wait_until_none(lambda: processes.members(before)) == []
    assert client.pid not in (0, before)


def test_a_load_replaces_the_model(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    other = tmp_path / "other"
    other.mkdir()
    client.load(str(other))
    client.generate(ask("held"))
    assert client.view.queued == 1
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.model == str(other)
    assert client.view.restarts == 0


@pytest.mark.parametrize("outcome", ["loaded", "failed"])
def test_the_outcome_of_a_load_that_was_replaced_counts_for_nothing(
    make: Make, qtbot: QtBot, tmp_path: Path, outcome: str
) -> None:
    client, heard = make()
    client.start()
    client.load(str(tmp_path))
    other = tmp_path / "other"
    other.mkdir()
    client.load(str(other))
    client.generate(ask("held"))
    late: protocol.FromEngine
    if outcome == "loaded":
        late = Loaded(1, str(tmp_path), 64, 4, 16, 1, "scripted", "scripted", 1024, 0.1)
    else:
        late = Failure(Scope.LOAD, "There is no such model.", load_id=1)
    client._on_message(late)  # it was on its way already
    assert client.view.phase is Phase.STARTING
    assert client.view.queued == 1
    qtbot.waitUntil(lambda: "held" in heard.finishes, timeout=WAIT_MS)
    assert client.view.model == str(other)
    assert heard.interrupted == []


def test_tokens_are_counted_when_there_is_a_model(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    messages = (ChatMessage("user", "one two three"),)
    client.count_tokens(CountTokens("early", messages))
    start(made, tmp_path, qtbot)
    client.count_tokens(CountTokens("c", messages))
    qtbot.waitUntil(lambda: bool(heard.counts), timeout=WAIT_MS)
    assert [(count.request_id, count.tokens) for count in heard.counts] == [("c", 7)]


def test_a_request_that_fails_ends_alone(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    client.generate(ask("bad", "/fail 5"))
    client.generate(ask("good"))
    qtbot.waitUntil(lambda: bool(heard.failures) and "good" in heard.finishes, timeout=WAIT_MS)
    assert [failure.request_id for failure in heard.failures] == ["bad"]
    assert client.view.phase is Phase.READY


def test_a_request_too_large_for_a_frame_is_refused(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, heard = made = make()
    start(made, tmp_path, qtbot)
    monkeypatch.setattr(protocol, "MAX_FRAME_BYTES", 1000)
    client.generate(ask("large", "word " * 1000))
    assert [failure.code for failure in heard.failures] == ["too_large"]
    client.generate(ask("small"))
    qtbot.waitUntil(lambda: "small" in heard.finishes, timeout=WAIT_MS)


# --- engines that are none ------------------------------------------------------------


def false_engine(tmp_path: Path, body: str) -> str:
    """A program that takes the engine's arguments; `link` is its socket's descriptor."""
    path = tmp_path / "false-engine"
    path.write_text(
        f"#!{sys.executable}\nimport os, signal, sys\nsys.path.insert(0, os.getcwd())\n"
        f"from engine.protocol import *\nlink = int(sys.argv[sys.argv.index('--socket') + 1])\n"
        f"{body}\n"
    )
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "sent",
    [
        "b'\\xff' * 100",
        "b'\\0\\0\\0\\0'",
        "encode(Hello(99, 1))",
        "encode(Heartbeat(1))",
        "encode(Hello(PROTOCOL_VERSION, 1)) + encode(Shutdown())",
        "encode(Hello(PROTOCOL_VERSION, 1)) + b'\\0\\0\\0\\x05abcde'",
    ],
)
def test_what_is_not_the_protocol_ends_the_engine(
    make: Make, qtbot: QtBot, tmp_path: Path, sent: str
) -> None:
    python = false_engine(tmp_path, f"os.write(link, {sent})\nsignal.pause()")
    client, _ = make(python=python, policy=RestartPolicy((0.01,)))
    client.start()
    client.load(str(tmp_path))
    wait_for(client, Phase.FAILED, qtbot)
    assert "broke the protocol" in client.log_tail()
    log = tmp_path / "logs" / "engine.log"
    assert "broke the protocol" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700
    assert client.pid == 0


def test_the_engines_own_reason_is_shown_when_it_does_not_come_back(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    python = false_engine(
        tmp_path,
        "os.write(link, encode(Hello(PROTOCOL_VERSION, 1)) + "
        "encode(Failure(Scope.ENGINE, 'The GPU fell off the bus.')))",
    )
    client, _ = make(python=python, policy=RestartPolicy((0.01,)))
    client.start()
    wait_for(client, Phase.FAILED, qtbot)
    assert client.view.failure is not None
    assert client.view.failure.cause == "The GPU fell off the bus."


def test_an_engine_that_hangs_up_and_lives_on_is_ended(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_client, "UNLOAD_MS", 100)
    client, _ = make(
        python=false_engine(tmp_path, "os.close(link)\nsignal.pause()"),
        policy=RestartPolicy((0.01,)),
    )
    client.start()
    wait_for(client, Phase.FAILED, qtbot)


def test_a_python_that_is_not_there_is_named_at_once(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = make(python=str(tmp_path / "no-python"))
    client.start()
    client.load(str(tmp_path))
    wait_for(client, Phase.FAILED, qtbot)
    failure = client.view.failure
    assert failure is not None
    assert "no-python" in failure.cause
    assert "./packaging/run" in failure.cause
    assert Phase.RESTARTING not in heard.phases
    client.restart()
    wait_for(client, Phase.FAILED, qtbot)


def test_the_watchdog_ends_an_engine_that_stands_still(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_client, "WATCH_MS", 300)
    client, heard = made = make(
        "tokens_per_second=100 load_seconds=0.05",
        silent_ticks=(4, 60),
        policy=RestartPolicy((0.3,)),
    )
    start(made, tmp_path, qtbot)
    client.generate(ask("a", "/long 4000"))
    qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    os.kill(client.pid, signal.SIGSTOP)
    wait_for(client, Phase.RESTARTING, qtbot)
    assert heard.interrupted == ["a"]
    assert "no sign of life" in client.log_tail()
    wait_for(client, Phase.READY, qtbot)


@pytest.mark.parametrize("state", ["starting", "hanging", "streaming", "stopped", "restarting"])
def test_shutdown_leaves_nothing_in_any_state(
    make: Make, qtbot: QtBot, tmp_path: Path, state: str
) -> None:
    hang = "hang_load=1 " if state == "hanging" else ""
    client, heard = make(
        f"{hang}tokens_per_second=100 load_seconds=0.05 children=2", policy=RestartPolicy((5.0,))
    )
    client.start()
    client.load(str(tmp_path))
    if state == "hanging":
        qtbot.waitUntil(lambda: client.view.fraction is not None, timeout=WAIT_MS)
    elif state != "starting":
        wait_for(client, Phase.READY, qtbot)
        client.generate(ask("a", "/long 4000"))
        qtbot.waitUntil(lambda: heard.tokens.get("a", 0) > 2, timeout=WAIT_MS)
    if state == "stopped":
        os.kill(client.pid, signal.SIGSTOP)
    elif state == "restarting":
        os.kill(client.pid, signal.SIGKILL)
        wait_for(client, Phase.RESTARTING, qtbot)
    group, began = client.pid, time.monotonic()
    client.shutdown()
    assert time.monotonic() - began < 4
    assert heard.interrupted == ([] if state in ("starting", "hanging") else ["a"])
    if group:
        assert processes.wait_until_none(lambda: processes.members(group)) == []
    client.start()  # too late: nothing happens
    assert client.pid == 0


def test_a_window_that_stands_still_loses_nothing_and_the_engine_does_not_grow(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    client, heard = made = make("tokens_per_second=200 load_seconds=0.05")
    start(made, tmp_path, qtbot)
    keys = [f"r{i}" for i in range(64)]
    for key in keys:
        client.generate(ask(key, "/long 700"))
    qtbot.waitUntil(lambda: len(heard.texts) == 64, timeout=WAIT_MS)
    before = processes.resident_bytes(client.pid)
    assert not processes.ended(client.pid, 2.0)  # our event loop stands still for 2 s
    grown = processes.resident_bytes(client.pid) - before
    assert grown < 16 * 1024 * 1024, f"the engine grew by {grown:,} bytes"
    qtbot.waitUntil(lambda: len(heard.finishes) == 64, timeout=60_000)
    words = _words("/long 700")
    whole = "".join(words[i % len(words)] for i in range(700))
    assert all(heard.texts[key] == whole for key in keys)
    assert set(heard.tokens.values()) == {700}
