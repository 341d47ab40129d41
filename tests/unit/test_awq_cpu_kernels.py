"""The multiplication with 4-bit weights: both ways, every type of activation, odd sizes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.awq_cpu import kernels, layout
from tests.helpers import awq_packing

WIDTH = kernels.block_width()


def layer(out: int, features: int, group: int, seed: int = 0) -> tuple[layout.Int4Weight, object]:
    torch.manual_seed(seed)
    tensors, _ = awq_packing.packed_linear("x", torch.randn(out, features), group)
    made = layout.from_awq(
        tensors["x.qweight"], tensors["x.qzeros"], tensors["x.scales"], group, WIDTH
    )
    return made, kernels.unpacked(made.packed, made.scales_and_zeros, made.group_size)


def error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.float() - wanted).norm() / wanted.norm())


def test_the_packing_of_this_processor_is_known() -> None:
    assert WIDTH in (32, 64)


@pytest.mark.parametrize("rows", [1, 3, 17, kernels.UNPACK_FROM_ROWS, 130])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_products_of_any_number_of_rows(rows: int, dtype: torch.dtype) -> None:
    made, weight = layer(128, 192, 64)
    x = torch.randn(rows, 192, dtype=dtype)
    found = kernels.linear(x, made.packed, made.scales_and_zeros, made.group_size)
    assert found.dtype == dtype
    assert found.shape == (rows, 128)
    assert error(found, torch.nn.functional.linear(x.float(), weight)) < 5e-3


@given(
    st.integers(0, 2**32),
    st.sampled_from([(64, 64, 32), (96, 128, 64), (40, 256, 128), (72, 320, 64), (640, 64, 64)]),
    st.integers(1, 9),
)
@settings(max_examples=25, deadline=None)
def test_both_ways_agree(seed: int, shape: tuple[int, int, int], rows: int) -> None:
    made, _ = layer(*shape, seed=seed)
    x = torch.randn(rows, shape[1])
    weight = (made.packed, made.scales_and_zeros, made.group_size)
    few = kernels.linear(x, *weight, unpack_from=1 << 30)
    many = kernels.linear(x, *weight, unpack_from=0)
    assert error(few, many) < 6e-3


def test_many_rows_are_not_rounded() -> None:
    made, weight = layer(128, 256, 128)
    x = torch.randn(kernels.UNPACK_FROM_ROWS, 256)
    found = kernels.linear(x, made.packed, made.scales_and_zeros, made.group_size)
    assert error(found, torch.nn.functional.linear(x, weight)) < 1e-5


def test_weights_are_unpacked_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    made, weight = layer(5 * WIDTH, 64, 64)
    monkeypatch.setattr(kernels, "UNPACKED_BYTES", 2 * 64 * WIDTH // 2 * 4)  # two blocks of five
    found = kernels.unpacked_linear(
        torch.randn(3, 64), made.packed, made.scales_and_zeros, made.group_size
    )
    assert found.shape == (3, 5 * WIDTH)
    again = kernels.unpacked(made.packed, made.scales_and_zeros, made.group_size)
    assert torch.equal(again, weight)


def test_leading_dimensions_and_empty_batches() -> None:
    made, weight = layer(64, 64, 64)
    weight_of = (made.packed, made.scales_and_zeros, made.group_size)
    x = torch.randn(2, 3, 64)
    found = kernels.linear(x, *weight_of)
    assert found.shape == (2, 3, 64)
    assert error(found, torch.nn.functional.linear(x, weight)) < 5e-3
    assert kernels.linear(x[:0], *weight_of).shape == (0, 3, 64)


def test_an_unknown_packing_is_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another PyTorch may pack otherwise: then its own kernel has all rows."""
    made, weight = layer(64, 64, 64)
    monkeypatch.setattr(kernels, "block_width", lambda: 16)
    monkeypatch.setattr(kernels, "unpacked_linear", lambda *_: pytest.fail("unpacked"))
    x = torch.randn(200, 64)
    found = kernels.linear(x, made.packed, made.scales_and_zeros, made.group_size)
    assert error(found, torch.nn.functional.linear(x, weight)) < 5e-3
