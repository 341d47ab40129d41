"""FP8 models on CPUs that cannot compute with them: unpacked as they are read.

vLLM's CPU build multiplies FP8 with AMX alone; on any other processor it dies ("could not create
a primitive descriptor", "requires AMX tile support"), and with one scale a tensor everywhere
("static_scaled_fp8_quant() expected at most 0 argument(s)"). Here a layer's weight becomes
float32 (or bfloat16, if the model is loaded so) right after loading, one layer at a time, and is
an unquantised one from then on. It costs memory: four times the file in float32, twice in
bfloat16. Nothing is rounded, not even the activations.

Private parts of vLLM, in one small module; a contract test holds them. Only vLLM's own
processes import it.
"""

from __future__ import annotations

from typing import Any

import torch
from vllm.model_executor.layers.linear import (
    UnquantizedLinearMethod,
    register_weight_loader_v2_supported_method,
)
from vllm.model_executor.layers.quantization import register_quantization_config
from vllm.model_executor.layers.quantization.compressed_tensors import (
    compressed_tensors as vllm_ct,
)
from vllm.model_executor.layers.quantization.compressed_tensors.schemes import (
    CompressedTensorsW8A8Fp8,
    CompressedTensorsW8A16Fp8,
)
from vllm.model_executor.layers.quantization.compressed_tensors.utils import (
    STRATEGY_TO_PARAMETER_TYPE,
)
from vllm.model_executor.layers.quantization.fp8 import Fp8Config, Fp8LinearMethod
from vllm.model_executor.layers.quantization.utils.fp8_utils import (
    create_fp8_input_scale,
    create_fp8_scale_parameter,
    create_fp8_weight_parameter,
    validate_fp8_block_shape,
)
from vllm.model_executor.parameter import BlockQuantScaleParameter, PerTensorScaleParameter

CHUNK_ROWS = 256  # of a weight, unpacked together: what is between costs little memory


def dequantised(
    weight: torch.Tensor,
    scales: torch.Tensor,
    widths: list[int],
    block: list[int] | None,
    dtype: torch.dtype,
) -> torch.Tensor:
    """The weight that `weight` (FP8 [out, in]) and its scales stand for.

    Args:
        scales: float32; with a `block` of rows and columns [out/rows, in/columns], rounded up,
            else one a row, or one for each of the layers that were joined.
        widths: the outputs of those joined layers.
    """
    out, features = weight.shape
    made = torch.empty((out, features), dtype=dtype)
    wide = scales.float()
    if block is not None:
        wide = wide.repeat_interleave(block[1], 1)[:, :features]
        wide = wide.repeat_interleave(block[0], 0)[:out]
    elif wide.numel() == out:
        wide = wide.view(out, 1)
    else:
        counts = torch.tensor(widths if wide.numel() == len(widths) else [out])
        wide = wide.view(-1).repeat_interleave(counts).view(out, 1)
    for first in range(0, out, CHUNK_ROWS):
        last = first + CHUNK_ROWS
        made[first:last] = weight[first:last].float() * wide[first:last]
    return made


@register_weight_loader_v2_supported_method
class DequantisingLinearMethod(UnquantizedLinearMethod):  # type: ignore[misc]
    """Reads an FP8 layer and leaves an unquantised one."""

    def __init__(
        self, scale_type: type, block: list[int] | None, scale_name: str, *, input_scale: bool
    ) -> None:
        super().__init__()
        self._scale_type = scale_type
        self._block = block
        self._scale_name = scale_name
        self._input_scale = input_scale

    def create_weights(
        self,
        layer: torch.nn.Module,
        input_size_per_partition: int,
        output_partition_sizes: list[int],
        input_size: int,
        output_size: int,
        params_dtype: torch.dtype,
        **attributes: Any,
    ) -> None:
        """What the checkpoint has for the layer; see vLLM."""
        loader = attributes.get("weight_loader")
        out = sum(output_partition_sizes)
        layer.logical_widths = output_partition_sizes
        layer.weight_block_size = self._block
        layer.orig_dtype = params_dtype
        if self._block is not None:
            sizes = (input_size, output_size, input_size_per_partition, output_partition_sizes)
            validate_fp8_block_shape(layer, *sizes, self._block)
        weight = create_fp8_weight_parameter(out, input_size_per_partition, loader)
        layer.register_parameter("weight", weight)
        scale = create_fp8_scale_parameter(
            self._scale_type, output_partition_sizes, input_size_per_partition, self._block, loader
        )
        layer.register_parameter(self._scale_name, scale)
        if self._input_scale:  # read, and not needed: activations stay as they are
            scale = create_fp8_input_scale(output_partition_sizes, loader)
            layer.register_parameter("input_scale", scale)

    def process_weights_after_loading(self, layer: torch.nn.Module) -> None:
        """Unpack the weight, then as for any unquantised layer."""
        scales = getattr(layer, self._scale_name).data
        weight = dequantised(
            layer.weight.data, scales, layer.logical_widths, self._block, layer.orig_dtype
        )
        for name in ("weight", self._scale_name, "input_scale"):
            if hasattr(layer, name):
                delattr(layer, name)
        layer.register_parameter("weight", torch.nn.Parameter(weight, requires_grad=False))
        super().process_weights_after_loading(layer)


class CpuFp8Config(Fp8Config):  # type: ignore[misc]
    """FP8 checkpoints by scale of a tensor, or of blocks."""

    @classmethod
    def get_supported_act_dtypes(cls) -> list[torch.dtype]:
        """What a model may compute in."""
        return [torch.float32, torch.bfloat16, torch.float16]

    def get_quant_method(self, layer: torch.nn.Module, prefix: str) -> Any:
        """See vLLM."""
        method = super().get_quant_method(layer, prefix)
        if type(method) is not Fp8LinearMethod:
            return method
        block = self.weight_block_size
        if block is not None and _has_amx():
            return method
        return DequantisingLinearMethod(
            PerTensorScaleParameter if block is None else BlockQuantScaleParameter,
            block,
            "weight_scale" if block is None else "weight_scale_inv",
            input_scale=self.activation_scheme == "static",
        )


class CpuCompressedTensorsConfig(vllm_ct.CompressedTensorsConfig):  # type: ignore[misc]
    """compressed-tensors: FP8 schemes are unpacked, all others are vLLM's."""

    def get_quant_method(self, layer: torch.nn.Module, prefix: str) -> Any:
        """See vLLM."""
        method = super().get_quant_method(layer, prefix)
        scheme = getattr(layer, "scheme", None)
        if type(method) is not vllm_ct.CompressedTensorsLinearMethod or not isinstance(
            scheme, (CompressedTensorsW8A8Fp8, CompressedTensorsW8A16Fp8)
        ):
            return method
        if scheme.strategy != "tensor" and _has_amx():
            return method
        layer.scheme = None
        return DequantisingLinearMethod(
            STRATEGY_TO_PARAMETER_TYPE[scheme.strategy],
            scheme.weight_block_size,
            "weight_scale",
            input_scale=scheme.is_static_input_scheme,
        )


def _has_amx() -> bool:
    amx: bool = torch.cpu._is_amx_tile_supported()
    return amx


def register() -> None:
    """Have vLLM use these; a second call changes nothing."""
    register_quantization_config("fp8")(CpuFp8Config)
    register_quantization_config("compressed-tensors")(CpuCompressedTensorsConfig)
