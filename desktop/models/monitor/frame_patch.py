"""Frames as trees of JSON, and what differs between two of them (RFC 7396). Pure.

What is None is left out: in a merge patch null takes away, and the default of each such field is
None. Engines, requests and GPUs stand under keys and not in lists, and long runs of bytes stand in
pieces, so that a patch tells of no more than what has changed.
"""

from __future__ import annotations

import binascii
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from desktop.hardware.readings import DriverState, GpuLink, GpuReading, HardwareReading, HostReading
from desktop.models.monitor.frames import ChatRef, EngineFrame, MonitorFrame
from engine.protocol import KvReport, KvRequest

T = TypeVar("T")
Json = dict[str, Any]

PIECE: Final = 64  # bytes: 16 blocks of a request, or 512 of the pool's bits
WORD: Final = 4  # bytes of a block's number
AGAIN: Final = "\n"  # between an id and the number of its repetition
# A recording that claims more than this is not believed.
MOST_BLOCKS: Final = 1 << 22
MOST_ENGINES: Final = 64
MOST_REQUESTS: Final = 1 << 16
MOST_GPUS: Final = 64
MOST_NUMBER: Final = 1 << 62
DEEPEST: Final = 16


def patch_between(before: Json, after: Json) -> Json:
    """What has to be merged into `before` to make it `after`; {} for nothing."""
    patch: Json = {}
    for key, value in after.items():
        old = before.get(key)
        if old is value:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            inner = patch_between(old, value)
            if inner:
                patch[key] = inner
        elif old != value or type(old) is not type(value):
            patch[key] = value
    for key in before.keys() - after.keys():
        patch[key] = None
    return patch


def merge(tree: Json, patch: Mapping[str, Any]) -> Json:
    """`tree` with a patch; what the patch leaves alone is shared with it."""
    merged = dict(tree)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            old = merged.get(key)
            merged[key] = merge(old if isinstance(old, dict) else {}, value)
        else:
            merged[key] = value
    return merged


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


class TreeMaker:
    """Makes the trees of one frame after the other; what did not change is the same object."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, Any]] = {}
        self._pieces: dict[str, tuple[bytes, dict[str, str]]] = {}

    def tree(self, frame: MonitorFrame, before: Json) -> Json:
        """A frame.

        Args:
            before: the tree of the frame before it, {} for none: what a frame has only when it is
                new (hardware, pools) stays as it is there.
        """
        engines = before.get("engines", {})
        tree: Json = {
            "at": round(frame.at, 4),
            "clock": round(frame.clock, 3),
            "engines": {
                str(engine.key): self._engine(engine, engines.get(str(engine.key), {}))
                for engine in frame.engines
            },
            "owners": {key: [ref.chat_id, ref.title] for key, ref in frame.owners.items()},
        }
        if frame.hardware is not None:
            tree["hardware"] = self._hardware(frame.hardware)
        elif "hardware" in before:
            tree["hardware"] = before["hardware"]
        return tree

    def _engine(self, engine: EngineFrame, before: Json) -> Json:
        key = engine.key
        tree: Json = {"model": engine.model, "phase": engine.phase, "pids": list(engine.pids)}
        if engine.queued:
            tree["queued"] = engine.queued
        for name in ("loaded", "telemetry", "load", "past"):
            value = getattr(engine, name)
            if value is not None:
                tree[name] = self._once(f"{key}.{name}", value, _plain)
        if engine.kv is not None:
            tree["kv"] = self._kv(engine.key, engine.kv)
        elif "kv" in before and engine.phase == "ready":
            tree["kv"] = before["kv"]
        return tree

    def _kv(self, key: int, report: KvReport) -> Json:
        tree: Json = {
            name: getattr(report, name)
            for name in ("step", "block_size", "total", "used", "shared")
        }
        tree["cached"] = self._cut(f"{key}", report.cached)
        names = _apart([request.request_id for request in report.requests])
        tree["order"] = names
        tree["requests"] = {
            name: self._request(f"{key}.{name}", request)
            for name, request in zip(names, report.requests, strict=True)
        }
        kept = {f"{key}", *(f"{key}.{name}" for name in tree["requests"])}
        for name in [name for name in self._pieces if name not in kept]:
            if name.partition(".")[0] == str(key):
                del self._pieces[name]
        return tree

    def _request(self, name: str, request: KvRequest) -> Json:
        tree: Json = {
            "tokens": request.tokens,
            "context_tokens": request.context_tokens,
            "cached_tokens": request.cached_tokens,
            "unused": request.unused,
            "blocks": self._cut(name, request.blocks),
        }
        if request.position:
            tree["position"] = request.position
        if request.preemptions:
            tree["preemptions"] = request.preemptions
        return tree

    def _cut(self, name: str, data: bytes) -> dict[str, str]:
        """Bytes in pieces; those that were told before are the same."""
        was, pieces = self._pieces.get(name, (b"", {}))
        if was == data:
            return pieces
        whole = len(was) // PIECE
        first = whole if data[: whole * PIECE] == was[: whole * PIECE] else 0
        found = {str(at): pieces[str(at)] for at in range(first)}
        for at in range(first, -(-len(data) // PIECE)):
            piece = data[at * PIECE : (at + 1) * PIECE]
            found[str(at)] = binascii.b2a_base64(piece, newline=False).decode()
        self._pieces[name] = data, found
        return found

    def _hardware(self, reading: HardwareReading) -> Json:
        return {
            "driver": self._once("driver", reading.driver, _plain),
            "host": self._once("host", reading.host, _host_tree),
            "links": self._once("links", reading.links, _links_tree),
            "time": round(reading.time, 4),
            "gpus": {str(at): _plain(gpu) for at, gpu in enumerate(reading.gpus)},
        }

    def _once(self, name: str, value: T, make: Callable[[T], Any]) -> Any:
        kept = self._kept.get(name)
        if kept is not None and kept[0] is value:
            return kept[1]
        tree = make(value)
        self._kept[name] = value, tree
        return tree


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


# --- frames to trees ---------------------------------------------------------------------


def _apart(names: list[str]) -> list[str]:
    """Ids, with a number at those that were there before: a measurement's are all the same."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        found.append(name if count == 1 else f"{name}{AGAIN}{count}")
    return found


def _plain(value: object) -> Any:
    return _without_none(msgspec.to_builtins(value))


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(one) for key, one in value.items() if one is not None}
    return value


def _host_tree(host: HostReading) -> Json:
    tree: Json = _plain(host)
    tree["flags"] = " ".join(sorted(host.flags))
    return tree


def _links_tree(links: tuple[GpuLink, ...]) -> list[Any]:
    return [_plain(link) for link in links]


# --- trees to frames ---------------------------------------------------------------------


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
