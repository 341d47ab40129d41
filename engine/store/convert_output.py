"""What a conversion prints: a line for people, or an object for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from engine.planner.wording import gib
from engine.store.gguf_cost import Cost, Progress
from engine.store.gguf_error import GgufError
from engine.store.gguf_header import GgufHeader


class Output(Protocol):
    """Where a conversion tells what it does."""

    def cost(self, header: GgufHeader, cost: Cost) -> None:
        """What the file is and what converting it takes."""

    def progress(self, progress: Progress) -> None:
        """How far it is."""

    def note(self, text: str) -> None:
        """Something else."""

    def done(self, folder: Path) -> None:
        """The last of all: where the model lies."""

    def error(self, error: GgufError) -> None:
        """The last of all: why there is none."""


def output(*, objects: bool) -> Output:
    """One that prints an object on each line, or lines for people."""
    return _Objects() if objects else _Lines()


class _Lines:
    """For people."""

    def cost(self, header: GgufHeader, cost: Cost) -> None:
        self.note(
            f"{header.name}: {header.elements / 1e6:,.0f} million weights, {header.architecture}, "
            f"{gib(header.size)}. Converted it takes {gib(cost.disk)} of disk, "
            f"{gib(cost.memory)} of memory meanwhile, and about "
            f"{cost.minutes} min."
        )

    def progress(self, progress: Progress) -> None:
        self.note(
            f"{progress.stage}: {progress.fraction:.0%} in all, "
            f"about {_span(progress.seconds_left)} left"
        )

    def note(self, text: str) -> None:
        print(text, flush=True)

    def done(self, folder: Path) -> None:
        self.note(str(folder))

    def error(self, error: GgufError) -> None:
        self.note(str(error))


class _Objects:
    """For programs."""

    def cost(self, header: GgufHeader, cost: Cost) -> None:
        self._say(
            "cost",
            name=header.name,
            architecture=header.architecture,
            weights=header.elements,
            file_bytes=header.size,
            disk_bytes=cost.disk,
            memory_bytes=cost.memory,
            seconds=round(cost.total_seconds, 1),
        )

    def progress(self, progress: Progress) -> None:
        self._say(
            "progress",
            stage=progress.stage.name.lower(),
            fraction=round(progress.fraction, 4),
            seconds_left=round(progress.seconds_left, 1),
        )

    def note(self, text: str) -> None:
        self._say("note", text=text)

    def done(self, folder: Path) -> None:
        self._say("done", folder=str(folder))

    def error(self, error: GgufError) -> None:
        self._say("error", code=error.code, text=str(error))

    def _say(self, kind: str, **facts: Any) -> None:
        print(json.dumps({"type": kind, **facts}), flush=True)


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
