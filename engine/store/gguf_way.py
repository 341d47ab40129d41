"""Which way a GGUF file is loaded: as it is, through vLLM's plugin, or converted first.

The plugin (vllm-gguf-plugin 0.0.5) keeps the weights in their few bits, but its kernels are
CUDA's, and it maps names by a general rule that holds for some architectures only. Those that
its own tests load are taken as known; every other file is converted, which always works and
costs disk, minutes and 16 bits a weight.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

PLUGIN_MODULE: Final = "vllm_gguf_plugin"
# `general.architecture` of the models in the plugin's generation tests; text only.
PLUGIN_ARCHITECTURES: Final = frozenset(
    {"qwen2", "qwen3", "phi3", "gpt2", "stablelm", "gemma3", "olmoe"}
)


class Way(StrEnum):
    """How a file is loaded."""

    PLUGIN = "plugin"
    CONVERT = "convert"


@dataclass(frozen=True, slots=True)
class Choice:
    """A way, and why not the other; the reason is for people."""

    way: Way
    reason: str


def has_plugin() -> bool:
    """Whether the plugin is installed; it is not imported."""
    return importlib.util.find_spec(PLUGIN_MODULE) is not None


def choose_way(architecture: str, *, device: str, plugin: bool) -> Choice:
    """The way for a file of this architecture.

    Args:
        architecture: as the file's header says it.
        device: "cpu" or "cuda".
        plugin: whether it is installed (`has_plugin`).
    """
    if device != "cuda":
        return Choice(Way.CONVERT, "the processor cannot compute with GGUF weights")
    if not plugin:
        return Choice(Way.CONVERT, "vLLM's GGUF plugin is not installed")
    if architecture not in PLUGIN_ARCHITECTURES:
        return Choice(Way.CONVERT, f"vLLM's GGUF plugin is not known to load {architecture[:40]}")
    return Choice(Way.PLUGIN, "vLLM's GGUF plugin loads it as it is")


def plugin_arguments(file: Path, described: Path) -> dict[str, Any]:
    """What vLLM's `EngineArgs` need to load `file` through the plugin.

    Args:
        described: a folder with the model's config.json and tokenizer (`convert --describe`).
            Without it the plugin would take the vocabulary out of the file, in minutes.
    """
    return {
        "model": str(file),
        "tokenizer": str(described),
        "hf_config_path": str(described),
        "quantization": "gguf",
        "load_format": "gguf",
        "config_format": "gguf",
    }
