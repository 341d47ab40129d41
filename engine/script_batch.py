"""The scripted engine's batch: which answers run, which wait, and when each has its next token.

It schedules as vLLM does where `preempts=1`: what finds no block in the pool sends the latest
answer of the lowest priority back to the queue, to be read again.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.kv_pool import PoolReading
from engine.protocol import KvReport
from engine.script import Orders, Script
from engine.script_pool import ScriptPool, block_keys
from engine.streams import Stream


@dataclass(slots=True)
class ScriptStream(Stream):
    """A stream with its orders.

    Attributes:
        order: breaks ties among streams that are due together.
        turn: counts its times in the batch: what was due in an earlier one is void.
    """

    orders: Orders = field(kw_only=True)
    order: int = 0
    blocks: list[int] = field(default_factory=list)
    turn: int = 0

    @property
    def length(self) -> int:
        """Tokens of prompt and answer."""
        return self.prompt_tokens + self.completion_tokens


class ScriptBatch:
    """See the module; a `KvPool`.

    Args:
        began: is told of a stream that has left the queue.

    Attributes:
        streams: all that have not ended, by the request's id.
    """

    def __init__(
        self, script: Script, block_size: int, began: Callable[[ScriptStream], None]
    ) -> None:
        self._script = script
        self._block_size = block_size
        self._began = began
        self.streams: dict[str, ScriptStream] = {}
        self._waiting: list[tuple[int, int, ScriptStream]] = []  # a heap by priority and order
        self._due: list[tuple[float, int, int, str]] = []
        self._order = itertools.count()
        self._pool = ScriptPool(script.kv_blocks, block_size)

    def add(self, stream: ScriptStream) -> None:
        """Run it, or let it wait for its turn."""
        stream.order = next(self._order)
        self.streams[stream.request.request_id] = stream
        if self._running() <= self._script.max_running:
            self._begin(stream)
        else:
            self._queue(stream)

    def drop(self, stream: ScriptStream) -> None:
        """It has ended: its blocks are free, and others may begin."""
        self.streams.pop(stream.request.request_id, None)
        self._pool.release(stream.blocks)
        waiting = [item for item in self._waiting if item[2] is not stream]
        if len(waiting) < len(self._waiting):
            heapq.heapify(waiting)
            self._waiting = waiting
            return
        for _ in range(len(self._waiting)):
            if self._running() >= self._script.max_running:
                return
            following = heapq.heappop(self._waiting)[2]
            self._begin(following)
            if not following.blocks:  # there was no room: it waits on
                return

    def push(self, stream: ScriptStream, due: float) -> None:
        """Its next token comes at `due`, of time.monotonic."""
        heapq.heappush(self._due, (due, stream.order, stream.turn, stream.request.request_id))

    @property
    def first_due(self) -> float | None:
        """When the next token is due; None: nothing runs."""
        return self._due[0][0] if self._due else None

    def next_due(self, now: float) -> tuple[float, ScriptStream] | None:
        """When it was due, and whose token is the next of those that are; it has a slot for it."""
        while self._due and self._due[0][0] <= now:
            due, _, turn, request_id = heapq.heappop(self._due)
            stream = self.streams.get(request_id)
            if stream is not None and stream.turn == turn and self._has_room(stream):
                return due, stream
        return None

    def forget(self) -> None:
        """Drop what is cached."""
        self._pool.forget()

    # --- what is read of it (`KvPool`) ---------------------------------------------------

    def pool(self) -> PoolReading:
        """The pool now."""
        return self._pool.reading()

    def counts(self) -> tuple[int, int]:
        """How many run, how many wait."""
        return self._running(), len(self._waiting)

    def preemptions(self) -> dict[str, int]:
        """How often each was preempted, where it was."""
        return {name: one.preemptions for name, one in self.streams.items() if one.preemptions}

    def report(self, step: int, names: Mapping[str, tuple[str, int]]) -> KvReport:  # noqa: ARG002
        """Every block now; the names are the streams' own."""
        queue = {id(item[2]): at for at, item in enumerate(sorted(self._waiting), 1)}
        requests = tuple(
            self._pool.request(stream, stream.blocks, queue.get(id(stream), 0))
            for stream in self.streams.values()
        )
        return self._pool.report(step, requests)

    # --- inside ------------------------------------------------------------------------

    def _running(self) -> int:
        return len(self.streams) - len(self._waiting)

    def _begin(self, stream: ScriptStream) -> None:
        script = self._script
        stream.running_since = now = time.monotonic()
        keys = block_keys(stream.request.messages, self._block_size)
        stream.blocks, cached = self._pool.begin(keys, stream.length)
        others = any(one.blocks for one in self.streams.values() if one is not stream)
        if script.preempts and others and len(stream.blocks) * self._block_size < stream.length:
            self._queue(stream)
            return
        if not stream.turn:
            stream.cached_tokens = cached
        stream.turn += 1
        self._began(stream)
        rate = script.prefill_tokens_per_second
        reading = (stream.length - cached) / rate if rate > 0 else 0.0
        self.push(stream, now + script.prefill_seconds + reading)

    def _has_room(self, stream: ScriptStream) -> bool:
        """Take a block for the next token where one is needed; False: it was preempted."""
        if stream.length < len(stream.blocks) * self._block_size:
            return True
        while not (taken := self._pool.take(1)) and self._script.preempts:
            running = [one for one in self.streams.values() if one.blocks]
            if len(running) == 1:
                break  # it alone is too long for the pool
            victim = max(running, key=lambda one: (one.request.priority, one.order))
            victim.preemptions += 1
            victim.turn += 1
            self._queue(victim)
            if victim is stream:
                return False
        stream.blocks += taken
        return True

    def _queue(self, stream: ScriptStream) -> None:
        """Wait; what it holds, others may have."""
        self._pool.release(stream.blocks)
        stream.blocks = []
        heapq.heappush(self._waiting, (stream.request.priority, stream.order, stream))
