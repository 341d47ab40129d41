"""What a backend is: the part of the engine that turns prompts into tokens.

The server talks to a backend only through this interface, so that the scripted
one (no torch) stands in for vLLM in the window's tests and in demos.
"""

from __future__ import annotations

from typing import Protocol

from engine.protocol import (
    CountTokens,
    Failure,
    Generate,
    KvReport,
    Loaded,
    LoadProgress,
    LoadSettings,
    Measure,
    Measured,
    StreamUpdate,
    Telemetry,
    TokenCount,
)


class Events(Protocol):
    """Where a backend reports. Every method may be called from any thread."""

    def imported(self) -> None:
        """The backend's libraries are in memory: loads start fast from here."""

    def load_planned(self, settings: LoadSettings) -> None:
        """What a load left open is decided: these are its settings."""

    def load_progress(self, progress: LoadProgress) -> None:
        """A load moved on."""

    def loaded(self, loaded: Loaded) -> None:
        """The model answers."""

    def updates(self, updates: list[StreamUpdate]) -> None:
        """What the streams produced in one step."""

    def token_count(self, count: TokenCount) -> None:
        """An answer to `count_tokens`."""

    def measured(self, measured: Measured) -> None:
        """The end of a `measure`."""

    def slept(self) -> None:
        """The GPU is lent."""

    def woke(self) -> None:
        """The model answers again."""

    def failed(self, failure: Failure) -> None:
        """A load, a request, a sleep or the whole engine failed."""

    def telemetry(self, telemetry: Telemetry) -> None:
        """A new reading."""

    def kv_report(self, report: KvReport) -> None:
        """The KV pool now, for who watches it."""


class Backend(Protocol):
    """Loads one model and streams answers. Calls return at once; results are events."""

    name: str

    def start(self, events: Events) -> None:
        """Begin importing what is needed."""

    def load(self, load_id: int, model: str, settings: LoadSettings) -> None:
        """Begin to load. Ends in `loaded` or `failed`."""

    def generate(self, request: Generate) -> None:
        """Queue a request. Ends in an update with `finish`, or in `failed`."""

    def cancel(self, request_id: str) -> None:
        """Stop a request; unknown ones are ignored."""

    def count_tokens(self, request: CountTokens) -> None:
        """Count the prompt tokens of a conversation."""

    def measure(self, request: Measure) -> None:
        """Run requests of fixed lengths. Ends in `measured` or in `failed`."""

    def sleep(self) -> None:
        """Lend the GPU. Ends in `slept`, or in `failed` with scope SLEEP."""

    def wake(self) -> None:
        """Take the GPU back. Ends in `woke`, or in `failed` with scope SLEEP."""

    def watch(self, seconds: float) -> None:
        """Tell `kv_report` so often at most, while something moves; 0: no more."""

    def stop(self) -> None:
        """End at once what can be ended; the process exits next."""
