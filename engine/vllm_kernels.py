"""Which kernel multiplies a loaded model's weights, in plain words: read from its layers."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

# Of the kernel's class in vLLM -> what the user reads. The first that matches.
WORDS: tuple[tuple[str, str], ...] = (
    (r"CPUWNA16", "INT4 CPU (AVX-512)"),
    (r"Marlin", "Marlin"),
    (r"Machete", "Machete"),
    (r"Exllama", "ExLlama"),
    (r"Conch", "Conch"),
    (r"Humming", "Humming"),
    (r"FlashInfer", "FlashInfer"),
    (r"DeepGemm", "DeepGEMM"),
    (r"Cutlass|CUTLASS", "CUTLASS"),
    (r"Triton", "Triton"),
    (r"AWQLinearMethod|GPTQLinearMethod", "vLLM's own"),
    (r"Torch", "PyTorch"),
)
_KERNELS = ("kernel", "fp8_linear", "linear_kernel")  # where linear methods and schemes keep it


def kernel_in_words(model: Any) -> str:
    """The kernel of most of the quantised linear layers of `model`; "" for none."""
    found = Counter(words for module in model.modules() if (words := _of_layer(module)))
    return found.most_common(1)[0][0] if found else ""


def _of_layer(module: Any) -> str:
    method = getattr(module, "quant_method", None)
    if method is None or type(method).__name__.startswith("Unquantized"):
        return ""
    # Ours say it themselves.
    own = getattr(method, "kernel_words", "")
    if own:
        return str(own)
    for holder in (method, getattr(module, "scheme", None)):
        for name in _KERNELS:
            if (kernel := getattr(holder, name, None)) is not None:
                return getattr(kernel, "words", "") or words_for(type(kernel).__name__)
    return words_for(type(method).__name__) if "LinearMethod" in type(method).__name__ else ""


def words_for(name: str) -> str:
    """What to call the kernel whose class is `name`; "" where no word is known."""
    return next((words for pattern, words in WORDS if re.search(pattern, name)), "")
