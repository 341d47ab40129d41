"""What the safetensors headers say: how many parameters and bytes lie where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.planner.model_shape import TensorInfo

MOST_BYTES = 1 << 50
_LAYER = re.compile(r"(?:^|\.)(?:layers|h|blocks|block)\.(\d{1,6})\.")
_EMBEDDING = ("embed_tokens", "tok_embeddings", "wte", "word_embeddings", "embed_in", "embed_dict")
_HEAD = ("lm_head", "embed_out", "output_layer")
_SIDE_TOWERS = (
    *("vision", "visual", "image", "audio", "multi_modal_projector", "mm_projector", "aligner"),
    *("connector", "perceiver"),
)
# Of quantised layers: the packed integers, and what comes with them.
_PACKED = ("qweight", "weight_packed")
_WITH_PACKED = (
    *("qzeros", "scales", "g_idx", "weight_scale", "weight_zero_point", "weight_shape"),
    *("weight_scale_inv", "input_scale", "weight_global_scale", "weight_g_idx"),
)


@dataclass(slots=True)
class Measured:
    """Counts of parameters, sizes in bytes; see `ModelShape`."""

    linear_params: int = 0
    linear_bytes: int = 0
    embedding_params: int = 0
    head_params: int = 0
    other_params: int = 0
    bytes: int = 0


def measure(
    headers: Mapping[str, TensorInfo], layers: int, packed_bits: float, tied: bool
) -> Measured:
    """Sort all tensors.

    Args:
        layers: tensors of layers beyond (of models that guess several tokens) are not loaded.
        packed_bits: of a weight in the packed integers; 0 for a model that is not quantised.
        tied: a head that is stored nevertheless is the embedding over again.
    """
    result = Measured()
    has_embedding = any(_is_embedding(name) for name in headers)
    for name, tensor in headers.items():
        number = _LAYER.search(name)
        if name.startswith("mtp.") or (number and layers and int(number[1]) >= layers):
            continue
        params = _count(tensor)
        if not 0 <= tensor.bytes < MOST_BYTES or not 0 <= params < MOST_BYTES:
            continue  # no tensor is so large: somebody plays
        if _is_head(name):
            if tied and has_embedding:
                continue
            result.head_params += params
        elif _is_embedding(name):
            result.embedding_params += params
        elif any(part in name for part in _SIDE_TOWERS):
            result.other_params += params
        else:
            _add_layer(result, name, tensor, params, packed_bits)
        result.bytes += tensor.bytes
    return result


def _add_layer(
    result: Measured, name: str, tensor: TensorInfo, params: int, packed_bits: float
) -> None:
    last = name.rpartition(".")[2]
    if last in _PACKED and packed_bits:
        result.linear_params += int(params * _bits(tensor) / packed_bits)
        result.linear_bytes += tensor.bytes
    elif last in _WITH_PACKED:
        result.linear_bytes += tensor.bytes
    elif len(tensor.dims) >= 2 and last != "bias" and not _is_router(name):
        result.linear_params += params
        result.linear_bytes += tensor.bytes
    else:
        result.other_params += params


def _is_router(name: str) -> bool:
    return name.endswith(
        (".gate.weight", ".router.weight", ".router.layer.weight", ".shared_expert_gate.weight")
    )


def _is_embedding(name: str) -> bool:
    return any(part in name.split(".") for part in _EMBEDDING)


def _is_head(name: str) -> bool:
    return name == "output.weight" or any(part in name.split(".") for part in _HEAD)


def _count(tensor: TensorInfo) -> int:
    count = 1
    for size in tensor.dims:
        count *= size
    return count


def _bits(tensor: TensorInfo) -> int:
    digits = "".join(letter for letter in tensor.dtype.partition("_")[0] if letter in "0123456789")
    return int(digits) if digits else 8
