"""A made-up session for the monitor: frames as a feed would tell them, from a seed. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from desktop.hardware.nvml_errors import state
from desktop.hardware.readings import (
    Driver,
    GpuProcess,
    GpuReading,
    HardwareReading,
    HostReading,
    Missing,
    Throttle,
)
from desktop.models.monitor.frames import ChatRef, EngineFrame, LoadFrame, MonitorFrame
from engine.protocol import (
    ChatMessage,
    Generate,
    KvReport,
    Loaded,
    LoadStage,
    StageTime,
    Telemetry,
)
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream

GIB = 1024**3
BLOCK = 16

LOADED = Loaded(
    load_id=1,
    model="/models/Small",
    context=4096,
    kv_blocks=256,
    block_size=BLOCK,
    max_num_seqs=64,
    dtype="float16",
    device="NVIDIA GeForce RTX 3090",
    kv_cache_bytes=GIB,
    seconds=12.5,
    stages=(StageTime(LoadStage.IMPORTING, 5.5), StageTime(LoadStage.READING_WEIGHTS, 7.0)),
)


class Session:
    """Chats that come and go in a pool of `blocks`, and two GPUs at work.

    Attributes:
        at: the time of the newest frame, in seconds.
    """

    def __init__(self, seed: int = 1, blocks: int = 256) -> None:
        self.at = 0.0
        self._random = random.Random(seed)
        self._blocks = blocks
        self._pool = ScriptPool(blocks, BLOCK)
        self._streams: dict[str, tuple[Stream, list[int]]] = {}
        self._owners: dict[str, ChatRef] = {}
        self._count = self._step = 0

    def frames(self, count: int) -> Iterator[MonitorFrame]:
        """So many, four a second; not everything is new in each."""
        for _ in range(count):
            self.at = round(self.at + 0.25, 4)
            self._live()
            yield MonitorFrame(
                at=self.at,
                clock=round(1_764_460_000 + self.at, 3),
                engines=(self._engine(), _loading(self.at)),
                hardware=self._hardware() if self._random.random() < 0.6 else None,
                owners=dict(self._owners),
            )

    def _live(self) -> None:
        draw = self._random
        if len(self._streams) < 8 and draw.random() < 0.4:
            self._begin()
        for name, (stream, held) in list(self._streams.items()):
            stream.completion_tokens += draw.randrange(12)
            length = stream.prompt_tokens + stream.completion_tokens
            held += self._pool.take(-(-length // BLOCK) - len(held))
            if stream.completion_tokens > 100:
                self._pool.release(held)
                del self._streams[name]
                del self._owners[name]

    def _begin(self) -> None:
        self._count += 1
        name, chat = f"request-{self._count}", self._random.randrange(6)
        text = " ".join(["system"] * 70 + [f"chat{chat}"] * self._random.randrange(5, 200))
        keys = block_keys((ChatMessage("user", text),), BLOCK)
        tokens = 4 + len(text.split())
        held, cached = self._pool.begin(keys, tokens)
        self._streams[name] = (
            Stream(Generate(name, ()), 0.0, prompt_tokens=tokens, cached_tokens=cached),
            held,
        )
        self._owners[name] = ChatRef(f"chat-{chat}", f"Über {chat} “q”\n")

    def _engine(self) -> EngineFrame:
        reading = self._pool.reading()
        self._step += 1
        return EngineFrame(
            key=1,
            model="/models/Small",
            phase="ready",
            loaded=LOADED,
            telemetry=Telemetry(
                running=len(self._streams),
                waiting=0,
                kv_used=reading.used,
                kv_total=reading.total,
                generation_tps=40 + self._random.random(),
                prompt_tps=self._random.random() * 100,
                kv_cached=reading.cached,
                itl_p90=0.02 if self._streams else None,
            ),
            kv=self.report() if self._random.random() < 0.8 else None,
            pids=(4321, 4322),
            past=LoadFrame("", 12.5, {"importing": 5.5}, memory={"importing": 1 << 30}),
        )

    def report(self) -> KvReport:
        """Of the pool now."""
        return self._pool.report(
            self._step,
            tuple(self._pool.request(stream, held, 0) for stream, held in self._streams.values()),
        )

    def _hardware(self) -> HardwareReading:
        draw = self._random
        gpus = [
            GpuReading(
                index=index,
                uuid=f"GPU-{index}",
                name="NVIDIA GeForce RTX 3090",
                capability=(8, 6),
                memory_total=24 * GIB,
                memory_used=draw.randrange(24 * GIB),
                processes=(GpuProcess(4321, None, 5 * GIB), GpuProcess(9, "game", None)),
                utilisation=draw.randrange(101),
                power=draw.random() * 350,
                temperature=draw.randrange(30, 90),
                throttle=(Throttle.POWER_CAP,) if draw.random() < 0.5 else (),
                missing={"pcie_rx": Missing.NOT_SUPPORTED},
            )
            for index in range(2)
        ]
        if draw.random() < 0.2:
            gpus[1] = lost(gpus[1])
        host = HostReading(ram_total=64 * GIB, flags=frozenset({"avx2", "sse2"}), load=12.5)
        return HardwareReading(state(Driver.OK), tuple(gpus), host, time=self.at)


def lost(gpu: GpuReading) -> GpuReading:
    """The same GPU, fallen off the bus."""
    return GpuReading(index=-1, uuid=gpu.uuid, name=gpu.name, lost=True)


def _loading(at: float) -> EngineFrame:
    load = LoadFrame(
        "reading_weights", at, {"importing": 3.0}, fraction=0.5, usual={"importing": 2.5}
    )
    return EngineFrame(key=2, model="/models/Large", phase="loading", load=load, queued=3)


def encoded(frame: MonitorFrame) -> int:
    """Bytes of a frame as plain JSON."""
    return len(msgspec.json.encode(frame))
