"""What a conversion costs, said before it begins and kept up with while it runs.

Disk: two bytes a weight and the tokenizer. Memory: the same, and the largest tensor twice over
in 32 bits. Time: the stages' processor time with SmolLM2-135M on 2 cores of a server, where
reading the vocabulary takes most of it (some 17 s in all); how long is left then follows more
and more from how fast it has gone so far.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from engine.failure_words import in_gib, words
from engine.store.gguf_error import GgufError
from engine.store.gguf_header import GgufHeader

WEIGHT_BYTES: Final = 2  # of a converted weight: bfloat16 or float16
_EXTRA_DISK: Final = 100_000_000  # the tokenizer, and room for the disk to breathe
_LIBRARY_MEMORY: Final = 1_200_000_000  # torch, transformers, the vocabulary
_EXPANDED_BYTES: Final = 4 + 4  # of a weight that is being expanded: float32, and its copy

_NO_DISK = words(
    "Converting {file} needs {needed} GiB of disk in {folder}; {free} GiB are free. Free some "
    "space and try again."
)
_NO_MEMORY = words(
    "Converting {file} needs about {needed} GiB of memory; {free} GiB are free. Close other "
    "programs or unload the model, then try again."
)


class Stage(StrEnum):
    """What a conversion does, in this order; the value says it to the user."""

    READING = "Reading the file"
    LIBRARIES = "Starting the converter"
    EXPANDING = "Expanding the weights"
    WRITING = "Writing safetensors"
    CHECKING = "Checking what was written"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one conversion takes. Bytes, and seconds for each stage."""

    disk: int
    memory: int
    seconds: dict[Stage, float]

    @property
    def total_seconds(self) -> float:
        """About how long it takes here."""
        return sum(self.seconds.values())

    @property
    def minutes(self) -> int:
        """The same in whole minutes, one at least."""
        return max(1, math.ceil(self.total_seconds / 60))


def cost_of(header: GgufHeader) -> Cost:
    """What converting the file of `header` takes on a machine like that of the measurements."""
    written = header.elements * WEIGHT_BYTES
    vocabulary = sum(header.arrays.values())  # tokens, their kinds, merges
    return Cost(
        disk=written + _EXTRA_DISK,
        memory=written + header.largest * _EXPANDED_BYTES + _LIBRARY_MEMORY,
        seconds={
            Stage.READING: header.size / 800e6,
            Stage.LIBRARIES: 3.5 + vocabulary * 1.2e-5,
            Stage.EXPANDING: vocabulary * 5e-5 + header.elements / 45e6,
            Stage.WRITING: written / 300e6,
            Stage.CHECKING: written / 500e6 + 0.5,
        },
    )


def cost_of_description() -> Cost:
    """What writing only the config and the tokenizer takes."""
    seconds = dict.fromkeys(Stage, 0.5)
    return Cost(_EXTRA_DISK, _LIBRARY_MEMORY, {**seconds, Stage.LIBRARIES: 8.0})


def check_room(cost: Cost, file: Path, store: Path, memory_available: int) -> None:
    """See that there is room for it.

    Args:
        store: a folder that is there, on the disk that the model is written to.

    Raises:
        GgufError: there is not; it says how much is missing where.
    """
    free = shutil.disk_usage(store).free
    if free < cost.disk:
        raise GgufError(
            "disk",
            _NO_DISK.format(
                file=file.name, needed=in_gib(cost.disk), folder=store, free=in_gib(free)
            ),
        )
    if memory_available < cost.memory:
        raise GgufError(
            "memory",
            _NO_MEMORY.format(
                file=file.name, needed=in_gib(cost.memory), free=in_gib(memory_available)
            ),
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is. `fraction`: of the time of all stages, 0 to 1."""

    stage: Stage
    fraction: float
    seconds_left: float


class Meter:
    """Turns what was done of each stage into a fraction of all and the time that is left."""

    def __init__(
        self,
        cost: Cost,
        report: Callable[[Progress], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = cost.seconds
        self._total = cost.total_seconds
        self._report = report
        self._clock = clock
        self._start = clock()
        self._before = 0.0  # planned seconds of the stages that are over
        self._stage = Stage.READING
        self._last_report = -math.inf

    def enter(self, stage: Stage) -> None:
        """A stage begins; those before it are over."""
        stages = list(Stage)
        self._before = sum(self._seconds[one] for one in stages[: stages.index(stage)])
        self._stage = stage
        self._tell(0.0, at_once=True)

    def done(self, share: float) -> None:
        """So much of the stage is over, 0 to 1. Reported once a second at most."""
        self._tell(min(1.0, max(0.0, share)), at_once=False)

    def _tell(self, share: float, *, at_once: bool) -> None:
        now = self._clock()
        if not at_once and now - self._last_report < 1.0:
            return
        self._last_report = now
        planned = self._before + share * self._seconds[self._stage]
        fraction = min(1.0, planned / self._total)
        elapsed = now - self._start
        # The plan counts less and less the more has been seen.
        measured = elapsed / fraction if fraction > 0 else self._total
        expected = (1 - fraction) * self._total + fraction * measured
        left = max(0.0, expected * (1 - fraction))
        self._report(Progress(self._stage, fraction, left))
