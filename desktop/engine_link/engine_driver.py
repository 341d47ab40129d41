"""Drives one engine process after the other, for an `EngineClient`.

It keeps what must not be lost when a process dies: the wanted model, the requests that
wait for it, and which requests were under way. Everything arrives as a signal.
"""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.last_words import (
    NOT_STARTED,
    crash,
    model_unsendable,
    request_unsendable,
)
from desktop.engine_link.live_engine import LiveEngine
from desktop.engine_link.log_ring import LogRing
from desktop.engine_link.request_desk import RequestDesk
from desktop.engine_link.restart_policy import RestartPolicy
from desktop.engine_link.watchdog import SILENT_TICKS_BUSY, SILENT_TICKS_READY
from engine.protocol import (
    Cancel,
    CancelLoad,
    CountTokens,
    EngineState,
    Failure,
    FromEngine,
    Generate,
    Heartbeat,
    Load,
    LoadCancelled,
    Loaded,
    LoadProgress,
    LoadSettings,
    Pong,
    ProtocolError,
    Scope,
    Status,
    Telemetry,
    TokenBatch,
    TokenCount,
    Unload,
    Unloaded,
)

# How long a process that was asked to go may take before it is killed.
CANCEL_MS = 400
UNLOAD_MS = 2000


class EngineDriver(QObject):
    """See the module; methods and signals are those of `EngineClient`."""

    view_changed = Signal(object)
    token_batch = Signal(object)
    request_failed = Signal(object)
    interrupted = Signal(object)
    telemetry = Signal(object)
    token_counted = Signal(object)

    def __init__(
        self,
        command: EngineCommand,
        parent: QObject,
        policy: RestartPolicy | None,
        silent_ticks: tuple[int, int] | None,
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._policy = policy or RestartPolicy()
        self._silent_ready, self._silent_busy = silent_ticks or (
            SILENT_TICKS_READY,
            SILENT_TICKS_BUSY,
        )
        self._log = LogRing(command.log_folder)
        self._view = EngineView()
        self._engine: LiveEngine | None = None
        self._wanted: tuple[str, LoadSettings] | None = None
        self._load_id = 0
        self._requests = RequestDesk()
        self._autoload = True  # whether a fresh process loads what is wanted
        self._closing = False
        self._ready_since = 0.0
        self._last_words: Failure | None = None  # why the engine itself said it cannot go on
        self._retry = QTimer(self, singleShot=True)
        self._retry.timeout.connect(self._spawn)

    # --- what the window asks ------------------------------------------------------

    @property
    def view(self) -> EngineView:
        """The state now."""
        return self._view

    @property
    def pid(self) -> int:
        """Of the engine process, 0 when there is none."""
        return self._engine.pid if self._engine else 0

    def start(self) -> None:
        """Spawn the engine process, unless there is one."""
        if self._engine is None and not self._closing:
            self._retry.stop()
            self._spawn()

    def load(self, model: str, settings: LoadSettings | None = None) -> None:
        """Load the model in folder `model`, in place of the one there is."""
        self._wanted = (model, settings or LoadSettings())
        self.restart()

    def restart(self) -> None:
        """Try again after a failure, with the same model."""
        self._policy.reset()
        self._autoload = True
        if self._engine is None:
            self.start()
        elif self._engine.is_leaving:
            pass  # the process on its way out is followed by one that loads
        elif self._load_id:
            # A process holds one model in its life: only its end gives all memory back.
            self._replace(Unload(), UNLOAD_MS)
        elif self._wanted is not None:
            self._send_load()

    def cancel_load(self) -> None:
        """Stop loading; requests that wait for the model go on waiting."""
        if self._view.phase not in (Phase.LOADING, Phase.STARTING, Phase.RESTARTING):
            return
        self._autoload = False
        if self._load_id and not self._is_leaving:
            self._replace(CancelLoad(self._load_id), CANCEL_MS)
        elif not self._is_leaving:
            # No load has begun: the process, or the one that follows, stays without a model.
            self._set(model="")

    def unload(self) -> None:
        """Give the model's memory back. Answers under way are interrupted."""
        self._autoload = False
        if self._load_id and not self._is_leaving:
            self._replace(Unload(), UNLOAD_MS)

    def generate(self, request: Generate) -> None:
        """Ask for an answer; held until the model is ready, then sent in order."""
        if self._view.phase is Phase.READY:
            self._send_request(request)
        else:
            self._requests.hold(request)
            self._set(queued=self._requests.held)

    def cancel(self, request_id: str) -> None:
        """Stop a request, held or under way; it ends with a CANCELLED update."""
        dropped = self._requests.drop_held(request_id)
        if dropped is not None:
            self._set(queued=self._requests.held)
            self.token_batch.emit(dropped)
        elif self._requests.is_running(request_id) and self._engine is not None:
            self._engine.send(Cancel(request_id))

    def count_tokens(self, request: CountTokens) -> None:
        """Count a conversation's prompt tokens; nothing comes back unless READY."""
        if self._view.phase is Phase.READY and self._engine is not None:
            self._engine.send(request)

    def log_tail(self, lines: int = 200) -> str:
        """The last lines of the engine's log."""
        return self._log.tail(lines)

    def shutdown(self) -> None:
        """End the engine in order; returns within some 3 s with nothing left of it."""
        self._closing = True
        self._retry.stop()
        engine = self._forget_engine()
        if engine is not None:
            engine.shut_down()
        self._lose_running()
        self._log.close()
        self._set(phase=Phase.STOPPED)

    # --- the process ------------------------------------------------------------------

    @property
    def _is_leaving(self) -> bool:
        """Whether we asked the process to go; a fresh one follows."""
        return self._engine is not None and self._engine.is_leaving

    def _spawn(self) -> None:
        self._load_id = 0
        self._last_words = None
        engine = self._engine = LiveEngine(self._command, self._log, self._silence_allowed, self)
        engine.received.connect(self._on_message)
        engine.ended.connect(self._on_ended)
        engine.start()
        if self._engine is not engine:  # it failed to start and was cleaned up already
            return
        if self._view.phase is not Phase.FAILED or self._autoload:
            self._set(phase=Phase.STARTING, failure=None, stage=None, fraction=None, retry_in=0.0)
        # else: a fresh process stands ready behind the notice of what failed.
        if self._autoload and self._wanted is not None:
            self._send_load()

    def _send_load(self) -> None:
        assert self._wanted is not None
        assert self._engine is not None
        model, settings = self._wanted
        try:
            self._engine.send(Load(self._load_id + 1, model, settings))
        except ProtocolError as error:
            self._autoload = False
            self._set(phase=Phase.FAILED, model=model, loaded=None, failure=model_unsendable(error))
            return
        self._load_id += 1
        self._set(
            phase=Phase.LOADING,
            model=model,
            stage=None,
            fraction=None,
            load_elapsed=0.0,
            loaded=None,
            failure=None,
        )

    def _replace(self, farewell: CancelLoad | Unload, grace_ms: int) -> None:
        """Ask the process to end, kill it after `grace_ms`; a fresh one follows.

        Nothing here waits: the window goes on painting while memory is given back.
        """
        if self._engine is None:
            return
        self._engine.ask_to_leave(farewell, grace_ms)
        self._lose_running()
        if self._view.phase is not Phase.FAILED:
            self._set(phase=Phase.STARTING, model="", loaded=None, stage=None, failure=None)

    def _on_ended(self, code: int, log: str) -> None:
        """The process is gone, asked or not."""
        lived = time.monotonic() - self._ready_since if self._view.phase is Phase.READY else 0.0
        expected = self._is_leaving
        self._forget_engine()
        if self._closing:
            return
        self._lose_running()
        if expected:
            self._spawn()
            return
        delay = self._policy.died(lived)
        if delay is None or code == NOT_STARTED:
            failure = self._last_words or crash(
                code, log, self._policy.deaths, self._command.python
            )
            self._autoload = False
            self._set(
                phase=Phase.FAILED, loaded=None, restarts=self._policy.deaths, failure=failure
            )
            return
        if self._view.phase is not Phase.FAILED:
            self._set(
                phase=Phase.RESTARTING, loaded=None, restarts=self._policy.deaths, retry_in=delay
            )
        self._retry.start(int(delay * 1000))

    def _forget_engine(self) -> LiveEngine | None:
        engine, self._engine = self._engine, None
        self._load_id = 0
        return engine

    def _silence_allowed(self) -> int:
        return self._silent_ready if self._view.phase is Phase.READY else self._silent_busy

    def _lose_running(self) -> None:
        lost = self._requests.lose_running()
        if lost:
            self.interrupted.emit(lost)

    # --- messages ----------------------------------------------------------------------

    def _on_message(self, message: FromEngine) -> None:
        match message:
            case TokenBatch():
                self._requests.ended_in(message)
                self.token_batch.emit(message)
            case Telemetry():
                self.telemetry.emit(message)
            case TokenCount():
                self.token_counted.emit(message)
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
                if message.state is EngineState.IDLE and self._view.phase is Phase.STARTING:
                    self._set(phase=Phase.IDLE)
            case LoadCancelled() | Unloaded() | Heartbeat() | Pong():
                pass

    def _on_loaded(self, loaded: Loaded) -> None:
        if self.pid == 0:
            return  # it died since; what is held waits for the next one
        self._ready_since = time.monotonic()
        self._set(phase=Phase.READY, loaded=loaded, model=loaded.model, stage=None, fraction=None)
        held = self._requests.release()
        self._set(queued=0)
        for request in held:
            self._send_request(request)

    def _on_failure(self, failure: Failure) -> None:
        if failure.request_id:
            self._requests.failed(failure.request_id)
            self.request_failed.emit(failure)
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

    def _send_request(self, request: Generate) -> None:
        assert self._engine is not None
        try:
            self._engine.send(request)
        except ProtocolError as error:
            self.request_failed.emit(request_unsendable(request, error))
            return
        self._requests.sent(request)

    def _set(self, **changes: object) -> None:
        view = replace(self._view, **changes)  # type: ignore[arg-type]
        if view != self._view:
            self._view = view
            self.view_changed.emit(view)
