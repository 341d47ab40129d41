"""How long a load may stand still before it is ended: pure.

Several processes that load together wait for each other, and a link between GPUs that does
not work makes them wait for ever: on many boards the cards can reach each other's memory in
name only. One process alone has nobody to wait for.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.failure_words import words
from engine.protocol import Failure, LoadSettings, Remedy, RemedyAction, Scope

# Compiling kernels for a large model is the longest step without a sign of life.
STALL_SECONDS = 300.0
SLOW_DISK = 50e6  # bytes/s

_NO_P2P = Remedy(
    words("Load without the direct GPU link"), RemedyAction.RELOAD_WITH, {"disable_p2p": True}
)
_ONE_GPU = words("Use one GPU")
_LOG = Remedy(words("Show the log"), RemedyAction.SHOW_LOG)
_LINK = words(
    "The GPUs wait for each other without end: the direct link between them does not work as it "
    "says. Without it their data goes through the computer's memory."
)
_NO_LINK = words("The GPUs wait for each other without end, also without their direct link.")
_STANDS = words("Loading the model stands still.")
_RETRY = Remedy(words("Try again"), RemedyAction.RETRY)


def stall_limit(settings: LoadSettings) -> float | None:
    """Seconds without progress that end a load with `settings`; None: none do."""
    if settings.load_timeout is not None:
        return max(0.0, settings.load_timeout)
    return STALL_SECONDS if settings.tensor_parallel_size > 1 else None


def patient(settings: LoadSettings, unseen: int) -> LoadSettings:
    """`settings` with a limit for a load that reads `unseen` bytes without telling how far it is.

    A limit that was asked for stays as it is, and so does none.
    """
    limit = stall_limit(settings)
    if limit is None or settings.load_timeout is not None or unseen <= 0:
        return settings
    return replace(settings, load_timeout=limit + unseen / SLOW_DISK)


def load_timeout(load_id: int, limit: float, settings: LoadSettings) -> Failure:
    """The failure of a load that stood still for `limit` seconds."""
    remedies: tuple[Remedy, ...]
    if settings.tensor_parallel_size > 1:
        # A named GPU: with none, two may be taken again.
        first = settings.devices[:1] or (0,)
        one_gpu = Remedy(
            _ONE_GPU, RemedyAction.RELOAD_WITH, {"tensor_parallel_size": 1, "devices": first}
        )
        cause = _LINK
        remedies = (_NO_P2P, one_gpu, _LOG)
        if settings.disable_p2p:
            cause = _NO_LINK
            remedies = (one_gpu, _LOG)
    else:
        cause = _STANDS
        remedies = (_RETRY, _LOG)
    return Failure(
        Scope.LOAD,
        cause,
        code="load_timeout",
        remedies=remedies,
        detail=f"no progress in {limit:g} s",
        load_id=load_id,
    )
