"""One moment of everything that the monitor shows: the hardware, the engines, whose is what.

Frames are what the panel draws, what the histories are fed with, and what a recording keeps, one
a line as JSON; so whatever is shown live can be shown again.
"""

from __future__ import annotations

from typing import Final

import msgspec

from desktop.hardware.readings import HardwareReading
from engine.protocol import KvReport, Loaded, Telemetry

VERSION: Final = 1  # of a recording's form


class ChatRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who asked: a chat, or the program itself.

    Attributes:
        chat_id: "" where it is no chat (a title, a measurement).
        title: of the chat, or what else it is, in words.
    """

    chat_id: str
    title: str

    @property
    def key(self) -> str:
        """What it is known by: several requests of a chat are one owner."""
        return self.chat_id or self.title


class LoadFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A load under way, or the last one. Times in seconds.

    Attributes:
        stage: of `engine.protocol.LoadStage`; "" before the first, and when it is over. Of a load
            that failed or was cancelled, the one in which it did.
        stages: seconds of each stage that is over, in order.
        fraction: of the stage, from 0 to 1.
        usual: of the loads before, for each stage; empty where there was none.
        memory: bytes that the engine held when the stage ended, of the GPUs' memory (of the
            computer's where it runs on the CPU); a stage is left out where that is not known.
    """

    stage: str
    elapsed: float
    stages: dict[str, float]
    fraction: float | None = None
    usual: dict[str, float] = {}
    memory: dict[str, int] = {}


class EngineFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One engine.

    Attributes:
        key: of the pool's client; 1 is the window's own (`engine_pool.PRIMARY`).
        model: folder or file.
        phase: of `desktop.engine_link.engine_state.Phase`.
        telemetry: the last one; none where no model is loaded.
        kv: in the frames in which it is new.
        load: under way; past: the last one that is over.
        pids: the engine's process and those below it.
        queued: requests that the window keeps until it is ready.
    """

    key: int
    model: str
    phase: str
    loaded: Loaded | None = None
    telemetry: Telemetry | None = None
    kv: KvReport | None = None
    pids: tuple[int, ...] = ()
    load: LoadFrame | None = None
    past: LoadFrame | None = None
    queued: int = 0


class MonitorFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """See the module.

    Attributes:
        at: seconds since the feed began, of a clock that only goes forward.
        clock: seconds since 1970; only shown.
        hardware: in the frames in which it is new.
        owners: who asked, by the request's id.
    """

    at: float
    clock: float
    engines: tuple[EngineFrame, ...] = ()
    hardware: HardwareReading | None = None
    owners: dict[str, ChatRef] = {}
