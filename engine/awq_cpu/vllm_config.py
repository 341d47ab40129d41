"""Makes vLLM use our kernel on a CPU: private parts of vLLM, in one small module.

Three places of vLLM's are changed, all in this process only, and a contract test holds each:

- its list of kernels for 4-bit linear layers on a CPU gets ours in front. AWQ, GPTQ and
  compressed-tensors all choose from that list;
- the quantisation configs of AWQ and GPTQ are registered anew: they refuse float32 models,
  which is what runs fastest without bfloat16 instructions;
- an AWQ layer is given to the kernel as it lies in the checkpoint: vLLM's way over GPTQ's
  layout takes a dozen times the layer's memory.
"""

from __future__ import annotations

from typing import Any

import torch
from vllm.model_executor.kernels import linear as vllm_linear
from vllm.model_executor.kernels.linear import (
    CPUWNA16LinearKernel,
    MPLinearKernel,
    MPLinearLayerConfig,
    register_linear_kernel,
)
from vllm.model_executor.layers.linear import register_weight_loader_v2_supported_method
from vllm.model_executor.layers.quantization import register_quantization_config
from vllm.model_executor.layers.quantization.auto_awq import (
    AutoAWQConfig,
    AutoAWQMarlinLinearMethod,
)
from vllm.model_executor.layers.quantization.auto_gptq import AutoGPTQConfig
from vllm.platforms import PlatformEnum, current_platform
from vllm.scalar_type import scalar_types

from engine.awq_cpu import kernels, layout

_TYPES = (scalar_types.uint4, scalar_types.uint4b8)  # with and without zero points
_DTYPES = (torch.float32, torch.bfloat16, torch.float16)


def has_vllm_kernel() -> bool:
    """Whether this processor's build of vLLM has a 4-bit kernel of its own (AVX-512)."""
    import vllm._custom_ops  # noqa: F401 - loads the build

    return hasattr(torch.ops._C, "cpu_gemm_wna16")


def has_better_kernel(activations: torch.dtype) -> bool:
    """Whether vLLM's own kernel beats ours: with AMX, 8-bit activations and a bfloat16 model."""
    amx: bool = torch.cpu._is_amx_tile_supported()
    return amx and activations == torch.bfloat16 and has_vllm_kernel()


