"""Whether a model can be divided among GPUs, by the rules that vLLM and its kernels have."""

from __future__ import annotations

from engine.planner.answer import Problem
from engine.planner.model_shape import ModelShape


def indivisible(shape: ModelShape, tp: int) -> Problem | None:
    """Why `shape` cannot be divided by `tp`; None if it can.

    Attention heads must be divisible; KV heads too, or be shared among GPUs evenly; the width of
    each part of a quantised layer must be a multiple of the group that shares a scale.
    """
    if tp <= 1:
        return None
    if shape.heads % tp:
        return Problem(
            "heads_indivisible",
            f"Its {shape.heads} attention heads cannot be divided among {tp} GPUs.",
            {"heads": shape.heads, "tp": tp},
        )
    kv_heads = max((kind.kv_heads for kind in shape.attention), default=1)
    if not shape.mla and kv_heads % tp and tp % kv_heads:
        return Problem(
            "heads_indivisible",
            f"Its {kv_heads} KV heads cannot be divided among {tp} GPUs.",
            {"heads": kv_heads, "tp": tp},
        )
    return _split_group(shape, tp)


def _split_group(shape: ModelShape, tp: int) -> Problem | None:
    widths = [shape.heads * shape.v_head_dim] if not shape.mla else []
    widths += [shape.intermediate] if not shape.experts else [shape.expert_intermediate]
    for width in widths:
        if width % tp or (shape.group_size and (width // tp) % shape.group_size):
            return Problem(
                "groups_indivisible",
                f"Divided among {tp} GPUs, a layer of width {width} would split a group of "
                f"{max(1, shape.group_size)} weights that belong together.",
                {"width": width, "tp": tp, "group": shape.group_size},
            )
    return None
