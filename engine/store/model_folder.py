"""What a model folder holds, read from its small files before anything is loaded.

Catches, in milliseconds and in plain words, what vLLM would report after a minute and in
its own: files that are missing, formats that could run code, no chat template, settings that
do not go with the model. `folder_checks` has the checks, one for each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.failure_words import words
from engine.protocol import LoadSettings
from engine.store import folder_checks as checks
from engine.store.folder_error import JSON_BYTES as CONFIG_BYTES
from engine.store.folder_error import ModelFolderError, starter_remedy

__all__ = ["CONFIG_BYTES", "ModelFacts", "ModelFolderError", "read_model_folder"]

GREATEST = 1 << 40  # of a number in a config: more is no size of anything

_NO_FOLDER = words("There is no model folder at {folder}.")
_UNREADABLE = words("The model folder {name} cannot be read ({reason}).")
FEWER_LAYERS = words(
    "The config.json of {name} tells of {layers} layers; its weights have fewer. Fetch the model "
    "again."
)


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
    weights_file: Path | None = None  # a GGUF file; None: the weights lie in the folder

    @property
    def model(self) -> Path:
        """Where the weights are: the file, or the folder."""
        return self.weights_file or self.folder

    def kv_bytes_per_token(self, value_bytes: int) -> int:
        """KV cache of one token: 2 x layers x KV heads x head size x bytes a value."""
        return 2 * self.layers * self.kv_heads * self.head_dim * value_bytes


def read_model_folder(
    folder: Path, settings: LoadSettings | None = None, *, gguf: Path | None = None
) -> ModelFacts:
    """Check `folder`, and that `settings` go with it; read its facts.

    Args:
        gguf: the file that has the weights, where the folder has only config and tokenizer.

    Raises:
        ModelFolderError: something is missing or not to be loaded; it names the file.
    """
    try:
        return _read(folder, settings or LoadSettings(), gguf)
    except (OSError, ValueError) as error:  # no access, a loop of links, a name with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelFolderError(
            "model_unreadable", _UNREADABLE.format(name=folder.name, reason=reason)
        ) from error


def _read(folder: Path, settings: LoadSettings, gguf: Path | None) -> ModelFacts:
    if folder.suffix.lower() == ".gguf" and folder.is_file():
        checks.refuse_gguf(folder)
    if not folder.is_dir():
        raise ModelFolderError(
            "model_missing", _NO_FOLDER.format(folder=folder), *starter_remedy(folder)
        )
    config = checks.read_config(folder)
    inner = _text_config(config)
    weights = [gguf] if gguf is not None else checks.find_weights(folder)
    checks.check_tokenizer(folder, settings.tokenizer)
    checks.check_template(folder, settings)
    layers = _number(config, "num_hidden_layers", 0)
    if gguf is None and layers > checks.count_tensors(folder, weights):
        # vLLM would build layers for hours before it missed the first of their weights.
        raise ModelFolderError(
            "config_broken",
            FEWER_LAYERS.format(name=folder.name, layers=f"{layers:,}"),
            *starter_remedy(folder),
        )
    facts = _facts(folder, config, sum(path.stat().st_size for path in weights))
    if gguf is not None:
        facts = replace(facts, quantization="gguf", weights_file=gguf)
    checks.check_quantisation(folder, facts.quantization)
    heads = _number(config, "num_attention_heads", 0)
    checks.check_split(folder, heads, _number(config, "num_key_value_heads", heads or 1), settings)
    checks.check_context(folder, inner, settings)
    return facts


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


def _text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where a model of texts and images tells of its language model."""
    text = config.get("text_config")
    return text if isinstance(text, dict) else config


def _number(config: Mapping[str, Any], name: str, default: int) -> int:
    value = _text_config(config).get(name, config.get(name))
    if isinstance(value, bool) or not isinstance(value, int):
        return default
    return value if 0 < value <= GREATEST else default
