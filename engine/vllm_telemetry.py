"""Readings of the loaded engine, a few a second: rates since the last one, and the pool now."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.host_memory import resident_bytes
from engine.kv_map import KvMap
from engine.protocol import Telemetry

TELEMETRY_SECONDS = 0.25


class TelemetryDesk:
    """Counts tokens and reports. All calls come from the thread that steps the engine.

    Attributes:
        generated, prompted: tokens since the last reading, answered and read.
    """

    def __init__(self, kv: KvMap, tell: Callable[[Telemetry], None]) -> None:
        self._kv = kv
        self._tell = tell
        self._last = time.monotonic()
        self._last_sent: Telemetry | None = None
        self.generated = self.prompted = 0

    def report(self, threads: int, *, idle: bool = False) -> None:
        """Tell a reading, if it is time; while nothing moves, none."""
        now = time.monotonic()
        elapsed = now - self._last
        if elapsed < TELEMETRY_SECONDS:
            return
        pool = self._kv.pool()
        running, waiting = self._kv.counts()
        reading = Telemetry(
            running=running,
            waiting=waiting,
            kv_used=pool.used,
            kv_total=pool.total,
            generation_tps=self.generated / elapsed,
            prompt_tps=self.prompted / elapsed,
            kv_cached=pool.cached,
            resident_bytes=resident_bytes(),
            threads=threads,
        )
        self.generated = self.prompted = 0
        self._last = now
        if idle and reading == self._last_sent:
            return
        self._last_sent = reading
        self._tell(reading)
