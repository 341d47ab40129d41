"""The outgoing queue: merges deltas, keeps order, never grows behind a slow window.

Producers (the backend's threads) put; one coroutine takes whole frames. What streams
produced is merged per request until it is taken, so that a stalled window costs one
update a stream however long it stalls. Readings are latest-wins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.protocol import Failure, Finish, KvReport, Message, StreamUpdate, Telemetry, TokenBatch


@dataclass(slots=True)
class _Stream:
    """What one stream produced since the last frame."""

    text: list[str] = field(default_factory=list)
    tokens: int = 0
    running: bool = False
    prompt_tokens: int | None = None
    opens_reasoning: str = ""
    finish: Finish | None = None

    def add(self, update: StreamUpdate) -> None:
        if update.text:
            self.text.append(update.text)
        self.tokens += update.tokens
        self.running = self.running or update.running
        if update.prompt_tokens is not None:
            self.prompt_tokens = update.prompt_tokens
            self.opens_reasoning = update.opens_reasoning
        if update.finish is not None:
            self.finish = update.finish

    def merged(self, request_id: str) -> StreamUpdate:
        return StreamUpdate(
            request_id=request_id,
            text="".join(self.text),
            tokens=self.tokens,
            running=self.running,
            prompt_tokens=self.prompt_tokens,
            opens_reasoning=self.opens_reasoning,
            finish=self.finish,
        )


class Outbox:
    """Thread-safe; `wake` is called (from any thread) when there is something new."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._control: list[Message] = []
        self._streams: dict[str, _Stream] = {}
        self._started: set[str] = set()
        self._readings: dict[type[Message], Message] = {}
        self._urgent = False

    def put(self, message: Message) -> None:
        """Queue a message that must arrive, after all that was put before it."""
        with self._lock:
            if isinstance(message, Failure) and message.request_id:
                self._started.discard(message.request_id)
            self._seal_streams()
            self._control.append(message)
            self._urgent = True
        self._wake()

    def put_updates(self, updates: list[StreamUpdate]) -> None:
        """Merge what one engine step produced into the next frame.

        The first token of a stream, its start and its end make the frame urgent: they
        are not held back to the frame's pace.
        """
        if not updates:
            return
        with self._lock:
            for update in updates:
                key = update.request_id
                self._streams.setdefault(key, _Stream()).add(update)
                if update.finish is not None:
                    self._started.discard(key)
                    self._urgent = True
                elif update.text and key not in self._started:
                    self._started.add(key)
                    self._urgent = True
        self._wake()

    def put_reading(self, reading: Telemetry | KvReport) -> None:
        """Replace the reading of its kind that waits, if one does."""
        with self._lock:
            self._readings[type(reading)] = reading
        self._wake()

    @property
    def is_urgent(self) -> bool:
        """Whether what waits must not wait for the frame's pace."""
        with self._lock:
            return self._urgent

    def take(self) -> list[Message]:
        """All that waits, in order; empty when nothing does."""
        with self._lock:
            self._seal_streams()
            messages, self._control = self._control, []
            messages += self._readings.values()
            self._readings = {}
            self._urgent = False
            return messages

    def _seal_streams(self) -> None:
        """Turn the merged streams into a batch, so that later messages follow it."""
        if self._streams:
            batch = TokenBatch(tuple(s.merged(key) for key, s in self._streams.items()))
            self._control.append(batch)
            self._streams = {}
