"""How much of a job is done and how long the rest takes, from what has been measured so far.

A job reads the held-out text three times and works on each layer. The first reading tells how fast
the machine is; what a layer takes is guessed from that until the first is done, and then is what
the last ones took.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.quantize.wire import Progress, Step

# What a layer takes, in readings of as many tokens by that layer: 20 tries of four scales, ten of
# each clipping. Measured.
LAYER_READINGS = 25.0
_RECENT = 4  # layers whose time counts for the next: other programs come and go
_ENDS = 1.1  # what writing and loading add


class Clock:
    """Tells `Progress` as the steps go by.

    Args:
        layers: of the model. ratio: calibration tokens to held-out tokens.
    """

    def __init__(
        self,
        layers: int,
        ratio: float,
        tell: Callable[[Progress], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._layers = layers
        self._ratio = ratio
        self._tell = tell
        self._now = now
        self._start = self._step_start = now()
        self._step = Step.CHECKING
        self._reading: float | None = None  # s
        self._marks: list[float] = []  # when each layer was begun
        self._share = 0.0
        self._warm = 0.0

    @property
    def elapsed(self) -> float:
        """Since the beginning, in s."""
        return self._now() - self._start

    def begin(self, step: Step, total: int = 0) -> None:
        """A step begins."""
        now = self._now()
        if self._step is Step.ORIGINAL:
            self._reading = now - self._step_start - self._warm / 2
        self._step, self._step_start = step, now
        self.tell(0, total)

    def layer(self, index: int) -> None:
        """A layer is begun."""
        self._marks.append(self._now())
        self.tell(index, self._layers)

    def tell(self, done: int, total: int) -> None:
        """Say that `done` of `total` are done in this step."""
        left = self._left(done, total)
        if left is not None:
            self._share = max(self._share, self.elapsed / (self.elapsed + left + 0.001))
        self._tell(
            Progress(
                step=self._step,
                done=done,
                total=total,
                share=min(self._share, 1.0),
                elapsed=self.elapsed,
                left=left,
            )
        )

    def _left(self, done: int, total: int) -> float | None:
        spent = self._now() - self._step_start
        reading = self._reading
        if self._step is Step.ORIGINAL and done == 1:
            self._warm = spent  # the first window pays for what is made ready once
        if self._step is Step.ORIGINAL and done > 1:
            reading = (spent - self._warm) * total / (done - 1)
        if reading is None:
            return None
        rest = 1 - done / total if total else 1.0
        match self._step:
            case Step.ORIGINAL:
                left = reading * (rest + 2) + self._layers * self._per_layer(reading)
            case Step.ROUNDING:
                left = reading * (rest + 1) + self._layers * self._per_layer(reading)
            case Step.LAYERS:
                left = reading + (self._layers - done) * self._per_layer(reading)
            case Step.WRITING:
                left = reading
            case Step.VERIFYING:
                left = reading * rest
            case _:
                left = 0.0
        return left * _ENDS

    def _per_layer(self, reading: float) -> float:
        if len(self._marks) < 2:
            return LAYER_READINGS * reading * self._ratio / self._layers
        recent = self._marks[-_RECENT - 1 :]
        return (recent[-1] - recent[0]) / (len(recent) - 1)
