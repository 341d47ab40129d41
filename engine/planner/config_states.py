"""Layers that keep a state of fixed size in the place of a KV cache, and how large it is.

As vLLM's `MambaStateShapeCalculator` has it: a window of a short convolution, and a matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.planner.config_values import Values

_DELTA_NET = ("qwen3_next", "qwen3_5")


@dataclass(frozen=True, slots=True)
class State:
    """The state of one layer, of one chat, of all GPUs together: counts of values.

    Attributes:
        convolution: kept in the type that the model computes in.
        matrix: kept in `matrix_bytes` a value; 0: in that type, too.
    """

    convolution: int = 0
    matrix: int = 0
    matrix_bytes: int = 0

    def bytes(self, value_bytes: int, tp: int = 1) -> int:
        """On one of `tp` devices."""
        matrix = self.matrix * (self.matrix_bytes or value_bytes)
        return (self.convolution * value_bytes + matrix) // tp


def read_state(values: Values) -> State:
    """The state of a layer that has one; of nothing where the kind is not known."""
    kernel = values.number("linear_conv_kernel_dim", "mamba_d_conv", "conv_kernel", "conv_L_cache")
    wide = 4 if values.text("mamba_ssm_dtype", "mamba_ssm_cache_dtype") == "float32" else 0
    if values.text("model_type").startswith(_DELTA_NET):
        keys, vals = values.number("linear_num_key_heads"), values.number("linear_num_value_heads")
        key_dim = values.number("linear_key_head_dim")
        value_dim = values.number("linear_value_head_dim")
        width = 2 * keys * key_dim + vals * value_dim
        return State(width * max(0, kernel - 1), vals * value_dim * key_dim, wide)
    heads = values.number("mamba_n_heads", "mamba_num_heads")
    if heads:  # Mamba 2
        size = values.number("mamba_d_state", "ssm_state_size")
        dim = values.number("mamba_d_head", "mamba_head_dim")
        groups = values.number("mamba_n_groups", "n_groups", default=1)
        width = heads * dim + 2 * groups * size
        if values.text("model_type") == "nemotron_h":
            wide = 4
        return State(width * max(0, kernel - 1), heads * dim * size, wide)
    if values.text("model_type").startswith("lfm2"):
        return State(values.number("hidden_size") * max(0, kernel - 1))
    return State()
