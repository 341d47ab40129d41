"""Reads vLLM's scheduler and block pool: private parts, behind one small module.

Everything here is held by a contract test against the real vLLM; an upgrade that moves
these parts fails there. Call only from the thread that steps the engine.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from engine.kv_pool import PoolReading
from engine.protocol import KvReport, KvRequest


class KvMap:
    """A reader for one in-process `LLMEngine`.

    VLLM's block 0 stands for "no block" and is no part of the pool; ours are numbered from 0.
    """

    def __init__(self, engine: Any) -> None:
        from vllm.v1.kv_cache_interface import MambaSpec

        core = engine.engine_core.engine_core
        self._scheduler = core.scheduler
        self._manager = self._scheduler.kv_cache_manager
        self._pool = self._manager.block_pool
        self._block_size = engine.vllm_config.cache_config.block_size
        # Of each kind of layers: tokens of its blocks; 0 for states, which no token fills.
        self._sizes = tuple(
            0 if isinstance(one.kv_cache_spec, MambaSpec) else one.block_size
            for one in self._manager.coordinator.single_type_managers
        )

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

    def preemptions(self) -> dict[str, int]:
        """How often each live request was preempted, where it was; by vLLM's ids."""
        return {
            name: request.num_preemptions
            for name, request in self._scheduler.requests.items()
            if request.num_preemptions
        }

    def report(self, step: int, names: Mapping[str, tuple[str, int]]) -> KvReport:
        """Every block of the pool now. 10,000 blocks take 2 ms.

        Args:
            step: the number of the step that was done last.
            names: of a request with vLLM's id: ours, and the tokens of its prompt that were
                found in the cache. What is not there (a measurement) is told without a name.
        """
        blocks = self._pool.blocks
        total = len(blocks) - 1
        cached = bytearray((total + 7) // 8)
        used = shared = 0
        for block in blocks:
            holders = block.ref_cnt
            if block.is_null:
                continue
            if holders:
                used += 1
                shared += holders > 1
            elif block.block_hash is not None:
                number = block.block_id - 1
                cached[number >> 3] |= 1 << (number & 7)
        queue = {request.request_id: at for at, request in enumerate(self._scheduler.waiting, 1)}
        requests = []
        for internal, request in self._scheduler.requests.items():
            name, from_cache = names.get(internal, ("", 0))
            held, unused = self._held(internal, request.num_computed_tokens)
            requests.append(
                KvRequest(
                    name,
                    struct.pack(f"<{len(held)}I", *held),
                    tokens=request.num_computed_tokens,
                    context_tokens=request.num_tokens,
                    cached_tokens=from_cache,
                    unused=unused,
                    position=queue.get(internal, 0),
                    preemptions=request.num_preemptions,
                )
            )
        return KvReport(step, self._block_size, total, used, shared, bytes(cached), tuple(requests))

    def _held(self, internal: str, tokens: int) -> tuple[list[int], int]:
        """The numbers of a request's blocks, and the slots of them without a token."""
        held: list[int] = []
        unused = 0
        kinds = self._manager.get_block_ids(internal)
        for ids, size in zip(kinds, self._sizes, strict=True):
            held += [number - 1 for number in ids if number]
            if ids and size:  # blocks that a window has left behind stand in the list as 0
                unused += len(ids) * size - tokens
        return held, unused
