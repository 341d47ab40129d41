"""One engine of the pool, watched for the monitor: its readings, and how its load goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from desktop.engine_link.engine_state import CPU, EngineView, Phase
from desktop.models.monitor.frames import EngineFrame, LoadFrame

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.hardware.readings import HardwareReading
    from engine.protocol import KvReport, Telemetry

WATCH_S: Final = 0.25  # between reports of its pool
# The same, and between frames while it answers, of an engine on the processor: a frame takes some
# 10 ms of a core, for which all its others wait.
SPARING_S: Final = 2.0
SILENT_S: Final = 3.0  # of an engine at work, which tells something four times a second
_HAS_MODEL = (Phase.READY, Phase.SLEEPING)
Usual = Callable[[str], dict[str, float]]


class EngineWatch:
    """See the module.

    Args:
        usual: the usual seconds of each stage of a load of a model.
        clock: seconds, only forward.

    Attributes:
        is_new: something has changed since the last frame.
        has_turned: its phase has: it is ready, or gone.
        kv: the newest report of the pool of the model that is loaded.
        wants_kv: it has become ready: of a pool in which nothing moves it would tell nothing.
    """

    def __init__(
        self, key: int, client: EngineClient, usual: Usual, clock: Callable[[], float]
    ) -> None:
        self.key = key
        self.client = client
        self.is_new = self.has_turned = True
        self.kv: KvReport | None = None
        self.wants_kv = False
        self._kv_is_new = False
        self._phase = Phase.STOPPED
        self._usual = usual
        self._clock = clock
        self._telemetry: Telemetry | None = None
        self._since: list[Telemetry] = []  # readings that came since the last frame
        self._told_at = 0.0
        self._pids: tuple[int, ...] = ()
        self._held: int | None = None  # bytes of GPUs' memory
        self._load: _Load | None = None
        self._past: LoadFrame | None = None
        self.take_view()

    # --- what comes in -------------------------------------------------------------------

    def take_view(self) -> None:
        """The client's view changed."""
        view = self.client.view
        self.is_new = True
        was, self._phase = self._phase, view.phase
        self.has_turned |= was is not view.phase
        self.wants_kv = view.phase is Phase.READY and was is not Phase.READY
        if view.phase not in _HAS_MODEL:
            self._telemetry = None
            self._drop_kv()
        elif view.phase is Phase.SLEEPING:
            self._drop_kv()
        # What wakes from the computer's memory has no stages.
        if view.phase is Phase.LOADING and (view.stage is not None or not view.is_waking):
            if self._load is None or self._load.model != view.model:
                self._load = _Load(view.model, self._usual(view.model))
            self._load.take(view, self._clock(), self._memory)
        elif self._load is not None:
            if view.phase is Phase.READY and view.loaded is not None:
                self._past = self._load.over(view, self._memory)
            else:
                self._past = self._load.frame(self._clock())
            self._load = None
        elif self._past is None and view.loaded is not None:
            self._past = _past_of(view, self._usual(view.model))

    def take_telemetry(self, reading: Telemetry) -> None:
        """A reading came; one of a process that is gone is no news."""
        if self.client.view.phase in _HAS_MODEL:
            self._telemetry, self._told_at = reading, self._clock()
            self._since.append(reading)
            self.is_new = True

    def take_kv(self, report: KvReport) -> None:
        """A report came."""
        if self.client.view.phase is Phase.READY:
            self.kv = report
            self._kv_is_new = self.is_new = True

    def take_hardware(self, reading: HardwareReading) -> None:
        """Find the engine's processes among those that the driver tells of."""
        leader = self._leader()
        if not leader:
            self._pids, self._held = (), None
            return
        pids, sizes = {leader: None}, []
        for gpu in reading.gpus:
            for process in gpu.processes or ():
                if process.pid == leader or _group_of(process.pid) == leader:
                    pids[process.pid] = None
                    sizes.append(process.bytes)
        self._pids = tuple(pids)
        known = [size for size in sizes if size is not None]
        self._held = sum(known) if known and len(known) == len(sizes) else None

    # --- what goes out -------------------------------------------------------------------

    def frame(self, *, whole: bool = False) -> EngineFrame:
        """The engine now.

        Args:
            whole: with the pool, whether that is new or not.
        """
        view = self.client.view
        self._sum_up()
        leader = self._leader()
        pids = self._pids if leader in self._pids else (leader,) if leader else ()
        kv = self.kv if whole or self._kv_is_new else None
        if not whole:
            self.is_new = self.has_turned = self._kv_is_new = False
        return EngineFrame(
            key=self.key,
            model=view.model,
            phase=view.phase.value,
            loaded=view.loaded,
            telemetry=self._reading(),
            kv=kv,
            pids=pids,
            load=self._load.frame(self._clock()) if self._load is not None else None,
            past=self._past,
            queued=view.queued,
        )

    @property
    def is_on_processor(self) -> bool:
        """Whether it computes where the window draws; not known before a model is loaded."""
        loaded = self.client.view.loaded
        return loaded is not None and loaded.device == CPU

    @property
    def watch_s(self) -> float:
        """Seconds between reports of its pool."""
        return SPARING_S if self.is_on_processor else WATCH_S

    @property
    def is_answering(self) -> bool:
        """Whether it tells of requests that run."""
        reading = self._telemetry
        if reading is None or self.client.view.phase is not Phase.READY:
            return False
        return reading.running > 0 and self._clock() - self._told_at < SILENT_S

    @property
    def is_loading(self) -> bool:
        """Whether a load is under way: its time goes on without any message."""
        return self._load is not None

    def reported(self) -> list[str]:
        """Ids of the requests in the newest report."""
        return [request.request_id for request in self.kv.requests] if self.kv is not None else []

    # --- inside --------------------------------------------------------------------------

    def _sum_up(self) -> None:
        """Rates of a frame are those of all its time: a prompt may be read between two frames."""
        count, newest = len(self._since), self._telemetry
        if count > 1 and newest is not None:
            self._telemetry = msgspec.structs.replace(
                newest,
                generation_tps=sum(one.generation_tps for one in self._since) / count,
                prompt_tps=sum(one.prompt_tps for one in self._since) / count,
            )
        self._since.clear()

    def _reading(self) -> Telemetry | None:
        """The last that it told; an engine at work that is silent makes no tokens, as all see."""
        reading = self._telemetry
        if reading is None or self._clock() - self._told_at < SILENT_S:
            return reading
        if not reading.running + reading.waiting:  # it tells only what is new
            return reading
        return msgspec.structs.replace(reading, generation_tps=0.0, prompt_tps=0.0)

    def _leader(self) -> int:
        return self.client.pid if self.client.view.phase is not Phase.STOPPED else 0

    def _drop_kv(self) -> None:
        self.kv, self._kv_is_new = None, False

    def _memory(self) -> int | None:
        """Bytes that the engine holds now: of the GPUs' memory, or of the computer's."""
        return self._held if self._held is not None else _resident(self._leader())


