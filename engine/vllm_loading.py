"""Builds vLLM's LLMEngine in this process and reports the stages as they pass.

The stages are observed where vLLM calls out: a subclass of its executor (profiling, KV
allocation, warm-up) and a registered weight loader (bytes read). No log is parsed.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import awq_cpu, vllm_weight_loader
from engine.environment import load_variables
from engine.load_defaults import choose_settings, read_machine
from engine.load_folder import VARIABLE, LoadFolder
from engine.load_limit import patient
from engine.protocol import LoadSettings, LoadStage
from engine.stage_clock import StageClock
from engine.store.gguf_way import plugin_arguments
from engine.store.model_folder import ModelFacts
from engine.vllm_devices import used_memory, wants_custom_all_reduce

CPU_WORKER = "engine.vllm_cpu_worker.SeedKeepingCPUWorker"  # workers find them by name
GPU_WORKER = "engine.vllm_gpu_worker.ReportingGPUWorker"
POLL_SECONDS = 0.25
GIB = 1 << 30

# The executor is made by vLLM, from its class: it finds the clock here.
_clock: StageClock | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A loaded engine, not warmed up. `used_before`: bytes of each device, before the load."""

    engine: Any
    settings: LoadSettings
    used_before: dict[int, int]


def _reporting_executor(base: type, folder: LoadFolder, on_weights: Callable[[], None]) -> type:
    def enter(stage: LoadStage) -> None:
        if _clock is not None:
            _clock.enter(stage)

    class ReportingExecutor(base):  # type: ignore[misc]
        """vLLM's executor, telling which stage of the load it is in."""

        def _init_executor(self) -> None:
            enter(LoadStage.READING_WEIGHTS)
            on_weights()
            before, tempfile.tempdir = tempfile.tempdir, str(folder.path)
            try:  # the file in which the workers meet is not left in /tmp
                super()._init_executor()
            finally:
                tempfile.tempdir = before

        def determine_available_memory(self) -> Any:
            enter(LoadStage.PROFILING_MEMORY)
            return super().determine_available_memory()

        def initialize_from_config(self, kv_cache_configs: Any) -> None:
            enter(LoadStage.ALLOCATING_KV)
            super().initialize_from_config(kv_cache_configs)

        def compile_or_warm_up_model(self) -> None:
            enter(LoadStage.WARMING_UP)
            super().compile_or_warm_up_model()

    return ReportingExecutor


def build_engine(
    facts: ModelFacts,
    asked: LoadSettings,
    clock: StageClock,
    on_settings: Callable[[LoadSettings], None],
    on_config: Callable[[Any], None],
) -> Built:
    """Load the model; vLLM's LLMEngine is not warmed up.

    `on_settings` is told what was decided where `asked` leaves it open. `on_config` is called
    with the VllmConfig when the weights begin to be read: the prompt renderer loads its
    tokenizer meanwhile, and not sooner, for vLLM then loads its own.

    Raises:
        Exception: whatever vLLM raises; with the last words of its workers, if there are any,
            as notes. `failures.explain` reads the text.
    """
    global _clock
    from vllm.engine.arg_utils import EngineArgs
    from vllm.platforms import current_platform
    from vllm.v1.engine.llm_engine import LLMEngine
    from vllm.v1.executor import Executor

    on_cpu = current_platform.is_cpu()
    settings = choose_settings(facts, read_machine("cpu" if on_cpu else "cuda"), asked)
    on_settings(patient(settings, facts.weights_bytes if facts.weights_file is not None else 0))
    folder = _prepare(settings, on_cpu=on_cpu)
    vllm_weight_loader.register()
    awq_cpu.install()
    used_before = used_memory(on_cpu=on_cpu)
    config = EngineArgs(**_arguments(facts, settings, on_cpu=on_cpu)).create_engine_config()
    executor = _reporting_executor(
        Executor.get_class(config), folder, on_weights=lambda: on_config(config)
    )
    _clock = clock
    try:
        with _weights_watched(clock, folder, max(1, facts.weights_bytes)):
            engine = LLMEngine(vllm_config=config, executor_class=executor, log_stats=False)
    except Exception as error:
        if words := folder.errors():
            error.add_note(words)
        raise
    finally:
        _clock = None
    return Built(engine, settings, used_before)


def _prepare(settings: LoadSettings, *, on_cpu: bool) -> LoadFolder:
    """The environment that vLLM and its workers read from here on."""
    threads = int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)
    os.environ.update(load_variables(settings, on_cpu=on_cpu, threads=threads))
    folder = LoadFolder.make(os.environ)
    os.environ[VARIABLE] = os.environ["VLLM_RPC_BASE_PATH"] = str(folder.path)
    return folder


def _arguments(facts: ModelFacts, settings: LoadSettings, *, on_cpu: bool) -> dict[str, Any]:
    """For vLLM's `EngineArgs`."""
    from vllm.platforms import current_platform

    arguments: dict[str, Any] = {
        "model": str(facts.folder),
        "dtype": settings.dtype,
        "max_model_len": settings.max_model_len,
        "block_size": settings.block_size,
        "kv_cache_memory_bytes": settings.kv_cache_bytes,
        "kv_cache_dtype": settings.kv_cache_dtype,
        "enforce_eager": bool(settings.enforce_eager),
        "tensor_parallel_size": settings.tensor_parallel_size,
        "load_format": vllm_weight_loader.LOADER_NAME,
        "trust_remote_code": False,
        "generation_config": "auto",
        "enable_prefix_caching": True,
        # One for all: vLLM keeps the first that a request needs, and it takes a tested grammar.
        "structured_outputs_config": {"backend": "xgrammar"},
        # By priority the tab in front goes first.
        "scheduling_policy": "priority" if settings.foreground_first else "fcfs",
        "disable_log_stats": True,
        "worker_cls": CPU_WORKER if on_cpu else GPU_WORKER,
        "seed": time.time_ns() % 2**31,
    }
    if facts.weights_file is not None:
        # The plugin's loader in place of ours: how much is read is not told then.
        arguments.update(plugin_arguments(facts.weights_file, facts.folder))
    for name in ("max_num_seqs", "max_num_batched_tokens", "gpu_memory_utilization", "tokenizer"):
        value = getattr(settings, name)
        if value is not None:
            arguments[name] = value
    if settings.cpu_offload_bytes and not on_cpu:
        arguments["cpu_offload_gb"] = settings.cpu_offload_bytes / GIB
    if not on_cpu:
        arguments["enable_sleep_mode"] = (
            current_platform.is_sleep_mode_available()
            and current_platform.is_cumem_allocator_available()
        )
        if settings.tensor_parallel_size > 1:
            arguments["disable_custom_all_reduce"] = settings.disable_p2p or not (
                wants_custom_all_reduce(settings.tensor_parallel_size)
            )
    return arguments


class _weights_watched:  # noqa: N801 - used as a `with` statement's word
    """Reports how much of the weights is read: by this process, or by workers in the folder."""

    def __init__(self, clock: StageClock, folder: LoadFolder, total: int) -> None:
        self._clock = clock
        self._folder = folder
        self._total = total
        self._over = threading.Event()

    def __enter__(self) -> None:
        vllm_weight_loader.report_to(self._tell)
        threading.Thread(target=self._watch, name="load-watch", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        vllm_weight_loader.report_to(None)

    def _tell(self, read: int) -> None:
        if self._clock.stage is LoadStage.READING_WEIGHTS:
            self._clock.fraction(read / self._total)

    def _watch(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            if read := self._folder.read_bytes():
                self._tell(read)
