"""AWQ's numbers: plain rounding to them, and the reading of packed weights; torch only.

A group of weights that lie beside each other in a row shares a scale s and a zero point z, and a
weight is (q - z) * s with q and z in 0..15. In AWQ's layout "GEMM" eight values that lie beside
each other along the outputs share an int32, its nibbles from the low end holding 0 2 4 6 1 3 5 7.
"""

from __future__ import annotations

import torch

_LARGEST = 15
_LEAST_RANGE = 1e-5  # of a group, so that one of equal weights has a scale
# The place in the int32, counted in nibbles from the low end, at which value 0..7 lies.
_PLACES = (0, 4, 1, 5, 2, 6, 3, 7)


def round_to_nearest(weight: torch.Tensor, group_size: int) -> torch.Tensor:
    """`weight` [out, in] as plain rounding to 4 bits leaves it: what AWQ has to be better than.

    Asymmetric, with float16 scales, so with as many bits and the same storage as AWQ's.
    """
    groups = weight.float().reshape(-1, group_size)
    low = groups.amin(dim=1, keepdim=True)
    span = (groups.amax(dim=1, keepdim=True) - low).clamp(min=_LEAST_RANGE)
    scale = (span / _LARGEST).half().float()
    zero = (-torch.round(low / scale)).clamp(0, _LARGEST)
    values = (torch.round(groups / scale) + zero).clamp(0, _LARGEST)
    return ((values - zero) * scale).reshape(weight.shape)


def unpack(packed: torch.Tensor) -> torch.Tensor:
    """The values 0..15 of int32 `packed` [rows, columns / 8], as [rows, columns]."""
    shifts = 4 * torch.tensor(_PLACES, dtype=torch.int32, device=packed.device)
    values = (packed.unsqueeze(-1) >> shifts) & _LARGEST
    return values.reshape(len(packed), -1)


def dequantise(
    qweight: torch.Tensor, qzeros: torch.Tensor, scales: torch.Tensor, group_size: int
) -> torch.Tensor:
    """The weight [out, in] in float32 of a layer as AWQ stores it.

    Args:
        qweight: int32 [in, out / 8]. qzeros: int32 [in / group, out / 8].
        scales: float16 [in / group, out].
    """
    values = unpack(qweight).float()
    zeros = unpack(qzeros).float().repeat_interleave(group_size, dim=0)
    steps = scales.float().repeat_interleave(group_size, dim=0)
    return ((values - zeros) * steps).t().contiguous()