class _Load:
    """A load under way."""

    def __init__(self, model: str, usual: dict[str, float]) -> None:
        self.model = model
        self._usual = usual
        self._stage = ""
        self._began = 0.0  # the stage; seconds of the load
        self._elapsed = self._shown = 0.0
        self._told = 0.0  # by the clock
        self._fraction: float | None = None
        self._stages: dict[str, float] = {}
        self._memory: dict[str, int] = {}

    def take(self, view: EngineView, now: float, memory: Callable[[], int | None]) -> None:
        stage = view.stage.value if view.stage is not None else ""
        if stage != self._stage:
            self._end_stage(view.load_elapsed, memory)
            self._stage, self._began = stage, view.load_elapsed
        if view.load_elapsed != self._elapsed or not self._told:
            self._elapsed, self._told = view.load_elapsed, now
        self._fraction = view.fraction

    def over(self, view: EngineView, memory: Callable[[], int | None]) -> LoadFrame:
        """The model is there: the engine's own times count."""
        assert view.loaded is not None
        self._end_stage(view.loaded.seconds, memory)
        return LoadFrame(
            stage="",
            elapsed=view.loaded.seconds,
            stages={one.stage.value: one.seconds for one in view.loaded.stages} or self._stages,
            usual=self._usual,
            memory=self._memory,
        )

    def frame(self, now: float) -> LoadFrame:
        # The engine's clock began a little later than ours.
        self._shown = max(self._shown, self._elapsed + max(0.0, now - self._told))
        return LoadFrame(
            stage=self._stage,
            elapsed=self._shown,
            stages=dict(self._stages),
            fraction=self._fraction,
            usual=self._usual,
            memory=dict(self._memory),
        )

    def _end_stage(self, elapsed: float, memory: Callable[[], int | None]) -> None:
        if self._stage:
            self._stages[self._stage] = max(0.0, elapsed - self._began)
            held = memory()
            if held is not None:
                self._memory[self._stage] = held


def _past_of(view: EngineView, usual: dict[str, float]) -> LoadFrame:
    """A load that nobody watched, as the engine tells of it."""
    assert view.loaded is not None
    return LoadFrame(
        stage="",
        elapsed=view.loaded.seconds,
        stages={one.stage.value: one.seconds for one in view.loaded.stages},
        usual=usual,
    )


def _group_of(pid: int) -> int:
    """The process group; 0: there is no such process here (any more)."""
    try:
        return os.getpgid(pid)
    except (ProcessLookupError, PermissionError, OverflowError):
        return 0


def _resident(pid: int) -> int | None:
    """Bytes of the computer's memory that a process holds."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
