"""The contract with the private parts of vLLM that `engine.awq_cpu` stands on."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.real_engine  # it imports vLLM; no model is loaded

pytest.importorskip("torch")
pytest.importorskip("vllm")

import torch  # noqa: E402


@pytest.fixture(scope="module")
def ours() -> Any:
    from vllm.platforms import current_platform

    if not current_platform.is_cpu():
        pytest.skip("this vLLM is built for GPUs")
    from engine import awq_cpu
    from engine.awq_cpu import vllm_config

    awq_cpu.install()
    awq_cpu.install()  # as a worker in the engine's own process does
    return vllm_config


def config_of(ours: Any, dtype: torch.dtype, **changes: Any) -> Any:
    values = {
        "full_weight_shape": (128, 64),
        "partition_weight_shape": (128, 64),
        "weight_type": ours.scalar_types.uint4,
        "act_type": dtype,
        "group_size": 64,
        "zero_points": True,
    }
    return ours.MPLinearLayerConfig(**(values | changes))


def test_our_kernel_is_first_and_there_once(ours: Any) -> None:
    from vllm.model_executor.kernels import linear
    from vllm.platforms import PlatformEnum

    kernels = linear._POSSIBLE_KERNELS[PlatformEnum.CPU]
    assert kernels[0] is ours.Int4PackLinearKernel
    assert kernels.count(ours.Int4PackLinearKernel) == 1
    assert "_POSSIBLE_KERNELS" in inspect.getsource(linear.choose_mp_linear_kernel)


@pytest.mark.parametrize("has_own", [True, False])
def test_the_kernel_that_dies_is_there_only_where_it_lives(
    ours: Any, monkeypatch: pytest.MonkeyPatch, has_own: bool
) -> None:
    from vllm.model_executor.kernels import linear
    from vllm.platforms import PlatformEnum

    theirs = [linear.Dynamic4bitLinearKernel, linear.CPUWNA16LinearKernel]
    monkeypatch.setitem(linear._POSSIBLE_KERNELS, PlatformEnum.CPU, theirs)
    monkeypatch.setattr(ours, "has_vllm_kernel", lambda: has_own)
    monkeypatch.setattr(ours, "_define_operator", lambda: None)
    ours.register()
    assert theirs[0] is ours.Int4PackLinearKernel
    assert (linear.CPUWNA16LinearKernel in theirs) is has_own


def test_vllm_chooses_ours_for_float32(ours: Any) -> None:
    from vllm.model_executor.kernels.linear import choose_mp_linear_kernel

    assert choose_mp_linear_kernel(config_of(ours, torch.float32)) is ours.Int4PackLinearKernel


@pytest.mark.parametrize(
    ("amx", "dtype", "taken"),
    [
        (True, torch.bfloat16, False),
        (True, torch.float32, True),
        (False, torch.bfloat16, True),
        (False, torch.float16, True),
    ],
)
def test_ours_gives_way_to_amx(
    ours: Any, monkeypatch: pytest.MonkeyPatch, amx: bool, dtype: torch.dtype, taken: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx)
    monkeypatch.setattr(ours, "has_vllm_kernel", lambda: True)
    assert ours.Int4PackLinearKernel.can_implement(config_of(ours, dtype))[0] is taken


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"group_size": 16}, "group size of a layer of 128 x 64, 16"),
        ({"partition_weight_shape": (100, 64)}, "input size of a layer of 100 x 64"),
        ({"act_type": torch.float64}, "it takes no torch.float64"),
    ],
)
def test_ours_says_why_not(ours: Any, changes: dict[str, Any], words: str) -> None:
    can, reason = ours.Int4PackLinearKernel.can_implement(config_of(ours, torch.float32, **changes))
    assert not can
    assert words in reason


def test_eight_bits_are_not_ours(ours: Any) -> None:
    config = config_of(ours, torch.float32, weight_type=ours.scalar_types.uint8b128)
    assert "4-bit" in ours.Int4PackLinearKernel.can_implement(config)[1]


@pytest.mark.parametrize("name", ["awq", "auto_awq", "gptq", "auto_gptq"])
def test_float32_models_are_taken(ours: Any, name: str) -> None:
    from vllm.model_executor.layers.quantization import get_quantization_config

    assert torch.float32 in get_quantization_config(name).get_supported_act_dtypes()


def test_vllm_itself_refuses_float32_still() -> None:
    """When this fails, our configurations can go."""
    from vllm.model_executor.layers.quantization.auto_awq import AutoAWQConfig
    from vllm.model_executor.layers.quantization.auto_gptq import AutoGPTQConfig

    for theirs in (AutoAWQConfig, AutoGPTQConfig):
        assert torch.float32 not in theirs.get_supported_act_dtypes()


def test_an_awq_layer_comes_to_us_as_it_lies(ours: Any) -> None:
    from vllm.model_executor.layers.quantization import auto_awq

    assert list(ours.layout.AWQ_ORDER) == auto_awq._REVERSE_AWQ_PACK_ORDER
    source = inspect.getsource(auto_awq.AutoAWQMarlinLinearMethod)
    assert 'w_q_param_name="qweight"' in source
    assert 'w_zp_param_name="qzeros"' in source
    assert "self.kernel = kernel_type(" in source
    source = inspect.getsource(auto_awq.AutoAWQConfig.get_quant_method)
    assert "return AutoAWQMarlinLinearMethod(self)" in source


def test_a_misshapen_awq_layer_is_refused_by_name(ours: Any) -> None:
    config = ours.CpuAwqConfig(4, 64, True, False)
    method = ours.CpuAwqLinearMethod(config, "layers 0 down_proj")
    with pytest.raises(ours.layout.UnsupportedLayerError, match="of layers 0 down_proj"):
        method.create_weights(torch.nn.Module(), 100, [64], 100, 64, torch.float32)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("out_features", [64, 40])
def test_a_layer_through_vllms_calls(
    ours: Any, monkeypatch: pytest.MonkeyPatch, bias: bool, out_features: int
) -> None:
    """As `LinearBase` calls them; 40 outputs are no whole block of the kernel's."""
    from vllm.model_executor import parameter

    from tests.helpers import awq_packing

    monkeypatch.setattr(parameter, "get_tensor_model_parallel_rank", lambda: 0)
    monkeypatch.setattr(parameter, "get_tensor_model_parallel_world_size", lambda: 1)

    config = ours.CpuAwqConfig(4, 64, True, False)
    method = ours.CpuAwqLinearMethod(config, "q_proj")
    layer = torch.nn.Module()
    sizes = (128, [out_features], 128, out_features, torch.float32)
    method.create_weights(layer, *sizes, weight_loader=lambda *_: None)
    tensors, exact = awq_packing.packed_linear("x", torch.randn(out_features, 128), 64)
    for name in ("qweight", "qzeros", "scales"):
        getattr(layer, name).data.copy_(tensors[f"x.{name}"])
    method.process_weights_after_loading(layer)
    assert set(dict(layer.named_parameters())) == {"qweight", "scales"}
    x, added = torch.randn(3, 128), torch.randn(out_features) if bias else None
    found = method.apply(layer, x, added)
    wanted = torch.nn.functional.linear(x, exact, added)
    assert found.is_contiguous()
    assert (found - wanted).norm() / wanted.norm() < 6e-3


