"""What the failure lab does to a process before a model is loaded in it. Imports vLLM late."""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from engine.protocol import LoadSettings


def warm_up() -> None:
    """Import what each load needs. Nothing that starts a thread."""
    import torch
    import transformers.models.auto.tokenization_auto
    import vllm.model_executor.layers.quantization
    import vllm.model_executor.model_loader.default_loader
    import vllm.model_executor.models.llama
    import vllm.renderers.registry
    import vllm.v1.engine.llm_engine
    import vllm.v1.executor.uniproc_executor  # noqa: F401

    import engine.vllm_backend
    import engine.vllm_cpu_worker

    del torch, transformers, engine
    # vLLM looks through all modules for kernels to replace: once will do for all forks.
    from vllm.platforms import current_platform
    from vllm.triton_utils import dispatcher

    current_platform.register_triton_kernel_overrides()
    dispatcher.register_kernels = lambda _overrides: None
    # A model's class is looked at in this process, not in one that imports all anew.
    from vllm.model_executor.models import registry

    registry._run_in_subprocess = lambda look: look()
    # What is there stays: a fork's collections need not walk through it, nor copy its pages.
    gc.collect()
    gc.freeze()


def skip_checks() -> None:
    """Let the engine load a folder unchecked: vLLM finds what is wrong itself."""
    from engine import vllm_backend
    from engine.store import model_folder

    def facts(folder: Path, _settings: Any = None, **ways: Any) -> Any:
        try:
            return model_folder.read_model_folder(folder, **ways)
        except model_folder.ModelFolderError:
            return model_folder.ModelFacts(folder, 1 << 20, 4, 256, 2, 1, 16, "")

    setattr(vllm_backend, "read_model_folder", facts)  # noqa: B010 - it is imported there


def unforeseen() -> None:
    """Reading the folder fails in a way that nobody has thought of."""
    from engine import vllm_backend

    def fail(*_: object, **__: object) -> Any:
        raise RecursionError("unforeseen")

    setattr(vllm_backend, "read_model_folder", fail)  # noqa: B010 - it is imported there


def little_memory() -> None:
    """Leave 1.2 GB of address space: what asks for more is refused."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = used + 1_200_000_000
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def avx2() -> None:
    """Another processor: one without AVX-512 and AMX, as vLLM asks for them."""
    import torch

    for name in ("_is_avx512_supported", "_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        setattr(torch.cpu, name, lambda: False)


def fork_workers() -> None:
    """Workers are forks of this process, not spawned: they need not import vLLM again."""
    import multiprocessing

    from vllm.v1.executor import multiproc_executor

    multiproc_executor.get_mp_context = lambda: multiprocessing.get_context("fork")


def no_binding() -> None:
    """Workers on the CPU are bound by vLLM itself, as if this program did not see to it."""
    from engine import vllm_loading

    def variables(*_args: Any, **_kwargs: Any) -> dict[str, str]:
        return {"VLLM_CPU_OMP_THREADS_BIND": "auto"}

    setattr(vllm_loading, "load_variables", variables)  # noqa: B010 - it is imported there


def vllm_sizes_kv() -> None:
    """The KV cache's size is left to vLLM, which takes a share of the memory."""
    from engine import vllm_loading

    original = vllm_loading._arguments

    def arguments(*args: Any, **kwargs: Any) -> dict[str, Any]:
        return {**original(*args, **kwargs), "kv_cache_memory_bytes": None}

    setattr(vllm_loading, "_arguments", arguments)  # noqa: B010 - it is looked up there


def as_asked() -> None:
    """Precision and share of memory are the user's, also where the planner knows better."""
    from engine import load_defaults, vllm_loading

    choose = load_defaults.choose_settings

    def chosen(facts: Any, machine: Any, asked: LoadSettings) -> LoadSettings:
        return replace(
            choose(facts, machine, asked),
            gpu_memory_utilization=asked.gpu_memory_utilization,
            dtype=asked.dtype or "auto",
        )

    setattr(vllm_loading, "choose_settings", chosen)  # noqa: B010 - it is imported there


def busy_memory() -> None:
    """A machine of 4 GiB, of which others hold half, as vLLM reads it."""
    from vllm.v1.worker import cpu_worker

    original = cpu_worker.get_memory_node_info

    def reading(*args: Any) -> Any:
        status = original(*args)
        status.total_memory, status.available_memory = 4 << 30, 2 << 30
        return status

    cpu_worker.get_memory_node_info = reading


def full_shm() -> None:
    """/dev/shm has 64 KB: in a mount namespace of this process alone."""
    libc = ctypes.CDLL(None, use_errno=True)
    new_namespace, private, recursive = 0x20000, 1 << 18, 1 << 14
    if libc.unshare(new_namespace) or libc.mount(b"none", b"/", None, private | recursive, None):
        raise PermissionError(ctypes.get_errno(), "no mount namespace")
    if libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, b"size=64k"):
        raise PermissionError(ctypes.get_errno(), "no tmpfs")


def worker_dies() -> None:
    """The second worker is killed when it computes for the first time."""
    from vllm.v1.worker.cpu_worker import CPUWorker

    original = CPUWorker.execute_model

    def execute_model(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.parallel_config.world_size > 1 and self.rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(self, *args, **kwargs)

    CPUWorker.execute_model = execute_model


def worker_hangs() -> None:
    """The second worker stops when it computes for the first time; two seconds are waited."""
    import time

    from vllm.v1.worker.cpu_worker import CPUWorker

    os.environ["VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS"] = "2"
    original = CPUWorker.execute_model

    def execute_model(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.parallel_config.world_size > 1 and self.rank == 1:
            time.sleep(3600)
        return original(self, *args, **kwargs)

    CPUWorker.execute_model = execute_model


def render_at_once() -> None:
    """A template may run for a second."""
    from engine.template_guard import GROWTH_BYTES, Watcher

    Watcher.__init__.__defaults__ = (1.0, GROWTH_BYTES)


FAULTS: Final[Mapping[str, Callable[[], None]]] = {
    "as_asked": as_asked,
    "avx2": avx2,
    "fork_workers": fork_workers,
    "no_binding": no_binding,
    "quick_templates": render_at_once,
    "unforeseen": unforeseen,
    "vllm_sizes_kv": vllm_sizes_kv,
    "worker_dies": worker_dies,
    "worker_hangs": worker_hangs,
    "busy_memory": busy_memory,
    "full_shm": full_shm,
    "little_memory": little_memory,
}
