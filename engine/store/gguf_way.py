"""Which way a GGUF file is loaded: as it is, through vLLM's plugin, or converted first.

The plugin (vllm-gguf-plugin 0.0.5) keeps the weights in their few bits, but its kernels are
CUDA's, and it maps names by a general rule that holds for some architectures only. Those that
its own tests load are taken as known; every other file is converted, which always works and
costs disk, minutes and 16 bits a weight.

What only a GPU can show: that the plugin's kernels compute what a file's few bits say, and how
fast; and that it loads files of two and more GPUs. All before them has no CUDA in it: with the
plugin 0.0.5 on the path of the CPU build, vLLM 0.32 took `plugin_arguments`, mapped the weights
of a Qwen3 file in 32 bits (which need no kernel of its), and gave transformers' greedy tokens.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

PLUGIN: Final = "vllm-gguf-plugin"
PLUGIN_MODULE: Final = "vllm_gguf_plugin"
# `general.architecture` of the models in the plugin's generation tests; text only. Without
# OLMoE, whose config transformers cannot make of a file.
PLUGIN_ARCHITECTURES: Final = frozenset({"qwen2", "qwen3", "phi3", "gpt2", "stablelm", "gemma3"})


class Way(StrEnum):
    """How a file is loaded."""

    PLUGIN = "plugin"
    CONVERT = "convert"


class Reason(StrEnum):
    """Why a file is loaded that way."""

    PLUGIN = "vLLM's GGUF plugin loads it as it is"
    PROCESSOR = "the processor cannot compute with GGUF weights"
    NO_PLUGIN = "vLLM's GGUF plugin is not installed"
    ARCHITECTURE = "vLLM's GGUF plugin is not known to load this architecture"


@dataclass(frozen=True, slots=True)
class Choice:
    """A way, and why not the other."""

    way: Way
    reason: Reason


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
        return Choice(Way.CONVERT, Reason.PROCESSOR)
    if not plugin:
        return Choice(Way.CONVERT, Reason.NO_PLUGIN)
    if architecture not in PLUGIN_ARCHITECTURES:
        return Choice(Way.CONVERT, Reason.ARCHITECTURE)
    return Choice(Way.PLUGIN, Reason.PLUGIN)


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
