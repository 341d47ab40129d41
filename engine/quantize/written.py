"""The quantised model on the disk: written as vLLM expects it, and read again number by number."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from engine.quantize import packing
from engine.quantize import refusal_words as say
from engine.quantize.preflight import kept_files
from engine.quantize.wire import QuantizeError

_SHARD_BYTES = 4_000_000_000
_INDEX = "model.safetensors.index.json"
# Their activations outgrow float16, and vLLM runs them in bfloat16 for it.
_WIDE_KINDS = ("gemma", "gemma2")
_HALF_LARGEST = 65504.0


def write(model: nn.Module, source: Path, folder: Path, group_size: int) -> None:
    """Write the packed `model` with its configuration and the source's other files."""
    kept = model.config.model_type in _WIDE_KINDS
    tensors: dict[str, torch.Tensor] = {}
    seen: dict[int, str] = {}
    for name, value in model.state_dict().items():
        if value.data_ptr() in seen and value.numel():
            continue  # the head, where it is the embedding
        seen[value.data_ptr()] = name
        tensors[name] = value.cpu()
    weights = [value for value in tensors.values() if value.is_floating_point()]
    wide = kept or any(value.abs().amax().item() > _HALF_LARGEST for value in weights)
    dtype = torch.bfloat16 if wide else torch.float16
    for name, value in tensors.items():
        if value.is_floating_point() and not name.endswith(".scales"):
            tensors[name] = value.to(dtype)
    _save(tensors, folder)
    _write_config(source, folder, group_size, dtype)
    for path in kept_files(source):
        shutil.copyfile(path, folder / path.name)


def _save(tensors: dict[str, torch.Tensor], folder: Path) -> None:
    shards: list[dict[str, torch.Tensor]] = [{}]
    room = _SHARD_BYTES
    for name, value in tensors.items():
        size = value.numel() * value.element_size()
        if size > room and shards[-1]:
            shards.append({})
            room = _SHARD_BYTES
        shards[-1][name] = value.contiguous()
        room -= size
    names = [f"model-{n:05}-of-{len(shards):05}.safetensors" for n in range(1, len(shards) + 1)]
    if len(shards) == 1:
        names = ["model.safetensors"]
    for name, shard in zip(names, shards, strict=True):
        save_file(shard, str(folder / name), metadata={"format": "pt"})
    if len(shards) > 1:
        of = {key: name for name, shard in zip(names, shards, strict=True) for key in shard}
        total = sum(value.numel() * value.element_size() for value in tensors.values())
        index = {"metadata": {"total_size": total}, "weight_map": of}
        (folder / _INDEX).write_text(json.dumps(index, indent=2), encoding="utf-8")


def _write_config(source: Path, folder: Path, group_size: int, dtype: torch.dtype) -> None:
    config: dict[str, Any] = json.loads((source / "config.json").read_text("utf-8"))
    config.pop("auto_map", None)
    config["dtype" if "dtype" in config else "torch_dtype"] = str(dtype).removeprefix("torch.")
    config["quantization_config"] = {
        "quant_method": "awq",
        "version": "gemm",
        "bits": 4,
        "group_size": group_size,
        "zero_point": True,
    }
    text = json.dumps(config, indent=2, sort_keys=True)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")


class Written:
    """The numbers of the model in `folder`, by the names they have when they are not packed."""

    def __init__(self, folder: Path, group_size: int) -> None:
        self._group_size = group_size
        files: list[Any] = [
            safe_open(str(path), framework="pt") for path in sorted(folder.glob("*.safetensors"))
        ]
        self._of: dict[str, Any] = {name: file for file in files for name in file.keys()}  # noqa: SIM118
        self._read: set[str] = set()

    def weight(self, name: str, like: torch.Tensor) -> torch.Tensor:
        """The parameter `name`, which has the shape of `like`.

        Raises:
            QuantizeError: it is not there, or of another shape.
        """
        stem = name.removesuffix("weight")
        if f"{stem}qweight" in self._of:
            value = packing.dequantise(
                self._tensor(f"{stem}qweight"),
                self._tensor(f"{stem}qzeros"),
                self._tensor(f"{stem}scales"),
                self._group_size,
            )
        else:
            value = self._tensor(name)
        if value.shape != like.shape:
            raise QuantizeError("written", say.OTHER_SHAPE.format(name=name))
        return value

    def unread(self) -> list[str]:
        """The tensors that no parameter of the model has asked for."""
        return sorted(self._of.keys() - self._read)

    def _tensor(self, name: str) -> torch.Tensor:
        if name not in self._of:
            raise QuantizeError("written", say.MISSING.format(name=name))
        self._read.add(name)
        tensor: torch.Tensor = self._of[name].get_tensor(name)
        return tensor
