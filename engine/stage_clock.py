"""Times the stages of one load, and tells how far it is. Pure."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.protocol import LoadProgress, LoadStage, StageTime


class StageClock:
    """Times the stages of one load and reports each step of progress.

    `began` is a reading of `time.monotonic`: when the load was asked for.
    """

    def __init__(self, load_id: int, report: Callable[[LoadProgress], None], began: float) -> None:
        self._load_id = load_id
        self._report = report
        self._began = self._entered = began
        self._stage = LoadStage.IMPORTING
        self._percent = -1
        self.times: list[StageTime] = []
        report(LoadProgress(load_id, self._stage, self.elapsed))

    @property
    def elapsed(self) -> float:
        """Seconds since the load began."""
        return time.monotonic() - self._began

    @property
    def stage(self) -> LoadStage:
        """The stage it is in."""
        return self._stage

    def enter(self, stage: LoadStage) -> None:
        """The next stage begins; entering the same again changes nothing."""
        if stage is self._stage:
            return
        self._close()
        self._stage = stage
        self._percent = -1
        self._report(LoadProgress(self._load_id, stage, self.elapsed))

    def fraction(self, done: float, detail: str = "") -> None:
        """Report how far the stage is, at most once a percent."""
        percent = int(min(1.0, done) * 100)
        if percent > self._percent:
            self._percent = percent
            progress = LoadProgress(self._load_id, self._stage, self.elapsed, percent / 100, detail)
            self._report(progress)

    def describing(self, done: float) -> None:
        """A GGUF file's config and tokenizer are being written, and this share of it is done."""
        self.enter(LoadStage.DESCRIBING)
        self.fraction(done)

    def finish(self) -> None:
        """The load is complete."""
        self._close()

    def _close(self) -> None:
        now = time.monotonic()
        self.times.append(StageTime(self._stage, now - self._entered))
        self._entered = now
