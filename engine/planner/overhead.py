"""What a device needs beside weights and KV cache: measured where a load did, else estimated.

Before the first load: 1.6 GiB on a GPU. Reported by users of vLLM: 0.02 to 0.28 GiB outside of
PyTorch, 0.37 to 1.26 GiB of activations, 0.13 to 0.74 GiB of CUDA graphs, which grow with the
number of answers at once.
"""

from __future__ import annotations

from engine.planner.learned import CPU, Learned, Measured
from engine.planner.machine import GIB
from engine.planner.model_shape import ModelShape

GPU_OVERHEAD = int(1.6 * GIB)  # at GRAPHS_FULL_AT answers or more
GRAPHS = int(0.44 * GIB)  # of it
GRAPHS_LEAST = int(0.13 * GIB)
GRAPHS_FULL_AT = 64
# CUDA's own context, which vLLM finds in use when it begins, and does not count as its own.
CUDA_CONTEXT = int(0.5 * GIB)
# The engine's code and activations, and what a desktop must keep.
CPU_OVERHEAD = int(1.5 * GIB)


def gpu_overhead(
    shape: ModelShape, name: str, tp: int, sequences: int, eager: bool, learned: Learned
) -> int:
    """Bytes on one GPU, without `CUDA_CONTEXT`."""
    found = learned.find(name, shape.key, tp)
    if found is None:
        return GPU_OVERHEAD - GRAPHS + (0 if eager else _graphs(sequences))
    return found.overhead + (0 if eager else _graphs_after(found, sequences))


def uncounted(shape: ModelShape, name: str, tp: int, learned: Learned) -> int:
    """What a GPU holds for CUDA, outside of what vLLM counts as its own."""
    found = learned.find(name, shape.key, tp)
    return max(CUDA_CONTEXT, found.uncounted if found else 0)


def cpu_overhead(shape: ModelShape, tp: int, learned: Learned) -> int:
    """Bytes in the host's memory, of all `tp` workers."""
    found = learned.find(CPU, shape.key, tp)
    return max(CPU_OVERHEAD, found.overhead + found.uncounted) if found else CPU_OVERHEAD * tp


def _graphs(sequences: int) -> int:
    share = min(1.0, max(0, sequences) / GRAPHS_FULL_AT)
    return GRAPHS_LEAST + int((GRAPHS - GRAPHS_LEAST) * share)


def _graphs_after(found: Measured, sequences: int) -> int:
    if found.graphs and found.sequences:
        return found.graphs * _graphs(sequences) // _graphs(found.sequences)
    return _graphs(sequences)  # it was measured without graphs
