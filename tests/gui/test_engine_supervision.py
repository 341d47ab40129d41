"""The window's link to the engine when the engine dies, hangs, or is none."""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.engine_link import engine_life, watchdog
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import Phase
from desktop.engine_link.restart_policy import RestartPolicy
from engine.protocol import RemedyAction, Scope
from engine.script import answer_words
from tests.helpers import processes
from tests.helpers.engine_clients import QUICK, WAIT_MS, Make, ask, clients_in, start, wait_for


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    """Makes clients; in the end nothing of them is left."""
    yield from clients_in(tmp_path / "logs")


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


def is_another(client: EngineClient, victim: int) -> bool:
    return client.pid not in (0, victim)


def test_a_stable_life_clears_the_count(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    client, _ = made = make(policy=RestartPolicy(QUICK, stable_seconds=0.0))
    start(made, tmp_path, qtbot)
    for _ in range(7):
        victim = client.pid
        os.kill(victim, signal.SIGKILL)
        qtbot.waitUntil(partial(is_another, client, victim), timeout=WAIT_MS)
        assert client.view.restarts == 1
        wait_for(client, Phase.READY, qtbot)


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
    monkeypatch.setattr(engine_life, "UNLOAD_MS", 100)
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
    monkeypatch.setattr(watchdog, "WATCH_MS", 300)
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
    words = answer_words("/long 700")
    whole = "".join(words[i % len(words)] for i in range(700))
    assert all(heard.texts[key] == whole for key in keys)
    assert set(heard.tokens.values()) == {700}


@pytest.mark.parametrize("moment", ["interrupted", "restarting"])
def test_who_hears_of_a_crash_may_start_another_engine_at_once(
    make: Make, qtbot: QtBot, tmp_path: Path, moment: str
) -> None:
    """Two processes would hold the memory twice, and nobody would know of the first."""
    client, _ = made = make(policy=RestartPolicy((0.05,)))
    start(made, tmp_path, qtbot)
    client.generate(ask("cut", "/long 4000"))
    begun: list[int] = []

    def again(_told: object) -> None:
        if not begun and not client.pid and (moment == "interrupted" or is_restarting()):
            client.restart()
            begun.append(client.pid)

    def is_restarting() -> bool:
        return client.view.phase is Phase.RESTARTING

    client.interrupted.connect(again)
    client.view_changed.connect(again)
    first = client.pid
    os.kill(first, signal.SIGKILL)
    qtbot.waitUntil(lambda: bool(begun), timeout=WAIT_MS)
    wait_for(client, Phase.READY, qtbot)
    assert begun == [client.pid]
    assert not client._driver._retry.isActive()  # it would start another
    assert first != client.pid
