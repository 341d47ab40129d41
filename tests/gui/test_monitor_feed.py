"""The monitor's feed over engines that run: who asked, what is held, and what it costs nobody."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, cast

import msgspec
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.chats.chat import MessageStatus
from desktop.chats.store.chat_store import ChatStore
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_state import Phase
from desktop.engine_link.request_desk import Asked
from desktop.hardware.readings import Missing, Throttle
from desktop.hardware.sampler import HardwareSampler
from desktop.models.monitor import recording
from desktop.models.monitor.engine_watch import SILENT_S, SPARING_S, EngineWatch
from desktop.models.monitor.evictions import REPORTS_COUNT_S
from desktop.models.monitor.feed import MonitorFeed, Rate, RecordingState
from desktop.models.monitor.frames import ChatRef, MonitorFrame
from desktop.models.monitor.kv_books import HELD, KvBooks, KvPicture
from desktop.models.monitor.memory_split import Part, names_of, split_gpu
from desktop.models.monitor.owners import Owners
from desktop.models.monitor.recording import FrameWriter, Recorder, head
from desktop.models.monitor.recording_reader import NoRecordingError
from desktop.models.monitor.replay import Replay
from desktop.models.session.session_hub import SessionHub
from desktop.terminal.events import ChatRequest
from desktop.terminal.exchange import Exchange
from desktop.terminal.unsaved_store import UnsavedStore
from engine.protocol import KvRequest, LoadStage, StageTime, Telemetry
from tests.gui.fake_client import LOADED, FakeClient
from tests.gui.monitor_feed_kit import Frames, Lab, NoGpu, StubGpus, titles
from tests.helpers.engine_clients import WAIT_MS, Make, ask, clients_in, wait_for
from tests.helpers.monitor_session import Session
from tests.helpers.nvml_stub import (
    GIB,
    GPU_IS_LOST,
    Scenario,
    two_3090s,
    unequal,
)


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    yield from clients_in(tmp_path / "logs")


@pytest.fixture
def lab(make: Make, tmp_path: Path, qtbot: QtBot) -> Iterator[Lab]:
    found = Lab(make, tmp_path, qtbot)
    yield found
    found.close()


ON_A_GPU = msgspec.structs.replace(LOADED, device="NVIDIA GeForce RTX 3090")


class Quiet:
    """A feed of one engine that does what the test says, on a clock that the test turns."""

    def __init__(self, hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
        self.now = 100.0
        self.client = client
        client.set_view(loaded=ON_A_GPU)
        self.sources: list[NoGpu] = []
        self.samplers: list[HardwareSampler] = []
        self.feed = MonitorFeed(hub.pool, hub, self._sampler, hub, clock=lambda: self.now)
        self.frames = Frames(self.feed, qtbot)

    def _sampler(self) -> HardwareSampler:
        sampler = HardwareSampler(source=self._source)
        self.samplers.append(sampler)
        return sampler

    def _source(self) -> NoGpu:
        self.sources.append(NoGpu())
        return self.sources[-1]

    def tick(self, seconds: float) -> list[MonitorFrame]:
        """The frames that come of a turn of the timer, so much later."""
        self.now += seconds
        before = len(self.frames.all)
        if self.feed._timer.isActive():
            self.feed._tick()
        return self.frames.all[before:]


@pytest.fixture
def quiet(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> Iterator[Quiet]:
    found = Quiet(hub, client, qtbot)
    yield found
    found.feed.stop()


# --- what it costs -------------------------------------------------------------------------


def test_nothing_is_made_or_asked_before_somebody_looks(quiet: Quiet) -> None:
    quiet.client.telemetry.emit(Telemetry(1, 0, 2, 3, 4.0, 5.0))
    assert quiet.feed.rate is Rate.OFF
    assert (quiet.samplers, quiet.client.watched, quiet.tick(5)) == ([], [], [])


def test_the_panel_has_the_pool_watched_and_a_hidden_one_has_not(
    quiet: Quiet, qtbot: QtBot
) -> None:
    quiet.feed.set_rate("panel")
    assert quiet.client.watched == [0.25]
    (sampler,) = quiet.samplers
    assert (sampler.is_running, sampler.is_paused, sampler.interval) == (True, False, 0.25)
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        pass
    assert sampler.interval == 1.0  # there is no GPU
    quiet.feed.set_rate("off")
    assert quiet.client.watched == [0.25, 0]
    assert sampler.is_paused
    assert not quiet.feed._timer.isActive()
    quiet.client.kv_report.emit(Session().report())  # was on its way
    assert quiet.tick(5) == []
    assert quiet.feed.whole().engines[0].kv is None
    quiet.feed.set_rate("panel")
    assert quiet.client.watched == [0.25, 0, 0.25]
    assert (len(quiet.samplers), sampler.is_paused) == (1, False)


def test_alerts_read_hardware_seldom_and_not_at_all_without_a_gpu(
    quiet: Quiet, qtbot: QtBot
) -> None:
    quiet.feed.set_rate("alerts")
    (sampler,) = quiet.samplers
    assert (sampler.interval, quiet.client.watched) == (5.0, [])
    with qtbot.waitSignal(sampler.reading, timeout=WAIT_MS):
        pass
    assert sampler.is_paused
    quiet.feed.set_rate("panel")
    assert (sampler.is_paused, sampler.interval) == (False, 1.0)
    quiet.feed.set_rate("alerts")
    assert (sampler.is_paused, quiet.client.watched) == (True, [0.25, 0])


def test_frames_come_when_something_is_new_and_once_a_second_at_least(quiet: Quiet) -> None:
    quiet.feed.set_rate("panel")
    quiet.samplers[0].stop()
    assert len(quiet.tick(0.25)) == 1
    assert [len(quiet.tick(0.25)) for _ in range(5)] == [0, 0, 0, 1, 0]
    for number in range(3):  # latest wins
        quiet.client.telemetry.emit(Telemetry(number, 0, 2, 3, 4.0, 5.0))
    (frame,) = quiet.tick(0.25)
    assert frame.engines[0].telemetry is not None
    assert frame.engines[0].telemetry.running == 2
    assert quiet.tick(0.25) == []
    report = Session().report()
    quiet.client.kv_report.emit(report)
    assert quiet.tick(0.25)[0].engines[0].kv is report
    (later,) = quiet.tick(1)
    assert later.engines[0].kv is None  # it is not new
    assert quiet.feed.whole().engines[0].kv is report
    assert quiet.feed.history.latest("engine1.running") == 2


def test_an_engine_on_the_processor_is_spared_while_it_answers(quiet: Quiet) -> None:
    """What a frame takes of its cores, the answers wait for."""

    def told(running: int, seconds: float) -> int:
        quiet.client.telemetry.emit(Telemetry(running, 0, 2, 3, 4.0, 5.0))
        return len(quiet.tick(seconds))

    quiet.client.set_view(loaded=LOADED)
    quiet.feed.set_rate("panel")
    quiet.samplers[0].stop()
    assert (quiet.client.watched, quiet.samplers[0].interval) == ([2.0], 1.0)
    assert quiet.tick(0.25)
    assert [told(0, 0.25) for _ in range(3)] == [1, 1, 1]
    assert [told(1, 0.25) for _ in range(16)] == 2 * ([0] * 7 + [1])
    # The next answer may begin at once; else it has its rest.
    assert [told(0, 0.25) for _ in range(9)] == [0] * 7 + [1, 1]
    assert told(1, 0.25) == 0
    quiet.client.set_view(phase=Phase.RESTARTING)
    assert len(quiet.tick(0.25)) == 1  # that it is gone is told at once


def test_a_prompt_read_between_two_frames_is_in_the_rates(quiet: Quiet) -> None:
    quiet.client.set_view(loaded=LOADED)
    quiet.feed.set_rate("panel")
    quiet.samplers[0].stop()
    assert quiet.tick(0.25)
    for running, prompt, generation in ((1, 500.0, 0.0), (1, 0.0, 40.0), (1, 0.0, 20.0), (0, 0, 0)):
        quiet.client.telemetry.emit(Telemetry(running, 0, 2, 3, generation, prompt))
        frames = quiet.tick(0.5)
    reading = frames[-1].engines[0].telemetry
    assert reading is not None
    assert (reading.running, reading.prompt_tps, reading.generation_tps) == (0, 125.0, 15.0)
    (later,) = quiet.tick(2)  # nothing came since: the same
    assert later.engines[0].telemetry is reading


def test_one_that_hangs_does_not_hold_the_others_up(quiet: Quiet) -> None:
    quiet.client.set_view(loaded=LOADED)
    quiet.feed.set_rate("panel")
    quiet.samplers[0].stop()
    quiet.client.telemetry.emit(Telemetry(1, 0, 2, 3, 4.0, 5.0))
    quiet.tick(0.25)
    assert quiet.feed._is_sparing()
    quiet.now += SILENT_S
    quiet.feed._is_sparing()
    quiet.now += SPARING_S
    assert not quiet.feed._is_sparing()


def test_reports_are_waited_for_longer_than_they_take() -> None:
    assert REPORTS_COUNT_S >= 2 * SPARING_S


def test_an_engine_that_falls_silent_at_work_makes_no_tokens(quiet: Quiet) -> None:
    def rate(seconds: float) -> float:
        reading = quiet.tick(seconds)[-1].engines[0].telemetry
        assert reading is not None
        assert reading.kv_used == 2
        return reading.generation_tps

    quiet.feed.set_rate("panel")
    quiet.samplers[0].stop()
    quiet.client.telemetry.emit(Telemetry(1, 0, 2, 3, 4.0, 5.0))
    assert [rate(1), rate(1), rate(1), rate(1)] == [4.0, 4.0, 0.0, 0.0]
    quiet.client.telemetry.emit(Telemetry(1, 0, 2, 3, 6.0, 5.0))
    assert rate(1) == 6.0
    quiet.client.telemetry.emit(Telemetry(0, 0, 2, 3, 6.0, 5.0))
    assert rate(9) == 6.0  # at rest it tells only what is new


def test_alerts_have_frames_when_something_is_new_and_now_and_then(quiet: Quiet) -> None:
    quiet.feed.set_rate("alerts")
    quiet.samplers[0].stop()
    assert quiet.feed._timer.interval() == 1000
    quiet.tick(1)
    assert [len(quiet.tick(1)) for _ in range(6)] == [0, 0, 0, 0, 1, 0]
    quiet.client.telemetry.emit(Telemetry(1, 0, 2, 3, 4.0, 5.0))
    assert len(quiet.tick(1)) == 1


# --- whose is what -------------------------------------------------------------------------


def test_each_request_has_its_chat(lab: Lab) -> None:
    lab.load()
    frames = lab.watch()
    tea, rain = lab.chat("Tea"), lab.chat("Rain")
    assert tea.send("/long 400")
    assert rain.send("/long 400")
    frame = frames.wait(
        lambda one: (
            titles(one) == ["Rain", "Tea"]
            and one.engines[0].kv is not None
            and len(one.engines[0].kv.requests) == 2
        )
    )
    kv = frame.engines[0].kv
    assert kv is not None
    assert {one.request_id for one in kv.requests} == set(frame.owners)
    assert {ref.chat_id for ref in frame.owners.values()} == {tea.chat_id, rain.chat_id}
    picture = KvBooks(8192).take(kv, frame.owners)
    assert {owner.ref.title for owner in picture.holders} == {"Tea", "Rain"}
    assert HELD in picture.kinds
    tea.rename("Green tea")
    frames.wait(lambda one: titles(one) == ["Green tea", "Rain"])
    tea.stop()
    frames.wait(lambda one: titles(one) == ["Rain"])
    rain.stop()
    after = frames.wait_engine(lambda one: one.kv is not None and not one.kv.requests)
    assert after.kv is not None
    assert after.kv.used == 0
    assert frames.last.owners == {}


def test_several_ways_are_one_chats(lab: Lab) -> None:
    lab.load()
    session = lab.chat("Tea")
    assert session.send("/echo hello /long 300")
    lab.qtbot.waitUntil(lambda: bool(session.answers), timeout=WAIT_MS)
    session.stop()
    lab.ended(session)
    frames = lab.watch()
    session.answer_ways(session.messages[-1].id, 3)
    frame = frames.wait(
        lambda one: one.engines[0].kv is not None and len(one.engines[0].kv.requests) == 3
    )
    assert set(frame.owners.values()) == {ChatRef(session.chat_id, "Tea")}
    kv = frame.engines[0].kv
    assert kv is not None
    (owner,) = KvBooks(8192).take(kv, frame.owners).holders
    assert len(owner.requests) == 3
    session.stop()


def test_titles_and_terminals_are_told_apart(lab: Lab) -> None:
    lab.load()
    frames = lab.watch()
    session = lab.chat("Tea")
    session.title_is_automatic = True
    lab.primary.generate(ask("plain", "/long 300"))
    title = ask("title", "/long 300")
    lab.primary.generate(msgspec.structs.replace(title, chat_id=session.chat_id, priority=5))
    unsaved = SessionHub(cast(ChatStore, UnsavedStore()), lab.pool, lab.background, lab.hub)
    unsaved.open_store()
    exchange = Exchange(unsaved, ChatRequest(save=False), unsaved)
    exchange.ask("/long 300")
    expected = [
        "Question from a terminal",
        "Question from a terminal",
        "Titles of chats",
    ]
    frame = frames.wait(lambda one: titles(one) == expected)
    assert [ref.chat_id for ref in frame.owners.values() if ref.title == "Titles of chats"] == [""]
    exchange.cancel()
    for name in ("plain", "title"):
        lab.primary.cancel(name)
    frames.wait(lambda one: one.owners == {})
    lab.qtbot.waitUntil(lambda: not exchange.is_active, timeout=WAIT_MS)
    unsaved.close()


def test_a_measurement_is_told_apart(quiet: Quiet) -> None:
    quiet.feed.set_rate("panel")
    report = Session().report()
    measured = KvRequest("", b"", 12, 12, 0, 0)  # the engine has no name for them
    unknown = KvRequest("of-nobody", b"", 12, 12, 0, 0)
    report = msgspec.structs.replace(report, requests=(measured, measured, unknown))
    quiet.client.kv_report.emit(report)
    (frame,) = quiet.tick(0.25)
    assert frame.owners == {"": ChatRef("", "Measurement of speed")}
    quiet.client.kv_report.emit(msgspec.structs.replace(report, requests=()))
    assert quiet.tick(0.25)[0].owners == {}


def test_a_model_that_wakes_tells_of_its_pool_at_once(lab: Lab) -> None:
    lab.load()
    frames = lab.watch()
    frames.wait_engine(lambda one: one.kv is not None)
    lab.primary.sleep(lend=False)
    asleep = frames.wait_engine(lambda one: one.phase == "sleeping")
    assert asleep.kv is None
    lab.primary.wake()
    frames.wait_engine(lambda one: one.kv is not None)


def test_who_waits_for_a_model_is_told_of_too(lab: Lab) -> None:
    lab.load()
    frames = lab.watch()
    lab.primary.sleep(lend=False)
    wait_for(lab.primary, Phase.SLEEPING, lab.qtbot)
    session = lab.chat("Tea")
    assert session.send("/long 300")
    frame = frames.wait(lambda one: titles(one) == ["Tea"])
    assert frame.engines[0].queued in (0, 1)
    frames.wait_engine(lambda one: one.kv is not None and bool(one.kv.requests))
    session.stop()


# --- engines that come and go --------------------------------------------------------------


def test_several_engines_each_have_their_pool(lab: Lab) -> None:
    lab.load()
    frames = lab.watch()
    second = lab.beside()
    tea, rain = lab.chat("Tea"), lab.chat("Rain", lab.large)
    assert tea.send("/long 300")
    assert rain.send("/long 300")
    seen: dict[int, set[str]] = {}

    def both(frame: MonitorFrame) -> bool:
        for engine in frame.engines:
            if engine.kv is not None:
                names = {frame.owners[one.request_id].title for one in engine.kv.requests}
                seen.setdefault(engine.key, set()).update(names)
        return seen.get(1) == {"Tea"} and seen.get(2) == {"Rain"}

    frame = frames.wait(both)
    assert [engine.model for engine in frame.engines] == [str(lab.small), str(lab.large)]
    assert [engine.pids for engine in frame.engines] == [(lab.primary.pid,), (second.pid,)]
    lab.pool.close(second)
    frames.wait(lambda one: len(one.engines) == 1)
    assert lab.feed.history.latest("engine1.running") is not None
    tea.stop()
    lab.ended(rain)


def test_what_a_deleted_chat_has_asked_is_named_no_more_though_reports_tell_of_it() -> None:
    hub: Any = SimpleNamespace(title_of=lambda chat_id: "Tea" if chat_id == "1" else "Rain")
    owners, tea, rain = Owners(hub), Asked("1", 0), Asked("2", 0)
    asked = {"a": tea, "b": rain}
    assert set(owners.take(asked, ["a", "b"])) == {"a", "b"}
    owners.forget("1", {**asked, "new": tea})
    assert set(owners.take({**asked, "new": tea}, ["a", "b"])) == {"b"}
    assert set(owners.take({"b": rain}, ["a", "b"])) == {"b"}  # the engine does not know yet
    again = owners.take({"later": tea}, [])  # it was taken back, and asks
    assert again["later"].title == "Tea"


def test_an_engine_that_dies_has_no_readings_until_it_is_back(
    make: Make, tmp_path: Path, qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    lab = Lab(make, tmp_path, qtbot, "load_seconds=1.5")  # else it is back before the next frame
    request.addfinalizer(lab.close)
    lab.load()
    frames = lab.watch()
    session = lab.chat("Tea")
    assert session.send("/long 300")
    alive = frames.wait_engine(lambda one: one.kv is not None and bool(one.kv.requests))
    assert alive.telemetry is not None or frames.wait_engine(lambda one: one.telemetry is not None)
    pid = lab.primary.pid
    os.kill(pid, signal.SIGKILL)
    dead = frames.wait_engine(lambda one: one.phase != "ready")
    assert (dead.loaded, dead.telemetry, dead.kv) == (None, None, None)
    lab.ended(session)
    assert session.messages[-1].status is MessageStatus.INTERRUPTED
    back = frames.wait_engine(lambda one: one.phase == "ready" and one.kv is not None)
    assert back.kv is not None
    assert (back.kv.requests, back.kv.used) == ((), 0)
    assert back.pids == (lab.primary.pid,) != (pid,)
    session.continue_answer(session.messages[-1].id)
    frames.wait_engine(lambda one: one.kv is not None and bool(one.kv.requests))
    session.stop()


def test_a_load_is_told_stage_by_stage(
    make: Make, tmp_path: Path, qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    lab = Lab(make, tmp_path, qtbot, "load_seconds=1.5")
    request.addfinalizer(lab.close)
    usual = {"importing": 0.3, "reading_weights": 0.2}
    lab._feed = MonitorFeed(lab.pool, lab.hub, lab._sampler, usual=lambda _model: usual)
    frames = lab.watch()
    lab.load()
    over = frames.wait_engine(lambda one: one.past is not None)
    loads = [one.load for frame in frames.all for one in frame.engines if one.load is not None]
    assert all(load.usual == usual for load in loads)
    assert len({load.stage for load in loads}) >= 3
    elapsed = [load.elapsed for load in loads]
    assert elapsed == sorted(elapsed)
    counts = [len(load.stages) for load in loads]
    assert counts == sorted(counts)
    assert over.load is None
    assert over.past is not None
    assert over.loaded is not None
    assert over.past.stage == ""
    assert over.past.stages == {one.stage.value: one.seconds for one in over.loaded.stages}
    assert set(over.past.memory) == set(over.past.stages)  # of the process, on a CPU
    assert all(held > 1 << 20 for held in over.past.memory.values())


def test_a_load_that_fails_says_where(quiet: Quiet) -> None:
    client = quiet.client
    quiet.feed.set_rate("panel")
    client.set_view(phase=Phase.LOADING, loaded=None, stage=None, load_elapsed=0.0)
    client.set_view(stage=LoadStage.IMPORTING)
    client.set_view(stage=LoadStage.READING_WEIGHTS, load_elapsed=2.0, fraction=0.25)
    (frame,) = quiet.tick(0.25)
    load = frame.engines[0].load
    assert load is not None
    assert (load.stage, load.stages, load.fraction) == ("reading_weights", {"importing": 2.0}, 0.25)
    assert load.elapsed == 2.25
    (later,) = quiet.tick(0.25)  # its time goes on without a word from the engine
    assert later.engines[0].load is not None
    assert later.engines[0].load.elapsed == 2.5
    client.set_view(phase=Phase.FAILED)
    (failed,) = quiet.tick(0.25)
    assert failed.engines[0].load is None
    assert failed.engines[0].past is not None
    assert failed.engines[0].past.stage == "reading_weights"


def test_a_load_that_nobody_watched_is_told_of_all_the_same(
    quiet: Quiet, client: FakeClient
) -> None:
    stages = (StageTime(LoadStage.IMPORTING, 3.0),)
    client.view = replace(client.view, loaded=msgspec.structs.replace(LOADED, stages=stages))
    engine = EngineWatch(1, client.as_client, lambda _model: {"importing": 2.0}, lambda: 0.0)
    past = engine.frame().past
    assert past is not None
    assert (past.stages, past.usual) == ({"importing": 3.0}, {"importing": 2.0})


# --- hardware: NVML's real bindings over the stub --------------------------------------------


@pytest.fixture
def gpus(lab: Lab, tmp_path: Path) -> Scenario:
    scenario = Scenario(tmp_path / "gpus", two_3090s())
    lab.source = lambda: StubGpus(scenario)
    return scenario


def test_two_gpus_and_what_becomes_of_them(lab: Lab, gpus: Scenario) -> None:
    lab.load()
    ours = lab.primary.pid
    gpus.change({f"gpu0.process.{ours}": 6 * GIB, "gpu0.used": 6 * GIB})
    frames = lab.watch()
    second = frames.wait_gpu(lambda gpu: gpu.index == 1)
    assert (second.utilisation, second.temperature, second.power) == (97, 83, 341.0)
    assert second.throttle == (Throttle.POWER_CAP,)
    first = frames.wait_gpu(lambda gpu: gpu.index == 0)
    engine = frames.last.engines[0]
    assert engine.pids == (ours,)
    parts = split_gpu(first, frames.last.engines)
    assert names_of(parts, Part.OVERHEAD) == (str(lab.small),)
    # Another program takes memory in mid-run.
    gpus.change(
        {
            "gpu0.process.4194302": 9 * GIB,
            "gpu0.used": 15 * GIB,
            "process.4194302": "/usr/bin/blender",
        }
    )
    taken = frames.wait_gpu(lambda gpu: gpu.index == 0 and gpu.memory_used == 15 * GIB)
    parts = split_gpu(taken, frames.last.engines)
    assert names_of(parts, Part.OTHER) == ("blender",)
    assert sum(part.bytes for part in parts) == taken.memory_total
    # It gets too hot, and slows down.
    gpus.change({"gpu0.temperature": 91, "gpu0.throttle": 0x20})
    hot = frames.wait_gpu(lambda gpu: gpu.temperature == 91)
    assert hot.throttle == (Throttle.SOFTWARE_THERMAL,)
    # The second one is lost, and comes back.
    gpus.change({"gpu1.lost": GPU_IS_LOST})
    lost = frames.wait_gpu(lambda gpu: gpu.lost)
    assert lost.name == second.name
    assert lost.missing["utilisation"] is Missing.LOST
    assert lab.feed.history.latest("gpu1.utilisation") is None
    assert lab.feed.history.latest("gpu0.utilisation") is not None
    gpus.change({"gpu1.lost": None})
    back = frames.wait_gpu(lambda gpu: gpu.index == 1 and not gpu.lost)
    assert back.uuid == second.uuid
    values = lab.feed.history.series("gpu1.temperature")[1]
    assert 83.0 in values
    assert any(value != value for value in values)
    assert values[-1] == 83.0


def test_unequal_gpus(lab: Lab, tmp_path: Path) -> None:
    scenario = Scenario(tmp_path / "gpus", unequal())
    lab.source = lambda: StubGpus(scenario)
    frames = lab.watch()
    small = frames.wait_gpu(lambda gpu: gpu.index == 1)
    assert (small.name, small.memory_total) == ("NVIDIA GeForce RTX 3060", 12 * GIB)
    hardware = lab.feed.whole().hardware
    assert hardware is not None
    assert [gpu.memory_total for gpu in hardware.gpus] == [24 * GIB, 12 * GIB]


# --- recordings ----------------------------------------------------------------------------


class Book:
    """The figures that come of frames."""

    def __init__(self, feed: MonitorFeed) -> None:
        self.books = KvBooks(8192)
        self.picture: KvPicture | None = None
        self.frames: list[MonitorFrame] = []
        feed.frame.connect(self.take)

    def take(self, frame: MonitorFrame) -> None:
        self.frames.append(frame)
        kv = frame.engines[0].kv
        if kv is not None:
            self.picture = self.books.take(kv, frame.owners)


def test_a_recorded_session_replays_to_the_same_figures(
    lab: Lab, gpus: Scenario, tmp_path: Path
) -> None:
    lab.load()
    lab.watch()
    path = tmp_path / "session.jsonl"
    assert lab.feed.record(path) == ""
    live = Book(lab.feed)
    live.take(lab.feed.whole())
    system = " ".join(f"word{number}" for number in range(200))
    sessions = [lab.chat(title) for title in ("Tea", "Rain", "Wind")]
    for session in sessions:
        session.set_system_prompt(system)
        assert session.send("/long 120 /rate 100")
    gpus.change({"gpu0.utilisation": 55})
    frames = Frames(lab.feed, lab.qtbot)
    frames.wait_gpu(lambda gpu: gpu.utilisation == 55)
    for session in sessions:
        lab.ended(session)
    frames.wait_engine(lambda one: one.telemetry is not None and not one.telemetry.running)
    # The last report of the pool may come after the last reading.
    lab.qtbot.waitUntil(
        lambda: live.picture is not None and not live.picture.holders, timeout=WAIT_MS
    )
    lab.feed.stop_recording()
    expected, history, told = live.picture, lab.feed.history, list(live.frames)
    assert expected is not None
    assert {owner.ref.title for owner in expected.remembered} == {"Tea", "Rain", "Wind"}
    assert expected.cached > 0
    lab.feed.set_rate("off")

    replay = lab.feed.replay(path)
    again = Book(lab.feed)
    replay.set_speed(16)
    with lab.qtbot.waitSignal(replay.ended, timeout=WAIT_MS):
        pass
    assert replay.skipped == 0
    assert again.frames[1:] == told[1:]  # the first is what there was when it began
    assert again.picture == expected
    assert replay.position == pytest.approx(replay.duration)
    assert lab.feed.history is replay.history
    compared = 0
    for name in replay.history.names:
        times, values = replay.history.series(name)
        known_times, known = history.series(name)
        shared = len(times) - 1  # the first was told of as a whole, beside the history
        assert times[-shared:] == known_times[-shared:], name
        assert list(map(str, values[-shared:])) == list(map(str, known[-shared:])), name
        compared += shared
    assert compared > 100
    lab.feed.show_live()
    assert lab.feed.history is history


def test_a_full_disk_is_told_and_harms_no_chat(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, _data: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        recording, "_make_file", lambda _path: cast(BinaryIO, io.BufferedWriter(Full()))
    )
    monkeypatch.setattr(recording, "FLUSH_S", 0.1)
    lab.load()
    frames = lab.watch()
    states: list[object] = []
    known: list[bool] = []
    lab.feed.recording_changed.connect(states.append)
    lab.feed.recording_changed.connect(lambda _state: known.append(lab.feed.recording is not None))
    assert lab.feed.record(tmp_path / "a.jsonl") == ""
    session = lab.chat("Tea")
    assert session.send("/long 60 /rate 100")
    lab.qtbot.waitUntil(lambda: lab.feed.recording is None, timeout=WAIT_MS)
    last = states[-1]
    assert isinstance(last, RecordingState)
    assert not last.is_running
    assert "disk is full" in last.problem
    assert (known[0], known[-1]) == (True, False)
    lab.ended(session)
    assert session.messages[-1].status is MessageStatus.COMPLETE
    frames.wait(lambda _frame: True)


def test_where_nothing_can_be_written_or_read_it_is_said(quiet: Quiet, tmp_path: Path) -> None:
    said = quiet.feed.record(tmp_path / "absent" / "a.jsonl")
    assert "cannot be written (No such file or directory)" in said
    assert quiet.feed.recording is None
    other = tmp_path / "letter.txt"
    other.write_text("Dear all")
    with pytest.raises(NoRecordingError, match="is no recording"):
        quiet.feed.replay(other)
    assert quiet.feed.replaying is None
    Recorder(tmp_path / "empty.jsonl").close()
    with pytest.raises(NoRecordingError):
        quiet.feed.replay(tmp_path / "empty.jsonl")


def recorded(path: Path, count: int) -> list[MonitorFrame]:
    frames = list(Session().frames(count))
    written(path, frames)
    return frames


def written(path: Path, frames: Iterable[MonitorFrame]) -> None:
    """A recording of these frames."""
    writer = FrameWriter()
    lines = [writer.line(frame) for frame in frames]
    path.write_bytes(b"".join((msgspec.json.encode(head()), b"\n", *lines)))


def test_live_goes_on_behind_a_recording(quiet: Quiet, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorded(path, 40)
    restarts: list[int] = []
    quiet.feed.restarted.connect(lambda: restarts.append(len(quiet.frames.all)))
    live: list[MonitorFrame] = []
    quiet.feed.live.connect(live.append)
    quiet.feed.set_rate("panel")
    replay = quiet.feed.replay(path)
    replay.pause()
    before = len(quiet.frames.all)
    quiet.client.telemetry.emit(Telemetry(7, 0, 2, 3, 4.0, 5.0))
    assert quiet.tick(0.25) == []
    assert len(live) == 1
    quiet.feed.show_live()
    assert len(restarts) == 2
    assert len(quiet.frames.all) == before + 1
    telemetry = quiet.frames.last.engines[0].telemetry
    assert telemetry is not None
    assert telemetry.running == 7
    quiet.feed.show_live()  # it is
    assert len(restarts) == 2


class Clocked:
    """A replay whose clock the test turns."""

    def __init__(self, path: Path) -> None:
        self.now = 0.0
        self.replay = Replay(path, clock=lambda: self.now)
        self.frames: list[MonitorFrame] = []
        self.replay.frame.connect(self.frames.append)

    def turn(self, seconds: float) -> int:
        """Frames that came of a turn of the timer, so much later."""
        before = len(self.frames)
        self.now += seconds
        self.replay._go_on()
        return len(self.frames) - before


def test_a_replay_goes_at_its_own_speed_stands_and_jumps(
    qapp: QApplication, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "a.jsonl"
    frames = recorded(path, 400)
    shown = Clocked(path)
    replay = shown.replay
    assert replay.duration == pytest.approx(99.75)
    assert not replay.is_playing
    replay.play()
    assert [shown.turn(0.25) for _ in range(4)] == [2, 1, 1, 1]  # the first is due at once
    assert replay.position == 1.0
    replay.set_speed(4)
    assert shown.turn(1) == pytest.approx(16, abs=1)
    replay.pause()
    assert shown.turn(10) == 0
    position = replay.position
    # Forward: all that lies between is gone through, so that every figure is right.
    replay.seek(80.0)
    qtbot.waitUntil(lambda: replay.position == 80.0, timeout=WAIT_MS)
    assert len(shown.frames) == 321
    assert [one.at for one in shown.frames] == [one.at for one in frames[:321]]
    assert not replay.is_playing
    with qtbot.waitSignal(replay.restarted, timeout=WAIT_MS):
        replay.seek(position)
    qtbot.waitUntil(lambda: replay.position == position, timeout=WAIT_MS)
    assert replay.history.now == shown.frames[-1].at
    whole = replay.whole()
    assert whole.hardware is not None
    assert whole.engines[0].kv is not None
    replay.seek(1e9)
    qtbot.waitUntil(lambda: replay.is_over, timeout=WAIT_MS)
    assert shown.frames[-1] == frames[-1]
    replay.play()  # again from the beginning
    assert not replay.is_over
    assert replay.position == 0.0
    replay.stop()
    replay.deleteLater()


def test_a_hole_in_a_recording_is_not_waited_out(qapp: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path, [MonitorFrame(at, 0.0) for at in (1.0, 2.0, 3600.0, 3600.5)])
    shown = Clocked(path)
    shown.replay.play()
    assert [shown.turn(step) for step in (0, 1, 2, 0.5)] == [1, 1, 1, 1]
    assert shown.replay.is_over
    shown.replay.stop()
    shown.replay.deleteLater()


def test_a_jump_in_a_long_recording_starts_from_the_minutes_before(
    qapp: QApplication, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "a.jsonl"
    written(path, [MonitorFrame(float(second), 0.0) for second in range(4000)])
    shown = Clocked(path)
    shown.replay.seek(3500.0)
    qtbot.waitUntil(lambda: shown.replay.position == 3500.0, timeout=WAIT_MS)
    assert 3150 <= shown.frames[0].at <= 3200
    assert shown.frames[-1].at == 3500.0
    shown.replay.stop()
    shown.replay.deleteLater()


def test_a_pool_may_stand_for_the_whole(lab: Lab) -> None:
    assert isinstance(lab.pool, EnginePool)
    frames = lab.watch()
    frame = frames.wait(lambda one: one.hardware is not None)
    assert frame.engines[0].phase == "stopped"
    assert frame.engines[0].pids == ()
