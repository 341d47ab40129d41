"""What the monitor says in a few words: of an engine without a pool, and in folded heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.models.engine_text import model_name, seconds_text
from desktop.models.number_text import decimal, whole

if TYPE_CHECKING:
    from desktop.hardware.readings import HardwareReading
    from desktop.models.monitor.frames import EngineFrame
    from desktop.models.monitor.kv_books import KvPicture
    from desktop.models.monitor.ledger import LedgerRow

translate = QCoreApplication.translate


def no_pool_text(engine: EngineFrame | None) -> str:
    """Why an engine has no KV cache to show; "": it has one, or will say so in a moment."""
    phase = engine.phase if engine is not None else "stopped"
    return {
        "stopped": translate("Monitor", "The engine is not running."),
        "starting": translate("Monitor", "The engine is starting."),
        "idle": translate("Monitor", "No model is loaded, so there is no KV cache."),
        "loading": translate(
            "Monitor", "A model is being loaded. Its KV cache is there when that is done."
        ),
        "ready": "",
        "sleeping": translate(
            "Monitor",
            "The model sleeps: its KV cache is given back, and built anew with the next message.",
        ),
        "restarting": translate("Monitor", "The engine has died, and is started again."),
        "failed": translate("Monitor", "The engine has failed. What to do is said in its banner."),
    }.get(phase, "")


def no_speed_text(engine: EngineFrame | None) -> str:
    """Why an engine has no throughput to show; "": it has."""
    phase = engine.phase if engine is not None else "stopped"
    return {
        "idle": translate("ThroughputView", "No model is loaded."),
        "loading": translate("ThroughputView", "The model is being loaded."),
        "sleeping": translate("ThroughputView", "The model sleeps: its weights are in RAM."),
    }.get(phase) or no_pool_text(engine)


def engine_label(engine: EngineFrame) -> str:
    """What an engine is called where one is chosen."""
    return model_name(engine.model) or translate("Monitor", "No model")


def hardware_facts(reading: HardwareReading | None) -> str:
    """The GPUs, or the computer, in a few words."""
    if reading is None:
        return ""
    if not reading.gpus:
        load = reading.host.load
        return (
            ""
            if load is None
            else translate("Monitor", "CPU {percent} %").format(percent=whole(round(load)))
        )
    parts = []
    for gpu in reading.gpus:
        if gpu.lost:
            parts.append(translate("Monitor", "lost"))
        elif gpu.utilisation is not None:
            parts.append(translate("Monitor", "{percent} %").format(percent=whole(gpu.utilisation)))
        else:
            parts.append("–")
    return " · ".join(parts)


def pool_facts(picture: KvPicture | None) -> str:
    """A pool in a few words."""
    if picture is None or not picture.total:
        return ""
    share = 100 * picture.used / picture.total
    return translate("Monitor", "{percent} % of {total} blocks").format(
        percent=decimal(share), total=whole(picture.total)
    )


def speed_facts(engine: EngineFrame | None) -> str:
    """How fast an engine is, in a few words."""
    if engine is None or engine.telemetry is None:
        return ""
    reading = engine.telemetry
    words = translate("Monitor", "{rate} tokens/s").format(rate=decimal(reading.generation_tps))
    if reading.waiting:
        words += " · " + translate("Monitor", "{count} waiting").format(
            count=whole(reading.waiting)
        )
    return words


def load_facts(engine: EngineFrame | None) -> str:
    """The load under way, or the last one, in a few words."""
    load = None if engine is None else engine.load or engine.past
    if load is None:
        return ""
    return translate("Monitor", "{seconds} s").format(seconds=seconds_text(load.elapsed))


def chats_facts(rows: Sequence[LedgerRow]) -> str:
    """How many chats ask, in a few words."""
    asking = sum(bool(row.owner.requests) for row in rows)
    if not rows:
        return ""
    return translate("Monitor", "%n at work", "", asking)
