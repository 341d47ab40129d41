"""The KV cache as vLLM 0.32 lays it out: pages, groups of layers, blocks, and what fits in them.

Mirrors `vllm/v1/core/kv_cache_utils.py`: layers of one kind share a block table; where there are
several kinds, they are put into groups of as many layers, and a chat takes blocks of each group
from one pool. One block of the pool is never given out, so that a chat of N tokens needs one
block more than its own.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from engine.planner.model_shape import Attention, ModelShape

Kind = tuple[int, int | None, bool]  # bytes of a page, window, whether it is a state
STATE_BLOCKS = 2  # of a chat, with prefix caching: the state now, and the one before


@dataclass(frozen=True, slots=True)
class Group:
    """Layers that share a block table.

    Attributes:
        block_size: tokens of a block.
        window: tokens that sliding layers look back at; None for all.
        fixed: blocks of a chat of any length, of layers with a state; 0 for a KV cache.
    """

    layers: int
    block_size: int
    window: int | None = None
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class KvLayout:
    """How a model's KV cache is cut, on one device.

    Attributes:
        block_bytes: of one block of the pool, which serves any of the groups.
        in_flight: tokens that sliding windows keep beyond their width: those being computed.
        token_bytes: of one token that all layers keep.
    """

    groups: tuple[Group, ...]
    block_bytes: int
    block_size: int
    in_flight: int
    token_bytes: int

    def blocks(self, available: int) -> int:
        """Blocks in `available` bytes; as many as vLLM makes, the one that it keeps included."""
        return max(0, available) // self.block_bytes if self.block_bytes else 0

    def blocks_of_chat(self, tokens: int) -> int:
        """Blocks that one chat of `tokens` takes, as vLLM reckons."""
        return sum(self._blocks_of_group(group, tokens) for group in self.groups)

    def _blocks_of_group(self, group: Group, tokens: int) -> int:
        if group.fixed:
            return group.fixed
        if group.window is None:
            return -(-tokens // group.block_size)
        kept = min(group.window - 1 + self.in_flight, tokens)
        return -(-kept // group.block_size) + 1

    def bytes_for(self, tokens: int, chats: int = 1) -> int:
        """The least KV cache that vLLM takes for `chats` of `tokens` at once, in bytes."""
        return (chats * self.blocks_of_chat(tokens) + 1) * self.block_bytes

    def capacity(self, blocks: int, context: int) -> int:
        """Tokens in `blocks`, as vLLM reports them ("KV cache size").

        That is how often a chat of `context` would fit, times `context`; for plain models
        blocks times block size.
        """
        each = self.blocks_of_chat(context)
        return int(blocks / each * context) if each else 0

    def largest_context(self, blocks: int, most: int) -> int:
        """The longest chat that fits in `blocks`, at most `most` tokens; 0 for none.

        Like vLLM's automatic max_model_len: the largest by bisection.
        """
        usable = blocks - 1
        if most < 1 or usable < self.blocks_of_chat(1):
            return 0
        low, high = 1, most
        while low < high:
            middle = (low + high + 1) // 2
            if self.blocks_of_chat(middle) <= usable:
                low = middle
            else:
                high = middle - 1
        return low

    def chats(self, blocks: int, context: int) -> int:
        """How many chats of `context` tokens fit at once."""
        each = self.blocks_of_chat(context)
        return max(0, blocks - 1) // each if each else 0


def lay_out(
    shape: ModelShape,
    *,
    value_bytes: int,
    tp: int = 1,
    block_size: int = 16,
    in_flight: int = 2048,
    state_value_bytes: int | None = None,
) -> KvLayout:
    """Cut the KV cache of `shape` for one of `tp` devices.

    Args:
        value_bytes: of a cached value: 1 in fp8, 2 in 16 bits, 4 in float32.
        block_size: tokens of a block.
        in_flight: `max_num_batched_tokens`, times two where steps overlap (CUDA).
        state_value_bytes: of what is kept in the type that the model computes in, where the KV
            cache has another one.
    """
    state = shape.state.bytes(state_value_bytes or value_bytes, tp) if shape.state_layers else 0
    block_size = _block_size(shape, value_bytes, tp, block_size, state)
    kinds = Counter[Kind]()
    token_bytes = 0
    for attention in shape.attention:
        page = block_size * bytes_per_token(attention, value_bytes, tp)
        kinds[page, attention.window, False] += attention.layers
        token_bytes += attention.layers * page // block_size
    if state:
        # Padded to the page of the other layers, so that a block serves either.
        kinds[max((page for page, _, _ in kinds), default=state), None, True] = shape.state_layers
    groups, block_bytes = _group(kinds, block_size)
    return KvLayout(groups, block_bytes, block_size, in_flight, token_bytes)


def _block_size(shape: ModelShape, value_bytes: int, tp: int, wished: int, state: int) -> int:
    """Tokens of a block: as many as make a page of KV as large as a state, where there are any."""
    each = max((bytes_per_token(kind, value_bytes, tp) for kind in shape.attention), default=0)
    if not state or not each:
        return wished
    step = max(wished, 128) if shape.mla else wished
    return max(wished, step * -(-state // (step * each)))


def bytes_per_token(attention: Attention, value_bytes: int, tp: int = 1) -> int:
    """KV bytes of one token in one layer on one of `tp` devices.

    max(1, KV heads / TP) x (d_k + d_v) x bytes; MLA's vector is the same on all devices.
    """
    if attention.mla:
        return attention.key_dim * value_bytes
    heads = max(1, attention.kv_heads // tp)
    return heads * (attention.key_dim + attention.value_dim) * value_bytes


def _group(kinds: Counter[Kind], block_size: int) -> tuple[tuple[Group, ...], int]:
    """Groups of layers, and the bytes of a block; `kinds` counts layers by what they keep."""
    different = {(window, is_state) for _, window, is_state in kinds}
    if len(different) <= 1:  # one table for all, even where pages differ
        layers = sum(kinds.values())
        block_bytes = sum(page * count for (page, _, _), count in kinds.items())
        groups = (_made(layers, block_size, window, is_state) for window, is_state in different)
        return tuple(groups), block_bytes
    return _group_mixed(kinds, block_size)


def _group_mixed(kinds: Counter[Kind], block_size: int) -> tuple[tuple[Group, ...], int]:
    """Several kinds of layers in one model: `_get_kv_cache_groups_uniform_page_size`.

    Pages are made alike first: smaller ones hold more tokens where that comes out even, and are
    padded where it does not. Groups have as many layers as the rarest kind has, or as the
    commonest where that is less than half as many again.
    """
    largest = max(page for page, _, _ in kinds)
    like = Counter[tuple[int, int | None, bool]]()
    for (page, window, is_state), count in kinds.items():
        tokens = block_size * (largest // page) if largest % page == 0 else block_size
        like[tokens, window, is_state] += count
    fewest, most = min(like.values()), max(like.values())
    size = most if most < fewest * 1.5 else fewest
    groups: list[Group] = []
    widest = 0
    for (tokens, window, is_state), count in like.items():
        number = math.ceil(count / size)
        widest = max(widest, math.ceil(count / number))
        groups += [_made(math.ceil(count / number), tokens, window, is_state)] * number
    return tuple(groups), widest * largest


def _made(layers: int, tokens: int, window: int | None, is_state: bool) -> Group:
    return Group(layers, tokens, window, STATE_BLOCKS if is_state else 0)
