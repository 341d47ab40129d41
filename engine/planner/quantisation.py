"""How the weights are stored: which format, and how many bits a weight with its scales takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.planner.config_values import Values, whole

DTYPE_BYTES = {
    "float64": 8,
    "float32": 4,
    "float16": 2,
    "bfloat16": 2,
    "float8_e4m3fn": 1,
    "float8_e5m2": 1,
}
_FORMATS = {"float32": "fp32", "float16": "fp16"}


@dataclass(frozen=True, slots=True)
class Quantisation:
    """How the linear layers are stored.

    Attributes:
        bits: of a weight alone.
        group_size: weights along the input that share a scale; 0 for a whole row or tensor.
        zeros: a zero point beside each scale.
        kv_dtype: "fp8" where the checkpoint asks for such a KV cache, else "auto".
        scales: of FP8: what has one scale; see `ModelShape.scales`.
    """

    format: str
    bits: float
    group_size: int = 0
    zeros: bool = False
    kv_dtype: str = "auto"
    scales: str = ""

    def linear_bytes(self, params: int) -> int:
        """Of `params` weights with scales and zero points; the formula is in claims.md's words:
        4 + 16/g + 4/g bits at 4 bits and group g.
        """
        bits_of_group = self.bits * self.group_size + 16 + (self.bits if self.zeros else 0)
        if self.group_size:
            return int(params * bits_of_group) // (8 * self.group_size)
        return int(params * self.bits) // 8


def read_dtype(values: Values) -> str:
    """What the model computes in by its config: "bfloat16", "float16" or "float32"."""
    named = values.text("dtype", "torch_dtype").removeprefix("torch.")
    return named if named in {"bfloat16", "float16", "float32"} else "bfloat16"


def read_quantisation(values: Values) -> Quantisation:
    """The format by `quantization_config`; without one, what the model computes in."""
    told = values.mapping("quantization_config", "compression_config")
    if not told:
        dtype = read_dtype(values)
        return Quantisation(_FORMATS.get(dtype, "bf16"), 8 * DTYPE_BYTES[dtype])
    method = told.get("quant_method")
    method = method.lower().replace("_", "-") if isinstance(method, str) else ""
    kv_dtype = _kv_dtype(told)
    if method in {"awq", "awq-marlin"}:
        return Quantisation("awq", _bits(told, 4), _group(told, 128), True, kv_dtype)
    if method in {"gptq", "gptq-marlin", "auto-round"}:
        symmetric = told.get("sym") is not False
        return Quantisation("gptq", _bits(told, 4), _group(told, 128), not symmetric, kv_dtype)
    if method == "compressed-tensors":
        return _compressed_tensors(told, kv_dtype)
    if method == "fp8":
        scales = "block" if told.get("weight_block_size") else "tensor"
        return Quantisation("fp8", 8, 0, kv_dtype=kv_dtype, scales=scales)
    if method in {"fbgemm-fp8", "modelopt"}:
        return Quantisation("fp8", 8, 0, kv_dtype=kv_dtype)
    if method in {"mxfp4", "modelopt-fp4", "nvfp4"}:
        group = 32 if method == "mxfp4" else 16
        # Their scales are a byte each: as many bits as half a 16-bit one.
        return Quantisation("w4a16", 4 + 8 / group, 0, kv_dtype=kv_dtype)
    if method in {"bitsandbytes", "hqq"}:
        return Quantisation("w4a16", 8 if told.get("load_in_8bit") is True else 4.5)
    if method == "gguf":
        return Quantisation("gguf", 4.5)
    return Quantisation("w4a16", _bits(told, 8), _group(told, 0), kv_dtype=kv_dtype)


def _compressed_tensors(told: Mapping[str, Any], kv_dtype: str) -> Quantisation:
    groups = told.get("config_groups")
    first = next(iter(groups.values()), None) if isinstance(groups, Mapping) else None
    weights = first.get("weights") if isinstance(first, Mapping) else None
    weights = weights if isinstance(weights, Mapping) else {}
    bits = whole(weights.get("num_bits")) or 8
    if bits >= 8 and weights.get("type") == "int":
        return Quantisation("int8", 8, 0, kv_dtype=kv_dtype)
    if bits >= 8:
        strategy = weights.get("strategy")
        scales = strategy if strategy in {"channel", "block"} else "tensor"
        return Quantisation("fp8", 8, 0, kv_dtype=kv_dtype, scales=scales)
    zeros = weights.get("symmetric") is False
    return Quantisation("w4a16", bits, whole(weights.get("group_size")), zeros, kv_dtype)


def _bits(told: Mapping[str, Any], default: int) -> int:
    bits = whole(told.get("bits")) or whole(told.get("w_bit"))
    return bits if 0 < bits <= 16 else default


def _group(told: Mapping[str, Any], default: int) -> int:
    for name in ("group_size", "q_group_size"):
        value = told.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return whole(value)  # -1: a whole row
    return default


def _kv_dtype(told: Mapping[str, Any]) -> str:
    inner = told.get("quantization")
    for place in (told, inner if isinstance(inner, Mapping) else {}):
        scheme = place.get("kv_cache_scheme") or place.get("kv_cache_quant_algo")
        if isinstance(scheme, str) and scheme.lower().startswith("fp8"):
            return "fp8"
        if isinstance(scheme, Mapping) and scheme.get("num_bits") == 8:
            return "fp8" if scheme.get("type") in {"float", None} else "auto"
    return "auto"
