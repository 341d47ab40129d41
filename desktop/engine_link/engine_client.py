"""The engine as the window uses it: one object that survives any number of engines.

It keeps what must not be lost when a process dies: the wanted model, the requests that
wait for it, and which requests were under way. Everything arrives as a signal.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.engine_link.engine_process import EngineCommand, EngineProcess
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.last_words import (
    NOT_STARTED,
    crash,
    model_unsendable,
    request_unsendable,
)
from desktop.engine_link.log_ring import LogRing
from desktop.engine_link.request_desk import RequestDesk
from desktop.engine_link.restart_policy import RestartPolicy
from desktop.engine_link.watchdog import SILENT_TICKS_BUSY, SILENT_TICKS_READY, Watchdog
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
    Shutdown,
    Status,
    Telemetry,
    TokenBatch,
    TokenCount,
    Unload,
    Unloaded,
)

if TYPE_CHECKING:
    from desktop.engine_link.connection import Connection

# How long a process that was asked to go may take before it is killed.
CANCEL_MS = 400
UNLOAD_MS = 2000


class EngineClient(QObject):
    """See the module.

    Signals:
        view_changed: EngineView. token_batch: TokenBatch. telemetry: Telemetry.
        token_counted: TokenCount. request_failed: Failure of scope REQUEST.
        interrupted: tuple of request ids that died with the engine.
    """

    view_changed = Signal(object)
    token_batch = Signal(object)
    request_failed = Signal(object)
    interrupted = Signal(object)
    telemetry = Signal(object)
    token_counted = Signal(object)

    def __init__(
        self,
        command: EngineCommand,
        parent: QObject | None = None,
        *,
        policy: RestartPolicy | None = None,
        silent_ticks: tuple[int, int] = (SILENT_TICKS_READY, SILENT_TICKS_BUSY),
    ) -> None:
        super().__init__(parent)
        self._command = command
        self._policy = policy or RestartPolicy()
        self._silent_ready, self._silent_busy = silent_ticks
        self._log = LogRing(command.log_folder)
        self._view = EngineView()
        self._process: EngineProcess | None = None
        self._connection: Connection | None = None
        self._wanted: tuple[str, LoadSettings] | None = None
        self._load_id = 0
        self._requests = RequestDesk()
        self._autoload = True  # whether a fresh process loads what is wanted
        self._ending = False  # we asked the process to go; a fresh one follows
        self._closing = False
        self._ready_since = 0.0
        self._last_words: Failure | None = None  # why the engine itself said it cannot go on
        self._watchdog = Watchdog(self._silence_allowed, self)
        self._watchdog.silent.connect(self._on_silent)
        self._watchdog.overdue.connect(self._kill)
        self._retry = QTimer(self, singleShot=True)
        self._retry.timeout.connect(self._spawn)

    # --- what the window asks ------------------------------------------------------

    @property
    def view(self) -> EngineView:
        """The state now."""
        return self._view

    @property
    def loads_any_folder(self) -> bool:
        """Whether the engine only plays: the scripted one takes any folder for a model."""
        return self._command.backend == "scripted"

    @property
    def pid(self) -> int:
        """Of the engine process, 0 when there is none."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Spawn the engine process, unless there is one."""
        if self._process is None and not self._closing:
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
        if self._process is None:
            self.start()
        elif self._ending:
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
        if self._load_id and not self._ending:
            self._replace(CancelLoad(self._load_id), CANCEL_MS)
        elif not self._ending:
            # No load has begun: the process, or the one that follows, stays without a model.
            self._set(model="")

    def unload(self) -> None:
        """Give the model's memory back. Answers under way are interrupted."""
        self._autoload = False
        if self._load_id and not self._ending:
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
        elif self._requests.is_running(request_id) and self._connection is not None:
            self._connection.send(Cancel(request_id))

    def count_tokens(self, request: CountTokens) -> None:
        """Count a conversation's prompt tokens; nothing comes back unless READY."""
        if self._view.phase is Phase.READY and self._connection is not None:
            self._connection.send(request)

    def log_tail(self, lines: int = 200) -> str:
        """The last lines of the engine's log."""
        return self._log.tail(lines)

    def shutdown(self) -> None:
        """End the engine in order; returns within some 3 s with nothing left of it."""
        self._closing = True
        self._retry.stop()
        self._watchdog.stop()
        if self._process is not None and self._connection is not None:
            self._connection.send(Shutdown())
            self._connection.flush()
            self._process.end()
        self._forget_process()
        self._lose_running()
        self._log.close()
        self._set(phase=Phase.STOPPED)

    # --- the process ------------------------------------------------------------------

    def _spawn(self) -> None:
        self._ending = False
        self._load_id = 0
        self._last_words = None
        # Late: QtNetwork is not needed for the first paint.
        from desktop.engine_link.connection import Connection

        connection = self._connection = Connection(self)
        connection.received.connect(self._on_message)
        connection.broken.connect(self._on_broken)
        connection.closed.connect(self._on_closed)
        process = self._process = EngineProcess(self._command, self._log, self)
        process.ended.connect(self._on_ended)
        process.start(connection.descriptor_for_child())
        if self._connection is not connection:  # it failed to start and was cleaned up already
            return
        connection.child_started()
        self._watchdog.start()
        if self._view.phase is not Phase.FAILED or self._autoload:
            self._set(phase=Phase.STARTING, failure=None, stage=None, fraction=None, retry_in=0.0)
        # else: a fresh process stands ready behind the notice of what failed.
        if self._autoload and self._wanted is not None:
            self._send_load()

    def _send_load(self) -> None:
        assert self._wanted is not None
        assert self._connection is not None
        model, settings = self._wanted
        try:
            self._connection.send(Load(self._load_id + 1, model, settings))
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
        if self._connection is None:
            return
        self._ending = True
        self._connection.send(farewell)
        self._connection.flush()
        self._watchdog.count_down(grace_ms)
        self._lose_running()
        if self._view.phase is not Phase.FAILED:
            self._set(phase=Phase.STARTING, model="", loaded=None, stage=None, failure=None)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _on_ended(self, code: int, log: str) -> None:
        """The process is gone, asked or not."""
        if self._connection is not None and not self._closing:
            self._connection.drain()  # its last words and tokens may still wait in the kernel
        lived = time.monotonic() - self._ready_since if self._view.phase is Phase.READY else 0.0
        expected = self._ending
        self._forget_process()
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

    def _forget_process(self) -> None:
        process, connection = self._process, self._connection
        self._process = self._connection = None
        self._load_id = 0
        self._watchdog.stop()
        if connection is not None:
            connection.drop()
        if process is not None:
            process.deleteLater()

    def _on_broken(self, reason: str) -> None:
        self._log.append(f"window: the engine broke the protocol: {reason}\n".encode())
        self._kill()

    def _on_closed(self) -> None:
        # The process ends next. One that hangs on its way out is not waited for.
        if self._process is not None and not self._watchdog.is_counting_down:
            self._watchdog.count_down(UNLOAD_MS)

    def _silence_allowed(self) -> int:
        return self._silent_ready if self._view.phase is Phase.READY else self._silent_busy

    def _on_silent(self, seconds: int) -> None:
        if self._process is not None:
            line = f"window: no sign of life for {seconds} s; ending the engine\n"
            self._log.append(line.encode())
            self._kill()

    def _lose_running(self) -> None:
        lost = self._requests.lose_running()
        if lost:
            self.interrupted.emit(lost)

    # --- messages ----------------------------------------------------------------------

    def _on_message(self, message: FromEngine) -> None:
        self._watchdog.feed()
        if self._ending:
            # What was on its way when we asked the process to go: a model that is ready
            # now, or a load that failed, is not the one that is wanted any more.
            return
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
        self._kill()

    def _send_request(self, request: Generate) -> None:
        assert self._connection is not None
        try:
            self._connection.send(request)
        except ProtocolError as error:
            self.request_failed.emit(request_unsendable(request, error))
            return
        self._requests.sent(request)

    def _set(self, **changes: object) -> None:
        view = replace(self._view, **changes)  # type: ignore[arg-type]
        if view != self._view:
            self._view = view
            self.view_changed.emit(view)
