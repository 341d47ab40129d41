"""The scripted engine's KV pool: blocks with holders, shared prefixes, a cache that is evicted.

It does as vLLM's pool does: a full block of a prompt is known by all tokens up to its end; it is
shared while others hold it, found again while it is free, and given away last of all that is free.
"""

from __future__ import annotations

import hashlib
import struct
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from engine.kv_pool import PoolReading
from engine.protocol import ChatMessage, KvReport, KvRequest
from engine.streams import Stream

TEMPLATE_TOKENS = 4  # a message, beside its words


class ScriptPool:
    """See the module.

    Args:
        total: blocks. block_size: tokens of one.
    """

    def __init__(self, total: int, block_size: int) -> None:
        self.total = total
        self._size = block_size
        self._holders = [0] * total
        self._keys: list[bytes] = [b""] * total
        self._known: dict[bytes, int] = {}
        self._free: OrderedDict[int, None] = OrderedDict.fromkeys(range(total))

    @property
    def used(self) -> int:
        """Blocks that are held."""
        return self.total - len(self._free)

    @property
    def cached(self) -> int:
        """Free blocks that could be found again."""
        return sum(bool(self._keys[number]) for number in self._free)

    def begin(self, keys: Sequence[bytes], tokens: int) -> tuple[list[int], int]:
        """Blocks for a prompt of `tokens`, whose full blocks have `keys`.

        Returns:
            the blocks (fewer, where there are not enough), and how many of its tokens were found.
        """
        found: list[int] = []
        # The last token is always computed: the answer's first comes from it.
        for key in keys[: (tokens - 1) // self._size]:
            number = self._known.get(key)
            if number is None:
                break
            found.append(number)
        for number in found:
            self._hold(number)
        held = found + self.take(-(-tokens // self._size) - len(found))
        for number, key in zip(held[len(found) :], keys[len(found) :], strict=False):
            if key not in self._known:
                self._keys[number] = key
                self._known[key] = number
        return held, len(found) * self._size

    def take(self, count: int) -> list[int]:
        """So many blocks, or those that are left: the ones free for longest."""
        taken: list[int] = []
        while len(taken) < count and self._free:
            number = next(iter(self._free))
            self._hold(number)
            self._known.pop(self._keys[number], None)
            self._keys[number] = b""
            taken.append(number)
        return taken

    def release(self, blocks: Iterable[int]) -> None:
        """One holder less; what nobody holds is free, the end of a text to be taken first."""
        for number in reversed(list(blocks)):
            self._holders[number] -= 1
            if not self._holders[number]:
                self._free[number] = None
                if not self._keys[number]:
                    self._free.move_to_end(number, last=False)

    def forget(self) -> None:
        """Drop what is cached."""
        self._known.clear()
        self._keys = [b""] * self.total

    def reading(self) -> PoolReading:
        """See `PoolReading`."""
        return PoolReading(self.total, self.used, self.cached)

    def report(self, step: int, requests: tuple[KvRequest, ...]) -> KvReport:
        """See `KvReport`."""
        cached = bytearray((self.total + 7) // 8)
        for number in self._free:
            if self._keys[number]:
                cached[number >> 3] |= 1 << (number & 7)
        shared = sum(holders > 1 for holders in self._holders)
        return KvReport(step, self._size, self.total, self.used, shared, bytes(cached), requests)

    def request(self, stream: Stream, blocks: Sequence[int], position: int) -> KvRequest:
        """What a report says of a stream that holds `blocks`."""
        length = stream.prompt_tokens + stream.completion_tokens
        tokens = min(length, len(blocks) * self._size)
        return KvRequest(
            stream.request.request_id,
            struct.pack(f"<{len(blocks)}I", *blocks),
            tokens=tokens,
            context_tokens=length,
            cached_tokens=stream.cached_tokens,
            unused=len(blocks) * self._size - tokens,
            position=position,
            preemptions=stream.preemptions,
        )

    def _hold(self, number: int) -> None:
        self._holders[number] += 1
        self._free.pop(number, None)


def block_keys(messages: Iterable[ChatMessage], block_size: int) -> list[bytes]:
    """A key for each full block of a prompt: of all its tokens up to the block's end."""
    tokens: list[str] = []
    for message in messages:
        tokens += [f"<{message.role}>"] * TEMPLATE_TOKENS
        tokens += message.content.split()
    key = b""
    keys = []
    for at in range(0, len(tokens) - block_size + 1, block_size):
        part = "\0".join(tokens[at : at + block_size])
        key = hashlib.blake2b(key + part.encode(errors="replace"), digest_size=16).digest()
        keys.append(key)
    return keys
