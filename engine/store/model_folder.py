"""What a model folder holds, read from its small files before anything is loaded.

Catches, in milliseconds and in plain words, what vLLM would report after a minute and in
its own: files that are missing, formats that could run code, no chat template.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.protocol import Failure, Remedy, RemedyAction, Scope
from engine.weight_file import tensor_count

_TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "tekken.json", "vocab.json", "vocab.txt")
_UNSAFE_WEIGHTS = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
CONFIG_BYTES = 16 * 1024 * 1024


class ModelFolderError(Exception):
    """A folder that cannot be loaded; `failure` says why and what to do."""

    def __init__(self, code: str, cause: str, *remedies: Remedy) -> None:
        super().__init__(cause)
        again = Remedy("Choose another model", RemedyAction.CHOOSE_MODEL)
        self.failure = Failure(Scope.LOAD, cause, code=code, remedies=(*remedies, again))


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the planner needs to know. Sizes in bytes, lengths in tokens."""

    folder: Path
    weights_bytes: int
    parameter_bytes: int  # of one stored 16- or 32-bit weight
    context: int
    layers: int
    kv_heads: int
    head_dim: int
    quantization: str  # "" for none

    def kv_bytes_per_token(self, value_bytes: int) -> int:
        """KV cache of one token: 2 x layers x KV heads x head size x bytes a value."""
        return 2 * self.layers * self.kv_heads * self.head_dim * value_bytes


def read_model_folder(folder: Path) -> ModelFacts:
    """Check `folder` and read its facts.

    Raises:
        ModelFolderError: something is missing or not to be loaded; it names the file.
    """
    if not folder.is_dir():
        raise ModelFolderError(
            "model_missing",
            f"There is no model folder at {folder}.",
            *_starter_remedy(folder),
        )
    config = _read_config(folder)
    weights = _check_weights(folder)
    if not any((folder / name).is_file() for name in _TOKENIZER_FILES):
        raise ModelFolderError(
            "tokenizer_missing",
            f"The tokenizer of {folder.name} is missing: none of {', '.join(_TOKENIZER_FILES[:2])} "
            "is in its folder. Fetch the model's tokenizer files again.",
            *_starter_remedy(folder),
        )
    _check_tokenizer(folder)
    _check_chat_template(folder)
    layers = _number(config, "num_hidden_layers", 0)
    if layers > _count_tensors(folder, weights):
        # vLLM would build layers for hours before it missed the first of their weights.
        raise ModelFolderError(
            "config_broken",
            f"The config.json of {folder.name} tells of {layers:,} layers; its weights have "
            "fewer. Fetch the model again.",
            *_starter_remedy(folder),
        )
    return _facts(folder, config, sum(path.stat().st_size for path in weights))


def _starter_remedy(folder: Path) -> tuple[Remedy, ...]:
    if "starter" in folder.parts:
        return (Remedy("Rebuild the starter model", RemedyAction.REBUILD_STARTER),)
    return ()


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ModelFolderError(
            "config_missing",
            f"{folder.name} is not a model folder: it has no config.json.",
            *_starter_remedy(folder),
        )
    try:
        if path.stat().st_size > CONFIG_BYTES:
            raise ValueError("too large")
        config = json.loads(path.read_text("utf-8"))
        if not isinstance(config, dict):
            raise ValueError("not an object")
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFolderError(
            "config_broken",
            f"The config.json of {folder.name} cannot be read ({error}). Fetch it again.",
            *_starter_remedy(folder),
        ) from error
    if "auto_map" in config:
        # vLLM would refuse with a hint to trust remote code, which we never do.
        config.pop("auto_map")
    return config


def _check_weights(folder: Path) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        try:
            names = sorted(set(json.loads(index.read_text("utf-8"))["weight_map"].values()))
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise ModelFolderError(
                "index_broken",
                f"{index.name} of {folder.name} cannot be read. Fetch it again.",
            ) from error
        missing = [name for name in names if not (folder / str(name)).is_file()]
        if missing:
            raise ModelFolderError(
                "weights_missing",
                f"{folder.name} is incomplete: {len(missing)} of {len(names)} weight files are "
                f"missing, the first is {missing[0]}. Fetch what is missing.",
            )
        return [folder / str(name) for name in names]
    weights = sorted(folder.glob("*.safetensors"))
    if weights:
        return weights
    unsafe = [path.name for pattern in _UNSAFE_WEIGHTS for path in folder.glob(pattern)]
    if unsafe:
        raise ModelFolderError(
            "weights_unsafe",
            f"{folder.name} has its weights only as {unsafe[0]}, a format that can run programs. "
            "Inglenook loads safetensors; look for such a build of the model.",
        )
    raise ModelFolderError(
        "weights_missing",
        f"{folder.name} has no weights: there is no .safetensors file in its folder.",
        *_starter_remedy(folder),
    )


def _count_tensors(folder: Path, weights: list[Path]) -> int:
    count = 0
    for path in weights:
        try:
            count += tensor_count(path)
        except (OSError, ValueError) as error:
            raise ModelFolderError(
                "weights_broken",
                f"The weight file {path.name} of {folder.name} is damaged ({error}). Fetch it "
                "again.",
                *_starter_remedy(folder),
            ) from error
    return count


def _check_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    if not path.is_file():
        return
    try:
        text = path.read_text("utf-8").strip()
        # Not parsed: it can have 30 MB, and a load is waited for.
        if not (text.startswith("{") and text.endswith("}")):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError) as error:
        raise ModelFolderError(
            "tokenizer_broken",
            f"The tokenizer.json of {folder.name} is damaged ({error}). Fetch it again.",
            *_starter_remedy(folder),
        ) from error


def _check_chat_template(folder: Path) -> None:
    if any((folder / name).is_file() for name in ("chat_template.jinja", "chat_template.json")):
        return
    if (folder / "tekken.json").is_file():
        return
    path = folder / "tokenizer_config.json"
    try:
        has = bool(json.loads(path.read_text("utf-8")).get("chat_template"))
    except (OSError, ValueError, AttributeError):
        has = False
    if not has:
        raise ModelFolderError(
            "no_chat_template",
            f"{folder.name} has no chat template, so it is a base model, not made for chats. "
            "Choose its “Instruct” or “Chat” build, or put a chat_template.jinja in its folder.",
        )


def _facts(folder: Path, config: dict[str, Any], weights_bytes: int) -> ModelFacts:
    inner = _text_config(config)
    heads = _number(config, "num_attention_heads", 32)
    quantization = config.get("quantization_config")
    dtype = inner.get("dtype") or inner.get("torch_dtype") or config.get("torch_dtype")
    return ModelFacts(
        folder=folder,
        weights_bytes=weights_bytes,
        parameter_bytes=4 if dtype == "float32" else 2,
        context=_number(config, "max_position_embeddings", 8192),
        layers=_number(config, "num_hidden_layers", 32),
        kv_heads=_number(config, "num_key_value_heads", heads),
        head_dim=_number(config, "head_dim", max(1, _number(config, "hidden_size", 4096) // heads)),
        quantization=(
            str(quantization.get("quant_method", "")) if isinstance(quantization, dict) else ""
        ),
    )


def _text_config(config: dict[str, Any]) -> dict[str, Any]:
    """Where a model of texts and images tells of its language model."""
    text = config.get("text_config")
    return text if isinstance(text, dict) else config


def _number(config: dict[str, Any], name: str, default: int) -> int:
    value = _text_config(config).get(name, config.get(name))
    return value if isinstance(value, int) and value > 0 else default
