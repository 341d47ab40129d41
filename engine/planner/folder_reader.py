"""Reads the shape of a model that lies in a folder: its config.json and the weights' headers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.failure_words import words
from engine.plain_file import open_plain
from engine.planner.config_reader import read_shape
from engine.planner.gguf_reader import shape_of_gguf
from engine.planner.model_shape import ModelShape, ShapeError, TensorInfo
from engine.weight_file import read_tensors

CONFIG_BYTES = 16 * 1024 * 1024
INDEX_BYTES = 64 * 1024 * 1024
MOST_FILES = 1000

_NO_MODEL = words(
    "The config.json of {name} does not tell of a language model: it names no layers, no width or "
    "no vocabulary."
)
_NAMELESS = words("this model")
_TOO_LARGE = words("The {file} of {name} is too large to be one.")
_NO_FILE = words("There is no {file} in {folder}.")
_UNREADABLE = words("The {file} of {name} cannot be read: {reason}.")
_NO_JSON = words("The {file} of {name} is damaged: it is not JSON.")
_NO_OBJECT = words("The {file} of {name} is damaged: it is not an object.")
_GGUF_UNREADABLE = words("{file} cannot be read: {reason}.")


def shape_of_folder(path: Path) -> ModelShape:
    """The shape of the model in a folder, or of a .gguf file.

    A GGUF file is looked into by another process, where no config.json lies beside it. Weights
    that are damaged or not there yet only cost exactness.

    Raises:
        ShapeError: there is no readable config.json, or it tells of no language model.
    """
    if path.suffix.lower() == ".gguf":
        return _shape_of_gguf(path)
    config = read_json(path / "config.json", CONFIG_BYTES)
    shape = read_shape(config, _headers(path))
    return check_shape(replace(shape, name=path.name))


def check_shape(shape: ModelShape) -> ModelShape:
    """`shape` itself.

    Raises:
        ShapeError: it is that of nothing.
    """
    if shape.layers and shape.hidden and shape.vocab:
        return shape
    raise ShapeError(_NO_MODEL.format(name=shape.name or _NAMELESS))


def read_json(path: Path, limit: int) -> Mapping[str, Any]:
    """An object from a JSON file of at most `limit` bytes.

    Raises:
        ShapeError: there is none.
    """
    file, name = path.name, path.parent.name
    try:
        with open_plain(path) as opened:
            content = opened.read(limit + 1)
        if len(content) > limit:
            raise ShapeError(_TOO_LARGE.format(file=file, name=name))
        value = json.loads(content)
    except FileNotFoundError as error:
        raise ShapeError(_NO_FILE.format(file=file, folder=path.parent)) from error
    except OSError as error:
        raise ShapeError(_UNREADABLE.format(file=file, name=name, reason=error.strerror)) from error
    except (ValueError, RecursionError) as error:
        raise ShapeError(_NO_JSON.format(file=file, name=name)) from error
    if not isinstance(value, dict):
        raise ShapeError(_NO_OBJECT.format(file=file, name=name))
    return value


def _headers(folder: Path) -> dict[str, TensorInfo] | None:
    """The tensors of all weight files; None unless all of them can be read."""
    tensors: dict[str, TensorInfo] = {}
    try:
        names = _weight_files(folder)
        for name in names:
            tensors.update(read_tensors(folder / name))
    except (OSError, ValueError, ShapeError):
        return None
    return tensors or None


def _weight_files(folder: Path) -> list[str]:
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return sorted(path.name for path in folder.glob("*.safetensors"))[:MOST_FILES]
    return named_by_index(read_json(index, INDEX_BYTES))


def named_by_index(index: Mapping[str, Any]) -> list[str]:
    """The weight files that a model.safetensors.index.json names.

    Raises:
        ValueError: it names none, too many, or one outside of its folder.
    """
    named = index.get("weight_map")
    names = sorted({str(name) for name in named.values()}) if isinstance(named, dict) else []
    if not 0 < len(names) <= MOST_FILES:
        raise ValueError("the index names no weight files, or too many")
    for name in names:
        if "/" in name or "\\" in name or not name.endswith(".safetensors"):
            raise ValueError(f"the index names {name!r}")
    return names


def _shape_of_gguf(path: Path) -> ModelShape:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise ShapeError(_GGUF_UNREADABLE.format(file=path.name, reason=error.strerror)) from error
    beside = path.parent / "config.json"
    if not beside.is_file():
        return check_shape(shape_of_gguf(path))
    # How it is quantised is in the file, whatever the config was made for.
    told = {
        **read_json(beside, CONFIG_BYTES),
        "quantization_config": {"quant_method": "gguf"},
    }
    return check_shape(as_gguf(replace(read_shape(told), name=path.stem), size))


def as_gguf(shape: ModelShape, size: int) -> ModelShape:
    """`shape` in a GGUF file of `size` bytes: all of the file is loaded."""
    wide = 2 * shape.other_params
    linear = max(0, size - wide)
    total = shape.linear_params + shape.embedding_params + shape.head_params
    # Embedding and head are quantised too, about as far as the layers.
    share = shape.linear_params / total if total else 1.0
    return replace(
        shape,
        format="gguf",
        linear_bytes=int(linear * share),
        weights_bytes=size,
        bits=round(8 * linear / total, 2) if total else 0.0,
        is_exact=True,
    )
