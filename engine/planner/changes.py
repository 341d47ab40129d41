"""What one change would make a model fit, or fit with a longer context: tried, not guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.planner import choices
from engine.planner.answer import Change, Plan, Wish
from engine.planner.divisibility import indivisible
from engine.planner.machine import GIB, Gpu, Machine
from engine.planner.model_shape import ModelShape
from engine.planner.weights import as_awq
from engine.planner.wording import gib

Planner = Callable[[ModelShape, Machine, Wish], Plan]

FEWER_SEQUENCES = 8
LEAST_CONTEXT = 2048  # with less nobody can chat
USEFUL_CONTEXT = 4096
WORTH_IT = 1.05  # a context that grows by less is no reason for a change
AWQ_GROUP = 128
MOST_PROGRAMS = 3  # to be named
# Nobody can close these and go on.
_THE_DESKTOP = frozenset(
    ["Xorg", "Xwayland", "gnome-shell", "kwin_x11", "kwin_wayland", "plasmashell", "mutter"]
)


@dataclass(frozen=True, slots=True)
class Try:
    """Something else to plan for."""

    code: str
    label: str
    wish: Wish
    values: Mapping[str, int | float | str] = field(default_factory=dict)
    shape: ModelShape | None = None
    machine: Machine | None = None
    settings: tuple[str, ...] = ()  # of the plan's, those that make the change


def find_changes(
    shape: ModelShape, machine: Machine, wish: Wish, made: Plan, planner: Planner
) -> tuple[Change, ...]:
    """The changes that help, those that cost the user least first.

    Args:
        made: the plan without any change.
        planner: plans again, without looking for changes.
    """
    if made.fits and made.context >= min(wish.context or shape.context, shape.context):
        return ()
    changes: list[Change] = []
    for attempt in _tries(shape, machine, wish, made):
        if attempt.code == "offload" and changes and changes[-1].code == "offload":
            break  # the least of it is enough
        other = planner(attempt.shape or shape, attempt.machine or machine, attempt.wish)
        if _helps(made, other, attempt, shape):
            changes.append(_change(attempt, made, other))
    return tuple(changes)


def _helps(made: Plan, other: Plan, attempt: Try, shape: ModelShape) -> bool:
    if not other.fits:
        return False
    if made.fits:
        return other.context > made.context * WORTH_IT
    if attempt.wish.context:
        return True
    return other.context >= min(LEAST_CONTEXT, shape.context)


def _change(attempt: Try, made: Plan, other: Plan) -> Change:
    same_place = attempt.shape is None and attempt.machine is None
    return Change(
        code=attempt.code,
        label=attempt.label,
        settings={name: getattr(other.settings, name) for name in attempt.settings},
        values=attempt.values,
        makes_fit=not made.fits,
        context=other.context,
        chats=other.chats,
        kv_tokens=other.kv_tokens,
        wish=attempt.wish if same_place else None,
    )


def _tries(shape: ModelShape, machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    if made.device == "cuda":
        yield from _of_the_cards(machine, wish, made)
        yield from _more_cards(shape, machine, wish, made)
    else:
        yield from _of_the_memory(machine, wish, made)
    yield from _of_the_kv_cache(shape, machine, wish, made)
    if made.device == "cuda":
        yield from _of_the_graphs(wish, made)
    yield from _less(shape, wish, made)
    yield from _another_build(shape, wish)
    if made.device == "cuda":
        yield from _offloading(machine, wish, made)


def _used(machine: Machine, made: Plan) -> tuple[Gpu, ...]:
    return tuple(gpu for gpu in machine.gpus if gpu.index in made.devices)


def _of_the_cards(machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    """More of each card, or less of it where others have the rest; others' programs closed."""
    gpus = _used(machine, made)
    present = made.settings.gpu_memory_utilization or choices.CUDA_UTILISATION
    most = min(choices.choose_utilisation(gpus, choices.CUDA_UTILISATION_MOST), 1.0)
    if most != present and wish.kv_bytes is None:
        verb = "Use" if most > present else "Use only"
        yield Try(
            "utilisation",
            f"{verb} {most:.0%} of the GPU memory",
            replace(wish, utilisation=most),
            {"utilisation": most},
            settings=("gpu_memory_utilization",),
        )
    for gpu in gpus:
        yield from _programs_closed(machine, gpu, wish)


def _programs_closed(machine: Machine, gpu: Gpu, wish: Wish) -> Iterator[Try]:
    named = [
        (name, size)
        for name, size in sorted(gpu.others, key=lambda other: -other[1])
        if name and name not in _THE_DESKTOP and 0 < size <= gpu.used_by_others
    ]
    for name, size in named[:MOST_PROGRAMS]:
        yield Try(
            "close_program",
            f"Close {name}, which uses {gib(size)} of GPU {gpu.index}",
            _free_of_utilisation(wish),
            {"program": name, "bytes": size, "gpu": gpu.index},
            machine=_without(machine, gpu, size),
        )
    if len(named) != 1 and gpu.used_by_others:
        yield Try(
            "close_program",
            f"Close what uses {gib(gpu.used_by_others)} of GPU {gpu.index}",
            _free_of_utilisation(wish),
            {"program": "", "bytes": gpu.used_by_others, "gpu": gpu.index},
            machine=_without(machine, gpu, gpu.used_by_others),
        )


