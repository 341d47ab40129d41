"""What is told of a KV pool, whoever's it is: vLLM's (`kv_map`) or the scripted engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.protocol import KvReport


@dataclass(frozen=True, slots=True)
class PoolReading:
    """Blocks of the KV pool. `used` are held by requests, `cached` are free but reusable."""

    total: int
    used: int
    cached: int


class KvPool(Protocol):
    """A pool that can be read between two steps."""

    def pool(self) -> PoolReading:
        """The pool now."""

    def counts(self) -> tuple[int, int]:
        """How many requests run, and how many wait."""

    def preemptions(self) -> Mapping[str, int]:
        """How often each live request was preempted, where it was."""

    def report(self, step: int, names: Mapping[str, tuple[str, int]]) -> KvReport:
        """Every block of the pool now.

        Args:
            step: the number of the step that was done last.
            names: of a request with the pool's own id: ours, and the tokens of its prompt that
                were found in the cache.
        """
