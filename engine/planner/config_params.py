"""How many parameters a config.json's model has, by where they lie.

Exact for the plain decoders (Llama, Mistral, Qwen, Gemma, Phi-3, Mixtral, DeepSeek and theirs);
near enough for the rest, and replaced by the safetensors headers wherever those are known.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.planner.config_attention import Heads
from engine.planner.config_values import Values

# Two matrices in the feed-forward part instead of three (no gate).
_UNGATED = frozenset(
    [
        "gpt2",
        "gpt_neox",
        "gpt_neo",
        "gptj",
        "gpt_bigcode",
        "opt",
        "phi",
        "falcon",
        "bloom",
        "mpt",
        "codegen",
        "starcoder2",
        "nemotron",
        "nemotron_h",
        "arcee",
        "apertus",
        "persimmon",
    ]
)
_FOUR_NORMS = frozenset(
    ["gemma2", "gemma3", "gemma3_text", "gemma3n_text", "gemma4", "gemma4_text", "glm4"]
)
_QK_NORMS = frozenset(
    [
        "qwen3",
        "qwen3_moe",
        "qwen3_next",
        "gemma3",
        "gemma3_text",
        "gemma4",
        "gemma4_text",
        "exaone4",
    ]
)
_QKV_BIAS = frozenset(["qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "qwen2_vl_text", "qwen"])
_QKV_BIAS_ONLY = frozenset(["glm", "glm4", "glm4_moe", "seed_oss"])
_ONE_NORM = frozenset(["cohere", "cohere2", "phi"])
_TIED_BY_DEFAULT = frozenset(
    [
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "gemma3n",
        "gemma3n_text",
        "gemma4",
        "gemma4_text",
        "cohere",
        "cohere2",
        "starcoder2",
        "smollm3",
        "ernie4_5",
        "lfm2",
        "bloom",
        "mpt",
        "gpt2",
        "gpt_bigcode",
        "opt",
        "falcon",
    ]
)


@dataclass(frozen=True, slots=True)
class Params:
    """Counts of parameters; see `ModelShape`."""

    linear: int
    active: int
    embedding: int
    head: int
    other: int
    experts: int = 0
    experts_per_token: int = 0
    expert_intermediate: int = 0


def is_tied(values: Values) -> bool:
    """Whether the head is the embedding."""
    value = values.outer.get("tie_word_embeddings")
    if not isinstance(value, bool):
        value = values.inner.get("tie_word_embeddings")
    if isinstance(value, bool):
        return value
    return values.text("model_type") in _TIED_BY_DEFAULT


def count_params(values: Values, layers: int, heads: Heads) -> Params:
    """Count them; see the module."""
    model_type = values.text("model_type")
    hidden = values.number("hidden_size", "n_embd", "d_model", "dim")
    vocab = values.number("vocab_size", inner_only=True) or values.number("vocab_size")
    matrices = 2 if model_type in _UNGATED else 3
    inner = inner_size(values, hidden)
    attention, attention_other = _attention(values, hidden, heads)
    experts = values.number(
        "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"
    )
    used = values.number(
        "num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_topk", "moe_top_k"
    )
    used = min(used or 2, experts)
    expert_inner = values.number("moe_intermediate_size", "expert_ffn_hidden_size", default=inner)
    sparse = _sparse_layers(values, layers) if experts else 0
    expert = matrices * hidden * expert_inner
    shared = matrices * hidden * _shared_inner(values, expert_inner) if experts else 0
    dense = (layers - sparse) * matrices * hidden * inner
    linear = layers * attention + dense + sparse * (experts * expert + shared)
    active = layers * attention + dense + sparse * (used * expert + shared)
    norms = 4 if model_type in _FOUR_NORMS else 1 if model_type in _ONE_NORM else 2
    routers = experts + (1 if values.number("shared_expert_intermediate_size") else 0)
    other = layers * (norms * hidden + attention_other) + hidden + sparse * routers * hidden
    embedding = vocab * hidden
    return Params(
        linear=linear,
        active=active,
        embedding=embedding,
        head=0 if is_tied(values) else embedding,
        other=other,
        experts=experts,
        experts_per_token=used if experts else 0,
        expert_intermediate=expert_inner if experts else 0,
    )


def inner_size(values: Values, hidden: int) -> int:
    """The width of the feed-forward part."""
    listed = values.sequence("intermediate_size")
    if listed:  # Gemma 3n: one for each layer, all alike
        return max((size for size in listed if isinstance(size, int)), default=4 * hidden)
    return values.number(
        "intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", default=4 * hidden
    )


def _attention(values: Values, hidden: int, heads: Heads) -> tuple[int, int]:
    """Of one layer: parameters of the matrices, and of norms and biases."""
    if heads.mla:
        return _latent_attention(values, hidden, heads.heads)
    queries = heads.heads * heads.key_dim
    keys, vals = heads.kv_heads * heads.key_dim, heads.kv_heads * heads.value_dim
    matrices = hidden * (queries + keys + vals) + heads.heads * heads.value_dim * hidden
    model_type = values.text("model_type")
    other = 0
    if model_type in _QK_NORMS or values.get("use_qk_norm") is True:
        other += 2 * heads.key_dim
    if model_type in _QKV_BIAS:
        other += queries + keys + vals
    elif values.get("attention_bias") is True:
        # GLM and Seed leave their output without one.
        output = 0 if model_type in _QKV_BIAS_ONLY else hidden
        other += queries + keys + vals + output
    return matrices, other


def _latent_attention(values: Values, hidden: int, heads: int) -> tuple[int, int]:
    """MLA: down to a small vector and up again, for queries (often) and for keys and values."""
    rank, rope = values.number("kv_lora_rank"), values.number("qk_rope_head_dim")
    nope = values.number("qk_nope_head_dim", default=128)
    value_dim = values.number("v_head_dim", default=128)
    query_rank = values.number("q_lora_rank")
    query_width = heads * (nope + rope)
    queries = query_rank * (hidden + query_width) if query_rank else hidden * query_width
    down = hidden * (rank + rope)
    up = rank * heads * (nope + value_dim)
    return queries + down + up + heads * value_dim * hidden, query_rank + rank


def _shared_inner(values: Values, expert_inner: int) -> int:
    width = values.number("shared_expert_intermediate_size", "shared_intermediate_size")
    return width or values.number("n_shared_experts", "num_shared_experts") * expert_inner


def _sparse_layers(values: Values, layers: int) -> int:
    """How many layers have experts."""
    dense = min(layers, values.number("first_k_dense_replace"))
    named = {index for index in values.sequence("mlp_only_layers") if isinstance(index, int)}
    step = values.number("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq")
    step = max(1, step)
    if step > 1 or named:
        every = range(dense, layers) if layers < 10_000 else range(0)
        return sum((index + 1) % step == 0 and index not in named for index in every)
    return layers - dense
