"""Models that sleep and wake: lent, after a while without a question, in and without a process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.chats.chat import MessageStatus
from desktop.engine_link.engine_state import Phase
from desktop.engine_link.idle_watch import IdleWatch
from desktop.engine_link.slumber import Slumber
from engine.protocol import Measure
from tests.gui.test_engine_pool import Engines, phase_of, status_of
from tests.helpers import processes
from tests.helpers.engine_clients import WAIT_MS, Make, clients_in, wait_for

GPU = "gpus=1 sleep_seconds=0.1"  # it can sleep in its process


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    yield from clients_in(tmp_path / "logs")


@pytest.fixture
def engines(
    request: pytest.FixtureRequest, make: Make, tmp_path: Path, qtbot: QtBot
) -> Iterator[Engines]:
    found = Engines(make, tmp_path, qtbot, getattr(request, "param", ""))
    yield found
    found.close()


# --- without a process: on a CPU, and after a while ----------------------------------------


@pytest.mark.parametrize("own_model", [False, True])
def test_a_lent_model_wakes_with_the_next_question(engines: Engines, own_model: bool) -> None:
    client = engines.pool.primary
    pid = client.pid
    client.sleep(lend=True)
    assert phase_of(client) is Phase.SLEEPING
    assert client.view.is_lent
    assert client.view.wake_seconds > 0
    assert client.view.model == str(engines.small)
    assert client.view.loaded is not None  # what sleeps is known, but answers nobody
    assert engines.hub.loaded() is None
    engines.wait(lambda: client.pid not in (0, pid))  # its memory is given back
    engines.wait(lambda: not processes.members(pid))
    assert phase_of(client) is Phase.SLEEPING
    session = engines.chat(engines.small if own_model else None)
    assert session.send("/echo awake")
    engines.wait(lambda: client.view.is_waking)
    engines.ended(session)
    assert session.messages[-1].content == "awake"
    assert phase_of(client) is Phase.READY
    assert not client.view.is_waking


def test_lending_interrupts_and_keeps_what_is_written(engines: Engines) -> None:
    session = engines.chat()
    assert session.send("/long 300")
    engines.streams(session)
    engines.pool.primary.sleep(lend=True)
    engines.ended(session)
    assert status_of(session) is MessageStatus.INTERRUPTED
    engines.pool.primary.wake()
    wait_for(engines.pool.primary, Phase.READY, engines.qtbot)


def test_a_model_sleeps_after_its_time_and_not_while_it_is_used(engines: Engines) -> None:
    now = [0.0]
    watch = IdleWatch(engines.pool, engines.pool, clock=lambda: now[0])
    first, second = engines.pool.primary, engines.beside()
    now[0] = 1000.0
    watch.check()
    assert phase_of(first) is Phase.READY  # it is off
    watch.after = 300.0
    session = engines.chat(engines.large)
    assert session.send("/long 100")
    engines.streams(session)
    now[0] = 1400.0
    watch.check()
    assert phase_of(first) is Phase.SLEEPING
    assert not first.view.is_lent
    assert phase_of(second) is Phase.READY
    engines.ended(session)
    watch.check()
    now[0] = 1699.0
    watch.check()
    assert phase_of(second) is Phase.READY  # its time began when its answer ended
    now[0] = 1701.0
    watch.check()
    assert phase_of(second) is Phase.SLEEPING
    for client in (first, second):
        client.wake()
    for client in (first, second):
        wait_for(client, Phase.READY, engines.qtbot)


def test_a_measurement_that_is_refused_is_over(engines: Engines) -> None:
    client = engines.pool.primary
    with engines.qtbot.waitSignal(client.request_failed, timeout=WAIT_MS):
        client.measure(Measure("m", ()))
        assert client.is_busy
    assert not client.is_busy  # else the model would never sleep


def test_what_sleeps_can_be_unloaded_or_replaced(engines: Engines) -> None:
    client = engines.pool.primary
    client.sleep(lend=True)
    client.unload()
    wait_for(client, Phase.IDLE, engines.qtbot)
    assert client.view.model == ""
    client.load(str(engines.small))
    wait_for(client, Phase.READY, engines.qtbot)
    client.sleep(lend=False)
    client.load(str(engines.large))
    wait_for(client, Phase.READY, engines.qtbot)
    assert client.view.model == str(engines.large)


def test_a_process_that_dies_while_its_model_sleeps_is_replaced_in_silence(
    engines: Engines,
) -> None:
    client = engines.pool.primary
    pid = client.pid
    client.sleep(lend=True)
    engines.wait(lambda: client.pid not in (0, pid))
    victim = client.pid
    os.kill(victim, signal.SIGKILL)
    engines.wait(lambda: client.pid not in (0, victim))
    assert phase_of(client) is Phase.SLEEPING
    client.wake()
    wait_for(client, Phase.READY, engines.qtbot)


# --- in its process: lent on CUDA -------------------------------------------------------------


@pytest.mark.parametrize("engines", [GPU], indirect=True)
def test_a_gpu_is_lent_within_the_process(engines: Engines) -> None:
    client = engines.pool.primary
    pid = client.pid
    client.sleep(lend=True)
    wait_for(client, Phase.SLEEPING, engines.qtbot)
    assert client.view.is_lent
    assert client.view.loaded is not None  # it is as it was loaded
    session = engines.chat()
    assert session.send("/echo awake")
    engines.ended(session)
    assert session.messages[-1].content == "awake"
    assert client.pid == pid
    client.sleep(lend=True)
    wait_for(client, Phase.SLEEPING, engines.qtbot)
    assert client.view.wake_seconds > 0  # it has learned how long that takes
    client.wake()
    assert client.view.is_waking
    wait_for(client, Phase.READY, engines.qtbot)


@pytest.mark.parametrize("engines", [GPU], indirect=True)
def test_a_question_while_it_falls_asleep_waits_and_wakes_it(engines: Engines) -> None:
    session = engines.chat()
    assert session.send("/echo first")
    engines.ended(session)
    engines.pool.primary.sleep(lend=True)
    assert session.send("/echo second")
    engines.ended(session)
    assert session.messages[-1].content == "second"


@pytest.mark.parametrize("engines", [GPU], indirect=True)
def test_lending_amid_an_answer_interrupts_it_and_frees_the_gpu(engines: Engines) -> None:
    session = engines.chat()
    assert session.send("/long 300")
    engines.streams(session)
    engines.pool.primary.sleep(lend=True)
    engines.ended(session)
    assert status_of(session) is MessageStatus.INTERRUPTED
    wait_for(engines.pool.primary, Phase.SLEEPING, engines.qtbot)
    session.continue_answer(session.messages[-1].id)
    engines.ended(session)
    assert status_of(session) is MessageStatus.COMPLETE


@pytest.mark.parametrize("engines", [f"{GPU} fail_sleep=It_will_not."], indirect=True)
def test_one_that_cannot_sleep_ends_and_is_loaded_again(engines: Engines) -> None:
    client = engines.pool.primary
    pid = client.pid
    client.sleep(lend=True)
    engines.wait(lambda: client.view.phase is Phase.SLEEPING and client.pid not in (0, pid))
    assert "It will not." in client.log_tail()
    client.wake()
    wait_for(client, Phase.READY, engines.qtbot)


@pytest.mark.parametrize("engines", [GPU], indirect=True)
def test_a_sleeping_process_that_dies_is_loaded_anew(engines: Engines) -> None:
    client = engines.pool.primary
    client.sleep(lend=True)
    wait_for(client, Phase.SLEEPING, engines.qtbot)
    victim = client.pid
    os.kill(victim, signal.SIGKILL)
    engines.wait(lambda: client.pid not in (0, victim))
    assert phase_of(client) is Phase.SLEEPING
    session = engines.chat()
    assert session.send("/echo again")
    engines.ended(session)
    assert session.messages[-1].content == "again"


@pytest.mark.parametrize("engines", [GPU], indirect=True)
def test_waking_can_be_cancelled(engines: Engines) -> None:
    client = engines.pool.primary
    client.sleep(lend=True)
    wait_for(client, Phase.SLEEPING, engines.qtbot)
    client.wake()
    client.cancel_load()
    wait_for(client, Phase.IDLE, engines.qtbot)
    assert not client.view.is_waking
    client.load(str(engines.small))
    wait_for(client, Phase.READY, engines.qtbot)


def test_how_long_waking_takes_is_learned_for_each_way() -> None:
    now = [10.0]
    slumber = Slumber(clock=lambda: now[0])
    assert slumber.expected == 0.0
    slumber.load_seconds = 12.0
    assert slumber.expected == 12.0
    slumber.in_process = True
    assert slumber.expected == 0.0  # not known yet
    slumber.begin_waking()
    now[0] = 13.5
    slumber.woke()
    assert not slumber.in_process
    slumber.in_process = True
    assert slumber.expected == 3.5
