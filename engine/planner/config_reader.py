"""Reads a config.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.planner.shape import Attention, ModelShape, TensorInfo


def read_config(
    config: Mapping[str, Any],
    headers: Mapping[str, TensorInfo] | None = None,  # noqa: ARG001
) -> ModelShape:
    """See `shape.read_shape`."""

    def number(name: str, default: int) -> int:
        value = config.get(name)
        return value if isinstance(value, int) and value > 0 else default

    layers, hidden = number("num_hidden_layers", 0), number("hidden_size", 0)
    heads = number("num_attention_heads", 1)
    kv_heads = number("num_key_value_heads", heads)
    head_dim = number("head_dim", hidden // heads)
    vocab, inner = number("vocab_size", 0), number("intermediate_size", 0)
    tied = config.get("tie_word_embeddings") is True
    linear = layers * hidden * (2 * heads * head_dim + 2 * kv_heads * head_dim + 3 * inner)
    embedding = vocab * hidden
    other = (2 * layers + 1) * hidden
    head = 0 if tied else embedding
    return ModelShape(
        architecture=str((config.get("architectures") or [""])[0]),
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        v_head_dim=head_dim,
        vocab=vocab,
        intermediate=inner,
        tied=tied,
        attention=(Attention(layers, kv_heads, head_dim, head_dim),),
        linear_params=linear,
        embedding_params=embedding,
        head_params=head,
        other_params=other,
        active_params=linear,
        linear_bytes=2 * linear,
        weights_bytes=2 * (linear + embedding + head + other),
        context=number("max_position_embeddings", 8192),
    )
