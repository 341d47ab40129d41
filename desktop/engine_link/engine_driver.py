"""Drives one engine process after the other, for an `EngineClient`: requests, answers, sleep.

Everything arrives as a signal.
"""

from __future__ import annotations

import time

from PySide6.QtCore import Signal

from desktop.engine_link.engine_life import UNLOAD_MS, EngineLife
from desktop.engine_link.engine_state import Phase
from desktop.engine_link.last_words import request_unsendable
from engine.protocol import (
    Cancel,
    CountTokens,
    EngineState,
    Failure,
    FromEngine,
    Generate,
    Heartbeat,
    KvReport,
    LoadCancelled,
    Loaded,
    LoadProgress,
    Measure,
    Measured,
    Pong,
    ProtocolError,
    Scope,
    Sleep,
    Status,
    Telemetry,
    TokenBatch,
    TokenCount,
    Unload,
    Unloaded,
    Wake,
    Watch,
)


class EngineDriver(EngineLife):
    """See the module; methods and signals are those of `EngineClient`."""

    token_batch = Signal(object)
    request_failed = Signal(object)
    telemetry = Signal(object)
    token_counted = Signal(object)
    measured = Signal(object)
    kv_report = Signal(object)

    def sleep(self, *, lend: bool) -> None:
        """Free what the model takes; what is asked next wakes it.

        Answers under way are interrupted.

        Args:
            lend: the GPU is wanted for something else for a while: the weights go to the
                host's memory if the model can do that. Else nothing at all is kept.
        """
        if self._view.phase is not Phase.READY or self._slumber.is_asked:
            return
        loaded = self._view.loaded
        if lend and loaded is not None and loaded.can_sleep and self._engine is not None:
            for request_id in self._requests.running:
                self._engine.send(Cancel(request_id))
            self._lose_running()
            self._slumber.is_asked = True
            self._engine.send(Sleep())
        else:
            self._let_go(is_lent=lend)

    def wake(self) -> None:
        """Have the sleeping model back."""
        if self._view.phase is not Phase.SLEEPING:
            return
        if self._slumber.in_process and self._engine is not None and not self._is_leaving:
            self._slumber.begin_waking()
            self._autoload = True
            self._set(
                phase=Phase.LOADING, is_waking=True, stage=None, fraction=None, load_elapsed=0.0
            )
            self._engine.send(Wake())
        else:
            model = self._view.model
            self._set(phase=Phase.STARTING, model=model, loaded=None, is_waking=True, stage=None)
            self.restart()

    def measure(self, request: Measure) -> None:
        """Measure the model's speed; nothing comes back unless READY. `cancel` ends it."""
        if self._view.phase is Phase.READY and self._engine is not None:
            self._engine.send(request)
            self._measuring = request.request_id

    def watch(self, seconds: float) -> None:
        """Have `kv_report`s so often at most, from this process and those after it; 0: none."""
        self._watch_seconds = seconds
        if self._engine is not None:
            self._engine.send(Watch(seconds))

    def generate(self, request: Generate) -> None:
        """Ask for an answer; held until the model is ready, then sent in order."""
        if self._view.phase is Phase.READY and not self._slumber.is_asked:
            self._send_request(request)
        else:
            self._requests.hold(request)
            self._set(queued=self._requests.held)
            self.wake()  # if it sleeps

    def cancel(self, request_id: str) -> None:
        """Stop a request, held or under way; it ends with a CANCELLED update."""
        dropped = self._requests.drop_held(request_id)
        if dropped is not None:
            self._set(queued=self._requests.held)
            self.token_batch.emit(dropped)
        elif self._engine is not None and (
            self._requests.is_running(request_id) or request_id == self._measuring
        ):
            self._engine.send(Cancel(request_id))

    def count_tokens(self, request: CountTokens) -> None:
        """Count a conversation's prompt tokens; nothing comes back unless READY."""
        if self._view.phase is Phase.READY and self._engine is not None:
            self._engine.send(request)

    def _let_go(self, *, is_lent: bool) -> None:
        """End the process, and with it all that the model takes; it is loaded again later."""
        self._autoload = False
        self._set(
            phase=Phase.SLEEPING,
            stage=None,
            is_lent=is_lent,
            is_waking=False,
            wake_seconds=self._slumber.load_seconds,
        )
        self._replace(Unload(), UNLOAD_MS)
        if self._requests.held:  # somebody has asked meanwhile
            self.wake()

    # --- messages ----------------------------------------------------------------------

    def _on_message(self, message: FromEngine) -> None:
        match message:
            case TokenBatch():
                self._requests.ended_in(message)
                self.token_batch.emit(message)
            case Telemetry():
                self.telemetry.emit(message)
            case KvReport():
                self.kv_report.emit(message)
            case TokenCount():
                self.token_counted.emit(message)
            case Measured():
                self._measuring = ""
                self.measured.emit(message)
            case LoadProgress():
                self._set(
                    stage=message.stage,
                    fraction=message.fraction,
                    load_elapsed=message.elapsed,
                )
            case Loaded():
                self._on_loaded(message)
            case Failure():
                self._on_failure(message)
            case Status():
                self._on_status(message.state)
            case LoadCancelled() | Unloaded() | Heartbeat() | Pong():
                pass

    def _on_loaded(self, loaded: Loaded) -> None:
        if self.pid == 0:
            return  # it died since; what is held waits for the next one
        self._ready_since = time.monotonic()
        self._slumber.load_seconds = loaded.seconds
        self._set(loaded=loaded, model=loaded.model)
        self._become_ready()

    def _become_ready(self) -> None:
        self._set(
            phase=Phase.READY,
            stage=None,
            fraction=None,
            is_lent=False,
            is_waking=False,
            wake_seconds=0.0,
        )
        held = self._requests.release()
        self._set(queued=0)
        for request in held:
            self._send_request(request)

    def _on_status(self, state: EngineState) -> None:
        phase = self._view.phase
        if state is EngineState.STARTING and self._watch_seconds and self._engine is not None:
            self._engine.send(Watch(self._watch_seconds))  # a fresh process knows of nobody
        if state is EngineState.IDLE and phase is Phase.STARTING:
            self._set(phase=Phase.IDLE, is_waking=False)
        elif state is EngineState.SLEEPING and self._slumber.is_asked:
            self._slumber.is_asked = False
            self._slumber.in_process = True
            self._autoload = False  # if it dies now it is loaded when it is wanted
            self._set(phase=Phase.SLEEPING, is_lent=True, wake_seconds=self._slumber.expected)
            if self._requests.held:
                self.wake()
        elif state is EngineState.READY and phase is Phase.LOADING and self._slumber.in_process:
            self._slumber.woke()
            self._become_ready()

    def _on_failure(self, failure: Failure) -> None:
        if failure.request_id:
            if failure.request_id == self._measuring:
                self._measuring = ""
            self._requests.failed(failure.request_id)
            self.request_failed.emit(failure)
            return
        if failure.scope is Scope.SLEEP:
            self._on_no_sleep(failure)
            return
        if failure.scope is Scope.LOAD:
            self._autoload = False
            self._set(phase=Phase.FAILED, failure=failure, loaded=None, stage=None)
            # What a failed load has taken is only given back by the process's end.
            self._replace(Unload(), UNLOAD_MS)
            return
        self._log.append(f"window: {failure.cause} {failure.detail}\n".encode())
        self._last_words = failure
        if self._engine is not None:
            self._engine.kill()

    def _on_no_sleep(self, failure: Failure) -> None:
        """It cannot sleep or wake by itself: its process ends, and another one loads."""
        self._log.append(f"window: {failure.cause} {failure.detail}\n".encode())
        if self._slumber.is_asked:
            self._slumber.over()
            self._let_go(is_lent=True)
        elif self._slumber.in_process:
            self._slumber.over()
            self._autoload = True
            self._replace(Unload(), UNLOAD_MS)

    def _send_request(self, request: Generate) -> None:
        assert self._engine is not None
        try:
            self._engine.send(request)
        except ProtocolError as error:
            self.request_failed.emit(request_unsendable(request, error))
            return
        self._requests.sent(request)
