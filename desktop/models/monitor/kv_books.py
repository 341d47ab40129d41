"""Whose each KV block is: one engine's pool, read from report to report. Pure.

A chat keeps its colour's number for the session; a block that is only cached still belongs,
faintly, to the chat that held it last. A chat whose answers are over is remembered, so that it
can be said how much of it would still be found.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from desktop.models.monitor.frames import ChatRef
from desktop.models.monitor.kv_waste import KvWaste, waste_of
from engine.protocol import KvReport, KvRequest

FREE: Final = 0
CACHED: Final = 1
HELD: Final = 2
SHARED: Final = 3
NOBODY: Final = 0  # an owner's number: none is known
UNKNOWN: Final = ChatRef("", "")
MOST_REMEMBERED: Final = 200  # chats
_IS_FREE: Final = bytes(kind == FREE for kind in range(256))
_WAS_TAKEN: Final = bytes(kind != FREE for kind in range(256))


@dataclass(frozen=True, slots=True)
class Owner:
    """A chat, or the program itself, and its part of the pool.

    Attributes:
        number: its own for the session, from 1: the colour goes by it.
        blocks: that its requests hold, each once; none where it is only remembered.
        shared: how many of them are held by more than one request.
        tokens: in the cache; context: of prompt and answer together. Of its longest request.
        rereads: tokens of the context that its next reply must read, as things are: those that
            no full block has.
        position: in the queue, from 1; 0: something of it runs, or nothing is asked.
        requests: ids of what it has asked; none where it is only remembered.
    """

    ref: ChatRef
    number: int
    blocks: tuple[int, ...]
    shared: int
    tokens: int
    context: int
    rereads: int
    position: int = 0
    preemptions: int = 0
    requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KvPicture:
    """A pool at one moment.

    Attributes:
        kinds: for each block one of FREE, CACHED, HELD, SHARED.
        owners: for each block the number of its owner (the first seen, where it is shared; the
            last, where it is only cached), or NOBODY.
        holders: those that have asked, in the order of the requests.
        remembered: those whose answers are over, the latest first.
        used, shared, cached, free: blocks; used + cached + free are all of them.
        waste: see `KvWaste`.
    """

    step: int
    block_size: int
    kinds: bytes
    owners: array[int]
    holders: tuple[Owner, ...]
    remembered: tuple[Owner, ...]
    used: int
    shared: int
    cached: int
    free: int
    waste: KvWaste

    @property
    def total(self) -> int:
        """Blocks of the pool."""
        return len(self.kinds)

    def holders_of(self, block: int) -> tuple[Owner, ...]:
        """Who holds a block."""
        return tuple(owner for owner in self.holders if block in owner.blocks)


@dataclass(slots=True)
class _Part:
    """What the requests of one owner hold together."""

    number: int
    blocks: dict[int, None] = field(default_factory=dict)
    positions: list[int] = field(default_factory=list)
    preemptions: int = 0
    requests: list[str] = field(default_factory=list)
    longest: KvRequest | None = None


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where the text of a chat lay: its full blocks, and what was in them (by `KvBooks._what`)."""

    blocks: tuple[int, ...]
    what: tuple[int, ...]
    context: int


