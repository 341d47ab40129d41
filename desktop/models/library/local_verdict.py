"""Judges a model whose shape is known: no network, for a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.planner.answer import Plan
    from engine.planner.learned import Learned
    from engine.planner.machine import Machine
    from engine.planner.model_shape import ModelShape
    from engine.store.hub.messages import Verdict


def judge(repo: str, shape: ModelShape, machine: Machine, learned: Learned) -> Verdict:
    """Whether a model fits this machine, as the hub's process would say."""
    from engine.planner.planning import plan
    from engine.store.hub.messages import Verdict

    made = plan(shape, machine, learned=learned, explain=False)
    fits = "no"
    if made.fits:
        fits = "two" if made.tp > 1 else "yes"
    return Verdict(
        id=0,
        repo=repo,
        fits=fits,
        context=made.context if made.fits else 0,
        chats=made.chats if made.fits else 0,
        short_by=missing(made),
        needs=sum(one.weights + one.overhead + one.kv for one in made.budget),
        devices=made.devices,
        size=shape.weights_bytes or None,
        context_max=shape.context or None,
        format=shape.format,
    )


def missing(plan: Plan) -> int:
    """How many bytes the fullest device lacks; 0: it has them, or that is not the reason."""
    if plan.fits:
        return 0
    told = (p.values.get("missing") for p in plan.problems if p.code == "no_room")
    lacking = max((-one.free for one in plan.budget), default=0)
    return max(0, lacking, *(int(size) for size in told if isinstance(size, int)))
