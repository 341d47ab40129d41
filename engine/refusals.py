"""What the engine says when it does not do what was asked, and nothing is broken. Pure."""

from __future__ import annotations

from engine.failure_words import in_gib, words
from engine.protocol import Failure, Remedy, RemedyAction, Scope

_RETRY = Remedy(words("Try again"), RemedyAction.RETRY)
_NOT_READY = words("The model is not loaded yet.")
_ALREADY = words("This engine already has a model; a new model needs a new engine.")
_NOT_MEASURED = words("The speed cannot be measured while answers are under way.")
_GIVEN_UP = words("The engine gave this answer up. The log may say why.")
_NO_SLEEP = words("On a CPU a model cannot sleep: it can only be unloaded.")
_BUSY = words("The model cannot sleep while answers are under way.")
_NO_ROOM = words(
    "There is not enough free memory (RAM) for the model's weights while it sleeps: "
    "{needed} GiB are needed, {free} GiB are free."
)
_NOT_AWAKE = words("Only a loaded model that is awake can be put to sleep.")
_NOT_ASLEEP = words("Only a model that sleeps can be woken.")


def not_ready(request_id: str) -> Failure:
    """A request came without a model."""
    return Failure(
        Scope.REQUEST, _NOT_READY, code="not_ready", request_id=request_id, remedies=(_RETRY,)
    )


def already_loaded(load_id: int) -> Failure:
    """A second load came: a process holds one model in its life."""
    return Failure(Scope.LOAD, _ALREADY, code="already_loaded", load_id=load_id)


def not_measured(request_id: str) -> Failure:
    """A measurement came beside answers, which would falsify it and be slowed."""
    return Failure(
        Scope.REQUEST, _NOT_MEASURED, code="busy", request_id=request_id, remedies=(_RETRY,)
    )


def given_up(request_id: str) -> Failure:
    """VLLM ended the request by itself: a grammar that was not compiled, say."""
    remedies = (_RETRY, Remedy(words("Show the log"), RemedyAction.SHOW_LOG))
    return Failure(
        Scope.REQUEST, _GIVEN_UP, code="given_up", request_id=request_id, remedies=remedies
    )


def cannot_sleep() -> Failure:
    """The device has no other memory to go to."""
    return Failure(Scope.SLEEP, _NO_SLEEP, code="cannot_sleep")


def sleep_busy() -> Failure:
    """Answers are under way, or a measurement is."""
    return Failure(Scope.SLEEP, _BUSY, code="busy")


def no_room_to_sleep(needed: int, free: int) -> Failure:
    """The host's memory cannot take the weights. Bytes."""
    cause = _NO_ROOM.format(needed=in_gib(needed), free=in_gib(free))
    return Failure(Scope.SLEEP, cause, code="ram_full")


def not_awake() -> Failure:
    """There is nothing to put to sleep."""
    return Failure(Scope.SLEEP, _NOT_AWAKE, code="not_ready")


def not_asleep() -> Failure:
    """There is nothing to wake."""
    return Failure(Scope.SLEEP, _NOT_ASLEEP, code="not_ready")
