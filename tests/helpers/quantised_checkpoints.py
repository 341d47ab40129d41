"""Checkpoints of every format that users bring, made of a plain safetensors model folder.

Each maker writes a folder and returns the weights that it stands for, in float32: a reference.
Rounding is to nearest; the layouts are those of the tools that write such checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tests.helpers.awq_packing import Tensors, is_linear, load_weights, make_awq, write_model

FP8_MOST = 448.0  # of float8_e4m3fn
BLOCK = 128
Layer = Callable[[str, torch.Tensor], tuple[Tensors, torch.Tensor]]
Maker = Callable[[Path, Path], Tensors]


def _made(
    source: Path, folder: Path, layer: Layer, quantisation: dict[str, Any], dtype: str
) -> Tensors:
    """Write each linear layer as `layer` has it, the others in `dtype`."""
    written: Tensors = {}
    reference: Tensors = {}
    kind = getattr(torch, dtype)
    for name, tensor in load_weights(source).items():
        if is_linear(name, tensor):
            tensors, exact = layer(name.removesuffix(".weight"), tensor.float())
            written |= tensors
        else:
            written[name] = tensor.to(kind)
            exact = written[name].float()
        reference[name] = exact
    write_model(source, folder, written, quantisation, dtype)
    return reference


def plain(dtype: str) -> Maker:
    """Not quantised."""

    def make(source: Path, folder: Path) -> Tensors:
        weights = {name: t.to(getattr(torch, dtype)) for name, t in load_weights(source).items()}
        write_model(source, folder, weights, None, dtype)
        return {name: tensor.float() for name, tensor in weights.items()}

    return make


def _symmetric(weight: torch.Tensor, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Values 0 to 15 around 8 [out, in], float16 scales [out, groups], and what they stand for."""
    out, features = weight.shape
    groups = weight.view(out, -1, size)
    scales = (groups.abs().amax(-1, keepdim=True) / 7).clamp(min=1e-5).half().float()
    values = (groups / scales).round().clamp(-8, 7)
    exact = (values * scales).view(out, features)
    return (values + 8).view(out, features).byte(), scales.squeeze(-1).half(), exact


def _in_order(values: torch.Tensor) -> torch.Tensor:
    """Pack [rows, columns] of 0 to 15 into int32 [rows, columns/8], in order."""
    runs = values.reshape(values.size(0), -1, 8)
    octets = runs[:, :, 0::2] | (runs[:, :, 1::2] << 4)
    return octets.contiguous().view(torch.int32).squeeze(-1)


def gptq(group_size: int) -> Maker:
    """GPTQ: symmetric, without activation order."""

    def layer(name: str, weight: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
        size = weight.size(1) if group_size == -1 else group_size
        values, scales, exact = _symmetric(weight, size)
        groups = scales.size(1)
        # Its zero points are stored less one.
        zeros = _in_order(torch.full((groups, weight.size(0)), 7, dtype=torch.uint8))
        tensors = {
            f"{name}.qweight": _in_order(values).t(),
            f"{name}.qzeros": zeros,
            f"{name}.scales": scales.t(),
            f"{name}.g_idx": torch.arange(weight.size(1), dtype=torch.int32) // size,
        }
        return tensors, exact

    quantisation = {
        "quant_method": "gptq",
        "bits": 4,
        "group_size": group_size,
        "desc_act": False,
        "sym": True,
    }
    return lambda source, folder: _made(source, folder, layer, quantisation, "float16")


def _compressed(
    weights: dict[str, Any], inputs: dict[str, Any] | None, form: str
) -> dict[str, Any]:
    return {
        "quant_method": "compressed-tensors",
        "format": form,
        "quantization_status": "compressed",
        "ignore": ["lm_head"],
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "weights": weights,
                "input_activations": inputs,
                "output_activations": None,
            }
        },
    }


