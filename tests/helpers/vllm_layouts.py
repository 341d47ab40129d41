"""Lays out KV caches by vLLM's own code, for shapes on stdin; a process of its own imports torch.

Reads a JSON list of cases, writes one of answers. A case has layers as (KV heads, key size, value
size, window or null, is MLA), how many layers have a state and of how many bytes, and what
`engine.planner.kv_cache.lay_out` is told.
"""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Bytes of a block, and for each context: blocks of a chat, capacity, the largest that fits."""
    import torch
    from vllm.v1.core import kv_cache_utils as utils
    from vllm.v1.kv_cache_interface import (
        FullAttentionSpec,
        MambaSpec,
        MLAAttentionSpec,
        SlidingWindowSpec,
    )
    from vllm.v1.kv_cache_layout import KVCacheLayout

    config: Any = SimpleNamespace(
        scheduler_config=SimpleNamespace(disable_hybrid_kv_cache_manager=False),
        attention_config=SimpleNamespace(hisparse_config=None),
        cache_config=SimpleNamespace(
            num_gpu_blocks_override=None,
            prefix_cache_retention_interval=None,
            mamba_cache_mode="align",
            get_resolved_kv_cache_layout=lambda: KVCacheLayout.LBNHC,
        ),
        parallel_config=SimpleNamespace(decode_context_parallel_size=1, tensor_parallel_size=1),
        model_config=SimpleNamespace(max_model_len=case["most"], original_max_model_len=-1),
        speculative_config=None,
        max_in_flight_tokens=case["in_flight"],
    )
    dtype = {1: torch.uint8, 2: torch.bfloat16, 4: torch.float32}[case["value_bytes"]]
    specs: dict[str, Any] = {}
    for number, (heads, key, value, window, is_mla) in enumerate(case["layers"]):
        shared = {"block_size": case["block_size"], "dtype": dtype}
        if is_mla:
            spec: Any = MLAAttentionSpec(num_kv_heads=1, head_size=key, **shared)
        elif window is None:
            spec = FullAttentionSpec(num_kv_heads=heads, head_size=key, head_size_v=value, **shared)
        else:
            spec = SlidingWindowSpec(
                num_kv_heads=heads,
                head_size=key,
                head_size_v=value,
                sliding_window=window,
                **shared,
            )
        specs[f"layer.{number}"] = spec
    page = max(spec.page_size_bytes for spec in specs.values())
    for number in range(case["states"]):
        specs[f"state.{number}"] = MambaSpec(
            block_size=case["block_size"],
            shapes=((case["state"],),),
            dtypes=(torch.uint8,),
            page_size_padded=page,
            mamba_cache_mode="align",
        )
    groups = utils.get_kv_cache_groups(config, specs)
    block_bytes = utils._pool_bytes_per_block(config, groups)
    made = utils.get_kv_cache_config_from_groups(config, groups, case["available"])
    found: list[tuple[int, int]] = []
    for context in case["contexts"]:
        config.model_config.max_model_len = context
        needed = utils._max_memory_usage_bytes_from_groups(config, groups)
        found.append((needed // block_bytes, utils.get_kv_cache_capacity(config, made)[0]))
    config.model_config.max_model_len = case["most"]
    largest = utils._estimate_max_model_len_from_groups(
        config, groups, case["available"] - block_bytes
    )
    return {
        "block_bytes": block_bytes,
        "blocks": made.num_blocks,
        "contexts": found,
        "largest": largest,
    }


if __name__ == "__main__":
    print("\n" + json.dumps([answer(case) for case in json.load(sys.stdin)]))
