"""The engine's state in words: used by the banner, the status bar and screen readers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.chats.names import name_from
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.number_text import decimal
from engine.store.folders import name_of

if TYPE_CHECKING:
    from engine.protocol import LoadStage

translate = QCoreApplication.translate


@lru_cache(maxsize=256)
def model_name(folder: str) -> str:
    """What to call the model in `folder`; the same as long as the program runs."""
    return name_from(name_of(Path(folder))) if folder else ""


def stage_text(stage: LoadStage | None) -> str:
    """What a load is doing."""
    from engine.protocol import LoadStage

    return {
        None: translate("Engine", "Getting ready"),
        LoadStage.IMPORTING: translate("Engine", "starting the engine's libraries"),
        LoadStage.DESCRIBING: translate("Engine", "reading the file's vocabulary"),
        LoadStage.READING_WEIGHTS: translate("Engine", "reading weights"),
        LoadStage.PROFILING_MEMORY: translate("Engine", "measuring memory"),
        LoadStage.ALLOCATING_KV: translate("Engine", "setting memory aside for chats"),
        LoadStage.WARMING_UP: translate("Engine", "warming up"),
    }[stage]


def phase_text(view: EngineView) -> str:
    """The state in a few words."""
    match view.phase:
        case Phase.STOPPED:
            return translate("Engine", "Engine stopped")
        case Phase.STARTING:
            return translate("Engine", "Engine starting")
        case Phase.IDLE:
            return translate("Engine", "No model loaded")
        case Phase.LOADING:
            return (
                translate("Engine", "Waking") if view.is_waking else translate("Engine", "Loading")
            )
        case Phase.READY:
            return translate("Engine", "Ready")
        case Phase.SLEEPING:
            return translate("Engine", "Sleeping")
        case Phase.RESTARTING:
            return translate("Engine", "Engine restarting")
        case Phase.FAILED:
            return translate("Engine", "Engine failed")


def seconds_text(seconds: float) -> str:
    """A time to wait, as exact as such a guess can be: "0.4", "12"."""
    return decimal(seconds, 1 if seconds < 1 else 0)
