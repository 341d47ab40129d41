"""Frames made of trees of JSON again: see `frame_patch`. Pure.

The trees may come from anybody: what cannot be is refused, before anything is made of it.
"""

from __future__ import annotations

import binascii
import math
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from desktop.hardware.readings import DriverState, GpuLink, GpuReading, HardwareReading, HostReading
from desktop.models.monitor.frame_patch import AGAIN, Json
from desktop.models.monitor.frames import ChatRef, EngineFrame, MonitorFrame
from engine.protocol import KvReport, KvRequest

WORD: Final = 4  # bytes of a block's number
# A recording that claims more than this is not believed.
MOST_BLOCKS: Final = 1 << 22
MOST_ENGINES: Final = 64
MOST_REQUESTS: Final = 1 << 16
MOST_GPUS: Final = 64
MOST_NUMBER: Final = 1 << 62
DEEPEST: Final = 16


def check(said: object, depth: int = 0) -> None:
    """Refuse what no frame of ours holds: numbers beyond all measure, nests without end.

    Raises:
        ValueError: there is such a thing.
    """
    if depth > DEEPEST:
        raise ValueError("too deep")
    if isinstance(said, dict):
        for value in said.values():
            check(value, depth + 1)
    elif isinstance(said, list):
        for value in said:
            check(value, depth + 1)
    elif isinstance(said, int | float) and not -MOST_NUMBER <= said <= MOST_NUMBER:
        raise ValueError("a number beyond all measure")


class TreeReader:
    """Makes frames of trees again, with what is new in each."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, Any]] = {}

    def frame(self, tree: Json, news: Mapping[str, Any]) -> MonitorFrame:
        """A frame.

        Args:
            news: the patch that led to `tree`: hardware and pools come only where it has them.

        Raises:
            ValueError: it is no frame; also KeyError, TypeError, msgspec.ValidationError.
        """
        engines, told = tree.get("engines", {}), news.get("engines", {})
        if not isinstance(engines, dict) or len(engines) > MOST_ENGINES:
            raise ValueError("too many engines")
        at = tree["at"]
        if type(at) not in (int, float) or not math.isfinite(at):
            raise ValueError("no time")
        return MonitorFrame(
            at=float(at),
            clock=msgspec.convert(tree["clock"], float),
            engines=tuple(
                self._engine(key, engines[key], told.get(key) or {})
                for key in sorted(engines, key=int)
            ),
            hardware=_hardware(tree["hardware"]) if news.get("hardware") else None,
            owners={
                key: ChatRef(*msgspec.convert(ref, tuple[str, str]))
                for key, ref in tree.get("owners", {}).items()
            },
        )

    def _engine(self, key: str, tree: Json, news: Mapping[str, Any]) -> EngineFrame:
        parts = {
            name: self._once(f"{key}.{name}", value) if isinstance(value, dict) else value
            for name, value in tree.items()
            if name != "kv"
        }
        parts["key"] = int(key)
        engine = msgspec.convert(parts, EngineFrame)
        if news.get("kv"):
            engine = msgspec.structs.replace(engine, kv=_kv(tree["kv"]))
        return engine

    def _once(self, name: str, tree: Json) -> Any:
        """The same object for the same tree: who draws can tell that nothing has changed."""
        kept = self._kept.get(name)
        if kept is not None and kept[0] is tree:
            return kept[1]
        field = name.partition(".")[2]
        value = msgspec.convert(tree, _PARTS[field]) if field in _PARTS else tree
        self._kept[name] = tree, value
        return value


def _parts() -> dict[str, Any]:
    kinds = msgspec.structs.fields(EngineFrame)
    return {
        one.name: one.type for one in kinds if one.name in ("loaded", "telemetry", "load", "past")
    }


_PARTS: Final = _parts()


def _hardware(tree: Json) -> HardwareReading:
    gpus, host = tree["gpus"], dict(tree["host"])
    if len(gpus) > MOST_GPUS:
        raise ValueError("too many GPUs")
    host["flags"] = msgspec.convert(host.get("flags", ""), str).split()
    return HardwareReading(
        driver=msgspec.convert(tree["driver"], DriverState),
        gpus=tuple(msgspec.convert(gpus[at], GpuReading) for at in sorted(gpus, key=int)),
        host=msgspec.convert(host, HostReading),
        links=msgspec.convert(tree["links"], tuple[GpuLink, ...]),
        time=msgspec.convert(tree["time"], float),
    )


def _kv(tree: Json) -> KvReport:
    requests, total = tree["requests"], msgspec.convert(tree["total"], int)
    order = msgspec.convert(tree["order"], tuple[str, ...])
    if not 0 <= total <= MOST_BLOCKS or len(order) > MOST_REQUESTS:
        raise ValueError("too many blocks or requests")
    report = msgspec.convert(
        {
            "type": "KvReport",
            **{name: tree[name] for name in ("step", "block_size", "total", "used", "shared")},
            "cached": "",
            "requests": [],
        },
        KvReport,
    )
    if report.block_size < 1 or not 0 <= report.shared <= report.used <= total:
        raise ValueError("figures that cannot be")
    cached = _joined(tree["cached"])
    if len(cached) != (total + 7) // 8:
        raise ValueError("a map of another size")
    if report.used + int.from_bytes(cached, "little").bit_count() > total:
        raise ValueError("more blocks than there are")
    return msgspec.structs.replace(
        report,
        cached=cached,
        requests=tuple(_request(name.partition(AGAIN)[0], requests[name], total) for name in order),
    )


def _request(name: str, tree: Json, total: int) -> KvRequest:
    blocks = _joined(tree["blocks"])
    if len(blocks) % WORD or (blocks and max(memoryview(blocks).cast("I")) >= total):
        raise ValueError("blocks that are not there")
    request = msgspec.convert({**tree, "request_id": name, "blocks": ""}, KvRequest)
    counts = (request.tokens, request.context_tokens, request.cached_tokens, request.unused)
    if min(*counts, request.position, request.preemptions) < 0:
        raise ValueError("less than nothing")
    return msgspec.structs.replace(request, blocks=blocks)


def _joined(pieces: Mapping[str, str]) -> bytes:
    return b"".join(
        binascii.a2b_base64(pieces[str(at)], strict_mode=True) for at in range(len(pieces))
    )
