"""The ledger of the KV pool: a row for each chat that asks, or that the cache remembers. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from desktop.models.monitor.kv_books import KvPicture, Owner
from engine.protocol import KvReport, KvRequest

SPAN: Final = 2.0  # seconds that a rate is of
MOST_OVER: Final = 50  # chats whose answers are over


class State(StrEnum):
    """What a chat is at."""

    ANSWERS = "answers"
    READS = "reads"  # its prompt
    WAITS = "waits"
    SENT_BACK = "sent back"  # preempted: it waits, to be read again
    OVER = "over"


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A chat. Counts are as `kv_books.Owner` has them.

    Attributes:
        tps: tokens/s of all its answers together over the last seconds; None where nothing
            answers, or it has only begun.
    """

    owner: Owner
    state: State
    tps: float | None

    @property
    def key(self) -> int:
        """What tells it from the others, for the session."""
        return self.owner.number

    @property
    def blocks(self) -> int:
        """That it holds."""
        return len(self.owner.blocks)

    @property
    def shared_share(self) -> float | None:
        """Of its blocks, those that others hold too; None: it has none."""
        return self.owner.shared / len(self.owner.blocks) if self.owner.blocks else None


class Ledger:
    """Keeps how fast each answer grows, from report to report. For one load of one engine."""

    def __init__(self) -> None:
        self._lengths: dict[str, deque[tuple[float, int]]] = {}

    def take(self, picture: KvPicture, report: KvReport, at: float) -> tuple[LedgerRow, ...]:
        """Enter a report.

        Args:
            picture: of the same report. at: seconds of a clock that only goes forward.

        Returns:
            rows of those that ask, in the order of the picture; then of those that are over, the
            latest first.
        """
        requests = {request.request_id: request for request in report.requests}
        self._lengths = {name: self._lengths.get(name, deque()) for name in requests}
        for name, request in requests.items():
            known = self._lengths[name]
            known.append((at, request.context_tokens))
            while len(known) > 2 and at - known[1][0] >= SPAN:
                known.popleft()
        rows = []
        for owner in picture.holders:
            state = _state(owner, requests)
            rate = self._rate(owner) if state is State.ANSWERS else None
            rows.append(LedgerRow(owner, state, rate))
        over = [owner for owner in picture.remembered if owner.ref.chat_id]
        rows += [LedgerRow(owner, State.OVER, None) for owner in over[:MOST_OVER]]
        return tuple(rows)

    def _rate(self, owner: Owner) -> float | None:
        rates = [_slope(self._lengths[name]) for name in owner.requests if name in self._lengths]
        known = [rate for rate in rates if rate is not None]
        return sum(known) if known else None


def _slope(known: deque[tuple[float, int]]) -> float | None:
    (start, before), (end, now) = known[0], known[-1]
    return max(0, now - before) / (end - start) if end > start else None


def _state(owner: Owner, requests: dict[str, KvRequest]) -> State:
    if owner.position:
        return State.SENT_BACK if owner.preemptions else State.WAITS
    running = [
        requests[name]
        for name in owner.requests
        if name in requests and not requests[name].position
    ]
    # The token that was sampled last has no keys and values yet: one is always ahead.
    if running and all(one.context_tokens - one.tokens > 1 for one in running):
        return State.READS
    return State.ANSWERS
