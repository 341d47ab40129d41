"""Readings of the loaded engine, a few a second: rates since the last one, and the pool now."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from engine.host_memory import resident_bytes
from engine.kv_pool import KvPool
from engine.protocol import KvReport, Telemetry
from engine.recent import RecentShare, RecentTimes
from engine.streams import Stream

TELEMETRY_SECONDS = 0.25


class TelemetryDesk:
    """Counts tokens and reports. All calls come from the thread that steps the engine.

    Args:
        tell: takes the readings. tell_pool: takes the reports of the pool, for who watches it.

    Attributes:
        watch_seconds: between two reports of the pool; 0: nobody watches.
    """

    def __init__(
        self,
        kv: KvPool,
        tell: Callable[[Telemetry], None],
        tell_pool: Callable[[KvReport], None],
    ) -> None:
        self._kv = kv
        self._tell = tell
        self._tell_pool = tell_pool
        self._last = self._last_pool = time.monotonic()
        self._last_sent: Telemetry | None = None
        self._generated = self._prompted = 0
        self._ttft, self._itl = RecentTimes(), RecentTimes()
        self._hits = RecentShare()
        self._preempted = 0  # of requests that are over
        self._preemptions: Mapping[str, int] = {}  # of those that live
        self._step = 0
        self._told_step = -1
        self.watch_seconds = 0.0

    def watch(self, seconds: float) -> None:
        """Report the pool so often at most, the first time soon; 0: no more."""
        self.watch_seconds = seconds
        self._last_pool, self._told_step = 0.0, -1

    def produced(self, stream: Stream, tokens: int, cached: int, now: float) -> None:
        """Count what a step produced for a stream; `cached`: of its prompt, by vLLM's word."""
        if not tokens:
            return
        self._generated += tokens
        before = stream.last
        if stream.produced(tokens, now):
            stream.cached_tokens = cached
            self._prompted += stream.prompt_tokens - cached
            self._ttft.add(now - stream.received, now)
            self._hits.add(cached, stream.prompt_tokens, now)
        elif before is not None:
            self._itl.add((now - before) / tokens, now, tokens)

    def moved(self) -> None:
        """A step is done, or a request was taken away."""
        self._step += 1

    def report(
        self, threads: int, names: Callable[[], Mapping[str, tuple[str, int]]], *, idle: bool
    ) -> None:
        """Tell what it is time for; while nothing moves, nothing.

        Args:
            threads: that compute.
            names: see `KvPool.report`.
        """
        now = time.monotonic()
        self._report_pool(now, names)
        elapsed = now - self._last
        if elapsed < TELEMETRY_SECONDS:
            return
        pool = self._kv.pool()
        running, waiting = self._kv.counts()
        ttft = self._ttft.percentiles(now, 0.5, 0.9)
        itl = self._itl.percentiles(now, 0.5, 0.9)
        reading = Telemetry(
            running=running,
            waiting=waiting,
            kv_used=pool.used,
            kv_total=pool.total,
            generation_tps=self._generated / elapsed,
            prompt_tps=self._prompted / elapsed,
            kv_cached=pool.cached,
            preempted=self._count_preemptions(),
            prefix_hit_rate=self._hits.share(now),
            resident_bytes=resident_bytes(),
            threads=threads,
            ttft_p50=ttft[0],
            ttft_p90=ttft[1],
            itl_p50=itl[0],
            itl_p90=itl[1],
        )
        self._generated = self._prompted = 0
        self._last = now
        if idle and reading == self._last_sent:
            return
        self._last_sent = reading
        self._tell(reading)

    def _report_pool(self, now: float, names: Callable[[], Mapping[str, tuple[str, int]]]) -> None:
        if not self.watch_seconds or now - self._last_pool < self.watch_seconds:
            return
        if self._step == self._told_step:
            return
        self._last_pool, self._told_step = now, self._step
        self._tell_pool(self._kv.report(self._step, names()))

    def _count_preemptions(self) -> int:
        """How many there were since the load, of requests that are over, too.

        One that is preempted and over within a quarter of a second is missed.
        """
        now = self._kv.preemptions()
        for name, count in self._preemptions.items():
            if name not in now:
                self._preempted += count
        self._preemptions = now
        return self._preempted + sum(now.values())
