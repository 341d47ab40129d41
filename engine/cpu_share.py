"""How many cores the engine may use now, so that a busy desktop keeps its share.

OpenMP threads meet at a barrier many times a layer: one thread that has lost its core to
another program holds up all of them, and the engine gets far less than its fair share.
Using one thread fewer than there are free cores is faster for both. Measured on 2 cores
with two busy processes: 2 threads 5 tokens/s, 1 thread 12.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

SAMPLE_SECONDS = 1.0
AGREEING_SAMPLES = 2  # a short burst of another program does not count


def wanted_threads(cores: int, others: float) -> int:
    """Threads for `cores` when other programs keep `others` cores busy."""
    return max(1, min(cores, round(cores - others)))


class CpuShare:
    """Samples the load of other programs; `threads` moves after two samples that agree."""

    def __init__(self, cores: int, proc: Path = Path("/proc")) -> None:
        self.cores = cores
        self.threads = cores
        self._proc = proc
        self._ticks = float(os.sysconf("SC_CLK_TCK"))
        self._last = self._read()
        self._last_time = time.monotonic()
        self._votes: list[int] = []

    def sample(self, now: float | None = None) -> bool:
        """Look again if it is time; whether `threads` changed."""
        now = time.monotonic() if now is None else now
        elapsed = now - self._last_time
        if elapsed < SAMPLE_SECONDS:
            return False
        busy, own = self._read()
        others = max(0.0, (busy - self._last[0]) - (own - self._last[1])) / self._ticks / elapsed
        self._last, self._last_time = (busy, own), now
        vote = wanted_threads(self.cores, others)
        self._votes = [*self._votes[-(AGREEING_SAMPLES - 1) :], vote]
        agreed = len(self._votes) == AGREEING_SAMPLES and len(set(self._votes)) == 1
        if agreed and vote != self.threads:
            self.threads = vote
            return True
        return False

    def _read(self) -> tuple[float, float]:
        """Clock ticks spent busy: by all programs on the cores we may use, and by us."""
        try:
            allowed = {f"cpu{cpu}" for cpu in os.sched_getaffinity(0)}
            busy = 0.0
            for line in (self._proc / "stat").read_text().splitlines():
                name, *values = line.split()
                if name in allowed:
                    user, nice, system, _idle, _wait, irq, soft = map(int, values[:7])
                    busy += user + nice + system + irq + soft
            after_name = (self._proc / "self/stat").read_text().rpartition(")")[2].split()
            return busy, float(int(after_name[11]) + int(after_name[12]))
        except (OSError, ValueError, IndexError):
            return 0.0, 0.0
