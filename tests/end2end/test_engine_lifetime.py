"""The engine process by itself: it ends with its window, whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from engine.protocol import (
    EXIT_CANCELLED,
    EXIT_OK,
    EXIT_PEER_GONE,
    EXIT_PROTOCOL,
    CancelLoad,
    EngineState,
    Failure,
    Heartbeat,
    Hello,
    Load,
    LoadCancelled,
    LoadProgress,
    LoadStage,
    Ping,
    Pong,
    Scope,
    Shutdown,
    Status,
    TokenBatch,
    Unload,
    Unloaded,
    encode,
)
from tests.helpers import processes
from tests.helpers.engine_peer import ROOT, EngineGone, EnginePeer

SOON = 5.0  # s; it takes some ms, but machines are busy
STATES = ("starting", "idle", "hanging", "streaming")
OpenPeer = Callable[..., EnginePeer]


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[OpenPeer]:
    """Starts engines and brings them into a state; in the end no one of them is left."""
    opened: list[EnginePeer] = []

    def start(state: str = "idle", script: str = "") -> EnginePeer:
        extra = {"starting": "import_seconds=60", "hanging": "hang_load=1"}.get(state, "")
        engine = EnginePeer(script=f"children=2 load_seconds=0.05 {extra} {script}")
        opened.append(engine)
        if state == "starting":
            engine.wait(Hello)
        else:
            engine.wait(Status, lambda status: status.state is EngineState.IDLE)
        if state == "hanging":
            engine.send(Load(1, str(tmp_path)))
            engine.wait(LoadProgress, lambda m: m.stage is LoadStage.PROFILING_MEMORY)
        elif state == "streaming":
            engine.load(tmp_path)
            engine.ask("/long 4000")
            engine.wait(TokenBatch, lambda m: bool(m.updates[0].text))
        return engine

    yield start
    for engine in opened:
        engine.close()
        assert all_gone(engine)


def all_gone(engine: EnginePeer) -> bool:
    return processes.wait_until_none(partial(processes.members, engine.process.pid)) == []


@pytest.mark.parametrize("state", STATES)
def test_it_ends_when_its_window_hangs_up(peer: OpenPeer, state: str) -> None:
    engine = peer(state)
    assert len(processes.members(engine.process.pid)) >= 3  # with its guard and children
    engine.socket.close()
    assert engine.process.wait(SOON) == EXIT_PEER_GONE
    assert all_gone(engine)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_its_children_end_with_it(peer: OpenPeer, state: str, number: signal.Signals) -> None:
    engine = peer(state)
    engine.process.send_signal(number)
    assert engine.process.wait(SOON) == -number
    assert all_gone(engine)


def test_a_window_that_is_killed_takes_a_stopped_engine_along(tmp_path: Path) -> None:
    """Nothing that runs in a stopped process can help; the kernel and the guard do."""
    window = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal\n"
            "from tests.helpers.engine_peer import EnginePeer\n"
            "from engine.protocol import Hello\n"
            "engine = EnginePeer(script='children=2')\n"
            "engine.wait(Hello)\n"
            "print(engine.process.pid, flush=True)\n"
            "signal.pause()",
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert window.stdout is not None
    with window.stdout as output:
        pid = int(output.readline())
        os.kill(pid, signal.SIGSTOP)
        window.kill()
        window.wait(SOON)
    assert processes.ended(pid, SOON)
    assert processes.wait_until_none(partial(processes.members, pid)) == []


def test_a_death_in_the_middle_of_its_own_end_leaves_nothing() -> None:
    """A killed window's socket closes first; the kernel's SIGKILL comes a moment later."""
    engine = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import os, subprocess\n"
            "from engine import lifetime\n"
            "lifetime.guard_group()\n"
            "children = [subprocess.Popen(['sleep', '600']) for _ in range(3)]\n"
            "kill = os.kill\n"
            "def kill_and_die(pid, number):\n"
            "    kill(pid, number)\n"
            "    kill(os.getpid(), number)\n"
            "os.kill = kill_and_die\n"
            "lifetime.end_process(0)",
        ],
        cwd=ROOT,
        start_new_session=True,
    )
    assert engine.wait(SOON * 2) == -signal.SIGKILL
    assert processes.wait_until_none(partial(processes.members, engine.pid)) == []


def test_it_does_not_begin_for_a_window_that_is_gone() -> None:
    """The kernel's promise covers only deaths after the call."""
    other = str(os.getpid() + 1)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "engine", "--socket", "0"),
            *("--parent", other, "--backend", "scripted"),
        ],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SOON * 4,
        check=False,
    )
    assert done.returncode == 1


def test_ctrl_c_is_the_windows_to_handle(peer: OpenPeer) -> None:
    engine = peer("idle")
    engine.process.send_signal(signal.SIGINT)
    engine.send(Ping(7))
    assert engine.wait(Pong).sequence == 7


@pytest.mark.parametrize("state", STATES)
def test_shutdown_ends_it_in_order(peer: OpenPeer, state: str) -> None:
    engine = peer(state)
    engine.send(Shutdown())
    assert engine.process.wait(SOON) == EXIT_OK


def test_a_hanging_load_is_cancelled_by_its_end(peer: OpenPeer) -> None:
    engine = peer("hanging")
    engine.send(CancelLoad(99))  # another load's: nothing happens
    engine.send(Ping(1))
    engine.wait(Pong)
    engine.send(CancelLoad(1))
    assert engine.wait(LoadCancelled).load_id == 1
    assert engine.process.wait(SOON) == EXIT_CANCELLED


def test_unload_is_its_end(peer: OpenPeer) -> None:
    engine = peer("streaming")
    engine.send(Unload())
    engine.wait(Unloaded)
    assert engine.process.wait(SOON) == EXIT_OK


def test_one_process_holds_one_model(peer: OpenPeer, tmp_path: Path) -> None:
    engine = peer("streaming")
    engine.send(Load(2, str(tmp_path)))
    failure = engine.wait(Failure)
    assert (failure.scope, failure.code, failure.load_id) == (Scope.LOAD, "already_loaded", 2)


def test_its_heart_beats(peer: OpenPeer) -> None:
    engine = peer("hanging")
    assert engine.wait(Heartbeat).sequence + 1 == engine.wait(Heartbeat).sequence


@pytest.mark.parametrize(
    "sent",
    [
        b"\xff" * 64,
        b"\0\0\0\0",
        encode(Ping(1)),
        encode(Hello(99, 1)),
        encode(Hello(1, 1)) * 2,
        encode(Hello(1, 1)) + b"\0\0\0\x06\x81\xa4type",
    ],
    ids=["noise", "no length", "no hello", "other version", "two hellos", "cut message"],
)
def test_it_refuses_what_is_not_the_protocol(sent: bytes) -> None:
    engine = EnginePeer(greet=False)
    engine.socket.sendall(sent)
    failure = engine.wait(Failure)
    assert (failure.scope, failure.code) == (Scope.ENGINE, "protocol")
    assert failure.detail
    with pytest.raises(EngineGone):
        engine.wait(Pong)
    assert engine.process.wait(SOON) == EXIT_PROTOCOL
    engine.close()
