"""What hardware a model asks for: how much memory each of so many GPUs must have."""

from __future__ import annotations

from engine.planner import choices
from engine.planner.divisibility import indivisible
from engine.planner.kv_cache import lay_out
from engine.planner.learned import Learned
from engine.planner.machine import GIB, SHOWN_OF_NOMINAL
from engine.planner.model_shape import ModelShape
from engine.planner.overhead import gpu_overhead
from engine.planner.weights import device_weights


def needed_gigabytes(shape: ModelShape, context: int, tp: int = 1) -> int | None:
    """The least GB, as cards are sold, that each of `tp` GPUs needs for one chat of `context`.

    None where the model cannot be divided so.
    """
    if indivisible(shape, tp) is not None:
        return None
    layout = lay_out(
        shape,
        value_bytes=choices.kv_value_bytes(shape, "auto", "auto"),
        tp=tp,
        block_size=choices.CUDA_BLOCK_SIZE,
        in_flight=choices.CUDA_STEPS * choices.CUDA_BATCHED_TOKENS,
    )
    overhead = gpu_overhead(shape, "", tp, choices.CUDA_SEQUENCES, False, Learned())
    needed = device_weights(shape, 2, tp) + overhead + layout.bytes_for(context)
    return -int(-needed // (choices.CUDA_UTILISATION * SHOWN_OF_NOMINAL * GIB))
