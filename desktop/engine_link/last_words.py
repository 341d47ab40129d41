"""Failures that the link itself has to tell of: nothing of the engine's is there to do it."""

from __future__ import annotations

from engine.protocol import Failure, Generate, ProtocolError, Remedy, RemedyAction, Scope

_CHOOSE = Remedy("Choose another model", RemedyAction.CHOOSE_MODEL)
NOT_STARTED = 127  # the exit code of a process that could not be started


def model_unsendable(error: ProtocolError) -> Failure:
    """The answer to a model that cannot even be named to the engine."""
    return Failure(
        Scope.LOAD,
        "The path of this model is not valid UTF-8. Rename its folder, then choose it again.",
        code="model_name",
        remedies=(_CHOOSE,),
        detail=str(error),
    )


def request_unsendable(request: Generate, error: ProtocolError) -> Failure:
    """The answer to a request that does not fit into a message."""
    return Failure(
        Scope.REQUEST,
        "This chat is too large to hand to the engine.",
        code="too_large",
        request_id=request.request_id,
        detail=str(error),
    )


def crash(code: int, log: str, deaths: int, python: str) -> Failure:
    """The last word on an engine that does not come back."""
    if code == NOT_STARTED:
        cause = f"The engine could not be started: {log}. Run ./packaging/run to repair ({python})."
    else:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        cause = f"The engine stopped {deaths} times in a row (the last time with {how})."
    return Failure(
        Scope.ENGINE,
        cause,
        code="engine_stopped",
        remedies=(
            Remedy("Start it again", RemedyAction.RETRY),
            _CHOOSE,
            Remedy("Show the log", RemedyAction.SHOW_LOG),
        ),
        detail=log,
    )
