"""What the window knows of the engine, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.protocol import Failure, Loaded, LoadStage

CPU: Final = "CPU"  # `Loaded.device` of an engine without a GPU


class Phase(StrEnum):
    """The engine as the user meets it."""

    STOPPED = "stopped"
    STARTING = "starting"
    IDLE = "idle"
    LOADING = "loading"
    READY = "ready"
    SLEEPING = "sleeping"  # its memory is lent, or was given back while nobody asked
    RESTARTING = "restarting"  # it died; another try follows in `retry_in`
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineView:
    """The engine's state; `EngineClient.view_changed` carries a new one on each change."""

    phase: Phase = Phase.STOPPED
    model: str = ""  # the folder loaded, being loaded, or wanted
    stage: LoadStage | None = None
    fraction: float | None = None  # of the stage, 0 to 1
    load_elapsed: float = 0.0  # s
    loaded: Loaded | None = None  # while it is READY or SLEEPING
    failure: Failure | None = None
    restarts: int = 0  # in a row
    retry_in: float = 0.0  # s
    queued: int = 0  # requests held until READY
    is_lent: bool = False  # SLEEPING: by the user's wish; else since nobody asked for long
    is_waking: bool = False  # STARTING or LOADING: it slept before
    wake_seconds: float = 0.0  # SLEEPING or waking: what that took last time; 0: not known
