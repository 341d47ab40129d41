"""Chooses where a model goes, and asks what one change would make it fit, or fit better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.planner import choices
from engine.planner.answer import Plan, Problem, Wish
from engine.planner.changes import find_changes
from engine.planner.divisibility import indivisible
from engine.planner.learned import Learned
from engine.planner.machine import Gpu, Machine
from engine.planner.model_shape import ModelShape
from engine.planner.on_cpu import plan_on_cpu
from engine.planner.on_gpus import plan_on_gpus
from engine.planner.room import note_shape

# A context on one GPU that is not worth a second one.
GOOD_CONTEXT = 16_384


def plan(
    shape: ModelShape,
    machine: Machine,
    wish: Wish | None = None,
    learned: Learned | None = None,
    *,
    explain: bool = True,
) -> Plan:
    """Plan a load of `shape` on `machine`.

    Never raises; a wish that cannot be is answered by a plan that does not fit, with problems.

    Args:
        explain: look for changes too, which plans a dozen times.
    """
    wish, learned = wish or Wish(), learned or Learned()
    made = _place(shape, machine, wish, learned)
    if not explain:
        return made
    changes = find_changes(
        shape,
        machine,
        wish,
        made,
        lambda other, there, wished: _place(other, there, wished, learned),
    )
    return note_shape(replace(made, changes=changes), shape)


def _place(shape: ModelShape, machine: Machine, wish: Wish, learned: Learned) -> Plan:
    if not machine.gpus:
        made = plan_on_cpu(shape, machine.host, wish, learned)
        if wish.devices:  # somebody counts on a GPU: not to be answered with the processor
            absent = _no_such_gpu(wish.devices[0])
            return replace(made, fits=False, problems=(absent, *made.problems))
        return made
    gpus, problem = _candidates(machine, wish)

    def on(chosen: tuple[Gpu, ...]) -> Plan:
        return plan_on_gpus(shape, chosen, machine.host, wish, learned)

    if problem is not None:
        made = on(gpus)
        return replace(made, fits=False, problems=(problem, *made.problems))
    if wish.tp and wish.tp > 0:
        return on(gpus[: wish.tp])
    if wish.devices is not None:
        return on(gpus)
    return _best(shape, gpus, wish, on)


def _candidates(machine: Machine, wish: Wish) -> tuple[tuple[Gpu, ...], Problem | None]:
    """The GPUs to choose from, those with most room first; what is wrong with the wish."""
    gpus = tuple(sorted(machine.gpus, key=lambda gpu: (-_free(gpu, machine), gpu.index)))
    if wish.devices is not None:
        known = {gpu.index: gpu for gpu in machine.gpus}
        named = tuple(known[index] for index in dict.fromkeys(wish.devices) if index in known)
        unknown = [index for index in wish.devices if index not in known]
        if unknown or not named:
            problem = (
                _no_such_gpu(unknown[0])
                if unknown
                else Problem("no_such_gpu", "No GPU is chosen.", {"gpu": -1})
            )
            return named or gpus[:1], problem
        gpus = named
    if wish.tp and wish.tp > len(gpus):
        text = f"The model cannot be divided among {wish.tp} GPUs: {len(gpus)} are there."
        return gpus, Problem("too_few_gpus", text, {"tp": wish.tp, "gpus": len(gpus)})
    return gpus, None


def _no_such_gpu(index: int) -> Problem:
    return Problem("no_such_gpu", f"There is no GPU {index} here.", {"gpu": index})


def _free(gpu: Gpu, machine: Machine) -> int:
    if gpu.total is None:
        return machine.host.ram_available
    return choices.free_for_engine(gpu)


def _best(
    shape: ModelShape,
    gpus: tuple[Gpu, ...],
    wish: Wish,
    on: Callable[[tuple[Gpu, ...]], Plan],
) -> Plan:
    """On as few GPUs as give a good context; else on those that give the longest."""
    target = wish.context or min(shape.context, GOOD_CONTEXT)
    plans: list[Plan] = []
    size = 1
    while size <= len(gpus):
        if indivisible(shape, size) is None:
            made = on(gpus[:size])
            if made.fits and made.context >= target:
                return made
            plans.append(made)
        size *= 2
    fitting = [made for made in plans if made.fits]
    if fitting:
        return max(fitting, key=lambda made: (made.context, -made.tp))
    # The one that lacks least.
    return max(plans, key=lambda made: (made.max_context, min(b.free for b in made.budget)))
