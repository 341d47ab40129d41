"""A plan in the host's memory, for vLLM's CPU build."""

from __future__ import annotations

from dataclasses import replace

from engine.planner import choices
from engine.planner.answer import HOST, DeviceBudget, Plan, Problem, Wish
from engine.planner.divisibility import indivisible
from engine.planner.kv_cache import KvLayout, lay_out
from engine.planner.learned import CPU, Learned
from engine.planner.machine import Host
from engine.planner.model_shape import ModelShape
from engine.planner.overhead import cpu_overhead
from engine.planner.roofline import decode_bound
from engine.planner.room import Room, answer
from engine.planner.weights import device_weights, unpacked
from engine.protocol import LoadSettings

# Of the memory that is left, the most that a wish may take for KV; a default takes half.
MOST_OF_FREE = 0.9


def plan_on_cpu(shape: ModelShape, host: Host, wish: Wish, learned: Learned) -> Plan:
    """Plan for the host's memory; `tp` workers each have a part of the weights there."""
    tp = max(1, wish.tp or 1)
    problems = _problems(shape, host, wish, tp)
    if choices.is_unpacked_on_cpu(shape, host):
        shape = unpacked(shape)
    if shape.state.matrix and "avx512_bf16" in host.flags:
        # vLLM's kernels for such processors keep states in float32, whatever the model's type.
        shape = replace(shape, state=replace(shape.state, matrix_bytes=4))
    dtype = wish.dtype or choices.cpu_dtype(shape, host)
    if shape.unpacked_from == "fp8":
        problems.append(_fp8_unpacked(choices.value_bytes(dtype)))
    batched = wish.batched_tokens or choices.CPU_BATCHED_TOKENS
    block_size = choices.cpu_block_size(shape, host, wish.block_size)
    layout = lay_out(
        shape,
        value_bytes=choices.kv_value_bytes(shape, wish.kv_dtype, dtype),
        state_value_bytes=choices.value_bytes(dtype),
        tp=tp,
        block_size=block_size,
        in_flight=batched,
    )
    weights = device_weights(shape, choices.value_bytes(dtype), tp)
    overhead = cpu_overhead(shape, tp, learned)
    free = host.ram_available - weights * tp - overhead
    kv_bytes = wish.kv_bytes or choose_kv_bytes(layout, shape.context, free // tp, wish)
    # What is not there in whole is missing from the KV cache: an engine that does not fit fails.
    available = kv_bytes + min(0, free - kv_bytes * tp) // tp
    settings = LoadSettings(
        dtype=dtype,
        max_model_len=wish.context or -1,
        kv_cache_bytes=kv_bytes,
        block_size=block_size,
        max_num_seqs=wish.sequences or choices.CPU_SEQUENCES,
        max_num_batched_tokens=batched,
        tensor_parallel_size=tp,
        enforce_eager=True if wish.eager is None else wish.eager,
        kv_cache_dtype=wish.kv_dtype,
    )
    made = answer(
        Room(layout, available, weights, shape.context), wish, problems, settings, device="cpu"
    )
    largest = _largest_context(layout, shape.context, free // tp, wish)
    budget = DeviceBudget(
        device=HOST,
        name=CPU,
        total=host.ram_total,
        others=max(0, host.ram_total - host.ram_available),
        weights=weights * tp,
        overhead=overhead,
        kv=made.kv_bytes * tp,
        free=free - made.kv_bytes * tp,
    )
    bound = full = None
    if host.bandwidth:
        values = choices.value_bytes(dtype)
        bound = decode_bound(shape, host.bandwidth, values)
        full = decode_bound(shape, host.bandwidth, values, 1, layout, made.context)
    return replace(
        made,
        tp=tp,
        budget=(budget,),
        max_context=max(made.max_context, largest),
        decode_tps_bound=bound,
        full_tps_bound=full,
        overhead_measured=learned.find(CPU, shape.key, tp) is not None,
    )


def choose_kv_bytes(layout: KvLayout, longest: int, free: int, wish: Wish) -> int:
    """KV space for one worker: room for a few full chats, at most half of what weights leave.

    More where the user wishes for more, as far as it is there.
    """
    wanted = layout.bytes_for(min(wish.context or longest, longest), choices.CPU_KV_CHATS)
    chosen = min(wanted, choices.CPU_KV_MAX, free // 2)
    if wish.context:
        needed = layout.bytes_for(wish.context, max(1, wish.chats))
        chosen = max(chosen, min(needed, int(free * MOST_OF_FREE)))
    return max(choices.CPU_KV_MIN, chosen)


def _largest_context(layout: KvLayout, longest: int, free: int, wish: Wish) -> int:
    """The longest context that could be wished for."""
    if wish.kv_bytes:
        return 0
    blocks = layout.blocks(int(free * MOST_OF_FREE))
    return layout.largest_context(max(0, blocks - 1) // max(1, wish.chats) + 1, longest)


def _problems(shape: ModelShape, host: Host, wish: Wish, tp: int) -> list[Problem]:
    problems = []
    split = indivisible(shape, tp)
    if split:
        problems.append(split)
    if wish.kv_dtype.startswith("fp8") and not choices.has_fp8_kv(host):
        problems.append(
            Problem(
                "kv_fp8_unsupported",
                "An FP8 KV cache on the processor takes AVX-512, which this one does not have.",
                {"gpu": ""},
            )
        )
    if shape.format == "gguf":
        problems.append(
            Problem(
                "unpacked",
                "On the processor the GGUF file is converted to 16-bit safetensors first, which "
                "take more memory.",
                is_fatal=False,
            )
        )
    return problems


def _fp8_unpacked(value_bytes: int) -> Problem:
    return Problem(
        "fp8_unpacked",
        f"FP8 is unpacked on this processor, which takes {value_bytes} times the memory.",
        {"times": value_bytes},
        is_fatal=False,
    )
