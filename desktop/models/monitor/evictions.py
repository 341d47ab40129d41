"""How many cached blocks were given away: text that must be read again when it is wanted. Pure.

A report of the pool tells it block by block: one that was cached, and holds something else now,
was evicted; one that a request has found in the cache was not. Without reports, readings tell
the least that it was: what is cached less, and was not found by anybody.
"""

from __future__ import annotations

from typing import Final

from desktop.models.monitor.frames import EngineFrame
from engine.protocol import KvReport, Telemetry

# So long after a report readings are not asked: longer than the longest wait for the next one
# (`engine_watch.SPARING_S` and a step of the engine).
REPORTS_COUNT_S: Final = 5.0


class Evictions:
    """Of one engine.

    Attributes:
        total: blocks, since it is watched.
    """

    def __init__(self) -> None:
        self.total = 0
        self._report: KvReport | None = None
        self._reading: Telemetry | None = None
        self._at = self._reported_at = float("-inf")

    def take(self, engine: EngineFrame, at: float) -> None:
        """Enter an engine's part of the frame at a time in seconds."""
        if engine.kv is not None:
            if self._report is not None:
                self.total += evicted_between(self._report, engine.kv)
            self._report, self._reported_at = engine.kv, at
        reading, before = engine.telemetry, self._reading
        if reading is None or reading is before:
            return
        if (
            before is not None
            and at - self._reported_at > REPORTS_COUNT_S
            and engine.loaded is not None
            and before.kv_total == reading.kv_total
        ):
            self._report = None  # it is old: much may have gone that readings have counted
            self.total += evicted_at_least(before, reading, at - self._at, engine.loaded.block_size)
        self._reading, self._at = reading, at


def evicted_between(before: KvReport, after: KvReport) -> int:
    """Blocks that were cached and are so no more, and that no request has found there."""
    if before.total != after.total or after.step < before.step:  # another load
        return 0
    was, now = (int.from_bytes(report.cached, "little") for report in (before, after))
    gone = was & ~now
    if not gone:
        return 0
    for request in after.requests:
        blocks = memoryview(request.blocks).cast("I")
        for block in blocks[: request.cached_tokens // after.block_size]:
            gone &= ~(1 << block)
    return gone.bit_count()


def evicted_at_least(before: Telemetry, after: Telemetry, seconds: float, block_size: int) -> int:
    """The least that was evicted between two readings.

    The prompts' tokens that were found come from the rate of those that were not, and from the
    hit rate: found = read x rate / (1 - rate).
    """
    fewer = before.kv_cached - after.kv_cached
    if fewer <= 0:
        return 0
    taken = after.kv_used - before.kv_used
    if taken <= 0:
        return 0  # forgotten as a whole, as before a sleep: nobody took their place
    rate = min(after.prefix_hit_rate or 0.0, 0.99)
    found = after.prompt_tps * seconds * rate / (1 - rate) / block_size
    return max(0, min(fewer, taken) - round(found))