def _free_of_utilisation(wish: Wish) -> Wish:
    return replace(wish, utilisation=None)


def _without(machine: Machine, gpu: Gpu, size: int) -> Machine:
    freed = replace(gpu, used_by_others=max(0, gpu.used_by_others - size))
    return replace(
        machine,
        gpus=tuple(freed if other.index == gpu.index else other for other in machine.gpus),
    )


def _more_cards(shape: ModelShape, machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    for gpu in machine.gpus:
        if made.tp == 1 and gpu.index not in made.devices:
            yield Try(
                "devices",
                f"Use GPU {gpu.index} ({gpu.name})",
                replace(wish, devices=(gpu.index,), tp=1),
                {"gpu": gpu.index, "name": gpu.name},
                settings=("devices", "tensor_parallel_size", "gpu_memory_utilization"),
            )
    size = made.tp * 2
    while size <= len(machine.gpus):
        if indivisible(shape, size) is None:
            yield Try(
                "tp",
                f"Divide the model among {size} GPUs",
                replace(wish, tp=size, devices=None),
                {"tp": size},
                settings=("tensor_parallel_size", "devices", "gpu_memory_utilization"),
            )
            break
        size *= 2


def _of_the_memory(machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    """For the processor: half the bytes a weight, or other programs closed."""
    host = machine.host
    used = max(0, host.ram_total - host.ram_available)
    missing = -min((budget.free for budget in made.budget), default=0)
    if 0 < missing < used:
        # By default KV gets half of what is left.
        chat = 2 * made.kv_bytes_of(wish.context or USEFUL_CONTEXT) * max(1, wish.chats)
        room = -(-(missing + chat) // GIB) * GIB
        freed = replace(host, ram_available=min(host.ram_total, host.ram_available + room))
        yield Try(
            "close_program",
            f"Close programs that use {gib(room)} of memory",
            wish,
            {"program": "", "bytes": room, "gpu": -1},
            machine=replace(machine, host=freed),
        )
    if made.settings.dtype == "float32" and wish.dtype is None:
        yield Try(
            "bfloat16",
            "Compute in bfloat16: half the memory, several times slower here",
            replace(wish, dtype="bfloat16"),
            settings=("dtype", "kv_cache_bytes"),
        )


def _of_the_kv_cache(shape: ModelShape, machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    if wish.kv_dtype != "auto" or shape.kv_dtype != "auto":
        return
    if made.device == "cuda":
        known = [gpu.capability for gpu in _used(machine, made) if gpu.capability > (0, 0)]
        if known and min(known) < choices.FP8_KV_CAPABILITY:
            return
    elif not choices.has_fp8_kv(machine.host):
        return
    yield Try(
        "kv_fp8",
        "Keep the KV cache in FP8: half the memory a token",
        replace(wish, kv_dtype="fp8"),
        settings=("kv_cache_dtype",),
    )


def _of_the_graphs(wish: Wish, made: Plan) -> Iterator[Try]:
    if (made.settings.max_num_seqs or 0) > FEWER_SEQUENCES and wish.chats <= FEWER_SEQUENCES:
        yield Try(
            "sequences",
            f"Write at most {FEWER_SEQUENCES} answers at once",
            replace(wish, sequences=FEWER_SEQUENCES),
            {"sequences": FEWER_SEQUENCES},
            settings=("max_num_seqs",),
        )
    if not made.settings.enforce_eager:
        yield Try(
            "eager",
            "Do without CUDA graphs: slower, and a quicker start",
            replace(wish, eager=True),
            settings=("enforce_eager",),
        )


def _less(shape: ModelShape, wish: Wish, made: Plan) -> Iterator[Try]:
    if wish.chats > 1 and made.chats:
        yield Try(
            "chats",
            f"Have room for {made.chats} such chats",
            replace(wish, chats=made.chats),
            {"chats": made.chats},
        )
    largest = min(made.max_context, shape.context)
    if wish.context and 0 < largest < wish.context:
        yield Try(
            "context",
            f"Make do with a context of {largest:,} tokens",
            replace(wish, context=largest),
            {"context": largest},
            settings=("max_model_len",),
        )


def _another_build(shape: ModelShape, wish: Wish) -> Iterator[Try]:
    smaller = as_awq(shape, AWQ_GROUP)
    if shape.format == "gguf" or smaller.linear_bytes >= 0.75 * shape.linear_bytes:
        return
    yield Try(
        "smaller_build",
        f"Choose its AWQ build (4 bits, {gib(smaller.weights_bytes)}), or quantise it",
        replace(wish, dtype=None),
        {"bytes": smaller.weights_bytes},
        shape=smaller,
    )


def _offloading(machine: Machine, wish: Wish, made: Plan) -> Iterator[Try]:
    """Some of the weights stay in the host's memory, and travel for each token."""
    if made.fits or wish.offload_bytes or not made.budget:
        return
    weights = max(budget.weights for budget in made.budget)
    for part in range(1, 8):
        size = -(-weights * part // 8 // GIB) * GIB
        if size >= weights or size * made.tp > machine.host.ram_available // 2:
            return
        yield Try(
            "offload",
            f"Keep {gib(size)} of the weights in RAM: much slower",
            replace(wish, offload_bytes=size),
            {"bytes": size},
            settings=("cpu_offload_bytes",),
        )
