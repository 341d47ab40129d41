"""Makes an AWQ checkpoint of any safetensors model folder, by plain round-to-nearest.

The layout is autoawq's GEMM: for a linear layer [out, in], `qweight` int32 [in, out/8] and
`qzeros` [in/group, out/8] with the eight values of a word in the order 0 4 1 5 2 6 3 7 (value i
of a run of eight is at bits 4 * that place), `scales` float16 [in/group, out]. Written apart
from the program's own reader, so that the two check each other.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

# autoawq packs value ORDER[j] of each run of eight at bits 4j.
ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
SKIPPED = ("lm_head", "embed_tokens")
Tensors = dict[str, torch.Tensor]


def rounded(
    weight: torch.Tensor, group_size: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Round `weight` [out, in] to nearest: values 0 to 15 [out, in], scales float16 and zero
    points [out, groups]. w is about (value - zero) * scale.
    """
    out, features = weight.shape
    size = features if group_size == -1 else group_size
    groups = weight.float().view(out, features // size, size)
    low = groups.amin(-1, keepdim=True).clamp(max=0.0)
    high = groups.amax(-1, keepdim=True).clamp(min=0.0)
    scales = ((high - low) / 15).clamp(min=1e-5).half().float()
    zeros = (-low / scales).round().clamp(0, 15)
    values = ((groups / scales).round() + zeros).clamp(0, 15)
    return values.view(out, features).byte(), scales.squeeze(-1).half(), zeros.squeeze(-1).byte()


def pack(values: torch.Tensor) -> torch.Tensor:
    """Pack [rows, columns] of 0 to 15 into int32 [rows, columns/8], in AWQ's order."""
    runs = values.to(torch.uint8).reshape(values.size(0), -1, 8)[:, :, ORDER]
    # Two to a byte, the first low; four bytes to a little-endian word.
    octets = runs[:, :, 0::2] | (runs[:, :, 1::2] << 4)
    return octets.contiguous().view(torch.int32).squeeze(-1)


def packed_linear(name: str, weight: torch.Tensor, group_size: int) -> tuple[Tensors, torch.Tensor]:
    """The three tensors of one layer, and the float32 weight [out, in] that they stand for."""
    values, scales, zeros = rounded(weight, group_size)
    size = values.size(1) if group_size == -1 else group_size
    wide = scales.float().repeat_interleave(size, 1)
    exact = (values.float() - zeros.float().repeat_interleave(size, 1)) * wide
    tensors = {
        f"{name}.qweight": pack(values.t()),
        f"{name}.qzeros": pack(zeros.t()),
        f"{name}.scales": scales.t().contiguous(),
    }
    return tensors, exact


def is_linear(name: str, tensor: torch.Tensor) -> bool:
    """Whether AWQ packs this tensor of a checkpoint."""
    return (
        name.endswith(".weight") and tensor.ndim == 2 and not any(part in name for part in SKIPPED)
    )


def make_awq(source: Path, folder: Path, group_size: int = 64) -> Tensors:
    """Write the model in `source` as AWQ into `folder`; returns the dequantised weights.

    Those are the whole checkpoint in float32, as `source` names it: a reference.
    """
    written: Tensors = {}
    reference: Tensors = {}
    for name, tensor in load_weights(source).items():
        if is_linear(name, tensor):
            tensors, exact = packed_linear(name.removesuffix(".weight"), tensor, group_size)
            written |= tensors
            reference[name] = exact
        else:
            written[name] = tensor.half()
            reference[name] = written[name].float()
    quantisation = {
        "quant_method": "awq",
        "bits": 4,
        "group_size": group_size,
        "zero_point": True,
        "version": "gemm",
    }
    write_model(source, folder, written, quantisation, dtype="float16")
    return reference


def load_weights(source: Path) -> Tensors:
    """All tensors of a model folder."""
    found: Tensors = {}
    for path in sorted(source.glob("*.safetensors")):
        found |= load_file(path)
    return found


def write_model(
    source: Path, folder: Path, weights: Tensors, quantisation: dict[str, Any] | None, dtype: str
) -> None:
    """Write `weights` into `folder` with the other files of `source`."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.suffix != ".safetensors" and path.name != "manifest.json" and path.is_file():
            shutil.copyfile(path, folder / path.name)
    config = json.loads((source / "config.json").read_text())
    config.pop("torch_dtype", None)
    config["dtype"] = dtype
    if quantisation is not None:
        config["quantization_config"] = quantisation
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    save_file(
        {name: tensor.contiguous() for name, tensor in weights.items()},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
