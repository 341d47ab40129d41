"""What this program adds to vLLM's workers, on any device: reports, and the last words.

A worker reads vLLM's own measurements of its memory and tells which kernel multiplies the
weights: private parts, behind this small module, held by a contract test against the real
vLLM. Where a worker is a process of its own, it keeps why it failed for the engine, which vLLM
tells no more than that it did. Only our worker classes import this module, in their processes.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from engine import awq_cpu, vllm_weight_loader
from engine.host_memory import resident_bytes, total_and_available
from engine.load_folder import LoadFolder
from engine.vllm_kernels import kernel_in_words
from engine.vllm_weight_loader import stored_bytes
from engine.worker_report import CPU, WorkerReport

R = TypeVar("R")

# In a spawned worker nothing else makes them known, and the model is loaded next.
vllm_weight_loader.register()
awq_cpu.install()


class WorkerPart:
    """A mixin, before vLLM's worker class."""

    inglenook_graphs = 0  # bytes of CUDA graphs
    inglenook_resident = 0  # bytes, before the KV cache was made

    def init_device(self) -> None:
        """See vLLM."""
        parent: Any = super()
        _with_last_words(parent.init_device)

    def load_model(self, *args: Any, **kwargs: Any) -> None:
        """See vLLM."""
        parent: Any = super()
        _with_last_words(lambda: parent.load_model(*args, **kwargs))

    def determine_available_memory(self) -> Any:
        """See vLLM."""
        parent: Any = super()
        return _with_last_words(parent.determine_available_memory)

    def initialize_from_config(self, *args: Any, **kwargs: Any) -> None:
        """See vLLM."""
        self.inglenook_resident = resident_bytes()
        parent: Any = super()
        _with_last_words(lambda: parent.initialize_from_config(*args, **kwargs))

    def compile_or_warm_up_model(self) -> Any:
        """See vLLM; the size of the CUDA graphs is told to no one else."""
        parent: Any = super()
        runner: Any = self.model_runner  # type: ignore[attr-defined]
        capture = getattr(runner, "capture_model", None)
        if capture is not None:

            def measured() -> Any:
                self.inglenook_graphs = capture()
                return self.inglenook_graphs

            runner.capture_model = measured
        try:
            return _with_last_words(parent.compile_or_warm_up_model)
        finally:
            if capture is not None:
                runner.capture_model = capture

    def inglenook_report(self) -> dict[str, Any]:
        """What the load made of this worker's device: a `WorkerReport`, as builtins."""
        return _report(self).to_builtins()


def _with_last_words(step: Callable[[], R]) -> R:
    try:
        return step()
    except Exception:
        folder = LoadFolder.of_worker(os.environ)
        if folder is not None:
            folder.note_error(traceback.format_exc())
        raise


def _report(worker: Any) -> WorkerReport:
    runner = worker.model_runner
    model = runner.get_model()
    kv = stored_bytes(_tensors(getattr(runner, "kv_caches", [])))
    kernel = kernel_in_words(model)
    if worker.device.type == "cpu":
        return WorkerReport(
            device=CPU,
            name="CPU",
            total=total_and_available()[0],
            weights=_host_weights(model, worker.model_config),
            kv=kv,
            resident=worker.inglenook_resident,
            kernel=kernel,
        )
    import torch
    from vllm.platforms import current_platform

    device = current_platform.visible_device_id_to_physical_device_id(worker.device.index)
    free, total = torch.accelerator.get_memory_info(worker.device)
    return WorkerReport(
        device=device,
        name=current_platform.get_device_name(worker.local_rank),
        total=total,
        free_before=worker.init_snapshot.free_memory,
        free=free,
        weights=int(runner.model_memory_usage) or stored_bytes([*model.parameters()]),
        kv=kv,
        graphs=int(worker.inglenook_graphs),
        consumed=int(getattr(worker, "total_consumed", 0)),
        headroom=_headroom(worker),
        kernel=kernel,
    )


def _headroom(worker: Any) -> int:
    """The peak of activations. VLLM adds its estimate of the graphs to it, unless told not to."""
    import vllm.envs as envs

    peak = int(getattr(worker, "peak_activation_memory", 0))
    if peak and envs.VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS:
        peak -= int(getattr(worker, "cudagraph_memory_estimate", 0))
    return max(0, peak)


def _host_weights(model: Any, config: Any) -> int:
    """Resident bytes of the weights in the host's memory.

    Some kernels for unquantised weights pack them into memory of their own and leave nothing
    in the model; as much is there then as was loaded.
    """
    now = stored_bytes([*model.parameters(), *model.buffers()])
    loaded = int(getattr(model, "inglenook_loaded_bytes", 0))
    return now if config.quantization else max(now, loaded)


def _tensors(value: Any) -> list[Any]:
    """All tensors in what may be a list of tensors, or of lists of them."""
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in _tensors(each)]
    return [value] if hasattr(value, "untyped_storage") else []
