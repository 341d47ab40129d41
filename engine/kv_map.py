"""Reads vLLM's scheduler and block pool: private parts, behind one small module.

Everything here is held by a contract test against the real vLLM; an upgrade that moves
these parts fails there. Call only from the thread that steps the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PoolReading:
    """Blocks of the KV pool. `used` are held by requests, `cached` are free but reusable."""

    total: int
    used: int
    cached: int


class KvMap:
    """A reader for one in-process `LLMEngine`."""

    def __init__(self, engine: Any) -> None:
        self._scheduler = engine.engine_core.engine_core.scheduler
        self._manager = self._scheduler.kv_cache_manager
        self._pool = self._manager.block_pool

    def pool(self) -> PoolReading:
        """The pool now. vLLM keeps one block of it for itself (the null block)."""
        total = self._pool.num_gpu_blocks - 1
        used = total - self._pool.get_num_free_blocks()
        hashed = len(self._pool.cached_block_hash_to_block)
        return PoolReading(total, used, max(0, min(hashed, total) - used))

    def running(self) -> set[str]:
        """VLLM's ids of the requests in the batch."""
        return {request.request_id for request in self._scheduler.running}

    def counts(self) -> tuple[int, int]:
        """How many requests run, and how many wait."""
        return len(self._scheduler.running), len(self._scheduler.waiting)

    def blocks_of(self, request_id: str) -> int:
        """KV blocks a live request holds; `request_id` is vLLM's."""
        return sum(len(ids) for ids in self._manager.get_block_ids(request_id))
