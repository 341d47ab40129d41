"""Reads the shape that a config.json tells, and makes it exact by the headers of the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.planner.config_attention import read_attention, read_heads
from engine.planner.config_params import count_params, inner_size, is_tied
from engine.planner.config_states import State, read_state
from engine.planner.config_values import MOST_LAYERS, Values
from engine.planner.header_reader import measure
from engine.planner.model_shape import ModelShape, TensorInfo
from engine.planner.quantisation import Quantisation, read_dtype, read_quantisation

_CONTEXTS = (
    *("max_position_embeddings", "n_positions", "max_seq_len", "seq_length"),
    *("max_target_positions", "max_sequence_length", "max_seq_length", "seq_len"),
)
_DEFAULT_CONTEXTS = {
    "llama": 2048,
    "mistral": 131_072,
    "mixtral": 131_072,
    "ministral": 131_072,
    "qwen2": 32_768,
    "qwen2_moe": 32_768,
    "qwen3": 32_768,
    "qwen3_moe": 32_768,
    "gemma": 8192,
    "gemma2": 8192,
    "gemma3": 131_072,
    "gemma3_text": 131_072,
    "gemma3n_text": 32_768,
    "phi3": 4096,
    "cohere": 8192,
    "cohere2": 8192,
    "gpt_oss": 131_072,
    "deepseek_v3": 4096,
}
_UNKNOWN_CONTEXT = 2048  # as vLLM assumes
# With these, max_position_embeddings is what the model was stretched to already.
_STRETCHED = frozenset(
    ["su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling", "default", ""]
)


def read_shape(
    config: Mapping[str, Any], headers: Mapping[str, TensorInfo] | None = None
) -> ModelShape:
    """The shape told by a config.json, made exact by the safetensors headers where given.

    Never raises: what makes no sense counts as not said, and a shape of nothing has 0 layers.
    """
    values = Values(config)
    layers = min(
        MOST_LAYERS,
        values.number("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    )
    heads = read_heads(values)
    params = count_params(values, layers, heads)
    stored = read_quantisation(values)
    attention = read_attention(values, layers, heads)
    hidden = values.number("hidden_size", "n_embd", "d_model", "dim")
    states = _state_layers(values, layers, attention_layers(attention))
    sliding = [kind for kind in attention if kind.window is not None]
    shape = ModelShape(
        architecture=_architecture(values),
        model_type=values.text("model_type"),
        layers=layers,
        hidden=hidden,
        heads=heads.heads,
        kv_heads=heads.kv_heads,
        head_dim=heads.key_dim,
        v_head_dim=heads.value_dim,
        vocab=values.number("vocab_size", inner_only=True) or values.number("vocab_size"),
        intermediate=inner_size(values, hidden),
        experts=params.experts,
        experts_per_token=params.experts_per_token,
        expert_intermediate=params.expert_intermediate,
        tied=is_tied(values),
        window=sliding[0].window if sliding else None,
        window_layers=sum(kind.layers for kind in sliding),
        state_layers=states,
        state=read_state(values) if states else State(),
        mla=heads.mla,
        attention=attention,
        format=stored.format,
        scales=stored.scales,
        dtype=read_dtype(values),
        kv_dtype=stored.kv_dtype,
        bits=stored.bits,
        group_size=stored.group_size,
        linear_params=params.linear,
        embedding_params=params.embedding,
        head_params=params.head,
        other_params=params.other,
        active_params=params.active,
        linear_bytes=stored.linear_bytes(params.linear),
        context=_context(values),
    )
    if headers:
        shape = _with_headers(shape, headers, stored)
    return replace(shape, weights_bytes=shape.weights_bytes or _stored_bytes(shape))


def attention_layers(attention: tuple[Any, ...]) -> int:
    """Layers that keep a KV cache."""
    return sum(kind.layers for kind in attention)


def _state_layers(values: Values, layers: int, with_cache: int) -> int:
    shared = values.number("num_kv_shared_layers", inner_only=True)
    return max(0, layers - with_cache - shared)


def _architecture(values: Values) -> str:
    names = values.outer.get("architectures")
    first = names[0] if isinstance(names, (list, tuple)) and names else ""
    return first[:100] if isinstance(first, str) else ""


def _stored_bytes(shape: ModelShape) -> int:
    """Of all weights as a build of this format stores them."""
    value = 4 if shape.format == "fp32" else 2
    rest = shape.embedding_params + shape.head_params + shape.other_params
    return shape.linear_bytes + value * rest


def _with_headers(
    shape: ModelShape, headers: Mapping[str, TensorInfo], stored: Quantisation
) -> ModelShape:
    found = measure(headers, shape.layers, stored.bits if shape.is_quantised else 0, shape.tied)
    if not found.linear_bytes:
        return shape
    # A mixture's share of weights that one token meets is the config's to tell.
    active, all_of_them = shape.active_params or 1, shape.linear_params or 1
    return replace(
        shape,
        tied=not found.head_params,
        linear_params=found.linear_params,
        active_params=found.linear_params * min(active, all_of_them) // all_of_them,
        linear_bytes=found.linear_bytes,
        embedding_params=found.embedding_params,
        head_params=found.head_params,
        other_params=found.other_params,
        weights_bytes=found.bytes,
        is_exact=True,
    )


def _context(values: Values) -> int:
    """As vLLM derives max_model_len (its `_get_and_verify_max_len`)."""
    found = [values.number(name, inner_only=True) for name in _CONTEXTS]
    context = min((number for number in found if number), default=0)
    context = values.number("model_max_length", inner_only=True) or context
    model_type = values.text("model_type")
    context = context or _DEFAULT_CONTEXTS.get(model_type, _UNKNOWN_CONTEXT)
    scaling = values.mapping("rope_scaling", "rope_parameters")
    kind = scaling.get("rope_type") or scaling.get("type")
    if kind == "longrope":
        # vLLM serves the original length unless it is told otherwise.
        return values.number("original_max_position_embeddings", default=context)
    factor = scaling.get("factor")
    if (
        isinstance(kind, str)
        and kind not in _STRETCHED
        and "gemma3" not in model_type
        and isinstance(factor, (int, float))
        and 1 <= factor <= 1000
    ):
        return int(context * factor)
    return context
