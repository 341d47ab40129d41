"""Bytes of weights on one device, and those that one token's way through the model reads."""

from __future__ import annotations

from dataclasses import replace

from engine.planner.model_shape import ModelShape


def device_weights(shape: ModelShape, value_bytes: int, tp: int = 1) -> int:
    """On each of `tp` devices: matrices, embedding and head are divided; norms are not.

    Args:
        value_bytes: of a weight that is not quantised, as loaded.
    """
    whole = shape.other_params * value_bytes
    if shape.format == "gguf":
        divided = max(0, shape.weights_bytes - whole)
    else:
        ends = (shape.embedding_params + shape.head_params) * value_bytes
        divided = _linear_bytes(shape, value_bytes) + ends
    return -(-divided // tp) + whole


def read_per_token(shape: ModelShape, value_bytes: int, tp: int = 1) -> int:
    """Bytes of weights that each of `tp` devices reads for one token of one stream.

    All active matrices, the head (the embedding where it is tied) and the norms; of the
    embedding itself one row, which is nothing.
    """
    linear = _linear_bytes(shape, value_bytes)
    if shape.linear_params:
        linear = linear * shape.active_params // shape.linear_params
    head = (shape.head_params or shape.embedding_params) * value_bytes
    return -(-(linear + head) // tp) + shape.other_params * value_bytes


def _linear_bytes(shape: ModelShape, value_bytes: int) -> int:
    return shape.linear_bytes if shape.is_quantised else shape.linear_params * value_bytes


def unpacked(shape: ModelShape) -> ModelShape:
    """The shape as 16-bit safetensors: of GGUF, or FP8, that cannot be computed with as it is."""
    linear = 2 * shape.linear_params
    ends = 2 * (shape.embedding_params + shape.head_params + shape.other_params)
    return replace(
        shape,
        format="bf16",
        unpacked_from=shape.format,
        scales="",
        bits=16,
        group_size=0,
        linear_bytes=linear,
        weights_bytes=linear + ends,
    )


def as_awq(shape: ModelShape, group: int = 128) -> ModelShape:
    """The shape of the same model quantised to AWQ at `group`: 4 + 16/g + 4/g bits a weight."""
    linear = shape.linear_params * (4 * group + 20) // (8 * group)
    ends = 2 * (shape.embedding_params + shape.head_params + shape.other_params)
    return replace(
        shape,
        format="awq",
        bits=4,
        group_size=group,
        linear_bytes=linear,
        weights_bytes=linear + ends,
    )
