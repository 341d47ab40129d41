"""The stretching of positions (RoPE scaling) that a GGUF file tells in its own way.

Without it a model is right for short chats and babbles in long ones, so it is not left to
chance: what cannot be told is refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from engine.failure_words import words
from engine.store.gguf_error import GgufError
from engine.store.gguf_header import GgufHeader

FACTORS: Final = "rope_freqs.weight"
# Llama 3's own, the same in all of its models; only the greatest factor differs (8, 32).
_LOW: Final = 1.0
_HIGH: Final = 4.0
_ORIGINAL: Final = 8192
_NEAR: Final = 0.02

_UNKNOWN = words(
    "{file} stretches positions in a way that cannot be converted ({kind}). Look for the same "
    "model as safetensors."
)


def scaling_of(header: GgufHeader, factors: Sequence[float] | None) -> dict[str, Any]:
    """The entries for `rope_parameters` of a config.json; empty when nothing is stretched.

    Args:
        factors: the tensor `FACTORS` of the file, None when it has none.

    Raises:
        GgufError: it is stretched in a way that cannot be told.
    """
    if factors is not None and len(factors):
        return _llama3(header, factors)
    prefix = f"{header.architecture}.rope.scaling."
    kind = header.values.get(f"{prefix}type", "none")
    if kind in ("none", ""):
        return {}
    factor = header.values.get(f"{prefix}factor")
    original = header.values.get(f"{prefix}original_context_length")
    if kind == "linear" and isinstance(factor, float) and factor >= 1:
        return {"rope_type": "linear", "factor": factor}
    if kind == "yarn" and isinstance(factor, float) and factor >= 1 and isinstance(original, int):
        return {
            "rope_type": "yarn",
            "factor": factor,
            "original_max_position_embeddings": original,
        }
    raise GgufError("rope", _UNKNOWN.format(file=header.file.name, kind=str(kind)[:40]))


def _llama3(header: GgufHeader, factors: Sequence[float]) -> dict[str, Any]:
    base = header.values.get(f"{header.architecture}.rope.freq_base", 10_000.0)
    greatest = round(max(factors), 3)
    for told, expected in zip(
        factors, llama3_factors(greatest, float(base), len(factors)), strict=True
    ):
        if not math.isclose(told, expected, rel_tol=_NEAR):
            raise GgufError("rope", _UNKNOWN.format(file=header.file.name, kind=FACTORS))
    return {
        "rope_type": "llama3",
        "factor": greatest,
        "low_freq_factor": _LOW,
        "high_freq_factor": _HIGH,
        "original_max_position_embeddings": _ORIGINAL,
    }


def llama3_factors(factor: float, base: float, count: int) -> list[float]:
    """By what Llama 3 divides each frequency (transformers' `_compute_llama3_parameters`)."""
    found = []
    for index in range(count):
        length = 2 * math.pi * base ** (index / count)
        if length < _ORIGINAL / _HIGH:
            found.append(1.0)
        elif length > _ORIGINAL / _LOW:
            found.append(factor)
        else:
            smooth = (_ORIGINAL / length - _LOW) / (_HIGH - _LOW)
            found.append(1 / ((1 - smooth) / factor + smooth))
    return found
