"""How much of the KV memory that requests hold is of no use: paged, and as it was before. Pure.

A block is given away whole, so the last block of each sequence has on average (block - 1) / 2
slots without a token; nothing else of what is held is wasted. Before paging, a request was given
one piece of memory for the longest text it could become (Kwon et al., "Efficient Memory
Management for Large Language Model Serving with PagedAttention", SOSP 2023, figure 2).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.protocol import KvReport


@dataclass(frozen=True, slots=True)
class KvWaste:
    """Slots (of one token each) at one moment.

    Attributes:
        slots: of all blocks that are held, each block counted once.
        unused: of them, without a token.
        tokens: that requests have in the cache; those in a shared block count for each.
        sequences: that hold blocks.
        reserved: slots that pieces of the greatest length would take.
    """

    slots: int
    unused: int
    tokens: int
    sequences: int
    reserved: int

    @property
    def share(self) -> float | None:
        """Unused of what is held, from 0 to 1; None: nothing is held."""
        return self.unused / self.slots if self.slots else None

    @property
    def contiguous_share(self) -> float | None:
        """The same, had each request one piece of memory for the whole context."""
        return 1 - self.tokens / self.reserved if self.reserved else None

    @property
    def per_sequence(self) -> float | None:
        """Unused slots of a sequence; (block - 1) / 2 are to be expected of many."""
        return self.unused / self.sequences if self.sequences else None


def waste_of(report: KvReport, context: int) -> KvWaste:
    """Count a report.

    Args:
        context: the longest text in tokens that the model is loaded for.
    """
    holding = [request for request in report.requests if request.blocks]
    return KvWaste(
        slots=report.used * report.block_size,
        unused=sum(request.unused for request in holding),
        tokens=sum(min(request.tokens, context) for request in holding),
        sequences=len(holding),
        reserved=context * len(holding),
    )
