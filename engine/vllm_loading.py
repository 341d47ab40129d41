"""Builds vLLM's LLMEngine in this process and reports the stages as they pass.

The stages are observed where vLLM calls out: a subclass of its executor (profiling, KV
allocation, warm-up) and a registered weight loader (bytes read). No log is parsed.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from typing import Any

from engine.load_defaults import choose_settings, read_machine
from engine.protocol import LoadProgress, LoadSettings, LoadStage, StageTime
from engine.store.model_folder import ModelFacts

LOADER_NAME = "inglenook"
CPU_WORKER = "engine.vllm_cpu_worker.SeedKeepingCPUWorker"  # tensor parallelism finds it by name


class StageClock:
    """Times the stages of one load and reports each step of progress."""

    def __init__(self, load_id: int, report: Callable[[LoadProgress], None], began: float) -> None:
        self._load_id = load_id
        self._report = report
        self._began = self._entered = began  # of time.monotonic, when the load was asked for
        self._stage = LoadStage.IMPORTING
        self._percent = -1
        self.times: list[StageTime] = []
        report(LoadProgress(load_id, self._stage, self.elapsed))

    @property
    def elapsed(self) -> float:
        """Seconds since the load began."""
        return time.monotonic() - self._began

    def enter(self, stage: LoadStage) -> None:
        """The next stage begins; entering the same again changes nothing."""
        if stage is self._stage:
            return
        self._close()
        self._stage = stage
        self._percent = -1
        self._report(LoadProgress(self._load_id, stage, self.elapsed))

    def fraction(self, done: float, detail: str = "") -> None:
        """Report how far the stage is, at most once a percent."""
        percent = int(min(1.0, done) * 100)
        if percent != self._percent:
            self._percent = percent
            progress = LoadProgress(self._load_id, self._stage, self.elapsed, percent / 100, detail)
            self._report(progress)

    def finish(self) -> None:
        """The load is complete."""
        self._close()

    def _close(self) -> None:
        now = time.monotonic()
        self.times.append(StageTime(self._stage, now - self._entered))
        self._entered = now


# The loader and the executor are made by vLLM, from classes: they find the clock here.
_clock: StageClock | None = None
_total_bytes = 1


def _register_loader() -> None:
    from vllm.model_executor.model_loader import register_model_loader
    from vllm.model_executor.model_loader.default_loader import DefaultModelLoader

    class ReportingLoader(DefaultModelLoader):  # type: ignore[misc]
        """Reads safetensors only, and counts the bytes that went by."""

        def __init__(self, load_config: Any) -> None:
            load_config = copy.copy(load_config)
            load_config.load_format = "safetensors"
            super().__init__(load_config)

        def get_all_weights(self, model_config: Any, model: Any) -> Iterator[tuple[str, Any]]:
            read = 0
            for name, tensor in super().get_all_weights(model_config, model):
                yield name, tensor
                read += tensor.numel() * tensor.element_size()
                if _clock is not None:
                    _clock.fraction(read / _total_bytes)

    register_model_loader(LOADER_NAME)(ReportingLoader)


def _reporting_executor(base: type, on_weights: Callable[[], None]) -> type:
    def enter(stage: LoadStage) -> None:
        if _clock is not None:
            _clock.enter(stage)

    class ReportingExecutor(base):  # type: ignore[misc]
        """vLLM's executor, telling which stage of the load it is in."""

        def _init_executor(self) -> None:
            enter(LoadStage.READING_WEIGHTS)
            on_weights()
            super()._init_executor()

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
    on_config: Callable[[Any], None],
) -> Any:
    """Load the model; returns vLLM's LLMEngine, not warmed up.

    `on_config` is called with the VllmConfig when the weights begin to be read: the prompt
    renderer loads its tokenizer meanwhile, and not sooner, for vLLM then loads its own.

    Raises:
        Exception: whatever vLLM raises; `failures.explain` reads its text.
    """
    global _clock, _total_bytes
    from vllm.engine.arg_utils import EngineArgs
    from vllm.platforms import current_platform
    from vllm.v1.engine.llm_engine import LLMEngine
    from vllm.v1.executor import Executor

    _register_loader()
    _clock, _total_bytes = clock, max(1, facts.weights_bytes)
    on_cpu = current_platform.is_cpu()
    machine = read_machine("cpu" if on_cpu else "cuda")
    settings = choose_settings(facts, machine, asked)
    arguments: dict[str, Any] = {
        "model": str(facts.folder),
        "dtype": settings.dtype,
        "max_model_len": settings.max_model_len,
        "block_size": settings.block_size,
        "kv_cache_memory_bytes": settings.kv_cache_bytes,
        "kv_cache_dtype": settings.kv_cache_dtype,
        "enforce_eager": bool(settings.enforce_eager),
        "tensor_parallel_size": settings.tensor_parallel_size,
        "load_format": LOADER_NAME,
        "trust_remote_code": False,
        "generation_config": "auto",
        "enable_prefix_caching": True,
        # One for all: vLLM keeps the first that a request needs, and it takes a tested grammar.
        "structured_outputs_config": {"backend": "xgrammar"},
        "scheduling_policy": "priority",  # the tab in front goes first
        "disable_log_stats": True,
        "worker_cls": CPU_WORKER if on_cpu else "auto",
        "seed": time.time_ns() % 2**31,
    }
    for name in ("max_num_seqs", "max_num_batched_tokens", "gpu_memory_utilization"):
        value = getattr(settings, name)
        if value is not None:
            arguments[name] = value
    config = EngineArgs(**arguments).create_engine_config()
    try:
        return LLMEngine(
            vllm_config=config,
            executor_class=_reporting_executor(
                Executor.get_class(config), on_weights=lambda: on_config(config)
            ),
            log_stats=False,
        )
    finally:
        _clock = None
