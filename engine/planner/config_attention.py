"""Which layers keep a KV cache, and how much of it: full, sliding, compressed, shared.

As vLLM 0.32 and the configurations of transformers 5 have it, defaults included: a key that a
config.json leaves out has the value that its model class gives it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.planner.config_values import MOST_LAYERS, Values, whole
from engine.planner.model_shape import Attention

_MLA_TYPES = frozenset(
    [
        "axk1",
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_mtp",
        "glm_moe_dsa",
        "glm4_moe_lite",
        "kimi_k2",
        "kimi_linear",
        "longcat_flash",
        "pangu_ultra_moe",
        "dots3_note",
        "bailing_hybrid",
    ]
)
_FULL, _SLIDING, _STATE = "full", "sliding", "state"
# Every so many layers a full one among sliding ones, where no list says so.
_PATTERNS = {
    "gemma2": 2,
    "gemma3": 6,
    "gemma3_text": 6,
    "gemma3n": 5,
    "gemma3n_text": 5,
    "gemma4": 6,
    "gemma4_text": 6,
    "cohere2": 4,
    "olmo3": 4,
    "gpt_oss": 2,
    "exaone4": 4,
}
# The window of those whose config.json leaves it out.
_WINDOWS = {
    "mistral": 4096,
    "ministral": 4096,
    "gemma2": 4096,
    "gemma3": 4096,
    "gemma3_text": 4096,
    "gemma3n_text": 512,
    "gemma4_text": 512,
    "cohere2": 4096,
    "olmo3": 4096,
    "gpt_oss": 128,
}
# They have the key, and use it only where this one says so.
_SWITCHED = "use_sliding_window"


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of most layers."""

    heads: int
    kv_heads: int
    key_dim: int
    value_dim: int
    mla: bool = False


def read_heads(values: Values) -> Heads:
    """The attention heads, MLA's one compressed vector included."""
    hidden = values.number("hidden_size", "n_embd", "d_model", "dim")
    heads = values.number("num_attention_heads", "n_head", "n_heads", default=1)
    if values.get("multi_query") is True and not values.flag("new_decoder_architecture"):
        kv_heads = 1
    else:
        attention = values.mapping("attn_config")
        kv_heads = (
            values.number(
                *("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"),
                "num_attention_groups",
            )
            or whole(attention.get("kv_n_heads"))
            or _most(values.sequence("num_key_value_heads"))
            or heads
        )
    if _is_mla(values):
        width = values.number("kv_lora_rank") + values.number("qk_rope_head_dim")
        return Heads(heads, 1, width, 0, mla=True)
    dim = values.number("head_dim", "hidden_size_per_head", "attention_head_dim")
    dim = dim or max(1, hidden // heads)
    return Heads(heads, kv_heads, dim, values.number("v_head_dim", default=dim))


def _is_mla(values: Values) -> bool:
    types = {values.text("model_type"), str(values.outer.get("model_type"))}
    return bool(types & _MLA_TYPES) and values.number("kv_lora_rank") > 0


def _most(numbers: object) -> int:
    return max(map(whole, numbers), default=0) if isinstance(numbers, (list, tuple)) else 0


def read_attention(values: Values, layers: int, heads: Heads) -> tuple[Attention, ...]:
    """What each group of like layers keeps; layers without a KV cache are left out."""
    kinds = _kinds(values, min(layers, MOST_LAYERS))
    window = _window(values)
    if heads.mla:
        window = None
    counts: Counter[tuple[int, int, int, int | None]] = Counter()
    per_layer = values.sequence("num_key_value_heads")
    is_mixed = _SLIDING in kinds
    for index, kind in enumerate(kinds):
        if kind == _STATE:
            continue
        is_sliding = kind == _SLIDING and window is not None
        kv_heads = whole(per_layer[index]) if index < len(per_layer) else 0
        kv_heads, key_dim, value_dim = kv_heads or heads.kv_heads, heads.key_dim, heads.value_dim
        if not is_sliding and is_mixed:
            # Gemma 4: its full layers have wider heads, and fewer.
            key_dim = value_dim = values.number("global_head_dim", default=key_dim)
            if not heads.mla and heads.value_dim != heads.key_dim:
                value_dim = heads.value_dim
            kv_heads = values.number("num_global_key_value_heads", default=kv_heads)
        if heads.mla:
            value_dim = 0
        counts[kv_heads, key_dim, value_dim, window if is_sliding else None] += 1
    return tuple(
        Attention(count, kv_heads, key_dim, value_dim, seen, heads.mla)
        for (kv_heads, key_dim, value_dim, seen), count in counts.items()
    )


def _window(values: Values) -> int | None:
    if values.get(_SWITCHED) is False:
        return None
    model_type = values.text("model_type")
    if model_type.startswith("qwen") and values.get(_SWITCHED) is not True:
        return None
    if "sliding_window" in values.inner:
        return values.number("sliding_window", inner_only=True) or None
    return _WINDOWS.get(model_type)


def _kinds(values: Values, layers: int) -> list[str]:
    """What each layer is, in order; those that share another's cache are left out."""
    named = [str(name) for name in values.sequence("layer_types")]
    if values.number("attention_chunk_size"):
        kinds = [_FULL] * layers  # vLLM keeps all of it, as of full attention
    elif len(named) >= layers > 0:
        kinds = [_kind(name) for name in named[:layers]]
    else:
        kinds = _kinds_by_pattern(values, layers)
    shared = values.number("num_kv_shared_layers", inner_only=True)
    return kinds[: max(0, layers - shared)] if shared < layers else kinds


def _kind(name: str) -> str:
    if name == "sliding_attention":
        return _SLIDING
    if name in {"full_attention", "attention", "chunked_attention", "global_attention"}:
        return _FULL
    return _STATE if name in {"linear_attention", "mamba", "mamba2", "conv", "recurrent"} else _FULL


def _kinds_by_pattern(values: Values, layers: int) -> list[str]:
    if _window(values) is None:
        return _kinds_with_states(values, layers)
    model_type = values.text("model_type")
    if model_type.startswith("qwen"):
        first = values.number("max_window_layers", default=layers)
        return [_FULL if index < first else _SLIDING for index in range(layers)]
    letters = values.get("sliding_window_pattern")
    if isinstance(letters, str) and letters:  # EXAONE's "LLLG": local, local, local, global
        return [
            _SLIDING if letters[index % len(letters)] == "L" else _FULL for index in range(layers)
        ]
    every = values.number("sliding_window_pattern", "_sliding_window_pattern")
    every = every or _PATTERNS.get(model_type, 0)
    if not every:
        return [_SLIDING] * layers
    return [_SLIDING if (index + 1) % every else _FULL for index in range(layers)]


def _kinds_with_states(values: Values, layers: int) -> list[str]:
    """Qwen3-Next and the like: a full layer every so many, a state of fixed size in the rest."""
    every = values.number("full_attention_interval", "attn_layer_period")
    if not every:
        return [_FULL] * layers
    first = values.number("attn_layer_offset", default=every - 1)
    return [_FULL if index % every == first % every else _STATE for index in range(layers)]
