"""4-bit layouts: autoawq's order, GPTQ's and compressed-tensors', and what the kernel gets."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.awq_cpu import kernels, layout
from tests.helpers import awq_packing

WIDTH = kernels.block_width()


def values_of(seed: int, rows: int, columns: int) -> torch.Tensor:
    made = torch.Generator().manual_seed(seed)
    return torch.randint(0, 16, (rows, columns), dtype=torch.int32, generator=made)


def test_a_word_of_autoawqs_gemm_layout() -> None:
    """`AWQ_ORDER` of autoawq's packing utilities is [0, 2, 4, 6, 1, 3, 5, 7]."""
    word = torch.tensor([[0x75316420]], dtype=torch.int32)
    assert layout.unpack(word, 1, layout.AWQ_ORDER).tolist() == [[0, 1, 2, 3, 4, 5, 6, 7]]
    assert layout.unpack(word, 1).tolist() == [[0, 2, 4, 6, 1, 3, 5, 7]]


def test_words_with_the_highest_bit() -> None:
    word = torch.tensor([[-1], [-(1 << 31)]], dtype=torch.int32)
    assert layout.unpack(word, 1).tolist() == [[15] * 8, [0] * 7 + [8]]


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 7))
@settings(max_examples=50, deadline=None)
def test_what_is_packed_is_unpacked(seed: int, rows: int, words: int) -> None:
    values = values_of(seed, rows, words * 8)
    packed = awq_packing.pack(values)
    assert packed.shape == (rows, words)
    assert torch.equal(layout.unpack(packed, 1, layout.AWQ_ORDER), values)
    # Along the other dimension the same values lie transposed.
    turned = packed.t().contiguous()
    assert torch.equal(layout.unpack(turned, 0, layout.AWQ_ORDER), values.t())


@pytest.mark.parametrize("group_size", [32, 64, 128, 256, 512, -1])
@pytest.mark.parametrize("out_features", [64, 96, 40, 640])
def test_an_awq_layer_keeps_its_weights(group_size: int, out_features: int) -> None:
    """`out` of 40 and 96 are no whole blocks, 640 is more than a piece."""
    weight = torch.randn(out_features, 512)
    tensors, exact = awq_packing.packed_linear("x", weight, group_size)
    made = layout.from_awq(
        tensors["x.qweight"], tensors["x.qzeros"], tensors["x.scales"], group_size, WIDTH
    )
    assert made.packed.shape[0] % WIDTH == 0
    assert made.packed.dtype == torch.uint8
    assert made.group_size == {512: 256, -1: 256}.get(group_size, group_size)
    found = kernels.unpacked(made.packed, made.scales_and_zeros, made.group_size)
    assert torch.all(found[out_features:] == 0)
    close_weights(found[:out_features], exact)


def close_weights(found: torch.Tensor, exact: torch.Tensor) -> None:
    """As close as bfloat16 scales and constants let them be."""
    step = exact.abs().amax(-1, keepdim=True) / 8
    assert (found - exact).abs().div(step).max() < 0.07
    assert (found - exact).norm() / exact.norm() < 0.004


@pytest.mark.parametrize("zeros", [True, False])
def test_gptq_and_compressed_tensors_lie_along_the_input(zeros: bool) -> None:
    values, groups = values_of(3, 96, 256), 256 // 64
    scales = torch.rand(groups, 96) + 0.5
    points = values_of(4, groups, 96) if zeros else None
    # GPTQ: [in/8, out], in order.
    words = torch.zeros(256 // 8, 96, dtype=torch.int64)
    for place in range(8):
        words |= values.t()[place::8].long() << (4 * place)
    words = words.where(words < 1 << 31, words - (1 << 32)).int()
    made = layout.from_input_packed(words, points, scales, 64, WIDTH)
    found = kernels.unpacked(made.packed, made.scales_and_zeros, made.group_size)
    centred = values - (8 if points is None else points.t().repeat_interleave(64, 1))
    close_weights(found[:96], centred * scales.t().repeat_interleave(64, 1))


def test_what_the_checkpoint_has_is_not_held_beside_it() -> None:
    tensors, _ = awq_packing.packed_linear("x", torch.randn(256, 256), 128)
    made = layout.from_awq(
        tensors["x.qweight"], tensors["x.qzeros"], tensors["x.scales"], 128, WIDTH
    )
    held = made.packed.nbytes + made.scales_and_zeros.nbytes
    assert held <= 0.3 * 2 * 256 * 256
    assert made.packed.untyped_storage().nbytes() == made.packed.nbytes


@pytest.mark.parametrize(
    ("in_features", "group_size", "words"),
    [
        (100, 64, "input size of q_proj, 100, is not a multiple of its group size 64"),
        (128, 16, "group size of q_proj, 16, is not a multiple of 32"),
        (112, -1, "group size of q_proj, 112, is not a multiple of 32"),
        (64, 0, "not a multiple of its group size 0"),
    ],
)
def test_a_shape_the_kernel_cannot_have_is_refused_by_name(
    in_features: int, group_size: int, words: str
) -> None:
    with pytest.raises(layout.UnsupportedLayerError, match=words):
        layout.check_awq(in_features, 64, group_size, "q_proj")


def test_an_output_that_no_words_fill_is_refused_by_name() -> None:
    with pytest.raises(layout.UnsupportedLayerError, match="output size of k_proj, 60"):
        layout.check_awq(64, 60, 64, "k_proj")


@pytest.mark.parametrize(
    ("group_size", "kernels_own"), [(32, 32), (96, 32), (128, 128), (1024, 256), (-1, 64)]
)
def test_groups_are_split_into_those_of_the_kernel(group_size: int, kernels_own: int) -> None:
    features = 3 * 64 if group_size == -1 else group_size * 3
    assert layout.kernel_group(features, group_size) == kernels_own
