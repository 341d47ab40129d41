"""What the monitor shows: the newest of everything, put together from frames. Pure.

Frames carry what is new; this keeps what is not, and reads each engine's pool from report to
report. The reading is apart from the taking: a pool of 10,000 blocks takes some milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from desktop.models.monitor.kv_books import KvBooks, KvPicture
from desktop.models.monitor.ledger import Ledger, LedgerRow

if TYPE_CHECKING:
    from desktop.hardware.readings import HardwareReading
    from desktop.models.monitor.frames import ChatRef, EngineFrame, MonitorFrame
    from engine.protocol import KvReport

READY = "ready"  # of `desktop.engine_link.engine_state.Phase`


@dataclass(slots=True)
class _Pool:
    """An engine's pool: one load of it.

    Attributes:
        load: what tells it from another load.
        waiting: the newest report that is not read yet, with the frame that it came in.
        read: the one that was read last, likewise.
    """

    load: tuple[str, int]
    books: KvBooks
    ledger: Ledger
    waiting: tuple[KvReport, MonitorFrame] | None = None
    read: tuple[KvReport, MonitorFrame] | None = None
    picture: KvPicture | None = None
    rows: tuple[LedgerRow, ...] = ()


@dataclass(slots=True)
class Shown:
    """See the module.

    Attributes:
        hardware: the newest reading; none before the first.
        engines: the newest of each, by its key, with the last report of its pool.
        owners: who asked, by the request's id.
        at: of the newest frame. clock: the same, in seconds since 1970.
    """

    hardware: HardwareReading | None = None
    engines: dict[int, EngineFrame] = field(default_factory=dict)
    owners: Mapping[str, ChatRef] = field(default_factory=dict)
    at: float = 0.0
    clock: float = 0.0
    _pools: dict[int, _Pool] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def clear(self) -> None:
        """What comes next is of another time: only the chats' colours stay."""
        self.hardware, self.engines, self.owners = None, {}, {}
        self._pools.clear()

    def take(self, frame: MonitorFrame) -> None:
        """Enter a frame; the pools are read by `read_pool`."""
        self.take_readings(frame)
        for key in set(self._pools) - set(self.engines):
            del self._pools[key]
        for engine in frame.engines:
            self._take_engine(engine, frame)

    def take_readings(self, frame: MonitorFrame) -> None:
        """Enter a frame without its pools, for who does not show them."""
        self.at, self.clock, self.owners = frame.at, frame.clock, frame.owners
        if frame.hardware is not None:
            self.hardware = frame.hardware
        self.engines = {engine.key: self._carried(engine) for engine in frame.engines}

    def read_pool(self, key: int) -> bool:
        """Read an engine's newest report; whether there was one that was not read yet."""
        pool = self._pools.get(key)
        if pool is None or pool.waiting is None:
            return False
        report, frame = pool.read = pool.waiting
        pool.waiting = None
        pool.picture = pool.books.take(report, frame.owners)
        pool.rows = pool.ledger.take(pool.picture, report, frame.at)
        return True

    def forget(self, chat_id: str) -> None:
        """A chat was deleted: nothing names it any more, though its blocks may still be cached."""
        for pool in self._pools.values():
            pool.books.forget(chat_id)
            if pool.waiting is not None:
                pool.waiting = pool.waiting[0], _without(pool.waiting[1], chat_id)
            if pool.read is not None:
                report, frame = pool.read = pool.read[0], _without(pool.read[1], chat_id)
                pool.picture = pool.books.take(report, frame.owners)
                pool.rows = tuple(row for row in pool.rows if row.owner.ref.key != chat_id)

    def unread(self) -> tuple[int, ...]:
        """Keys of the engines with a report that is not read yet."""
        return tuple(key for key, pool in self._pools.items() if pool.waiting is not None)

    def picture(self, key: int) -> KvPicture | None:
        """An engine's pool as it was read last; none where there is none."""
        pool = self._pools.get(key)
        return None if pool is None else pool.picture

    def rows(self, key: int) -> tuple[LedgerRow, ...]:
        """The ledger of an engine's pool as it was read last."""
        pool = self._pools.get(key)
        return () if pool is None else pool.rows

    def _carried(self, engine: EngineFrame) -> EngineFrame:
        before = self.engines.get(engine.key)
        if engine.kv is not None or engine.phase != READY or before is None or before.kv is None:
            return engine
        if before.loaded != engine.loaded:
            return engine
        return msgspec.structs.replace(engine, kv=before.kv)

    def _take_engine(self, engine: EngineFrame, frame: MonitorFrame) -> None:
        loaded = engine.loaded
        if loaded is None or engine.phase != READY:
            self._pools.pop(engine.key, None)
            return
        pool = self._pools.get(engine.key)
        load = (engine.model, loaded.load_id)
        if pool is None or pool.load != load:
            books = KvBooks(loaded.context, self._numbers)
            pool = self._pools[engine.key] = _Pool(load, books, Ledger())
        if engine.kv is not None:
            self.read_pool(engine.key)  # whose a cached block was is told by each report
            pool.waiting = (engine.kv, frame)


def _without(frame: MonitorFrame, chat_id: str) -> MonitorFrame:
    owners = {key: ref for key, ref in frame.owners.items() if ref.key != chat_id}
    return msgspec.structs.replace(frame, owners=owners)
