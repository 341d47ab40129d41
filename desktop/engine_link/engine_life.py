"""The engine processes behind one client, one after the other: started, replaced, ended.

It keeps what must not be lost when a process dies: the wanted model, the requests that
wait for it, and which requests were under way.
"""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.engine_link.engine_process import EngineCommand
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.engine_link.last_words import NOT_STARTED, crash, model_unsendable
from desktop.engine_link.live_engine import LiveEngine
from desktop.engine_link.log_ring import LogRing
from desktop.engine_link.request_desk import Asked, RequestDesk
from desktop.engine_link.restart_policy import RestartPolicy
from desktop.engine_link.slumber import Slumber
from desktop.engine_link.watchdog import SILENT_TICKS_BUSY, SILENT_TICKS_READY
from engine.protocol import (
    CancelLoad,
    Failure,
    FromEngine,
    Load,
    LoadSettings,
    ProtocolError,
    Unload,
)

# How long a process that was asked to go may take before it is killed.
CANCEL_MS = 400
UNLOAD_MS = 2000


class EngineLife(QObject):
    """See the module; methods and signals are those of `EngineClient`."""

    view_changed = Signal(object)
    interrupted = Signal(object)
    gone = Signal()

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
        self._log = LogRing(command.log_folder, command.log_name)
        self._view = EngineView()
        self._engine: LiveEngine | None = None
        self._wanted: tuple[str, LoadSettings] | None = None
        self._load_id = 0
        self._requests = RequestDesk()
        self._slumber = Slumber()
        self._autoload = True  # whether a fresh process loads what is wanted
        self._closing = False
        self._ready_since = 0.0
        self._measuring = ""  # the request of a measurement under way
        self._watch_seconds = 0.0  # between two reports of the KV pool; 0: nobody looks
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

    @property
    def wanted(self) -> tuple[str, LoadSettings] | None:
        """The model that was asked for last, and how it was to be loaded."""
        return self._wanted

    @property
    def asked(self) -> dict[str, Asked]:
        """Who asked for what waits here or is under way, by the request's id."""
        return self._requests.asked

    @property
    def is_busy(self) -> bool:
        """Whether requests wait here or are under way."""
        return bool(self._requests.held or self._requests.running or self._measuring)

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
            loaded = self._slumber.in_process  # it is being woken: there is no load to cancel
            self._replace(Unload() if loaded else CancelLoad(self._load_id), CANCEL_MS)
        elif not self._is_leaving:
            # No load has begun: the process, or the one that follows, stays without a model.
            self._set(model="")

    def unload(self) -> None:
        """Give the model's memory back. Answers under way are interrupted."""
        self._autoload = False
        if self._view.phase is Phase.SLEEPING:
            self._set(phase=Phase.STARTING, model="", loaded=None, is_lent=False, wake_seconds=0.0)
            if self._engine is not None and not self._load_id and not self._is_leaving:
                self._set(phase=Phase.IDLE)  # its memory was given back when it fell asleep
        if self._load_id and not self._is_leaving:
            self._replace(Unload(), UNLOAD_MS)

    def retire(self) -> None:
        """End the engine for good without waiting for it; `gone` follows."""
        self._closing = True
        self._autoload = False
        self._retry.stop()
        self._lose_running()
        held = tuple(request.request_id for request in self._requests.release())
        if held:  # nobody will answer them here
            self.interrupted.emit(held)
        self._set(phase=Phase.STOPPED, model="", loaded=None, failure=None, queued=0)
        if self._engine is None:
            self._log.close()
            self.gone.emit()
        elif not self._engine.is_leaving:
            self._engine.ask_to_leave(Unload(), UNLOAD_MS)

    def log_tail(self, lines: int = 200) -> str:
        """The last lines of the engine's log."""
        return self._log.tail(lines)

    def log_of_process(self, lines: int = 200) -> str:
        """The last lines that the process of now has written, none of those before it."""
        return self._log.since_mark(lines)

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

    def _on_message(self, message: FromEngine) -> None:
        """What the process says."""
        raise NotImplementedError

    @property
    def _is_leaving(self) -> bool:
        """Whether we asked the process to go; a fresh one follows."""
        return self._engine is not None and self._engine.is_leaving

    @property
    def _is_notice(self) -> bool:
        """Whether what is shown does not depend on the process: a failure, or a sleep."""
        return self._view.phase in (Phase.FAILED, Phase.SLEEPING)

    def _spawn(self) -> None:
        self._load_id = 0
        self._last_words = None
        self._log.mark()
        engine = self._engine = LiveEngine(self._command, self._log, self._silence_allowed, self)
        engine.received.connect(self._on_message)
        engine.ended.connect(self._on_ended)
        engine.start()
        if self._engine is not engine:  # it failed to start and was cleaned up already
            return
        if self._autoload or not self._is_notice:
            self._set(phase=Phase.STARTING, failure=None, stage=None, fraction=None, retry_in=0.0)
        # else: a fresh process stands ready behind the notice of what failed or sleeps.
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
        self._slumber.over()
        self._lose_running()
        if not self._is_notice:
            self._set(
                phase=Phase.STARTING,
                model="",
                loaded=None,
                stage=None,
                failure=None,
                is_waking=False,
            )

    def _on_ended(self, code: int, log: str) -> None:
        """The process is gone, asked or not."""
        lived = time.monotonic() - self._ready_since if self._view.phase is Phase.READY else 0.0
        expected = self._is_leaving
        self._forget_engine()
        if self._closing:
            self._log.close()
            self.gone.emit()
            return
        self._lose_running()
        if self._engine is not None:
            return  # who heard of it has started another one already
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
        # Before anybody is told: one that answers by a start of its own stops the timer.
        self._retry.start(int(delay * 1000))
        if self._view.phase is Phase.SLEEPING:  # it sleeps on, and waking is another load
            self._set(wake_seconds=self._slumber.expected)
        elif not self._is_notice:
            self._set(
                phase=Phase.RESTARTING, loaded=None, restarts=self._policy.deaths, retry_in=delay
            )

    def _forget_engine(self) -> LiveEngine | None:
        engine, self._engine = self._engine, None
        self._load_id = 0
        self._measuring = ""
        self._slumber.over()
        return engine

    def _silence_allowed(self) -> int:
        return self._silent_ready if self._view.phase is Phase.READY else self._silent_busy

    def _lose_running(self) -> None:
        lost = self._requests.lose_running()
        if lost:
            self.interrupted.emit(lost)

    def _set(self, **changes: object) -> None:
        view = replace(self._view, **changes)  # type: ignore[arg-type]
        if view != self._view:
            self._view = view
            self.view_changed.emit(view)
