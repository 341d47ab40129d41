"""From room for KV to an answer: blocks, contexts, chats, and what is wrong if it is too small."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.planner.answer import Plan, Problem, Wish
from engine.planner.kv_cache import KvLayout
from engine.planner.model_shape import ModelShape
from engine.planner.wording import gib
from engine.protocol import LoadSettings

SHORT_CONTEXT = 4096


@dataclass(frozen=True, slots=True)
class Room:
    """What one device has for KV.

    Attributes:
        available: bytes; negative by what is missing.
        weights: bytes of them on it, for texts.
        longest: the context that the model was made for.
        devices: how many there are like it, for texts.
    """

    layout: KvLayout
    available: int
    weights: int
    longest: int
    devices: int = 1


def answer(
    room: Room, wish: Wish, problems: list[Problem], settings: LoadSettings, *, device: str
) -> Plan:
    """Reckon; the plan has no devices, budget or bounds yet."""
    layout = room.layout
    chats = max(1, wish.chats)
    blocks = layout.blocks(room.available)
    for_one = max(0, blocks - 1) // chats + 1
    largest = layout.largest_context(for_one, room.longest)
    context = wish.context or largest
    has_room = context > 0 and chats * layout.blocks_of_chat(context) <= blocks - 1
    problems = [*problems, *_too_small(room, wish, context, largest, has_room)]
    return Plan(
        fits=has_room and not any(problem.is_fatal for problem in problems),
        device=device,
        context=context,
        kv_tokens=layout.capacity(blocks, context) if context else 0,
        chats=layout.chats(blocks, context) if context else 0,
        kv_bytes_per_token=layout.token_bytes,
        problems=tuple(problems),
        settings=settings,
        max_context=largest,
        kv_blocks=blocks,
        block_size=layout.block_size,
        kv_bytes=blocks * layout.block_bytes,
        layout=layout,
    )


def _too_small(room: Room, wish: Wish, context: int, largest: int, has_room: bool) -> list[Problem]:
    problems = []
    if wish.context and wish.context > room.longest:
        problems.append(
            Problem(
                "context_above_model",
                f"The model was made for {room.longest:,} tokens, not for {wish.context:,}.",
                {"context": room.longest, "asked": wish.context},
            )
        )
    if largest == 0:
        missing = room.layout.bytes_for(1, max(1, wish.chats)) - room.available
        each = " of each GPU" if room.devices > 1 else ""
        problems.append(
            Problem(
                "no_room",
                f"The weights take {gib(room.weights)}{each} and leave no room for a chat; "
                f"{gib(missing)} more are needed.",
                {"weights": room.weights, "missing": missing, "devices": room.devices},
            )
        )
    elif has_room and not wish.context and context < min(SHORT_CONTEXT, room.longest):
        problems.append(
            Problem(
                "short_context",
                f"Only {context:,} tokens fit: a short chat.",
                {"context": context, "longest": room.longest},
                is_fatal=False,
            )
        )
    elif not has_room:
        needed = room.layout.bytes_for(context, max(1, wish.chats))
        many = f"{wish.chats} chats of " if wish.chats > 1 else ""
        problems.append(
            Problem(
                "kv_too_small",
                f"{many}{context:,} tokens need {gib(needed)} of KV cache; "
                f"{gib(room.available)} are there, enough for {largest:,} tokens.",
                {
                    "context": context,
                    "chats": max(1, wish.chats),
                    "needed": needed,
                    "available": room.available,
                    "largest": largest,
                },
            )
        )
    return problems


def note_shape(plan: Plan, shape: ModelShape) -> Plan:
    """`plan`, with what is not certain about the shape."""
    notes = []
    if shape.state_layers and not shape.state.convolution:
        notes.append(
            Problem(
                "state_layers",
                f"{shape.state_layers} of its {shape.layers} layers keep a state of fixed size "
                "instead of a KV cache, which is not counted here.",
                {"layers": shape.state_layers, "all": shape.layers},
                is_fatal=False,
            )
        )
    if not shape.is_exact:
        notes.append(
            Problem(
                "weights_estimated",
                "The size of the weights is reckoned from the model's config.json: its weight "
                "files could not be looked into.",
                is_fatal=False,
            )
        )
    return replace(plan, problems=(*plan.problems, *notes)) if notes else plan