class Int4PackLinearKernel(MPLinearKernel):  # type: ignore[misc]
    """One layer's multiplication; see `kernels.linear`."""

    @property
    def words(self) -> str:
        """What people read that it is."""
        return f"INT4 CPU ({'AVX-512' if kernels.block_width() == 64 else 'AVX2'})"

    @classmethod
    def get_min_capability(cls) -> int:
        """Of a GPU: none."""
        return -1

    @classmethod
    def can_implement(cls, c: MPLinearLayerConfig) -> tuple[bool, str | None]:
        """Whether this kernel is for a layer like `c`, and why not."""
        if not current_platform.is_cpu():
            return False, "it is for CPUs"
        if c.weight_type not in _TYPES:
            return False, f"it has 4-bit weights, not {c.weight_type}"
        if c.act_type not in _DTYPES:
            return False, f"it takes no {c.act_type}"
        if has_better_kernel(c.act_type):
            return False, "vLLM's own is faster on this processor"
        try:
            features, rows = c.partition_weight_shape
            layout.kernel_group(features, c.group_size, f"a layer of {features} x {rows}")
        except layout.UnsupportedLayerError as error:
            return False, str(error)
        return True, None

    def process_weights_after_loading(self, layer: torch.nn.Module) -> None:
        """Repack a layer of GPTQ's or compressed-tensors' layout."""
        words, scales, zeros = self._get_weight_params(layer)
        # [out, in/8] in compressed-tensors, [in/8, out] in GPTQ.
        qweight = words.data.t() if words.input_dim == 1 else words.data
        flipped = scales.data.t() if scales.output_dim == 0 else scales.data
        values = None
        if self.config.zero_points and zeros is not None:
            values = layout.unpack(zeros.data, zeros.packed_dim)
            values = values.t() if zeros.output_dim == 0 else values
        name = getattr(layer, "prefix", "")
        self._take(
            layer,
            layout.from_input_packed(
                qweight, values, flipped, self.config.group_size, kernels.block_width(), name
            ),
        )

    def process_awq(self, layer: torch.nn.Module) -> None:
        """Repack a layer as it lies in an AWQ checkpoint."""
        zeros = layer.qzeros.data if self.config.zero_points else None
        size, width = self.config.group_size, kernels.block_width()
        name = getattr(layer, "prefix", "")
        self._take(
            layer,
            layout.from_awq(layer.qweight.data, zeros, layer.scales.data, size, width, name),
        )

    def _take(self, layer: torch.nn.Module, weight: layout.Int4Weight) -> None:
        """Put `weight` where the checkpoint's was, which is free then."""
        self._group_size = weight.group_size
        names = [self.w_q_name, self.w_s_name, self.w_zp_name, "weight_shape", "g_idx"]
        for name in names:
            if name and hasattr(layer, name):
                delattr(layer, name)
        for name, tensor in (
            (self.w_q_name, weight.packed),
            (self.w_s_name, weight.scales_and_zeros),
        ):
            layer.register_parameter(name, torch.nn.Parameter(tensor, requires_grad=False))

    def apply_weights(
        self, layer: torch.nn.Module, x: torch.Tensor, bias: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Multiply x by the transposed weight, plus `bias`."""
        packed, scales, _ = self._get_weight_params(layer)
        out = torch.ops.inglenook.int4_linear(x, packed, scales, self._group_size)
        features = self.config.partition_weight_shape[1]
        if packed.size(0) != features:
            out = out[..., :features].contiguous()
        return out if bias is None else out.add_(bias)


@register_weight_loader_v2_supported_method
class CpuAwqLinearMethod(AutoAWQMarlinLinearMethod):  # type: ignore[misc]
    """AWQ's layers on a CPU; another kernel than ours gets them as vLLM prepares them."""

    def __init__(self, quant_config: Any, prefix: str) -> None:
        super().__init__(quant_config)
        self._prefix = prefix

    def create_weights(
        self,
        layer: torch.nn.Module,
        input_size_per_partition: int,
        output_partition_sizes: list[int],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """See vLLM.

        Raises:
            UnsupportedLayerError: the shape does not go with the group size; names the layer.
        """
        size = self.quant_config.group_size
        layout.check_awq(input_size_per_partition, sum(output_partition_sizes), size, self._prefix)
        super().create_weights(
            layer, input_size_per_partition, output_partition_sizes, *args, **kwargs
        )

    def process_weights_after_loading(self, layer: torch.nn.Module) -> None:
        """See vLLM."""
        if isinstance(self.kernel, Int4PackLinearKernel):
            self.kernel.process_awq(layer)
        else:
            super().process_weights_after_loading(layer)


class CpuAwqConfig(AutoAWQConfig):  # type: ignore[misc]
    """AWQ on a CPU: float32 models too."""

    @classmethod
    def get_supported_act_dtypes(cls) -> list[torch.dtype]:
        """What a model may compute in."""
        return list(_DTYPES)

    def get_quant_method(self, layer: torch.nn.Module, prefix: str) -> Any:
        """See vLLM."""
        method = super().get_quant_method(layer, prefix)
        if type(method) is AutoAWQMarlinLinearMethod:
            return CpuAwqLinearMethod(self, prefix)
        return method


class CpuGptqConfig(AutoGPTQConfig):  # type: ignore[misc]
    """GPTQ on a CPU: float32 models too."""

    @classmethod
    def get_supported_act_dtypes(cls) -> list[torch.dtype]:
        """What a model may compute in."""
        return list(_DTYPES)


def register() -> None:
    """Change vLLM as the module says; a second call changes nothing."""
    possible = vllm_linear._POSSIBLE_KERNELS[PlatformEnum.CPU]
    if Int4PackLinearKernel in possible:
        return
    _define_operator()
    register_linear_kernel(Int4PackLinearKernel, PlatformEnum.CPU)
    possible.remove(Int4PackLinearKernel)
    possible.insert(0, Int4PackLinearKernel)
    if not has_vllm_kernel():
        # It says that it can, and dies at the first forward.
        possible.remove(CPUWNA16LinearKernel)
    for name in ("awq", "auto_awq"):
        register_quantization_config(name)(CpuAwqConfig)
    for name in ("gptq", "auto_gptq"):
        register_quantization_config(name)(CpuGptqConfig)


def _define_operator() -> None:
    """An operator of PyTorch's, which torch.compile takes as a whole: it chooses by rows."""
    library = torch.library.Library("inglenook", "FRAGMENT")
    library.define(
        "int4_linear(Tensor x, Tensor packed, Tensor scales_and_zeros, int group_size) -> Tensor"
    )
    library.impl("int4_linear", kernels.linear, "CPU")
    library.impl(
        "int4_linear",
        lambda x, packed, _scales, _size: x.new_empty((*x.shape[:-1], packed.size(0))),
        "Meta",
    )
    global _library  # it goes with the object
    _library = library


_library: torch.library.Library | None = None
