"""Frames as trees of JSON, and what differs between two of them (RFC 7396). Pure.

What is None is left out: in a merge patch null takes away, and the default of each such field is
None. Engines, requests and GPUs stand under keys and not in lists, and long runs of bytes stand in
pieces, so that a patch tells of no more than what has changed.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from desktop.hardware.readings import GpuLink, HardwareReading, HostReading
from desktop.models.monitor.frames import EngineFrame, MonitorFrame
from engine.protocol import KvReport, KvRequest

T = TypeVar("T")
Json = dict[str, Any]

PIECE: Final = 64  # bytes: 16 blocks of a request, or 512 of the pool's bits
AGAIN: Final = "\n"  # between an id and the number of its repetition


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
            "time": reading.time,
            "gpus": {str(at): _plain(gpu) for at, gpu in enumerate(reading.gpus)},
        }

    def _once(self, name: str, value: T, make: Callable[[T], Any]) -> Any:
        kept = self._kept.get(name)
        if kept is not None and kept[0] is value:
            return kept[1]
        tree = make(value)
        self._kept[name] = value, tree
        return tree


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
