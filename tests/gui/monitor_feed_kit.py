"""For tests of the monitor's feed: engines that run, GPUs of the stub, frames written down."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec
from pytestqt.qtbot import QtBot

from desktop.background import Background
from desktop.chats.store.chat_store import ChatStore
from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_pool import EnginePool
from desktop.engine_link.engine_state import Phase
from desktop.hardware.nvml_errors import state
from desktop.hardware.readings import Driver, GpuReading, HardwareReading, HostReading
from desktop.hardware.sampler import HardwareSampler
from desktop.models.monitor.feed import MonitorFeed
from desktop.models.monitor.frames import EngineFrame, MonitorFrame
from desktop.models.session.chat_session import ChatSession
from desktop.models.session.session_hub import SessionHub
from tests.gui.conftest import new_session
from tests.helpers.engine_clients import WAIT_MS, Make, wait_for
from tests.helpers.nvml_stub import ReaderProcess, Scenario

STEP_S = 5.0  # of the reader's clock, from one reading to the next: no test waits for a pause


class NoGpu:
    """A source of readings: a computer without a GPU."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self) -> HardwareReading:
        self.reads += 1
        host = HostReading(ram_total=1 << 34, ram_available=1 << 33, load=10.0)
        return HardwareReading(state(Driver.ABSENT), (), host, time=float(self.reads))

    def close(self) -> None: ...


class StubGpus:
    """A source of readings: NVML's real bindings over the stub, in a process beside."""

    def __init__(self, scenario: Scenario) -> None:
        self._child = ReaderProcess(scenario)
        self._times = (STEP_S * count for count in itertools.count())

    def read(self) -> HardwareReading:
        return self._child.read(next(self._times))

    def close(self) -> None:
        self._child.__exit__(None, None, None)


class Frames:
    """What a feed tells, in order."""

    def __init__(self, feed: MonitorFeed, qtbot: QtBot) -> None:
        self.feed = feed
        self.all: list[MonitorFrame] = []
        self._qtbot = qtbot
        feed.frame.connect(self.all.append)

    @property
    def last(self) -> MonitorFrame:
        return self.all[-1]

    def wait(self, found: Callable[[MonitorFrame], bool]) -> MonitorFrame:
        """The first frame from now on of which it is true."""
        start = len(self.all)

        def there() -> bool:
            return any(map(found, self.all[start:]))

        self._qtbot.waitUntil(there, timeout=WAIT_MS)
        return next(filter(found, self.all[start:]))

    def wait_engine(self, found: Callable[[EngineFrame], bool]) -> EngineFrame:
        """The same, of any engine in a frame."""
        frame = self.wait(lambda one: any(map(found, one.engines)))
        return next(filter(found, frame.engines))

    def wait_gpu(self, found: Callable[[GpuReading], bool]) -> GpuReading:
        """The same, of any GPU in a frame."""

        def gpus(frame: MonitorFrame) -> tuple[GpuReading, ...]:
            return frame.hardware.gpus if frame.hardware is not None else ()

        frame = self.wait(lambda one: any(map(found, gpus(one))))
        return next(filter(found, gpus(frame)))


class Lab:
    """A hub over a real store, a pool of scripted engines, and a feed of them."""

    def __init__(self, make: Make, folder: Path, qtbot: QtBot, script: str = "") -> None:
        self.qtbot = qtbot
        self.small, self.large = folder / "Small", folder / "Large"
        for model in (self.small, self.large):
            model.mkdir()
        script = f"tokens_per_second=60 load_seconds=0.05 {script}"
        primary, _ = make(script)
        self.pool = EnginePool(primary, lambda _number: make(script)[0])
        self.background = Background()
        self.hub = SessionHub(ChatStore(folder / "chats.db"), self.pool, self.background)
        self.source: Callable[[], object] = NoGpu
        self.samplers: list[HardwareSampler] = []
        with qtbot.waitSignal(self.hub.store_opened, timeout=WAIT_MS):
            self.hub.open_store()
        self._feed: MonitorFeed | None = None

    @property
    def primary(self) -> EngineClient:
        return self.pool.primary

    @property
    def feed(self) -> MonitorFeed:
        if self._feed is None:
            self._feed = MonitorFeed(self.pool, self.hub, self._sampler)
        return self._feed

    def _sampler(self) -> HardwareSampler:
        sampler = HardwareSampler(source=lambda: self.source())  # type: ignore[arg-type,return-value]
        self.samplers.append(sampler)
        return sampler

    def watch(self, rate: str = "panel") -> Frames:
        frames = Frames(self.feed, self.qtbot)
        self.feed.set_rate(rate)
        return frames

    def load(self) -> None:
        self.primary.start()
        self.primary.load(str(self.small))
        wait_for(self.primary, Phase.READY, self.qtbot)

    def beside(self) -> EngineClient:
        client = self.pool.open(str(self.large))
        wait_for(client, Phase.READY, self.qtbot)
        return client

    def chat(self, title: str, model: Path | None = None) -> ChatSession:
        session = new_session(self.hub, self.qtbot)
        session.rename(title)
        if model is not None:
            session.set_model(str(model))
        return session

    def ended(self, session: ChatSession) -> None:
        self.qtbot.waitUntil(
            lambda: not session.answers and not session.needs_saving, timeout=WAIT_MS
        )

    def close(self) -> None:
        if self._feed is not None:
            self._feed.stop()
            self._feed.deleteLater()
        self.hub.close()
        self.pool.shutdown()
        for item in (self.hub, self.background, self.pool):
            item.deleteLater()


def titles(frame: MonitorFrame) -> list[str]:
    """Of all who asked, in order of the alphabet, once for each request."""
    return sorted(ref.title for ref in frame.owners.values())


def whole(frame: MonitorFrame) -> bytes:
    """For comparing."""
    return msgspec.json.encode(frame)
