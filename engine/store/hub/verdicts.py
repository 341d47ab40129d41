"""Whether a model fits, in a few words: the planner's answer for a list. Pure."""

from __future__ import annotations

from typing import Final

from engine.failure_words import words
from engine.planner.answer import Plan
from engine.planner.learned import Learned
from engine.planner.machine import Machine
from engine.planner.model_shape import ModelShape
from engine.planner.plan import plan
from engine.planner.wording import gib
from engine.store.hub.formats import family
from engine.store.hub.messages import Verdict

_FITS_ONE_CHAT = words("Fits with {context} tokens.")
_FITS = words("Fits with {context} tokens, {chats} such chats at once.")
_FITS_SEVERAL = words("Fits on {count} GPUs together, with {context} tokens.")
_TOO_BIG = words("Too big: {missing} more memory is needed.")
_TOO_BIG_HOST = words("Too big for this computer’s memory: {missing} more are needed.")


def verdict(
    id: int,
    repo: str,
    shape: ModelShape,
    machine: Machine,
    learned: Learned | None = None,
    *,
    commit: str = "",
    why_not: str = "",
) -> Verdict:
    """The verdict on a shape; see `messages.Verdict`.

    Args:
        why_not: why this engine cannot load it though there may be room.
    """
    made = plan(shape, machine, learned=learned, explain=False)
    several = made.fits and len(made.devices) > 1
    short_by = 0 if made.fits else _short_by(made)
    return Verdict(
        id=id,
        repo=repo,
        commit=commit,
        fits="two" if several else "yes" if made.fits else "no",
        context=made.context if made.fits else 0,
        chats=made.chats if made.fits else 0,
        short_by=short_by,
        needs=sum(each.weights + each.overhead + each.kv for each in made.budget) + short_by,
        devices=made.devices if made.fits else (),
        text=why_not or _text(made, short_by),
        size=shape.weights_bytes,
        context_max=shape.context or None,
        format=family(shape.unpacked_from or shape.format),
        architecture=shape.architecture,
        parameters=shape.parameters or None,
        estimated=not shape.is_exact,
        runnable=not why_not,
    )


def _short_by(made: Plan) -> int:
    """What is missing on all devices together, in bytes; 0 where memory is not the reason."""
    for problem in made.problems:
        missing = problem.values.get("missing")
        if problem.is_fatal and isinstance(missing, (int, float)) and missing > 0:
            return int(missing) * max(1, made.tp)
    return 0


def _text(made: Plan, short_by: int) -> str:
    if made.fits and len(made.devices) > 1:
        return _FITS_SEVERAL.format(count=len(made.devices), context=f"{made.context:,}")
    if made.fits and made.chats > 1:
        return _FITS.format(context=f"{made.context:,}", chats=f"{made.chats:,}")
    if made.fits:
        return _FITS_ONE_CHAT.format(context=f"{made.context:,}")
    if short_by:
        told = _TOO_BIG if made.device == "cuda" else _TOO_BIG_HOST
        return told.format(missing=gib(short_by))
    return next((each.text for each in made.problems if each.is_fatal), "")


# Of a model's weights, what a load takes beside them at the least: KV cache, buffers.
ROOM: Final = 1.12


def room_rank(size: int | None, machine: Machine) -> int:
    """Without a shape, by the weights' size alone: 0 fits on one device, 1 not known, 2 on several
    GPUs together, 3 does not.
    """
    if size is None:
        return 1
    needed = size * ROOM
    if not machine.gpus:
        return 0 if needed <= machine.host.ram_available else 3
    free = [max(0, gpu.usable - gpu.used_by_others) for gpu in machine.gpus]
    if needed <= max(free):
        return 0
    return 2 if needed <= len(free) * min(free) else 3
