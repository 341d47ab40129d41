"""The multiplication itself: PyTorch's int4 kernel for a few rows, unpacked weights for many.

Nothing here needs vLLM. See the package for what was measured.
"""

from __future__ import annotations

import functools

import torch

from engine.awq_cpu.layout import ZERO

# From so many rows on (tokens of a prompt, or of many streams), unpacking the weights pays: the
# int4 kernel unpacks them again for every four rows.
UNPACK_FROM_ROWS = 64
UNPACKED_BYTES = 4 << 20
_WIDTHS = (64, 32)  # with AVX-512, with AVX2
_LEAST_WIDTH = 16  # what the kernel takes at all


@functools.cache
def block_width() -> int:
    """How many output rows PyTorch's packing takes together on this processor.

    With 64 or 32, byte i of a column of a block holds the rows i (low nibble) and width/2 + i:
    `linear` can unpack that. It is tried, not assumed; 16 stands for any other packing.
    """
    for width in _WIDTHS:
        rows = torch.arange(width, dtype=torch.int32)[:, None].expand(width, 4)
        found = _halves(_packed(rows & 15), _packed(rows >> 4), width)
        if torch.equal(found, rows.t()):
            return width
    return _LEAST_WIDTH


def _packed(values: torch.Tensor) -> torch.Tensor:
    packed: torch.Tensor = torch.ops.aten._convert_weight_to_int4pack_for_cpu(
        values.contiguous(), 1
    )
    return packed


def _halves(low: torch.Tensor, high: torch.Tensor, width: int) -> torch.Tensor:
    """[columns, rows] of what two packings say together, if halves of a block share bytes."""
    low, high = low.view(-1, width // 2), high.view(-1, width // 2)
    both = torch.cat((low & 15, low >> 4), 1) + 16 * torch.cat((high & 15, high >> 4), 1)
    return both.to(torch.int32)


def linear(
    x: torch.Tensor,
    packed: torch.Tensor,
    scales_and_zeros: torch.Tensor,
    group_size: int,
    unpack_from: int = UNPACK_FROM_ROWS,
) -> torch.Tensor:
    """Multiply x by the transposed weight; see `layout.Int4Weight` for the weight.

    Few rows go through the int4 kernel, with activations and result rounded to bfloat16; from
    `unpack_from` rows on, the weight is unpacked to float32 in blocks and nothing is rounded.

    Args:
        x: float32, bfloat16 or float16 [..., in].

    Returns:
        [..., rows of the packed weight], of x's type.
    """
    flat = x.reshape(-1, x.size(-1))
    if flat.size(0) < unpack_from or block_width() not in _WIDTHS:
        out = torch.ops.aten._weight_int4pack_mm_for_cpu(
            flat.to(torch.bfloat16).contiguous(), packed, group_size, scales_and_zeros
        )
    else:
        out = unpacked_linear(flat.float(), packed, scales_and_zeros, group_size)
    return out.to(x.dtype).view(*x.shape[:-1], packed.size(0))


def unpacked_linear(
    x: torch.Tensor, packed: torch.Tensor, scales_and_zeros: torch.Tensor, group_size: int
) -> torch.Tensor:
    """As `linear`, with the weight unpacked a few blocks at a time; x is float32 [rows, in].

    With q the values and c = b - 8s, a group's part is x (q s + c) = x (q s) + (sum of x) c: the
    constants cost one small product, and only the scales touch every weight.
    """
    width = block_width()
    half = width // 2
    rows, features = x.shape
    blocks, groups = packed.size(0) // width, features // group_size
    scales = scales_and_zeros[..., 0].float()
    constants = scales_and_zeros[..., 1].float() - ZERO * scales
    out = (x.view(rows, groups, group_size).sum(-1) @ constants).view(rows, blocks, 2, half)
    scales = scales.view(groups, blocks, 2, half).permute(1, 2, 0, 3).contiguous()
    values = packed.view(blocks, features, half)
    step = min(blocks, max(1, UNPACKED_BYTES // (features * half * 4)))
    # Used again and again: fresh memory would cost more than the arithmetic.
    nibbles = torch.empty((step, features, half), dtype=torch.uint8)
    weights = torch.empty((step, features, half))
    products = torch.empty((step, rows, half))
    for first in range(0, blocks, step):
        part = values[first : first + step]
        count = part.size(0)
        weight, product = weights[:count], products[:count]
        for side in (0, 1):
            if side == 0:
                torch.bitwise_and(part, 15, out=nibbles[:count])
            else:
                torch.bitwise_right_shift(part, 4, out=nibbles[:count])
            weight.copy_(nibbles[:count])
            grouped = weight.view(count, groups, group_size, half)
            grouped.mul_(scales[first : first + step, side].unsqueeze(2))
            torch.bmm(x.expand(count, rows, features), weight, out=product)
            out[:, first : first + step, side] += product.transpose(0, 1)
    return out.view(rows, -1)


def unpacked(packed: torch.Tensor, scales_and_zeros: torch.Tensor, group_size: int) -> torch.Tensor:
    """The weight in float32 [rows, in], as the kernel has it: for tests and references."""
    identity = torch.eye(packed.size(1) * 2)
    return unpacked_linear(identity, packed, scales_and_zeros, group_size).t().contiguous()