def w4a16(group_size: int, *, symmetric: bool = True) -> Maker:
    """compressed-tensors with 4-bit weights; `group_size` -1: one scale a row."""

    def layer(name: str, weight: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
        size = weight.size(1) if group_size == -1 else group_size
        values, scales, exact = _symmetric(weight, size)
        tensors = {
            f"{name}.weight_packed": _in_order(values),
            f"{name}.weight_scale": scales,
            f"{name}.weight_shape": torch.tensor(weight.shape, dtype=torch.int64),
        }
        if not symmetric:
            zeros = torch.full((scales.size(1), weight.size(0)), 8, dtype=torch.uint8)
            tensors[f"{name}.weight_zero_point"] = _in_order(zeros).t()
        return tensors, exact

    weights = {
        "num_bits": 4,
        "type": "int",
        "symmetric": symmetric,
        "strategy": "channel" if group_size == -1 else "group",
        "group_size": None if group_size == -1 else group_size,
        "dynamic": False,
    }
    quantisation = _compressed(weights, None, "pack-quantized")
    return lambda source, folder: _made(source, folder, layer, quantisation, "bfloat16")


def _fp8(weight: torch.Tensor, scales: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    stored = (weight / scales).clamp(-FP8_MOST, FP8_MOST).to(torch.float8_e4m3fn)
    return stored, stored.float() * scales


def fp8_per_tensor() -> Maker:
    """FP8 with one scale a layer; activations are scaled as they come."""

    def layer(name: str, weight: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
        scale = weight.abs().max() / FP8_MOST
        stored, exact = _fp8(weight, scale)
        return {f"{name}.weight": stored, f"{name}.weight_scale": scale}, exact

    quantisation = {"quant_method": "fp8", "activation_scheme": "dynamic"}
    return lambda source, folder: _made(source, folder, layer, quantisation, "bfloat16")


def fp8_per_channel() -> Maker:
    """compressed-tensors' FP8: a scale a row, activations scaled per token."""

    def layer(name: str, weight: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
        scales = weight.abs().amax(1, keepdim=True) / FP8_MOST
        stored, exact = _fp8(weight, scales)
        return {f"{name}.weight": stored, f"{name}.weight_scale": scales}, exact

    eight = {"num_bits": 8, "type": "float", "symmetric": True}
    quantisation = _compressed(
        eight | {"strategy": "channel", "dynamic": False},
        eight | {"strategy": "token", "dynamic": True},
        "float-quantized",
    )
    return lambda source, folder: _made(source, folder, layer, quantisation, "bfloat16")


def fp8_block() -> Maker:
    """FP8 with a scale for each block of 128 x 128."""

    def layer(name: str, weight: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
        out, features = weight.shape
        blocks = weight.view(out // BLOCK, BLOCK, features // BLOCK, BLOCK)
        scales = blocks.abs().amax((1, 3)) / FP8_MOST
        wide = scales.repeat_interleave(BLOCK, 0).repeat_interleave(BLOCK, 1)
        stored, exact = _fp8(weight, wide)
        return {f"{name}.weight": stored, f"{name}.weight_scale_inv": scales}, exact

    quantisation = {
        "quant_method": "fp8",
        "activation_scheme": "dynamic",
        "weight_block_size": [BLOCK, BLOCK],
    }
    return lambda source, folder: _made(source, folder, layer, quantisation, "bfloat16")


FORMATS: dict[str, Maker] = {
    "fp16": plain("float16"),
    "bf16": plain("bfloat16"),
    "fp32": plain("float32"),
    "awq": lambda source, folder: make_awq(source, folder, 64),
    "awq-row": lambda source, folder: make_awq(source, folder, -1),
    "gptq": gptq(64),
    "gptq-row": gptq(-1),
    "w4a16": w4a16(64),
    "w4a16-zeros": w4a16(64, symmetric=False),
    "w4a16-row": w4a16(-1),
    "fp8-tensor": fp8_per_tensor(),
    "fp8-channel": fp8_per_channel(),
    "fp8-block": fp8_block(),
}