@pytest.mark.parametrize(
    ("scales", "widths", "block"),
    [
        (torch.tensor([0.5, 2.0]), [128, 72], None),  # joined layers, one scale each
        (torch.tensor(0.5), [128, 72], None),
        (torch.rand(200, 1) + 0.5, [128, 72], None),
        (torch.rand(2, 3) + 0.5, [128, 72], [128, 32]),  # the last block of rows is short
    ],
)
def test_fp8_weights_are_unpacked_exactly(
    ours: Any, scales: torch.Tensor, widths: list[int], block: list[int] | None
) -> None:
    from engine.vllm_fp8_cpu import dequantised

    weight = torch.randn(200, 96).to(torch.float8_e4m3fn)
    found = dequantised(weight, scales, widths, block, torch.float32)
    for row, column in ((0, 0), (127, 95), (128, 40), (199, 64)):
        if block is not None:
            scale = scales[row // 128, column // 32]
        elif scales.numel() == 2:
            scale = scales[int(row >= 128)]
        else:
            scale = scales if scales.ndim == 0 else scales[row, 0]
        assert found[row, column] == weight[row, column].float() * scale


def test_vllm_cannot_unpack_fp8_here_still(ours: Any) -> None:
    """When this fails, look whether `engine.vllm_fp8_cpu` is still needed."""
    import vllm._custom_ops as ops

    with pytest.raises(RuntimeError, match="static_scaled_fp8_quant"):
        ops.scaled_fp8_quant(torch.ones(2, 2), torch.ones(1))


@pytest.mark.parametrize("name", ["fp8", "compressed-tensors"])
def test_fp8_configurations_are_ours(ours: Any, name: str) -> None:
    from vllm.model_executor.layers.linear import WEIGHT_LOADER_V2_SUPPORTED
    from vllm.model_executor.layers.quantization import get_quantization_config

    config = get_quantization_config(name)
    assert config.__module__ == "engine.vllm_fp8_cpu"
    # An instance's method in compressed-tensors' config, which needs nothing of it.
    assert torch.float32 in config.get_supported_act_dtypes(*([None] if "-" in name else []))
    assert {"CpuAwqLinearMethod", "DequantisingLinearMethod"} <= set(WEIGHT_LOADER_V2_SUPPORTED)


def test_the_operator_can_be_traced(ours: Any) -> None:
    with torch.device("meta"):
        x = torch.empty(2, 5, 64)
        packed = torch.empty(96, 32, dtype=torch.uint8)
        scales = torch.empty(1, 96, 2, dtype=torch.bfloat16)
        assert torch.ops.inglenook.int4_linear(x, packed, scales, 64).shape == (2, 5, 96)


def test_the_kernel_has_a_name_for_people(ours: Any) -> None:
    from engine.vllm_kernels import kernel_in_words

    layer = torch.nn.Module()
    kernel = ours.Int4PackLinearKernel.__new__(ours.Int4PackLinearKernel)
    layer.quant_method = SimpleNamespace(kernel=kernel)
    assert kernel_in_words(torch.nn.Sequential(layer)).startswith("INT4 CPU (AVX")
