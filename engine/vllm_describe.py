"""What a load made, in vLLM's own figures: the engine's `Loaded`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.host_memory import resident_bytes
from engine.protocol import Load, Loaded, LoadSettings
from engine.stage_clock import StageClock
from engine.vllm_loading import Built
from engine.vllm_sampling import default_sampling
from engine.vllm_sleep import can_sleep
from engine.worker_report import CPU, WorkerReport, kernel_of, memory_of


def describe(
    load: Load,
    built: Built,
    clock: StageClock,
    *,
    kv_blocks: int,
    defaults: dict[str, Any],
    has_own_defaults: bool,
    template_hash: str,
) -> Loaded:
    """See the module.

    Args:
        kv_blocks: of the pool that requests can have.
        defaults: sampling where a request says nothing.
        has_own_defaults: whether the model itself says so.
    """
    import vllm
    from vllm.platforms import current_platform

    config = built.engine.vllm_config
    reports = [WorkerReport(**each) for each in built.engine.collective_rpc("inglenook_report")]
    workers_apart = config.parallel_config.world_size > 1
    memory = memory_of(reports, built.used_before, resident_bytes() if workers_apart else 0)
    return Loaded(
        load_id=load.load_id,
        model=load.model,
        context=config.model_config.max_model_len,
        kv_blocks=kv_blocks,
        block_size=config.cache_config.block_size,
        max_num_seqs=config.scheduler_config.max_num_seqs,
        dtype=_dtype(config),
        device="CPU" if current_platform.is_cpu() else _device_names(reports),
        kv_cache_bytes=sum(each.kv for each in memory),
        seconds=clock.elapsed,
        stages=tuple(clock.times),
        default_sampling=default_sampling(defaults),
        has_own_sampling=has_own_defaults,
        engine_version=f"vllm {vllm.__version__.partition('+')[0]}",
        quantization=config.model_config.quantization or "",
        template_hash=template_hash,
        can_sleep=can_sleep(built.engine),
        tensor_parallel_size=config.parallel_config.tensor_parallel_size,
        kv_tokens=config.cache_config.kv_cache_size_tokens or 0,
        settings=_as_used(built.settings, config, reports),
        kernel=kernel_of(reports),
        memory=memory,
    )


def _as_used(settings: LoadSettings, config: Any, reports: list[WorkerReport]) -> LoadSettings:
    """`settings` with what was left to vLLM filled in, as it decided."""
    on_cpu = reports[0].device == CPU
    return replace(
        settings,
        dtype=_dtype(config),
        max_model_len=config.model_config.max_model_len,
        block_size=config.cache_config.block_size,
        max_num_seqs=config.scheduler_config.max_num_seqs,
        max_num_batched_tokens=config.scheduler_config.max_num_batched_tokens,
        gpu_memory_utilization=(
            None if on_cpu else float(config.cache_config.gpu_memory_utilization)
        ),
        enforce_eager=bool(config.model_config.enforce_eager),
        devices=() if on_cpu else tuple(report.device for report in reports),
    )


def _dtype(config: Any) -> str:
    return str(config.model_config.dtype).removeprefix("torch.")


def _device_names(reports: list[WorkerReport]) -> str:
    """Of one kind: "2 × NVIDIA GeForce RTX 3090"; else each name."""
    names = [report.name for report in reports]
    if len(names) > 1 and len(set(names)) == 1:
        return f"{len(names)} × {names[0]}"
    return " + ".join(names)