class KvBooks:
    """See the module. For one load of one engine; another load begins with new books.

    Args:
        context: the longest text in tokens that the model is loaded for.
        numbers: of owners that are known from other books: a chat has one colour everywhere.
    """

    def __init__(self, context: int, numbers: dict[str, int] | None = None) -> None:
        self._context = context
        self._numbers = {} if numbers is None else numbers
        self._refs: dict[int, ChatRef] = {}
        self._owners = array("H")
        self._kinds = b""  # of the report before
        # A block that is filled anew has something else in it from then on.
        self._what = array("L")
        self._filled: dict[str, int] = {}  # blocks of each request that were entered already
        self._memories: dict[int, _Memory] = {}

    def ref_of(self, number: int) -> ChatRef:
        """Who has a number."""
        return self._refs.get(number, UNKNOWN)

    def forget(self, key: str) -> None:
        """A chat was deleted: what is still cached of it is nobody's."""
        number = self._numbers.get(key)
        if number is None:
            return
        self._memories.pop(number, None)
        self._refs.pop(number, None)
        for block, owner in enumerate(self._owners):
            if owner == number:
                self._owners[block] = NOBODY

    def take(self, report: KvReport, owners: Mapping[str, ChatRef]) -> KvPicture:
        """Enter a report. 10,000 blocks take some 3 ms.

        Args:
            owners: who asked, by the request's id; who is not there is the program itself.
        """
        if len(self._owners) != report.total:
            self._owners = array("H", [NOBODY]) * report.total
            self._what = array("L", [0]) * report.total
            self._kinds = bytes(report.total)
            self._memories.clear()
        parts: dict[int, _Part] = {}
        kinds = bytearray(report.total)
        for request in report.requests:
            number = self._number(owners.get(request.request_id, UNKNOWN))
            part = parts.setdefault(number, _Part(number))
            self._enter(request, part, kinds, report.block_size)
        self._filled = {one.request_id: self._filled[one.request_id] for one in report.requests}
        cached = self._enter_cached(report, kinds)
        holders = tuple(self._holder(part, kinds, report.block_size) for part in parts.values())
        return KvPicture(
            step=report.step,
            block_size=report.block_size,
            kinds=bytes(kinds),
            owners=array("H", self._owners),
            holders=holders,
            remembered=self._remembered(parts, kinds, report.block_size),
            used=report.used,
            shared=report.shared,
            cached=cached,
            free=report.total - report.used - cached,
            waste=waste_of(report, self._context),
        )

    def _number(self, ref: ChatRef) -> int:
        number = self._numbers.setdefault(ref.key, len(self._numbers) + 1)
        self._refs[number] = ref  # titles change
        return number

    def _enter(self, request: KvRequest, part: _Part, kinds: bytearray, size: int) -> None:
        blocks = memoryview(request.blocks).cast("I").tolist()
        owners, number = self._owners, part.number
        for block in blocks:
            if kinds[block] == FREE:
                kinds[block] = HELD
                owners[block] = number
            else:
                kinds[block] = SHARED
        # What it found in the cache was there before; all else it has filled itself.
        # Requests without a name (a measurement's) cannot be told apart: all is taken for new.
        known = self._filled.get(request.request_id, 0) if request.request_id else 0
        before = max(known, request.cached_tokens // size)
        for block in blocks[before:]:
            self._what[block] += 1
        self._filled[request.request_id] = len(blocks)
        part.blocks.update(dict.fromkeys(blocks))
        part.positions.append(request.position)
        part.preemptions += request.preemptions
        part.requests.append(request.request_id)
        if part.longest is None or request.context_tokens >= part.longest.context_tokens:
            part.longest = request
            if not self._refs[number].key:
                return  # what is not a chat has no next reply
            full = blocks[: request.tokens // size]
            self._memories.pop(number, None)  # the latest stand last
            self._memories[number] = _Memory(
                tuple(full), tuple(map(self._what.__getitem__, full)), request.context_tokens
            )

    def _enter_cached(self, report: KvReport, kinds: bytearray) -> int:
        cached = 0
        for at, bits in enumerate(report.cached):
            while bits:
                block = 8 * at + (bits & -bits).bit_length() - 1
                bits &= bits - 1
                if block < len(kinds) and kinds[block] == FREE:
                    kinds[block] = CACHED
                    cached += 1
        # Found as the bits of two long numbers: most of what is free was free before.
        was, now = self._kinds.translate(_WAS_TAKEN), kinds.translate(_IS_FREE)
        freed = int.from_bytes(was, "little") & int.from_bytes(now, "little")
        places = freed.to_bytes(len(kinds), "little")
        at = places.find(1)
        while at >= 0:
            self._owners[at] = NOBODY
            at = places.find(1, at + 1)
        self._kinds = bytes(kinds)
        return cached

    def _holder(self, part: _Part, kinds: bytearray, size: int) -> Owner:
        assert part.longest is not None
        return Owner(
            ref=self._refs[part.number],
            number=part.number,
            blocks=tuple(part.blocks),
            shared=bytes(map(kinds.__getitem__, part.blocks)).count(SHARED),
            tokens=part.longest.tokens,
            context=part.longest.context_tokens,
            rereads=part.longest.context_tokens - part.longest.tokens // size * size,
            position=min(part.positions),
            preemptions=part.preemptions,
            requests=tuple(part.requests),
        )

    def _remembered(
        self, parts: Mapping[int, _Part], kinds: bytearray, size: int
    ) -> tuple[Owner, ...]:
        while len(self._memories) > MOST_REMEMBERED:
            del self._memories[next(iter(self._memories))]
        found = []
        for number, memory in reversed(self._memories.items()):
            if number in parts:
                continue
            there = 0  # a text is found from its beginning on, up to the first gap
            for block, what in zip(memory.blocks, memory.what, strict=True):
                if kinds[block] == FREE or self._what[block] != what:
                    break
                there += 1
            found.append(
                Owner(
                    ref=self._refs[number],
                    number=number,
                    blocks=(),
                    shared=0,
                    tokens=there * size,
                    context=memory.context,
                    rereads=memory.context - there * size,
                )
            )
        return tuple(found)
