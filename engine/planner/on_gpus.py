"""A plan on given GPUs: the budget of each, the blocks that all of them can hold."""

from __future__ import annotations

from dataclasses import replace

from engine.planner import choices
from engine.planner.answer import DeviceBudget, Plan, Problem, Wish
from engine.planner.divisibility import indivisible
from engine.planner.kv_cache import KvLayout, lay_out
from engine.planner.learned import Learned
from engine.planner.machine import Gpu, Host
from engine.planner.model_shape import ModelShape
from engine.planner.overhead import CUDA_CONTEXT, gpu_overhead, uncounted
from engine.planner.roofline import decode_bound
from engine.planner.room import Room, answer
from engine.planner.weights import device_weights, unpacked
from engine.planner.wording import gib
from engine.protocol import LoadSettings


def plan_on_gpus(
    shape: ModelShape, gpus: tuple[Gpu, ...], host: Host, wish: Wish, learned: Learned
) -> Plan:
    """Plan for exactly these GPUs, all of which share the model."""
    if choices.is_converted_for_cuda(shape):
        shape = unpacked(shape)
    tp = len(gpus)
    in_order = sorted(gpus, key=lambda gpu: gpu.index)
    gpus = tuple(
        _with_context(_with_memory(gpu, host), uncounted(shape, gpu.name, tp, learned))
        for gpu in in_order
    )
    dtype = wish.dtype or choices.cuda_dtype(shape, gpus)
    sequences = wish.sequences or choices.CUDA_SEQUENCES
    batched = wish.batched_tokens or choices.CUDA_BATCHED_TOKENS
    block_size = wish.block_size or choices.CUDA_BLOCK_SIZE
    layout = lay_out(
        shape,
        value_bytes=choices.kv_value_bytes(shape, wish.kv_dtype, dtype),
        state_value_bytes=choices.value_bytes(dtype),
        tp=tp,
        block_size=block_size,
        in_flight=choices.CUDA_STEPS * batched,
    )
    weights = device_weights(shape, choices.value_bytes(dtype), tp)
    weights = max(0, weights - (wish.offload_bytes or 0))
    utilisation = wish.utilisation or choices.choose_utilisation(gpus)
    overheads = [
        gpu_overhead(shape, gpu.name, tp, sequences, bool(wish.eager), learned) for gpu in gpus
    ]
    rooms = [
        _room(gpu, utilisation, weights, overhead, wish)
        for gpu, overhead in zip(gpus, overheads, strict=True)
    ]
    room = Room(layout, min(rooms), weights, shape.context, len(gpus))
    problems = _problems(shape, gpus, utilisation, wish)
    settings = LoadSettings(
        dtype=None if dtype == "auto" else dtype,
        max_model_len=wish.context or -1,
        kv_cache_bytes=wish.kv_bytes,
        block_size=block_size,
        max_num_seqs=sequences,
        max_num_batched_tokens=batched,
        gpu_memory_utilization=utilisation,
        tensor_parallel_size=tp,
        enforce_eager=bool(wish.eager),
        kv_cache_dtype=wish.kv_dtype,
        devices=tuple(gpu.index for gpu in gpus),
        cpu_offload_bytes=wish.offload_bytes,
    )
    made = answer(room, wish, problems, settings, device="cuda")
    return _finish(made, shape, gpus, weights, overheads, layout, learned)


def _with_memory(gpu: Gpu, host: Host) -> Gpu:
    """One that shares the host's memory, and cannot tell of its own, has that."""
    if gpu.total is not None:
        return gpu
    used = max(0, host.ram_total - host.ram_available)
    return Gpu(
        gpu.index, gpu.name, host.ram_total, 0, used, gpu.capability, gpu.bandwidth, gpu.others
    )


def _with_context(gpu: Gpu, context: int) -> Gpu:
    """With what CUDA was found to hold beyond `CUDA_CONTEXT`, which all have."""
    return replace(gpu, used_by_others=gpu.used_by_others + context - CUDA_CONTEXT)


def _room(gpu: Gpu, utilisation: float, weights: int, overhead: int, wish: Wish) -> int:
    """Bytes for KV on one card; negative by what is missing."""
    # vLLM's own arithmetic: total x utilisation - weights - overhead.
    room = int(gpu.usable * utilisation) - weights - overhead
    if wish.kv_bytes is None:
        return room
    # An exact size overrides utilisation, and only what is free bounds it.
    return wish.kv_bytes + min(0, choices.free_for_engine(gpu) - weights - overhead - wish.kv_bytes)


