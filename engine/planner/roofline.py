"""How fast one stream can be at most: each token reads all weights once from memory."""

from __future__ import annotations

from engine.planner.kv_cache import KvLayout
from engine.planner.model_shape import ModelShape
from engine.planner.weights import read_per_token


def decode_bound(
    shape: ModelShape,
    bandwidth: float,
    value_bytes: int = 2,
    tp: int = 1,
    layout: KvLayout | None = None,
    context: int = 0,
) -> float:
    """Tokens/s <= bandwidth / (active linear weights + head + norms + KV of the context).

    Args:
        bandwidth: of each device's memory, in bytes/s.
        layout, context: with both, of a chat that is so long already.
    """
    read = read_per_token(shape, value_bytes, tp)
    if layout is not None and context:
        read += layout.blocks_of_chat(context) * layout.block_bytes
    return bandwidth / max(1, read)
