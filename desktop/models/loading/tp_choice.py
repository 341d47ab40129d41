"""One GPU or two: which is faster, judged by a typical exchange. Pure.

Two GPUs share each matrix, and wait for each other twice a layer: over a slow link that costs
more than it brings. A figure decides that covers both reading a prompt and writing an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protocol import Failure, Loaded, Rate

PROMPT_TOKENS = 512
ANSWER_TOKENS = 256
# Two GPUs draw twice the power and leave none for another model: they must win clearly.
WORTH_IT = 0.95


@dataclass(frozen=True, slots=True)
class Tried:
    """What one way of loading came to: its rates, or why there are none.

    Attributes:
        devices: the GPUs' numbers; none on a CPU.
        without_p2p: it hung before, and was tried again with the GPUs' direct link off.
    """

    tensor_parallel_size: int
    devices: tuple[int, ...]
    rates: tuple[Rate, ...] = ()
    loaded: Loaded | None = None
    failure: Failure | None = None
    without_p2p: bool = False

    @property
    def seconds(self) -> float | None:
        """How long a typical exchange takes, over all numbers of streams; None: not measured."""
        return exchange_seconds(self.rates)


def exchange_seconds(rates: Sequence[Rate]) -> float | None:
    """Seconds for a prompt of 512 tokens and an answer of 256, on average a stream.

    streams x tokens / (tokens/s of all together), for reading and for writing, averaged over
    the measured numbers of streams. None where a rate is missing or zero.
    """
    if not rates or any(rate.prompt_tps <= 0 or rate.decode_tps <= 0 for rate in rates):
        return None
    total = sum(
        rate.streams * (PROMPT_TOKENS / rate.prompt_tps + ANSWER_TOKENS / rate.decode_tps)
        for rate in rates
    )
    return total / len(rates)


def faster(one: Tried, two: Tried) -> Tried | None:
    """The way to keep; None where neither could be measured."""
    first, second = one.seconds, two.seconds
    if first is None or second is None:
        return one if first is not None else two if second is not None else None
    return two if second < first * WORTH_IT else one
