"""What a model is made of, as far as memory and speed depend on it: the types."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.planner.config_states import State


class ShapeError(Exception):
    """A model's files do not tell its shape; the text says which and why."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One entry of a safetensors header. `bytes`: as stored in the file."""

    dtype: str  # as safetensors names it: "F32", "BF16", "I32", "F8_E4M3", ...
    dims: tuple[int, ...]
    bytes: int


@dataclass(frozen=True, slots=True)
class Attention:
    """Layers that keep their KV cache alike.

    Attributes:
        window: tokens that a layer looks back at; None for all.
        mla: one compressed vector of `key_dim` values a token, the same on every GPU.
    """

    layers: int
    kv_heads: int
    key_dim: int
    value_dim: int
    window: int | None = None
    mla: bool = False


@dataclass(frozen=True, slots=True)
class ModelShape:
    """See the module. Counts of parameters, sizes in bytes, lengths in tokens.

    Attributes:
        architecture, model_type: as config.json names them.
        format: how the linear layers are stored: "bf16", "fp16", "fp32", "awq", "gptq", "w4a16",
            "int8", "fp8" or "gguf".
        unpacked_from: the format of the files where the weights are loaded in another; else "".
        scales: of "fp8": what has one scale, a "tensor", a "channel" or a "block"; "" where it
            is of another kind.
        dtype: what the model computes in by its own config: "bfloat16", "float16", "float32".
        group_size: weights that share a scale; 0 where that does not apply.
        linear_params, embedding_params, head_params, other_params: `head` is 0 where it is tied
            to the embedding; `other` are norms, biases, routers and all that is not divided
            among GPUs.
        active_params: of the linear ones, those that one token goes through (a mixture of
            experts uses some of its experts only).
        linear_bytes: of the linear layers as stored, scales and zero points included.
        weights_bytes: of all files' tensors; exact where the headers were read.
        is_exact: whether the headers were read.
        kv_dtype: "fp8" where the checkpoint asks for such a KV cache, else "auto".
        state_layers: layers with a state of fixed size in the place of a KV cache.
        state: of each of them; of no size where its kind is not known.
        context: the most that the model was made for.
    """

    architecture: str = ""
    model_type: str = ""
    layers: int = 0
    hidden: int = 0
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    v_head_dim: int = 0
    vocab: int = 0
    intermediate: int = 0
    experts: int = 0
    experts_per_token: int = 0
    expert_intermediate: int = 0
    tied: bool = False
    window: int | None = None
    window_layers: int = 0
    state_layers: int = 0
    state: State = field(default_factory=State)
    mla: bool = False
    attention: tuple[Attention, ...] = ()
    format: str = "bf16"
    unpacked_from: str = ""
    scales: str = ""
    dtype: str = "bfloat16"
    kv_dtype: str = "auto"
    bits: float = 16
    group_size: int = 0
    linear_params: int = 0
    embedding_params: int = 0
    head_params: int = 0
    other_params: int = 0
    active_params: int = 0
    linear_bytes: int = 0
    weights_bytes: int = 0
    is_exact: bool = False
    context: int = 0
    name: str = ""

    @property
    def parameters(self) -> int:
        """All of them."""
        return self.linear_params + self.embedding_params + self.head_params + self.other_params

    @property
    def is_quantised(self) -> bool:
        """Whether the linear layers are stored in fewer than 16 bits."""
        return self.format not in {"bf16", "fp16", "fp32"}

    @property
    def key(self) -> str:
        """The same for models of the same shape and format, whatever they are called."""
        return (
            f"{self.architecture}-{self.layers}x{self.hidden}-{self.heads}:{self.kv_heads}"
            f"-{self.vocab}-{self.experts}-{self.unpacked_from or self.format}"
        )
