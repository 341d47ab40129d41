"""Makes a plan."""

from __future__ import annotations

from engine.planner.learned import Learned
from engine.planner.machine import GIB, Machine
from engine.planner.plan import DeviceBudget, Plan, Wish
from engine.planner.shape import ModelShape
from engine.protocol import LoadSettings

OVERHEAD = int(1.6 * GIB)


def make_plan(shape: ModelShape, machine: Machine, wish: Wish, learned: Learned) -> Plan:
    """See `plan.plan`."""
    utilisation = wish.utilisation or 0.9
    per_token = sum(a.layers * a.kv_heads * (a.key_dim + a.value_dim) * 2 for a in shape.attention)
    gpu = machine.gpus[0] if machine.gpus else None
    total = (gpu.total or 0) if gpu else machine.host.ram_total
    others = gpu.used_by_others if gpu else total - machine.host.ram_available
    name = gpu.name if gpu else "cpu"
    overhead = learned.overhead(name, shape.key, 1) or OVERHEAD
    room = int(min(total * utilisation, total - others)) - shape.weights_bytes - overhead
    tokens = max(0, room // max(1, per_token))
    context = wish.context or min(shape.context, tokens)
    budget = DeviceBudget(
        gpu.index if gpu else -1,
        name,
        total,
        others,
        shape.weights_bytes,
        overhead,
        max(0, room),
        min(0, room),
    )
    return Plan(
        fits=0 < context <= tokens,
        device="cuda" if gpu else "cpu",
        devices=(gpu.index,) if gpu else (),
        context=context,
        kv_tokens=tokens,
        chats=tokens // context if context else 0,
        kv_bytes_per_token=per_token,
        budget=(budget,),
        max_context=min(shape.context, tokens),
        settings=LoadSettings(max_model_len=context or None, gpu_memory_utilization=utilisation),
    )