def _problems(
    shape: ModelShape, gpus: tuple[Gpu, ...], utilisation: float, wish: Wish
) -> list[Problem]:
    problems = []
    split = indivisible(shape, len(gpus))
    if split:
        problems.append(split)
    for gpu in gpus:
        most = choices.free_utilisation(gpu)
        if gpu.usable and utilisation > most and wish.kv_bytes is None:
            problems.append(_in_use(gpu, utilisation, most))
        problems += _too_old(shape, gpu, wish)
    if shape.unpacked_from == "gguf":
        problems.append(_converted(shape))
    totals = [gpu.usable for gpu in gpus]
    if max(totals) > 1.05 * min(totals):
        smallest = min(gpus, key=lambda gpu: gpu.usable)
        problems.append(
            Problem(
                "unequal_gpus",
                f"The GPUs are unequal: {smallest.name} with {gib(smallest.usable)} decides for "
                "all.",
                {"gpu": smallest.name, "bytes": smallest.usable},
                is_fatal=False,
            )
        )
    return problems


def _converted(shape: ModelShape) -> Problem:
    architecture = shape.model_type or shape.architecture
    return Problem(
        "unpacked",
        f"vLLM is not known to load a GGUF file of this architecture ({architecture}) as it is: "
        "it is converted to 16-bit safetensors first, which take more memory.",
        {"architecture": architecture},
        is_fatal=False,
    )


def _in_use(gpu: Gpu, utilisation: float, most: float) -> Problem:
    asked = int(gpu.usable * utilisation)
    return Problem(
        "memory_in_use",
        f"{utilisation:.0%} of GPU {gpu.index} ({gpu.name}) are {gib(asked)}, but other programs "
        f"use {gib(gpu.used_by_others)} of it: {most:.0%} can be had.",
        {
            "gpu": gpu.index,
            "name": gpu.name,
            "others": gpu.used_by_others,
            "asked": asked,
            "utilisation": most,
        },
    )


def _too_old(shape: ModelShape, gpu: Gpu, wish: Wish) -> list[Problem]:
    if gpu.capability == (0, 0):
        return []
    major, minor = gpu.capability
    values: dict[str, int | float | str] = {"gpu": gpu.name, "capability": f"{major}.{minor}"}
    problems = []
    if shape.is_quantised and gpu.capability < choices.QUANTISED_CAPABILITY:
        problems.append(
            Problem(
                "gpu_too_old",
                f"{gpu.name} (capability {major}.{minor}) cannot run {shape.format.upper()} "
                "models: that takes 7.5 or newer. A 16-bit build runs.",
                values,
            )
        )
    elif wish.dtype is None and choices.cuda_dtype(shape, (gpu,)) == "float16":
        problems.append(
            Problem(
                "float16_instead",
                f"{gpu.name} does not compute in bfloat16: the model is loaded in float16.",
                values,
                is_fatal=False,
            )
        )
    if wish.kv_dtype.startswith("fp8") and gpu.capability < choices.BF16_CAPABILITY:
        problems.append(
            Problem(
                "kv_fp8_unsupported",
                f"{gpu.name} (capability {major}.{minor}) has no kernels for an FP8 KV cache.",
                values,
            )
        )
    return problems


def _finish(
    made: Plan,
    shape: ModelShape,
    gpus: tuple[Gpu, ...],
    weights: int,
    overheads: list[int],
    layout: KvLayout,
    learned: Learned,
) -> Plan:
    budget = []
    for gpu, overhead in zip(gpus, overheads, strict=True):
        others = min(gpu.usable, gpu.used_by_others + CUDA_CONTEXT)
        taken = others + weights + overhead + made.kv_bytes
        budget.append(
            DeviceBudget(
                device=gpu.index,
                name=gpu.name,
                total=gpu.usable,
                others=others,
                weights=weights,
                overhead=overhead,
                kv=made.kv_bytes,
                free=gpu.usable - taken,
            )
        )
    bound = full = None
    bandwidths = [gpu.bandwidth for gpu in gpus if gpu.bandwidth]
    if len(bandwidths) == len(gpus):
        slowest, values = min(bandwidths), choices.value_bytes(made.settings.dtype or "auto")
        bound = decode_bound(shape, slowest, values, len(gpus))
        full = decode_bound(shape, slowest, values, len(gpus), layout, made.context)
    return replace(
        made,
        devices=tuple(gpu.index for gpu in gpus),
        tp=len(gpus),
        budget=tuple(budget),
        decode_tps_bound=bound,
        full_tps_bound=full,
        overhead_measured=all(
            learned.find(gpu.name, shape.key, len(gpus)) is not None for gpu in gpus
        ),
    )
