"""How 4-bit weights lie in checkpoints, and how PyTorch's CPU kernel wants them.

Three packings, eight values to an int32, for a weight of `out` rows and `in` columns:

| checkpoint | weight | zero points | scales |
| --- | --- | --- | --- |
| AWQ, GEMM | [in, out/8], AWQ's order | [groups, out/8], AWQ's order | [groups, out] |
| GPTQ | [in/8, out], in order | none: 8 | [groups, out] |
| compressed-tensors | [out, in/8], in order | [out/8, groups], or none: 8 | [out, groups] |

Value i of a word is at bits 4i, in AWQ's order at 4 times 0 4 1 5 2 6 3 7. A group is
`group_size` neighbours along the input that share a scale s and a zero point z:
w = (q - z) * s. PyTorch's kernel has w = (q - 8) * s + b, so b = (8 - z) * s; it takes s and b
in bfloat16, which costs at most 0.4 % of each, where rounding to 4 bits has cost far more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

AWQ_ORDER = (0, 4, 1, 5, 2, 6, 3, 7)  # place of value i in an AWQ word
VALUES = 8  # to an int32
ZERO = 8  # the kernel's own zero point, and that of symmetric checkpoints
KERNEL_GROUPS = (256, 128, 64, 32)  # that the kernel takes
INPUT_STEP = 32  # the least group
CHUNK_ROWS = 512  # a multiple of every block width, see `repack`


class UnsupportedLayerError(ValueError):
    """A layer's shape or packing is not for this kernel; the text names the layer."""


@dataclass(frozen=True, slots=True)
class Int4Weight:
    """One layer's weight as `torch.ops.aten._weight_int4pack_mm_for_cpu` wants it.

    Attributes:
        packed: uint8 [rows, in/2], in the kernel's blocks; `rows` is `out` rounded up.
        scales_and_zeros: bfloat16 [in/group_size, rows, 2]: s and b.
        group_size: as the kernel sees it: a part of the checkpoint's.
    """

    packed: torch.Tensor
    scales_and_zeros: torch.Tensor
    group_size: int


def unpack(words: torch.Tensor, dim: int, order: tuple[int, ...] | None = None) -> torch.Tensor:
    """The values of 0 to 15 in `words` (int32, 2 dimensions), eight times as many along `dim`.

    `order` is the place of each value in its word; None: in order.
    """
    places = torch.arange(VALUES) if order is None else torch.tensor(order)
    shifts = (places * 4).to(torch.int32)
    rows, columns = words.shape
    if dim == 0:
        return ((words[:, None, :] >> shifts[:, None]) & 15).reshape(rows * VALUES, columns)
    return ((words[:, :, None] >> shifts) & 15).reshape(rows, columns * VALUES)


def kernel_group(in_features: int, group_size: int, layer: str = "") -> int:
    """The group size to give the kernel: the largest it takes that divides the checkpoint's.

    `group_size` -1 is the whole input.

    Raises:
        UnsupportedLayerError: there is none.
    """
    name = layer or "a layer"
    size = in_features if group_size == -1 else group_size
    if size <= 0 or in_features % size:
        raise UnsupportedLayerError(
            f"The input size of {name}, {in_features}, is not a multiple of its group size {size}."
        )
    for candidate in KERNEL_GROUPS:
        if size % candidate == 0:
            return candidate
    raise UnsupportedLayerError(
        f"The group size of {name}, {size}, is not a multiple of {INPUT_STEP}:"
        " the 4-bit kernel for this processor needs that."
    )


def check_awq(in_features: int, out_features: int, group_size: int, layer: str) -> None:
    """Whether AWQ can have packed a layer of this shape, and the kernel can take it.

    Raises:
        UnsupportedLayerError: no; the text names the layer.
    """
    kernel_group(in_features, group_size, layer)
    if out_features % VALUES:
        raise UnsupportedLayerError(
            f"The output size of {layer}, {out_features}, is not a multiple of {VALUES}:"
            " AWQ packs that many to a word."
        )


def padded_rows(out_features: int, width: int) -> int:
    """`out_features` rounded up to whole blocks of the kernel's."""
    return -(-out_features // width) * width


def repack(
    values: Callable[[int, int], torch.Tensor],
    scales: torch.Tensor,
    zeros: torch.Tensor | None,
    in_features: int,
    group_size: int,
    width: int,
    layer: str = "",
) -> Int4Weight:
    """Convert a weight, some rows at a time: the 8 times as large unpacked form is never whole.

    Args:
        values: (first, last) -> int32 [last - first, in], the values of these output rows.
        scales: floating [groups, out].
        zeros: [groups, out], 0 to 15; None: all are 8.
        in_features: columns of the weight.
        group_size: the checkpoint's; -1: all of the input.
        width: the kernel's block, see `kernels.block_width`.
        layer: its name, for errors.

    Raises:
        UnsupportedLayerError: the kernel cannot have this shape.
    """
    size = kernel_group(in_features, group_size, layer)
    groups, out_features = scales.shape
    rows = padded_rows(out_features, width)
    packed = torch.empty((rows, in_features // 2), dtype=torch.uint8)
    for first in range(0, out_features, CHUNK_ROWS):
        last = min(first + CHUNK_ROWS, out_features)
        chunk = values(first, last).contiguous()
        end = min(first + CHUNK_ROWS, rows)
        if end > last:
            chunk = torch.nn.functional.pad(chunk, (0, 0, 0, end - last), value=ZERO)
        packed[first:end] = torch.ops.aten._convert_weight_to_int4pack_for_cpu(chunk, 1)
    repeats = in_features // size // groups
    both = torch.zeros((groups, rows, 2), dtype=torch.bfloat16)
    both[:, :out_features, 0] = scales
    if zeros is not None:
        both[:, :out_features, 1] = (ZERO - zeros) * scales.float()
    return Int4Weight(packed, both.repeat_interleave(repeats, dim=0), size)


def from_awq(
    qweight: torch.Tensor,
    qzeros: torch.Tensor | None,
    scales: torch.Tensor,
    group_size: int,
    width: int,
    layer: str = "",
) -> Int4Weight:
    """An AWQ checkpoint's layer, in autoawq's GEMM layout. Raises: as `repack`."""

    def values(first: int, last: int) -> torch.Tensor:
        words = qweight[:, first // VALUES : last // VALUES]
        return unpack(words.t().contiguous(), 0, AWQ_ORDER)

    zeros = None if qzeros is None else unpack(qzeros, 1, AWQ_ORDER)
    return repack(values, scales, zeros, qweight.size(0), group_size, width, layer)


def from_input_packed(
    qweight: torch.Tensor,
    zeros: torch.Tensor | None,
    scales: torch.Tensor,
    group_size: int,
    width: int,
    layer: str = "",
) -> Int4Weight:
    """A layer packed along its input, as in GPTQ: int32 [in/8, out]; compressed-tensors' is
    its transpose. `scales` and `zeros` (values, unpacked) are [groups, out]. Raises: as `repack`.
    """

    def values(first: int, last: int) -> torch.Tensor:
        return unpack(qweight[:, first:last].t().contiguous(), 1)

    return repack(values, scales, zeros, qweight.size(0) * VALUES, group_size, width, layer)
